// SPDX-License-Identifier: Apache-2.0
// What a text in the loop language says of loops, while its body is read. A slice and the result of a loop
// are other names for the array that they are of, so the graph that comes out is the program without loops.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "annotation/loop_program.hpp"
#include "import/op_text.hpp"

namespace tw::import {

struct Reader;
struct Function;

struct LoopText {
  annotation::LoopProgram program;
  annotation::LoopOp op;                                        // of the op at hand
  uint32_t innermost = graph::kNone;                            // of the open loops
  graph::RegionId region = 0;                                   // innermost open one
  std::unordered_map<std::string, graph::ValueId> bonded;       // names, where bonds speak of values
  bool yielded = false;                                         // the block ended with a yield
  size_t first_value = 0;                                       // that the loop read last made
  std::vector<std::pair<std::string_view, uint32_t>> ranges;    // in scope, with their loops
  std::unordered_map<const char *, annotation::LoopView> views; // of names, by where they are defined
  // Results of loops around nothing but a slice.
  std::unordered_map<const char *, annotation::LoopIdentity> identities;

  // Null: the name that is defined there stands for all of its value.
  const annotation::LoopView *view(const char *definition) const;
  uint32_t find_range(std::string_view name) const; // the loop that binds it, or kNone
};

// What the attributes of a function say, and, once its body is read, of which values.
bool read_loop_attributes(Reader &r, const Function &f);
bool resolve_bonds(Reader &r, const Function &f);
// Whether an attribute says something of the loops around its op.
bool is_loop_attribute(std::string_view name);
// Around the making of an op: takes aside what its text says of its loops, and notes it with the op's id.
bool begin_loop_op(Reader &r, OpText &op);
void end_loop_op(Reader &r, const OpText &op, graph::OpId id);

SourcePos statement_position(const Reader &r, const OpText &op);

} // namespace tw::import
