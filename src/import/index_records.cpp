// SPDX-License-Identifier: Apache-2.0
// What an artifact defines: modules, functions and meshes among its records.
#include <fmt/format.h>

#include "import/bytecode/program.hpp"
#include "import/index.hpp"
#include "import/shardings.hpp"

namespace tw::import {

using bytecode::OpRecord;
using bytecode::Program;

namespace {

std::string_view value_of(std::span<const AttrText> attrs, std::string_view name) {
  for (const AttrText &attr : attrs)
    if (attr.name == name)
      return attr.raw;
  return {};
}

Cursor cursor_at(const char *at) { return {at, 0, at}; }

} // namespace

bool ModuleIndex::build(const Program &program) {
  modules.push_back({});
  return read_records(program, 0, 0, 0);
}

bool ModuleIndex::read_records(const Program &program, uint32_t module, uint32_t region, uint32_t depth) {
  const auto [first, end] = std::pair(program.regions[region].first_op, program.regions[region].end);
  for (uint32_t i = first; i < end; i = program.ops[i].next) {
    const OpRecord &op = program.ops[i];
    const std::string_view name = program.name(op).name;
    const std::span<const AttrText> attrs = program.attributes(op);
    if (name == "builtin.module") {
      if (depth == kMaxModuleDepth || op.num_regions != 1)
        return s_.fail("TW-106", op.at,
                       depth == kMaxModuleDepth
                           ? fmt::format("modules are nested deeper than {}", kMaxModuleDepth)
                           : fmt::format("a module of {} regions", op.num_regions));
      modules.push_back({unquoted(value_of(attrs, "sym_name")), module, {attrs.begin(), attrs.end()}});
      if (!read_records(program, static_cast<uint32_t>(modules.size() - 1), op.first_region, depth + 1))
        return false;
    } else if (name == "func.func") {
      if (!read_function_record(program, op, module))
        return false;
    } else if (name == "sdy.mesh") {
      const std::string_view value = value_of(attrs, "mesh"), symbol = unquoted(value_of(attrs, "sym_name"));
      const size_t open = value.find('<');
      if (symbol.empty() || open == std::string_view::npos)
        return s_.fail("TW-106", op.at, "sdy.mesh needs the attributes sym_name and mesh");
      meshes.push_back({symbol, cursor_at(value.data() + open), parse_mesh});
    } else {
      skipped.emplace_back(name, op.at);
    }
  }
  return true;
}

bool ModuleIndex::read_function_record(const Program &program, const OpRecord &op, uint32_t module) {
  const std::span<const AttrText> attrs = program.attributes(op);
  Function f;
  f.module = module;
  f.generic = true;
  f.signature = f.body = cursor_at(op.at);
  f.name = unquoted(value_of(attrs, "sym_name"));
  f.record = &program.function(op);
  const std::string_view visibility = value_of(attrs, "sym_visibility");
  f.is_private = !visibility.empty() && unquoted(visibility) != "public";
  if (f.name.empty() || f.record->function_type == bytecode::kNoIndex || op.num_regions != 1)
    return s_.fail("TW-106", op.at, "a function needs the attributes sym_name and function_type, and a body");
  f.has_body = !program.regions[op.first_region].empty;
  f.region = op.first_region;
  return add(f, op.at);
}

} // namespace tw::import
