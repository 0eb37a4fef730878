// SPDX-License-Identifier: Apache-2.0
// Calls: the callee's text is read again in place, with its arguments bound to the operands.
#include <algorithm>

#include <fmt/format.h>

#include "import/body.hpp"

namespace tw::import {

using annotation::ShardingAnnotation;

namespace {

// @f, @module::@f, @"quoted"
std::vector<std::string_view> split_symbol(std::string_view raw) {
  std::vector<std::string_view> path;
  while (!raw.empty()) {
    if (raw.starts_with('@'))
      raw.remove_prefix(1);
    const bool quoted = raw.starts_with('"');
    const size_t end = quoted ? raw.find('"', 1) : std::min(raw.find("::"), raw.find(' '));
    path.push_back(quoted ? raw.substr(1, end - 1) : raw.substr(0, end));
    const size_t next = end == std::string_view::npos ? end : raw.find('@', end);
    raw = next == std::string_view::npos ? std::string_view() : raw.substr(next);
  }
  return path;
}

} // namespace

bool BodyReader::lower_call(OpText &op) {
  const AttrText *callee = op.find_attr("callee");
  if (!callee || callee->raw.empty())
    return s_.fail("TW-105", op.at, fmt::format("{}: the attribute callee is missing", op.name));
  return inline_function(op, callee->raw, callee->raw.data());
}

// Unless we know a composite by name, it is its decomposition.
bool BodyReader::lower_composite(OpText &op) {
  const AttrText *decomposition = op.find_attr("decomposition");
  if (!decomposition || decomposition->raw.empty())
    return s_.fail("TW-105", op.at, "stablehlo.composite: the attribute decomposition is missing");
  if (const AttrText *name = op.find_attr("name"))
    c_.notes.add(Note::Kind::ignored,
                 fmt::format("composite \"{}\": imported as its decomposition", plain_text(name->raw)),
                 op.at);
  return inline_function(op, decomposition->raw, decomposition->raw.data());
}

// What a signature says of the sharding of a value.
bool BodyReader::constrain(graph::ValueId &v, const std::vector<AttrText> &attrs, const OpText &op) {
  for (const AttrText &attr : attrs) {
    std::vector<ShardingAnnotation> shardings;
    if (!Emitter::is_sharding(attr.name))
      continue;
    if (!emitter_.read_shardings(attr, shardings))
      return false;
    if (shardings.size() == 1 && !constrain(v, std::move(shardings[0]), op))
      return false;
  }
  return true;
}

// What a call says of the sharding of its results.
bool BodyReader::constrain_results(const OpText &op, std::vector<graph::ValueId> &results) {
  for (const AttrText &attr : op.attrs) {
    std::vector<ShardingAnnotation> shardings;
    if (!Emitter::is_sharding(attr.name))
      continue;
    if (!emitter_.read_shardings(attr, shardings))
      return false;
    if (shardings.size() != results.size())
      return s_.fail(
          "TW-107", attr.raw.data(),
          fmt::format("{}: {} shardings for {} results", op.name, shardings.size(), results.size()));
    for (size_t i = 0; i < results.size(); ++i)
      if (c_.type_of(results[i]).dtype != graph::DType::token &&
          !constrain(results[i], std::move(shardings[i]), op))
        return false;
  }
  return true;
}

bool BodyReader::inline_function(OpText &op, std::string_view callee, const char *at) {
  if (!emitter_.check_operand_types(op))
    return false;
  const uint32_t index = c_.index.find(module_, split_symbol(callee));
  if (index == ModuleIndex::kNone)
    return s_.fail("TW-106", at, fmt::format("the function {} is not defined", callee));
  const Function &f = c_.index.functions[index];
  if (!f.has_body)
    return s_.fail("TW-106", at, fmt::format("the function {} is declared but has no body", callee));
  if (std::find(calls_.begin(), calls_.end(), index) != calls_.end())
    return s_.fail("TW-106", at,
                   fmt::format("the function {} calls itself: recursion is not supported", callee));

  const Cursor back = s_.cursor();
  Scope inner(1024 + s_.text().size() / 4);
  Scope *const outer_scope = std::exchange(scope_, &inner);
  std::string outer_prefix = inner_prefix(op, {});
  prefix_.swap(outer_prefix);
  const uint32_t outer_module = std::exchange(module_, f.module);
  calls_.push_back(index);
  ++c_.calls;

  Signature signature;
  if (!read_signature(f, signature))
    return false;
  if (signature.arguments.size() != op.operands.size())
    return s_.fail("TW-110", at,
                   fmt::format("{} takes {} arguments, {} are given", callee, signature.arguments.size(),
                               op.operands.size()));
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    const graph::Graph &g = c_.builder.graph();
    if (const graph::TypeId type = c_.local.type(op.operands[i]); type != argument.type)
      return s_.fail("TW-110", op.operand_at[i],
                     fmt::format("argument {} of {} has type {}, but {} is given", i, callee,
                                 graph::to_text(g.type_at(argument.type)), graph::to_text(g.type_at(type))));
    graph::ValueId v = op.operands[i];
    if (!constrain(v, argument.attrs, op) || !define(argument.name, {&v, 1}, argument.at))
      return false;
  }
  if (!read_function_body(f, signature))
    return false;
  for (size_t i = 0; i < yields_.size(); ++i)
    if (!constrain(yields_[i], signature.result_attrs[i], op))
      return false;
  if (!constrain_results(op, yields_))
    return false;

  calls_.pop_back();
  module_ = outer_module;
  prefix_.swap(outer_prefix);
  scope_ = outer_scope;
  s_.seek(back);
  if (!op.result_types.empty() || !op.results.empty())
    if (op.result_types != signature.results)
      return s_.fail("TW-110", at,
                     fmt::format("the result types of {} are not those of its signature", callee));
  return bind_results(op, yields_);
}

} // namespace tw::import
