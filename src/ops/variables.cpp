// SPDX-License-Identifier: Apache-2.0
// Finds the variables of every control-flow op, outer ones first, and of every barrier of several values.
#include "ops/variables.hpp"

#include <cstring>

#include "ops/registry.hpp"

namespace tw::ops {

bool is_loop(const graph::Graph &graph, graph::OpId op) {
  static const graph::OpCode code = code_of(OpKind::loop);
  return graph.op(op).code == code;
}

bool is_joint_barrier(const graph::Graph &graph, graph::OpId op) {
  static const graph::OpCode code = code_of(OpKind::barrier);
  return graph.op(op).code == code && graph.op(op).num_operands > 1;
}

uint32_t chosen_branch(std::span<const std::byte> selector, uint32_t num_branches) {
  if (selector.size() == 1)
    return selector[0] != std::byte{0} ? 0 : 1;
  int32_t index = 0;
  TW_ASSERT(selector.size() == sizeof index);
  std::memcpy(&index, selector.data(), sizeof index);
  return index < 0 || static_cast<uint32_t>(index) >= num_branches ? num_branches - 1
                                                                   : static_cast<uint32_t>(index);
}

Variables::Variables(const graph::Graph &graph) {
  std::vector<graph::RegionId> bodies{0};
  for (size_t i = 0; i < bodies.size(); ++i) // grows by the regions that it finds
    for (const graph::OpId id : graph.region(bodies[i]).ops) {
      const graph::Op &op = graph.op(id);
      const bool control_flow = op.num_regions != 0 && (op_def(op.code).flags & kControlFlow) != 0;
      if (!control_flow && !is_joint_barrier(graph, id))
        continue;
      if (stood_for_.empty()) {
        is_body_.assign(graph.num_regions(), false);
        stood_for_.assign(graph.ops().size(), false);
      }
      stood_for_[id] = true;
      const auto first = static_cast<uint32_t>(all_.size());
      if (control_flow)
        add_control_flow(graph, id);
      else
        add_barrier(graph, id);
      of_[id] = {first, static_cast<uint32_t>(all_.size()) - first};
      for (uint32_t r = 0; r < op.num_regions; ++r) {
        is_body_[op.first_region + r] = true;
        bodies.push_back(op.first_region + r);
      }
    }
}

void Variables::add_barrier(const graph::Graph &graph, graph::OpId id) {
  for (uint32_t i = 0; i < graph.op(id).num_results; ++i) {
    const graph::ValueId result = graph.result(id, i);
    add({id, i, graph.value(result).type, {graph.operands(id)[i]}, {result}});
  }
}

void Variables::add_control_flow(const graph::Graph &graph, graph::OpId id) {
  const graph::Op &op = graph.op(id);
  const auto operands = graph.operands(id);
  const auto region = [&](uint32_t r) -> const graph::Region & { return graph.region(op.first_region + r); };
  const bool loop = is_loop(graph, id);
  const graph::ValueId condition = loop ? region(0).yields[0] : operands[0];
  add({id, Variable::kCondition, graph.value(condition).type, {condition}, {}});
  for (uint32_t i = 0; i < op.num_results; ++i) {
    const graph::ValueId result = graph.result(id, i);
    Variable variable{id, i, graph.value(result).type, {}, {}};
    if (loop) {
      variable.reads = {operands[i], region(1).yields[i]};
      variable.makes = {region(0).args[i], region(1).args[i], result};
    } else {
      for (uint32_t r = 0; r < op.num_regions; ++r)
        variable.reads.push_back(region(r).yields[i]);
      variable.makes = {result};
    }
    add(std::move(variable));
  }
}

void Variables::add(Variable variable) {
  const auto id = static_cast<uint32_t>(all_.size());
  for (uint32_t i = 0; i < variable.reads.size(); ++i)
    readers_[variable.reads[i]].push_back({id, i});
  for (uint32_t i = 0; i < variable.makes.size(); ++i)
    makers_[variable.makes[i]] = {id, i};
  all_.push_back(std::move(variable));
}

} // namespace tw::ops
