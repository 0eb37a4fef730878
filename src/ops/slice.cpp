// SPDX-License-Identifier: Apache-2.0
// slice: every stride-th element of a range, per dimension.
//
// A dimension of which it takes a part may be split too: each device reads the range that its tile of the
// result comes from. Where it takes one place, there is nothing to tile: the device that holds it gives it to
// all, or the others leave zero bits and the parts combine by `pick` (spmd/gather_picks). Not so where
// what it takes is put elsewhere (joined_slice.hpp).
#include <optional>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/joined_slice.hpp"
#include "ops/rearrange.hpp"
#include "ops/registry.hpp"

namespace tw::ops::slice_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::TensorType &from = *op.operands[0];
  const auto start = op.ints(slot::slice::start_indices), limit = op.ints(slot::slice::limit_indices);
  const auto stride = op.ints(slot::slice::strides);
  if (start.size() != from.rank() || limit.size() != from.rank() || stride.size() != from.rank())
    return fail(
        Code::invalid_argument, "TW-245",
        fmt::format("start_indices, limit_indices and strides have {}, {} and {} entries for operand 0, {}",
                    start.size(), limit.size(), stride.size(), graph::to_short_text(from)));
  graph::TensorType to{from.dtype, graph::Shape(from.rank())};
  for (size_t d = 0; d < from.rank(); ++d) {
    if (start[d] < 0 || start[d] > limit[d] || limit[d] > from.dims[d] || stride[d] < 1)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("range {}:{}:{} does not lie in dimension {} of operand 0, {}, of size {}",
                              start[d], limit[d], stride[d], d, graph::to_short_text(from), from.dims[d]));
    to.dims[d] = (limit[d] - start[d]) / stride[d] + ((limit[d] - start[d]) % stride[d] != 0);
  }
  return std::vector<graph::TensorType>{std::move(to)};
}

Rule rule_of(const OpView &op, bool joined) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.operands[0]->rank(); ++d) {
    const int64_t from = op.operands[0]->dims[d], to = op.results[0]->dims[d];
    if (from == to) { // all of it, whatever the stride of a dimension of size 1
      const FactorId f = rule.pass(from);
      rule.in(0, d, f).out(0, d, f);
    } else if (to == 1 && !joined) {
      rule.in(0, d, rule.pick(from, op.ints(slot::slice::start_indices)[d]));
    } else {
      const FactorId f = rule.pass(to);
      rule.out(0, d, f).slide({0,
                               static_cast<uint32_t>(d),
                               from,
                               {{f, op.ints(slot::slice::strides)[d]}},
                               op.ints(slot::slice::start_indices)[d],
                               1,
                               {}},
                              0);
    }
  }
  return rule.build();
}

Rule rule(const OpView &op) { return rule_of(op, false); }

// Whether an op puts its operands somewhere along a dimension.
bool places_along(const graph::Graph &graph, graph::OpId id, size_t dim) {
  static const graph::OpCode concatenate = *find_op("stablehlo.concatenate"), pad = *find_op("stablehlo.pad");
  if (graph.op(id).code != concatenate)
    return graph.op(id).code == pad;
  const OpViewHolder holder(graph, id);
  return static_cast<size_t>(holder.view().integer(slot::concatenate::dimension)) == dim;
}

// The one dimension that a slice cuts, without strides.
std::optional<JoinedSlice> find_cut(const graph::Graph &graph, graph::OpId id) {
  static const graph::OpCode code = *find_op("stablehlo.slice");
  if (graph.op(id).code != code)
    return std::nullopt;
  const OpViewHolder holder(graph, id);
  const OpView &op = holder.view();
  std::optional<JoinedSlice> found;
  for (size_t d = 0; d < op.operands[0]->rank(); ++d)
    if (op.operands[0]->dims[d] != op.results[0]->dims[d]) {
      if (found || op.ints(slot::slice::strides)[d] != 1)
        return std::nullopt;
      found = {d, op.ints(slot::slice::start_indices)[d]};
    }
  return found;
}

std::vector<ElementRead> reads(const OpView &op) {
  const auto start = op.ints(slot::slice::start_indices), stride = op.ints(slot::slice::strides);
  std::vector<ElementRead> reads;
  for (size_t d = 0; d < start.size(); ++d)
    reads.push_back({static_cast<int>(d), start[d], stride[d]});
  return reads;
}

OpDef slice() {
  OpDef def{"stablehlo.slice",
            "Every stride-th element from start to limit, per dimension. Spec: slice.",
            1,
            1,
            1,
            {{"start_indices", AttrKind::ints, true, "first index, per dimension", AttrDims::zeros},
             {"limit_indices", AttrKind::ints, true, "index after the last, per dimension", AttrDims::extents,
              nullptr, true},
             {"strides", AttrKind::ints, true, "step, per dimension", AttrDims::ones}}};
  def.flags |= kBatches;
  def.kind = OpKind::slice;
  def.infer = infer;
  def.rule = rule;
  return rearranging<reads>(std::move(def));
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {slice()};
  return defs;
}

} // namespace tw::ops::slice_ops

namespace tw::ops {

bool is_joined_slice(const graph::Graph &graph, graph::OpId id) {
  const auto cut = slice_ops::find_cut(graph, id);
  const auto uses = cut ? graph.uses(graph.result(id)) : std::span<const graph::Use>();
  return uses.size() == 1 && slice_ops::places_along(graph, uses[0].op, cut->dim) &&
         graph.type(graph.result(uses[0].op)).dims[cut->dim] >=
             graph.type(graph.operands(id)[0]).dims[cut->dim];
}

JoinedSlice joined_slice(const graph::Graph &graph, graph::OpId id) {
  return *slice_ops::find_cut(graph, id);
}

Rule joined_slice_rule(const OpView &op) { return slice_ops::rule_of(op, true); }

} // namespace tw::ops
