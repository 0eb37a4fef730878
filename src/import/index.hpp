// SPDX-License-Identifier: Apache-2.0
// Finds what a text defines without reading function bodies: modules, functions, meshes, aliases and
// resources, in whatever order they stand.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "annotation/annotations.hpp"
#include "import/attributes.hpp"
#include "import/scanner.hpp"

namespace tw::import {

namespace bytecode {
class Program;
struct FunctionRecord;
struct OpRecord;
} // namespace bytecode

constexpr uint32_t kMaxModuleDepth = 64; // of modules in modules

struct Function {
  std::string_view name;
  uint32_t module = 0;
  bool is_private = false;
  bool generic = false;  // "func.func"() ({ ^bb0(...): ... }) {function_type = ..}
  bool has_body = false; // false for a declaration
  bool page = false;     // all of the text, from the body on
  Cursor signature;      // pretty: at the '(' of the arguments; generic: at the name
  Cursor body;           // at its '{'
  Cursor attributes;     // pretty form, at the '{'; null where there are none
  std::string_view text; // all of it; pretty: from its name on
  std::string_view function_type, arg_attrs, res_attrs; // generic form only
  static constexpr uint32_t kNoRegion = UINT32_MAX;
  uint32_t region = kNoRegion;                      // of an artifact's function
  const bytecode::FunctionRecord *record = nullptr; // likewise
};

struct Module {
  std::string_view name; // "" where it has none
  uint32_t parent = 0;   // module 0 is the text itself
  std::vector<AttrText> attrs;
};

struct MeshText {
  std::string_view name;
  Cursor at; // its value
  bool (*read)(Scanner &scanner, annotation::MeshDecl &mesh);
};

// The name that a symbol-valued attribute gives: sym_name = "main".
std::string_view unquoted(std::string_view raw);

class ModuleIndex {
public:
  explicit ModuleIndex(Scanner &scanner) : s_(scanner) {}

  bool build();
  // The same of an artifact.
  bool build(const bytecode::Program &program);

  std::vector<Module> modules;
  std::vector<Function> functions;
  std::vector<MeshText> meshes;
  std::vector<MeshText> grids; // of the shard dialect; axes have sizes that a mesh gives, perhaps
  std::unordered_map<std::string_view, Cursor> attr_aliases;        // #name = value
  std::unordered_map<std::string_view, Cursor> type_aliases;        // !name = type
  std::unordered_map<std::string_view, std::string_view> resources; // key, hex digits
  std::vector<std::pair<std::string_view, const char *>> skipped;   // names of other top-level ops

  // The function that a call in module `from` means by @name or @module::@name; kNone if there is none.
  uint32_t find(uint32_t from, const std::vector<std::string_view> &path) const;
  static constexpr uint32_t kNone = UINT32_MAX;

  // For the definitions of dialects (dialect.hpp).
  Scanner &scanner() { return s_; }
  bool skip_location(); // loc(..), where there is one

private:
  bool read_ops(uint32_t module, char end, uint32_t depth);
  bool read_op(uint32_t module, uint32_t depth);
  bool read_module(uint32_t parent, bool generic, uint32_t depth);
  bool read_function(uint32_t module);
  bool read_generic_function(uint32_t module, const char *begin);
  bool is_page(const char *at, uint32_t module);
  bool read_page(const char *at);
  bool read_alias();
  bool read_resources();
  bool skip_op(std::string_view name, const char *at);
  bool read_records(const bytecode::Program &program, uint32_t module, uint32_t region, uint32_t depth);
  bool read_function_record(const bytecode::Program &program, const bytecode::OpRecord &op, uint32_t module);
  bool add(Function function, const char *at);

  Scanner &s_;
  std::unordered_map<std::string, uint32_t> by_name_; // "module/name"
};

} // namespace tw::import
