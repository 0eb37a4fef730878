// SPDX-License-Identifier: Apache-2.0
// Waves from beginning to end: of what is news, on each level of the policy, one axis after the other; and
// axes that become two on the way.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/watch.hpp"
#include "partition/choices.hpp"
#include "partition/policy.hpp"
#include "partition/propagation.hpp"

namespace tw::partition {

using graph::kNone;
using sharding::AxisId;

std::vector<Choice> of_parts(const std::vector<Choice> &chosen, AxisId axis) {
  std::vector<Choice> parts;
  for (const Choice &c : chosen) {
    parts.push_back({c.node, static_cast<AxisId>(c.axis + (c.axis > axis ? 1 : 0)), c.factor, c.when});
    if (c.axis == axis)
      parts.push_back({c.node, static_cast<AxisId>(axis + 1), c.factor, c.when});
  }
  return parts;
}

// What was set since waves last ended, oldest first; and the nodes of which it is not known what is news.
Propagation::News Propagation::find_news() const {
  const size_t begin = plan_.propagated_.empty() ? 0 : plan_.propagated_.back();
  News news;
  std::vector<Seed> &seeds = news.seeds;
  std::vector<NodeId> &new_pins = news.changed;
  std::unordered_map<NodeId, uint32_t> seen;
  size_t pins = plan_.pins_.size(), edits = plan_.edits_.size();
  std::vector<NodeId> edited; // by rewrites: all their loops are news, and so is what they lack
  for (size_t i = plan_.log_.size(); i-- > begin;)
    if (plan_.log_[i] == Plan::kLogEdit)
      if (const NodeId n = plan_.edits_[--edits].node; std::ranges::find(edited, n) == edited.end())
        edited.push_back(n);
  bool refined = false; // later: nests are longer than the log counts, so all of them is taken for news
  for (size_t i = plan_.log_.size(); i-- > begin;) {
    const uint32_t what = plan_.log_[i];
    if (what == Plan::kLogPin)
      new_pins.push_back(static_cast<NodeId>(plan_.roles_.size() + --pins));
    else if (what == Plan::kLogRefined)
      refined = true;
    else if (what < Plan::kLogBase && (edited.empty() || std::ranges::find(edited, what) == edited.end())) {
      const auto count = static_cast<uint32_t>(plan_.nest(what).size());
      uint32_t &from_end = seen[what];
      for (uint32_t end = refined ? count : from_end + 1; from_end < end; ++from_end)
        seeds.push_back({plan_.nest(what)[count - 1 - from_end].axis, what});
    }
  }
  for (const NodeId n : edited)
    for (const NestEntry &e : plan_.nest(n))
      seeds.push_back({e.axis, n});
  std::ranges::reverse(seeds);
  std::erase_if(seeds, [&](const Seed &seed) { return is_silent(*plan_.entry(seed.node, seed.axis)); });
  for (NodeId n = 0; n < plan_.num_nodes() && !heard_actions_.empty(); ++n)
    for (const NestEntry &e : plan_.nest(n))
      if (e.cause == kNone && heard_actions_.contains(e.action))
        seeds.push_back({e.axis, n});
  news.changed.insert(news.changed.end(), edited.begin(), edited.end());
  return news;
}

void Propagation::run() {
  heard_at_.assign(plan_.num_nodes(), 0);
  if (heard_actions_.empty())
    settled_.assign(plan_.nests_.counts().begin(), plan_.nests_.counts().end());
  else // these waves go on with those of the actions heard before
    settled_.assign(plan_.num_nodes(), 0);

  News news = find_news();
  std::vector<Seed> &seeds = news.seeds;
  std::vector<NodeId> &changed = news.changed;
  // Axes one after the other, in the order in which they were set, so that axes nest alike everywhere.
  std::vector<AxisId> order;
  for (const Seed &seed : seeds)
    if (std::ranges::find(order, seed.axis) == order.end())
      order.push_back(seed.axis);
  for (size_t a = 0; a < plan_.mesh_.num_axes(); ++a)
    if (std::ranges::find(order, static_cast<AxisId>(a)) == order.end())
      order.push_back(static_cast<AxisId>(a));

  for (level_ = first_level_; level_ < num_levels(policy_); ++level_) {
    if (level_ > first_level_) {
      changed = std::exchange(deferred_, {});
      std::ranges::sort(changed);
      changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
      seeds.clear();
    }
    run_level(order, seeds, changed);
  }
  level_ = num_levels(policy_) - 1;
  const bool turns = policy_ != Policy::explicit_ && silent_.empty() &&
                     direction_ != Direction::backward; // it is an operand that asks for it
  const std::span<const NodeId> nodes =
      turns ? std::span<const NodeId>(*plan_.turning_) : std::span<const NodeId>();
  for (size_t i = 0; i < order.size() && !nodes.empty() && !gives_up();) {
    seeds = turn(nodes, order[i]);
    i = seeds.empty() ? i + 1 : 0; // axes before it may reach more now
    if (!seeds.empty())
      run_level(order, seeds, {});
  }
  plan_.propagated_.push_back(plan_.log_.size());
  plan_.log_.push_back(Plan::kLogPropagated);
}

// A later axis may cover what an earlier one had to leave; then the earlier one goes on.
void Propagation::run_level(std::vector<AxisId> &order, std::vector<Seed> &seeds,
                            const std::vector<NodeId> &changed) {
  waits_ = true;
  waited_ = false;
  for (bool again = true, first = true; again && !gives_up(); first = false) {
    again = false;
    for (size_t i = 0; i < order.size(); ++i) {
      const AxisId axis = order[i];
      std::vector<NodeId> frontier, retry;
      if (first) {
        for (const Seed &seed : seeds)
          if (seed.axis == axis)
            frontier.push_back(seed.node);
        retry = changed;
      }
      for (const Conflict &c : plan_.conflicts_)
        if (c.axis == axis && (c.kind != Conflict::Kind::tie || lost_candidate(c)) &&
            (first || c.kind != Conflict::Kind::gate))
          retry.push_back(c.node);
      std::ranges::sort(frontier); // near in the program is near in memory
      if (frontier.empty() && retry.empty())
        continue;
      const Plan::Stamp before = plan_.stamp();
      const bool decided = run_axis(axis, frontier, retry);
      if (!part_) {
        again |= decided;
        continue;
      }
      plan_.undo_to(before);
      refines_ = refine(i, order, seeds);
      --i; // the same once more, with the parts
    }
    if (!again && waited_)
      again = std::exchange(waits_, false);
  }
  waits_ = false;
}

// The axis at this place of the order becomes two; false where it cannot.
bool Propagation::refine(size_t at, std::vector<AxisId> &order, std::vector<Seed> &seeds) {
  const AxisId axis = order[at];
  std::vector<NodeId> longer; // among the loops that were there before the waves
  for (NodeId n = 0; n < settled_.size(); ++n)
    if (std::ranges::count(plan_.nest(n).first(settled_[n]), axis, &NestEntry::axis) != 0)
      longer.push_back(n);
  if (!plan_.refine(axis, std::exchange(part_, std::nullopt)->places))
    return false;
  for (const NodeId n : longer)
    ++settled_[n];
  chosen_ = of_parts(chosen_, axis);
  for (AxisId &other : order)
    other += other > axis ? 1 : 0;
  order.insert(order.begin() + static_cast<ptrdiff_t>(at) + 1, static_cast<AxisId>(axis + 1));
  for (size_t i = 0, count = seeds.size(); i < count; ++i)
    if (seeds[i].axis > axis)
      ++seeds[i].axis;
    else if (seeds[i].axis == axis)
      seeds.push_back({static_cast<AxisId>(axis + 1), seeds[i].node});
  return true;
}

void Plan::propagate(Mode mode, const ActionSet &silent, const ActionSet &heard) {
  const Waves how{.mode = mode, .silent = silent, .heard = heard};
  if (count_moves_ != nullptr && takes_largest(policy_))
    Choices(*this, how).run();
  else
    Propagation(*this, how).run();
}

} // namespace tw::partition
