// SPDX-License-Identifier: Apache-2.0
// Distances by Dijkstra's algorithm from either end; paths in order by best-first search with the distance to
// go.
#include "redistribute/shape_paths.hpp"

#include <algorithm>

#include "base/watch.hpp"

namespace tw::redistribute {

namespace {

constexpr size_t kNoNode = ~size_t{0};

// One run of A*, its memory kept per thread. `Ahead` estimates how far a state is from the other end: never
// too much, and never more than a step leads nearer.
template <typename Ahead> class Frontier {
public:
  Frontier(size_t nodes, std::vector<Length> &length, Length limit, Ahead ahead)
      : bound(limit), length_(length), ahead_(ahead) {
    length.assign(nodes, kUnreachable);
    settled().assign(nodes, 0);
    heap().clear();
  }
  // Whether that is the shortest way so far.
  bool reach(size_t node, Length length) {
    if (length >= length_[node])
      return false;
    const Length whole = length + ahead_(node);
    if (whole >= bound)
      return false;
    length_[node] = length;
    heap().push_back({whole, node});
    std::push_heap(heap().begin(), heap().end());
    return true;
  }
  // The next node whose distance is known, none beyond the bound.
  size_t settle() {
    while (!heap().empty()) {
      std::pop_heap(heap().begin(), heap().end());
      const Entry top = heap().back();
      heap().pop_back();
      if (top.whole >= bound)
        break;
      if (settled()[top.node]++ == 0)
        return top.node;
    }
    return kNoNode;
  }

  Length bound; // of a whole path

private:
  struct Entry {
    Length whole;
    size_t node;
    bool operator<(const Entry &o) const { return whole != o.whole ? whole > o.whole : node > o.node; }
  };
  static std::vector<Entry> &heap() {
    static thread_local std::vector<Entry> heap;
    return heap;
  }
  static std::vector<uint8_t> &settled() {
    static thread_local std::vector<uint8_t> settled;
    return settled;
  }
  std::vector<Length> &length_;
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

Length distances_to_target(const ShapeProblem &p, std::span<const Need> needs, Length bound, Distances &d) {
  static thread_local std::vector<uint8_t> sliced; // states to which the source's tiles can be sliced
  static thread_local std::vector<Length> level_best;
  const TileGraph &graph = *p.graph;
  const size_t states = graph.num_states(), sets = size_t{1} << needs.size();
  d.states = states;
  d.next.assign(states, kNoState);
  d.met.assign(states, 0);
  for (size_t need = 0; need < needs.size(); ++need)
    for (size_t s = 0; s < states; ++s)
      if (graph.exponents(static_cast<State>(s))[needs[need].digit] <= needs[need].exponent)
        d.met[s] |= static_cast<uint8_t>(1 << need);
  sliced.assign(states, 0);
  level_best.assign(sets * graph.num_levels(), kUnreachable);
  sliced[static_cast<size_t>(p.source)] = 1;
  graph.each_finer(p.source, 0, graph.num_digits(),
                   [&](State s) { return sliced[static_cast<size_t>(s)] = 1; });

  // To any other state, the last step that communicates ends at a tile no smaller.
  Frontier frontier(sets * states, d.length, bound, [&](size_t node) {
    const auto s = static_cast<State>(node % states);
    return sliced[node % states] != 0 ? Length{} : p.step_to(s);
  });
  frontier.reach(static_cast<size_t>(p.target), {});
  for (size_t node; (node = frontier.settle()) != kNoNode;) {
    const auto s = static_cast<State>(node % states);
    const auto ahead = static_cast<uint8_t>(node / states); // the needs that are met from here on
    const Length here = d.to(s, ahead);
    if (needs.empty() &&
        s == p.source) // of all else, only what could be cheaper than this path with a permutation matters
      frontier.bound = std::min(frontier.bound, here + Length{least_size(p, s, d), 1});
    for (uint8_t rest = ahead; rest != 0; rest &= static_cast<uint8_t>(rest - 1)) // who needs less
      frontier.reach((ahead & ~(rest & -rest)) * states + static_cast<size_t>(s), here);
    const uint8_t met = ahead | d.met[static_cast<size_t>(s)];
    const auto reach = [&](State from, Length length) {
      if (frontier.reach(d.left(from, met) * states + static_cast<size_t>(from), length))
        d.next[static_cast<size_t>(from)] = s;
    };
    for (size_t digit = 0; digit < graph.num_digits(); ++digit) { // who slices to here
      const State from = graph.coarser(s, digit);
      if (from != kNoState && p.allowed(from))
        reach(from, here);
    }
    const Length through = here + p.step_to(s);
    if (through >= frontier.bound)
      continue;
    each_group(p, [&](size_t begin, size_t end) { // who gathers to here
      graph.each_finer(s, begin, end, [&](State from) {
        if (!p.allowed(from))
          return false;
        reach(from, through);
        return true;
      });
    });
    if (cliques(p)) {
      Length &best = level_best[met * graph.num_levels() + graph.level(s)];
      if (through >= best)
        continue;
      best = through;
    }
    graph.each_exchanged(s, p.ops, [&](State from) {
      if (p.allowed(from))
        reach(from, through);
    });
  }
  return frontier.bound;
}

Length with_one_permutation(const ShapeProblem &p, const Distances &to_target, Distances &d, State &at) {
  static thread_local std::vector<Length> level_best;
  const TileGraph &graph = *p.graph;
  level_best.assign(graph.num_levels(), kUnreachable);
  d.states = graph.num_states();
  d.next.assign(d.states, kNoState);
  Length best = kUnreachable;
  Frontier frontier(d.states, d.length, kUnreachable,
                    [&](size_t node) { return to_target.to(static_cast<State>(node)); });
  const auto reach = [&](State to, Length length, State from) {
    if (frontier.reach(static_cast<size_t>(to), length))
      d.next[static_cast<size_t>(to)] = from;
  };
  reach(p.source, {}, kNoState);
  for (size_t node; (node = frontier.settle()) != kNoNode;) {
    const auto s = static_cast<State>(node);
    const Length here = d.to(s);
    if (const Length whole = here + p.step_to(s) + to_target.to(s); whole < best) {
      best = whole;
      at = s;
      frontier.bound = best;
    }
    for (size_t digit = 0; digit < graph.num_digits(); ++digit) {
      const State to = graph.finer(s, digit);
      if (to != kNoState && p.allowed(to))
        reach(to, here, s);
    }
    each_gathered(p, s, [&](State to) {
      const Length there = here + p.step_to(to);
      if (!p.allowed(to) || there >= best)
        return false;
      reach(to, there, s);
      return true;
    });
    if (cliques(p)) {
      if (here >= level_best[graph.level(s)])
        continue;
      level_best[graph.level(s)] = here;
    }
    graph.each_exchanged(s, p.ops, [&](State to) {
      if (p.allowed(to))
        reach(to, here + p.step_to(to), s);
    });
  }
  return best;
}

void PathsInOrder::start(const ShapeProblem &p, const Distances &to_target, Length bound, size_t work) {
  p_ = p;
  to_target_ = &to_target;
  bound_ = bound;
  work_ = work;
  nodes_.clear();
  heap_.clear();
  const size_t sets = to_target.length.size() / to_target.states;
  push(p.source, -1, {}, false, static_cast<uint8_t>(sets - 1));
}

bool PathsInOrder::push(State s, int32_t parent, Length length, bool sliced, uint8_t needs) {
  needs = to_target_->left(s, needs);
  const Length whole = length + to_target_->to(s, needs);
  if (whole >= bound_)
    return false;
  const auto node = static_cast<int32_t>(nodes_.size());
  nodes_.push_back({s, parent, length, sliced, needs});
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
      return p_.allowed(to) && push(to, index, node.length, true, node.needs);
    });
  each_gathered(p_, node.state, [&](State to) {
    if (!p_.allowed(to))
      return false;
    push(to, index, node.length + p_.step_to(to), false, node.needs);
    return true;
  });
  graph.each_exchanged(node.state, p_.ops, [&](State to) {
    if (p_.allowed(to))
      push(to, index, node.length + p_.step_to(to), false, node.needs);
  });
}

Length PathsInOrder::ahead() const {
  return heap_.empty() || heap_.front().length >= bound_ ? kUnreachable : heap_.front().length;
}

std::span<const State> PathsInOrder::next(int64_t most) {
  path_.clear();
  while (ahead() != kUnreachable && ahead().cost <= most && !gave_up() && !gives_up()) {
    const int32_t index = heap_.front().node;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    const Node &node = nodes_[static_cast<size_t>(index)];
    if (node.state != p_.target || node.needs != 0) {
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
