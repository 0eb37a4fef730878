// SPDX-License-Identifier: Apache-2.0
// Plans of the paper's problems: bytes against the bounds, costs against the proven optima, memory against
// the paper's bound, choice and budgets.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

#include "redistribute/check.hpp"
#include "redistribute/direct.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/type_text.hpp"
#include "support/number_of.hpp"
#include "support/random_problem.hpp"
#include "support/table_file.hpp"
#include "support/unit.hpp"

namespace tw::test_planner {

using namespace tw::redistribute;
using tw::sharding::Mesh;

namespace {

struct Case {
  std::string line;
  std::shared_ptr<const Problem> problem;
  int64_t scalar, vector, fused, arrive_max;
};

std::shared_ptr<const Problem> problem_of(std::string_view mesh_text, std::string_view src,
                                          std::string_view dst, std::string_view dst_mesh_text = {}) {
  const Mesh mesh = *Mesh::parse(mesh_text),
             dst_mesh = dst_mesh_text.empty() ? mesh : *Mesh::parse(dst_mesh_text);
  auto problem = make_problem(mesh, *parse_distributed_type(src, mesh), dst_mesh,
                              *parse_distributed_type(dst, dst_mesh), tw::graph::DType::f32);
  REQUIRE(problem);
  return *problem;
}

// The cases of expected/<name>.txt; its head says what the columns are.
std::vector<Case> cases(const std::string &name) {
  std::vector<Case> result;
  for (const auto &[line, f] :
       tw::test::read_table(tw::test::source_path("tests/unit/redistribute/expected/" + name + ".txt")))
    result.push_back({line, problem_of(f[0], f[1], f[2]), std::stoll(f[3]), std::stoll(f[4]),
                      std::stoll(f[7]), std::stoll(f[8])});
  return result;
}

// The first of them, or all.
std::vector<Case> some(std::vector<Case> all) {
  all.resize(std::min(all.size(), static_cast<size_t>(tw::test::slice_of(all.size(), 200))));
  return all;
}

Costed plan_by(const std::shared_ptr<const Problem> &problem, Method method, Topology topology = {}) {
  PlanOptions options;
  options.method = method;
  options.topology = std::move(topology);
  auto made = make_plan(problem, options);
  REQUIRE_MESSAGE(made, (made ? "" : made.error().message()));
  CheckOptions how;
  how.cost = made->cost;
  how.height_bytes = find_bounds(*problem, {}, {}).height_bytes;
  const CheckReport report = check(*made->plan, how);
  REQUIRE_MESSAGE(report.pass(), report.failures[0]);
  return std::move(*made);
}

// Bytes that enter each group of the outermost level.
std::vector<int64_t> entering(const Plan &plan, const std::vector<int32_t> &group) {
  std::vector<int64_t> bytes(static_cast<size_t>(*std::ranges::max_element(group)) + 1, 0);
  const size_t rank = plan.problem->rank();
  for (const Step &step : plan.steps)
    for (size_t d = 0; d < group.size(); ++d)
      for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece) {
        int64_t size = plan.problem->item_size();
        for (size_t i = 0; i < rank; ++i)
          size *= step.bounds[2 * rank * piece + rank + i];
        for (const Source &s : step.sources_of(piece))
          bytes[static_cast<size_t>(group[d])] += group[d] == group[static_cast<size_t>(s.device)] ? 0 : size;
      }
  return bytes;
}

void check_case(const Case &c, bool levels) {
  CAPTURE(c.line);
  const Problem &problem = *c.problem;
  const Bounds bounds = find_bounds(problem, {}, {});
  CHECK(bounds.b1_max == c.arrive_max * problem.item_size());
  CHECK(bounds.fig11_floor == c.fused);
  const Costed direct = plan_by(c.problem, Method::direct);
  CHECK(direct.plan->exact);
  CHECK(direct.plan->fig11_cost == c.fused);
  CHECK(direct.cost.received_max == bounds.b1_max);
  CHECK(direct.cost.received_mean == doctest::Approx(bounds.b1_mean));
  for (const auto &[method, wanted] :
       {std::pair(Method::scalar, c.scalar), std::pair(Method::vector, c.vector)}) {
    const Costed made = plan_by(c.problem, method);
    CHECK(made.plan->fig11_cost == wanted);
    CHECK(made.plan->exact);
  }
  if (!levels)
    return;
  for (const char *text : {"node=2", "node=4"}) {
    const Topology topology = *Topology::parse(text, problem.device_ids());
    const Bounds of_level = find_bounds(problem, topology, {});
    const Costed made = plan_by(c.problem, Method::level, topology);
    CHECK(made.cost.received == direct.cost.received); // B1 on every device
    CHECK(made.cost.scratch_bytes == 0);
    const auto entered = entering(*made.plan, topology.groups[0]);
    CHECK(*std::ranges::max_element(entered) == of_level.b2[0]);
  }
}

} // namespace

