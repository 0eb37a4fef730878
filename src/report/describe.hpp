// SPDX-License-Identifier: Apache-2.0
// Words for the things that reports name: causes, ops, what moves.
#pragma once

#include <string>
#include <string_view>

#include "partition/adjacency.hpp"
#include "report/subject.hpp"

namespace tw::report {

// "spec.txt:3 tile(arg=x, dim=0, axis=\"data\")" for an action.
std::string describe(const partition::Action &action, const graph::Graph &graph);
// The actions that decided a node's nest, outermost first, joined by "; ".
std::string cause_of_node(const partition::Plan &plan, partition::NodeId node);
// The action that asked for a result's layout, else those that decided it.
std::string cause_of_result(const partition::Plan &plan, uint32_t result);
// The action that asked for it, and others of which each leads to the same, joined by "; ": the first three,
// and how many more there are.
std::string cause_of_collective(const Subject &subject, const spmd::Collective &c);
// Causes and locations as tables show them: files without their folders.
std::string brief(std::string_view text);
// "stablehlo.add"; "" for no op.
std::string op_name(const graph::Graph &graph, graph::OpId op);
// The graph op that a collective is reported under: its producer, else its consumer.
graph::OpId op_of(const spmd::Collective &c);

// "f32[64,16]", what a device gives at most of a value that moves: of the first where several do.
std::string local_type(const spmd::Program &program, const spmd::Collective &c);

} // namespace tw::report
