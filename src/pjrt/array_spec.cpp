// SPDX-License-Identifier: Apache-2.0
// A sharding as XLA writes it: how many tiles in each dimension, and the devices of each in order.
#include "pjrt/array_spec.hpp"

#include <algorithm>

#include "pjrt/proto.hpp"
#include "pjrt/strided.hpp"

namespace tw::pjrt {

namespace {

enum OpShardingField : uint32_t {
  kType = 1,
  kTiles = 3,
  kDevices = 4,
  kReplicateLast = 6,
  kIota = 9,
  kOrder = 10
};
constexpr int64_t kOther = 3; // the type of those that tile

// The number of the tile that a position has, row-major; -1 where tiles are no equal parts of the array.
int64_t tile_of(const tw_sharding_t *sharding, int64_t position, const std::vector<int64_t> &dims,
                const std::vector<int64_t> &tiles) {
  std::vector<int64_t> offset(dims.size()), extent(dims.size());
  check(tw_sharding_tile(sharding, position, offset.data(), extent.data()));
  int64_t tile = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t size = dims[d] / tiles[d];
    if (extent[d] != size || (size != 0 && offset[d] % size != 0) || (size == 0 && tiles[d] != 1))
      return -1;
    tile = tile * tiles[d] + (size == 0 ? 0 : offset[d] / size);
  }
  return tile;
}

} // namespace

void describe_sharding(const tw_sharding_t *sharding, const std::vector<int64_t> &partitions,
                       ArraySpec &spec) {
  spec.local = spec.dims;
  if (tw_sharding_is_whole(sharding))
    return;
  std::vector<int64_t> tiles;
  int64_t num_tiles = 1;
  for (size_t d = 0; d < spec.dims.size(); ++d) {
    const int64_t n = tw_sharding_num_tiles(sharding, d);
    tiles.push_back(n);
    num_tiles *= n;
    if (n < 1 || spec.dims[d] % n != 0)
      spec.is_joined = true;
  }
  const auto positions = static_cast<int64_t>(partitions.size());
  if (spec.is_joined || tw_sharding_num_partials(sharding) != 0 || positions % num_tiles != 0) {
    spec.is_joined = true;
    return;
  }
  // Devices with one tile follow each other in the order of the mesh.
  const int64_t copies = positions / num_tiles;
  std::vector<int64_t> order(partitions.size(), -1), filled(static_cast<size_t>(num_tiles), 0);
  for (int64_t p = 0; p < positions; ++p) {
    const int64_t tile = tile_of(sharding, p, spec.dims, tiles);
    if (tile < 0 || filled[static_cast<size_t>(tile)] == copies) {
      spec.is_joined = true;
      return;
    }
    order[static_cast<size_t>(tile * copies + filled[static_cast<size_t>(tile)]++)] =
        partitions[static_cast<size_t>(p)];
  }
  for (size_t d = 0; d < spec.dims.size(); ++d)
    spec.local[d] = spec.dims[d] / tiles[d];
  if (num_tiles == 1)
    return;
  if (copies > 1)
    tiles.push_back(copies);
  ProtoWriter message;
  message.integer(kType, kOther);
  message.integers(kTiles, tiles);
  if (std::ranges::is_sorted(order) && order.front() == 0 && order.back() == positions - 1) { // all in order
    message.integers(kIota, {positions});
    message.integers(kOrder, {0});
  } else
    message.integers(kDevices, order);
  if (copies > 1)
    message.integer(kReplicateLast, 1);
  spec.sharding = message.take();
}

} // namespace tw::pjrt
