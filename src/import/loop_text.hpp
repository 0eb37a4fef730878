// SPDX-License-Identifier: Apache-2.0
// What a text in the loop language says of loops, while its body is read. A slice and the result of a loop
// are other names for the array that they are of, so the graph that comes out is the program without loops.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "annotation/loop_program.hpp"
#include "import/dist_type.hpp"
#include "import/op_text.hpp"

namespace tw::import {

struct Reader;
struct Function;

// What a turn of a loop has of a value that an op in it makes. What no part speaks of is whole.
struct LoopPart {
  enum class Kind : uint8_t { tile, partial, unknown };
  uint32_t loop = 0;
  Kind kind = Kind::unknown;
  uint32_t dim = 0;                   // of tile
  sharding::Reduction reduction = {}; // of partial
};

// A dimension of a type as the text spells it: 64{%r} is all of it, cut by loops; %r is what one turn has.
struct CutText {
  uint32_t dim;
  std::vector<std::string_view> names;
  const char *at;
  bool local;
};

// The type of a result as the text states it of one turn of the loops around it.
struct LocalType {
  graph::TypeId type = graph::kNone;
  std::vector<CutText> cuts;
};

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

  // Of values that loops around nothing but a slice tile: by axis, the dimension.
  std::unordered_map<graph::ValueId, std::map<std::string, uint32_t>> tiled;
  std::set<std::pair<uint32_t, graph::ValueId>> stated; // identities of the program, by loop and value

  // Null: the name that is defined there stands for all of its value.
  const annotation::LoopView *view(const char *definition) const;
  uint32_t find_range(std::string_view name) const; // the loop that binds it, or kNone

  std::map<graph::ValueId, std::vector<LoopPart>> parts; // of what ops in loops make
  std::vector<LocalType> local_results;                  // of the op at hand
  bool returns = false;                     // the body at hand may end with a return, as those of spmd do
  graph::TypeId stated_tile = graph::kNone; // of what the op at hand makes
  std::unordered_map<const char *, DistType> distributed; // of names, by where they are defined
  // Of what an spmd made: by axis, what the devices along it have.
  std::unordered_map<const char *, std::vector<std::pair<std::string, LoopPart>>> pieces;
  // What `distribute` makes and no spmd takes, also under the names that redistribute gives it: where its
  // statement stands.
  std::map<const char *, const char *> not_taken;
  std::map<std::string_view, sharding::Range> declared_ranges;
  bool states_axes = false; // the function lists the axes of its loops
  bool type_error = false;  // a slice says so of itself, and is right

  void take(const char *definition); // an spmd takes what is defined there

  // A dumb tile becomes one of the program: where the outermost loop around it ends, or an op reads it
  // before.
  void state_identity(const annotation::LoopIdentity &identity);
  void state_identity(const char *definition);
  // Another name for what the name that is defined at `from` stands for.
  void copy_view(const char *from, const char *to);
};

// What the attributes of a function say, and, once its body is read, of which values.
bool read_loop_attributes(Reader &r, const Function &f);
bool resolve_bonds(Reader &r, const Function &f);
// Whether an attribute says something of the loops around its op.
bool is_loop_attribute(std::string_view name);
// Around the making of an op: takes aside what its text says of its loops, and notes it with the op's id.
bool begin_loop_op(Reader &r, OpText &op);
bool end_loop_op(Reader &r, const OpText &op, graph::OpId id);

bool read_local_type(Reader &r, LocalType &stated);
// The cuts of each tensor type in a piece of text.
std::vector<std::vector<CutText>> cuts_in(const LoopText &loops, std::string_view text);
// Whether a type that is stated of a tile of a value says what the loops leave of it; an error where not.
bool check_local_type(Reader &r, const char *definition, graph::ValueId v, const LocalType &stated,
                      const char *at);

SourcePos statement_position(const Reader &r, const OpText &op);

} // namespace tw::import
