// SPDX-License-Identifier: Apache-2.0
// What the importer's tests compare: a graph as lines of text, and shorthands for importing one function
// body.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/import.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"
#include "support/program_text.hpp"

namespace tw::test {

inline std::string print_attr(const graph::Graph &g, const graph::AttrValue &value) {
  if (const auto *constant = std::get_if<graph::ConstantId>(&value)) {
    const graph::Constant &c = g.constant(*constant);
    std::string text = c.splat ? "splat:" : "dense:";
    for (size_t i = 0; i < c.bytes->size() && i < 64; ++i)
      text += fmt::format("{:02x}", static_cast<unsigned>((*c.bytes)[i]));
    return text;
  }
  return value.index() == 0 ? "-" : plain_attribute(value);
}

inline void print_region(const graph::Graph &g, graph::RegionId id, std::string indent, std::string &out) {
  for (graph::OpId op_id : g.region(id).ops) {
    const graph::Op &op = g.op(op_id);
    const ops::OpDef &def = ops::op_def(op.code);
    out += indent;
    for (uint32_t i = 0; i < op.num_results; ++i)
      out += fmt::format("{}{}", i == 0 ? "" : " ", g.value_name(g.result(op_id, i)));
    out += fmt::format("{}{}", op.num_results == 0 ? "" : " = ", def.name);
    for (graph::ValueId v : g.operands(op_id))
      out += " " + g.value_name(v);
    for (size_t i = 0; i < g.attrs(op_id).size(); ++i)
      if (g.attrs(op_id)[i].index() != 0)
        out += fmt::format(" {}={}", def.attrs[i].name, print_attr(g, g.attrs(op_id)[i]));
    for (uint32_t i = 0; i < op.num_results; ++i)
      out += fmt::format("{} {}", i == 0 ? " :" : ",", graph::to_short_text(g.type(g.result(op_id, i))));
    out += "\n";
    for (uint32_t i = 0; i < op.num_regions; ++i) {
      const graph::Region &region = g.region(op.first_region + i);
      out += indent + " {";
      for (graph::ValueId v : region.args)
        out += fmt::format(" {}:{}", g.value_name(v), graph::to_short_text(g.type(v)));
      out += "\n";
      print_region(g, op.first_region + i, indent + "  ", out);
      out += indent + " }";
      for (graph::ValueId v : region.yields)
        out += " " + g.value_name(v);
      out += "\n";
    }
  }
}

inline std::string print(const graph::Graph &g) {
  std::string out;
  print_region(g, 0, "", out);
  return out;
}

// The graph of a text, or its error, as text.
inline std::string import_or_error(std::string_view text, import::ImportOptions options = {}) {
  const auto imported = import::import_text(text, options);
  if (!imported) {
    const ErrorInfo &e = imported.error().info();
    return fmt::format("{}:{}: {}", e.pos.line, e.pos.column, e.message);
  }
  const auto status = ops::verify(*imported->graph);
  return status ? print(*imported->graph) : "verify: " + status.error().message();
}

// A module whose main has these arguments and body, and returns nothing.
inline std::string in_main(std::string_view arguments, std::string_view body) {
  return fmt::format("func.func @main({}) {{\n{}\nreturn\n}}\n", arguments, body);
}

} // namespace tw::test
