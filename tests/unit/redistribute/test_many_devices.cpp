// SPDX-License-Identifier: Apache-2.0
// Plans over many devices: what is known of steps before they are written down is what they are, and making
// a plan takes memory by devices, not by pairs of them.
#include <doctest/doctest.h>

#include <array>

#include "redistribute/check.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/takers.hpp"
#include "redistribute/type_text.hpp"
#include "support/random_problem.hpp"
#include "support/unit.hpp"

namespace tw::test_many_devices {

using namespace tw::redistribute;
using tw::sharding::Mesh;

namespace {

std::shared_ptr<const Problem> problem_of(std::string_view mesh_text, std::string_view src,
                                          std::string_view dst) {
  const Mesh mesh = *Mesh::parse(mesh_text);
  const DistributedType before = *parse_distributed_type(src, mesh);
  auto problem = make_problem(mesh, before, mesh, *parse_distributed_type(dst, mesh, &before.type),
                              tw::graph::DType::f32);
  REQUIRE(problem);
  return *problem;
}

std::vector<Costed> direct_plans(const std::shared_ptr<const Problem> &problem) {
  PlanOptions options;
  options.method = Method::direct;
  options.height_bytes = INT64_MAX;
  auto made = make_plans(problem, options);
  REQUIRE_MESSAGE(made, (made ? "" : made.error().message()));
  return *std::move(made);
}

void check_same(const PlanCost &said, const PlanCost &counted) {
  REQUIRE(said.steps.size() == counted.steps.size());
  for (size_t s = 0; s < said.steps.size(); ++s) {
    REQUIRE(said.steps[s].received == counted.steps[s].received);
    REQUIRE(said.steps[s].kept_max == counted.steps[s].kept_max);
    REQUIRE(said.steps[s].peers_max == counted.steps[s].peers_max);
    REQUIRE(said.steps[s].time_us == counted.steps[s].time_us);
  }
  REQUIRE(said.received == counted.received);
  REQUIRE(said.height_bytes == counted.height_bytes);
  REQUIRE(said.scratch_bytes == counted.scratch_bytes);
  REQUIRE(said.time_us == counted.time_us);
}

// One after the other, since a step that is read is written down.
void check_plan(const Costed &made) {
  const Plan &plan = *made.plan;
  const std::vector<StepHead> said = plan.steps.heads();
  const StepSize size = plan.steps.later_size();
  const std::vector<Step> &steps = plan.steps.read();
  REQUIRE(said == std::vector<StepHead>(steps.begin(), steps.end()));
  StepSize counted;
  for (Step step : steps) {
    counted.pieces += static_cast<int64_t>(step.num_pieces());
    counted.sources += std::ssize(step.sources);
    const StepHead head = step;
    describe(step, *plan.problem);
    REQUIRE(head == step);
  }
  if (size.pieces != 0) {
    REQUIRE(size.pieces == counted.pieces);
    REQUIRE(size.sources == counted.sources);
  }
  check_same(made.cost, find_cost(plan, {}, {}));
}

} // namespace

TEST_CASE("what is said of steps that are not written down is what they are") {
  tw::test::Random random(47);
  int several = 0, sums = 0, meshes = 0, turns = 0;
  const int rounds = static_cast<int>(tw::test::slice_of(20'000, 2'000));
  for (int round = 0; round < rounds; ++round) {
    const auto problem = tw::test::random_problem(random, {32});
    if (problem == nullptr)
      continue;
    CAPTURE(round);
    for (const Costed &made : direct_plans(problem)) {
      check_plan(made);
      several += made.plan->steps.size() > 1;
    }
    sums += !problem->combined().empty();
    meshes += !problem->same_mesh();
    turns += DirectExchange(*problem).takes_turns();
  }
  CHECK(several > rounds / 50);
  CHECK(sums > rounds / 20);
  CHECK(meshes > rounds / 20);
  CHECK(turns > rounds / 20);
}

TEST_CASE("devices that take from the same ones are one class") {
  const auto classes = [](std::string_view mesh, std::string_view src, std::string_view dst, Takers::By by) {
    const auto problem = problem_of(mesh, src, dst);
    const Takers takers(*problem, by);
    return std::pair(takers.num_classes(), takers.num_pieces());
  };
  using Counts = std::pair<size_t, int64_t>;
  for (const Takers::By by : {Takers::By::givers, Takers::By::boxes}) {
    CHECK(classes("x=4096", "f32[8192] [{x}]", "[{}]", by) == Counts{1, 4096});
    CHECK(classes("x=64,y=64", "f32[8192] [{x,y}]", "[{x}]", by) == Counts{64, 4096});
    CHECK(classes("x=4096", "f32[8192] [{}]+x", "[{}]", by) == Counts{1, 1});
  }
  const std::array all_to_all{"f32[4096,4096] [{x},{}]", "[{},{x}]"};
  CHECK(classes("x=4096", all_to_all[0], all_to_all[1], Takers::By::givers) == Counts{1, 4096});
  CHECK(classes("x=4096", all_to_all[0], all_to_all[1], Takers::By::boxes) == Counts{4096, 4096 * 4096});
  CHECK(classes("x=4096", "f32[8192] [{}]+x", "[{x}]", Takers::By::givers) == Counts{1, 1});
}

TEST_CASE("a plan over many devices takes memory by devices") {
  // Steps that were written down would have a piece a pair of devices, or a source.
  constexpr int64_t kDevices = 65'536, kPairs = kDevices * kDevices;
  struct Move {
    const char *src, *dst, *axes;
    Kind kind;
    size_t steps;
    int64_t sources;
  };
  for (const Move &move : {
           Move{"f32[65536] [{x}]", "[{}]", "x", Kind::all_gather, 1, kPairs},
           Move{"f32[65536,65536] [{x},{}]", "[{},{x}]", "x", Kind::all_to_all, 1, kPairs},
           Move{"f32[65536] [{}]+x", "[{}]", "x", Kind::reduce_scatter, 2, 2 * kPairs - kDevices},
           Move{"f32[65536] [{}]+x", "[{x}]", "x", Kind::reduce_scatter, 1, kPairs},
           Move{"f32[65536] [{}]", "[{x}]", "", Kind::copy, 1, kDevices},
       }) {
    CAPTURE(move.src);
    const auto problem = problem_of("x=65536", move.src, move.dst);
    const auto made = make_plan(problem, {});
    REQUIRE_MESSAGE(made, (made ? "" : made.error().message()));
    const Steps &steps = made->plan->steps;
    REQUIRE(steps.size() == move.steps);
    CHECK(steps.heads()[0].kind == move.kind);
    CHECK(steps.heads()[0].axes == move.axes);
    CHECK(steps.heads()[0].group == (move.kind == Kind::copy ? 1 : kDevices));
    CHECK(steps.later_size().sources == move.sources);
    CHECK(steps.later_size().check().has_value() == (move.kind == Kind::copy));
    CHECK(hash_value(*made->plan) != 0); // and does not read them
  }
}

} // namespace tw::test_many_devices
