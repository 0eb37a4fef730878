// SPDX-License-Identifier: Apache-2.0
// Numbers what ops make by op and operands. What a loop carries unchanged is found by the numbers of its
// initial value and its yield, and then what is made of it inside is numbered again.
#include "ops/equal_values.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/hash.hpp"
#include "ops/attributes.hpp"
#include "ops/halo.hpp"
#include "ops/registry.hpp"

namespace tw::ops {

using graph::Graph;
using graph::OpId;
using graph::RegionId;
using graph::ValueId;

namespace {

bool is_nothing(std::span<const int64_t> sizes) {
  return std::ranges::all_of(sizes, [](int64_t size) { return size == 0; });
}

// Whether an op with one array, of the type of its result, moves none of its elements.
bool keeps_places(const Graph &graph, OpId id, const OpDef &def) {
  static const graph::OpCode convert = *find_op("stablehlo.convert");
  if (def.kind != OpKind::pad && (def.flags & kRearranges) == 0)
    return (def.flags & kRename) != 0 || def.kind == OpKind::dynamic_slice || graph.op(id).code == convert;
  const OpViewHolder holder(graph, id);
  if (def.kind == OpKind::pad)
    return is_nothing(holder.view().ints(slot::pad::edge_padding_low)) &&
           is_nothing(holder.view().ints(slot::pad::edge_padding_high)) &&
           is_nothing(holder.view().ints(slot::pad::interior_padding));
  const std::vector<ElementRead> reads = def.rearranges(holder.view());
  for (size_t d = 0; d < reads.size(); ++d)
    if (reads[d].dim != static_cast<int>(d) || reads[d].begin != 0 || reads[d].step != 1)
      return false;
  return true;
}

} // namespace

std::optional<uint32_t> handed_on(const Graph &graph, OpId id) {
  const graph::Op &op = graph.op(id);
  const OpDef &def = op_def(op.code);
  if (op.num_results != 1 || op.num_operands == 0 || makes_halo(op.code))
    return std::nullopt;
  const graph::TypeId type = graph.value(graph.result(id)).type;
  const auto operands = graph.operands(id);
  const auto fits = [&](ValueId v) { return graph.value(v).type == type; };
  if (def.kind == OpKind::concatenate) { // of an array and empty ones
    const auto at = std::ranges::find_if(operands, fits);
    if (at == operands.end() || graph.type(*at).elements() == 0)
      return std::nullopt;
    return static_cast<uint32_t>(at - operands.begin());
  }
  if (def.kind == OpKind::dynamic_update_slice)
    return fits(operands[1]) ? std::optional<uint32_t>(1) : std::nullopt;
  return fits(operands[0]) && keeps_places(graph, id, def) ? std::optional<uint32_t>(0) : std::nullopt;
}

EqualValues::EqualValues(const Graph &graph, const Variables &variables,
                         const std::function<bool(OpId)> &stops)
    : same_(graph.values().size()) {
  std::iota(same_.begin(), same_.end(), ValueId{0});
  std::unordered_map<uint64_t, OpId> known;
  known.reserve(graph.ops().size());
  do {
    known.clear();
    for (OpId id = 0; id < graph.ops().size(); ++id) {
      const graph::Op &op = graph.op(id);
      const OpDef &def = op_def(op.code);
      if (op.num_results == 0 || !variables.is_body(op.parent) || variables.stand_for(id) ||
          (stops && stops(id)))
        continue;
      if (const auto operand = handed_on(graph, id)) {
        same_[op.first_result] = of(graph.operands(id)[*operand]);
        continue;
      }
      if ((def.flags & (kSideEffect | kOpaque)) != 0 || def.kind == OpKind::custom_call ||
          (op.num_operands == 0 && (def.flags & kSource) == 0))
        continue;
      Hasher hash;
      hash.add(op.code).add(op.attrs).add(op.num_regions);
      for (const ValueId v : graph.operands(id))
        hash.add(of(v));
      const auto [found, fresh] = known.try_emplace(hash.value(), id);
      if (!fresh && is_equal(graph, found->second, id))
        for (uint32_t i = 0; i < op.num_results; ++i)
          same_[op.first_result + i] = of(graph.result(found->second, i));
    }
  } while (link_unchanged(graph, variables));
}

// Whether there was a variable that was not known to be unchanged.
bool EqualValues::link_unchanged(const Graph &graph, const Variables &variables) {
  bool found = false;
  for (const Variable &variable : variables.all())
    if (variable.makes.size() == 3 && is_loop(graph, variable.op) && !is_unchanged(variable) &&
        (of(variable.reads[1]) == of(variable.makes[1]) || of(variable.reads[1]) == of(variable.reads[0]))) {
      found = true;
      for (const ValueId v : variable.makes)
        same_[v] = of(variable.reads[0]);
    }
  return found;
}

bool EqualValues::is_equal(const Graph &graph, OpId a, OpId b) const {
  const graph::Op &x = graph.op(a), &y = graph.op(b);
  if (x.code != y.code || x.attrs != y.attrs || x.num_operands != y.num_operands ||
      x.num_results != y.num_results || x.num_regions != y.num_regions)
    return false;
  for (uint32_t i = 0; i < x.num_operands; ++i)
    if (of(graph.operands(a)[i]) != of(graph.operands(b)[i]))
      return false;
  for (uint32_t i = 0; i < x.num_results; ++i)
    if (graph.value(graph.result(a, i)).type != graph.value(graph.result(b, i)).type)
      return false;
  for (uint32_t r = 0; r < x.num_regions; ++r)
    if (!is_equal_region(graph, x.first_region + r, y.first_region + r))
      return false;
  return true;
}

// Regions that combine: op by op, what they take from outside being equal.
bool EqualValues::is_equal_region(const Graph &graph, RegionId a, RegionId b) const {
  const graph::Region &x = graph.region(a), &y = graph.region(b);
  if (x.args.size() != y.args.size() || x.ops.size() != y.ops.size() || x.yields.size() != y.yields.size())
    return false;
  std::unordered_map<ValueId, ValueId> inside;
  const auto matches = [&](ValueId v, ValueId w) {
    const auto found = inside.find(v);
    return found == inside.end() ? of(v) == of(w) : found->second == w;
  };
  for (size_t i = 0; i < x.args.size(); ++i) {
    if (graph.value(x.args[i]).type != graph.value(y.args[i]).type)
      return false;
    inside.emplace(x.args[i], y.args[i]);
  }
  for (size_t i = 0; i < x.ops.size(); ++i) {
    const graph::Op &p = graph.op(x.ops[i]), &q = graph.op(y.ops[i]);
    if (p.code != q.code || p.attrs != q.attrs || p.num_regions != 0 || q.num_regions != 0 ||
        p.num_results != q.num_results ||
        !std::ranges::equal(graph.operands(x.ops[i]), graph.operands(y.ops[i]), matches))
      return false;
    for (uint32_t r = 0; r < p.num_results; ++r) {
      if (graph.value(p.first_result + r).type != graph.value(q.first_result + r).type)
        return false;
      inside.emplace(p.first_result + r, q.first_result + r);
    }
  }
  return std::ranges::equal(x.yields, y.yields, matches);
}

} // namespace tw::ops
