// SPDX-License-Identifier: Apache-2.0
// Chains get the number of the layer in which they begin, and are cut to layers that all have.
#include "search/cut_layers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace tw::search {

using graph::Graph;
using graph::kNone;
using graph::OpId;
using graph::Use;
using graph::ValueId;

namespace {

constexpr size_t kLengths = 4; // numbers of layers that are tried

// Cuts chains to as many layers as most bytes of arguments have. A norm behind the last layer looks like
// those in front of each, so its chain is longer: it begins where most of what it feeds and is fed by does.
class Cutter {
public:
  Cutter(const Graph &graph, const std::vector<Role> &chains)
      : graph_(graph), chains_(chains), begin_(chains.size()) {
    for (size_t c = 0; c < chains.size(); ++c)
      for (size_t i = 0; i < chains[c].size(); ++i)
        places_[chains[c][i]] = {c, static_cast<int64_t>(i)};
  }

  // Of the numbers of layers that most chains have, the one with which most ops have roles.
  std::optional<Stack> run() {
    std::map<size_t, size_t> chains_by_length;
    for (const Role &chain : chains_)
      ++chains_by_length[chain.size()];
    std::vector<std::pair<size_t, size_t>> lengths; // and how many have it
    for (const auto &[length, count] : chains_by_length)
      lengths.emplace_back(count, length);
    std::ranges::sort(lengths, std::greater<>());
    lengths.resize(std::min(lengths.size(), kLengths));
    std::optional<Stack> best;
    for (const auto &[count, length] : lengths)
      if (Stack stack = cut(length);
          !best || stack.num_layers * stack.roles.size() > best->num_layers * best->roles.size())
        best = std::move(stack);
    return best;
  }

private:
  struct Place {
    size_t chain;
    int64_t at;
  };

  Stack cut(size_t num_layers) {
    begin_.assign(chains_.size(), std::nullopt);
    set_.clear();
    followed_ = 0;
    Stack stack{num_layers, {}};
    for (size_t c = 0; c < chains_.size(); ++c)
      if (chains_[c].size() == num_layers)
        set(c, 0);
    const auto layers = static_cast<int64_t>(num_layers);
    while (reach_neighbours(layers)) {
    }
    for (size_t c = 0; c < chains_.size(); ++c)
      if (const auto begin = begin_[c]; begin && has_all(c, *begin, layers)) {
        const auto first = chains_[c].begin() - *begin;
        stack.roles.emplace_back(first, first + layers);
      }
    drop_unlike(stack);
    std::ranges::sort(stack.roles);
    return stack;
  }

  // Roles of which an operand is not the same in all layers: one value, or of one role at one distance of
  // layers; what comes in at the ends of the stack may be anything. Dropping one may leave others so.
  void drop_unlike(Stack &stack) const {
    std::unordered_map<OpId, std::pair<size_t, int64_t>> roles; // and layer
    const auto layers = static_cast<int64_t>(stack.num_layers);
    for (size_t r = 0; r < stack.roles.size(); ++r)
      for (int64_t k = 0; k < layers; ++k)
        roles[stack.roles[r][static_cast<size_t>(k)]] = {r, k};
    const auto same = [&](const Role &role, size_t operand) {
      const auto value = [&](int64_t k) { return graph_.operands(role[static_cast<size_t>(k)])[operand]; };
      bool one = true;
      for (int64_t k = 1; k < layers; ++k)
        one = one && value(k) == value(0);
      if (one)
        return true;
      std::optional<std::pair<size_t, int64_t>> of; // role, distance
      uint32_t index = 0;
      for (int64_t k = 0; k < layers && !of; ++k)
        if (const auto at = roles.find(graph_.value(value(k)).def); at != roles.end()) {
          of = {at->second.first, at->second.second - k};
          index = graph_.value(value(k)).index;
        }
      // Another value at an end of the stack alone says nothing of the layers.
      if (!of || std::abs(of->second) >= layers)
        return false;
      for (int64_t k = 0; k < layers; ++k) {
        if (k + of->second < 0 || k + of->second >= layers)
          continue;
        const graph::Value &v = graph_.value(value(k));
        const auto at = roles.find(v.def);
        if (at == roles.end() || v.index != index || at->second != std::pair(of->first, k + of->second))
          return false;
      }
      return true;
    };
    for (bool again = true; again;) {
      again = false;
      for (Role &role : stack.roles) {
        if (role.empty())
          continue;
        bool good = true;
        for (size_t i = 0; good && i < graph_.op(role[0]).num_operands; ++i)
          good = same(role, i);
        if (good)
          continue;
        for (const OpId op : role)
          roles.erase(op);
        role.clear();
        again = true;
      }
    }
    std::erase_if(stack.roles, [](const Role &role) { return role.empty(); });
  }

  void set(size_t chain, int64_t begin) {
    begin_[chain] = begin;
    set_.push_back(chain);
  }
  bool has_all(size_t chain, int64_t begin, int64_t layers) const {
    return begin <= 0 && begin + static_cast<int64_t>(chains_[chain].size()) >= layers;
  }
  // Chains beside those that were set last, all of them at once, so that each hears all of these. What one
  // layer hands to the next is beside both, so a chain that could have all layers begins where it has.
  bool reach_neighbours(int64_t layers) {
    std::map<size_t, std::map<int64_t, size_t>> votes; // by chain, for each begin
    const auto vote = [&](OpId op, int64_t layer) {
      const auto found = op == kNone ? places_.end() : places_.find(op);
      if (found == places_.end() || begin_[found->second.chain])
        return;
      const auto [chain, at] = found->second;
      if (static_cast<int64_t>(chains_[chain].size()) < layers || has_all(chain, layer - at, layers))
        ++votes[chain][layer - at];
    };
    for (; followed_ < set_.size(); ++followed_)
      each(set_[followed_], [&](OpId op, int64_t layer) {
        for (const ValueId v : graph_.operands(op))
          vote(graph_.value(v).def, layer);
        for (uint32_t r = 0; r < graph_.op(op).num_results; ++r)
          for (const Use &use : graph_.uses(graph_.result(op, r)))
            vote(use.op, layer);
      });
    for (const auto &[chain, begins] : votes)
      set(chain, std::ranges::max_element(begins, {}, [](const auto &begin) { return begin.second; })->first);
    return !votes.empty();
  }
  template <class Do> void each(size_t chain, Do &&act) {
    for (size_t i = 0; i < chains_[chain].size(); ++i)
      act(chains_[chain][i], *begin_[chain] + static_cast<int64_t>(i));
  }

  const Graph &graph_;
  const std::vector<Role> &chains_;
  std::vector<std::optional<int64_t>> begin_; // the layer of a chain's first op
  std::unordered_map<OpId, Place> places_;
  std::vector<size_t> set_; // chains of which it is known
  size_t followed_ = 0;     // of these
};

} // namespace

std::optional<Stack> cut_layers(const Graph &graph, const std::vector<Role> &chains) {
  return Cutter(graph, chains).run();
}

} // namespace tw::search
