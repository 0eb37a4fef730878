// SPDX-License-Identifier: Apache-2.0
// Collectives of a program over the levels of its mesh: nothing enters a group that need not, sums keep their
// order where that is asked for.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "partition/spec.hpp"
#include "redistribute/bounds.hpp"
#include "redistribute/check.hpp"
#include "spmd/program.hpp"
#include "support/tree_programs.hpp"
#include "unit/spmd/lowered.hpp"

namespace tw::test_plan_moves {

using redistribute::Method;

namespace {

std::string text_of(const std::string &path) {
  std::ifstream in(test::source_path(path), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A GPT training step over 2 x 4 devices.
partition::Plan gpt(const char *spec) {
  auto all = test::programs_of(test::source_path("examples/models/gpt_step.mlir"));
  partition::Plan plan(all.at(0).imported.graph, *sharding::Mesh::parse("data=2,model=4"));
  const Status status = partition::apply_spec(plan, text_of(spec), "spec");
  REQUIRE_MESSAGE(status.has_value(), status.error().message());
  return plan;
}

} // namespace

TEST_CASE("no collective of a training step lets more enter a group than it must") {
  size_t in_steps = 0;
  for (const char *spec : {"examples/specs/gpt_megatron.txt", "examples/specs/gpt_zero3.txt",
                           "examples/specs/gpt_megatron_zero2.txt"}) {
    const auto plan = gpt(spec);
    for (const char *levels : {"node=2", "node=4", "node=[[0,1,4,5],[2,3,6,7]]", "node=2,socket=2"}) {
      const auto program = test::lowered(plan, {.levels = levels});
      const auto topology =
          *redistribute::Topology::parse(levels, std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7});
      for (const spmd::Collective &c : program->collectives()) {
        REQUIRE(c.planned.size() == program->instrs()[c.instr].num_operands);
        for (const spmd::PlannedMove &move : c.planned) {
          INFO(std::string(spec), " ", std::string(levels), " ", program->graph().value_name(c.value));
          CHECK(redistribute::check(*move.plan, {.move_elements = 0}).pass());
          const auto bounds = redistribute::find_bounds(*move.plan->problem, topology, {});
          CHECK(move.bytes_by_level.size() == topology.num_levels());
          CHECK(move.bytes_by_level[0] == bounds.b2.at(0));
          in_steps += move.plan->method != Method::direct;
        }
      }
    }
  }
  CHECK(in_steps > 100);
}

TEST_CASE("levels that must change no bits leave sums as they are") {
  const auto program = test::lowered(gpt("examples/specs/gpt_zero3.txt"),
                                     {.levels = "node=[[0,1,4,5],[2,3,6,7]]", .keep_sum_order = true});
  size_t in_steps = 0;
  for (const spmd::Collective &c : program->collectives())
    for (size_t a = 0; a < c.planned.size(); ++a)
      if (c.steps_of(a) != nullptr) {
        ++in_steps;
        CHECK(c.planned[a].plan->problem->combined().empty());
      }
  MESSAGE(in_steps, " moves in several steps");
}

TEST_CASE("levels that do not fit the mesh, and scratch that is too little") {
  const auto plan = gpt("examples/specs/gpt_megatron.txt");
  CHECK(spmd::lower(plan, {.levels = "node=3"}).error().message() ==
        "levels 'node=3': 3 groups do not divide 8 devices");
  CHECK(spmd::lower(plan, {.levels = "node=[[0,1]]"}).error().message() ==
        "levels 'node=[[0,1]]': device 2 is in no group");
  // Where sums within groups do not fit, sums go straight.
  const auto program = test::lowered(plan, {.levels = "node=[[0,1,4,5],[2,3,6,7]]", .scratch_bytes = 16});
  for (const spmd::Collective &c : program->collectives())
    for (const spmd::PlannedMove &move : c.planned)
      CHECK(move.plan->buffers.size() == 2);
}

} // namespace tw::test_plan_moves
