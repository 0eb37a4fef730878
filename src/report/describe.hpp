// SPDX-License-Identifier: Apache-2.0
// Words for the things that reports name: causes, values, axes, bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "partition/adjacency.hpp"
#include "report/subject.hpp"

namespace tw::report {

// "spec.txt:3 tile(arg=x, dim=0, axis=\"data\")" for an action.
std::string describe(const partition::Action &action, const graph::Graph &graph);
// The actions that decided a node's nest, outermost first, joined by "; ".
std::string cause_of_node(const partition::Plan &plan, partition::NodeId node);
// The action that asked for a result's layout, else those that decided it.
std::string cause_of_result(const partition::Plan &plan, uint32_t result);
// The action that asked for it, and others of which each leads to the same, joined by "; ".
std::string cause_of_collective(const Subject &subject, const spmd::Collective &c);
// Causes and locations as tables show them: files without their folders.
std::string brief(std::string_view text);
// "stablehlo.add"; "" for no op.
std::string op_name(const graph::Graph &graph, graph::OpId op);
// The graph op that a collective is reported under: its producer, else its consumer.
graph::OpId op_of(const spmd::Collective &c);

// The value of an argument or result.
spmd::ValueRef value_of(const spmd::Program &program, const spmd::Instr &signature);
// Local shapes of an argument or result as it is handed out, halos included: on device 0, and where devices
// differ each distinct one with its device count, the largest first.
struct LocalShapes {
  std::vector<int64_t> first;
  std::vector<std::pair<std::vector<int64_t>, int64_t>> distinct;
};
LocalShapes local_shapes(const spmd::Program &program, const spmd::Instr &signature);
// "f32[64,16]", what a device gives at most of a value that moves: of the first where several do.
std::string local_type(const spmd::Program &program, const spmd::Collective &c);
int64_t local_bytes(const spmd::Program &program, const spmd::Instr &signature); // of the largest tile
// "[{x}:halo=[1,1], {}]"
std::string sharding_text(const spmd::Program &program, const spmd::Instr &signature);

} // namespace tw::report
