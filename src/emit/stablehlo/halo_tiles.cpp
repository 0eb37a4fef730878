// SPDX-License-Identifier: Apache-2.0
// Dimension after dimension: of each tile that a device makes, its cells are a slice of what the device has
// along this dimension, with zeros around the array.
#include "emit/stablehlo/halo_tiles.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/stablehlo/exchange.hpp"
#include "ops/halo.hpp"

namespace tw::emit::stablehlo {

using graph::TensorType;

namespace {

class HaloTilesWriter {
public:
  HaloTilesWriter(DeviceText &text, const ops::TileCuts &cuts, Tiles have, Tiles made)
      : text_(text), cuts_(cuts), have_(std::move(have)), made_(std::move(made)) {}

  Local write(Local value) {
    for (size_t i = 0; i < cuts_.size(); ++i)
      value = cut(value, i);
    return value;
  }

private:
  // The dimensions that are cut by then stand in front.
  Local cut(const Local &value, size_t i) {
    const size_t d = cuts_[i].dimension, cell = cuts_.size() + d, at = i + d;
    const int64_t count = made_.extent[i], width = made_.extent[cell];
    const size_t devices = have_.starts.size();
    // Where the cells of each tile begin in what a device has; cells before that are zeros.
    std::vector<std::vector<int64_t>> begins(devices);
    int64_t low = 0;
    for (size_t p = 0; p < devices; ++p)
      for (int64_t t = 0; t < count; ++t) {
        const bool is_made = t < made_.sizes[p][i] && made_.sizes[p][cell] != 0;
        const int64_t begin = (made_.starts[p][i] + t) * cuts_[i].step - cuts_[i].before +
                              made_.starts[p][cell] - have_.starts[p][d];
        begins[p].push_back(is_made ? begin : 0);
        low = std::max(low, -begins[p].back());
      }
    TensorType type = value.type;
    type.dims[at] += low;
    std::vector<int64_t> start(type.rank());
    start[at] = low;
    const Local padded = low == 0 ? value : text_.update(text_.zeros(type), value, Starts(devices, start));
    graph::Shape extent = type.dims;
    extent[at] = width;
    graph::Shape one = extent;
    one.insert(one.begin() + static_cast<std::ptrdiff_t>(i), 1);
    std::vector<Local> tiles;
    for (int64_t t = 0; t < count; ++t) {
      Starts starts(devices, std::vector<int64_t>(type.rank()));
      for (size_t p = 0; p < devices; ++p)
        starts[p][at] = begins[p][static_cast<size_t>(t)] + low;
      tiles.push_back(text_.reshape(text_.slice(padded, starts, extent), one));
    }
    if (tiles.size() == 1)
      return tiles[0];
    one[i] = count;
    return text_.op("stablehlo.concatenate", tiles, fmt::format("dimension = {} : i64", i),
                    {value.type.dtype, one});
  }

  DeviceText &text_;
  const ops::TileCuts &cuts_;
  const Tiles have_, made_;
};

} // namespace

Local write_halo_tiles(DeviceText &text, const graph::Graph &graph, const sharding::Mesh &mesh,
                       const LocalOp &op) {
  const TensorType &global = graph.type(graph.operands(op.op)[0]);
  const Tiles have = tiles_of(op.operand_shardings[0], global, mesh);
  Local value = op.operands[0];
  const auto whole = [&](const auto &size) { return std::ranges::equal(size, value.type.dims); };
  if (!std::ranges::all_of(have.sizes, whole)) // around the array there are zeros
    value = text.first_of(value, have.sizes, text.zeros(value.type));
  const TensorType &made = graph.type(graph.result(op.op));
  return HaloTilesWriter(text, *ops::tile_cuts(graph, op.op), have,
                         tiles_of(op.result_shardings[0], made, mesh))
      .write(value);
}

} // namespace tw::emit::stablehlo
