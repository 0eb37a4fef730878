// SPDX-License-Identifier: Apache-2.0
// What devices of one process compute and hold together. A value that is whole along some axes of the mesh is
// the same on all devices along them, to the bit; so one of them, the *leader*, runs the step that makes it
// for all once all have come to it, and it lies in one place. Such a place may be used again as one device's
// own may: whoever writes there has waited for all that read there.
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
  // Devices share with those of their own process (by position; empty: all are of one). Nothing is shared
  // where the mesh has steps or threads, each of which holds something else.
  Sharing(const spmd::Program &program, std::initializer_list<std::span<const Step>> steps,
          std::vector<int64_t> process);

  // Devices of a process along them run a step together: its leader for all, or in an assignment of several
  // variables the leader of each. (Of a collective only what it makes counts: its groups are larger where
  // that is shared.)
  sharding::AxisSet of(const Step &step) const;
  // Devices along them have one place for a stored value, a root.
  sharding::AxisSet of(spmd::ValueRef root) const { return axes_.empty() ? axes_ : of_value_[root]; }
  // The first of those that share with this one along these axes.
  Position leader(sharding::AxisSet axes, Position position) const {
    return axes.empty() ? position : leaders_.at(axes)[static_cast<size_t>(position)];
  }
  // By position, for what has one place along these axes; empty where each device has its own.
  std::vector<Position> leaders(sharding::AxisSet axes) const {
    return axes.empty() ? std::vector<Position>() : leaders_.at(axes);
  }

private:
  sharding::AxisSet of_result(const Step &step, spmd::ValueRef v) const;
  sharding::AxisSet whole_along(spmd::ValueRef v) const;
  std::vector<Position> find_leaders(sharding::AxisSet axes) const;

  const spmd::Program *program_ = nullptr;
  std::vector<int64_t> process_; // by position
  sharding::AxisSet axes_;       // that may be shared
  std::vector<sharding::AxisSet> of_value_;
  std::map<sharding::AxisSet, std::vector<Position>> leaders_; // by axes, by position
};

} // namespace tw::runtime
