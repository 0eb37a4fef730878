// SPDX-License-Identifier: Apache-2.0
// Tuples, which old front ends write: the graph knows arrays only, so a name of a tuple stands for its elements, and an op that takes or
// gives a tuple takes or gives these.
#include <algorithm>

#include <fmt/format.h>

#include "import/body.hpp"

namespace tw::import {
namespace {

constexpr graph::ValueId kTuples = 1u << 31; // values from here on are places in BodyReader::tuples_

} // namespace

void BodyReader::flatten_types(OpText &op) {
  if (!c_.types.has_tuples())
    return;
  if (std::ranges::any_of(op.operand_types, TypeParser::is_tuple)) {
    op.tuple_operands = op.operand_types;
    op.operand_types = c_.types.flat(op.operand_types);
  }
  if (std::ranges::any_of(op.result_types, TypeParser::is_tuple)) {
    op.tuple_results = op.result_types;
    op.result_types = c_.types.flat(op.result_types);
  }
}

void BodyReader::push_operand(OpText &op, graph::ValueId value, const char *at) {
  if (value < kTuples) {
    op.operands.push_back(value);
    op.operand_at.push_back(at);
    return;
  }
  for (const graph::ValueId element : tuples_[value - kTuples])
    push_operand(op, element, at);
}

// Takes the elements of a type off the front of `values`.
graph::ValueId BodyReader::pack(graph::TypeId type, std::span<const graph::ValueId> &values) {
  if (!TypeParser::is_tuple(type)) {
    const graph::ValueId value = values.front();
    values = values.subspan(1);
    return value;
  }
  std::vector<graph::ValueId> elements;
  for (const graph::TypeId element : c_.types.elements(type))
    elements.push_back(pack(element, values));
  tuples_.push_back(std::move(elements));
  return kTuples + static_cast<graph::ValueId>(tuples_.size() - 1);
}

bool BodyReader::bind_tuples(OpText &op, std::span<const graph::ValueId> values) {
  if (op.results.empty())
    return true;
  if (c_.types.flat(op.tuple_results).size() != values.size() || op.num_results() != op.tuple_results.size())
    return s_.fail(
        "TW-109", op.results[0].at,
        fmt::format("{} gives {} values, {} results are named", op.name, values.size(), op.num_results()));
  std::vector<graph::ValueId> packed;
  for (const graph::TypeId type : op.tuple_results)
    packed.push_back(pack(type, values));
  size_t next = 0;
  for (const OpText::Result &result : op.results) {
    if (!define(result.name, std::span(packed).subspan(next, result.count), result.at))
      return false;
    next += result.count;
  }
  return true;
}

// get_tuple_element %t[0] : (tuple<T, U>) -> T
bool BodyReader::form_tuple_element(OpText &op) {
  if (!read_operand(op) || !s_.expect('[', "before the index of an element"))
    return false;
  const char *start = s_.here();
  int64_t number = 0;
  if (!s_.integer(number))
    return false;
  op.attrs.push_back({"index", {start, static_cast<size_t>(s_.cursor().at - start)}, nullptr});
  return s_.expect(']', "after the index of an element") && read_attr_dict(op) && read_types(op);
}

bool BodyReader::lower_tuple(OpText &op) {
  if (op.tuple_results.size() != 1)
    return s_.fail("TW-110", op.at, fmt::format("{} gives one tuple", op.name));
  return emitter_.check_operand_types(op) && stand_for(op, op.operands);
}

bool BodyReader::lower_tuple_element(OpText &op) {
  int64_t index = 0;
  if (!emitter_.check_operand_types(op) || !read_attr(op, "index", index))
    return false;
  if (op.tuple_operands.size() != 1)
    return s_.fail("TW-110", op.at, fmt::format("{} takes one tuple", op.name));
  const auto elements = c_.types.elements(op.tuple_operands[0]);
  if (index < 0 || index >= static_cast<int64_t>(elements.size()))
    return s_.fail("TW-105", op.at,
                   fmt::format("{}: a tuple of {} has no element {}", op.name, elements.size(), index));
  const auto at = static_cast<size_t>(index);
  const size_t first = c_.types.flat(elements.first(at)).size(),
               count = c_.types.flat(elements.subspan(at, 1)).size();
  const auto begin = op.operands.begin() + static_cast<ptrdiff_t>(first);
  return stand_for(op, {begin, begin + static_cast<ptrdiff_t>(count)});
}

} // namespace tw::import
