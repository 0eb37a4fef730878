// SPDX-License-Identifier: Apache-2.0
// Ops that need all of a dimension, which lies in tiles, to make little of it: each device first makes of its
// tile what matters to others, and that moves in place of the tiles.
// - The greatest k elements are among the greatest k of each tile.
// - A cumulative fold is that of a tile behind the folds of the tiles in front of it.
// Instructions are replaced by chains of ops that the graph did not have, where fewer bytes move then. In the
// chains the dimension of n elements is one of T tiles and one of w elements; what is missing of T * w is
// filled with elements that change nothing. A cumulative fold adds in another order then.
#include <algorithm>
#include <optional>

#include "ops/attributes.hpp"
#include "ops/literal.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "ops/window.hpp"
#include "spmd/added_ops.hpp"
#include "spmd/fold_tiles.hpp"
#include "spmd/rewrite.hpp"

namespace tw::spmd {

namespace {

using graph::OpId;
using graph::TensorType;
using ops::NamedAttr;
using ops::OpKind;
using sharding::Interval;
using sharding::Sharding;
using Made = AddedOps::Made;
using Ints = std::vector<int64_t>;

// An instruction that may be replaced. What it needs whole along a dimension lies in tiles in front of a
// move.
struct Fold : TiledArray {
  OpKind kind = OpKind::other;
  OpId op = graph::kNone;
  uint32_t move = 0; // an instruction
  ValueRef tiles = 0, result = 0;
  Sharding to;       // of the result
  int64_t moved = 0; // bytes, to the device that receives most
  // Of a cumulative fold.
  sharding::Reduction reduction = sharding::Reduction::sum;
  bool from_end = false;

  // Of one element a tile: on each device those of the tiles in front of its own.
  Sharding in_front() const {
    std::vector<Interval> spans;
    for (int64_t t = 0; t < num_tiles; ++t)
      spans.push_back(from_end ? Interval{t + 1, num_tiles} : Interval{0, t});
    Sharding s = from;
    s.dims[dim].rule = sharding::make_spans(spans, num_tiles);
    return s;
  }
};

// Finds what may be replaced in a program, and what pays.
class TileFinder {
public:
  explicit TileFinder(Lowering &lowering)
      : lowering_(lowering), program_(*lowering.program), readers_(program_.values_.size(), 0) {
    for (const ValueRef v : program_.operand_refs_)
      ++readers_[v];
  }

  // By instruction: those where all who read what a move makes may be replaced, and less moves then.
  std::vector<std::optional<Fold>> find() const {
    std::vector<std::optional<Fold>> folds;
    struct Group {
      uint32_t count = 0;
      int64_t moved = 0;
    };
    std::vector<Group> groups(program_.instrs_.size()); // by move
    for (const Instr &instr : program_.instrs_)
      if (const auto &fold = folds.emplace_back(consider(instr))) {
        ++groups[fold->move].count;
        groups[fold->move].moved += fold->moved;
      }
    for (std::optional<Fold> &fold : folds)
      if (fold) {
        const Instr &move = program_.instrs_[fold->move];
        if (groups[fold->move].count != readers_[move.first_result] ||
            groups[fold->move].moved >= program_.collectives_[move.index].summary.bytes_received_max)
          fold.reset();
      }
    return folds;
  }

private:
  std::optional<Fold> consider(const Instr &instr) const {
    if (instr.kind != InstrKind::compute || instr.num_operands == 0)
      return std::nullopt;
    Fold fold;
    fold.op = instr.op;
    fold.kind = ops::op_def(program_.graph().op(instr.op).code).kind;
    if (fold.kind != OpKind::top_k && fold.kind != OpKind::reduce_window)
      return std::nullopt;
    const ValueRef needed = program_.operands(instr)[0];
    fold.move = program_.values_[needed].def;
    fold.result = instr.first_result;
    const Instr &move = program_.instrs_[fold.move];
    if (move.kind != InstrKind::collective || move.num_operands != 1)
      return std::nullopt;
    fold.tiles = program_.operands(move)[0];
    fold.array = program_.type(fold.tiles);
    fold.from = layout(fold.tiles);
    fold.to = layout(fold.result);
    const ops::OpViewHolder holder(program_.graph(), instr.op);
    fold.dim = fold.array.rank() - 1; // of top_k
    if ((fold.kind == OpKind::reduce_window && !is_cumulative(holder.view(), fold)) ||
        !lies_in_tiles(fold, layout(needed)))
      return std::nullopt;
    fold.num_tiles = sharding::num_tiles(fold.from.dims[fold.dim], lowering_.mesh);
    fold.width = (fold.array.dims[fold.dim] + fold.num_tiles - 1) / fold.num_tiles;
    if (fold.kind == OpKind::top_k)
      if (const int64_t k = holder.view().integer(ops::slot::top_k::k); k < 1 || k > fold.width)
        return std::nullopt;
    fold.moved = moved(fold, holder.view());
    return fold;
  }

