// SPDX-License-Identifier: Apache-2.0
// What a plan of the program with few layers costs is what the same plan of all layers does.
#include "search/few_layers.hpp"

#include <cstdlib>
#include <fstream>

#include "cost/price.hpp"
#include "graph/op_copies.hpp"
#include "partition/target.hpp"
#include "search/groups.hpp"
#include "search/looks.hpp"
#include "support/random_program.hpp"
#include "support/towers.hpp"
#include "support/unit.hpp"

namespace tw::test_few_layers {

using partition::Plan;
using search::FewLayers;
using search::Group;
using search::Stack;
using test::Dice;
using test::graph_of;
using test::Tower;
using test::TowerText;

namespace {

system::System machine() {
  auto made = system::parse("[device] flops.f32=1e12 hbm_bytes=1e9 hbm_bw=1e11 launch_s=1e-6\n"
                            "[eff] matmul=0:0.1,16:0.6,128:0.9\n[axis *] bw=1e10 lat=1e-6 base=5e-6\n",
                            "test.conf");
  REQUIRE(made.has_value());
  return *made;
}

// One dimension of a group over an axis in both plans, and what follows from it. False where it has no place.
bool act(Plan &full, Plan &few, const Group &group, int64_t dim, sharding::AxisId axis) {
  const auto put = [&](Plan &plan, graph::OpId op) {
    const partition::Target target = partition::target_of(plan.graph(), plan.graph().result(op));
    return partition::tile(plan, target, dim, {axis}).has_value();
  };
  for (Plan *plan : {&full, &few})
    plan->begin_action({"tile", {}});
  bool done = true;
  for (const size_t argument : group.arguments)
    done = put(full, full.graph().arguments()[argument]) && done;
  for (const graph::OpId op : group.few)
    done = put(few, op) && done;
  for (Plan *plan : {&full, &few})
    plan->propagate(partition::Mode::infer_propagate);
  return done;
}

// Where waves from both ends of a stack meet, an op may be tiled in some of its layers alone.
bool layers_are_alike(const Plan &plan, const std::vector<Stack> &stacks) {
  const auto same = [](const partition::NestEntry &a, const partition::NestEntry &b) {
    return a.axis == b.axis && a.factor == b.factor;
  };
  for (const Stack &stack : stacks)
    for (const search::Role &role : stack.roles)
      for (size_t k = 2; k + 1 < role.size(); ++k)
        if (!std::ranges::equal(plan.nest(role[k]), plan.nest(role[1]), same))
          return false;
  return true;
}

void check_prices(const std::shared_ptr<const graph::Graph> &graph, int plans, bool shorter) {
  const std::vector<Stack> stacks = search::find_stacks(*graph);
  const FewLayers few = search::keep_few_layers(graph, stacks);
  REQUIRE(graph::verify_structure(*few.graph));
  if (shorter)
    REQUIRE(few.graph->ops().size() < graph->ops().size());
  const std::vector<Group> groups = search::find_groups(*graph, search::Looks(*graph), stacks, few);
  const system::System on = machine();
  Dice random(46);
  int alike = 0;
  for (int p = 0; p < plans; ++p) {
    CAPTURE(p);
    Plan full(graph, *sharding::Mesh::parse("a=2,b=4")), small(few.graph, full.mesh());
    for (int64_t left = random.below(5); left > 0; --left) {
      const Group &group = groups[static_cast<size_t>(random.below(static_cast<int64_t>(groups.size())))];
      const auto rank = static_cast<int64_t>(few.graph->type_at(group.type).rank());
      const auto full_before = full.stamp(), small_before = small.stamp();
      if (!act(full, small, group, random.below(rank), static_cast<sharding::AxisId>(random.below(2)))) {
        full.undo_to(full_before);
        small.undo_to(small_before);
      }
    }
    spmd::Options options;
    options.gather_per_use = p % 2 == 1;
    const auto whole = cost::PlanPrice::create(full, on, options),
               part = cost::PlanPrice::create(small, on, options, &few.repeats);
    REQUIRE(whole.has_value());
    REQUIRE(part.has_value());
    const cost::Price &wanted = (*whole)->price(), &price = (*part)->price();
    CHECK((*part)->least_time() == (*whole)->least_time());
    if (!layers_are_alike(full, stacks))
      continue;
    ++alike;
    REQUIRE(price.computing == wanted.computing);
    REQUIRE(price.moving == wanted.moving);
    REQUIRE(price.received == wanted.received);
    constexpr double kNear = 0.03;
    CHECK(std::abs(static_cast<double>(price.peak - wanted.peak)) <=
          kNear * static_cast<double>(wanted.peak));
  }
  CHECK(alike * 4 >= plans * 3);
}

} // namespace

TEST_CASE("towers: three layers cost what all do, in whatever order arguments come") {
  std::mt19937 random(46);
  for (const int layers : {4, 5, 9, 24}) {
    CAPTURE(layers);
    check_prices(graph_of(TowerText::of({Tower{.layers = layers}}, nullptr)), 20, true);
    check_prices(graph_of(TowerText::of({Tower{.layers = layers}}, &random, true)), 20, true);
  }
  const Tower wide{.layers = 6, .width = 16, .inside = 48, .prefix = "wide"},
      narrow{.layers = 5, .width = 16, .inside = 8, .prefix = "narrow"};
  check_prices(graph_of(TowerText::of({wide, narrow}, nullptr)), 20, true);
}

TEST_CASE("a training step: forward, backward and update of few layers") {
  std::ifstream file(test::source_path("examples/models/gpt_step.mlir"));
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  check_prices(graph_of(text), 12, true);
}

TEST_CASE("random programs stay well formed") {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    check_prices(test::random_program(random).graph, 1, false);
  }
}

TEST_CASE("a graph copied op by op is the same graph") {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const auto from = test::random_program(random).graph;
    graph::GraphBuilder builder("copy", "copy.mlir");
    graph::OpCopies copies(*from, builder);
    size_t argument = 0;
    for (const graph::OpId op : from->region(0).ops) {
      const graph::Op &of = from->op(op);
      if (argument < from->arguments().size() && from->arguments()[argument] == op) {
        const graph::OpId made = builder.add_argument(of.code, copies.type(from->value(of.first_result).type),
                                                      copies.attrs(of.attrs), builder.name("a"));
        copies.put(of.first_result, builder.graph().result(made));
        ++argument;
        continue;
      }
      std::vector<graph::ValueId> operands;
      for (const graph::ValueId v : from->operands(op))
        operands.push_back(copies.at(v));
      if (of.num_results == 0 && of.num_operands == 1)
        builder.add_result(of.code, operands[0], copies.attrs(of.attrs), builder.name("r"));
      else
        copies.add(op, operands);
    }
    const auto to = builder.finish();
    REQUIRE(graph::verify_structure(*to));
    REQUIRE(to->ops().size() == from->ops().size());
    REQUIRE(to->num_regions() == from->num_regions());
    const auto &ops = from->region(0).ops, &made = to->region(0).ops;
    REQUIRE(made.size() == ops.size());
    for (size_t i = 0; i < made.size(); ++i) {
      REQUIRE(to->op(made[i]).code == from->op(ops[i]).code);
      REQUIRE(to->op(made[i]).num_regions == from->op(ops[i]).num_regions);
      for (uint32_t r = 0; r < to->op(made[i]).num_results; ++r)
        REQUIRE(to->type(to->result(made[i], r)) == from->type(from->result(ops[i], r)));
    }
  }
}

} // namespace tw::test_few_layers
