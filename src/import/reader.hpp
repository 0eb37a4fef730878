// SPDX-License-Identifier: Apache-2.0
// Reads bodies of functions into the graph: each statement becomes an OpText by the form of its op, and that
// an op of the graph. What every dialect's forms are made of is a function here; the forms are free functions
// (dialect.hpp). As with the Scanner, what answers false has said why.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "import/context.hpp"
#include "import/dialect.hpp"
#include "import/emitter.hpp"
#include "import/grid_code.hpp"
#include "import/loop_text.hpp"
#include "import/manual_code.hpp"
#include "import/op_text.hpp"
#include "import/records.hpp"
#include "import/scope.hpp"
#include "import/untyped.hpp"

namespace tw::import {

// Of a function, a region, or a body that is read in place.
struct Argument {
  std::string_view name; // without %
  graph::TypeId type;
  const char *at;
  uint32_t line, column;
  std::vector<AttrText> attrs;
  LocationReader::Text loc;
  bool untyped = false;           // tensor<>
  uint32_t record = graph::kNone; // ValueKey
};

constexpr uint32_t kMaxDepth = 200; // of nested regions, calls and expressions

// Loop text says "%3.%a" of a value in a region of %3, where other texts say "%a": whether `name` begins with
// what stands for `prefix`, "%3.".
bool is_path(std::string_view name, std::string_view prefix);

struct Reader {
  explicit Reader(Context &context) : c(context), s(context.s), emitter(context) {
    c.types.set_ranges(&loops.ranges);
  }

  Context &c;
  Scanner &s; // of the context
  Emitter emitter;

  // ---- reader.cpp: names, operands, statements, blocks
  bool define(const ValueKey &key, std::span<const graph::ValueId> values, const char *at);
  // What has a name, a place and a number in an artifact: an argument, a result.
  template <class Named> bool define(const Named &named, std::span<const graph::ValueId> values) {
    return define({named.name, named.record}, values, named.at);
  }
  void name_value(graph::ValueId value, std::string_view name, uint32_t index, uint32_t count);
  // The prefix of names inside an op: what its first result is called, and which of its regions is meant.
  std::string inner_prefix(const OpText &op, std::string_view part) const;
  bool read_operand(OpText &op);  // %a, or an expression
  bool read_operands(OpText &op); // %a, %b; may be none
  // "dialect.op"(%a, %b) <{properties}> ({region}, {region}) {attributes} : (T, T) -> U
  bool read_generic(OpText &op, OpFunction region = nullptr); // null: read_region
  bool read_block();                                          // statements up to the block's '}', which stays
  bool read_statement(OpText &op);
  Scope make_scope(const Function &function) const;
  // A bracket behind which a statement or what is sliced ends; pages of the PartIR slides forget some.
  bool close(char bracket, std::string_view where);

  // ---- expressions.cpp: ops where operands stand
  bool read_expression(OpText &op);                                     // pushes what it makes as an operand
  bool read_values(OpText &op);                                         // %a, matmul(%a, b); may be none
  bool read_named(OpText &op);                                          // x or %x, whatever stands behind it
  bool read_name(std::string_view &name);                               // %x, x or x'
  bool binds_name();                                                    // whether `x =` follows
  bool rebind(const OpText &op, std::string_view name, const char *at); // another name for the last operand
  std::string_view make_name();                                         // of what the text does not name

  // ---- pretty.cpp: parts of pretty forms
  bool read_attr_dict(OpText &op);   // {key = value}; may be missing
  bool read_pretty_attr(OpText &op); // key = value
  bool read_types(OpText &op);       // behind ':'
  // Attributes of ops that have no schema; absent ones are errors.
  bool read_attr(const OpText &op, std::string_view name, int64_t &value);
  bool read_attr(const OpText &op, std::string_view name, double &value);

  // ---- regions.cpp
  bool read_region(OpText &op); // { [^bb0(...):] ops }
  // Of the next region of an op: '{' and the header of its block, and the end.
  bool begin_region(OpText &op, std::vector<Argument> &arguments);
  bool end_region(std::string_view where);
  // Ops and '}' of a region whose arguments are known. Names that it defines are gone afterwards.
  bool read_region_body(OpText &op, std::span<const Argument> arguments);
  bool read_block_arguments(std::vector<Argument> &arguments, bool with_attrs);

  // ---- results.cpp: what an op becomes
  bool emit(OpText &op);                    // an op of the graph
  bool bind_op(OpText &op, graph::OpId id); // the op's results to the names that the text gives them
  bool bind_results(OpText &op, std::span<const graph::ValueId> values);
  // The op was other ops, or a value that is there already: these are its results.
  bool stand_for(OpText &op, const std::vector<graph::ValueId> &values);

  // ---- tuples.cpp: values that are several
  void flatten_types(OpText &op);
  void push_operand(OpText &op, graph::ValueId value, const char *at);

  // ---- unknown_ops.cpp: what is not read
  bool fail_unknown(std::string_view written, const char *at);
  bool unsupported(const char *at, std::string message);
  const Kind &kind_of(std::string_view written);

  // ---- what is being read
  Scope *scope = nullptr;
  std::string prefix;                 // of the names of values: "%0." inside the function called at %0
  std::vector<uint32_t> calls;        // functions being read, outermost first
  uint32_t module = 0;                // of the function being read
  bool ended = false;                 // the block's terminator was read
  std::vector<graph::ValueId> yields; // its operands
  std::vector<const char *> yields_at, yields_def;
  bool untyped_return = false; // the last return said no types
  std::unordered_map<graph::ValueId, Untyped> untyped;
  int untyped_arguments = 0;                 // with those of which the type is found
  std::vector<graph::TypeId> stated_results; // of the entry function
  bool page = false;                         // the text has no function around it
  std::unordered_set<const char *> read_at;  // on a page: where what was read is defined
  bool free_axes = false;                    // of the mesh, in the device-local code at hand
  OpText captured;                    // what the regions of an unknown op take from outside: operands of it
  int64_t rngs = 0;                   // statements that draw from a hidden state
  LoopText loops;                     // of a text in the loop language
  GridCode grid_code;                 // of a text in the shard dialect
  std::vector<CarriedManual> carried; // device-local code between calls, innermost last

private:
  bool read_op(OpText &op);
  bool read_record(OpText &op);
  bool read_record_regions(OpText &op);
  bool read_let(OpText &op);
  bool read_nested_op(OpText &op);
  bool push_named(OpText &op, const Scope::Entry &entry, const char *at);
  bool read_results(OpText &op);
  std::string_view with_index(std::string_view name);
  bool read_choice(OpText &op);
  bool read_record_choice(OpText &op);
  bool read_branch(OpText &op, size_t branch);
  bool carry_yields(OpText &op);
  graph::ValueId pack(graph::TypeId type, std::span<const graph::ValueId> &values);
  bool bind_tuples(OpText &op, std::span<const graph::ValueId> values);

  std::unordered_map<std::string_view, Kind> kinds_; // by written name
  std::vector<const Kind *> record_kinds_;           // of an artifact's names of ops
  std::deque<OpText> texts_;                         // by nesting depth
  std::deque<std::string> made_names_;
  std::vector<std::vector<graph::ValueId>> tuples_; // elements of those that names stand for
  uint32_t depth_ = 0;                              // nested regions and calls
  uint32_t ops_ = 0;                                // statements read, calls included
};

} // namespace tw::import
