// SPDX-License-Identifier: Apache-2.0
// The flight recorder: what each device did last, always on. A record stands for all that a worker ran of a
// device without a pause, so it costs a few nanoseconds where a device comes to a collective and nothing in
// between; times of very short stretches are those of the last longer one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sharding/position.hpp"

namespace tw::runtime {

struct FlightRecord {
  enum class Kind : uint8_t {
    arrived, // ran steps up to `last`, where devices come together, and waits or did
    combined, // was the last to arrive, and ran all steps to `last` for all: collectives, and what is the same for them
    finished, // ran the last step
    stopped,  // does not go on at `last`: there it failed, or it saw that another had
  };
  int64_t begin = 0, end = 0; // ticks
  uint32_t first = 0, last = 0;
  Kind kind = Kind::arrived;
  uint16_t worker = 0;
};
static_assert(sizeof(FlightRecord) == 32);

class FlightRecorder {
public:
  static constexpr size_t kRecords = 256; // of a device

  explicit FlightRecorder(size_t devices) : rings_(devices) {}

  // By whoever runs the device.
  void add(sharding::Position position, const FlightRecord &record) {
    Ring &ring = rings_[static_cast<size_t>(position)];
    ring.records[ring.count++ % kRecords] = record;
  }
  // The oldest first. Not during a run.
  std::vector<FlightRecord> records(sharding::Position position) const {
    const Ring &ring = rings_[static_cast<size_t>(position)];
    std::vector<FlightRecord> all;
    for (uint64_t i = ring.count > kRecords ? ring.count - kRecords : 0; i < ring.count; ++i)
      all.push_back(ring.records[i % kRecords]);
    return all;
  }
  void clear() {
    for (Ring &ring : rings_)
      ring.count = 0;
  }

private:
  struct alignas(64) Ring {
    uint64_t count = 0;
    std::array<FlightRecord, kRecords> records;
  };
  std::vector<Ring> rings_;
};

} // namespace tw::runtime
