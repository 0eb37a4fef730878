// SPDX-License-Identifier: Apache-2.0
// Sorts along a dimension in tiles of which slices take the first k elements, or the last, alone: these are
// among the first k of each tile. So each device sorts its tile, what is first there moves, and is sorted
// again. Equal elements stay in their order, as tiles are put side by side in theirs. Only where all tiles
// are equally long: what would fill up a shorter one has no place in an order that a region says.
#include <algorithm>
#include <optional>

#include "ops/attributes.hpp"
#include "ops/registry.hpp"
#include "ops/sort_order.hpp"
#include "spmd/added_ops.hpp"
#include "spmd/fold_tiles.hpp"
#include "spmd/rewrite.hpp"

namespace tw::spmd {

namespace {

using graph::OpId;
using ops::OpKind;
using sharding::Sharding;
using Made = AddedOps::Made;
using Ints = std::vector<int64_t>;

// A sort that may be replaced, with the slices that read it.
struct SortFold : TiledArray {
  OpId op = graph::kNone;
  ValueRef result = 0;                 // the first
  std::vector<ValueRef> sources;       // per operand: in tiles, or whole and made everywhere
  std::vector<uint32_t> moves, slices; // instructions
  int64_t k = 0;
  bool from_end = false;
};

class SortFinder {
public:
  explicit SortFinder(Lowering &lowering)
      : lowering_(lowering), program_(*lowering.program), body_of_(find_bodies(program_)),
        readers_(program_.values_.size()) {
    for (uint32_t i = 0; i < program_.instrs_.size(); ++i)
      for (const ValueRef v : program_.operands(program_.instrs_[i]))
        readers_[v].push_back(i);
  }

  std::optional<SortFold> consider(uint32_t i) const {
    const Instr &instr = program_.instrs_[i];
    if (instr.kind != InstrKind::compute || !ops::is(program_.graph(), instr.op, OpKind::sort))
      return std::nullopt;
    SortFold fold;
    fold.op = instr.op;
    fold.result = instr.first_result;
    fold.dim = ops::sorted_dimension(ops::OpViewHolder(program_.graph(), instr.op).view());
    if (!take_operands(i, fold) || !take_slices(i, fold) || fold.k >= fold.width)
      return std::nullopt;
    const int64_t most = fold.num_tiles * fold.k;
    int64_t before = 0, after = 0; // bytes, to the device that receives most
    for (const uint32_t move : fold.moves)
      before += program_.collectives_[program_.instrs_[move].index].summary.bytes_received_max;
    for (const ValueRef v : program_.operands(instr))
      after += redistribute::Move(lowering_.mesh, {program_.type(v).dtype, fold.shape(most)}, fold.balanced(),
                                  fold.whole())
                   .summary()
                   .bytes_received_max;
    return after < before ? std::optional(fold) : std::nullopt;
  }

private:
  const Sharding &layout(ValueRef v) const { return lowering_.sharding(program_.values_[v].sharding); }

  // Every operand is moved for this alone, from equal tiles, or is made whole on each device.
  bool take_operands(uint32_t i, SortFold &fold) const {
    const auto operands = program_.operands(program_.instrs_[i]);
    for (const ValueRef needed : operands) {
      const uint32_t def = program_.values_[needed].def;
      const Instr &move = program_.instrs_[def];
      if (move.kind != InstrKind::collective) {
        const graph::ValueId origin = program_.values_[needed].origin;
        if (program_.is_added_value(origin) || !lowering_.is_source(origin))
          return false;
        fold.sources.push_back(needed);
        continue;
      }
      const ValueRef tiles = program_.operands(move)[0];
      if (move.num_operands != 1 || readers_[needed].size() != 1 || body_of_[def] != body_of_[i] ||
          (!fold.moves.empty() && !(layout(tiles) == fold.from)))
        return false;
      fold.moves.push_back(def);
      fold.sources.push_back(tiles);
      fold.array = program_.type(tiles);
      fold.from = layout(tiles);
    }
    if (fold.moves.empty() || !fold.may_come_apart())
      return false;
    fold.num_tiles = sharding::num_tiles(fold.from.dims[fold.dim], lowering_.mesh);
    fold.width = fold.array.dims[fold.dim] / fold.num_tiles;
    const ShardingId whole = lowering_.intern(fold.whole(), fold.array);
    return fold.width * fold.num_tiles == fold.array.dims[fold.dim] &&
           program_.values_[fold.result].sharding == whole &&
           std::ranges::all_of(operands, [&](ValueRef v) { return program_.values_[v].sharding == whole; });
  }

