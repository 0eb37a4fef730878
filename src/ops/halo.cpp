// SPDX-License-Identifier: Apache-2.0
// Halos, which hold what lies around a tile. keep_halo: an array of which every device keeps that;
// halo_tiles: the tiles of an array with that around them, side by side, as the code of one device has them.
#include "ops/halo.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ops/linear.hpp"
#include "ops/registry.hpp"

namespace tw::ops::halo_ops {
namespace {

// --- keep_halo ---

namespace keep {
enum : size_t { before, after, of_argument };
} // namespace keep

Result<std::vector<graph::TensorType>> infer_kept(const OpView &op) {
  const graph::TensorType &type = *op.operands[0];
  for (const size_t slot : {keep::before, keep::after}) {
    const auto sizes = op.ints(slot);
    if (sizes.size() != type.rank() || std::ranges::any_of(sizes, [](int64_t size) { return size < 0; }))
      return fail(
          Code::invalid_argument, "TW-245",
          fmt::format("before and after need a size that is not negative for each dimension of operand "
                      "0, {}",
                      graph::to_short_text(type)));
  }
  return std::vector<graph::TensorType>{type};
}

Rule kept_rule(const OpView &op) {
  RuleBuilder rule(op);
  for (size_t d = 0; d < op.operands[0]->rank(); ++d) {
    const FactorId f = rule.pass(op.operands[0]->dims[d]);
    rule.in(0, d, f).out(0, d, f);
  }
  return rule.build();
}

OpDef keep_halo() {
  OpDef def{"shard.keep_halo",
            "Its operand. Every device keeps what lies around its tile too. Shard: sharding.",
            1,
            1,
            1,
            {{"before", AttrKind::ints, true, "elements kept before a tile, per dimension", AttrDims::zeros},
             {"after", AttrKind::ints, true, "elements kept after a tile, per dimension", AttrDims::zeros},
             {"of_argument", AttrKind::boolean, false,
              "the operand is an argument of the program, which the caller gives with its halos"}},
            kRename};
  def.flags |= kBatches;
  def.infer = infer_kept;
  def.rule = kept_rule;
  def.cost = [](const OpView &) { return Cost{}; };
  def.linear = linear::moved<0b1>;
  return def;
}

// --- halo_tiles ---

namespace tiled {
enum : size_t { dimensions, tiles, before, after };
} // namespace tiled

TileCut cut_of(const OpView &op, size_t i) {
  const auto d = static_cast<size_t>(op.ints(tiled::dimensions)[i]);
  const int64_t tiles = op.ints(tiled::tiles)[i];
  return {d, tiles, op.operands[0]->dims[d] / tiles, op.ints(tiled::before)[i], op.ints(tiled::after)[i]};
}

Result<std::vector<graph::TensorType>> infer_tiled(const OpView &op) {
  const graph::TensorType &from = *op.operands[0];
  const auto dims = op.ints(tiled::dimensions), tiles = op.ints(tiled::tiles),
             before = op.ints(tiled::before), after = op.ints(tiled::after);
  if (tiles.size() != dims.size() || before.size() != dims.size() || after.size() != dims.size())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("{} dimensions have {} numbers of tiles and {} and {} halos", dims.size(),
                            tiles.size(), before.size(), after.size()));
  graph::TensorType to{from.dtype, graph::Shape(tiles.begin(), tiles.end())};
  to.dims.insert(to.dims.end(), from.dims.begin(), from.dims.end());
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t d = dims[i];
    if (d < 0 || d >= static_cast<int64_t>(from.rank()) || (i > 0 && d <= dims[i - 1]))
      return fail(
          Code::invalid_argument, "TW-245",
          fmt::format("dimension {} does not follow in operand 0, {}", d, graph::to_short_text(from)));
    const int64_t n = from.dims[static_cast<size_t>(d)];
    int64_t width = 0;
    if (tiles[i] < 1 || n % tiles[i] != 0 || before[i] < 0 || after[i] < 0 ||
        __builtin_add_overflow(before[i], after[i], &width) ||
        __builtin_add_overflow(width, n / tiles[i], &width))
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("dimension {} of size {} in {} tiles with halos of {} and {} is out of range",
                              d, n, tiles[i], before[i], after[i]));
    to.dims[tiles.size() + static_cast<size_t>(d)] = width;
  }
  return std::vector<graph::TensorType>{std::move(to)};
}

// A tile and the cells around it are read through a window: it moves by a tile, and its taps are cells.
Rule tiled_rule(const OpView &op) {
  RuleBuilder rule(op);
  const auto dims = op.ints(tiled::dimensions);
  for (size_t d = 0, i = 0; d < op.operands[0]->rank(); ++d) {
    const int64_t n = op.operands[0]->dims[d];
    if (i == dims.size() || dims[i] != static_cast<int64_t>(d)) {
      const FactorId f = rule.pass(n);
      rule.in(0, d, f).out(0, dims.size() + d, f);
      continue;
    }
    const TileCut cut = cut_of(op, i);
    const FactorId tile = rule.pass(cut.tiles), cell = rule.pass(cut.width());
    rule.out(0, i, tile).out(0, dims.size() + d, cell);
    rule.slide({0, static_cast<uint32_t>(d), n, {{tile, cut.step}, {cell, 1}}, -cut.before, 1, {}}, 0);
    ++i;
  }
  return rule.build();
}

OpDef halo_tiles() {
  OpDef def{"shard.halo_tiles",
            "The tiles of an array, each with the elements around it, zeros around the array; tiles are "
            "dimensions in front. Shard: update_halo.",
            1,
            1,
            1,
            {{"dimensions", AttrKind::ints, true, "the dimensions that are cut, ascending"},
             {"tiles", AttrKind::ints, true, "into how many tiles, per cut dimension"},
             {"before", AttrKind::ints, true, "elements before a tile, per cut dimension"},
             {"after", AttrKind::ints, true, "elements after a tile, per cut dimension"}}};
  def.infer = infer_tiled;
  def.rule = tiled_rule;
  def.rule_text = "([x+k,c])->([x,k,c])";
  def.cost = [](const OpView &op) {
    return Cost{0, static_cast<double>(op.operands[0]->bytes()), static_cast<double>(op.results[0]->bytes())};
  };
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {halo_tiles(), keep_halo()};
  return defs;
}

} // namespace tw::ops::halo_ops

namespace tw::ops {

std::optional<KeptHalo> kept_halo(const graph::Graph &graph, graph::OpId op) {
  static const graph::OpCode code = *find_op("shard.keep_halo");
  if (graph.op(op).code != code)
    return std::nullopt;
  const OpViewHolder holder(graph, op);
  return KeptHalo{holder.view().ints(halo_ops::keep::before), holder.view().ints(halo_ops::keep::after),
                  holder.view().integer(halo_ops::keep::of_argument) != 0};
}

TileCuts tile_cuts(const OpView &op) {
  TileCuts cuts;
  for (size_t i = 0; i < op.ints(halo_ops::tiled::dimensions).size(); ++i)
    cuts.push_back(halo_ops::cut_of(op, i));
  return cuts;
}

std::optional<TileCuts> tile_cuts(const graph::Graph &graph, graph::OpId op) {
  static const graph::OpCode code = *find_op("shard.halo_tiles");
  if (graph.op(op).code != code)
    return std::nullopt;
  return tile_cuts(OpViewHolder(graph, op).view());
}

bool makes_halo(graph::OpCode code) {
  static const graph::OpCode codes[] = {*find_op("shard.halo_tiles"), *find_op("shard.keep_halo")};
  return std::ranges::count(codes, code) != 0;
}

} // namespace tw::ops