TEST_CASE("every named case of the paper has its figures") {
  for (const Case &c : cases("named"))
    check_case(c, c.problem->num_devices() % 4 == 0);
}

TEST_CASE("1000 problems as in Section 8: bytes equal B1, costs the optima, level-direct equals B1 and B2") {
  for (const Case &c : cases("section8_20211231"))
    check_case(c, true);
}

TEST_CASE("two more seeds") {
  for (const char *name : {"section8_19690720", "section8_20220711"})
    for (const Case &c : some(cases(name)))
      check_case(c, true);
}

TEST_CASE("meshes whose sizes are no powers of two") {
  for (const Case &c : some(cases("mixed_radix")))
    check_case(c, false);
}

TEST_CASE("a budget that no plan meets says the smallest that one does") {
  const auto problem = problem_of("x=4", "f32[64,64] [{x},{}]", "f32[64,64] [{},{x}]");
  PlanOptions options;
  options.height_bytes = 1000;
  CHECK(make_plan(problem, options).error().message() ==
        "no auto plan fits tiles of 1000 bytes: the smallest needs tiles of 4096 and 0 bytes of scratch");
  options.method = Method::scalar;
  CHECK(make_plan(problem, options).error().message() ==
        "no scalar plan keeps every tile within 1000 bytes: the source and target tiles alone take 4096");
  options.height_bytes.reset();
  options.scratch_bytes = 0;
  CHECK(make_plan(problem_of("x=4,y=6", "[3{x}12, 2{y}12]", "[2{y}12, 3{x}12]"), options).error().message() ==
        "no scalar plan fits tiles of 24 bytes and 0 bytes of scratch: the smallest needs tiles of 24 and 48 "
        "bytes of scratch");
}

TEST_CASE("a plan of more pieces than memory holds is made, and not written down") {
  const auto problem = problem_of("x=8192,y=8", "i8[1048576,4] [{x,y},{}]", "i8[1048576,4] [{y},{}]");
  constexpr std::string_view kRefused =
      "the steps of this plan have 536870912 pieces from 536870912 tiles, and 33554432 from 268435456 is the "
      "limit where they are written down: redistribute over one axis after another, so that each device "
      "exchanges with fewer";
  const auto made = make_plan(problem, {});
  REQUIRE(made);
  CHECK(made->plan->steps.heads()[0].axes == "x,y");
  CHECK(made->plan->steps.heads()[0].group == 65536);
  CHECK(made->plan->steps.later_size().check().error().message() == kRefused);
  PlanOptions by_level;
  by_level.method = Method::level;
  by_level.topology = *Topology::parse("node=8", problem->device_ids());
  CHECK(make_plan(problem, by_level).error().message() == kRefused);
  CHECK(direct_part(*problem, 12345).size() == 8192);
}

