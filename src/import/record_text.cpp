// SPDX-License-Identifier: Apache-2.0
// An op of an artifact as text in MLIR's generic form, for calls of foreign code that name functions.
#include <fmt/format.h>

#include "import/records.hpp"

namespace tw::import {

using bytecode::OpRecord;
using bytecode::Program;
using bytecode::RegionRecord;
using bytecode::ValueRecord;

namespace {

class Printer {
public:
  explicit Printer(const Program &program) : program_(program) {}

  std::string take() { return std::move(text_); }

  void print(const OpRecord &op) {
    for (uint32_t i = 0; i < op.num_results; ++i)
      if (const uint32_t value = op.first_result + i; program_.all_values[value].first == value)
        append("{}%{}", i == 0 ? "" : ", ", program_.all_values[value].name);
      else if (i + 1 == op.num_results)
        append(":{}", value - program_.all_values[value].first + 1);
    append("{}\"{}\"(", op.num_results == 0 ? "" : " = ", program_.name(op).name);
    for (uint32_t i = 0; i < op.num_operands; ++i)
      print_use(program_.operands[op.first_operand + i], i == 0 ? "" : ", ");
    append(")");
    for (uint32_t i = 0; i < op.num_regions; ++i) {
      append(i == 0 ? " (" : ", ");
      print(program_.regions[op.first_region + i]);
    }
    append(op.num_regions == 0 ? "" : ")");
    print_attributes(op);
    append(" : (");
    for (uint32_t i = 0; i < op.num_operands; ++i)
      append("{}{}", i == 0 ? "" : ", ", type(program_.all_values[program_.operands[op.first_operand + i]]));
    append(") -> (");
    for (uint32_t i = 0; i < op.num_results; ++i)
      append("{}{}", i == 0 ? "" : ", ", type(program_.all_values[op.first_result + i]));
    append(")\n");
  }

private:
  template <class... Args> void append(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  void append(const char *text) { text_ += text; }
  std::string_view type(const ValueRecord &value) { return program_.values().type(value.type); }

  void print_use(uint32_t value, const char *before) {
    const uint32_t first = program_.all_values[value].first;
    const bool several = value != first || (value + 1 < program_.all_values.size() &&
                                            program_.all_values[value + 1].first == first);
    append("{}%{}", before, program_.all_values[first].name);
    if (several)
      append("#{}", value - first);
  }

  void print_attributes(const OpRecord &op) {
    const char *before = " {";
    const auto add = [&](std::string_view name, std::string_view text) {
      append("{}\"{}\"", before, name);
      if (!text.empty())
        append(" = {}", text);
      before = ", ";
    };
    if (program_.name(op).function) {
      const bytecode::FunctionRecord &function = program_.function(op);
      for (const auto &[name, index] : {std::pair("arg_attrs", function.arg_attrs),
                                        {"function_type", function.function_type},
                                        {"res_attrs", function.res_attrs}})
        if (index != bytecode::kNoIndex && program_.values().attribute(index) != "[]")
          add(name, program_.values().attribute(index));
    }
    for (const AttrText &attr : program_.attributes(op))
      add(attr.name, attr.raw);
    append(before[0] == ',' ? "}" : "");
  }

  void print(const RegionRecord &region) {
    append("{\n");
    for (uint32_t i = 0; i < region.num_arguments; ++i) {
      const ValueRecord &value = program_.all_values[program_.arguments[region.first_argument + i].value];
      append("{}%{}: {}", i == 0 ? "^bb0(" : ", ", value.name, type(value));
    }
    append(region.num_arguments == 0 ? "" : "):\n");
    for (uint32_t i = region.first_op; i < region.end; i = program_.ops[i].next)
      print(program_.ops[i]);
    append("}");
  }

  const Program &program_;
  std::string text_;
};

} // namespace

std::string Records::function_text(uint32_t region) const {
  Printer printer(program_);
  for (const OpRecord &op : program_.ops)
    if (op.num_regions != 0 && op.first_region == region)
      printer.print(op);
  return printer.take();
}

} // namespace tw::import
