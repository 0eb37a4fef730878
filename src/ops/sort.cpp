// SPDX-License-Identifier: Apache-2.0
// sort and top_k: arrays put in order along a dimension, by a comparator region or by value.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/plain_cost.hpp"
#include "ops/sort_order.hpp"

namespace tw::ops::sort_ops {
namespace {

Result<std::vector<graph::TensorType>> infer_sort(const OpView &op) {
  const size_t n = op.operands.size();
  const graph::TensorType &first = *op.operands[0];
  if (sorted_dimension(op) >= first.rank())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("dimension is {}, but operand 0, {}, has {} dimensions",
                            op.integer(slot::sort::dimension, -1), graph::to_short_text(first),
                            first.rank()));
  const graph::Region &region = op.graph.region(op.regions[0]);
  if (region.args.size() != 2 * n || region.yields.size() != 1 ||
      !(op.graph.type(region.yields[0]) == graph::TensorType{DType::i1, {}}))
    return fail(Code::invalid_argument, "TW-248",
                fmt::format("its region must take two scalars of each of {} operands and give one i1", n));
  std::vector<graph::TensorType> results;
  for (size_t i = 0; i < n; ++i) {
    const graph::TensorType &array = *op.operands[i];
    if (array.dims != first.dims)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand {} is {} but operand 0 is {}: shapes differ", i,
                              graph::to_short_text(array), graph::to_short_text(first)));
    for (graph::ValueId v : {region.args[2 * i], region.args[2 * i + 1]})
      if (!(op.graph.type(v) == graph::TensorType{array.dtype, {}}))
        return fail(Code::invalid_argument, "TW-248",
                    fmt::format("its region compares {} for operand {}, {}: expected scalars {}",
                                graph::to_short_text(op.graph.type(v)), i, graph::to_short_text(array),
                                graph::name(array.dtype)));
    results.push_back(array);
  }
  return results;
}

Rule sort_rule(const OpView &op) {
  RuleBuilder rule(op);
  const size_t along = sorted_dimension(op);
  for (size_t d = 0; d < op.operands[0]->rank(); ++d) {
    const int64_t size = op.operands[0]->dims[d];
    const FactorId f = d == along ? rule.whole(size) : rule.pass(size);
    for (size_t i = 0; i < op.operands.size(); ++i)
      rule.in(i, d, f).out(i, d, f);
  }
  return rule.build();
}

Cost sort_cost(const OpView &op) {
  Cost cost = plain_cost(op);
  const auto length = static_cast<double>(op.operands[0]->dims.empty() ? 1 : op.operands[0]->dims.back());
  cost.flops = static_cast<double>(op.operands[0]->elements()) * std::log2(std::max(2.0, length));
  return cost;
}

OpDef sort() {
  OpDef def{
      "stablehlo.sort",
      "Arrays put in order together along a dimension, by a region that says what comes first. Spec: sort.",
      1,
      -1,
      -1,
      {{"dimension", AttrKind::integer, false, "the dimension put in order; the last if absent",
        AttrDims::named},
       {"is_stable", AttrKind::boolean, false, "whether equal elements keep their order; ours always do"}},
      0,
      1};
  def.flags |= kBatches;
  def.kind = OpKind::sort;
  def.infer = infer_sort;
  def.rule = sort_rule;
  def.cost = sort_cost;
  return def;
}

Result<std::vector<graph::TensorType>> infer_top_k(const OpView &op) {
  const graph::TensorType &array = *op.operands[0];
  const int64_t k = op.integer(slot::top_k::k);
  if (!kSortKeys.has(array.dtype) || array.rank() == 0 || k < 0 || k > array.dims.back())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("k is {} for operand 0, {}: expected 0 to the size of its last dimension, of "
                            "integers, floats or i1",
                            k, graph::to_short_text(array)));
  graph::Shape dims = array.dims;
  dims.back() = k;
  return std::vector<graph::TensorType>{{array.dtype, dims}, {DType::s32, dims}};
}

Rule top_k_rule(const OpView &op) {
  RuleBuilder rule(op);
  const size_t last = op.operands[0]->rank() - 1;
  for (size_t d = 0; d < last; ++d) {
    const FactorId f = rule.pass(op.operands[0]->dims[d]);
    rule.in(0, d, f).out(0, d, f).out(1, d, f);
  }
  rule.whole_in(0, last, op.operands[0]->dims[last]);
  rule.whole_out(0, last, op.results[0]->dims[last]).whole_out(1, last, op.results[0]->dims[last]);
  return rule.build();
}

OpDef top_k() {
  OpDef def{"chlo.top_k",
            "The k greatest elements of the last dimension and their indices, greatest first. CHLO: top_k.",
            1,
            1,
            2,
            {{"k", AttrKind::integer, true, "how many"}}};
  def.flags |= kBatches;
  def.kind = OpKind::top_k;
  def.infer = infer_top_k;
  def.rule = top_k_rule;
  def.cost = sort_cost;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {top_k(), sort()};
  return defs;
}

} // namespace tw::ops::sort_ops
