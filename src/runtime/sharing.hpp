// SPDX-License-Identifier: Apache-2.0
// What devices of one process compute and hold together. A value that is whole along some axes of the mesh is the same on all devices along
// them, to the bit; so one of them, the *leader*, runs the step that makes it for all once all have come to it, and it lies in one place.
// Such a place may be used again as one device's own may: whoever writes there has waited for all that read there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "runtime/step.hpp"
#include "sharding/mesh.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

class Sharing {
public:
  Sharing() = default; // nothing is shared
  // Devices share with those of their own process (by position; empty: all are of one). Nothing is shared where the
  // mesh has steps or lanes, each of which holds something else.
  Sharing(const spmd::Program &program, std::initializer_list<std::span<const Step>> steps,
          std::vector<int64_t> process);

  // Axes, a bit each. Devices of a process along them run a step together: its leader for all, or in an assignment of several variables the leader of each.
  // (Of a collective only what it makes counts: its groups are larger where that is shared.)
  uint64_t of(const Step &step) const;
  // Devices along them have one place for a stored value, a root.
  uint64_t of(spmd::ValueRef root) const { return axes_ == 0 ? 0 : of_value_[root]; }
  // The first of those that share with this one along these axes.
  int64_t leader(uint64_t axes, int64_t position) const {
    return axes == 0 ? position : leaders_.at(axes)[static_cast<size_t>(position)];
  }
  // By position, for what has one place along these axes; empty where each device has its own.
  std::vector<int64_t> leaders(uint64_t axes) const {
    return axes == 0 ? std::vector<int64_t>() : leaders_.at(axes);
  }

private:
  uint64_t of_result(const Step &step, spmd::ValueRef v) const;
  uint64_t whole_along(spmd::ValueRef v) const;
  std::vector<int64_t> find_leaders(uint64_t axes) const;

  const spmd::Program *program_ = nullptr;
  std::vector<int64_t> process_; // by position
  uint64_t axes_ = 0;            // that may be shared
  std::vector<uint64_t> of_value_;
  std::map<uint64_t, std::vector<int64_t>> leaders_; // by axes, by position
};

} // namespace tw::runtime
