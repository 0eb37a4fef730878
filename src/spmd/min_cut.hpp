// SPDX-License-Identifier: Apache-2.0
// Minimum cut of a small directed graph (Dinic's method). The Boost graph library would bring more code than
// this has lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace tw::spmd {

// One object may serve many graphs, one after the other, in the same memory.
class MinCut {
public:
  static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max() / 4;

  explicit MinCut(size_t num_nodes = 0) { clear(num_nodes); }

  // Begins a graph of some nodes without arcs.
  void clear(size_t num_nodes) {
    first_.assign(num_nodes, kNone);
    arcs_.clear();
  }

  uint32_t add_node() {
    first_.push_back(kNone);
    return static_cast<uint32_t>(first_.size() - 1);
  }

  void add(uint32_t from, uint32_t to, int64_t capacity) {
    add_arc(from, to, capacity);
    add_arc(to, from, 0);
  }

  // Of the cheapest cuts the one nearest to the source: per node, whether it is on the source's side.
  std::vector<bool> solve(uint32_t source, uint32_t sink) {
    while (find_levels(source, sink)) {
      next_ = first_;
      while (push(source, sink))
        ;
    }
    std::vector<bool> reached(level_.size());
    for (size_t n = 0; n < reached.size(); ++n)
      reached[n] = level_[n] != kUnseen;
    return reached;
  }

private:
  static constexpr uint32_t kNone = ~uint32_t{0}, kUnseen = kNone;
  struct Arc {
    uint32_t to;
    uint32_t next; // of the same node
    int64_t left;
  };

  void add_arc(uint32_t from, uint32_t to, int64_t capacity) {
    arcs_.push_back({to, first_[from], capacity});
    first_[from] = static_cast<uint32_t>(arcs_.size() - 1);
  }

  bool find_levels(uint32_t source, uint32_t sink) {
    level_.assign(first_.size(), kUnseen);
    level_[source] = 0;
    queue_.assign(1, source);
    for (size_t i = 0; i < queue_.size(); ++i)
      for (uint32_t a = first_[queue_[i]]; a != kNone; a = arcs_[a].next)
        if (arcs_[a].left > 0 && level_[arcs_[a].to] == kUnseen) {
          level_[arcs_[a].to] = level_[queue_[i]] + 1;
          queue_.push_back(arcs_[a].to);
        }
    return level_[sink] != kUnseen;
  }

  // One path through ascending levels, without recursion: it may be as long as a program.
  bool push(uint32_t source, uint32_t sink) {
    path_.clear();
    for (uint32_t at = source; at != sink;) {
      uint32_t &next = next_[at];
      while (next != kNone && (arcs_[next].left <= 0 || level_[arcs_[next].to] != level_[at] + 1))
        next = arcs_[next].next;
      if (next != kNone) {
        path_.push_back(next);
        at = arcs_[next].to;
      } else if (path_.empty()) {
        return false;
      } else { // a dead end
        at = arcs_[path_.back() ^ 1].to;
        path_.pop_back();
        next_[at] = arcs_[next_[at]].next;
      }
    }
    int64_t amount = kUnlimited;
    for (const uint32_t a : path_)
      amount = std::min(amount, arcs_[a].left);
    for (const uint32_t a : path_) {
      arcs_[a].left -= amount;
      arcs_[a ^ 1].left += amount;
    }
    return true;
  }

  std::vector<uint32_t> first_; // arc of each node
  std::vector<Arc> arcs_;       // arc a and its reverse a ^ 1
  std::vector<uint32_t> level_, next_, queue_, path_;
};

} // namespace tw::spmd
