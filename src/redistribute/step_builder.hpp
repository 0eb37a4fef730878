// SPDX-License-Identifier: Apache-2.0
// Collects the pieces of a step in any order and makes the step of them: by receiver, with its kind, axes,
// group and costs' inputs.
#pragma once

#include <span>
#include <vector>

#include "redistribute/plan.hpp"

namespace tw::redistribute {

class StepBuilder {
public:
  explicit StepBuilder(const Problem &problem) : rank_(problem.rank()), devices_(problem.num_devices()) {}

  // `box` is not empty.
  void add(Device to, const sharding::Box &box, std::span<const Source> from);
  void add(Device to, const sharding::Box &box, Source from) { add(to, box, {&from, 1}); }
  bool empty() const { return receiver_.empty(); }

  // Nothing is left in the builder.
  Step finish(uint32_t target, sharding::Reduction reduction = sharding::Reduction::raw);

private:
  size_t rank_, devices_;
  std::vector<Device> receiver_;
  std::vector<int64_t> bounds_;
  std::vector<uint32_t> first_source_{0};
  std::vector<Source> sources_;
};

// Reads off who takes from whom what people call a step.
class StepNamer {
public:
  explicit StepNamer(const Problem &problem);

  // Devices that others take from, all of them; at least one.
  struct Givers {
    Device first;
    uint64_t apart; // the axes along which they differ
    bool several;
  };
  Givers give(std::span<const Device> devices);
  // A device takes from all of those, but for itself.
  void take(Device to, const Givers &from);

  bool moves() const { return moves_; } // whether anybody takes anything
  // Sets the axes along which devices stand apart from those that they take from, and the largest set of
  // devices that exchange among themselves. Where nothing moves the kind is `copy`.
  void finish(StepHead &head);

private:
  Device leader(Device d);
  void join(Device a, Device b);
  uint64_t axes_between(Device a, Device b) const;

  const Problem &problem_;
  std::vector<Device> leader_;
  uint64_t apart_ = 0; // axes
  bool moves_ = false;
};

// The same of a step that is written down.
void describe(Step &step, const Problem &problem);

} // namespace tw::redistribute