  const Sharding &layout(ValueRef v) const { return lowering_.sharding(program_.values_[v].sharding); }

  // A literal, also one that is broadcast.
  static const graph::Constant *literal_behind(const graph::Graph &graph, graph::ValueId v) {
    while (graph.value(v).def != graph::kNone && ops::is(graph, graph.value(v).def, OpKind::broadcast))
      v = graph.operands(graph.value(v).def)[0];
    return ops::literal_of_value(graph, v);
  }

  // A known fold from its identity, along one dimension, from one of its ends.
  bool is_cumulative(const ops::OpView &op, Fold &fold) const {
    const auto kind = ops::reduction_of(op.graph, op.regions[0]);
    const graph::Constant *init =
        op.operands.size() == 2 ? literal_behind(op.graph, op.graph.operands(fold.op)[1]) : nullptr;
    if (!kind || init == nullptr || !ops::is_identity(*init, fold.array.dtype, *kind))
      return false;
    fold.reduction = *kind;
    std::optional<size_t> along;
    const std::vector<ops::SlidingWindow> windows = ops::folding_windows(op);
    for (size_t d = 0; d < windows.size(); ++d) {
      const ops::SlidingWindow &w = windows[d];
      const int64_t n = fold.array.dims[d];
      if (w.trivial())
        continue;
      if (along || w.size != n || w.stride != 1 || w.base_dilation != 1 || w.dilation != 1 ||
          w.low + w.high != n - 1 || (w.low != 0 && w.high != 0))
        return false;
      along = d;
      fold.from_end = w.low == 0;
    }
    fold.dim = along.value_or(0);
    return along && fold.to.dims[fold.dim].axes == fold.from.dims[fold.dim].axes;
  }

  // Behind the move there is more of the dimension than in front of it, and all else stays.
  static bool lies_in_tiles(const Fold &fold, const Sharding &needed) {
    bool same = fold.may_come_apart() && fold.to.partial.empty() &&
                fold.to.dims[fold.dim].rule.kind != sharding::SplitRule::Kind::spans;
    for (size_t d = 0; d < fold.from.dims.size(); ++d)
      same &= d == fold.dim || (fold.from.dims[d] == needed.dims[d] && fold.from.dims[d] == fold.to.dims[d]);
    return same;
  }

  // What the device that receives most gets.
  int64_t bytes(const TensorType &type, const Sharding &from, const Sharding &to) const {
    return redistribute::Move(lowering_.mesh, type, from, to).summary().bytes_received_max;
  }
  int64_t moved(const Fold &fold, const ops::OpView &op) const {
    const int64_t first = bytes(fold.array, fold.from, fold.even());
    if (fold.kind == OpKind::reduce_window)
      return first + bytes({fold.array.dtype, fold.shape(fold.num_tiles)}, fold.balanced(), fold.in_front()) +
             bytes(fold.array, fold.even(), fold.to);
    const graph::Shape best = fold.shape(fold.num_tiles * op.integer(ops::slot::top_k::k));
    return first + bytes({fold.array.dtype, best}, fold.balanced(), fold.whole()) +
           bytes({graph::DType::s32, best}, fold.balanced(), fold.whole());
  }

  Lowering &lowering_;
  const Program &program_;
  std::vector<uint32_t> readers_; // per value
};

// The bits that come last in the order of top_k.
std::vector<std::byte> least(graph::DType dtype) {
  return graph::is_float(dtype) ? std::vector(graph::byte_size(dtype), std::byte{0xff})
                                : ops::identity_of(sharding::Reduction::max, dtype);
}

// Writes the chains.
class Writer {
public:
  Writer(Rewrite &rewrite, AddedOps &ops) : rewrite_(rewrite), ops_(ops) {}

