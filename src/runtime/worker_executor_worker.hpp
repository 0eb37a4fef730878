// SPDX-License-Identifier: Apache-2.0
// What a worker of an executor has of its own: the slot through which it gives parts of a step away, limits
// for pointers, scratch.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "runtime/worker_executor.hpp"

namespace tw::runtime {

// Steps of fewer bytes take less than a few microseconds: the flight recorder does not look at the clock for
// them.
constexpr int64_t kTimed = 64 << 10;

// A step whose parts any worker may take. Its fields are read only between joining and leaving.
struct WorkerExecutor::Shared {
  static constexpr int kOpen = 1 << 30;
  std::atomic<int> state{0}; // kOpen while workers may join, plus the number that have
  alignas(64) std::atomic<int64_t> next{0};
  std::atomic<int64_t> parts{0};
  Position position;
  uint32_t step = 0;
  const kernels::Kernel *kernel = nullptr; // null: a collective
  void *prepares = nullptr;                // where these parts prepare something; null: they run
  std::span<const void *const> operands;
  std::span<void *const> results;
  const comm::Collective *collective = nullptr;
  size_t group = 0, stage = 0;

  bool has_parts() const {
    return (state.load() & kOpen) != 0 &&
           next.load(std::memory_order_relaxed) < parts.load(std::memory_order_relaxed);
  }
};

struct alignas(64) WorkerExecutor::Worker {
  Shared shared;
  std::vector<const void *> operands;
  std::vector<void *> results;
  Buffer scratch;
  Buffer shared_memory; // of the parts of a kernel that it gives away
  // For the flight recorder: the last look at the clock, when and where the stretch began that a record will
  // stand for.
  int64_t now = 0, began = 0;
  uint32_t first = 0;
  int untimed = 0;
  uint16_t number = 0;
  std::vector<TraceRecord> traced;
  std::vector<int64_t> calls;                         // by step, for profiles
  std::vector<int64_t> nanoseconds;                   // by step
  std::chrono::steady_clock::time_point polled, busy; // when it last asked, and had something to do
};

} // namespace tw::runtime
