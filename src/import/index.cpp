// SPDX-License-Identifier: Apache-2.0
// Reads the text once, from definition to definition, jumping over bodies.
#include "import/index.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "import/dialect.hpp"
#include "import/page.hpp"

namespace tw::import {
namespace {

std::string key_of(uint32_t module, std::string_view name) { return fmt::format("{}/{}", module, name); }

} // namespace

std::string_view unquoted(std::string_view raw) {
  return raw.size() >= 2 && raw.front() == '"' && raw.back() == '"' ? raw.substr(1, raw.size() - 2) : raw;
}

bool ModuleIndex::build() {
  modules.push_back({});
  return read_ops(0, '\0', 0);
}

bool ModuleIndex::read_ops(uint32_t module, char end, uint32_t depth) {
  if (depth > kMaxModuleDepth)
    return s_.fail("TW-106", s_.here(), fmt::format("modules are nested deeper than {}", kMaxModuleDepth));
  while (!s_.at_end()) {
    if (end != '\0' && s_.accept(end))
      return true;
    // A banner that some tools print behind the module.
    if (end == '\0' && s_.looking_at("---") && (modules.size() > 1 || !functions.empty())) {
      skipped.emplace_back("---", s_.here());
      return true;
    }
    if (!read_op(module, depth))
      return false;
  }
  return end == '\0' || s_.fail_here(fmt::format("'{}'", end), "at the end of the module");
}

bool ModuleIndex::read_op(uint32_t module, uint32_t depth) {
  const char *at = s_.here();
  if (is_page(at, module))
    return read_page(at);
  if (*at == '#' || *at == '!')
    return read_alias();
  if (s_.accept("{-#"))
    return read_resources();
  std::string_view name;
  const bool generic = *at == '"';
  if (generic ? !s_.string(name) : (name = s_.word()).empty())
    return s_.fail_here("a module, a function or an alias", {});
  if (name == "module" || name == "builtin.module")
    return read_module(module, generic, depth);
  if (name == "func.func" || name == "func")
    return generic ? read_generic_function(module, at) : read_function(module);
  if (const Definition *definition = find_definition(name))
    return definition->read(*this, generic);
  return skip_op(name, at);
}

bool ModuleIndex::is_page(const char *at, uint32_t module) {
  if (module != 0 || modules.size() > 1 || !functions.empty())
    return false;
  const Cursor back = s_.cursor();
  const std::string_view name = s_.word();
  const bool found = *at == '%' || (!name.empty() && begins_page(s_, name));
  s_.seek(back);
  return found;
}

bool ModuleIndex::read_page(const char *at) {
  Function f;
  f.name = "page";
  f.page = f.has_body = true;
  f.signature = f.body = s_.cursor();
  s_.seek({s_.text().data() + s_.text().size(), s_.cursor().line, at});
  return add(f, at);
}

bool ModuleIndex::read_module(uint32_t parent, bool generic, uint32_t depth) {
  const auto id = static_cast<uint32_t>(modules.size());
  modules.push_back({{}, parent, {}});
  if (!generic) {
    if (s_.peek() == '@' && !s_.symbol(modules[id].name))
      return false;
    if (s_.accept("attributes") && !parse_dict(s_, modules[id].attrs))
      return false;
    return s_.expect('{', "before the module's body") && read_ops(id, '}', depth + 1) && skip_location();
  }
  if (!s_.expect('(', "after \"builtin.module\"") || !s_.expect(')', "after \"builtin.module\"("))
    return false;
  if (s_.accept('<') && !(parse_dict(s_, modules[id].attrs) && s_.expect('>', "after properties")))
    return false;
  if (!s_.expect('(', "before the module's region") || !s_.expect('{', "before the module's body"))
    return false;
  if (s_.accept('^')) { // an empty block header
    if (s_.suffix().empty())
      return s_.fail_here("the name of a block", {});
    if ((s_.accept('(') && !s_.expect(')', "after a block without arguments")) ||
        !s_.expect(':', "after a block's name"))
      return false;
  }
  if (!read_ops(id, '}', depth + 1) || !s_.expect(')', "after the module's region"))
    return false;
  if (s_.peek() == '{' && !parse_dict(s_, modules[id].attrs))
    return false;
  for (const AttrText &attr : modules[id].attrs)
    if (attr.name == "sym_name")
      modules[id].name = unquoted(attr.raw);
  std::string_view types, results;
  return s_.expect(':', "before the type of \"builtin.module\"") && s_.skip_term(types) &&
         s_.expect("->", "in a function type") && s_.skip_term(results) && skip_location();
}

bool ModuleIndex::read_function(uint32_t module) {
  Function f;
  f.module = module;
  if (s_.accept("private") || s_.accept("nested"))
    f.is_private = true;
  else
    s_.accept("public");
  const char *at = s_.here();
  if (!s_.symbol(f.name))
    return false;
  s_.here();
  f.signature = s_.cursor();
  std::string_view skipped_text;
  if (s_.peek() != '(')
    return s_.fail_here("'('", "before the arguments of a function");
  if (!s_.skip_term(skipped_text))
    return false;
  if (s_.accept("->") && !s_.skip_term(skipped_text))
    return false;
  if (s_.accept("attributes")) {
    s_.here();
    f.attributes = s_.cursor();
    if (!s_.skip_term(skipped_text))
      return false;
  }
  f.has_body = s_.peek() == '{';
  f.body = s_.cursor();
  if ((f.has_body && !s_.skip_braces()) || !skip_location())
    return false;
  f.text = {at, static_cast<size_t>(s_.cursor().at - at)};
  return add(f, at);
}

bool ModuleIndex::read_generic_function(uint32_t module, const char *begin) {
  Function f;
  f.module = module;
  f.generic = true;
  const char *at = s_.here();
  f.signature = s_.cursor();
  std::vector<AttrText> attrs;
  if (!s_.expect('(', "after \"func.func\"") || !s_.expect(')', "after \"func.func\"("))
    return false;
  if (s_.accept('<') && !(parse_dict(s_, attrs) && s_.expect('>', "after properties")))
    return false;
  if (!s_.expect('(', "before the function's region"))
    return false;
  f.body = (s_.here(), s_.cursor());
  if (s_.peek() != '{')
    return s_.fail_here("'{'", "before the function's body");
  if (!s_.skip_braces() || !s_.expect(')', "after the function's region"))
    return false;
  if (s_.peek() == '{' && !parse_dict(s_, attrs))
    return false;
  for (const AttrText &attr : attrs) {
    if (attr.name == "sym_name")
      f.name = unquoted(attr.raw);
    else if (attr.name == "function_type")
      f.function_type = attr.raw;
    else if (attr.name == "sym_visibility")
      f.is_private = unquoted(attr.raw) != "public";
    else if (attr.name == "arg_attrs")
      f.arg_attrs = attr.raw;
    else if (attr.name == "res_attrs")
      f.res_attrs = attr.raw;
  }
  if (f.name.empty() || f.function_type.empty())
    return s_.fail("TW-106", at, "\"func.func\" needs the attributes sym_name and function_type");
  // A declaration is a region without blocks: {}.
  const Cursor back = s_.cursor();
  s_.seek(f.body);
  f.has_body = s_.accept('{') && s_.peek() != '}';
  s_.seek(back);
  std::string_view types, results;
  if (!s_.expect(':', "before the type of \"func.func\"") || !s_.skip_term(types) ||
      !s_.expect("->", "in a function type") || !s_.skip_term(results) || !skip_location())
    return false;
  f.text = {begin, static_cast<size_t>(s_.cursor().at - begin)};
  return add(f, at);
}

bool ModuleIndex::add(Function function, const char *at) {
  const auto [other, fresh] =
      by_name_.emplace(key_of(function.module, function.name), static_cast<uint32_t>(functions.size()));
  if (!fresh)
    return s_.fail("TW-106", at, fmt::format("the function @{} is defined twice", function.name),
                   fmt::format("first on line {}", functions[other->second].signature.line));
  functions.push_back(function);
  return true;
}

uint32_t ModuleIndex::find(uint32_t from, const std::vector<std::string_view> &path) const {
  for (uint32_t scope = from;; scope = modules[scope].parent) {
    uint32_t at = scope;
    bool found = true;
    for (size_t i = 0; i + 1 < path.size() && found; ++i) {
      const auto inner = std::find_if(modules.begin() + 1, modules.end(),
                                      [&](const Module &m) { return m.parent == at && m.name == path[i]; });
      found = inner != modules.end();
      at = found ? static_cast<uint32_t>(inner - modules.begin()) : at;
    }
    if (found)
      if (const auto f = by_name_.find(key_of(at, path.back())); f != by_name_.end())
        return f->second;
    if (scope == 0)
      return kNone;
  }
}

bool ModuleIndex::read_alias() {
  const char *at = s_.here();
  const bool is_type = s_.accept('!');
  if (!is_type)
    s_.accept('#');
  const std::string_view name = s_.suffix();
  if (name.empty() || !s_.expect('=', "after the name of an alias"))
    return s_.fail_here("the name of an alias", {});
  s_.here();
  auto &aliases = is_type ? type_aliases : attr_aliases;
  if (!aliases.emplace(name, s_.cursor()).second)
    return s_.fail("TW-106", at, fmt::format("the alias {}{} is defined twice", *at, name));
  std::string_view value;
  if (!s_.skip_term(value))
    return false;
  return !s_.accept(':') || s_.skip_term(value); // 1 : i64
}

// {-# dialect_resources: { builtin: { key: "0x..", other: "0x.." } } #-}
bool ModuleIndex::read_resources() {
  uint32_t depth = 0;
  while (!s_.accept("#-}")) {
    if (s_.accept('{')) {
      ++depth;
    } else if (s_.accept('}')) {
      if (depth-- == 0)
        return s_.fail_here("'#-}'", "at the end of the resources");
    } else if (!s_.accept(',')) {
      std::string_view key, hex;
      if (s_.peek() == '"' ? !s_.string(key) : (key = s_.word()).empty())
        return s_.fail_here("the name of a resource", {});
      if (!s_.expect(':', "after the name of a resource"))
        return false;
      if (s_.peek() == '"') {
        if (!s_.string(hex))
          return false;
        resources.emplace(key, hex);
      } else if (s_.peek() != '{') {
        std::string_view other; // a number or a flag
        if (!s_.skip_term(other))
          return false;
      }
    }
  }
  return true;
}

bool ModuleIndex::skip_location() {
  std::string_view location;
  return !s_.looking_at("loc") || s_.skip_term(location);
}

// Another dialect's definition: over balanced groups until a line begins with something that can start an op.
bool ModuleIndex::skip_op(std::string_view name, const char *at) {
  skipped.emplace_back(name, at);
  uint32_t line = s_.cursor().line;
  while (!s_.at_end()) {
    const char c = s_.peek();
    const bool starts_line = s_.cursor().line > line;
    if (c == '}' || c == ')' ||
        (starts_line && (is_word_start(c) || c == '"' || c == '#' || c == '!' || c == '%')))
      return true;
    std::string_view term;
    if (c == '(' || c == '[' || c == '{' || c == '"' || is_word_char(c)) {
      if (!s_.skip_term(term))
        return false;
    } else {
      s_.accept(c);
    }
    line = s_.cursor().line;
  }
  return true;
}

} // namespace tw::import
