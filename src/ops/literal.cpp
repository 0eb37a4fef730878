// SPDX-License-Identifier: Apache-2.0
// Finds the literal of a constant by its code and attribute.
#include "ops/literal.hpp"

#include "ops/attributes.hpp"
#include "ops/registry.hpp"

namespace tw::ops {

const graph::Constant &literal_of(const OpView &constant) {
  return constant.graph.constant(std::get<graph::ConstantId>(constant.attrs[slot::constant::value]));
}

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

bool is_scalar_constant(const graph::Graph &graph, graph::ValueId v) {
  return literal_of_value(graph, v) != nullptr && graph.type(v).rank() == 0;
}

} // namespace tw::ops
