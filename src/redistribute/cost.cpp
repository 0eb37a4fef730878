// SPDX-License-Identifier: Apache-2.0
// Adds up the pieces of a plan, or what must move between tiles.
#include "redistribute/cost.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "redistribute/received.hpp"

namespace tw::redistribute {

namespace {

int64_t elements(std::span<const int64_t> extent) {
  return std::accumulate(extent.begin(), extent.end(), int64_t{1}, std::multiplies<>());
}

// The link decides that has most to do, and then what stays is copied.
double step_time(const StepCost &cost, std::span<const int64_t> bytes, std::span<const int64_t> peers,
                 const Topology &topology, const CostModel &model) {
  double slowest = 0;
  for (size_t level = 0; level < bytes.size(); ++level) {
    const Link &link = model.link(topology, static_cast<uint32_t>(level));
    if (bytes[level] != 0)
      slowest = std::max(slowest, link.alpha_us + static_cast<double>(peers[level]) * link.message_us +
                                      static_cast<double>(bytes[level]) / link.gb_per_s / 1e3);
  }
  return slowest + static_cast<double>(cost.kept_max) / model.copy_gb_per_s / 1e3;
}

void close(StepCost &cost) {
  cost.received_max = cost.received.empty() ? 0 : *std::ranges::max_element(cost.received);
  cost.received_mean = std::accumulate(cost.received.begin(), cost.received.end(), 0.0) /
                       static_cast<double>(std::max<size_t>(cost.received.size(), 1));
}

StepCost find_step_cost(const Step &step, const Problem &problem, const Topology &topology,
                        const CostModel &model) {
  StepCost cost;
  const size_t devices = problem.num_devices(), levels = topology.num_levels(), rank = problem.rank();
  cost.received.assign(devices, 0);
  std::vector<int64_t> most(levels, 0), peers_most(levels, 0), bytes(levels), peers(levels);
  std::vector<size_t> told(devices, devices); // the last receiver that a device served
  for (size_t d = 0; d < devices; ++d) {
    std::ranges::fill(bytes, 0);
    std::ranges::fill(peers, 0);
    int64_t kept = 0, all_peers = 0;
    for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece) {
      const int64_t size = elements(step.extent(piece, rank)) * problem.item_size();
      for (const Source &source : step.sources_of(piece)) {
        if (static_cast<size_t>(source.device) == d) {
          kept += size;
          continue;
        }
        const uint32_t level =
            levels == 1 ? 0 : topology.level_between(static_cast<Device>(d), source.device);
        bytes[level] += size;
        cost.received[d] += size;
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
  close(cost);
  cost.time_us = step_time(cost, most, peers_most, topology, model);
  return cost;
}

// The tiles of a placement, which is a grid: where those that are not empty begin, by dimension.
class Grid {
public:
  explicit Grid(const Placement &tiles) : begins_(tiles.rank()) {
    for (size_t i = 0; i < begins_.size(); ++i) {
      std::vector<int64_t> &begins = begins_[i];
      for (Device d = 0; static_cast<size_t>(d) < tiles.num_devices(); ++d)
        if (tiles.elements(d) != 0 && (begins.empty() || begins.back() != tiles.offset(d)[i]))
          begins.push_back(tiles.offset(d)[i]);
      std::ranges::sort(begins);
      begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    }
  }

  // How many of its tiles a box meets that is not empty.
  int64_t count(std::span<const int64_t> offset, std::span<const int64_t> extent) const {
    int64_t tiles = 1;
    for (size_t i = 0; i < begins_.size(); ++i) {
      const auto first = std::ranges::upper_bound(begins_[i], offset[i]);
      tiles *= 1 + (std::lower_bound(first, begins_[i].end(), offset[i] + extent[i]) - first);
    }
    return tiles;
  }

private:
  std::vector<std::vector<int64_t>> begins_;
};

StepCost find_step_cost(const Problem &problem, const Placement &before, const Placement &after,
                        const CostModel &model) {
  const size_t devices = problem.num_devices();
  const int64_t terms = problem.num_terms();
  std::vector<int64_t> received(devices, 0);
  int64_t kept_max = 0, peers_max = 0;
  const Grid grid(before);
  for (Device d = 0; static_cast<size_t>(d) < devices; ++d) {
    const TileElements tile = count_elements(before, after, d);
    if (tile.wanted == 0)
      continue;
    received[static_cast<size_t>(d)] = tile.received(terms) * problem.item_size();
    kept_max = std::max(kept_max, tile.held * problem.item_size());
    peers_max = std::max(peers_max, grid.count(after.offset(d), after.extent(d)) * terms - (tile.held != 0));
  }
  return cost_of_step(std::move(received), kept_max, peers_max, model);
}

void add_step(PlanCost &cost, StepCost step) {
  for (size_t d = 0; d < step.received.size(); ++d)
    cost.received[d] += step.received[d];
  cost.time_us += step.time_us;
  cost.steps.push_back(std::move(step));
}

// What follows from the steps, and the buffers they need.
void close(PlanCost &cost, std::span<const Placement> buffers, int64_t item) {
  for (const int64_t bytes : cost.received) {
    cost.received_max = std::max(cost.received_max, bytes);
    cost.received_mean += static_cast<double>(bytes);
  }
  cost.received_mean /= static_cast<double>(std::max<size_t>(cost.received.size(), 1));
  for (const Placement &buffer : buffers)
    for (size_t d = 0; d < buffer.num_devices(); ++d)
      cost.height_bytes = std::max(cost.height_bytes, buffer.elements(static_cast<Device>(d)) * item);
}

// Intermediate buffers live from the step that fills them to the last that reads them.
struct Life {
  size_t born, dies; // steps
};

int64_t find_scratch(std::span<const Placement> buffers, std::span<const Life> lives, size_t steps,
                     int64_t item) {
  int64_t most = 0;
  if (buffers.size() > 2)
    for (size_t s = 0; s < steps; ++s)
      for (size_t d = 0; d < buffers[0].num_devices(); ++d) {
        int64_t live = 0;
        for (size_t b = 1; b + 1 < buffers.size(); ++b)
          if (lives[b].born <= s && s <= lives[b].dies)
            live += buffers[b].elements(static_cast<Device>(d));
        most = std::max(most, live * item);
      }
  return most;
}

std::vector<Life> lives_of(const Plan &plan) {
  std::vector<Life> lives(plan.buffers.size(), {plan.steps.size(), 0});
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    Life &target = lives[plan.steps[s].target];
    target.born = std::min(target.born, s);
    for (const Source &source : plan.steps[s].sources)
      lives[source.buffer].dies = std::max(lives[source.buffer].dies, s);
  }
  return lives;
}

} // namespace

const Link &CostModel::link(const Topology &topology, uint32_t level) const {
  static const Link plain;
  if (links.empty())
    return plain;
  const size_t inner = topology.num_levels() - 1 - level; // counted from the inside, where the list ends
  return links[inner < links.size() ? links.size() - 1 - inner : 0];
}

StepCost cost_of_step(std::vector<int64_t> received, int64_t kept_max, int64_t peers_max,
                      const CostModel &model) {
  StepCost cost;
  cost.received = std::move(received);
  cost.kept_max = kept_max;
  cost.peers_max = peers_max;
  close(cost);
  cost.time_us = step_time(cost, {&cost.received_max, 1}, {&cost.peers_max, 1}, {}, model);
  return cost;
}

PlanCost cost_of_steps(const Problem &problem, std::span<const Placement> buffers,
                       std::vector<StepCost> steps) {
  PlanCost cost;
  cost.received.assign(problem.num_devices(), 0);
  for (StepCost &step : steps)
    add_step(cost, std::move(step));
  close(cost, buffers, problem.item_size());
  return cost;
}

PlanCost find_cost(const Plan &plan, const Topology &topology, const CostModel &model) {
  const Problem &problem = *plan.problem;
  PlanCost cost;
  cost.received.assign(problem.num_devices(), 0);
  for (const Step &step : plan.steps)
    add_step(cost, find_step_cost(step, problem, topology, model));
  close(cost, plan.buffers, problem.item_size());
  if (plan.buffers.size() > 2)
    cost.scratch_bytes = find_scratch(plan.buffers, lives_of(plan), plan.steps.size(), problem.item_size());
  return cost;
}

PlanCost find_cost(const Problem &problem, std::span<const Placement> buffers, const CostModel &model) {
  std::vector<StepCost> steps;
  std::vector<Life> lives;
  for (size_t b = 0; b < buffers.size(); ++b) {
    lives.push_back({b - 1, b});
    if (b > 0)
      steps.push_back(find_step_cost(problem, buffers[b - 1], buffers[b], model));
  }
  PlanCost cost = cost_of_steps(problem, buffers, std::move(steps));
  cost.scratch_bytes = find_scratch(buffers, lives, cost.steps.size(), problem.item_size());
  return cost;
}

int64_t count_pieces(const Placement &before, const Placement &after) {
  const Grid grid(before);
  int64_t pieces = 0;
  for (Device d = 0; static_cast<size_t>(d) < after.num_devices(); ++d)
    if (after.elements(d) != 0)
      pieces += grid.count(after.offset(d), after.extent(d));
  return pieces;
}

std::vector<int64_t> bytes_by_level(const Plan &plan, const Topology &topology) {
  const size_t rank = plan.problem->rank(), devices = plan.problem->num_devices();
  std::vector<std::map<int32_t, int64_t>> received(topology.num_levels()); // by level and group
  for (const Step &step : plan.steps)
    for (size_t d = 0; d < devices; ++d)
      for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece) {
        const int64_t bytes = elements(step.extent(piece, rank)) * plan.problem->item_size();
        for (const Source &source : step.sources_of(piece)) {
          if (static_cast<size_t>(source.device) == d)
            continue;
          const uint32_t level = topology.level_between(static_cast<Device>(d), source.device);
          received[level][level < topology.groups.size() ? topology.groups[level][d]
                                                         : static_cast<Device>(d)] += bytes;
        }
      }
  std::vector<int64_t> most;
  for (const auto &groups : received) {
    most.push_back(0);
    for (const auto &[group, bytes] : groups)
      most.back() = std::max(most.back(), bytes);
  }
  return most;
}

} // namespace tw::redistribute
