// SPDX-License-Identifier: Apache-2.0
// Finds the literal of a constant by its code and attribute.
#include "ops/literal.hpp"

#include "ops/attributes.hpp"
#include "ops/registry.hpp"

namespace tw::ops {

const graph::Constant *literal_of(const graph::Graph &graph, graph::OpId op) {
  static const graph::OpCode constant = code_of(OpKind::constant);
  return graph.op(op).code == constant
             ? &graph.constant(std::get<graph::ConstantId>(graph.attrs(op)[slot::constant::value]))
             : nullptr;
}

const graph::Constant *literal_of_value(const graph::Graph &graph, graph::ValueId v) {
  const graph::OpId op = graph.value(v).def;
  return op == graph::kNone ? nullptr : literal_of(graph, op);
}

} // namespace tw::ops
