// SPDX-License-Identifier: Apache-2.0
// A graph's ops in order, each value numbered when it is made.
#include "emit/stablehlo/graph_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/stablehlo/attributes.hpp"
#include "loops/spelling.hpp"
#include "ops/registry.hpp"

namespace tw::emit::stablehlo {

using graph::OpId;
using graph::ValueId;

namespace {

std::string in_braces(std::vector<std::string> attributes, std::span<const std::string> more, size_t i) {
  if (i < more.size() && !more[i].empty())
    attributes.push_back(more[i]);
  return attributes.empty() ? "" : fmt::format(" {{{}}}", fmt::join(attributes, ", "));
}

} // namespace

std::string StatementWriter::fresh_name() { return fmt::format("%{}", next_++); }

const std::string &StatementWriter::operand_name(OpId op, uint32_t i) const {
  const ValueId v = graph_.operands(op)[i];
  if (notes_ != nullptr)
    if (const auto taken = notes_->taken.find({op, i}); taken != notes_->taken.end())
      return used_.at(v)[taken->second];
  return names_[v];
}

std::string StatementWriter::write_passage(const Passage &passage, std::string_view operand, size_t depth,
                                           std::string &text) {
  std::string made = fresh_name();
  text += fmt::format("{:{}}{} = {} {} {}\n", "", 2 * depth, made, passage.op, operand, passage.rest);
  return made;
}

void StatementWriter::write_passages(ValueId v, size_t depth, std::string &text) {
  if (notes_ == nullptr)
    return;
  if (const auto made = notes_->made.find(v); made != notes_->made.end())
    names_[v] = write_passage(made->second, names_[v], depth, text);
  if (const auto used = notes_->used.find(v); used != notes_->used.end())
    for (const Passage &passage : used->second)
      used_[v].push_back(stands_inside(v, used_[v].size()) ? std::string()
                                                           : write_passage(passage, names_[v], depth, text));
}

bool StatementWriter::stands_inside(ValueId v, size_t place) const {
  return std::ranges::any_of(notes_->inside, [&](const auto &region) {
    return std::ranges::find(region.second, std::pair(v, place)) != region.second.end();
  });
}

void StatementWriter::write_inside(graph::RegionId region, size_t depth, std::string &text) {
  if (notes_ == nullptr)
    return;
  if (const auto inside = notes_->inside.find(region); inside != notes_->inside.end())
    for (const auto &[v, place] : inside->second)
      used_.at(v)[place] = write_passage(notes_->used.at(v)[place], names_[v], depth, text);
}

std::string StatementWriter::write_yields(graph::RegionId region, size_t depth, std::string &text) {
  const auto &yields = graph_.region(region).yields;
  std::vector<std::string> all;
  for (uint32_t i = 0; i < yields.size(); ++i) {
    all.push_back(names_[yields[i]]);
    if (notes_ == nullptr)
      continue;
    if (const auto passage = notes_->yields.find({region, i}); passage != notes_->yields.end())
      all.back() = write_passage(passage->second, names_[yields[i]], depth, text);
    else if (const auto taken = notes_->yielded.find({region, i}); taken != notes_->yielded.end())
      all.back() = used_.at(yields[i])[taken->second];
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string StatementWriter::types(std::span<const ValueId> values) const {
  std::vector<std::string> all;
  for (const ValueId v : values)
    all.push_back(graph::to_text(graph_.type(v)));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string StatementWriter::statement(std::string_view results, std::string_view op,
                                       std::string_view operands, std::string_view properties,
                                       std::string_view regions, std::string_view types) {
  return fmt::format("{}{}\"{}\"({}){}{} : {}", results, results.empty() ? "" : " = ", op, operands,
                     properties.empty() ? "" : fmt::format(" <{{{}}}>", properties), regions, types);
}

void StatementWriter::write_op(OpId id, size_t depth, std::string &text) {
  if (notes_ != nullptr)
    if (const auto other = notes_->instead.find(id); other != notes_->instead.end()) {
      const ValueId made = graph_.result(id);
      names_[made] = write_passage(other->second, operand_name(id, 0), depth, text);
      return write_passages(made, depth, text);
    }
  const graph::Op &op = graph_.op(id);
  const ops::OpDef &def = ops::op_def(op.code);
  Dictionaries attributes = dictionaries(graph_, def, graph_.attrs(id));
  const std::string regions = regions_text(id, depth);
  std::vector<std::string_view> operands;
  for (uint32_t i = 0; i < op.num_operands; ++i)
    operands.push_back(operand_name(id, i));
  std::vector<ValueId> results;
  std::string left = op.num_results == 0 ? "" : fresh_name();
  for (uint32_t i = 0; i < op.num_results; ++i) {
    results.push_back(graph_.result(id, i));
    names_[results[i]] = op.num_results == 1 ? left : fmt::format("{}#{}", left, i);
  }
  if (op.num_results > 1)
    left += fmt::format(":{}", op.num_results);
  if (notes_ != nullptr)
    if (const auto note = notes_->ops.find(id); note != notes_->ops.end())
      add_attribute(attributes, note->second);
  const std::string made = types(results);
  text.append(2 * depth, ' ');
  text += statement(left, def.name, fmt::format("{}", fmt::join(operands, ", ")), attributes.properties,
                    regions + attributes.others,
                    fmt::format("({}) -> {}", types(graph_.operands(id)),
                                results.size() == 1 ? made : fmt::format("({})", made)));
  text += '\n';
  for (const ValueId v : results)
    write_passages(v, depth, text);
}

std::string StatementWriter::regions_text(OpId id, size_t depth) {
  const graph::Op &op = graph_.op(id);
  if (op.num_regions == 0)
    return "";
  std::string text = " (";
  for (uint32_t r = 0; r < op.num_regions; ++r) {
    text += r == 0 ? "{\n" : ", {\n";
    write_region(op.first_region + r, depth + 1, text);
    text.append(2 * depth, ' ');
    text += '}';
  }
  return text + ')';
}

void StatementWriter::write_region(graph::RegionId id, size_t depth, std::string &text) {
  const graph::Region &region = graph_.region(id);
  if (!region.args.empty()) {
    std::vector<std::string> arguments;
    for (const ValueId v : region.args) {
      names_[v] = fresh_name();
      arguments.push_back(fmt::format("{}: {}", names_[v], graph::to_text(graph_.type(v))));
    }
    text.append(2 * depth - 2, ' ');
    text += fmt::format("^bb0({}):\n", fmt::join(arguments, ", "));
  }
  for (const ValueId v : region.args)
    write_passages(v, depth, text);
  write_inside(id, depth, text);
  for (const OpId op : region.ops)
    write_op(op, depth, text);
  const std::string yields = write_yields(id, depth, text);
  text.append(2 * depth, ' ');
  text += statement("", "stablehlo.return", yields, "", "", fmt::format("({}) -> ()", types(region.yields)));
  text += '\n';
}

std::string to_text(const graph::Graph &graph, const Notes &notes) {
  StatementWriter writer(graph, &notes);
  std::vector<std::string> arguments, results, values, types;
  for (size_t i = 0; i < graph.arguments().size(); ++i) {
    const ValueId v = graph.result(graph.arguments()[i]);
    writer.set_name(v, fmt::format("%arg{}", i));
    arguments.push_back(
        fmt::format("{}: {}{}", writer.name(v), graph::to_text(graph.type(v)),
                    in_braces(loops::argument_attributes(graph, i, writer.name(v)), notes.arguments, i)));
  }
  std::string body = notes.definitions;
  for (const OpId op : graph.arguments())
    writer.write_passages(graph.result(op), 2, body);
  for (const OpId op : graph.region(0).ops)
    if (const std::string_view name = ops::op_def(graph.op(op).code).name;
        name != "func.argument" && name != "func.result")
      writer.write_op(op, 2, body);
  for (size_t i = 0; i < graph.results().size(); ++i) {
    const ValueId v = graph.operands(graph.results()[i])[0];
    values.push_back(writer.operand_name(graph.results()[i], 0));
    types.push_back(graph::to_text(graph.type(v)));
    results.push_back(types[i] + in_braces(loops::result_attributes(graph, i), notes.results, i));
  }
  std::string text = "module";
  if (!graph.module_name().empty())
    text += fmt::format(" @{}", loops::name_or_quoted(graph.module_name()));
  if (!notes.module_attributes.empty())
    text += fmt::format(" attributes {{{}}}", notes.module_attributes);
  text += fmt::format(" {{\n{}  func.func public @main({})", notes.header, fmt::join(arguments, ", "));
  if (!results.empty())
    text += fmt::format(" -> ({})", fmt::join(results, ", "));
  text += fmt::format(" {{\n{}    return", body);
  if (!values.empty())
    text += fmt::format(" {} : {}", fmt::join(values, ", "), fmt::join(types, ", "));
  return text + "\n  }\n" + loops::called_functions(graph) + "}\n";
}

} // namespace tw::emit::stablehlo
