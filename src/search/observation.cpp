// SPDX-License-Identifier: Apache-2.0
// Figures that span many magnitudes are logarithms, so that a network sees all of them.
#include "search/observation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "ops/registry.hpp"

namespace tw::search {

namespace {

// Places among the floats of a subject; its layouts are behind them.
enum : size_t { kWeight, kState, kArgument, kValue, kBytes, kLayers, kFlops, kPart };
constexpr const char *kNames[] = {"weight", "state", "argument", "value", "bytes", "layers", "flops", "part"};

size_t kind_of(const Space &space, const Observation::Subject &subject) {
  if (subject.of_value)
    return kValue;
  switch (space.groups[subject.index].purpose) {
  case Purpose::weight: return kWeight;
  case Purpose::state: return kState;
  case Purpose::other: break;
  }
  return kArgument;
}

// Of all ops that read a value.
double flops_of_readers(const graph::Graph &graph, graph::ValueId v) {
  double flops = 0;
  for (const graph::Use &use : graph.uses(v))
    if (!ops::is_signature(ops::op_def(graph.op(use.op).code)))
      flops += ops::op_cost(graph, use.op).flops;
  return flops;
}

} // namespace

Observation::Observation(const Space &space) : num_groups_(space.groups.size()) {
  const graph::Graph &graph = *space.few.graph;
  for (uint32_t g = 0; g < space.groups.size(); ++g)
    subjects_.push_back({false, g, space.groups[g].few[0], space.groups[g].type});
  for (uint32_t v = 0; v < space.values.size(); ++v)
    subjects_.push_back(
        {true, v, space.plan->pin_of(space.values[v].few), graph.value(space.values[v].few).type});
  for (const Subject &subject : subjects_)
    rank_ = std::max(rank_, graph.type_at(subject.type).rank());
  for (const sharding::Axis &axis : space.plan->mesh().axes())
    axes_.push_back({std::string(axis.name), axis.size});
  fixed_.assign(kOfPlan, 0);
  for (const Axis &axis : axes_)
    fixed_.push_back(static_cast<float>(std::log(static_cast<double>(axis.size))));
  for (const Subject &subject : subjects_)
    add_fixed(space, subject);
}

void Observation::add_fixed(const Space &space, const Subject &subject) {
  const graph::Graph &graph = *space.few.graph;
  const graph::ValueId v =
      subject.of_value ? space.values[subject.index].few : graph.result(space.groups[subject.index].few[0]);
  const size_t layers = subject.of_value ? 1 : space.groups[subject.index].arguments.size();
  const auto log_of = [](double figure) { return static_cast<float>(std::log1p(figure)); };
  const size_t at = fixed_.size();
  fixed_.resize(at + num_of_subject(), 0);
  float *const to = fixed_.data() + at;
  to[kind_of(space, subject)] = 1;
  to[kBytes] = log_of(static_cast<double>(graph.type_at(subject.type).bytes()));
  to[kLayers] = log_of(static_cast<double>(layers));
  to[kFlops] = log_of(flops_of_readers(graph, v));
  to[kPart] = 1;
}

Layouts Observation::layouts(const partition::Plan &plan) const {
  Layouts layouts;
  layouts.reserve(subjects_.size() * axes_.size());
  for (const Subject &subject : subjects_)
    for (size_t a = 0; a < axes_.size(); ++a) {
      const partition::NestEntry *entry = plan.entry(subject.node, static_cast<sharding::AxisId>(a));
      layouts.push_back(entry == nullptr                   ? kOpen
                        : entry->factor == partition::kAny ? Line::kWhole
                                                           : static_cast<uint8_t>(entry->factor));
    }
  return layouts;
}

void Observation::write(const Figures &figures, const Layouts &layouts, std::span<float> to) const {
  std::ranges::copy(fixed_, to.begin());
  std::ranges::copy(std::bit_cast<std::array<float, kOfPlan>>(figures), to.begin());
  float *of = to.data() + num_of_plan();
  const uint8_t *layout = layouts.data();
  for (size_t s = 0; s < subjects_.size(); ++s) {
    float *hot = of + kOfSubject;
    for (const Axis &axis : axes_) {
      if (*layout == Line::kWhole) {
        hot[rank_] = 1;
      } else if (*layout != kOpen) {
        hot[*layout] = 1;
        of[kPart] /= static_cast<float>(axis.size);
      }
      ++layout;
      hot += rank_ + 1;
    }
    of += num_of_subject();
  }
}

std::vector<std::string> Observation::names_of_plan() const {
  std::vector<std::string> names = {"saved", "computing", "moving", "peak", "fits", "over", "received"};
  for (const Axis &axis : axes_)
    names.push_back("size of " + axis.name);
  return names;
}

std::vector<std::string> Observation::names_of_subject() const {
  std::vector<std::string> names(std::begin(kNames), std::end(kNames));
  for (const Axis &axis : axes_) {
    for (size_t d = 0; d < rank_; ++d)
      names.push_back(fmt::format("{} over {}", d, axis.name));
    names.push_back("whole on " + axis.name);
  }
  return names;
}

} // namespace tw::search
