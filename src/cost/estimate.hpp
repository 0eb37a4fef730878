// SPDX-License-Identifier: Apache-2.0
// What one run of a program takes on a machine: seconds and bytes, before anything runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "spmd/program.hpp"
#include "system/system.hpp"

namespace tw::cost {

struct Options {
  std::optional<int64_t> trip_count = {}; // of loops that data end; none: the system's guess
  double cap_bytes = 0;                  // that a device may need at most; 0: what it has without its reserve
  bool donate = false;                   // results may be written over donated arguments
  std::vector<std::string> without = {}; // passes over steps that are left out

  bool operator==(const Options &) const = default;
};

// A step as the executor would run it, on the device that has most of it.
struct StepTime {
  uint32_t instr; // the first of the program that it runs
  size_t ops;     // how many
  double flops, bytes;
  double seconds;                  // of one run of it
  int64_t times;                   // that it runs
  bool by_memory;                  // its bytes take longer than its operations
  bool moves;                      // a collective
  double begin_s = 0, lasts_s = 0; // of its first run, where collectives run beside what does not need them
};

// What an array is for: an argument, one that only an update reads, what has a parameter's type, what an
// all_gather made, what another collective moved, anything else.
enum class Role : uint8_t { parameter, state, gradient, activation, gathered, buffer };
std::string_view name(Role role);

struct HeldValue {
  spmd::ValueRef value;
  int64_t bytes;
  Role role;
};

// When the first run of a collective uses links.
struct LinkTime {
  uint32_t step, link; // of the estimate
  double begin_s, lasts_s;
};

// From which place to which, both included.
struct HeldLife : HeldValue {
  uint32_t first, last;
};

// A place of the program in memory: before the first step, at one of them, or behind the last. Some run
// nothing that takes time, as jumps.
struct MemoryPlace {
  int64_t bytes;  // of the arrays that a device has then
  uint32_t instr; // of the program; graph::kNone: none
  uint32_t step;  // of the estimate; graph::kNone: none
};

struct Estimate {
  double serial_s = 0,
         overlapped_s = 0; // one thing after the other; collectives beside what does not need them
  double compute_s = 0, memory_s = 0, communication_s = 0; // parts of serial_s
  std::vector<double> by_axis_s;                           // of communication_s, by mesh axis
  std::vector<StepTime> steps;                             // in program order
  // Links, as a system file calls them: "axis data"; of collectives that are planned for levels "level node",
  // between its groups, and "inside node".
  std::vector<std::string> links;
  std::vector<LinkTime> on_links; // in order of steps
  // Devices of one kind have tiles of equal size of everything. Empty where that takes long to tell.
  std::vector<uint32_t> kind_of;                // by device
  std::vector<std::vector<float>> part_of_most; // by kind and step: of the seconds that the step takes
  double peak_bytes = 0, cap_bytes = 0;
  std::vector<MemoryPlace> places; // in program order, of the device that needs most
  size_t peak_place = 0;           // the first with the most bytes
  std::vector<HeldValue> held;     // there, the largest first
  std::vector<HeldLife> lives;     // all arrays; at each place they add up to its bytes
  std::vector<std::string> notes;  // what is not counted, or guessed

  bool fits() const { return peak_bytes <= cap_bytes; }
};

Result<Estimate> estimate(std::shared_ptr<const spmd::Program> program, const system::System &system,
                          const Options &options = {});

} // namespace tw::cost
