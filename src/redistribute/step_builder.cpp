// SPDX-License-Identifier: Apache-2.0
// Sorts pieces by receiver, and reads off a step what people call it.
#include "redistribute/step_builder.hpp"

#include <algorithm>
#include <numeric>

namespace tw::redistribute {

using sharding::Mesh;

void StepBuilder::add(Device to, const sharding::Box &box, std::span<const Source> from) {
  receiver_.push_back(to);
  bounds_.insert(bounds_.end(), box.offset.begin(), box.offset.end());
  bounds_.insert(bounds_.end(), box.extent.begin(), box.extent.end());
  sources_.insert(sources_.end(), from.begin(), from.end());
  first_source_.push_back(static_cast<uint32_t>(sources_.size()));
}

Step StepBuilder::finish(uint32_t target, sharding::Reduction reduction) {
  Step step;
  step.target = target;
  step.reduction = reduction;
  std::vector<uint32_t> order(receiver_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](uint32_t i) { return receiver_[i]; });
  step.first_piece.assign(devices_ + 1, 0);
  for (const Device d : receiver_)
    ++step.first_piece[static_cast<size_t>(d) + 1];
  std::partial_sum(step.first_piece.begin(), step.first_piece.end(), step.first_piece.begin());
  step.bounds.reserve(bounds_.size());
  step.sources.reserve(sources_.size());
  step.first_source.push_back(0);
  for (const uint32_t i : order) {
    const auto bounds = bounds_.begin() + static_cast<std::ptrdiff_t>(2 * rank_ * i);
    step.bounds.insert(step.bounds.end(), bounds, bounds + static_cast<std::ptrdiff_t>(2 * rank_));
    step.sources.insert(step.sources.end(), sources_.begin() + first_source_[i],
                        sources_.begin() + first_source_[i + 1]);
    step.first_source.push_back(static_cast<uint32_t>(step.sources.size()));
  }
  receiver_.clear();
  bounds_.clear();
  sources_.clear();
  first_source_.assign(1, 0);
  return step;
}

void describe(Step &step, const Problem &problem) {
  const size_t devices = problem.num_devices();
  std::vector<int32_t> leader(devices);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int32_t d) {
    while (leader[static_cast<size_t>(d)] != d)
      d = leader[static_cast<size_t>(d)] = leader[static_cast<size_t>(leader[static_cast<size_t>(d)])];
    return d;
  };
  const Mesh &mesh = problem.src().mesh;
  uint64_t apart = 0; // axes
  bool moves = false;
  for (size_t d = 0; d < devices; ++d)
    for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece)
      for (const Source &source : step.sources_of(piece)) {
        if (static_cast<size_t>(source.device) == d)
          continue;
        moves = true;
        const int32_t a = find(static_cast<int32_t>(d)), b = find(source.device);
        leader[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
        if (!problem.same_mesh())
          continue;
        const Position here = problem.src_position(static_cast<Device>(d)),
                       there = problem.src_position(source.device);
        for (size_t axis = 0; axis < mesh.num_axes(); ++axis)
          if (const auto id = static_cast<sharding::AxisId>(axis);
              mesh.coordinate(here, id) != mesh.coordinate(there, id))
            apart |= uint64_t{1} << axis;
      }
  std::vector<int64_t> size(devices, 0);
  for (size_t d = 0; d < devices; ++d)
    ++size[static_cast<size_t>(find(static_cast<int32_t>(d)))];
  step.group = devices == 0 ? 1 : *std::ranges::max_element(size);
  step.axes.clear();
  for (size_t axis = 0; axis < mesh.num_axes(); ++axis)
    if (apart >> axis & 1)
      step.axes += (step.axes.empty() ? "" : ",") + mesh.axis(static_cast<sharding::AxisId>(axis)).name;
  if (!moves)
    step.kind = Kind::copy;
}

} // namespace tw::redistribute
