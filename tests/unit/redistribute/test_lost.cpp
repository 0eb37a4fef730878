// SPDX-License-Identifier: Apache-2.0
// Where devices are lost: what others have goes where it is wanted, each byte once, and what nobody has is
// named to the element.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "redistribute/check.hpp"
#include "redistribute/lost.hpp"
#include "redistribute/plan_bytes.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/type_text.hpp"
#include "support/elements.hpp"
#include "support/number_of.hpp"
#include "support/random_problem.hpp"

namespace tw::test_lost {

using namespace tw::redistribute;
using tw::sharding::Mesh;
using tw::test::draw;
using tw::test::Random;
using Element = std::vector<int64_t>;

namespace {

Result<std::shared_ptr<const Problem>> problem_of(const Mesh &src_mesh, std::string_view src,
                                                  const Mesh &dst_mesh, std::string_view dst,
                                                  std::vector<int64_t> lost) {
  return make_problem(src_mesh, *parse_distributed_type(src, src_mesh), dst_mesh,
                      *parse_distributed_type(dst, dst_mesh), graph::DType::f32, std::move(lost));
}

std::set<Element> elements_of_box(const sharding::Box &box) {
  std::set<Element> elements;
  if (!box.empty())
    test::each_element(box, [&](std::span<const int64_t> at) { elements.emplace(at.begin(), at.end()); });
  return elements;
}

// By the definition: what devices that are left have, and what the target wants besides.
void check_missing(const Problem &problem) {
  std::set<Element> held;
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d)
    held.merge(elements_of_box(problem.src_box(d)));
  std::vector<std::set<Element>> wanted(problem.num_devices()), named(problem.num_devices());
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d)
    for (const Element &at : elements_of_box(problem.dst_box(d)))
      if (!held.contains(at))
        wanted[static_cast<size_t>(d)].insert(at);
  for (const Missing &part : find_missing(problem))
    for (const Element &at : elements_of_box(part.box))
      CHECK(named[static_cast<size_t>(part.device)].insert(at).second);
  CHECK(named == wanted);
}

void check_plans(const std::shared_ptr<const Problem> &problem, const Topology &topology) {
  PlanOptions options;
  options.topology = topology;
  auto plans = make_plans(problem, options);
  REQUIRE_MESSAGE(plans, plans.error().message());
  const Bounds bounds = find_bounds(*problem, topology, {});
  for (const Costed &made : *plans) {
    const std::shared_ptr<const Plan> &plan = made.plan;
    const PlanCost &cost = made.cost;
    CAPTURE(name(plan->method));
    CheckOptions how;
    how.cost = cost;
    const CheckReport report = check(*plan, how);
    REQUIRE_MESSAGE(report.pass(), report.failures[0]);
    CHECK(report.moved);
    CHECK(plan->exact);
    CHECK(cost.received_max == bounds.b1_max);
    CHECK(cost.received_mean == doctest::Approx(bounds.b1_mean));
    if (plan->method == Method::level)
      for (size_t level = 0; level < topology.groups.size(); ++level)
        CHECK(test::most_across(*plan, topology.groups[level], true) == bounds.b2[level]);
    const std::string bytes = to_bytes(*plan, topology);
    const auto again = from_bytes(bytes);
    REQUIRE_MESSAGE(again, again.error().message());
    CHECK(hash_value(*again->plan) == hash_value(*plan));
  }
}

} // namespace

TEST_CASE("a replica gives what a lost device had") {
  const Mesh before = *Mesh::parse("data=2,model=2"),
             after = test::with_ids(*Mesh::parse("model=3"), {0, 1, 3});
  const auto problem = *problem_of(before, "f32[6,4] [{model},{}]", after, "f32[6,4] [{model},{}]", {2});
  CHECK(problem->num_devices() == 3);
  CHECK(problem->device_ids() == std::vector<int64_t>{0, 1, 3});
  CHECK(find_missing(*problem).empty());
  check_plans(problem, {});
}

