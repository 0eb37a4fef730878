// SPDX-License-Identifier: Apache-2.0
// Distances by Dijkstra's algorithm from either end; paths in order by best-first search with the distance to go.
#include "redistribute/shape_paths.hpp"

#include <algorithm>

namespace tw::redistribute {

namespace {

// One run of A*, its memory kept per thread. `Ahead` estimates how far a state is from the other end: never too much, and never more
// than a step leads nearer.
template <typename Ahead> class Frontier {
public:
  Frontier(const ShapeProblem &p, Distances &d, Ahead ahead) : d_(d), ahead_(ahead) {
    d.length.assign(p.graph->num_states(), kUnreachable);
    d.next.assign(p.graph->num_states(), kNoState);
    settled().assign(p.graph->num_states(), 0);
    heap().clear();
  }
  void reach(State s, Length length, State next) {
    const auto at = static_cast<size_t>(s);
    if (length >= d_.length[at])
      return;
    const Length whole = length + ahead_(s);
    if (whole >= bound)
      return;
    d_.length[at] = length;
    d_.next[at] = next;
    heap().push_back({whole, s});
    std::push_heap(heap().begin(), heap().end());
  }
  // The next state whose distance is known, none beyond the bound.
  State settle() {
    while (!heap().empty()) {
      std::pop_heap(heap().begin(), heap().end());
      const Entry top = heap().back();
      heap().pop_back();
      if (top.whole >= bound)
        break;
      if (settled()[static_cast<size_t>(top.state)]++ == 0)
        return top.state;
    }
    return kNoState;
  }

  Length bound = kUnreachable; // of a whole path

private:
  struct Entry {
    Length whole;
    State state;
    bool operator<(const Entry &o) const { return whole != o.whole ? whole > o.whole : state > o.state; }
  };
  static std::vector<Entry> &heap() {
    static thread_local std::vector<Entry> heap;
    return heap;
  }
  static std::vector<uint8_t> &settled() {
    static thread_local std::vector<uint8_t> settled;
    return settled;
  }
  Distances &d_;
  Ahead ahead_;
};

// Visits the states that differ in one dimension (scalar), or in any (vector).
template <typename Each> void each_group(const ShapeProblem &p, Each &&each) {
  const size_t digits = p.graph->num_digits(), primes = p.graph->primes().size();
  if (p.ops == OpSet::vector)
    each(0, digits);
  else
    for (size_t digit = 0; digit < digits; digit += primes)
      each(digit, digit + primes);
}

template <typename F> void each_gathered(const ShapeProblem &p, State s, F &&f) {
  each_group(p, [&](size_t begin, size_t end) { p.graph->each_coarser(s, begin, end, f); });
}

// Of the tiles on the way from a state to the target, whose distances are known, the smallest.
int64_t least_size(const ShapeProblem &p, State s, const Distances &to_target) {
  int64_t least = p.size(s);
  while ((s = to_target.next[static_cast<size_t>(s)]) != kNoState)
    least = std::min(least, p.size(s));
  return least;
}

// Where all states of a level lead to one another, what a level offers counts once.
bool cliques(const ShapeProblem &p) { return p.ops == OpSet::vector && p.graph->one_prime(); }

} // namespace

Length distances_to_target(const ShapeProblem &p, Distances &d) {
  static thread_local std::vector<uint8_t> sliced; // states to which the source's tiles can be sliced
  static thread_local std::vector<Length> level_best;
  const TileGraph &graph = *p.graph;
  sliced.assign(graph.num_states(), 0);
  level_best.assign(graph.num_levels(), kUnreachable);
  sliced[static_cast<size_t>(p.source)] = 1;
  graph.each_finer(p.source, 0, graph.num_digits(),
                   [&](State s) { return sliced[static_cast<size_t>(s)] = 1; });
  // To any other state, the last step that communicates ends at a tile no smaller.
  Frontier frontier(p, d,
                    [&](State s) { return sliced[static_cast<size_t>(s)] != 0 ? Length{} : p.step_to(s); });
  frontier.reach(p.target, {}, kNoState);
  for (State s; (s = frontier.settle()) != kNoState;) {
    const Length here = d.to(s);
    if (s == p.source) // of all else, only what could be cheaper than this path with a permutation matters
      frontier.bound = here + Length{least_size(p, s, d), 1};
    for (size_t digit = 0; digit < graph.num_digits(); ++digit) { // who slices to here
      const State from = graph.coarser(s, digit);
      if (from != kNoState && p.allowed(from))
        frontier.reach(from, here, s);
    }
    const Length through = here + p.step_to(s);
    if (through >= frontier.bound)
      continue;
    each_group(p, [&](size_t begin, size_t end) { // who gathers to here
      graph.each_finer(s, begin, end, [&](State from) {
        if (!p.allowed(from))
          return false;
        frontier.reach(from, through, s);
        return true;
      });
    });
    if (cliques(p)) {
      if (through >= level_best[graph.level(s)])
        continue;
      level_best[graph.level(s)] = through;
    }
    graph.each_exchanged(s, p.ops, [&](State from) {
      if (p.allowed(from))
        frontier.reach(from, through, s);
    });
  }
  return frontier.bound;
}

Length with_one_permutation(const ShapeProblem &p, const Distances &to_target, Distances &d, State &at) {
  static thread_local std::vector<Length> level_best;
  const TileGraph &graph = *p.graph;
  level_best.assign(graph.num_levels(), kUnreachable);
  Length best = kUnreachable;
  Frontier frontier(p, d, [&](State s) { return to_target.to(s); });
  frontier.reach(p.source, {}, kNoState);
  for (State s; (s = frontier.settle()) != kNoState;) {
    const Length here = d.to(s);
    if (const Length whole = here + p.step_to(s) + to_target.to(s); whole < best) {
      best = whole;
      at = s;
      frontier.bound = best;
    }
    for (size_t digit = 0; digit < graph.num_digits(); ++digit) {
      const State to = graph.finer(s, digit);
      if (to != kNoState && p.allowed(to))
        frontier.reach(to, here, s);
    }
    each_gathered(p, s, [&](State to) {
      const Length there = here + p.step_to(to);
      if (!p.allowed(to) || there >= best)
        return false;
      frontier.reach(to, there, s);
      return true;
    });
    if (cliques(p)) {
      if (here >= level_best[graph.level(s)])
        continue;
      level_best[graph.level(s)] = here;
    }
    graph.each_exchanged(s, p.ops, [&](State to) {
      if (p.allowed(to))
        frontier.reach(to, here + p.step_to(to), s);
    });
  }
  return best;
}

void PathsInOrder::start(const ShapeProblem &p, const Distances &to_target, Length bound) {
  p_ = p;
  to_target_ = &to_target;
  bound_ = bound;
  nodes_.clear();
  heap_.clear();
  push(p.source, -1, {}, false);
}

bool PathsInOrder::push(State s, int32_t parent, Length length, bool sliced) {
  const Length whole = length + to_target_->to(s);
  if (whole >= bound_)
    return false;
  const auto node = static_cast<int32_t>(nodes_.size());
  nodes_.push_back({s, parent, length, sliced});
  heap_.push_back({whole, node});
  std::push_heap(heap_.begin(), heap_.end());
  return true;
}

void PathsInOrder::expand(int32_t index) {
  const Node node = nodes_[static_cast<size_t>(index)];
  const TileGraph &graph = *p_.graph;
  if (!node.sliced)
    graph.each_finer(node.state, 0, graph.num_digits(), [&](State to) {
      // The finer a tile, the longer the way: a tile could be sliced to it first.
      return p_.allowed(to) && push(to, index, node.length, true);
    });
  each_gathered(p_, node.state, [&](State to) {
    if (!p_.allowed(to))
      return false;
    push(to, index, node.length + p_.step_to(to), false);
    return true;
  });
  graph.each_exchanged(node.state, p_.ops, [&](State to) {
    if (p_.allowed(to))
      push(to, index, node.length + p_.step_to(to), false);
  });
}

Length PathsInOrder::ahead() const {
  return heap_.empty() || heap_.front().length >= bound_ ? kUnreachable : heap_.front().length;
}

std::span<const State> PathsInOrder::next(int64_t most) {
  path_.clear();
  while (ahead() != kUnreachable && ahead().cost <= most && nodes_.size() < kMaxWork) {
    const int32_t index = heap_.front().node;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    if (nodes_[static_cast<size_t>(index)].state != p_.target) {
      expand(index);
      continue;
    }
    for (int32_t at = index; at != -1; at = nodes_[static_cast<size_t>(at)].parent)
      path_.push_back(nodes_[static_cast<size_t>(at)].state);
    std::reverse(path_.begin(), path_.end());
    break;
  }
  return path_;
}

} // namespace tw::redistribute
