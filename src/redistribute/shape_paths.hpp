// SPDX-License-Identifier: Apache-2.0
// Cheapest paths through the graph of local shapes: distances from the source and to the target, and all
// paths in the order of their costs. Shapes alone; whether a path can be realised on the devices is another
// question.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "redistribute/tile_graph.hpp"

namespace tw::redistribute {

// What a path costs, and what decides between equal costs: its communicating steps.
struct Length {
  int64_t cost = 0;
  int32_t ops = 0;
  constexpr bool operator==(const Length &) const = default;
  constexpr auto operator<=>(Length o) const { return cost != o.cost ? cost <=> o.cost : ops <=> o.ops; }
};
constexpr Length operator+(Length a, Length b) { return {a.cost + b.cost, a.ops + b.ops}; }
constexpr Length kUnreachable = {std::numeric_limits<int64_t>::max() / 4, 0};
constexpr int64_t kForbidden = -1;

// One problem: the elements of the largest tile of every state, kForbidden where no path may pass. A slice
// costs nothing, every other step the size of its result.
struct ShapeProblem {
  const TileGraph *graph = nullptr;
  OpSet ops = OpSet::scalar;
  std::span<const int64_t> sizes;
  State source = 0, target = 0;

  int64_t size(State s) const { return sizes[static_cast<size_t>(s)]; }
  bool allowed(State s) const { return size(s) != kForbidden; }
  // What a communicating step that ends there costs.
  Length step_to(State s) const { return {size(s), 1}; }
};

// A digit of which a path has to come down to an exponent at some state, or it cannot be walked without a
// permutation.
struct Need {
  size_t digit;
  uint8_t exponent;
};
constexpr size_t kMaxNeeds = 3;

// Distances of states from one end, and the neighbour through which they are reached; per set of needs that a
// path has not met yet where there are needs.
struct Distances {
  size_t states = 0;
  std::vector<Length> length; // sets of needs x states
  std::vector<State> next;    // of no needs
  std::vector<uint8_t> met;   // per state: the needs that it meets

  Length to(State s, uint8_t needs = 0) const { return length[needs * states + static_cast<size_t>(s)]; }
  uint8_t left(State s, uint8_t needs) const {
    return needs & static_cast<uint8_t>(~met[static_cast<size_t>(s)]);
  }
};
// From states to the target, by paths that meet the needs; at most kMaxNeeds. States are left unreachable
// where no path through them is shorter than the length returned: `bound`, or that of a shortest path with a
// permutation of its smallest tiles added.
Length distances_to_target(const ShapeProblem &p, std::span<const Need> needs, Length bound,
                           Distances &to_target);
// The length of a shortest path with one permutation, which costs the size of the tiles it moves, and the
// state of the permutation. Distances from the source are known as far as they matter.
Length with_one_permutation(const ShapeProblem &p, const Distances &to_target, Distances &from_source,
                            State &at);

// All paths from source to target that meet the needs, the shortest first. Slices next to one another are one
// step, so that no path comes twice.
class PathsInOrder {
public:
  // Starts over. Yields nothing beyond `bound`, which may be lowered on the way, and looks at `work`
  // beginnings of paths at most.
  void start(const ShapeProblem &p, const Distances &to_target, Length bound, size_t work);
  void lower(Length bound) { bound_ = std::min(bound_, bound); }
  // How long the next path is, at least; kUnreachable at the end.
  Length ahead() const;
  // The next path that costs no more than `most`, valid until the next call; empty where none is left.
  std::span<const State> next(int64_t most);
  bool gave_up() const { return nodes_.size() >= work_; }

private:
  struct Node {
    State state;
    int32_t parent;
    Length length;
    bool sliced;   // by the step that led here
    uint8_t needs; // not met yet
  };
  struct Entry {
    Length length; // of the whole path, at least
    int32_t node;
    // The top of the heap: the shortest, among equals the one made last.
    bool operator<(const Entry &o) const { return length != o.length ? length > o.length : node < o.node; }
  };
  bool push(State s, int32_t parent, Length length, bool sliced, uint8_t needs);
  void expand(int32_t node);

  ShapeProblem p_;
  const Distances *to_target_ = nullptr;
  Length bound_;
  size_t work_ = 0;
  std::vector<Node> nodes_;
  std::vector<Entry> heap_;
  std::vector<State> path_;
};

} // namespace tw::redistribute
