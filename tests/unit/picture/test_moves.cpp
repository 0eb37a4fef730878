// SPDX-License-Identifier: Apache-2.0
// Pictures of redistributions: what is drawn between devices is what the plan moves.
#include <doctest/doctest.h>

#include <map>
#include <memory>

#include "picture/draw.hpp"
#include "redistribute/direct.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/type_text.hpp"
#include "support/random_sharding.hpp"

namespace tw::picture_test_moves {

using namespace tw::picture;
namespace rd = tw::redistribute;
using tw::test::Random;

namespace {

rd::Problem problem_of(const char *mesh_text, const char *src, const char *dst, std::vector<int64_t> shape) {
  const auto mesh = *sharding::Mesh::parse(mesh_text);
  const auto before = sharding::parse_distribution(src, mesh, shape),
             after = sharding::parse_distribution(dst, mesh, shape);
  auto problem = rd::Problem::create({graph::DType::f32, shape}, {mesh, before->sharding, before->halos},
                                     {mesh, after->sharding, after->halos});
  REQUIRE(problem);
  return std::move(*problem);
}

} // namespace

TEST_CASE("what devices receive in a picture is what they lack") {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    const auto mesh = tw::test::random_mesh(random, 16);
    const auto shape = tw::test::random_shape(random, 3, 12);
    const auto before = tw::test::random_sharding(random, shape, mesh),
               after = tw::test::random_sharding(random, shape, mesh);
    const auto problem = rd::Problem::create({graph::DType::f32, shape}, {mesh, before}, {mesh, after});
    REQUIRE(problem);
    std::map<rd::Device, int64_t> received, kept;
    for (const Flow &flow : flows_of({*problem}))
      (flow.from == flow.to ? kept : received)[flow.to] += flow.bytes;
    for (rd::Device d = 0; d < static_cast<rd::Device>(problem->num_devices()); ++d) {
      const sharding::Box had = problem->src_box(d), wanted = problem->dst_box(d);
      const int64_t both = intersect(had, wanted).elements();
      CHECK(kept[d] == 4 * both);
      CHECK(received[d] == 4 * (wanted.elements() - both));
    }
    Options text;
    text.form = Form::text;
    CHECK(draw_move({*problem}, text));
    CHECK(draw_move({*problem}, {}));
  }
}

TEST_CASE("steps say what they are") {
  const auto gather = problem_of("x=2,y=4", "[{x}, {y}]", "[{x}, {}]", {16, 16});
  CHECK(step_words({gather}) == std::vector<std::string>{"all_gather over y: 384 B a device"});
  const auto cut = problem_of("x=2,y=4", "[{x}, {}]", "[{x}, {y}]", {16, 16});
  CHECK(step_words({cut}) == std::vector<std::string>{"each device cuts its own tile"});
  const auto large = problem_of("x=2048", "[{x}]", "[{}]", {4096});
  CHECK(step_words({large}) == std::vector<std::string>{"all_gather over x: 16.4 kB a device"});
  const auto shared =
      std::make_shared<const rd::Problem>(problem_of("x=2,y=4", "[{x}, {y}]", "[{y}, {x}]", {16, 16}));
  const auto plan = rd::make_plan(shared, {});
  REQUIRE(plan);
  const rd::Steps &steps = plan->plan->steps;
  CHECK(step_words({*shared, &steps}).size() == steps.size());
}

} // namespace tw::picture_test_moves
