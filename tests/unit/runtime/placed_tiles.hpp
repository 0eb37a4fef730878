// SPDX-License-Identifier: Apache-2.0
// Tiles of redistributions that are run: what they hold before, on the host or on devices with queues, and
// what comes of a run.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "redistribute/plan.hpp"
#include "runtime/redistributor.hpp"
#include "support/elements.hpp"

namespace tw::test::placed {

using Plans = std::vector<std::shared_ptr<const redistribute::Plan>>;
using Bytes = std::vector<std::vector<std::byte>>; // of the tiles of a call

constexpr std::byte kNotWritten{0x5a};

inline const device::QueueKind &detached_queues() { return *(*device::find_kind("detached"))->as_queues(); }

// Fractions whose sums depend on the order.
inline float held(std::span<const int64_t> index, std::span<const int64_t> coordinates) {
  uint64_t h = 17;
  for (const int64_t i : index)
    h = h * 6364136223846793005u + static_cast<uint64_t>(i) + 1442695040888963407u;
  for (const int64_t c : coordinates)
    h = h * 6364136223846793005u + static_cast<uint64_t>(c) + 1442695040888963407u;
  return 1.0f / static_cast<float>(1 + h % 1021) - 0.25f;
}

inline Bytes source_of(const Plans &plans) {
  Bytes all;
  for (const auto &plan : plans) {
    const redistribute::Problem &p = *plan->problem;
    for (redistribute::Device d = 0; d < static_cast<redistribute::Device>(p.num_devices()); ++d) {
      auto &tile = all.emplace_back();
      if (p.src_position(d) < 0)
        continue;
      std::vector<int64_t> coordinates, element(p.rank());
      for (const sharding::Partial &s : p.src().sharding.partial)
        coordinates.push_back(p.src().mesh.coordinate(p.src_position(d), s.axis));
      each_element(p.src_box(d), [&](std::span<const int64_t> at) {
        for (size_t i = 0; i < element.size(); ++i)
          element[i] = sharding::element_at(p.src().halo(i), p.type().dims[i], at[i]);
        const float value = held(element, coordinates);
        const auto *bytes = reinterpret_cast<const std::byte *>(&value);
        tile.insert(tile.end(), bytes, bytes + sizeof value);
      });
    }
  }
  return all;
}

// Where tiles are when they are not on the host: memory of a device, written and read by a queue.
class OnDevices {
public:
  OnDevices(const device::QueueKind &kind, const runtime::Redistributor &mover, const Bytes &tiles,
            size_t room = 0)
      : kind_(kind) {
    for (size_t i = 0; i < tiles.size(); ++i) {
      const auto d = static_cast<redistribute::Device>(i % mover.num_devices());
      bytes_.push_back(tiles[i].size());
      units_.push_back(mover.unit(d));
      const bool here = mover.devices().contains(sharding::DeviceIndex(d));
      const size_t size = std::max(tiles[i].size(), room);
      memory_.push_back(here && size != 0 ? *device::allocate(kind_, units_[i], size, {}) : device::Memory());
      if (memory_[i] != nullptr)
        on_queue(units_[i], [&](device::Queue &queue) {
          queue.copy_in(memory_[i].get(), tiles[i].data(), tiles[i].size());
        });
    }
  }
  void read_into(Bytes &tiles) const {
    for (size_t i = 0; i < tiles.size(); ++i)
      if (memory_[i] != nullptr)
        on_queue(units_[i], [&](device::Queue &queue) {
          queue.copy_out(tiles[i].data(), memory_[i].get(), tiles[i].size());
        });
  }
  std::vector<void *> tiles() const {
    std::vector<void *> all;
    for (const device::Memory &memory : memory_)
      all.push_back(memory.get());
    return all;
  }

private:
  template <class Put> void on_queue(int32_t unit, Put &&put) const {
    auto queue = *kind_.make_queue(unit);
    const auto event = kind_.make_event(unit);
    put(*queue);
    queue->record(*event);
    while (!event->is_reached())
      std::this_thread::yield();
    REQUIRE(!queue->recover().has_value());
  }
  const device::QueueKind &kind_;
  std::vector<device::Memory> memory_;
  std::vector<size_t> bytes_;
  std::vector<int32_t> units_;
};

inline std::vector<void *> pointers(Bytes &tiles) {
  std::vector<void *> all;
  for (auto &tile : tiles)
    all.push_back(tile.data());
  return all;
}
inline std::vector<const void *> read_only(const std::vector<void *> &tiles) {
  return {tiles.begin(), tiles.end()};
}

inline Bytes targets_of(const Plans &plans) {
  Bytes all;
  for (const auto &plan : plans)
    for (redistribute::Device d = 0; d < static_cast<redistribute::Device>(plan->problem->num_devices()); ++d)
      all.emplace_back(static_cast<size_t>(plan->buffers.back().elements(d) * plan->problem->item_size()),
                       kNotWritten);
  return all;
}

// What comes of a run by one process, or in one of several; twice, since nothing may be left of the first.
inline std::string run_plans(const Plans &plans, const Bytes &source, runtime::Redistributor::Options how,
                             Bytes &target) {
  const device::QueueKind *const kind = how.device->as_queues();
  const bool in_place = how.donate;
  auto mover = runtime::Redistributor::prepare(plans, std::move(how));
  if (!mover)
    return mover.error().message();
  WorkerPool pool(2);
  for (int turn = 0; turn < 2; ++turn) {
    Bytes from = source;
    target = targets_of(plans);
    size_t room = 0;
    for (const Bytes *tiles : {&from, &target})
      for (const auto &tile : *tiles)
        room = std::max(room, tile.size());
    if (kind == nullptr) {
      for (auto &tile : from)
        tile.resize(in_place ? room : tile.size());
      std::vector<void *> at = pointers(from), to = in_place ? at : pointers(target);
      const Status status = (*mover)->run(read_only(at), to, pool);
      if (!in_place && from != source)
        return "the sources are not what they were";
      if (!status)
        return status.error().message();
      for (size_t i = 0; in_place && i < target.size(); ++i)
        target[i].assign(from[i].begin(), from[i].begin() + static_cast<std::ptrdiff_t>(target[i].size()));
    } else {
      const OnDevices before(*kind, **mover, from, in_place ? room : 0), after(*kind, **mover, target);
      const auto at = before.tiles(), to = in_place ? at : after.tiles();
      if (Status status = (*mover)->run(read_only(at), to, pool); !status)
        return status.error().message();
      (in_place ? before : after).read_into(target);
    }
    for (size_t i = 0; i < target.size(); ++i) // others wrote it, or the tile is another's
      if (const auto d = static_cast<redistribute::Device>(i % (*mover)->num_devices());
          !(*mover)->devices().contains(sharding::DeviceIndex(d)))
        std::ranges::fill(target[i], kNotWritten);
  }
  return "";
}

} // namespace tw::test::placed
