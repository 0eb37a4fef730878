// SPDX-License-Identifier: Apache-2.0
// select_and_scatter: each window over an array selects one of its elements, and the source's element for
// that window is combined into the result there. The gradient of max pooling.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/op_def.hpp"
#include "ops/plain_cost.hpp"
#include "ops/window.hpp"

namespace tw::ops::select_and_scatter_ops {
namespace {

namespace slots = slot::select_and_scatter;

Status check_regions(const OpView &op) {
  const graph::TensorType scalar{op.operands[0]->dtype, {}}, truth{graph::DType::i1, {}};
  constexpr const char *kNames[] = {"select", "scatter"};
  for (size_t r = 0; r < 2; ++r) {
    const graph::Region &region = op.graph.region(op.regions[r]);
    const graph::TensorType &yields = r == 0 ? truth : scalar;
    bool fits = region.args.size() == 2 && region.yields.size() == 1;
    for (size_t i = 0; fits && i < 2; ++i)
      fits = op.graph.type(region.args[i]) == scalar;
    if (!fits || !(op.graph.type(region.yields[0]) == yields))
      return fail(Code::invalid_argument, "TW-248",
                  fmt::format("its {} region must take two scalars {} and give one {}", kNames[r],
                              graph::name(scalar.dtype), graph::name(yields.dtype)));
  }
  return {};
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::TensorType &array = *op.operands[0], &source = *op.operands[1], &init = *op.operands[2];
  for (const size_t slot : {slots::window_dimensions, slots::window_strides, slots::padding})
    if (const size_t expected = array.rank() * (slot == slots::padding ? 2 : 1);
        op.has(slot) && op.ints(slot).size() != expected)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("{} entries of window sizes, strides or padding for operand 0, {}: expected {}",
                              op.ints(slot).size(), graph::to_short_text(array), expected));
  if (source.dtype != array.dtype || source.rank() != array.rank() || init.dtype != array.dtype ||
      init.rank() != 0)
    return fail(
        Code::invalid_argument, "TW-245",
        fmt::format("operands are {}, {} and {}: expected two arrays of one element type and rank, and "
                    "a scalar of it",
                    graph::to_short_text(array), graph::to_short_text(source), graph::to_short_text(init)));
  const std::vector<SlidingWindow> windows = selecting_windows(op);
  for (size_t d = 0; d < array.rank(); ++d) {
    const auto size = places(windows[d], array.dims[d]);
    if (!size)
      return fail(
          Code::invalid_argument, "TW-245",
          fmt::format("the window of dimension {} of operand 0, {}, has a size or stride below 1 or out "
                      "of range",
                      d, graph::to_short_text(array)));
    if (*size != source.dims[d])
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("dimension {} of operand 0, {}, has {} windows, but operand 1 is {}", d,
                              graph::to_short_text(array), *size, graph::to_short_text(source)));
  }
  TW_TRY(check_regions(op));
  return std::vector<graph::TensorType>{array};
}

// A tile of the result needs the source of all windows that touch it, and the array under all of these.
Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  const std::vector<SlidingWindow> windows = selecting_windows(op);
  for (uint8_t d = 0; d < windows.size(); ++d) {
    const SlidingWindow &w = windows[d];
    const int64_t n = op.operands[0]->dims[d], count = op.operands[1]->dims[d];
    const FactorId f = rule.pass(n);
    rule.out(0, d, f);
    if (w.trivial()) {
      rule.in(0, d, f).in(1, d, f);
      continue;
    }
    // Window p touches element i with its tap t: p * stride = i - t + low.
    const FactorId taps = rule.whole(w.size);
    Window touched{1, d, count, {{f, 1}, {taps, -1}}, w.low, w.stride, {}};
    Window under = touched;
    under.operand = 0;
    under.size = n;
    under.reach = {count, w.stride, -w.low, w.size};
    rule.slide(std::move(under), 0).slide(std::move(touched), 0);
  }
  return rule.build();
}

Cost cost(const OpView &op) {
  Cost cost = plain_cost(op);
  cost.flops = static_cast<double>(op.operands[1]->elements());
  for (const SlidingWindow &w : selecting_windows(op))
    cost.flops *= static_cast<double>(w.size);
  return cost;
}

OpDef select_and_scatter() {
  OpDef def{
      "stablehlo.select_and_scatter",
      "Each window selects one element of an array; there the source's element is combined into the result. "
      "Spec: select_and_scatter.",
      3,
      3,
      1,
      {{"window_dimensions", AttrKind::ints, false, "size of the window, per dimension; 1 if absent"},
       {"window_strides", AttrKind::ints, false, "step of the window, per dimension; 1 if absent"},
       {"padding", AttrKind::ints, false,
        "places before and after that no window selects, two per dimension; 0 if absent"}},
      0,
      2};
  def.kind = OpKind::select_and_scatter;
  def.infer = infer;
  def.rule = rule;
  def.rule_text = "([b,x+k,c],[b,x+k,c],[])->([b,x,c]) k:whole";
  def.cost = cost;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {select_and_scatter()};
  return defs;
}

} // namespace tw::ops::select_and_scatter_ops
