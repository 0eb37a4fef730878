// SPDX-License-Identifier: Apache-2.0
// What an op becomes, and the names that its results get.
#include "import/reader.hpp"

#include <fmt/format.h>

namespace tw::import {

bool Reader::emit(OpText &op) {
  graph::OpId id = 0;
  return settle_untyped(*this, op) && begin_loop_op(*this, op) && emitter.add(op, id) &&
         end_loop_op(*this, op, id) && bind_op(op, id);
}

bool Reader::bind_op(OpText &op, graph::OpId id) {
  const uint32_t count = c.builder.graph().op(id).num_results;
  if (op.results.empty())
    return true;
  if (op.results.size() == 1 && count == 1 && op.results[0].count == 1 &&
      op.tuple_results.empty()) { // nearly always
    const graph::ValueId value = c.builder.graph().result(id);
    name_value(value, op.results[0].name, 0, 1);
    return define(op.results[0], {&value, 1});
  }
  std::vector<graph::ValueId> values(count);
  for (uint32_t i = 0; i < count; ++i)
    values[i] = c.builder.graph().result(id, i);
  if (!bind_results(op, values))
    return false;
  if (!op.tuple_results.empty()) // elements have no names
    return true;
  uint32_t next = 0;
  for (const OpText::Result &result : op.results)
    for (uint32_t i = 0; i < result.count; ++i)
      name_value(values[next++], result.name, i, result.count);
  return true;
}

bool Reader::bind_results(OpText &op, std::span<const graph::ValueId> values) {
  size_t next = 0;
  if (!op.tuple_results.empty())
    return bind_tuples(op, values);
  if (!op.results.empty() && op.num_results() != values.size())
    return s.fail("TW-109", op.results[0].at,
                  fmt::format("{} gives {} results, {} are named", op.name, values.size(), op.num_results()));
  for (const OpText::Result &result : op.results) {
    if (!define(result, values.subspan(next, result.count)))
      return false;
    next += result.count;
  }
  return true;
}

bool Reader::stand_for(OpText &op, const std::vector<graph::ValueId> &values) {
  for (const AttrText &attr : op.attrs)
    if (Emitter::is_sharding(attr.name))
      c.leave_out(fmt::format("sharding {} of {}, which stands for other ops", attr.raw, op.name),
                  attr.raw.data());
  bool fits = op.result_types.size() == values.size();
  for (size_t i = 0; fits && i < values.size(); ++i)
    if (const graph::TensorType &type = c.type_of(values[i]);
        !(type == c.builder.graph().type_at(op.result_types[i])))
      return s.fail("TW-110", op.at,
                    fmt::format("{}: result {} is {}, but {} is stated", op.name, i, graph::to_text(type),
                                graph::to_text(c.builder.graph().type_at(op.result_types[i]))));
  if (!fits)
    return s.fail(
        "TW-110", op.at,
        fmt::format("{} gives {} results, {} are stated", op.name, values.size(), op.result_types.size()));
  return bind_results(op, values);
}

} // namespace tw::import
