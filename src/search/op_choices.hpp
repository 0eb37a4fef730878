// SPDX-License-Identifier: Apache-2.0
// All nests that an op may have, and where it is linear those with which it hands on partial values: the
// layouts that it needs and makes, and what it takes then. Ops of one rule share them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cost/terms.hpp"
#include "partition/plan.hpp"
#include "spmd/lowering.hpp"

namespace tw::search {

// The loops of an op, the outermost first; without those over axes on which it hands on partial values.
using Nest = std::vector<std::pair<sharding::AxisId, ops::FactorId>>;

struct Choice {
  std::vector<spmd::ShardingId> operands, results;
  sharding::AxisSet axes; // of its nest, and those on which it takes parts
  sharding::AxisSet sums; // it leaves sums over these
  Nest nest;
};

// Ops that differ in nothing that a price sees.
struct Kind {
  std::vector<Choice> choices;
  std::vector<double> times; // picoseconds of one run, by choice
};

class OpChoices {
public:
  // Of what a plan leaves undecided, over one axis or all. All of which outlive it.
  OpChoices(const partition::Plan &plan, spmd::Lowering &lowering, const cost::Terms &terms,
            std::optional<sharding::AxisId> only);

  // To be asked in the order of the program. kNone: there are too many, or lowering makes more of it than
  // its rule says.
  uint32_t kind_of(graph::OpId op);
  const Kind &kind(uint32_t id) const { return kinds_[id]; }
  size_t num_kinds() const { return kinds_.size(); }

private:
  uint32_t partial_kinds(graph::OpId op, graph::ValueId v) const;
  void note_partial(graph::OpId op, const Kind &kind);
  uint32_t make_kind(graph::OpId op);
  void add(Kind &kind, Choice choice);
  void add_nests(graph::OpId op, Kind &kind);
  bool add_partial(graph::OpId op, sharding::AxisId axis, Kind &kind);
  std::optional<Choice> in_parts(graph::OpId op, const Choice &of, sharding::AxisId axis, uint64_t mask,
                                 sharding::Reduction reduction);
  cost::Picoseconds time_of(graph::OpId op, const Choice &choice);

  const partition::Plan &plan_;
  const graph::Graph &graph_;
  spmd::Lowering &lowering_;
  const cost::Terms &terms_;
  partition::Plan scratch_;
  std::vector<sharding::AxisId> axes_;        // that may be decided
  std::vector<uint32_t> reductions_of_value_; // by which it may be partial, a bit each
  std::vector<Kind> kinds_;
  std::map<std::vector<uint32_t>, uint32_t> known_; // kinds
  std::set<std::vector<uint32_t>> seen_;            // choices of one kind
};

} // namespace tw::search
