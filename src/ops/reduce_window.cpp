// SPDX-License-Identifier: Apache-2.0
// reduce_window: a window slides over arrays and each of its positions is folded by a region. Pooling and
// cumulative sums.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/op_def.hpp"
#include "ops/plain_cost.hpp"
#include "ops/window.hpp"

namespace tw::ops::reduce_window_ops {
namespace {

namespace slots = slot::reduce_window;

std::vector<SlidingWindow> windows_of(const OpView &op) {
  std::vector<SlidingWindow> windows;
  for (size_t d = 0; d < op.operands[0]->rank(); ++d)
    windows.push_back(window_of(op, d, op.ints(slots::window_dimensions)[d], slots::window_strides,
                                slots::base_dilations, slots::window_dilations, slots::padding));
  return windows;
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const size_t n = op.operands.size() / 2;
  if (op.operands.size() != 2 * n)
    return fail(Code::invalid_argument, "TW-244",
                fmt::format("takes as many initial values as arrays, has {} operands", op.operands.size()));
  const graph::TensorType &first = *op.operands[0];
  for (size_t slot : {slots::window_dimensions, slots::window_strides, slots::base_dilations,
                      slots::window_dilations, slots::padding})
    if (const size_t expected = first.rank() * (slot == slots::padding ? 2 : 1);
        op.has(slot) && op.ints(slot).size() != expected)
      return fail(
          Code::invalid_argument, "TW-245",
          fmt::format(
              "{} entries of window sizes, strides, dilations or padding for operand 0, {}: expected {}",
              op.ints(slot).size(), graph::to_short_text(first), expected));
  const graph::Region &region = op.graph.region(op.regions[0]);
  if (region.args.size() != 2 * n || region.yields.size() != n)
    return fail(Code::invalid_argument, "TW-248",
                fmt::format("its region takes {} values and gives {}, expected {} and {} for {} arrays",
                            region.args.size(), region.yields.size(), 2 * n, n, n));
  graph::Shape dims;
  const std::vector<SlidingWindow> windows = windows_of(op);
  for (size_t d = 0; d < first.rank(); ++d) {
    const auto size = places(windows[d], first.dims[d]);
    if (!size)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("the window of dimension {} of operand 0, {}, has a size, stride or dilation "
                              "below 1 or out of range",
                              d, graph::to_short_text(first)));
    dims.push_back(*size);
  }
  std::vector<graph::TensorType> results;
  for (size_t i = 0; i < n; ++i) {
    const graph::TensorType &array = *op.operands[i], &init = *op.operands[n + i];
    if (array.dims != first.dims || init.rank() != 0 || init.dtype != array.dtype)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("array {} is {} with initial value {}: expected the shape of {} and a scalar "
                              "of its element type",
                              i, graph::to_short_text(array), graph::to_short_text(init),
                              graph::to_short_text(first)));
    for (graph::ValueId v : {region.args[i], region.args[n + i], region.yields[i]})
      if (!(op.graph.type(v) == graph::TensorType{array.dtype, {}}))
        return fail(Code::invalid_argument, "TW-248",
                    fmt::format("its region combines {} for array {}, {}: expected scalars {}",
                                graph::to_short_text(op.graph.type(v)), i, graph::to_short_text(array),
                                graph::name(array.dtype)));
    results.push_back({array.dtype, dims});
  }
  return results;
}

// A dimension over which the window does not slide is free; one over which it slides is read as far as the
// windows reach.
Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  const std::vector<SlidingWindow> windows = windows_of(op);
  for (size_t d = 0; d < windows.size(); ++d) {
    const int64_t from = op.operands[0]->dims[d], to = op.results[0]->dims[d];
    const FactorId f = rule.pass(to);
    const FactorId taps = windows[d].trivial() ? f : rule.whole(windows[d].size);
    for (size_t i = 0; i < op.results.size(); ++i) {
      rule.out(i, d, f);
      if (windows[d].trivial())
        rule.in(i, d, f);
      else
        rule.slide(slide_over(windows[d], i, d, from, f, taps), 0);
    }
  }
  return rule.build();
}

Cost cost(const OpView &op) {
  Cost cost = plain_cost(op);
  for (int64_t size : op.ints(slots::window_dimensions))
    cost.flops *= static_cast<double>(size);
  return cost;
}

OpDef reduce_window() {
  OpDef def{"stablehlo.reduce_window",
            "Folds the elements under a sliding window by a region, starting from initial values. Spec: "
            "reduce_window.",
            2,
            -1,
            -1,
            {{"window_dimensions", AttrKind::ints, true, "size of the window, per dimension"},
             {"window_strides", AttrKind::ints, false, "step of the window, per dimension; 1 if absent"},
             {"base_dilations", AttrKind::ints, false,
              "distance at which the array's elements are put, per dimension; 1 if absent"},
             {"window_dilations", AttrKind::ints, false,
              "distance between the elements under the window, per dimension; 1 if absent"},
             {"padding", AttrKind::ints, false,
              "initial values put before and after, two per dimension; 0 if absent"}},
            0,
            1};
  def.kind = OpKind::reduce_window;
  def.infer = infer;
  def.rule = rule;
  def.rule_text = "([b,x+k,c],[])->([b,x,c]) k:whole";
  def.cost = cost;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {reduce_window()};
  return defs;
}

} // namespace tw::ops::reduce_window_ops
