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

StepNamer::StepNamer(const Problem &problem) : problem_(problem), leader_(problem.num_devices()) {
  std::iota(leader_.begin(), leader_.end(), 0);
}

Device StepNamer::leader(Device d) {
  const auto at = [&](Device i) -> Device & { return leader_[static_cast<size_t>(i)]; };
  while (at(d) != d)
    d = at(d) = at(at(d));
  return d;
}

void StepNamer::join(Device a, Device b) {
  a = leader(a);
  b = leader(b);
  leader_[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
}

uint64_t StepNamer::axes_between(Device a, Device b) const {
  if (!problem_.same_mesh())
    return 0;
  const Mesh &mesh = problem_.src().mesh;
  const Position here = problem_.src_position(a), there = problem_.src_position(b);
  uint64_t apart = 0;
  for (size_t axis = 0; axis < mesh.num_axes(); ++axis)
    if (const auto id = static_cast<sharding::AxisId>(axis);
        mesh.coordinate(here, id) != mesh.coordinate(there, id))
      apart |= uint64_t{1} << axis;
  return apart;
}

StepNamer::Givers StepNamer::give(std::span<const Device> devices) {
  Givers givers{devices[0], 0, devices.size() > 1};
  for (const Device d : devices.subspan(1)) {
    givers.apart |= axes_between(givers.first, d);
    join(givers.first, d);
  }
  return givers;
}

void StepNamer::take(Device to, const Givers &from) {
  if (!from.several && from.first == to)
    return;
  moves_ = true;
  apart_ |= from.apart | axes_between(to, from.first);
  join(to, from.first);
}

void StepNamer::finish(StepHead &head) {
  const Mesh &mesh = problem_.src().mesh;
  std::vector<int64_t> size(leader_.size(), 0);
  for (Device d = 0; static_cast<size_t>(d) < leader_.size(); ++d)
    ++size[static_cast<size_t>(leader(d))];
  head.group = size.empty() ? 1 : *std::ranges::max_element(size);
  head.axes.clear();
  for (size_t axis = 0; axis < mesh.num_axes(); ++axis)
    if (apart_ >> axis & 1)
      head.axes += (head.axes.empty() ? "" : ",") + mesh.axis(static_cast<sharding::AxisId>(axis)).name;
  if (!moves_)
    head.kind = Kind::copy;
}

void describe(Step &step, const Problem &problem) {
  StepNamer namer(problem);
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d)
    for (uint32_t piece = step.first_piece[static_cast<size_t>(d)];
         piece < step.first_piece[static_cast<size_t>(d) + 1]; ++piece)
      for (const Source &source : step.sources_of(piece))
        namer.take(d, {source.device, 0, false});
  namer.finish(step);
}

} // namespace tw::redistribute
