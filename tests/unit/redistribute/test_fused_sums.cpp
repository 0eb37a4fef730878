// SPDX-License-Identifier: Apache-2.0
// Sums as they run where devices share memory. That elements arrive is tested with the runner.
#include <doctest/doctest.h>

#include <memory>

#include "redistribute/fused_sums.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/type_text.hpp"

namespace tw::test_fused_sums {

using namespace tw::redistribute;

namespace {

std::shared_ptr<const Plan> plan_of(const char *mesh_text, const char *src, const char *dst) {
  const auto mesh = *sharding::Mesh::parse(mesh_text);
  const auto problem = *make_problem(mesh, *parse_distributed_type(src, mesh), mesh,
                                     *parse_distributed_type(dst, mesh), graph::DType::f32);
  PlanOptions options;
  options.method = Method::direct;
  return make_plan(problem, options)->plan;
}

} // namespace

TEST_CASE("a sum that all want is formed once") {
  const auto plan = plan_of("a=4", "f32[100000] [{}] +a", "f32[100000] [{}]");
  REQUIRE(plan->steps.size() == 2);
  const auto fused = fuse_sums(plan);
  REQUIRE(fused->steps.size() == 1);
  const Step &step = fused->steps[0];
  CHECK(step.target == plan->target());
  CHECK(step.reduction == plan->steps[0].reduction);
  CHECK(step.num_pieces() == 16); // a share of each for each
  for (size_t p = 0; p < step.num_pieces(); ++p) {
    const auto sources = step.sources_of(p);
    REQUIRE(sources.size() == 4);
    for (Device d = 0; d < 4; ++d)
      CHECK(sources[static_cast<size_t>(d)] == Source{d, 0});
  }
}

TEST_CASE("sums that one wants, and copies, stay as they are") {
  for (const char *dst : {"f32[120000] [{a}]", "f32[120000] [{}] +a"}) {
    const auto plan = plan_of("a=4", "f32[120000] [{}] +a", dst);
    CHECK(fuse_sums(plan) == plan);
  }
  const auto gathers = plan_of("a=4", "f32[120000] [{a}]", "f32[120000] [{}]");
  CHECK(fuse_sums(gathers) == gathers);
}

TEST_CASE("a sum over one axis that devices along another want whole") {
  const auto plan = plan_of("a=2,b=3", "f32[12,50000] [{b},{}] +a", "f32[12,50000] [{},{}]");
  const auto fused = fuse_sums(plan);
  CHECK(fused->steps.size() < plan->steps.size());
  const Step &last = fused->steps[fused->steps.size() - 1];
  for (size_t p = 0; p < last.num_pieces(); ++p)
    CHECK(last.sources_of(p).size() == 2);
}

TEST_CASE("of very many devices shares are exchanged") {
  const auto plan = plan_of("a=128", "f32[1000000] [{}] +a", "f32[1000000] [{}]");
  REQUIRE(plan->steps.size() == 2);
  CHECK(fuse_sums(plan) == plan);
}

} // namespace tw::test_fused_sums
