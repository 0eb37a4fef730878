// SPDX-License-Identifier: Apache-2.0
// Two arguments that look alike and are used one after the other start a map, which follows operands and
// users as far as both sides agree. Its chains, op -> op -> .., are the roles.
#include "search/layers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/watch.hpp"
#include "search/cut_layers.hpp"
#include "search/looks.hpp"

namespace tw::search {

using graph::Graph;
using graph::kNone;
using graph::OpId;
using graph::Use;
using graph::ValueId;

namespace {

constexpr size_t kFirstTries = 8;  // arguments of a kind that may begin a stack
constexpr size_t kSecondTries = 4; // times at which the second layer may begin
constexpr size_t kMostGrown = 64;  // times the ops of the program that all maps may have

// From ops to those of the next layer. Neither side has an op twice.
class Shift {
public:
  Shift(const Graph &graph, const Looks &looks, const std::vector<bool> &taken)
      : graph_(graph), looks_(looks), taken_(taken) {}

  // First what looks the same from afar, then what does by itself: at the ends of a stack the surroundings
  // differ.
  void grow(OpId from, OpId to) {
    add(from, to);
    size_t far = 0, near = 0; // of added_, those that were followed
    while (near < added_.size()) {
      for (; far < added_.size(); ++far)
        follow(added_[far], true);
      follow(added_[near++], false);
    }
    drop_contradictions();
  }

  size_t size() const { return next_.size(); }
  // Chains of two ops or more.
  std::vector<Role> chains() const {
    std::vector<Role> all;
    for (const auto &[x, y] : added_) {
      if (before_.contains(x) || !next_.contains(x))
        continue;
      Role &chain = all.emplace_back(Role{x});
      for (auto at = next_.find(x); at != next_.end(); at = next_.find(chain.back()))
        chain.push_back(at->second);
    }
    return all;
  }

private:
  void add(OpId x, OpId y) {
    if (x == y || taken_[x] || taken_[y] || next_.contains(x) || before_.contains(y) ||
        graph_.op(x).parent != 0 || graph_.op(y).parent != 0 || !looks_.alike(x, y))
      return;
    next_[x] = y;
    before_[y] = x;
    added_.emplace_back(x, y);
  }

  void follow_operands(OpId x, OpId y) {
    const auto a = graph_.operands(x), b = graph_.operands(y);
    for (size_t i = 0; i < a.size(); ++i)
      if (const auto &v = graph_.value(a[i]), &w = graph_.value(b[i]);
          v.def != kNone && w.def != kNone && v.index == w.index)
        add(v.def, w.def);
  }

  void follow(std::pair<OpId, OpId> pair, bool far) {
    const auto [x, y] = pair;
    if (far)
      follow_operands(x, y);
    for (uint32_t i = 0; i < graph_.op(x).num_results; ++i)
      follow_users(graph_.result(x, i), graph_.result(y, i), far);
  }

  // Users of one look and operand, where one on each side has it; other ways lead to the rest.
  void follow_users(ValueId v, ValueId w, bool far) {
    using Users = std::pair<std::vector<OpId>, std::vector<OpId>>;
    std::map<std::pair<uint64_t, uint32_t>, Users> by_look;
    const auto look = [&](OpId op) { return far ? looks_.far(op) : looks_.own(op); };
    for (const Use &use : graph_.uses(v))
      if (!next_.contains(use.op))
        by_look[{look(use.op), use.operand}].first.push_back(use.op);
    for (const Use &use : graph_.uses(w))
      if (!before_.contains(use.op))
        by_look[{look(use.op), use.operand}].second.push_back(use.op);
    for (const auto &[key, users] : by_look)
      if (users.first.size() == 1 && users.second.size() == 1)
        add(users.first[0], users.second[0]);
  }

