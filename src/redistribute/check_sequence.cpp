// SPDX-License-Identifier: Apache-2.0
// Scalar and vector plans: reads from the boxes of each buffer how the array is cut, and from two of them the
// op between.
#include <algorithm>
#include <map>
#include <set>

#include "redistribute/check_parts.hpp"
#include "redistribute/shard_space.hpp"

namespace tw::redistribute {

namespace {

// The tile of a balanced cut that a box spans; -1 where none does.
int64_t tile_index(int64_t n, int64_t tiles, int64_t offset, int64_t extent) {
  __extension__ using Wide = __int128;
  // The last tile that begins at or before the offset; it is the one that is not empty.
  const auto t = static_cast<int64_t>(((static_cast<Wide>(offset) + 1) * tiles - 1) / n);
  return sharding::tile({}, n, tiles, t) == sharding::Interval{offset, offset + extent} ? t : -1;
}

class BufferStates {
public:
  BufferStates(const Plan &plan, const ShardSpace &space)
      : plan_(plan), space_(space), shape_(plan.problem->type().dims), devices_(plan.problem->num_devices()) {
  }

  // The states whose tiles a buffer has: the same number of devices for each. More than one only where tiles
  // are empty.
  std::vector<size_t> of_buffer(size_t buffer) const {
    std::vector<int64_t> largest(shape_.size(), 0);
    for (Device d = 0; static_cast<size_t>(d) < devices_; ++d)
      if (const BoxView box = tile_of(plan_, buffer, d); elements(box) != 0)
        for (size_t i = 0; i < shape_.size(); ++i)
          largest[i] = std::max(largest[i], box.extent[i]);
    std::vector<size_t> states;
    for (size_t s = 0; s < space_.size(); ++s)
      if (may_be(s, largest) && is(s, buffer))
        states.push_back(s);
    return states;
  }

private:
  bool may_be(size_t state, std::span<const int64_t> largest) const {
    const bool nothing = space_.elements(state) == 0;
    for (size_t i = 0; i < shape_.size(); ++i) {
      const int64_t shards = space_.shards(state)[i];
      if (largest[i] != (nothing ? 0 : shape_[i] / shards + (shape_[i] % shards != 0 ? 1 : 0)))
        return false;
    }
    return true;
  }

  bool is(size_t state, size_t buffer) const {
    const auto shards = space_.shards(state);
    size_t all = 1, filled = space_.elements(state) == 0 ? 0 : 1; // tiles, and those that are not empty
    for (size_t i = 0; i < shards.size(); ++i) {
      all *= static_cast<size_t>(shards[i]);
      filled *= static_cast<size_t>(std::min(shards[i], shape_[i]));
    }
    std::vector<size_t> holders(all, 0);
    size_t seen = 0;
    for (Device d = 0; static_cast<size_t>(d) < devices_; ++d) {
      const BoxView box = tile_of(plan_, buffer, d);
      if (elements(box) == 0)
        continue;
      size_t number = 0;
      for (size_t i = 0; i < shards.size(); ++i) {
        const int64_t t = tile_index(shape_[i], shards[i], box.offset[i], box.extent[i]);
        if (t < 0)
          return false;
        number = number * static_cast<size_t>(shards[i]) + static_cast<size_t>(t);
      }
      seen += holders[number]++ == 0;
    }
    return seen == filled &&
           std::ranges::all_of(holders, [&](size_t n) { return n == 0 || n == devices_ / all; });
  }

  const Plan &plan_;
  const ShardSpace &space_;
  std::span<const int64_t> shape_;
  size_t devices_;
};

// The states that a plan may be in by now, and what it may have cost. One, but for empty tiles.
using Costs = std::map<size_t, std::set<int64_t>>;
constexpr size_t kMaxCosts = 64;

Costs after(const ShardSpace &space, const Costs &before, std::span<const size_t> states, const Step &step,
            bool moves) {
  Costs result;
  for (const auto &[from, costs] : before)
    for (const size_t to : states) {
      const auto op =
          from == to ? (step.kind == Kind::permute ? Kind::permute : Kind::copy) : space.op(from, to);
      if (!op || (*op != step.kind && (moves || step.kind != Kind::copy)))
        continue;
      auto &sums = result[to];
      for (const int64_t cost : costs) {
        if (sums.size() < kMaxCosts)
          sums.insert(add_saturating(cost, space.cost(*op, to)));
        if (!moves && sums.size() < kMaxCosts) // a permutation of equal tiles among others: as good as none
          sums.insert(add_saturating(cost, space.cost(Kind::permute, to)));
      }
    }
  return result;
}

} // namespace

void check_sequence(const Plan &plan, Findings &findings) {
  const Problem &problem = *plan.problem;
  const auto devices = static_cast<int64_t>(problem.num_devices());
  if (problem.src().mesh.num_devices() != devices || problem.dst().mesh.num_devices() != devices) {
    findings.add("a {} plan, and source and target are not on the same devices", name(plan.method));
    return;
  }
  if (!problem.src().sharding.partial.empty()) {
    findings.add("a {} plan, and the source has partial values", name(plan.method));
    return;
  }
  if (plan.steps.size() + 1 != plan.buffers.size()) {
    findings.add("a {} plan of {} steps has {} buffers, and not {}", name(plan.method), plan.steps.size(),
                 plan.buffers.size(), plan.steps.size() + 1);
    return;
  }
  const ShardSpace space(problem, plan.method == Method::scalar);
  if (space.size() == 0)
    return; // too many tilings to look at
  const BufferStates tilings(plan, space);
  Costs now{{space.find(problem.src()), {0}}};
  if (const auto states = tilings.of_buffer(0); std::ranges::count(states, now.begin()->first) == 0) {
    findings.add("a {} plan, and the source is not cut into balanced tiles", name(plan.method));
    return;
  }
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const Step &step = plan.steps[s];
    if (step.target != s + 1 ||
        std::ranges::any_of(step.sources, [&](Source from) { return from.buffer != s; })) {
      findings.add("step {}: a step of a {} plan goes from buffer {} to buffer {}", s, name(plan.method), s,
                   s + 1);
      return;
    }
    const auto states = tilings.of_buffer(s + 1);
    if (states.empty()) {
      findings.add("step {}: its tiles are not balanced, or not held by equally many devices", s);
      return;
    }
    const bool moves = [&] {
      for (size_t d = 0; d < problem.num_devices(); ++d)
        for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece)
          for (const Source &source : step.sources_of(piece))
            if (static_cast<size_t>(source.device) != d)
              return true;
      return false;
    }();
    now = after(space, now, states, step, moves);
    if (now.empty()) {
      findings.add("step {}: no {} of the {} ops leads from the tiles before to those after it", s,
                   name(step.kind), name(plan.method));
      return;
    }
  }
  const auto end = now.find(space.find(problem.dst()));
  if (end == now.end())
    findings.add("the steps of the {} plan do not end in as many tiles as the target has", name(plan.method));
  else if (!end->second.contains(plan.fig11_cost))
    findings.add("a paper cost (figure 11) of {} elements is claimed, and it is {}", plan.fig11_cost,
                 *end->second.begin());
}

} // namespace tw::redistribute