TEST_CASE("what only a lost device had is named") {
  const Mesh before = *Mesh::parse("model=4"), after = test::with_ids(*Mesh::parse("model=2"), {0, 3});
  const auto problem = *problem_of(before, "f32[8] [{model}]", after, "f32[8] [{model}]", {1, 2});
  const auto missing = find_missing(*problem);
  REQUIRE(missing.size() == 2);
  CHECK(missing[0].device == 0);
  CHECK(missing[0].box == sharding::Box{{2}, {2}});
  CHECK(missing[1].device == 1);
  CHECK(missing[1].box == sharding::Box{{4}, {2}});
  check_plans(problem, {});
}

TEST_CASE("a device that came back has nothing") {
  const Mesh mesh = *Mesh::parse("data=2,model=2");
  const auto whole = *problem_of(mesh, "f32[4] [{model}]", mesh, "f32[4] [{model}]", {});
  CHECK(whole->same_mesh());
  const auto problem = *problem_of(mesh, "f32[4] [{model}]", mesh, "f32[4] [{model}]", {3});
  CHECK(!problem->same_mesh());
  CHECK(problem->num_devices() == 4);
  CHECK(problem->src_position(3) == -1);
  CHECK(find_missing(*problem).empty());
  const Costed made = *make_plan(problem, {});
  CHECK(made.cost.received == std::vector<int64_t>{0, 0, 0, 8});
  check_plans(problem, {});
}

TEST_CASE("all devices may be lost but those that the target brings") {
  const Mesh mesh = *Mesh::parse("x=2"), other = test::with_ids(*Mesh::parse("x=2"), {5, 6});
  const auto problem = *problem_of(mesh, "f32[4] [{x}]", other, "f32[4] [{}]", {0, 1});
  CHECK(problem->num_devices() == 2);
  CHECK(count_missing(*problem) == std::vector<int64_t>{4, 4});
  check_plans(problem, {});
}

TEST_CASE("what cannot be moved is said") {
  const Mesh mesh = *Mesh::parse("x=4");
  const auto error = [&](const char *src, const char *dst, std::vector<int64_t> lost) {
    const auto made = problem_of(mesh, src, mesh, dst, std::move(lost));
    return made ? std::string("none") : made.error().message();
  };
  CHECK(error("f32[8] [{x}]", "f32[8] [{}]", {4}) ==
        "device 4 cannot be lost: the source is on mesh x=4 and has no such device");
  CHECK(error("f32[8] [{x}]", "f32[8] [{}]", {1, 1}) == "device 1 is lost twice");
  CHECK(error("f32[8] [{}] +sum:x", "f32[8] [{}]", {1}).starts_with("values are partial"));
  CHECK(error("f32[8] [{x}:halo=[1,1]]", "f32[8] [{}]", {1}).starts_with("tiles with halos"));
  PlanOptions options;
  options.method = Method::vector;
  const auto made = make_plan(*problem_of(mesh, "f32[8] [{x}]", mesh, "f32[8] [{}]", {1}), options);
  REQUIRE(!made);
  CHECK(made.error().message().starts_with("vector plans need every device of the source, and 1 are lost"));
}

TEST_CASE("random problems") {
  Random random(test::number_of("TW_SEED", 2026));
  uint64_t whole = 0, missing = 0;
  for (uint64_t i = 0; i < test::slice_of(5000, 400); ++i) {
    CAPTURE(i);
    const auto plain = test::random_problem(random, {12, false});
    if (plain == nullptr)
      continue;
    const Layout &src = plain->src(), &dst = plain->dst();
    std::vector<int64_t> lost;
    for (Position p; p < src.mesh.num_devices(); ++p)
      if (draw(random, 0, 3) == 0)
        lost.push_back(src.mesh.device_id(p));
    if (lost.empty()) // sequences of collectives, which may receive more, are among the plans then
      continue;
    auto made = Problem::create(plain->type(), src, dst, lost);
    REQUIRE_MESSAGE(made, made.error().message());
    const auto problem = std::make_shared<const Problem>(*std::move(made));
    if (problem->num_devices() == 0)
      continue;
    check_missing(*problem);
    check_plans(problem, {});
    check_plans(problem, test::random_topology(random, problem->num_devices()));
    ++(find_missing(*problem).empty() ? whole : missing);
  }
  CHECK(whole > 40);
  CHECK(missing > 40);
}

} // namespace tw::test_lost
