// SPDX-License-Identifier: Apache-2.0
// One op as its text says it, whatever the form: what every form is turned into and the graph is built from.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"
#include "import/attributes.hpp"
#include "import/locations.hpp"

namespace tw::import {

namespace bytecode {
struct OpRecord;
}

struct OpText {
  struct Result {
    std::string_view name; // without %
    uint32_t count;        // %r:2
    const char *at;
    uint32_t record = graph::kNone; // ValueKey
  };

  std::string_view name;         // "stablehlo.add", whatever the dialect's alias
  graph::OpCode code = 0;        // where the registry has it
  bool generic = false;          // written as "dialect.op"(..)
  const char *at = nullptr;      // its name in the text
  uint32_t line = 0, column = 0; // of the statement
  std::vector<Result> results;
  std::vector<graph::ValueId> operands;
  std::vector<const char *> operand_at;
  std::vector<const char *> operand_def; // where the name of each is defined
  std::vector<AttrText> attrs;
  std::array<std::vector<int64_t>, 3> lists;  // what AttrText::ints points to
  std::array<std::vector<int64_t>, 3> folded; // the same, where constant operands became attributes
  std::vector<graph::TypeId> operand_types;   // as stated
  std::vector<graph::TypeId> result_types;
  // Tuples exist in the text only: operands, results and their types are the elements; these are the types as
  // written, empty where they hold no tuple.
  std::vector<graph::TypeId> tuple_operands, tuple_results;
  std::string_view types; // as written; empty where they are left out
  std::vector<graph::RegionId> regions;
  // Of an artifact: the op, and which of its regions have not been read.
  const bytecode::OpRecord *record = nullptr;
  uint32_t next_region = 0, end_region = 0;
  // In device-local code: axes in front of what a loop carries or a branch gives, and what branches give that
  // are taken by some devices only.
  std::vector<uint64_t> carried;
  std::vector<std::vector<graph::ValueId>> branches;
  LocationReader::Text loc;

  // Keeps the memory: one object serves all ops of one nesting depth.
  void clear() {
    results.clear();
    operands.clear();
    operand_at.clear();
    operand_def.clear();
    types = {};
    attrs.clear();
    operand_types.clear();
    result_types.clear();
    tuple_operands.clear();
    tuple_results.clear();
    regions.clear();
    record = nullptr;
    carried.clear();
    branches.clear();
    loc = {};
  }

  const AttrText *find_attr(std::string_view attr) const {
    for (const AttrText &a : attrs)
      if (a.name == attr)
        return &a;
    return nullptr;
  }
  uint32_t num_results() const {
    uint32_t count = 0;
    for (const Result &r : results)
      count += r.count;
    return count;
  }
};

// Stands for an op in messages about a signature, where no op of the text is at hand.
inline OpText in_signature(std::string_view what, uint32_t line, uint32_t column) {
  OpText op;
  op.name = what;
  op.line = line;
  op.column = column;
  return op;
}

// How the pretty form of an op abbreviates an attribute of its schema: "dims"; the name itself where it does
// not.
std::string_view short_name(const ops::AttrSpec &attribute);
// "contracting_dims" of the two attributes that are written as a pair, left one first; empty for others.
std::string_view short_pair(std::string_view attribute);

} // namespace tw::import
