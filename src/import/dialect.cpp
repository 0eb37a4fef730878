// SPDX-License-Identifier: Apache-2.0
// Gathers the dialects of dialect_list.inc and finds what they say of a name.
#include "import/dialect.hpp"

#include <algorithm>
#include <unordered_map>

#include "ops/registry.hpp"

namespace tw::import {

#define TW_DIALECT(name)                                                                                     \
  namespace name##_dialect {                                                                                 \
    Dialect dialect();                                                                                       \
  }
#include "import/dialect_list.inc"
#undef TW_DIALECT

namespace {

struct Names {
  std::unordered_map<std::string_view, const Syntax *> syntax;
  std::unordered_map<std::string_view, std::string_view> aliases;
};

const Names &names() {
  static const Names all = [] {
    Names made;
    for (const Dialect &dialect : all_dialects()) {
      for (const Syntax &row : dialect.syntax)
        made.syntax.emplace(row.name, &row);
      for (const Alias &alias : dialect.aliases)
        made.aliases.emplace(alias.written, alias.name);
    }
    return made;
  }();
  return all;
}

// The name that the registry or a row has for what the text calls `written`.
std::string settled_name(std::string_view written) {
  std::string name(written);
  for (const Dialect &dialect : all_dialects())
    if (dialect.rename != nullptr)
      if (std::string renamed = dialect.rename(written); !renamed.empty())
        name = std::move(renamed);
  const auto alias = names().aliases.find(name);
  return alias == names().aliases.end() ? name : std::string(alias->second);
}

} // namespace

std::span<const Dialect> all_dialects() {
  static const Dialect dialects[] = {
#define TW_DIALECT(name) name##_dialect::dialect(),
#include "import/dialect_list.inc"
#undef TW_DIALECT
  };
  return dialects;
}

Kind resolve(std::string_view written) {
  const std::string name = settled_name(written);
  Kind kind;
  kind.code = static_cast<graph::OpCode>(-1);
  if (const auto code = ops::find_op(name); code && name != "func.argument" && name != "func.result") {
    kind.code = *code;
    kind.registered = true;
    kind.name = ops::op_def(*code).name;
  }
  const auto row = names().syntax.find(name);
  const Syntax *syntax = row == names().syntax.end() ? nullptr : row->second;
  if (syntax != nullptr && !kind.registered && syntax->lower != lower_op)
    kind.name = syntax->name; // becomes something else: the registry needs no entry for it
  for (const Dialect &dialect : all_dialects())
    if (syntax == nullptr && dialect.find_family != nullptr)
      if (syntax = dialect.find_family(name); syntax != nullptr)
        kind.name = written;
  if (syntax != nullptr) {
    kind.form = syntax->form;
    kind.lower = syntax->lower;
    kind.reads_generic = syntax->reads_generic;
    kind.reads_records = syntax->reads_records;
  }
  return kind;
}

const Definition *find_definition(std::string_view name) {
  for (const Dialect &dialect : all_dialects())
    if (const auto found = std::ranges::find(dialect.definitions, name, &Definition::name);
        found != dialect.definitions.end())
      return &*found;
  return nullptr;
}

} // namespace tw::import
