// SPDX-License-Identifier: Apache-2.0
// Halos in plans: who sends what, how much, in how many steps, and what the checker finds where a plan is
// damaged.
#include <doctest/doctest.h>

#include <algorithm>

#include "redistribute/bounds.hpp"
#include "redistribute/check.hpp"
#include "redistribute/plan_bytes.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/shared_tiles.hpp"
#include "redistribute/type_text.hpp"
#include "support/checked_plan.hpp"

namespace tw::redistribute_test_halo {

using namespace tw::redistribute;
using tw::graph::DType;
using tw::sharding::Mesh;

namespace {

using Bytes = std::vector<int64_t>;

std::shared_ptr<const Problem> problem(std::string_view on, std::string_view src, std::string_view dst) {
  const Mesh m = *Mesh::parse(on);
  auto p = make_problem(m, *parse_distributed_type(src, m), m, *parse_distributed_type(dst, m), DType::f32);
  REQUIRE(p);
  return *p;
}

Costed planned(std::string_view on, std::string_view src, std::string_view dst) {
  return tw::test::checked_plan(problem(on, src, dst));
}

// From whom a device receives, ascending.
std::vector<Device> senders(const Plan &plan, Device to) {
  std::vector<Device> all;
  for (const Step &step : plan.steps)
    for (uint32_t p = step.first_piece[static_cast<size_t>(to)];
         p < step.first_piece[static_cast<size_t>(to) + 1]; ++p)
      for (const Source &source : step.sources_of(p))
        if (source.device != to)
          all.push_back(source.device);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string refused(std::string_view src, std::string_view dst, Method method) {
  PlanOptions options;
  options.method = method;
  const auto made = make_plan(problem("x=4", src, dst), options);
  REQUIRE(!made);
  return made.error().message();
}

} // namespace

TEST_CASE("a halo comes from the neighbours, at the border from nobody") {
  const Costed c = planned("x=4", "f32[16] [{x}]", "f32[16] [{x}:halo=[1,2]]");
  CHECK(c.cost.received == Bytes{8, 12, 12, 4});
  CHECK(c.plan->exact);
  CHECK(c.plan->steps.size() == 1);
  CHECK(senders(*c.plan, 1) == std::vector<Device>{0, 2});
}

TEST_CASE("where the array wraps, from its other end") {
  const Costed c = planned("x=4", "f32[16] [{x}]", "f32[16] [{x}:halo=[1,2]:wrap]");
  CHECK(c.cost.received == Bytes{12, 12, 12, 12});
  CHECK(senders(*c.plan, 0) == std::vector<Device>{1, 3});
  CHECK(senders(*c.plan, 3) == std::vector<Device>{0, 2});
}

TEST_CASE("corners come from those that have them") {
  const Costed c = planned("x=3,y=3", "f32[6,6] [{x}, {y}]", "f32[6,6] [{x}:halo=[1,1], {y}:halo=[1,1]]");
  CHECK(c.cost.received[4] == 4 * (16 - 4));
  CHECK(senders(*c.plan, 4) == std::vector<Device>{0, 1, 2, 3, 5, 6, 7, 8});
  CHECK(c.cost.received[0] == 4 * (9 - 4));
  CHECK(senders(*c.plan, 0) == std::vector<Device>{1, 3, 4});
}

TEST_CASE("halos wider than the neighbour's tile come from several, also beyond empty tiles") {
  const Costed c = planned("x=8", "f32[8] [{x}]", "f32[8] [{x}:halo=[3,0]]");
  CHECK(senders(*c.plan, 5) == std::vector<Device>{2, 3, 4});
  const Costed empty = planned("x=4", "f32[4] [{x}:cuts=[0,2,2,2,4]]", "f32[4] [{x}:halo=[2,2]]");
  CHECK(senders(*empty.plan, 1) == std::vector<Device>{0, 3});
  CHECK(empty.cost.received == Bytes{4, 16, 16, 4});
}

TEST_CASE("what a tile has twice it gets once") {
  const Costed c = planned("x=2", "f32[4] [{x}]", "f32[4] [{x}:halo=[3,3]:wrap]");
  CHECK(c.cost.received == Bytes{8, 8}); // tiles of 8 of 4 elements, half of which they have
  CHECK(c.plan->steps.size() == 2);
  CHECK(c.plan->steps[1].kind == Kind::copy);
  CHECK(c.cost.scratch_bytes == 0); // images take no memory
  const Costed whole = planned("x=2", "f32[4] [{}]", "f32[4] [{}:halo=[5,5]:wrap]");
  CHECK(whole.cost.received_max == 0);
}

TEST_CASE("halos that are there already are kept") {
  const Costed wider = planned("x=4", "f32[16] [{x}:halo=[1,1]]", "f32[16] [{x}:halo=[2,2]]");
  CHECK(wider.cost.received == Bytes{4, 8, 8, 4});
  const Costed narrower = planned("x=4", "f32[16] [{x}:halo=[2,2]]", "f32[16] [{x}:halo=[1,1]]");
  CHECK(narrower.cost.received_max == 0);
  CHECK(narrower.plan->steps[0].kind == Kind::copy);
  const Costed off = planned("x=4", "f32[16] [{x}:halo=[1,1]:wrap]", "f32[16] [{x}]");
  CHECK(off.cost.received_max == 0);
  // Cuts that move by one: the halo has what comes in.
  const Costed moved = planned("x=2", "f32[8] [{x}:halo=[1,1]]", "f32[8] [{x}:cuts=[0,5,8]]");
  CHECK(moved.cost.received_max == 0);
}

TEST_CASE("a change of cuts moves what lies between them") {
  const Costed c = planned("x=3", "f32[9] [{x}]", "f32[9] [{x}:cuts=[0,1,8,9]]");
  CHECK(c.cost.received == Bytes{0, 4 * 4, 0});
}

TEST_CASE("sums come with their halos") {
  const Costed c = planned("x=2,y=2", "f32[8] [{x}] +y", "f32[8] [{x}:halo=[1,1]:wrap]");
  CHECK(!c.plan->exact);
  for (const int64_t bytes : c.cost.received)
    CHECK(bytes == 4 * (4 + 2 * 2)); // its tile from the other, its halo from both others
}

TEST_CASE("levels bound what enters a group") {
  const auto p = problem("x=4", "f32[16] [{x}]", "f32[16] [{x}:halo=[1,1]:wrap]");
  const auto topology = *Topology::parse("node=2", p->device_ids());
  const Bounds bounds = find_bounds(*p, topology, {});
  CHECK(bounds.b2 == Bytes{2 * 4}); // one element from each side
  CHECK(bounds.b3 == Bytes{2 * 4});
}

TEST_CASE("halos that go around the array too often are refused") {
  const auto made = make_plan(
      problem("x=2", "f32[2,2] [{x}, {}]", "f32[2,2] [{x}:halo=[99,99]:wrap, {}:halo=[99,99]:wrap]"), {});
  REQUIRE(!made);
  CHECK(made.error().message().find("make them narrower") != std::string::npos);
}

TEST_CASE("methods and texts that have no halos say so") {
  for (const Method method : {Method::level, Method::relay, Method::scalar, Method::vector})
    CHECK(refused("f32[16] [{x}]", "f32[16] [{x}:halo=[1,1]]", method).find("tiles without halos") !=
          std::string::npos);
  const Mesh m = *Mesh::parse("x=4");
  const auto both = parse_distributed_type("f32[16] [{x}:cuts=[0,4,8,12,16]:halo=[1,1]]", m);
  REQUIRE(!both);
  CHECK(both.error().message().find("character 2: dimension 0 has both explicit cuts and the halo [1,1]") !=
        std::string::npos);
  const auto large =
      make_problem(m, *parse_distributed_type("f32[1073741824,1073741824] [{x},{}]", m), m,
                   *parse_distributed_type("f32[1073741824,1073741824] [{x}:halo=[1099511627776,"
                                           "0],{}]",
                                           m),
                   DType::f32);
  REQUIRE(!large);
  CHECK(large.error().message().find("more than 2^62 bytes") != std::string::npos);
}

TEST_CASE("a tile and one of another border are two tiles") {
  // The same coordinates around the array, that hold zeros here and its other end there.
  const auto p = problem("x=2", "f32[4] [{x}:halo=[1,1]]", "f32[4] [{x}:halo=[1,1]:wrap]");
  const auto made = *make_plan(p, {});
  CHECK(find_owners(*made.plan)[0] == TileOwner{false, 0});
  const auto same =
      *make_plan(problem("x=2", "f32[4] [{x}:halo=[1,1]:wrap]", "f32[4] [{x}:halo=[1,1]:wrap]"), {});
  CHECK(find_owners(*same.plan)[0] == TileOwner{true, 0});
  // Around an array that ends a source may have anything, and a target has zeros.
  const auto zeros = *make_plan(problem("x=2", "f32[4] [{x}:halo=[1,0]]", "f32[4] [{x}:halo=[1,0]]"), {});
  CHECK(find_owners(*zeros.plan)[0] == TileOwner{false, 0});
  CHECK(find_owners(*zeros.plan)[1] == TileOwner{true, 1});
}

TEST_CASE("the checker finds damage") {
  const Costed good = planned("x=2", "f32[4] [{x}]", "f32[4] [{x}:halo=[3,3]:wrap]");
  const auto wrong = [&](auto damage) {
    Plan plan = *good.plan;
    damage(plan);
    const CheckReport report = check(plan);
    CHECK(!report.pass());
    CHECK(!from_bytes(to_bytes(plan, {}))); // nor is it loaded
    return report.failures.empty() ? std::string() : report.failures[0];
  };
  CHECK(wrong([](Plan &p) { p.images[0].shift[0] += 1; }).find("away along dimension 0") !=
        std::string::npos);
  CHECK(wrong([](Plan &p) { p.images[0].shift[0] *= 2; }).find("not the tile of buffer") !=
        std::string::npos);
  CHECK(wrong([](Plan &p) { p.images[0].of = 1; }).find("no such image") != std::string::npos);
  CHECK(wrong([](Plan &p) { p.images[0].buffer = 0; }) != "");
  CHECK(wrong([](Plan &p) { p.images.clear(); }) != "");
  CHECK(wrong([](Plan &p) { p.steps.edit().pop_back(); }).find("elements of its tile") != std::string::npos);
  CHECK(wrong([](Plan &p) { p.steps.edit()[1].target = 1; }).find("image of buffer") != std::string::npos);
  CHECK(wrong([](Plan &p) { p.steps.edit()[0].sources[0].buffer = p.target(); }) != "");

  // A step must not write around an array that ends.
  const Costed ends = planned("x=2", "f32[4] [{x}]", "f32[4] [{x}:halo=[1,1]]");
  Plan plan = *ends.plan;
  plan.steps.edit()[0].bounds[0] = -1;
  CHECK(!check(plan).pass());
  // Nor read there.
  const Costed in = planned("x=2", "f32[4] [{x}:halo=[1,1]]", "f32[4] [{x}:halo=[1,1]:wrap]");
  Plan reads = *in.plan;
  for (Source &source : reads.steps.edit()[0].sources)
    source.buffer = 0;
  CHECK(!check(reads).pass());
}

} // namespace tw::redistribute_test_halo