  // Ops with an operand that goes elsewhere than the map says.
  void drop_contradictions() {
    std::vector<OpId> wrong;
    for (const auto &[x, y] : next_) {
      const auto a = graph_.operands(x), b = graph_.operands(y);
      for (size_t i = 0; i < a.size(); ++i) {
        const graph::Value &from = graph_.value(a[i]), &to = graph_.value(b[i]);
        const auto mapped = from.def == kNone ? next_.end() : next_.find(from.def);
        if (mapped != next_.end() && a[i] != b[i] && (mapped->second != to.def || from.index != to.index)) {
          wrong.push_back(x);
          break;
        }
      }
    }
    for (const OpId x : wrong) {
      before_.erase(next_[x]);
      next_.erase(x);
    }
  }

  const Graph &graph_;
  const Looks &looks_;
  const std::vector<bool> &taken_;
  std::unordered_map<OpId, OpId> next_, before_;
  std::vector<std::pair<OpId, OpId>> added_;
};

double bytes_of(const Graph &graph, OpId argument) {
  return static_cast<double>(graph.type(graph.result(argument)).bytes());
}

} // namespace

std::vector<Stack> find_stacks(const Graph &graph) { return find_stacks(graph, Looks(graph)); }

std::vector<Stack> find_stacks(const Graph &graph, const Looks &looks) {
  std::vector<bool> taken(graph.ops().size(), false);
  // Arguments that look alike, the most bytes first; in each kind in the order of their uses.
  std::map<uint64_t, std::vector<OpId>> by_look;
  for (const OpId argument : graph.arguments())
    if (!graph.uses(graph.result(argument)).empty())
      by_look[looks.far(argument)].push_back(argument);
  std::vector<std::vector<OpId>> kinds;
  for (auto &[look, alike] : by_look)
    if (alike.size() > 1) {
      std::ranges::stable_sort(alike, {}, [&](OpId a) { return looks.time_of(a); });
      kinds.push_back(std::move(alike));
    }
  // Weights before what an optimizer keeps, which is used near the end, and looks alike in more places.
  uint32_t longest = 0;
  for (const OpId argument : graph.arguments())
    longest = std::max(longest, looks.ops_behind(argument));
  const auto is_late = [&](const std::vector<OpId> &alike) {
    return looks.ops_behind(alike[0]) < longest / 2;
  };
  std::ranges::stable_sort(kinds, {}, [&](const std::vector<OpId> &alike) {
    return std::pair(is_late(alike), -bytes_of(graph, alike[0]) * static_cast<double>(alike.size()));
  });

  std::vector<Stack> stacks;
  size_t grown = 0; // ops of all maps
  for (const std::vector<OpId> &alike : kinds) {
    if (gives_up())
      break;
    std::vector<uint32_t> times;
    for (const OpId argument : alike)
      times.push_back(looks.time_of(argument));
    for (size_t first = 0, tries = 0; first < alike.size() && tries < kFirstTries; ++first) {
      if (taken[alike[first]])
        continue;
      ++tries;
      std::optional<Shift> best;
      size_t places = 0;
      for (size_t second = first + 1;
           second < alike.size() && places < kSecondTries && grown < kMostGrown * taken.size() && !gives_up();
           ++second) {
        if (taken[alike[second]] || times[second] <= times[first])
          continue;
        places += second + 1 == alike.size() || times[second + 1] != times[second];
        Shift shift(graph, looks, taken);
        shift.grow(alike[first], alike[second]);
        grown += shift.size();
        if (!best || shift.size() > best->size())
          best.emplace(std::move(shift));
      }
      if (!best)
        continue;
      const std::vector<Role> chains = best->chains();
      auto stack = cut_layers(graph, chains);
      if (!stack || stack->roles.size() < 2 || (stack->num_layers == 2 && is_late(alike)))
        continue; // any two may be kept alike
      for (const Role &role : stack->roles)
        for (const OpId op : role)
          taken[op] = true;
      stacks.push_back(*std::move(stack));
    }
  }
  return stacks;
}

} // namespace tw::search