  void write(const Fold &fold) {
    ops_.begin(fold.op, rewrite_.old().collectives()[rewrite_.old().instrs()[fold.move].index]);
    if (fold.kind == OpKind::top_k)
      write_top_k(fold);
    else
      write_cumulative(fold);
  }

private:
  // The array as tiles of equal width, filled up with an element.
  Made in_tiles(const Fold &fold, std::vector<std::byte> filler) {
    Made tiles = ops_.move(ops_.made(rewrite_.now(fold.tiles)), fold.even());
    const int64_t n = fold.array.dims[fold.dim], more = fold.num_tiles * fold.width - n;
    if (more != 0) {
      const Made fill = ops_.splat({fold.array.dtype, {}}, std::move(filler), Sharding());
      Ints none(fold.array.rank(), 0), high = none;
      high[fold.dim] = more;
      const Made operands[] = {tiles, fill};
      const NamedAttr attrs[] = {
          {"edge_padding_low", none}, {"edge_padding_high", high}, {"interior_padding", none}};
      tiles = ops_.add("stablehlo.pad", operands, attrs, fold.balanced());
    }
    return ops_.reshape(tiles, fold.shape_apart(fold.width), fold.apart());
  }

  void write_top_k(const Fold &fold) {
    const int64_t k = k_of(fold);
    const Made tiles = in_tiles(fold, least(fold.array.dtype));
    const NamedAttr count{"k", k};
    const std::vector<Made> best = ops_.add_all("chlo.top_k", {&tiles, 1}, {&count, 1}, fold.apart());
    // Indices in the array: those in a tile, and where it begins.
    const TensorType type = ops_.type(best[1]);
    const NamedAttr along{"iota_dimension", static_cast<int64_t>(fold.dim)};
    const Made tile = ops_.add("stablehlo.iota", {}, {&along, 1}, fold.apart(), &type);
    const Made width = ops_.splat(type, bytes_of(static_cast<int32_t>(fold.width)), fold.apart());
    const Made begin = add("stablehlo.multiply", tile, width, fold.apart()),
               index = add("stablehlo.add", best[1], begin, fold.apart());
    const graph::Shape all = fold.shape(fold.num_tiles * k);
    const Made values = ops_.move(ops_.reshape(best[0], all, fold.balanced()), fold.whole()),
               indices = ops_.move(ops_.reshape(index, all, fold.balanced()), fold.whole());
    const std::vector<Made> chosen = ops_.add_all("chlo.top_k", {&values, 1}, {&count, 1}, fold.whole());
    const Made made = pick(indices, chosen[1], fold);
    rewrite_.set_now(fold.result, ops_.stand_for(chosen[0], result(fold, 0)).ref);
    rewrite_.set_now(fold.result + 1, ops_.stand_for(made, result(fold, 1)).ref);
  }

  // Of each row of `from` the elements at these places.
  Made pick(const Made &from, const Made &places, const Fold &fold) {
    const auto last = static_cast<int64_t>(fold.dim);
    Ints batch;
    for (int64_t d = 0; d < last; ++d)
      batch.push_back(d);
    const Made operands[] = {from, places};
    const NamedAttr attrs[] = {
        {"collapsed_slice_dims", Ints{last}},   {"operand_batching_dims", batch},
        {"start_indices_batching_dims", batch}, {"start_index_map", Ints{last}},
        {"index_vector_dim", last + 1},         {"slice_sizes", Ints(fold.array.rank(), 1)}};
    return ops_.add("stablehlo.gather", operands, attrs, fold.whole());
  }

  void write_cumulative(const Fold &fold) {
    const std::vector<std::byte> identity = ops::identity_of(fold.reduction, fold.array.dtype);
    const Made tiles = in_tiles(fold, identity),
               init = ops_.splat({fold.array.dtype, {}}, identity, Sharding());
    const Made folded = scan(fold, tiles, init, fold.dim + 1, fold.width - 1, 0, fold.apart());
    // Each tile's own fold, then that of all tiles in front of it.
    Ints start(folded.layout.dims.size(), 0), limit = ops_.type(folded).dims;
    const Ints strides(start.size(), 1);
    if (fold.from_end)
      limit[fold.dim + 1] = 1;
    else
      start[fold.dim + 1] = fold.width - 1;
    const NamedAttr range[] = {{"start_indices", start}, {"limit_indices", limit}, {"strides", strides}};
    const Made ends = ops_.add("stablehlo.slice", {&folded, 1}, range, fold.apart());
    const Made totals =
        ops_.move(ops_.reshape(ends, fold.shape(fold.num_tiles), fold.balanced()), fold.in_front());
    const Made before = scan(fold, totals, init, fold.dim, fold.num_tiles, -1, fold.balanced());
    Ints dims;
    for (int64_t d = 0; d < static_cast<int64_t>(fold.array.rank()); ++d)
      dims.push_back(d);
    for (size_t d = fold.dim + 1; d < dims.size(); ++d)
      ++dims[d];
    const NamedAttr to{"broadcast_dimensions", dims};
    const TensorType type = ops_.type(folded);
    const Made carried = ops_.add("stablehlo.broadcast_in_dim", {&before, 1}, {&to, 1}, fold.apart(), &type);
    const Made sum = add(ops::combiner_op(fold.reduction), carried, folded, fold.apart());
    finish_cumulative(fold, sum);
  }

