// SPDX-License-Identifier: Apache-2.0
// Minimum cut of a small directed graph (Dinic's method). The Boost graph library would bring more code than this has lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace tw::spmd {

class MinCut {
public:
  static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max() / 4;

  explicit MinCut(size_t num_nodes) : arcs_of_(num_nodes) {}

  void add(uint32_t from, uint32_t to, int64_t capacity) {
    arcs_of_[from].push_back(static_cast<uint32_t>(arcs_.size()));
    arcs_.push_back({to, capacity});
    arcs_of_[to].push_back(static_cast<uint32_t>(arcs_.size()));
    arcs_.push_back({from, 0});
  }

  // Of the cheapest cuts the one nearest to the source: per node, whether it is on the source's side.
  std::vector<bool> solve(uint32_t source, uint32_t sink) {
    while (find_levels(source, sink)) {
      next_.assign(arcs_of_.size(), 0);
      while (push(source, sink))
        ;
    }
    std::vector<bool> reached(level_.size());
    for (size_t n = 0; n < reached.size(); ++n)
      reached[n] = level_[n] != kUnseen;
    return reached;
  }

private:
  struct Arc {
    uint32_t to;
    int64_t left;
  };
  static constexpr uint32_t kUnseen = ~uint32_t{0};

  bool find_levels(uint32_t source, uint32_t sink) {
    level_.assign(arcs_of_.size(), kUnseen);
    level_[source] = 0;
    std::vector<uint32_t> queue{source};
    for (size_t i = 0; i < queue.size(); ++i)
      for (const uint32_t a : arcs_of_[queue[i]])
        if (arcs_[a].left > 0 && level_[arcs_[a].to] == kUnseen) {
          level_[arcs_[a].to] = level_[queue[i]] + 1;
          queue.push_back(arcs_[a].to);
        }
    return level_[sink] != kUnseen;
  }

  // One path through ascending levels, without recursion: it may be as long as a program.
  bool push(uint32_t source, uint32_t sink) {
    std::vector<uint32_t> path; // arcs
    for (uint32_t at = source; at != sink;) {
      uint32_t &next = next_[at];
      while (next < arcs_of_[at].size()) {
        const Arc &arc = arcs_[arcs_of_[at][next]];
        if (arc.left > 0 && level_[arc.to] == level_[at] + 1)
          break;
        ++next;
      }
      if (next < arcs_of_[at].size()) {
        path.push_back(arcs_of_[at][next]);
        at = arcs_[path.back()].to;
      } else if (path.empty()) {
        return false;
      } else { // a dead end
        at = arcs_[path.back() ^ 1].to;
        path.pop_back();
        ++next_[at];
      }
    }
    int64_t amount = kUnlimited;
    for (const uint32_t a : path)
      amount = std::min(amount, arcs_[a].left);
    for (const uint32_t a : path) {
      arcs_[a].left -= amount;
      arcs_[a ^ 1].left += amount;
    }
    return true;
  }

  std::vector<std::vector<uint32_t>> arcs_of_; // per node; arc a and its reverse a ^ 1
  std::vector<Arc> arcs_;
  std::vector<uint32_t> level_, next_;
};

} // namespace tw::spmd
