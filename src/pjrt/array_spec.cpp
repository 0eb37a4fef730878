// SPDX-License-Identifier: Apache-2.0
// A sharding as XLA writes it: how many tiles in each dimension, and the devices of each in order.
#include "pjrt/array_spec.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "pjrt/proto.hpp"

namespace tw::pjrt {

namespace {

enum OpShardingField : uint32_t {
  kType = 1,
  kTiles = 3,
  kDevices = 4,
  kReplicateLast = 6,
  kLastDims = 8,
  kIota = 9,
  kTranspose = 10,
};
enum OpShardingType : int64_t { kReplicated = 0, kOther = 3, kUnreduced = 6 };

// By partition: the tile of each position.
std::vector<Box> boxes_of(const tw_sharding_t *sharding, const std::vector<int64_t> &partitions,
                          size_t rank) {
  std::vector<Box> boxes(partitions.size());
  for (size_t p = 0; p < partitions.size(); ++p) {
    Box &box = boxes[static_cast<size_t>(partitions[p])];
    box.offset.resize(rank);
    box.extent.resize(rank);
    check(tw_sharding_tile(sharding, static_cast<int64_t>(p), box.offset.data(), box.extent.data()));
  }
  return boxes;
}

// How often the first box divides the array in each dimension; empty where boxes are no tiles of one size.
std::vector<int64_t> tiles_of(const std::vector<Box> &boxes, const std::vector<int64_t> &dims) {
  std::vector<int64_t> tiles;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t size = boxes.front().extent[d];
    if (size == 0 ? dims[d] != 0 : dims[d] % size != 0)
      return {};
    tiles.push_back(size == 0 ? 1 : dims[d] / size);
  }
  const auto is_tile = [&](const Box &box) {
    for (size_t d = 0; d < dims.size(); ++d)
      if (box.extent[d] != boxes.front().extent[d] ||
          (box.extent[d] != 0 && box.offset[d] % box.extent[d] != 0))
        return false;
    return true;
  };
  if (!std::ranges::all_of(boxes, is_tile))
    return {};
  return tiles;
}

// The number of a box among all tiles, row-major.
int64_t tile_number(const Box &box, const std::vector<int64_t> &tiles) {
  int64_t number = 0;
  for (size_t d = 0; d < tiles.size(); ++d)
    number = number * tiles[d] + (box.extent[d] == 0 ? 0 : box.offset[d] / box.extent[d]);
  return number;
}

// {devices=[tiles.., copies, addends] ..}; "" where all is whole. Nothing where some tiles have more holders
// than others.
std::optional<std::string> op_sharding(const Holding &held, std::vector<int64_t> tiles) {
  const int64_t num_tiles = std::accumulate(tiles.begin(), tiles.end(), int64_t{1}, std::multiplies<>());
  const auto devices = static_cast<int64_t>(held.boxes.size());
  if (devices % (num_tiles * held.num_addends) != 0)
    return std::nullopt;
  const int64_t copies = devices / (num_tiles * held.num_addends);
  std::vector<int64_t> list(held.boxes.size(), -1);
  std::map<std::pair<int64_t, int64_t>, int64_t> filled; // by tile and addend
  for (const int64_t partition : held.order) {
    const auto p = static_cast<size_t>(partition);
    const int64_t tile = tile_number(held.boxes[p], tiles), addend = held.addend.empty() ? 0 : held.addend[p];
    const int64_t copy = filled[{tile, addend}]++;
    if (copy == copies)
      return std::nullopt;
    list[static_cast<size_t>((tile * copies + copy) * held.num_addends + addend)] = partition;
  }
  if (num_tiles == 1 && held.num_addends == 1)
    return std::string();
  ProtoWriter message;
  message.integer(kType, kOther);
  std::vector<int64_t> last;
  if (copies > 1) {
    tiles.push_back(copies);
    last.push_back(kReplicated);
  }
  if (held.num_addends > 1) {
    tiles.push_back(held.num_addends);
    last.push_back(kUnreduced);
  }
  message.integers(kTiles, tiles);
  if (std::ranges::is_sorted(list)) { // all in order
    message.integers(kIota, {devices});
    message.integers(kTranspose, {0});
  } else {
    message.integers(kDevices, list);
  }
  if (last == std::vector<int64_t>{kReplicated})
    message.integer(kReplicateLast, 1);
  else if (!last.empty())
    message.integers(kLastDims, last);
  return message.take();
}

} // namespace

void describe_sharding(const tw_sharding_t *sharding, const std::vector<int64_t> &partitions,
                       const Holding *stated, ArraySpec &spec) {
  const std::vector<Box> made = boxes_of(sharding, partitions, spec.dims.size());
  if (stated != nullptr) {
    spec.held = *stated;
  } else {
    spec.held.boxes = made;
    spec.held.order = partitions;
  }
  const std::vector<int64_t> tiles = tiles_of(spec.held.boxes, spec.dims);
  std::optional<std::string> told;
  if (tiles.size() == spec.dims.size() && tw_sharding_num_partials(sharding) == 0)
    told = op_sharding(spec.held, tiles);
  if (!told) { // whole for everybody
    spec.held = {std::vector<Box>(partitions.size(), {std::vector<int64_t>(spec.dims.size()), spec.dims}),
                 {},
                 1,
                 partitions};
    told = "";
  }
  spec.sharding = *told;
  spec.local = spec.held.boxes.front().extent;
  spec.is_moved = spec.held.num_addends > 1 || spec.held.boxes != made;
}

void make_sum(const tw_context_t *context, ArraySpec &spec) {
  tw_builder_t *builder = nullptr;
  check(tw_builder_create("sum", &builder));
  const std::unique_ptr<tw_builder_t, Releaser<tw_builder_release>> kept(builder);
  tw_value_t sum = TW_NO_VALUE;
  for (int64_t i = 0; i < spec.held.num_addends; ++i) {
    const std::string name = "addend" + std::to_string(i);
    const tw_value_t addend =
        tw_builder_argument(builder, name.c_str(), spec.dtype, spec.dims.data(), spec.dims.size());
    sum = i == 0 ? addend : tw_builder_binary(builder, "add", sum, addend);
  }
  tw_builder_result(builder, "sum", sum);
  const auto graph = make<GraphHandle>([&](tw_graph_t **out) { return tw_builder_finish(builder, out); });
  const auto program =
      make<ProgramHandle>([&](tw_program_t **out) { return tw_program_unpartitioned(graph.get(), out); });
  tw_executable_options_t how{};
  how.struct_size = sizeof how;
  how.context = context;
  spec.sum = make<ExecutableHandle>(
      [&](tw_executable_t **out) { return tw_executable_create(program.get(), &how, out); });
}

} // namespace tw::pjrt
