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

// Names the step after what its pieces do: the axes along which devices stand apart from their sources, the
// largest set of devices that exchange among themselves, whether anything moves at all. Leaves a kind other
// than `exchange` as it is, but for that.
void describe(Step &step, const Problem &problem);

} // namespace tw::redistribute
