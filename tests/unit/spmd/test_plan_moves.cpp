// SPDX-License-Identifier: Apache-2.0
// Collectives of a program over the levels of its mesh: nothing enters a group that need not, sums keep their
// order where that is asked for.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>

#include "partition/spec.hpp"
#include "redistribute/bounds.hpp"
#include "redistribute/check.hpp"
#include "spmd/program.hpp"
#include "support/run_random.hpp"
#include "support/tree_programs.hpp"
#include "unit/spmd/lowered.hpp"

namespace tw::test_plan_moves {

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
        REQUIRE(c.moves.size() == program->instrs()[c.instr].num_operands);
        for (const redistribute::Move *move : c.moves) {
          INFO(std::string(spec), " ", std::string(levels), " ", program->graph().value_name(c.value));
          CHECK(redistribute::check(move->plan(), {.move_elements = 0}).pass());
          const auto bounds = redistribute::find_bounds(move->problem(), topology, {});
          REQUIRE(move->bytes_by_level().size() == topology.num_levels());
          CHECK(move->bytes_by_level()[0] == bounds.b2.at(0));
          in_steps += !move->is_straight();
        }
      }
    }
  }
  CHECK(in_steps > 100);
}

namespace {

// The groups of devices, those of each step of a loop apart.
redistribute::Topology at_positions(const redistribute::Topology &by_device, const sharding::Mesh &mesh) {
  redistribute::Topology by_position;
  for (const auto &groups : by_device.groups) {
    auto &level = by_position.groups.emplace_back();
    for (sharding::Position p; p < mesh.num_positions(); ++p) {
      const int64_t step = p - mesh.without(p, mesh.loop_axes());
      const int32_t group = groups[static_cast<size_t>(mesh.device_of(p).index())];
      level.push_back(static_cast<int32_t>(group * mesh.num_positions() + step));
    }
  }
  return by_position;
}

bool crosses_steps(const redistribute::Plan &plan) {
  const sharding::Mesh &mesh = plan.problem->src().mesh;
  const auto step_of = [&](int64_t p) { return p - mesh.without(sharding::Position(p), mesh.loop_axes()); };
  for (const redistribute::Step &step : plan.steps)
    for (size_t d = 0; d < plan.problem->num_devices(); ++d)
      for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece)
        for (const redistribute::Source &source : step.sources_of(piece))
          if (step_of(source.device) != step_of(static_cast<int64_t>(d)))
            return true;
  return false;
}

bool overlaps(const sharding::Sharding &s) {
  return std::ranges::any_of(s.dims, [](const sharding::DimSharding &dim) {
    return dim.rule.kind == sharding::SplitRule::Kind::spans;
  });
}

struct Planned {
  int64_t all = 0, in_loops = 0, overlapping = 0; // with the steps of a plan
};

void check_random_case(uint64_t seed, Planned &planned) {
  test::RandomCase given(seed);
  spmd::Options options = given.lowering;
  const int64_t devices = given.plan.mesh().num_devices();
  options.levels = devices % 2 == 0 ? "node=2" : "node=1";
  options.keep_sum_order = false;
  const auto program = test::lowered(given.plan, options);
  std::vector<int64_t> ids(static_cast<size_t>(devices));
  std::iota(ids.begin(), ids.end(), 0);
  const auto nodes = *redistribute::Topology::parse(options.levels, ids);
  for (const spmd::Collective &c : program->collectives()) {
    if (c.summary.reduction == sharding::Reduction::region) {
      CHECK(!c.is_planned());
      CHECK(!c.unplanned.empty());
      continue;
    }
    REQUIRE(c.moves.size() == program->instrs()[c.instr].num_operands);
    for (const redistribute::Move *move : c.moves) {
      INFO("seed ", seed, " ", program->graph().value_name(c.value), "\n", given.context);
      const redistribute::Plan &plan = move->plan();
      const auto report = redistribute::check(plan, {.move_elements = 1 << 12});
      CHECK_MESSAGE(report.pass(), report.failures[0]);
      CHECK(!crosses_steps(plan));
      const sharding::Mesh &mesh = plan.problem->src().mesh;
      const auto bounds = redistribute::find_bounds(*plan.problem, at_positions(nodes, mesh), {});
      REQUIRE(c.is_planned());
      CHECK(move->bytes_by_level()[0] <= bounds.b2.at(0));
      if (!move->is_straight()) {
        ++planned.all;
        planned.in_loops += !mesh.loop_axes().empty();
        planned.overlapping += overlaps(plan.problem->dst().sharding);
      }
    }
  }
}

} // namespace

TEST_CASE("no collective of a random program lets more enter a node than it must") {
  Planned planned;
  for (uint64_t seed = 1; seed <= 400; ++seed)
    check_random_case(seed, planned);
  MESSAGE(planned.all, " in steps, ", planned.in_loops, " of them in loops, ", planned.overlapping,
          " into tiles that overlap");
  CHECK(planned.in_loops > 20);
  CHECK(planned.overlapping > 0);
}

TEST_CASE("levels that must change no bits leave sums as they are") {
  const auto program = test::lowered(gpt("examples/specs/gpt_zero3.txt"),
                                     {.levels = "node=[[0,1,4,5],[2,3,6,7]]", .keep_sum_order = true});
  size_t in_steps = 0;
  for (const spmd::Collective &c : program->collectives())
    for (const redistribute::Move *move : c.moves)
      if (!move->is_straight()) {
        ++in_steps;
        CHECK(move->problem().combined().empty());
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
    for (const redistribute::Move *move : c.moves)
      CHECK(move->plan().buffers.size() == 2);
}

} // namespace tw::test_plan_moves
