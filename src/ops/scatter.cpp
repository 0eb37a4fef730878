// SPDX-License-Identifier: Apache-2.0
// scatter: updates combined into slices of an array, each starting where an index vector says. The gradient
// of a look-up is the common case.
//
// A dimension that slices remove may be split: each device combines only what falls into its part. The
// updates may be split where the region is a known reduction: the input then enters on one device only, the
// others start from the identity. Where constants or iotas say which updates fall into which part, each
// device needs these alone.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/indexing.hpp"
#include "ops/plain_cost.hpp"
#include "ops/reduction.hpp"

namespace tw::ops::scatter_ops {
namespace {

// Operands are n inputs, the indices, n updates.
size_t num_inputs(const OpView &op) { return op.operands.size() / 2; }
const graph::TensorType &indices_of(const OpView &op) { return *op.operands[num_inputs(op)]; }
const graph::TensorType &updates_of(const OpView &op, size_t i = 0) {
  return *op.operands[num_inputs(op) + 1 + i];
}

Status check_region(const OpView &op, size_t n) {
  const graph::Region &region = op.graph.region(op.regions[0]);
  if (region.args.size() != 2 * n || region.yields.size() != n)
    return fail(Code::invalid_argument, "TW-248",
                fmt::format("its region takes {} values and gives {}, expected {} and {} for {} inputs",
                            region.args.size(), region.yields.size(), 2 * n, n, n));
  for (size_t i = 0; i < n; ++i)
    for (graph::ValueId v : {region.args[i], region.args[n + i], region.yields[i]})
      if (op.graph.type(v).rank() != 0 || op.graph.type(v).dtype != op.operands[i]->dtype)
        return fail(Code::invalid_argument, "TW-248",
                    fmt::format("its region combines {} for input {}, {}: expected scalars {}",
                                graph::to_short_text(op.graph.type(v)), i,
                                graph::to_short_text(*op.operands[i]), graph::name(op.operands[i]->dtype)));
  return {};
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const size_t n = num_inputs(op);
  if (op.operands.size() != 2 * n + 1)
    return fail(Code::invalid_argument, "TW-244",
                fmt::format("takes inputs, indices and as many updates as inputs, has {} operands",
                            op.operands.size()));
  const graph::TensorType &array = *op.operands[0], &updates = updates_of(op), &indices = indices_of(op);
  TW_TRY(check_indexing(scatter_lists(op), array, indices, updates.rank()));
  TW_TRY(check_region(op, n));
  const Indexing indexing = scatter_indexing(op);
  for (size_t d = 0; d < array.rank(); ++d)
    if (const IndexedDim &dim = indexing.array[d];
        dim.kind == IndexedDim::Kind::window && updates.dims[dim.slices_dim] > array.dims[d])
      return fail(
          Code::invalid_argument, "TW-245",
          fmt::format("dimension {} of the updates, {}, has size {}, more than dimension {} of the input, {}",
                      dim.slices_dim, graph::to_short_text(updates), updates.dims[dim.slices_dim], d,
                      graph::to_short_text(array)));
  for (size_t d : indexing.batch_dims)
    if (const auto partner = static_cast<size_t>(indexing.slices_to_indices[d]);
        updates.dims[d] != indices.dims[partner])
      return fail(
          Code::invalid_argument, "TW-245",
          fmt::format("dimension {} of the updates, {}, has size {}, its partner {} of indices {} has {}", d,
                      graph::to_short_text(updates), updates.dims[d], partner, graph::to_short_text(indices),
                      indices.dims[partner]));
  std::vector<graph::TensorType> results;
  for (size_t i = 0; i < n; ++i) {
    if (op.operands[i]->dims != array.dims || updates_of(op, i).dims != updates.dims ||
        updates_of(op, i).dtype != op.operands[i]->dtype)
      return fail(
          Code::invalid_argument, "TW-245",
          fmt::format("input {} is {} with updates {}: expected the shapes of {} and {} and one element type",
                      i, graph::to_short_text(*op.operands[i]), graph::to_short_text(updates_of(op, i)),
                      graph::to_short_text(array), graph::to_short_text(updates)));
    results.push_back(*op.operands[i]);
  }
  return results;
}

// Where index vectors walk along with a dimension of the updates, as row numbers do, that dimension and the
// array's are one loop. Each dimension of the updates leads along one of the array.
Rule rule_at(const OpView &op, const KnownStarts &starts) {
  const size_t n = num_inputs(op);
  const graph::TensorType &array = *op.operands[0], &indices = indices_of(op), &updates = updates_of(op);
  const Indexing indexing = scatter_indexing(op);
  std::optional<sharding::Reduction> known;
  if (n == 1)
    known = reduction_of(op.graph, op.regions[0]);
  RuleBuilder rule(op);
  auto in_arrays = [&](size_t d, FactorId f) {
    for (size_t i = 0; i < n; ++i)
      rule.in(i, d, f).out(i, d, f);
  };
  auto in_updates = [&](size_t d, FactorId f) {
    for (size_t i = 0; i < n; ++i)
      rule.in(n + 1 + i, d, f);
  };
  // Updates of one place may come from several devices if they are known to combine in any way.
  auto combined = [&](int64_t size) { return known ? rule.reduce(size, *known) : rule.whole(size); };
  // A dimension of the updates that is written to elements offset + step * i of the array's.
  auto written = [&](size_t along, FactorId f, size_t d, int64_t offset, int64_t step) {
    const bool is_all = offset == 0 && step == 1 && updates.dims[along] == array.dims[d];
    for (size_t p = n + (indexing.slices_to_indices[along] < 0 ? 1 : 0); p < 2 * n + 1; ++p) {
      const auto dim = p == n ? static_cast<size_t>(indexing.slices_to_indices[along]) : along;
      if (is_all) {
        rule.in(p, dim, f);
        continue;
      }
      Window window = written_window(p, dim, updates.dims[along], f, array.dims[d], offset, step);
      window.exact = indexing.slices_to_indices[along] >= 0; // indices and updates go together
      rule.slide(std::move(window), 0);
    }
  };
  std::vector<bool> leads(updates.rank());
  for (const IndexedDim &dim : indexing.array)
    if (dim.kind == IndexedDim::Kind::batching)
      leads[dim.slices_dim] = true;
  for (size_t d = 0; d < array.rank(); ++d) {
    const IndexedDim &dim = indexing.array[d];
    const FactorId f = rule.pass(array.dims[d]);
    in_arrays(d, f);
    const bool is_window = dim.kind == IndexedDim::Kind::window;
    std::optional<IndexPattern> start = d < starts.size() ? starts[d] : std::nullopt;
    if (dim.component < 0)
      start = IndexPattern();
    if (dim.kind == IndexedDim::Kind::batching)
      written(dim.slices_dim, f, d, 0, 1);
    else if (start && start->dim >= 0 && start->step > 0 && !leads[static_cast<size_t>(start->dim)] &&
             (!is_window || updates.dims[dim.slices_dim] == 1)) {
      leads[static_cast<size_t>(start->dim)] = true;
      written(static_cast<size_t>(start->dim), f, d, start->offset, start->step);
    } else if (is_window && start && start->dim < 0)
      written(dim.slices_dim, f, d, start->offset, 1);
    else if (is_window) // what of a slice lies in another device's part is left to that one
      in_updates(dim.slices_dim, combined(updates.dims[dim.slices_dim]));
  }
  for (size_t d : indexing.batch_dims)
    if (!leads[d]) {
      const FactorId f = combined(updates.dims[d]);
      in_updates(d, f);
      rule.in(n, static_cast<size_t>(indexing.slices_to_indices[d]), f);
    }
  if (indexing.has_vector_dim)
    rule.whole_in(n, static_cast<size_t>(indexing.vector_dim),
                  indices.dims[static_cast<size_t>(indexing.vector_dim)]);
  if (known)
    rule.init_operand(0);
  return rule.build();
}

Rule rule(const OpView &op) { return rule_at(op, {}); }

Cost cost(const OpView &op) {
  Cost cost = plain_cost(op);
  cost.flops = static_cast<double>(updates_of(op).elements());
  return cost;
}

// What combines partial updates in the way in which they combine; the input enters once.
bool is_linear(const OpView &op, uint64_t partial, sharding::Reduction kind) {
  return num_inputs(op) == 1 && partial == 0b100 && reduction_of(op.graph, op.regions[0]) == kind;
}

// Updates go where indices say.
void mark_placed(const OpView &op, const Rule &rule, std::vector<bool> &placed) {
  const size_t n = num_inputs(op);
  const Indexing indexing = scatter_indexing(op);
  for (size_t d = 0; d < indexing.array.size(); ++d) {
    const IndexedDim &dim = indexing.array[d];
    if (dim.kind == IndexedDim::Kind::batching || (dim.kind == IndexedDim::Kind::window && dim.component < 0))
      continue;
    mark(rule.operands[0][d], placed);
    if (dim.kind == IndexedDim::Kind::window)
      mark(rule.operands[n + 1][dim.slices_dim], placed);
  }
}

OpDef scatter() {
  OpDef def{
      "stablehlo.scatter",
      "Updates combined by a region into slices of the inputs that start where index vectors say. Spec: "
      "scatter.",
      3,
      -1,
      -1,
      {{"update_window_dims", AttrKind::ints, false, "dimensions of the updates that run inside a slice",
        AttrDims::named},
       {"inserted_window_dims", AttrKind::ints, false, "dimensions of the inputs that slices drop",
        AttrDims::named},
       {"input_batching_dims", AttrKind::ints, false,
        "dimensions of the inputs that go along with one of the indices", AttrDims::paired},
       {"scatter_indices_batching_dims", AttrKind::ints, false, "their partners in the indices",
        AttrDims::paired},
       {"scatter_dims_to_operand_dims", AttrKind::ints, false,
        "for each component of an index vector, the dimension of the inputs it indexes", AttrDims::named},
       {"index_vector_dim", AttrKind::integer, true,
        "the dimension of the indices that holds components; their rank if there is none", AttrDims::named},
       {"indices_are_sorted", AttrKind::boolean, false, "whether the index vectors ascend"},
       {"unique_indices", AttrKind::boolean, false, "whether no element is updated twice"}},
      0,
      1};
  def.flags |= kBatches;
  def.kind = OpKind::scatter;
  def.infer = infer;
  def.rule = rule;
  def.rule_at = rule_at;
  def.mark_placed = mark_placed;
  def.cost = cost;
  def.linear = is_linear;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {scatter()};
  return defs;
}

} // namespace tw::ops::scatter_ops
