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
  bool is_here = true; // on a device of this process
  std::vector<unsigned char> bytes;
  Tensor wrapped, on_device; // the bytes, and memory of the device where it is not the host
  int64_t elements() const {
    int64_t n = 1;
    for (const int64_t e : extent)
      n *= e;
    return n;
  }
  void *memory() {
    return !is_here    ? nullptr
           : on_device ? tw_tensor_address(on_device.get())
                       : static_cast<void *>(bytes.data());
  }
  void copy_in() {
    if (on_device)
      check(tw_tensor_copy(on_device.get(), wrapped.get(), nullptr));
  }
  void copy_out() {
    if (on_device)
      check(tw_tensor_copy(wrapped.get(), on_device.get(), nullptr));
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

// Of a box of the tile, calls visit(number of the element in the tile, a number made of its place in the
// array; 0 around the array).
template <class Visit>
void each_element(const tw_redistribution_t *plan, int side, const FilledTile &tile,
                  const std::vector<int64_t> &offset, const std::vector<int64_t> &extent, Visit visit) {
  if (std::ranges::count(extent, 0) != 0)
    return;
  std::vector<int64_t> at = offset, index(at.size());
  for (;;) {
    int64_t i = 0;
    for (size_t d = 0; d < at.size(); ++d)
      i = i * tile.extent[d] + at[d] - tile.offset[d];
    uint64_t place = 0;
    if (tw_redistribution_element(plan, side, at.data(), index.data()) == 1)
      for (const int64_t along : index)
        place = place * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(along) + 1;
    visit(i, place ^ (place >> 29));
    size_t d = at.size();
    while (d-- > 0) {
      if (++at[d] < offset[d] + extent[d])
        break;
      at[d] = offset[d];
    }
    if (d == SIZE_MAX)
      return;
  }
}

template <class Visit>
void each_element(const tw_redistribution_t *plan, int side, const FilledTile &tile, Visit visit) {
  each_element(plan, side, tile, tile.offset, tile.extent, visit);
}

void write_place(unsigned char *to, size_t size, uint64_t place) {
  for (size_t i = 0; i < size; ++i)
    to[i] = static_cast<unsigned char>(place >> (8 * (i % 8)));
}

double ms_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

namespace {

// Of this process's devices; a tile without elements has no memory.
void place(std::vector<FilledTile> &tiles, const tw_redistributor_t *mover, const MoveHow &how, size_t size) {
  for (size_t d = 0; d < tiles.size(); ++d) {
    FilledTile &tile = tiles[d];
    int is_here = 0;
    int32_t unit = 0;
    check(tw_redistributor_device(mover, d, &is_here, &unit));
    tile.is_here = is_here != 0;
    if (!tile.is_here)
      continue;
    const int64_t bytes = tile.elements() * static_cast<int64_t>(size);
    tile.bytes.assign(static_cast<size_t>(bytes), 0xa5);
    if (how.device == std::string_view("host") || bytes == 0)
      continue;
    tile.wrapped = make<Tensor>([&](tw_tensor_t **out) {
      return tw_tensor_wrap(TW_U8, &bytes, 1, tile.bytes.data(), nullptr, nullptr, out);
    });
    tile.on_device = make<Tensor>(
        [&](tw_tensor_t **out) { return tw_tensor_create_on(how.device, unit, TW_U8, &bytes, 1, out); });
  }
}

// What no device has any more comes from elsewhere.
void fill_missing(const tw_redistribution_t *plan, std::vector<FilledTile> &after, size_t size) {
  std::vector<int64_t> offset(tw_redistribution_rank(plan)), extent(offset.size());
  for (size_t part = 0; part < tw_redistribution_num_missing(plan); ++part) {
    size_t d = 0;
    check(tw_redistribution_missing(plan, part, &d, offset.data(), extent.data()));
    if (FilledTile &tile = after[d]; tile.is_here)
      each_element(plan, 1, tile, offset, extent, [&](int64_t i, uint64_t place) {
        write_place(tile.bytes.data() + static_cast<size_t>(i) * size, size, place);
      });
  }
}

int64_t sum_over(tw_comm_t *comm, int64_t value) {
  int64_t sum = 0;
  for (int32_t p = 0; p < tw_comm_size(comm); ++p) {
    int64_t one = value;
    if (comm != nullptr)
      check(tw_comm_share(comm, p, &one));
    sum += one;
  }
  return sum;
}

} // namespace

Moved move_elements(const tw_redistribution_t *plan, const MoveHow &how) {
  auto before = tiles_of(plan, 0), after = tiles_of(plan, 1);
  const size_t size = tw_redistribution_item_size(plan);
  const auto here = static_cast<int64_t>(before.size()) / tw_comm_size(how.comm) + 1;
  int64_t total = tw_redistribution_scratch_bytes(plan) * here;
  for (const auto *tiles : {&before, &after})
    for (const FilledTile &tile : *tiles)
      if (__builtin_add_overflow(total, tile.elements() * static_cast<int64_t>(size), &total) ||
          total / tw_comm_size(how.comm) > how.limit)
        throw fail("resource_exhausted", "TW-809",
                   fmt::format("the tiles of all {} devices take more than {} bytes: plan without --run",
                               before.size(), how.limit));
  tw_redistributor_options_t options{};
  options.struct_size = sizeof options;
  options.workers = how.workers;
  options.comm = how.comm;
  options.device = how.device;
  options.gpus = how.gpus;
  const auto mover = make<Redistributor>(
      [&](tw_redistributor_t **out) { return tw_redistributor_create(&plan, 1, &options, out); });
  place(before, mover.get(), how, size);
  place(after, mover.get(), how, size);
  const bool verifies = tw_redistribution_combines(plan) == 0;
  std::vector<const void *> src;
  std::vector<void *> dst;
  for (FilledTile &tile : before) {
    if (verifies && tile.is_here)
      each_element(plan, 0, tile, [&](int64_t i, uint64_t place) {
        write_place(tile.bytes.data() + static_cast<size_t>(i) * size, size, place);
      });
    tile.copy_in();
    src.push_back(tile.memory());
  }
  for (FilledTile &tile : after) {
    tile.copy_in();
    dst.push_back(tile.memory());
  }
  std::vector<double> times;
  for (int i = 0; i <= how.repeat; ++i) {
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
  for (FilledTile &tile : after)
    if (verifies && tile.is_here)
      tile.copy_out();
  fill_missing(plan, after, size);
  for (FilledTile &tile : after)
    if (verifies && tile.is_here)
      each_element(plan, 1, tile, [&](int64_t i, uint64_t place) {
        write_place(wanted.data(), size, place);
        moved.wrong +=
            std::memcmp(wanted.data(), tile.bytes.data() + static_cast<size_t>(i) * size, size) != 0;
      });
  moved.wrong = sum_over(how.comm, moved.wrong);
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
    return move_elements(plan.get(), {workers, repeat, int64_t{1} << 32}).median_ms * 1e3;
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
