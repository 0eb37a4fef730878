// SPDX-License-Identifier: Apache-2.0
// Plans, and whether a text that was written of one is read as the same plan.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ops/registry.hpp"
#include "partition/spec.hpp"
#include "spmd/program.hpp"
#include "support/number_of.hpp"
#include "support/plans.hpp"
#include "support/random_program.hpp"
#include "support/tree_programs.hpp"
#include "unit/emit/graph_order.hpp"
#include "unit/loops/loop_text.hpp"

namespace tw::test {

inline partition::Plan under_spec(const import::Imported &imported, const char *mesh,
                                  const std::string &spec) {
  partition::Plan plan = plan_of(imported, mesh, true);
  REQUIRE(partition::apply_spec(plan, read_file(source_path("examples/specs/" + spec)), spec).has_value());
  return plan;
}

// The training step of a small transformer, under every spec of examples/ on two meshes.
template <class Visit> void each_gpt_plan(Visit visit) {
  uint64_t number = 0;
  const import::Imported imported =
      std::move(programs_of(source_path("examples/models/gpt_step.mlir"))[0].imported);
  for (const char *spec : {"gpt_data.txt", "gpt_zero2.txt", "gpt_zero3.txt", "gpt_megatron.txt",
                           "gpt_megatron_zero2.txt", "gpt_megatron_zero3.txt", "gpt_sequence.txt"})
    for (const char *mesh : {"data=4,model=2", "data=3,model=2"}) {
      if (number++ % 4 >= slice_of(4, 1)) // a plan takes seconds
        continue;
      CAPTURE(spec);
      CAPTURE(mesh);
      visit(under_spec(imported, mesh, spec));
    }
}

inline std::string text_of(const Result<std::string> &written) {
  REQUIRE_MESSAGE(written.has_value(), written.error().message());
  return *written;
}

// The plan that a reader of the text makes.
inline partition::Plan read_plan(const std::string &text) {
  CAPTURE(text);
  return plan_of(load_text(text), nullptr, true);
}

// Pairs of an op and the same op of another graph, which has more barriers than this one.
inline std::vector<std::pair<graph::OpId, graph::OpId>> same_ops(const graph::Graph &graph,
                                                                 const graph::Graph &other) {
  const std::vector<graph::OpId> order = text_order(graph), theirs = text_order(other);
  std::vector<std::pair<graph::OpId, graph::OpId>> same;
  const auto is_barrier = [](const graph::Graph &g, graph::OpId op) {
    return ops::is(g, op, ops::OpKind::barrier);
  };
  std::vector<graph::OpId> ours, rest;
  for (const graph::OpId op : order)
    if (!is_barrier(graph, op))
      ours.push_back(op);
  for (const graph::OpId op : theirs)
    if (!is_barrier(other, op))
      rest.push_back(op);
  REQUIRE(ours.size() == rest.size());
  for (size_t i = 0; i < ours.size(); ++i)
    same.emplace_back(ours[i], rest[i]);
  return same;
}

// Equal in its tiles, however they are said.
inline bool same_tiles(const sharding::Sharding &a, const sharding::Mesh &mesh, const sharding::Sharding &b,
                       const sharding::Mesh &other, const graph::TensorType &type) {
  for (sharding::Position p; p < mesh.num_positions(); ++p) {
    const sharding::Box box = box_of(a, type.dims, mesh, p), theirs = box_of(b, type.dims, other, p);
    if (!(box.empty() && theirs.empty()) && !(box == theirs)) // what is empty lies nowhere
      return false;
  }
  const auto parts = [](const sharding::Sharding &s, const sharding::Mesh &over) { // a reader may cut axes
    int64_t count = 1;
    for (const sharding::Partial &p : s.partial)
      count *= over.size(p.axis);
    return count;
  };
  return parts(a, mesh) == parts(b, other);
}

// Every op has what it reads and makes in the same layouts. Else the name of the first that has not.
inline std::string other_layouts(const partition::Plan &plan, const partition::Plan &other) {
  const graph::Graph &graph = plan.graph();
  for (const auto &[op, theirs] : same_ops(graph, other.graph())) {
    if (!plan.takes_part(op) || plan.is_source(op))
      continue;
    bool same = true;
    for (uint32_t p = 0; p < graph.op(op).num_operands; ++p)
      same = same && same_tiles(plan.operand_sharding(op, p), plan.mesh(), other.operand_sharding(theirs, p),
                                other.mesh(), graph.type(graph.operands(op)[p]));
    for (uint32_t r = 0; r < graph.op(op).num_results; ++r)
      same = same && same_tiles(plan.result_sharding(op, r), plan.mesh(), other.result_sharding(theirs, r),
                                other.mesh(), graph.type(graph.result(op, r)));
    if (!same)
      return std::string(ops::op_def(graph.op(op).code).name) + " " + graph.value_name(graph.result(op));
  }
  return {};
}

inline bool same_values(const spmd::Program &program, spmd::ValueRef v, const spmd::Program &other,
                        spmd::ValueRef w) {
  return same_tiles(program.sharding(program.values()[v].sharding), program.mesh(),
                    other.sharding(other.values()[w].sharding), other.mesh(), program.type(v));
}

// Of the same tiles into the same ones.
inline bool same_instr(const spmd::Program &program, const spmd::Instr &a, const spmd::Program &other,
                       const spmd::Instr &b) {
  bool same = true;
  for (uint32_t p = 0; p < a.num_operands; ++p)
    same = same && same_values(program, program.operands(a)[p], other, other.operands(b)[p]);
  for (uint32_t r = 0; r < a.num_results; ++r)
    same = same && same_values(program, a.first_result + r, other, b.first_result + r);
  return same;
}

// Every op is computed as often, of the same tiles into the same ones; one that is made in several layouts,
// in any order.
inline void check_same_tiles(const spmd::Program &program, const spmd::Program &other) {
  const auto computed = [](const spmd::Program &p) {
    std::map<graph::OpId, std::vector<spmd::Instr>> by_op;
    for (const spmd::Instr &instr : p.instrs())
      if (instr.kind == spmd::InstrKind::compute)
        by_op[instr.op].push_back(instr);
    return by_op;
  };
  auto ours = computed(program), theirs = computed(other);
  for (const auto &[op, same] : same_ops(program.graph(), other.graph())) {
    std::vector<spmd::Instr> &a = ours[op], &b = theirs[same];
    const std::string name(ops::op_def(program.graph().op(op).code).name); // clang 14 captures no binding
    INFO(name);
    REQUIRE(a.size() == b.size());
    for (const spmd::Instr &one : a) {
      const auto found = std::ranges::find_if(
          b, [&](const spmd::Instr &another) { return same_instr(program, one, other, another); });
      REQUIRE(found != b.end());
      b.erase(found);
    }
  }
}

// How often each kind of collective moves something.
inline std::array<int64_t, redistribute::kNumKinds> moves_of(const spmd::Program &program,
                                                             const spmd::Statistics &statistics) {
  std::array<int64_t, redistribute::kNumKinds> moves{};
  for (size_t i = 0; i < program.collectives().size(); ++i)
    if (const redistribute::Summary &summary = program.collectives()[i].summary;
        summary.bytes_received_max != 0)
      moves[static_cast<size_t>(summary.kind)] += statistics.times[i];
  return moves;
}

// What is lowered moves the same, and does so where the plans differ.
inline void check_same(const partition::Plan &plan, const partition::Plan &other) {
  const auto ours = spmd::lower(plan), again = spmd::lower(other);
  REQUIRE(ours.has_value());
  REQUIRE(again.has_value());
  INFO(spmd::to_text(**ours) << spmd::to_text(**again));
  const spmd::Statistics a = spmd::find_statistics(**ours), b = spmd::find_statistics(**again);
  CHECK(moves_of(**ours, a) == moves_of(**again, b));
  CHECK(a.bytes_received_max == b.bytes_received_max);
  if (const std::string first = other_layouts(plan, other); !first.empty()) {
    INFO("the plans differ in " << first);
    check_same_tiles(**ours, **again);
  }
}

// Random actions on random programs, which cut where they like and leave whole what propagation would tile:
// visit(plan, seed).
template <class Visit> void each_random_plan(uint64_t first, uint64_t count, Visit visit) {
  for (uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    partition::Plan plan(program.graph, random_mesh(random));
    const std::string actions = random_actions(plan, random); // CAPTURE alone would not run it
    CAPTURE(actions);
    if (plan.mesh().num_axes() != 0)
      visit(plan, seed);
  }
}

// A grid has no axes of steps and of threads: `print` refuses a plan over them and names the axis.
template <class Print> void check_refuses_loops(Print print) {
  Dice random(1);
  const RandomProgram program = random_program(random);
  for (const auto kind : {sharding::AxisKind::serial, sharding::AxisKind::threads}) {
    partition::Plan plan(program.graph, *sharding::Mesh::parse("a=2"));
    REQUIRE(plan.add_axis("micro", 2, kind));
    const Result<std::string> text = print(plan);
    REQUIRE(!text.has_value());
    CHECK(std::string_view(text.error().info().id) == "TW-730");
    CHECK(text.error().message().find("'micro'") != std::string::npos);
  }
}

} // namespace tw::test
