// SPDX-License-Identifier: Apache-2.0
// gather: slices of an array, each starting where an index vector says, put together. Embedding look-up is
// the common case.
//
// A dimension that is indexed may be split though indices run over all of it: each device fills in what it
// holds of the slices and leaves zero bits elsewhere, so the parts combine by `pick`. Not so where
// constants or iotas say which part of it a tile of the slices needs.
#include <optional>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/indexing.hpp"
#include "ops/linear.hpp"

namespace tw::ops::gather_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::TensorType &array = *op.operands[0], &indices = *op.operands[1];
  const IndexingLists lists = gather_lists(op);
  const auto sizes = op.ints(slot::gather::slice_sizes);
  const bool has_vector = lists.vector_dim >= 0 && lists.vector_dim < static_cast<int64_t>(indices.rank());
  const size_t rank = lists.window.size() + indices.rank() - (has_vector ? 1 : 0);
  TW_TRY(check_indexing(lists, array, indices, rank));
  if (sizes.size() != array.rank())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("slice_sizes has {} entries for operand 0, {}", sizes.size(),
                            graph::to_short_text(array)));
  const Indexing indexing(lists, array.rank(), indices.rank(), rank);
  graph::TensorType result{array.dtype, graph::Shape(rank)};
  for (size_t d = 0; d < array.rank(); ++d) {
    const bool window = indexing.array[d].kind == IndexedDim::Kind::window;
    if (sizes[d] < 0 || sizes[d] > array.dims[d] || (!window && sizes[d] > 1))
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("slice_sizes has {} for dimension {} of operand 0, {}: expected {}", sizes[d],
                              d, graph::to_short_text(array),
                              window ? fmt::format("0 to {}", array.dims[d]) : std::string("at most 1")));
    if (window)
      result.dims[indexing.array[d].slices_dim] = sizes[d];
  }
  for (size_t d : indexing.batch_dims)
    result.dims[d] = indices.dims[static_cast<size_t>(indexing.slices_to_indices[d])];
  return std::vector<graph::TensorType>{std::move(result)};
}

// Where index vectors walk along with a dimension of the slices, as row numbers do, that dimension and the
// array's are one loop. Each dimension of the slices leads along one of the array.
Rule rule_at(const OpView &op, const KnownStarts &starts) {
  const graph::TensorType &array = *op.operands[0], &indices = *op.operands[1], &result = *op.results[0];
  const Indexing indexing = gather_indexing(op);
  RuleBuilder rule(op);
  std::vector<FactorId> batch(result.rank());
  for (size_t d : indexing.batch_dims) {
    batch[d] = rule.pass(result.dims[d]);
    rule.in(1, static_cast<size_t>(indexing.slices_to_indices[d]), batch[d]).out(0, d, batch[d]);
  }
  if (indexing.has_vector_dim)
    rule.whole_in(1, static_cast<size_t>(indexing.vector_dim),
                  indices.dims[static_cast<size_t>(indexing.vector_dim)]);
  std::vector<bool> leads(result.rank());
  for (const IndexedDim &dim : indexing.array)
    if (dim.kind == IndexedDim::Kind::batching)
      leads[dim.slices_dim] = true;
  const auto sizes = op.ints(slot::gather::slice_sizes);
  for (size_t d = 0; d < array.rank(); ++d) {
    const IndexedDim &dim = indexing.array[d];
    const std::optional<IndexPattern> start = d < starts.size() ? starts[d] : std::nullopt;
    const bool is_number = start && start->dim < 0;
    if (start && !is_number && sizes[d] == 1 && !leads[static_cast<size_t>(start->dim)]) {
      const auto along = static_cast<size_t>(start->dim);
      leads[along] = true;
      if (start->offset == 0 && start->step == 1 && result.dims[along] == array.dims[d])
        rule.in(0, d, batch[along]);
      else
        rule.slide(
            {0, static_cast<uint32_t>(d), array.dims[d], {{batch[along], start->step}}, start->offset, 1, {}},
            0);
    } else if (dim.kind == IndexedDim::Kind::removed) {
      rule.in(0, d, rule.pick(array.dims[d], is_number && sizes[d] == 1 ? start->offset : -1));
    } else if (dim.kind == IndexedDim::Kind::batching) {
      rule.in(0, d, batch[dim.slices_dim]);
    } else if (result.dims[dim.slices_dim] ==
               array.dims[d]) { // a whole slice starts at 0 wherever its index points
      const FactorId f = rule.pass(array.dims[d]);
      rule.in(0, d, f).out(0, dim.slices_dim, f);
    } else if (dim.component < 0 || (is_number && sizes[d] > 1)) { // the same so many for all
      const FactorId f = rule.pass(result.dims[dim.slices_dim]);
      rule.out(0, dim.slices_dim, f)
          .slide({0, static_cast<uint32_t>(d), array.dims[d], {{f, 1}}, is_number ? start->offset : 0, 1, {}},
                 0);
    } else {
      rule.in(0, d, rule.pick(array.dims[d], is_number && sizes[d] == 1 ? start->offset : -1))
          .whole_out(0, dim.slices_dim, result.dims[dim.slices_dim]);
    }
  }
  return rule.build();
}

Rule rule(const OpView &op) { return rule_at(op, {}); }

// Indices are places in the whole array.
void mark_placed(const OpView &op, const Rule &rule, std::vector<bool> &placed) {
  const Indexing indexing = gather_indexing(op);
  for (size_t d = 0; d < indexing.array.size(); ++d)
    if (const IndexedDim &dim = indexing.array[d];
        dim.component >= 0 && (dim.kind == IndexedDim::Kind::removed ||
                               op.results[0]->dims[dim.slices_dim] != op.operands[0]->dims[d]))
      mark(rule.operands[0][d], placed);
}

OpDef gather() {
  OpDef def{
      "stablehlo.gather",
      "Slices of operand 0 that start where the index vectors of operand 1 say, clamped to fit. Spec: "
      "gather.",
      2,
      2,
      1,
      {{"offset_dims", AttrKind::ints, false, "dimensions of the result that run inside a slice",
        AttrDims::named},
       {"collapsed_slice_dims", AttrKind::ints, false, "dimensions of operand 0 that slices drop",
        AttrDims::named},
       {"operand_batching_dims", AttrKind::ints, false,
        "dimensions of operand 0 that go along with one of the indices", AttrDims::paired},
       {"start_indices_batching_dims", AttrKind::ints, false, "their partners in the indices",
        AttrDims::paired},
       {"start_index_map", AttrKind::ints, false,
        "for each component of an index vector, the dimension of operand 0 it indexes", AttrDims::named},
       {"index_vector_dim", AttrKind::integer, true,
        "the dimension of the indices that holds components; their rank if there is none", AttrDims::named},
       {"slice_sizes", AttrKind::ints, true, "size of a slice, per dimension of operand 0", AttrDims::ones,
        nullptr, true},
       {"indices_are_sorted", AttrKind::boolean, false, "whether the index vectors ascend"}}};
  def.flags |= kBatches;
  def.kind = OpKind::gather;
  def.infer = infer;
  def.rule = rule;
  def.rule_at = rule_at;
  def.mark_placed = mark_placed;
  def.cost = [](const OpView &op) {
    return Cost{0, static_cast<double>(op.results[0]->bytes()) + static_cast<double>(op.operands[1]->bytes()),
                static_cast<double>(op.results[0]->bytes())};
  };
  def.linear = linear::moved<0b1>;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {gather()};
  return defs;
}

} // namespace tw::ops::gather_ops
