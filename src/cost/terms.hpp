// SPDX-License-Identifier: Apache-2.0
// What the price of a plan is made of: seconds of one op in some layouts, seconds of one move, and where
// values lie in time. All of it follows from the graph and from layouts alone, so a price can follow a plan
// (price.hpp). Steps are not formed: an elementwise op whose result only the next op reads is taken to be one
// with it, on graph and system alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "ops/registry.hpp"
#include "redistribute/exchange.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"
#include "system/system.hpp"

namespace tw::cost {

// Seconds are counted in whole picoseconds, so that what is taken off a sum again leaves no trace.
using Picoseconds = int64_t;
Picoseconds picoseconds(double seconds);
inline double in_seconds(Picoseconds time) { return static_cast<double>(time) * 1e-12; }

// Places in the order of the program, from 0: all that an op does, and the moves it asks for, has one.
using Place = uint32_t;

class Terms {
public:
  // All of which outlive it.
  Terms(const graph::Graph &graph, const ops::RuleTable &rules, const sharding::Mesh &mesh,
        const system::System &system);

  // Whether an op takes time or makes arrays: not what is made again at each use, nor what stands for
  // regions.
  bool is_counted(graph::OpId op) const;
  // Of one run of an op that is given and makes these; devices split a sum into so many parts.
  Picoseconds op_time(graph::OpId op, std::span<const sharding::Sharding *const> operands,
                      std::span<const sharding::Sharding *const> results, int64_t parts) const;
  // No run of the op takes less, however its work is shared among devices: each has its part of what is
  // computed, read and stored, and reaches the most of the peaks that the system knows.
  Picoseconds least_op_time(graph::OpId op) const;
  // Of an array of this type.
  Picoseconds move_time(graph::TypeId type, const sharding::Sharding &from, const sharding::Sharding &to,
                        const redistribute::Summary &summary) const;
  int64_t tile_bytes(graph::TypeId type, const sharding::Sharding &s) const;
  // How often an op runs; loops that data end count as the system guesses.
  int64_t times(graph::OpId op) const { return times_[op]; }
  int64_t unknown_trips() const { return system_.trip_count; }
  bool is_source(graph::OpId op) const { return sources_[op]; } // made again at each use, at no cost
  bool is_donated(size_t argument) const { return graph_.alias_of_argument(argument) != -1; }

  // Not stored where it is made: the op that reads it makes it too.
  bool is_inner(graph::ValueId v) const { return inner_[v]; }
  Place place(graph::OpId op) const { return place_[op]; }
  // Behind all that its regions do.
  Place end(graph::OpId op) const { return end_[op]; }
  Place num_places() const { return num_places_; }
  // When a value that is read at a place in one region may be forgotten: what is read in a loop or a branch
  // is kept to its end, but for what is made in it.
  Place last(graph::RegionId made_in, graph::RegionId read_in, Place read_at) const;

private:
  void number(graph::RegionId region, int64_t times);
  void find_inner();
  bool takes_parts(graph::OpId op) const;
  sharding::AxisSet
  whole_along(std::initializer_list<std::span<const sharding::Sharding *const>> layouts) const;
  bool joins(graph::OpId maker, graph::OpId reader) const;

  const graph::Graph &graph_;
  const ops::RuleTable &rules_;
  const sharding::Mesh &mesh_;
  const system::System &system_;
  Place num_places_ = 0;
  std::vector<Place> place_, end_; // by op
  std::vector<int64_t> times_;     // by op
  std::vector<bool> sources_;      // by op
  std::vector<bool> inner_;        // by value
};

} // namespace tw::cost
