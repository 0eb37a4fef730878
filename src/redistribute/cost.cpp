// SPDX-License-Identifier: Apache-2.0
// Adds up the pieces of a plan.
#include "redistribute/cost.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace tw::redistribute {

namespace {

int64_t elements(std::span<const int64_t> extent) {
  return std::accumulate(extent.begin(), extent.end(), int64_t{1}, std::multiplies<>());
}

class Meter {
public:
  Meter(const Plan &plan, const Topology &topology, const CostModel &model)
      : problem_(*plan.problem), topology_(topology), model_(model), devices_(problem_.num_devices()) {}

  StepCost measure(const Step &step) {
    StepCost cost;
    cost.received.assign(devices_, 0);
    sent_.assign(devices_, 0);
    const size_t levels = topology_.num_levels();
    std::vector<int64_t> most(levels, 0), peers_most(levels, 0);
    const int64_t item = problem_.item_size();
    const size_t rank = problem_.rank();
    std::vector<int64_t> bytes(levels), peers(levels);
    std::vector<size_t> told(devices_, devices_); // the last receiver that a device served
    for (size_t d = 0; d < devices_; ++d) {
      std::ranges::fill(bytes, 0);
      std::ranges::fill(peers, 0);
      int64_t kept = 0, all_peers = 0;
      for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece) {
        const int64_t size = elements({step.bounds.data() + 2 * rank * piece + rank, rank}) * item;
        for (const Source &source : step.sources_of(piece)) {
          if (static_cast<size_t>(source.device) == d) {
            kept += size;
            continue;
          }
          const uint32_t level =
              levels == 1 ? 0 : topology_.level_between(static_cast<Device>(d), source.device);
          bytes[level] += size;
          cost.received[d] += size;
          sent_[static_cast<size_t>(source.device)] += size;
          if (std::exchange(told[static_cast<size_t>(source.device)], d) != d) {
            ++all_peers;
            ++peers[level];
          }
        }
      }
      cost.kept_max = std::max(cost.kept_max, kept);
      cost.peers_max = std::max(cost.peers_max, all_peers);
      for (size_t l = 0; l < levels; ++l) {
        most[l] = std::max(most[l], bytes[l]);
        peers_most[l] = std::max(peers_most[l], peers[l]);
      }
    }
    cost.received_max = devices_ == 0 ? 0 : *std::ranges::max_element(cost.received);
    cost.sent_max = devices_ == 0 ? 0 : *std::ranges::max_element(sent_);
    cost.received_mean = std::accumulate(cost.received.begin(), cost.received.end(), 0.0) /
                         static_cast<double>(std::max<size_t>(devices_, 1));
    double slowest = 0;
    for (size_t l = 0; l < levels; ++l) {
      const Link &link = model_.link(topology_, static_cast<uint32_t>(l));
      if (most[l] != 0)
        slowest = std::max(slowest, link.alpha_us + static_cast<double>(peers_most[l]) * link.message_us +
                                        static_cast<double>(most[l]) / link.gb_per_s / 1e3);
    }
    cost.time_us = slowest + static_cast<double>(cost.kept_max) / model_.copy_gb_per_s / 1e3;
    return cost;
  }

private:
  const Problem &problem_;
  const Topology &topology_;
  const CostModel &model_;
  size_t devices_;
  std::vector<int64_t> sent_;
};

// Intermediate buffers live from the step that fills them to the last that reads them.
int64_t scratch(const Plan &plan) {
  const size_t n = plan.buffers.size(), devices = plan.problem->num_devices();
  if (n <= 2)
    return 0;
  std::vector<size_t> born(n, plan.steps.size()), dies(n, 0);
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    born[plan.steps[s].target] = std::min(born[plan.steps[s].target], s);
    for (const Source &source : plan.steps[s].sources)
      dies[source.buffer] = std::max(dies[source.buffer], s);
  }
  int64_t most = 0;
  for (size_t s = 0; s < plan.steps.size(); ++s)
    for (size_t d = 0; d < devices; ++d) {
      int64_t live = 0;
      for (size_t b = 1; b + 1 < n; ++b)
        if (born[b] <= s && s <= dies[b])
          live += plan.buffers[b].elements(static_cast<Device>(d));
      most = std::max(most, live * plan.problem->item_size());
    }
  return most;
}

} // namespace

const Link &CostModel::link(const Topology &topology, uint32_t level) const {
  static const Link plain;
  if (links.empty())
    return plain;
  const size_t inner = topology.num_levels() - 1 - level; // counted from the inside, where the list ends
  return links[inner < links.size() ? links.size() - 1 - inner : 0];
}

PlanCost find_cost(const Plan &plan, const Topology &topology, const CostModel &model) {
  PlanCost cost;
  const size_t devices = plan.problem->num_devices();
  cost.received.assign(devices, 0);
  Meter meter(plan, topology, model);
  for (const Step &step : plan.steps) {
    cost.steps.push_back(meter.measure(step));
    for (size_t d = 0; d < devices; ++d)
      cost.received[d] += cost.steps.back().received[d];
    cost.time_us += cost.steps.back().time_us;
  }
  for (const int64_t bytes : cost.received) {
    cost.received_max = std::max(cost.received_max, bytes);
    cost.received_mean += static_cast<double>(bytes);
  }
  cost.received_mean /= static_cast<double>(std::max<size_t>(devices, 1));
  for (const Placement &buffer : plan.buffers)
    for (size_t d = 0; d < devices; ++d)
      cost.height_bytes =
          std::max(cost.height_bytes, buffer.elements(static_cast<Device>(d)) * plan.problem->item_size());
  cost.scratch_bytes = scratch(plan);
  return cost;
}

} // namespace tw::redistribute
