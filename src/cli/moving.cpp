// SPDX-License-Identifier: Apache-2.0
// Every element is filled with a number made of its place in the array, and looked up where it should have
// arrived.
#include "cli/moving.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "cli/handles.hpp"

namespace tw::cli {

namespace {

struct FilledTile {
  std::vector<int64_t> offset, extent;
  std::vector<unsigned char> bytes;
  int64_t elements() const {
    int64_t n = 1;
    for (const int64_t e : extent)
      n *= e;
    return n;
  }
};

std::vector<FilledTile> tiles_of(const tw_redistribution_t *plan, int side) {
  const size_t rank = tw_redistribution_rank(plan);
  std::vector<FilledTile> tiles(tw_redistribution_num_devices(plan));
  for (size_t d = 0; d < tiles.size(); ++d) {
    tiles[d].offset.resize(rank);
    tiles[d].extent.resize(rank);
    check(tw_redistribution_tile(plan, side, d, tiles[d].offset.data(), tiles[d].extent.data()));
  }
  return tiles;
}

// Calls visit(number of the element in the tile, a number made of its place in the array; 0 around the
// array).
template <class Visit>
void each_element(const tw_redistribution_t *plan, int side, const FilledTile &tile, Visit visit) {
  if (tile.elements() == 0)
    return;
  std::vector<int64_t> at = tile.offset, index(at.size());
  for (int64_t i = 0;; ++i) {
    uint64_t place = 0;
    if (tw_redistribution_element(plan, side, at.data(), index.data()) == 1)
      for (const int64_t along : index)
        place = place * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(along) + 1;
    visit(i, place ^ (place >> 29));
    size_t d = at.size();
    while (d-- > 0) {
      if (++at[d] < tile.offset[d] + tile.extent[d])
        break;
      at[d] = tile.offset[d];
    }
    if (d == SIZE_MAX)
      return;
  }
}

void write_place(unsigned char *to, size_t size, uint64_t place) {
  for (size_t i = 0; i < size; ++i)
    to[i] = static_cast<unsigned char>(place >> (8 * (i % 8)));
}

double ms_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

Moved move_elements(const tw_redistribution_t *plan, int workers, int repeat, int64_t limit) {
  auto before = tiles_of(plan, 0), after = tiles_of(plan, 1);
  const size_t size = tw_redistribution_item_size(plan);
  int64_t total = tw_redistribution_scratch_bytes(plan) * static_cast<int64_t>(before.size());
  for (const auto *tiles : {&before, &after})
    for (const FilledTile &tile : *tiles)
      if (__builtin_add_overflow(total, tile.elements() * static_cast<int64_t>(size), &total) ||
          total > limit)
        throw fail("resource_exhausted", "TW-809",
                   fmt::format("the tiles of all {} devices take more than {} bytes: plan without --run",
                               before.size(), limit));
  const bool verifies = tw_redistribution_combines(plan) == 0;
  for (FilledTile &tile : before) {
    tile.bytes.resize(static_cast<size_t>(tile.elements()) * size);
    if (verifies)
      each_element(plan, 0, tile, [&](int64_t i, uint64_t place) {
        write_place(tile.bytes.data() + static_cast<size_t>(i) * size, size, place);
      });
  }
  for (FilledTile &tile : after)
    tile.bytes.assign(static_cast<size_t>(tile.elements()) * size, 0xa5);
  std::vector<const void *> src;
  std::vector<void *> dst;
  for (const FilledTile &tile : before)
    src.push_back(tile.bytes.data());
  for (FilledTile &tile : after)
    dst.push_back(tile.bytes.data());
  tw_redistributor_options_t how{};
  how.struct_size = sizeof how;
  how.workers = workers;
  const auto mover = make<Redistributor>(
      [&](tw_redistributor_t **out) { return tw_redistributor_create(&plan, 1, &how, out); });
  std::vector<double> times;
  for (int i = 0; i <= repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    check(tw_redistributor_run(mover.get(), src.data(), dst.data()));
    if (i > 0)
      times.push_back(ms_since(begin));
  }
  std::ranges::sort(times);
  Moved moved;
  moved.min_ms = times.front();
  moved.median_ms = times[times.size() / 2];
  double bytes = 0;
  for (size_t d = 0; d < before.size(); ++d)
    bytes += static_cast<double>(tw_redistribution_bytes_received(plan, d));
  moved.gb_per_s = bytes / moved.median_ms / 1e6;
  moved.verified = verifies;
  std::vector<unsigned char> wanted(size);
  for (const FilledTile &tile : after)
    if (verifies)
      each_element(plan, 1, tile, [&](int64_t i, uint64_t place) {
        write_place(wanted.data(), size, place);
        moved.wrong +=
            std::memcmp(wanted.data(), tile.bytes.data() + static_cast<size_t>(i) * size, size) != 0;
      });
  return moved;
}

// A step that moves almost nothing costs its start, one with more peers the messages besides, a large one its
// bytes.
Calibration calibrate(int workers) {
  const auto mesh = make<Mesh>([](tw_mesh_t **out) { return tw_mesh_parse("x=8", out); });
  const auto time = [&](const char *src, const char *dst, int repeat) {
    tw_redistribution_options_t options{};
    options.struct_size = sizeof options;
    options.method = "direct";
    const auto plan = make<Redistribution>([&](tw_redistribution_t **out) {
      return tw_redistribution_plan(mesh.get(), src, nullptr, dst, &options, out);
    });
    return move_elements(plan.get(), workers, repeat, int64_t{1} << 32).median_ms * 1e3;
  };
  const double one_peer = time("f32[8] [{x}]", "f32[8] [{}]", 2000);
  const double nothing = time("f32[8,8] [{x},{}]", "f32[8,8] [{x},{}]", 2000);
  const double large = time("f32[2048,2048] [{x},{}]", "f32[2048,2048] [{},{x}]", 15);
  const double copied = time("f32[4096,1024] [{x},{}]", "f32[4096,1024] [{x},{}]", 15);
  constexpr double kBytes = 16 << 20;
  Calibration c{};
  c.link.alpha_us = nothing;
  c.link.message_us = std::max(0.0, (one_peer - nothing) / 7);
  c.link.gb_per_s = kBytes / 8 * 7 / 8 / std::max(1e-3, large - nothing) / 1e3; // of one device
  c.copy_gb_per_s = kBytes / 8 / std::max(1e-3, copied - nothing) / 1e3;
  return c;
}

} // namespace tw::cli
