// SPDX-License-Identifier: Apache-2.0
// What an annotated text says: of makers, of users, of what regions yield, of halos.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emit/shard/read_back.hpp"
#include "emit/stablehlo/graph_text.hpp"
#include "partition/plan.hpp"

namespace tw::emit::shard {

// What is said of users.
struct Used {
  std::string text;
  graph::RegionId region; // at whose head it stands; kNone: behind what makes the value
  bool operator==(const Used &) const = default;
};

// What keeps halos.
struct Kept {
  std::string text;
  bool around;           // some device keeps cells around its tile
  bool of_maker = false; // about the operand's maker, not about users
};

struct Statements {
  using Use = std::pair<graph::OpId, uint32_t>;
  using Yield = std::pair<graph::RegionId, uint32_t>; // a region, and the number of what it yields

  std::map<graph::ValueId, std::string> made;       // of makers
  std::map<graph::ValueId, std::vector<Used>> used; // of users, one for those that want the same
  std::map<Use, size_t> taken;                      // which of `used` an operand is
  std::map<Yield, std::string> yields;              // at ends of regions
  // What a region yields of a value from outside is moved in it, though others read the same.
  bool moves_inside = false;
  std::map<graph::OpId, Kept> halos;       // what keeps halos
  std::set<graph::ValueId> said_elsewhere; // of `made`, by such a statement

  // An operand is what is said so of its value, now or before. The place in `used`.
  size_t take(Use use, graph::ValueId v, Used said);
  void drop(const graph::Graph &graph, Use use);

  // The statements for which a reader makes constraints.
  Constraints constraints(const graph::Graph &graph) const;
  stablehlo::Notes notes(const partition::Plan &plan) const;

private:
  // What is said of other users of a value from outside of a region: it is moved once, in front of the op.
  std::optional<size_t> said_outside(const graph::Graph &graph, Yield yield, const std::string &text) const;
};

} // namespace tw::emit::shard
