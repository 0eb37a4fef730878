// SPDX-License-Identifier: Apache-2.0
// The loops of a text in the loop language of PartIR, in a neutral form: which ops stand in which loops, what
// is sliced, what is said of nests. What a loop means to an op is its rule's business and not known here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"
#include "sharding/range.hpp"

namespace tw::annotation {

// A value as a name of the text stands for it: sliced so far by these loops, in this order.
struct LoopSlice {
  uint32_t loop;
  uint32_t dim;
  sharding::Range range; // the loop's, unless the slice has its own
  SourcePos pos;
};
struct LoopView {
  graph::ValueId value = graph::kNone;
  std::vector<LoopSlice> slices;
};

// How a loop makes a whole of what its body yields.
struct LoopAction {
  std::string kind; // "tile", "sum", .., "any"
  uint32_t dim = 0; // of tile
};

struct LoopDecl {
  uint32_t parent = graph::kNone;
  graph::RegionId region = 0; // the body in which it stands
  std::string axis;           // "range<16,8>" where the range stands for it
  int64_t tiles = 1;
  sharding::Range range;
  std::vector<LoopAction> actions; // by result
  std::vector<LoopView> yields;
  SourcePos pos;
};

// A dimension of a stated type that loops cut: tensor<16{%r}x256xf32>.
struct LoopTypeCut {
  uint32_t dim;
  std::vector<uint32_t> loops; // outer to inner
};

struct LoopOp {
  graph::OpId op;
  uint32_t loop = graph::kNone; // innermost
  std::vector<LoopView> operands;
  bool typed = false;                           // its types are stated:
  std::vector<std::vector<LoopTypeCut>> stated; // of operands, then results
  std::string factors, nest; // the attributes partir.factors and partir.nest; empty where they are not there
  SourcePos pos;
};

// Loops around nothing but slices of a value: the dumb tile of the PartIR slides.
struct LoopIdentity {
  uint32_t loop; // innermost
  LoopView view;
};

// What an argument or result says of itself.
struct LoopNote {
  uint32_t index;
  std::string text;
  SourcePos pos;
};

// One step of a body, in the order of the text; those of a while, if or case stand between those of what is
// around it.
struct LoopStep {
  enum class Kind : uint8_t { open, op, close } kind;
  uint32_t id; // a loop, or into ops
};

// What a text says of values by their names: "group", "passage forward", "apart batch", or "rule_of" with the
// rule of the op that makes one.
struct LoopBond {
  std::string kind;
  std::string names; // "%0, %3"; "%0 ([i,j])->([j,i])"
  std::vector<graph::ValueId> values;
  SourcePos pos;
};

struct LoopProgram {
  std::vector<sharding::Axis> axes;                       // of `attributes {batch:2, "serial micro":4}`
  std::vector<std::pair<std::string, std::string>> rules; // custom_call target, what is known of it
  std::vector<LoopDecl> loops;
  std::vector<LoopOp> ops;
  std::vector<LoopIdentity> identities;
  std::vector<LoopNote> arguments, results, layouts;
  std::vector<LoopStep> steps;
  std::vector<LoopBond> bonds;

  bool empty() const {
    return axes.empty() && loops.empty() && arguments.empty() && results.empty() && layouts.empty() &&
           bonds.empty();
  }
};

} // namespace tw::annotation
