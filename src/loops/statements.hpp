// SPDX-License-Identifier: Apache-2.0
// A plan as the statements of a loop program, with symbols for names: a slice stands before the loop that
// needs it, so names are given when all statements stand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "partition/plan.hpp"
#include "sharding/range.hpp"

namespace tw::loops {

using Symbol = uint32_t; // a name yet to be given

struct Statement {
  enum class Kind : uint8_t { slice, op, loop } kind = Kind::op;
  uint32_t scope = 0;            // where it stands; a loop: its own
  graph::OpId op = graph::kNone; // kind op
  uint32_t dim = 0;              // kind slice
  std::string range;             // kind slice: its own range type, where it is not the loop's
  std::string factors;           // kind op: which loops of its rule it stands in, where that does not follow
  std::vector<Symbol> operands, results;
  std::vector<std::string> actions; // of a loop, by result: "tile 0"
  std::vector<Statement> body;      // of a loop
  struct Region {
    std::vector<Symbol> arguments, yields;
    std::vector<Statement> body;
  };
  std::vector<Region> regions;
};

// The entry body, a region, or a loop.
struct Scope {
  uint32_t parent = graph::kNone;
  bool is_loop = false;
  sharding::AxisId axis = 0;
  uint32_t level = 0; // loops around it, itself included
  std::optional<sharding::Range> range;
  std::vector<Statement> statements;
  std::map<std::tuple<Symbol, uint32_t, std::string>, Symbol> slices; // of it, by what and how
};

struct Statements {
  std::vector<Scope> scopes; // the first one's are those of the entry body
  uint32_t num_symbols = 0;
  std::vector<Symbol> arguments, returned;
  std::unordered_map<graph::OpId, std::vector<graph::OpId>>
      ops_of_region;                       // of reductions in their short form
  std::vector<std::vector<Symbol>> groups; // values that one pin holds
  std::vector<std::pair<Symbol, partition::Direction>> directions;
  std::vector<std::pair<Symbol, std::string>> rules;            // of single ops, by what they make
  std::map<sharding::AxisId, std::vector<Symbol>> materialised; // values, where the loops do not say it
  std::unordered_map<graph::OpId, std::string> nests;           // of arguments, where they must be said
};

Statements make_statements(const partition::Plan &plan, sharding::Style style);

} // namespace tw::loops