TEST_CASE("sequences say what they cannot do") {
  PlanOptions options;
  options.method = Method::vector;
  const auto refused = [&](const std::shared_ptr<const Problem> &p) {
    return make_plan(p, options).error().message();
  };
  CHECK(refused(problem_of("x=2,y=2", "f32[7] [{x}:ceil]", "f32[7] [{y}]")) ==
        "a sequence of collectives needs cuts that nest, and dimension 0 is not split in balance in the "
        "source: use direct or level");
  CHECK(refused(problem_of("x=2", "f32[8] [{}] +x", "f32[8] [{x}]")) ==
        "a sequence of collectives does not move partial values: use direct or level");
  CHECK(refused(problem_of("x=2", "f32[8] [{x}]", "f32[8] [{y}]", "y=4")) ==
        "a sequence of collectives needs source and target on the same devices: use direct or level");
}

TEST_CASE("the choice: large sums by shares, small ones in one step") {
  const auto all_reduce = problem_of("x=8", "f32[1048576] [{}] +x", "f32[1048576] [{}]");
  PlanOptions options;
  const Costed shares = *make_plan(all_reduce, options);
  REQUIRE(shares.plan->steps.size() == 2);
  CHECK(shares.plan->steps[0].kind == Kind::reduce_scatter);
  CHECK(shares.plan->steps[1].kind == Kind::all_gather);
  CHECK(shares.cost.received_max == 2 * 7 * (4 << 20) / 8);
  const auto small = problem_of("x=8", "f32[8] [{}] +x", "f32[8] [{}]");
  CHECK(make_plan(small, options)->plan->steps.size() == 1);
}

