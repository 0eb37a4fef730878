// SPDX-License-Identifier: Apache-2.0
// What a dialect tells the reader: the ops whose text or meaning is its own, other names of ops, and what it
// defines beside functions. A dialect is one file of dialects/ and one line of dialect_list.inc.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "import/op_text.hpp"

namespace tw::import {

struct Reader;
class ModuleIndex;

// One of the two halves of reading an op. Both answer false after they have said what is wrong
// (Scanner::fail).
using OpFunction = bool (*)(Reader &r, OpText &op);

// %a, %b, key = value, key = value {attrs} : types. Operands may stand in parentheses.
bool form_default(Reader &r, OpText &op);
// The op is one of the registry.
bool lower_op(Reader &r, OpText &op);

struct Syntax {
  std::string_view name; // "stablehlo.reduce"
  // Reads what stands behind the name and fills the OpText as the generic form would.
  OpFunction form = form_default;
  // Makes it an op of the graph, or several, or a value that is there already.
  OpFunction lower = lower_op;
  // `form` reads the generic form "dialect.op"(..) too. Else Reader::read_generic does, and `form` is not
  // asked.
  bool reads_generic = false;
  // Such a form reads ops of artifacts too (Reader::begin_region), whose operands, attributes and types are
  // there.
  bool reads_records = false;
};

// Another name of an op: of another dialect, or an older one.
struct Alias {
  std::string_view written, name;
};

// An op beside functions, such as a mesh: reads what stands behind its name into the index.
struct Definition {
  std::string_view name; // "sdy.mesh"
  bool (*read)(ModuleIndex &index, bool generic);
};

// All of it may be left out. An op that the registry knows by its name, and that is written in the default
// form, needs no row.
struct Dialect {
  std::span<const Syntax> syntax = {};
  std::span<const Alias> aliases = {};
  std::span<const Definition> definitions = {};
  // For names that follow a rule: the row of such a name, the name that an op has elsewhere. Each answers
  // with nothing, null or "", where the name follows no rule of the dialect.
  const Syntax *(*find_family)(std::string_view name) = nullptr;
  std::string (*rename)(std::string_view written) = nullptr;
};

std::span<const Dialect> all_dialects();

// What the reader does with an op of this name.
struct Kind {
  std::string_view name; // as OpText::name has it; empty: no dialect knows it
  graph::OpCode code = 0;
  bool registered = false;
  OpFunction form = form_default, lower = lower_op;
  bool reads_generic = false, reads_records = false;
};
Kind resolve(std::string_view written);

const Definition *find_definition(std::string_view name); // null where there is none

} // namespace tw::import
