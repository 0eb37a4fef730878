// SPDX-License-Identifier: Apache-2.0
// Tuples, which old front ends write: the graph knows arrays only, so a name of a tuple stands for its
// elements, and an op that takes or gives a tuple takes or gives these.
#include "import/reader.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tw::import {

namespace {

constexpr graph::ValueId kTuples = 1u << 31; // values from here on are places in Reader::tuples_

} // namespace

void Reader::flatten_types(OpText &op) {
  if (!c.types.has_tuples())
    return;
  if (std::ranges::any_of(op.operand_types, TypeParser::is_tuple)) {
    op.tuple_operands = op.operand_types;
    op.operand_types = c.types.flat(op.operand_types);
  }
  if (std::ranges::any_of(op.result_types, TypeParser::is_tuple)) {
    op.tuple_results = op.result_types;
    op.result_types = c.types.flat(op.result_types);
  }
}

void Reader::push_operand(OpText &op, graph::ValueId value, const char *at) {
  if (value < kTuples) {
    op.operands.push_back(value);
    op.operand_at.push_back(at);
    return;
  }
  for (const graph::ValueId element : tuples_[value - kTuples])
    push_operand(op, element, at);
}

// Takes the elements of a type off the front of `values`.
graph::ValueId Reader::pack(graph::TypeId type, std::span<const graph::ValueId> &values) {
  if (!TypeParser::is_tuple(type)) {
    const graph::ValueId value = values.front();
    values = values.subspan(1);
    return value;
  }
  std::vector<graph::ValueId> elements;
  for (const graph::TypeId element : c.types.elements(type))
    elements.push_back(pack(element, values));
  tuples_.push_back(std::move(elements));
  return kTuples + static_cast<graph::ValueId>(tuples_.size() - 1);
}

bool Reader::bind_tuples(OpText &op, std::span<const graph::ValueId> values) {
  if (op.results.empty())
    return true;
  if (c.types.flat(op.tuple_results).size() != values.size() || op.num_results() != op.tuple_results.size())
    return s.fail(
        "TW-109", op.results[0].at,
        fmt::format("{} gives {} values, {} results are named", op.name, values.size(), op.num_results()));
  std::vector<graph::ValueId> packed;
  for (const graph::TypeId type : op.tuple_results)
    packed.push_back(pack(type, values));
  size_t next = 0;
  for (const OpText::Result &result : op.results) {
    if (!define(result, std::span(packed).subspan(next, result.count)))
      return false;
    next += result.count;
  }
  return true;
}

} // namespace tw::import