  // All who read it take elements from one of its ends, and as it lies.
  bool take_slices(uint32_t i, SortFold &fold) const {
    const graph::Graph &graph = program_.graph();
    const int64_t n = fold.array.dims[fold.dim];
    std::optional<bool> from_end;
    for (uint32_t r = 0; r < program_.instrs_[i].num_results; ++r)
      for (const uint32_t reader : readers_[fold.result + r]) {
        const Instr &slice = program_.instrs_[reader];
        if (slice.kind != InstrKind::compute || !ops::is(graph, slice.op, OpKind::slice) ||
            body_of_[reader] != body_of_[i] || !(layout(slice.first_result) == fold.whole()))
          return false;
        const ops::OpViewHolder holder(graph, slice.op);
        const auto start = holder.view().ints(ops::slot::slice::start_indices),
                   limit = holder.view().ints(ops::slot::slice::limit_indices),
                   strides = holder.view().ints(ops::slot::slice::strides);
        for (size_t d = 0; d < start.size(); ++d)
          if (strides[d] != 1 || (d != fold.dim && (start[d] != 0 || limit[d] != fold.array.dims[d])))
            return false;
        const bool at_end = start[fold.dim] != 0;
        if ((at_end && limit[fold.dim] != n) || from_end.value_or(at_end) != at_end ||
            limit[fold.dim] == start[fold.dim])
          return false;
        from_end = at_end;
        fold.k = std::max(fold.k, limit[fold.dim] - start[fold.dim]);
        fold.slices.push_back(reader);
      }
    fold.from_end = from_end.value_or(false);
    return from_end.has_value();
  }

  Lowering &lowering_;
  const Program &program_;
  std::vector<uint32_t> body_of_;
  std::vector<std::vector<uint32_t>> readers_; // per value: instructions
};

void write_sort(const SortFold &fold, Rewrite &rewrite, AddedOps &ops) {
  const Program &old = rewrite.old();
  const graph::RegionId comparator = old.graph().op(fold.op).first_region;
  ops.begin(fold.op, old.collectives()[old.instrs()[fold.moves[0]].index]);
  const auto sorted = [&](const std::vector<Made> &arrays, size_t dim, const Sharding &layout) {
    const ops::NamedAttr attrs[] = {{"dimension", static_cast<int64_t>(dim)}, {"is_stable", true}};
    const graph::RegionId region = ops.copy_region(comparator);
    return ops.add_all("stablehlo.sort", arrays, attrs, layout, nullptr, {&region, 1});
  };
  // So many elements from the end that is wanted.
  const auto cut = [&](const Made &array, size_t dim, int64_t count) {
    Ints start(array.layout.dims.size(), 0), limit = ops.type(array).dims;
    const Ints strides(start.size(), 1);
    if (fold.from_end)
      start[dim] = limit[dim] - count;
    else
      limit[dim] = count;
    const ops::NamedAttr range[] = {{"start_indices", start}, {"limit_indices", limit}, {"strides", strides}};
    return ops.add("stablehlo.slice", {&array, 1}, range, array.layout);
  };

  std::vector<Made> tiles, first;
  for (const ValueRef v : fold.sources)
    tiles.push_back(ops.reshape(ops.move(ops.made(rewrite.now(v)), fold.even()), fold.shape_apart(fold.width),
                                fold.apart()));
  for (const Made &tile : sorted(tiles, fold.dim + 1, fold.apart()))
    first.push_back(ops.move(
        ops.reshape(cut(tile, fold.dim + 1, fold.k), fold.shape(fold.num_tiles * fold.k), fold.balanced()),
        fold.whole()));
  const std::vector<Made> all = sorted(first, fold.dim, fold.whole());
  for (const uint32_t reader : fold.slices) {
    const Instr &slice = old.instrs()[reader];
    const graph::ValueId value = old.graph().result(slice.op);
    const Made made =
        cut(all[old.operands(slice)[0] - fold.result], fold.dim, old.graph().type(value).dims[fold.dim]);
    rewrite.set_now(slice.first_result, ops.stand_for(made, value).ref);
  }
}

} // namespace

Status fold_sorts(Lowering &lowering) {
  const size_t count = lowering.program->instrs().size();
  std::vector<std::optional<SortFold>> folds(count);
  std::vector<bool> gone(count, false);
  const SortFinder finder(lowering);
  bool any = false;
  for (uint32_t i = 0; i < count; ++i)
    if ((folds[i] = finder.consider(i))) {
      any = true;
      for (const uint32_t instr : folds[i]->moves)
        gone[instr] = true;
      for (const uint32_t instr : folds[i]->slices)
        gone[instr] = true;
    }
  if (!any)
    return {};
  Rewrite rewrite(lowering);
  AddedOps ops(lowering);
  for (uint32_t i = 0; i < count; ++i)
    if (folds[i])
      write_sort(*folds[i], rewrite, ops);
    else if (!gone[i])
      rewrite.copy(i);
  ops.finish();
  return {};
}

} // namespace tw::spmd