  // As the op made it: without what was filled in, in its layout.
  void finish_cumulative(const Fold &fold, const Made &sum) {
    const int64_t n = fold.array.dims[fold.dim], all = fold.num_tiles * fold.width;
    Made made = ops_.reshape(sum, fold.shape(all), fold.balanced());
    if (n != all) {
      const Ints start(fold.array.rank(), 0), strides(fold.array.rank(), 1);
      const NamedAttr range[] = {
          {"start_indices", start}, {"limit_indices", fold.array.dims}, {"strides", strides}};
      made = ops_.add("stablehlo.slice", {&made, 1}, range, fold.even());
    }
    made = ops_.move(ops_.stand_for(made, result(fold, 0)), fold.to);
    rewrite_.set_now(fold.result, made.ref);
  }

  // The cumulative fold of a dimension from its end or its beginning: initial values in front of it, and
  // behind it.
  Made scan(const Fold &fold, const Made &array, const Made &init, size_t dim, int64_t front, int64_t behind,
            const Sharding &layout) {
    const size_t rank = layout.dims.size();
    Ints sizes(rank, 1), ones(rank, 1), padding(2 * rank, 0);
    sizes[dim] = ops_.type(array).dims[dim];
    padding[2 * dim] = fold.from_end ? behind : front;
    padding[2 * dim + 1] = fold.from_end ? front : behind;
    const Made operands[] = {array, init};
    const NamedAttr attrs[] = {{"window_dimensions", sizes},
                               {"window_strides", ones},
                               {"base_dilations", ones},
                               {"window_dilations", ones},
                               {"padding", padding}};
    const graph::RegionId region = ops_.folding(fold.reduction, fold.array.dtype);
    return ops_.add("stablehlo.reduce_window", operands, attrs, layout, nullptr, {&region, 1});
  }

  Made add(std::string_view op, const Made &a, const Made &b, const Sharding &layout) {
    const Made operands[] = {a, b};
    return ops_.add(op, operands, {}, layout);
  }
  static std::vector<std::byte> bytes_of(int32_t n) {
    const auto *at = reinterpret_cast<const std::byte *>(&n);
    return {at, at + sizeof n};
  }
  graph::ValueId result(const Fold &fold, uint32_t i) const {
    return rewrite_.old().graph().result(fold.op, i);
  }
  int64_t k_of(const Fold &fold) const {
    return ops::OpViewHolder(rewrite_.old().graph(), fold.op).view().integer(ops::slot::top_k::k);
  }

  Rewrite &rewrite_;
  AddedOps &ops_;
};

} // namespace

Status fold_tiles(Lowering &lowering) {
  if (!lowering.mesh.loop_axes().empty()) // tiles of steps follow each other in one device
    return {};
  const std::vector<std::optional<Fold>> folds = TileFinder(lowering).find();
  std::vector<std::vector<uint32_t>> in_place_of(folds.size()); // by move
  bool any = false;
  for (uint32_t i = 0; i < folds.size(); ++i)
    if (folds[i]) {
      in_place_of[folds[i]->move].push_back(i);
      any = true;
    }
  if (!any)
    return fold_sorts(lowering);
  Rewrite rewrite(lowering);
  AddedOps ops(lowering);
  Writer writer(rewrite, ops);
  for (uint32_t i = 0; i < folds.size(); ++i) {
    for (const uint32_t fold : in_place_of[i]) // where the move was: before a loop that does not change it
      writer.write(*folds[fold]);
    if (!folds[i] && in_place_of[i].empty())
      rewrite.copy(i);
  }
  ops.finish();
  return fold_sorts(lowering);
}

} // namespace tw::spmd