TEST_CASE("two meshes: relay sends once what many nodes want") {
  const Mesh src = *Mesh::create({{"x", 4, "x", 1}}),
             dst = *Mesh::create({{"y", 12, "y", 1}}, {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  const auto problem =
      *make_problem(src, *parse_distributed_type("f32[64,32] [{x},{}]", src), dst,
                    *parse_distributed_type("f32[64,32] [{},{}]", dst), tw::graph::DType::f32);
  const Topology topology = *Topology::parse("node=4", problem->device_ids());
  const Bounds bounds = find_bounds(*problem, topology, {});
  CHECK(bounds.b2[0] == 64 * 32 * 4);
  CHECK(bounds.b3[0] == 64 * 32 * 4);
  const auto leaving = [&](const Costed &c) {
    int64_t bytes = 0;
    for (const Step &step : c.plan->steps)
      for (size_t d = 4; d < 16; ++d)
        for (uint32_t piece = step.first_piece[d]; piece < step.first_piece[d + 1]; ++piece)
          for (const Source &s : step.sources_of(piece))
            bytes += s.device < 4 ? step.bounds[4 * piece + 2] * step.bounds[4 * piece + 3] * 4 : 0;
    return bytes;
  };
  CHECK(leaving(plan_by(problem, Method::level, topology)) == 3 * bounds.b3[0]);
  CHECK(leaving(plan_by(problem, Method::relay, topology)) == bounds.b3[0]);
}

TEST_CASE("sums by level: a group sends one value, whatever it holds") {
  const Mesh mesh = *Mesh::create({{"x", 8, "x", 1}});
  const auto entering = [&](const char *target, const char *levels, SumOrder order) {
    const auto problem = *make_problem(mesh, *parse_distributed_type("f32[64,32] [{},{}] +sum:x", mesh), mesh,
                                       *parse_distributed_type(target, mesh), tw::graph::DType::f32);
    PlanOptions options;
    options.method = Method::level;
    options.topology = *Topology::parse(levels, problem->device_ids());
    options.sum_order = order;
    const Costed costed = *make_plan(problem, options);
    CHECK(check(*costed.plan, {.cost = costed.cost}).pass());
    const Bounds bounds = find_bounds(*problem, options.topology, {});
    const int64_t bytes = tw::test::most_across(*costed.plan, options.topology.groups[0], true);
    if (order == SumOrder::by_level)
      CHECK(bytes == bounds.b2[0]);
    return bytes;
  };
  constexpr int64_t kBytes = 64 * 32 * 4;
  CHECK(entering("f32[64,32] [{},{}]", "node=2", SumOrder::by_level) == kBytes);
  CHECK(entering("f32[64,32] [{},{}]", "node=2", SumOrder::flat) == 4 * kBytes / 2 + kBytes / 2);
  CHECK(entering("f32[64,32] [{},{}]", "node=4", SumOrder::by_level) == 3 * kBytes / 2); // 2 (4 - 1) / 4
  CHECK(entering("f32[64,32] [{},{}]", "node=2,socket=2", SumOrder::by_level) == kBytes);
  CHECK(entering("f32[64,32] [{x},{}]", "node=2", SumOrder::by_level) == kBytes / 2);
  CHECK(entering("f32[64,32] [{x},{}]", "node=4", SumOrder::by_level) == 3 * kBytes / 4);
}

TEST_CASE("levels: counts and listed groups, each mistake with its own message") {
  const Mesh mesh = *Mesh::create({{"x", 8, "x", 1}}, {10, 11, 12, 13, 14, 15, 16, 17});
  const auto problem = *make_problem(mesh, *parse_distributed_type("f32[8] [{x}]", mesh), mesh,
                                     *parse_distributed_type("f32[8] [{}]", mesh), tw::graph::DType::f32);
  using Level = std::vector<int32_t>;
  const auto groups = [&](std::string_view text) {
    return Topology::parse(text, problem->device_ids())->groups;
  };
  CHECK(groups("node=2,socket=2") ==
        std::vector{Level{0, 0, 0, 0, 1, 1, 1, 1}, Level{0, 0, 1, 1, 2, 2, 3, 3}});
  CHECK(groups("node=[[10,11,14,15],[12,13,16,17]], socket=2") ==
        std::vector{Level{0, 0, 1, 1, 0, 0, 1, 1}, Level{0, 0, 2, 2, 1, 1, 3, 3}});
  const auto wrong = [&](std::string_view text) {
    return Topology::parse(text, problem->device_ids()).error().message();
  };
  CHECK(wrong("node=3") == "levels 'node=3': 3 groups do not divide 8 devices");
  CHECK(wrong("node=0") == "levels 'node=0': 0 groups do not divide 8 devices");
  CHECK(wrong("node=[[10,11,12,13],[14,15,16,9]]") ==
        "levels 'node=[[10,11,12,13],[14,15,16,9]]': device 9 is in no mesh");
  CHECK(wrong("node=[[10,11,12,13],[14,15,16,10]]") ==
        "levels 'node=[[10,11,12,13],[14,15,16,10]]': device 10 is in two groups of one level");
  CHECK(wrong("node=[[10,11,12,13],[14,15,16]]") ==
        "levels 'node=[[10,11,12,13],[14,15,16]]': device 17 is in no group");
  CHECK(wrong("node=2,socket=[[10,14],[11,15],[12,16],[13,17]]") ==
        "group 0 of level 1 spans two groups of the level outside it");
  CHECK(wrong("node") == "levels 'node': expected '=' at character 5, found the end");
  CHECK(wrong("node=2;") == "levels 'node=2;': expected ',' or the end at character 7, found ';'");
}

namespace {

// Tiles that may overlap, leave elements out or be empty.
tw::sharding::SplitRule random_spans(tw::test::Random &random, int64_t n, int64_t tiles) {
  std::vector<tw::sharding::Interval> spans;
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t begin = tw::test::draw(random, 0, n);
    spans.push_back({begin, tw::test::draw(random, begin, n)});
  }
  return tw::sharding::make_spans(spans, n);
}

} // namespace

TEST_CASE("what devices of a group want of tiles that overlap enters it once") {
  tw::test::Random random(31);
  int overlapping = 0, sums = 0;
  for (int round = 0; round < 400; ++round) {
    const Mesh mesh = tw::test::random_mesh(random, 16);
    const tw::graph::TensorType type{tw::graph::DType::f32, {tw::test::draw(random, 1, 40), 3}};
    const auto src = tw::test::random_sharding(random, type.dims, mesh, round % 2 == 0);
    auto dst = tw::test::random_sharding(random, type.dims, mesh);
    for (size_t d = 0; d < 2; ++d)
      if (const int64_t tiles = num_tiles(dst.dims[d], mesh); tiles > 1)
        dst.dims[d].rule = random_spans(random, type.dims[d], tiles);
    const auto problem = std::make_shared<const Problem>(Problem::within(mesh, type, src, dst));
    const Topology topology = tw::test::random_topology(random, problem->num_devices());
    const Plan plan = tw::test::level_plan_of(problem, topology);
    const CheckReport report = check(plan);
    REQUIRE_MESSAGE(report.pass(), report.failures[0]);
    const Bounds bounds = find_bounds(*problem, topology, {});
    const int64_t most = tw::test::most_across(plan, topology.groups[0], true);
    REQUIRE(bounds.b2[0] <= most);
    if (src.partial.empty())
      REQUIRE(bounds.b2[0] == most);
    overlapping += bounds.b2[0] > 0;
    sums += bounds.b2[0] > 0 && !src.partial.empty();
  }
  CHECK(overlapping > 100);
  CHECK(sums > 50);
}

TEST_CASE("a redistribution is between devices") {
  Layout layout{*Mesh::create({{"x", 2, "", 1}, {"micro", 4, "", 1, tw::sharding::AxisKind::serial}}),
                tw::sharding::Sharding::replicated(1)};
  const auto problem = Problem::create({tw::graph::DType::f32, {8}}, layout, layout);
  REQUIRE(!problem);
  CHECK(problem.error().message() ==
        "mesh axis 'micro' is of kind serial: a redistribution is between devices, "
        "so leave the axis out of the mesh");
}

TEST_CASE("the front of time and memory falls") {
  const auto problem = problem_of("{x:4,y:2,z:4}", "[1{y,x}8, 8, 8, 4]", "[8, 4{y}8, 2{x}8, 4]");
  const auto front = *pareto_front(problem, {});
  REQUIRE(!front.empty());
  for (size_t i = 1; i < front.size(); ++i)
    CHECK(front[i].cost.time_us < front[i - 1].cost.time_us);
}

TEST_CASE("where most devices hold nothing, steps take as long as they have pieces") {
  const auto begin = std::chrono::steady_clock::now();
  for (const Method method : {Method::direct, Method::scalar, Method::vector}) {
    PlanOptions options;
    options.method = method;
    const auto made = make_plan(problem_of("x=16384", "f32[8] [{x}]", "f32[8] [{}]"), options);
    REQUIRE(made);
    CHECK(made->plan->steps[0].num_pieces() == 16'384 * 8);
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  CHECK(spent.count() < 10); // looking at all tiles for each device took half a minute
  for (const Method method : {Method::direct, Method::level, Method::scalar}) {
    CHECK(plan_by(problem_of("x=24", "f32[5] [{x}]", "f32[5] [{}]"), method).plan->steps[0].num_pieces() ==
          24 * 5);
    CHECK(plan_by(problem_of("x=24", "f32[5,2] [{x},{}]", "f32[5,2] [{},{x}]"), method).plan->steps.size() ==
          1);
  }
  for (const char *dst : {"f32[5] [{}]", "f32[5] [{x}]"})
    for (const char *src : {"f32[5] [{x}:ceil]", "f32[5] [{x}:cuts=[0,0,2,2,2,5,5]]"})
      plan_by(problem_of("x=6", src, dst), Method::direct);
}

} // namespace tw::test_planner
