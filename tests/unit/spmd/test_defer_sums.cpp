// SPDX-License-Identifier: Apache-2.0
// Sums that wait move no more than sums that do not, and change no bit; the verifier knows which ops let them
// pass.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "import/import.hpp"
#include "kernels/ref/evaluate.hpp"
#include "ops/registry.hpp"
#include "partition/spec.hpp"
#include "spmd/min_cut.hpp"
#include "spmd/program.hpp"
#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "support/simulate.hpp"
#include "support/unit.hpp"

namespace tw::test_defer_sums {

namespace {

bool takes_partial(const spmd::Program &p, const spmd::Instr &instr) {
  return instr.kind == spmd::InstrKind::compute &&
         std::ranges::any_of(p.operands(instr), [&](spmd::ValueRef v) {
           return !p.sharding(p.values()[v].sharding).partial.empty();
         });
}

int64_t handed_on(const spmd::Program &p) {
  return std::ranges::count_if(p.instrs(), [&](const spmd::Instr &i) { return takes_partial(p, i); });
}

} // namespace

TEST_CASE("with and without the pass") {
  int64_t deferred = 0, fewer = 0, more = 0;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    test::Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    partition::Plan plan(made.graph, test::random_mesh(random));
    test::random_actions(plan, random);
    const auto with = spmd::lower(plan), without = spmd::lower(plan, {{"defer_sums"}});
    CAPTURE(seed);
    REQUIRE(with.has_value());
    REQUIRE(without.has_value());
    REQUIRE(handed_on(**without) == 0);
    if (handed_on(**with) == 0)
      continue;
    ++deferred;
    const double a = find_statistics(**with).bytes_received_mean,
                 b = find_statistics(**without).bytes_received_mean;
    fewer += a < b;
    more += a > b;
    const auto expected = test::simulate(**without, made.inputs), got = test::simulate(**with, made.inputs);
    REQUIRE(expected.has_value());
    REQUIRE(got.has_value());
    for (size_t i = 0; i < got->size(); ++i)
      REQUIRE(test::same_values((*got)[i], (*expected)[i]));
  }
  MESSAGE(deferred, " of 1500 programs, ", fewer, " move fewer bytes, ", more, " more");
  CHECK(deferred > 20);
  CHECK(fewer > deferred / 2);
  CHECK(more * 20 <= deferred); // where a layout that several uses share was made of the reduced value
}

TEST_CASE("random sums of products") {
  int64_t deferred = 0, fewer = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    test::Dice random(seed);
    std::string body;
    std::vector<std::string> values;
    const auto pick = [&] {
      return values[static_cast<size_t>(random.below(static_cast<int64_t>(values.size())))];
    };
    const auto add = [&](const std::string &op, const std::string &types) {
      values.push_back(fmt::format("%{}", values.size()));
      body += fmt::format("  {} = stablehlo.{} : {}\n", values.back(), op, types);
    };
    const std::string type = "tensor<6x6xi32>";
    for (int64_t i = 2 + random.below(3); i > 0; --i)
      add(fmt::format("dot_general {}, %w, contracting_dims = [1] x [0]", random.chance(2) ? "%x" : "%y"),
          "(tensor<6x4xi32>, tensor<4x6xi32>) -> tensor<6x6xi32>");
    for (int64_t i = 3 + random.below(8); i > 0; --i)
      switch (random.below(8)) {
      case 0:
      case 1: add(fmt::format("add {}, {}", pick(), pick()), type); break;
      case 2: add(fmt::format("subtract {}, {}", pick(), pick()), type); break;
      case 3: add(fmt::format("multiply {}, {}", pick(), random.chance(3) ? pick() : "%s"), type); break;
      case 4:
        add(fmt::format("transpose {}, dims = [1, 0]", pick()), "(tensor<6x6xi32>) -> tensor<6x6xi32>");
        break;
      case 5: add(fmt::format("select %p, {}, {}", pick(), pick()), "tensor<6x6xi1>, tensor<6x6xi32>"); break;
      case 6: add(fmt::format("negate {}", pick()), type); break;
      default: add(fmt::format("{} {}", random.chance(2) ? "abs" : "sign", pick()), type); break;
      }
    const std::string text =
        "func.func @main(%x: tensor<6x4xi32>, %y: tensor<6x4xi32>, %w: tensor<4x6xi32>, %s: tensor<6x6xi32>, "
        "%p: tensor<6x6xi1>) -> (tensor<6x6xi32>, tensor<6x6xi32>) {\n" +
        body + fmt::format("  return {}, {} : tensor<6x6xi32>, tensor<6x6xi32>\n}}\n", values.back(), pick());
    CAPTURE(seed);
    CAPTURE(text);
    const auto imported = import::import_text(text);
    REQUIRE(imported.has_value());
    partition::Plan plan(imported->graph, *sharding::Mesh::parse("a=2,b=3"));
    std::string spec = "tile(arg=w, dim=0, axis=\"a\"); infer-propagate";
    if (random.chance(2))
      spec += fmt::format("; tile(value=\"{}\", dim={}, axis=\"{}\"); infer-propagate", pick(),
                          random.below(2), random.chance(2) ? "a" : "b");
    if (!partition::apply_spec(plan, spec, "spec"))
      continue; // the axis is taken there
    // What is equal, or added in another order, moves less where it is reduced at the right time.
    const auto with = spmd::lower(plan, {.without = {"reorder_sums", "share_equal"}}),
               without = spmd::lower(plan, {.without = {"defer_sums", "reorder_sums", "share_equal"}});
    if (!with)
      FAIL(with.error().message());
    REQUIRE(without.has_value());
    deferred += handed_on(**with) != 0;
    const double a = find_statistics(**with).bytes_received_mean,
                 b = find_statistics(**without).bytes_received_mean;
    CHECK(a <= b);
    fewer += a < b;
    std::vector<kernels::ref::Array> inputs;
    for (const graph::OpId op : imported->graph->arguments())
      inputs.push_back(test::random_array(imported->graph->type(imported->graph->result(op)), -3, 3, random));
    const auto expected = kernels::ref::evaluate(*imported->graph, inputs);
    const auto got = test::simulate(**with, inputs);
    REQUIRE(expected.has_value());
    REQUIRE(got.has_value());
    for (size_t i = 0; i < got->size(); ++i)
      REQUIRE(test::same_values((*got)[i], (*expected)[i]));
  }
  MESSAGE(deferred, " of 600 programs, ", fewer, " move fewer bytes");
  CHECK(deferred > 60);
}

TEST_CASE("an op that lets no sum pass is found") {
  std::ifstream file(test::source_path("tests/golden/programs/deferred_sums.mlir"));
  std::ostringstream text;
  text << file.rdbuf();
  const auto imported = import::import_text(text.str());
  REQUIRE(imported.has_value());
  partition::Plan plan(imported->graph, *sharding::Mesh::parse("model=3"));
  REQUIRE(partition::apply_spec(plan, "tile(arg=wq, dim=1, axis=\"model\"); infer-propagate", "spec")
              .has_value());
  const auto program = spmd::lower(plan);
  REQUIRE(program.has_value());
  CHECK(spmd::lower(plan, {{"no_such_pass"}}).error().message().find("defer_sums") != std::string::npos);
  // The tanh, on the partial values behind it and left partial itself.
  spmd::Program wrong = **program;
  const auto tanh = std::ranges::find_if(wrong.instrs_, [&](const spmd::Instr &i) {
    return i.kind == spmd::InstrKind::compute &&
           ops::op_def(wrong.graph().op(i.op).code).name == std::string("stablehlo.tanh");
  });
  REQUIRE(tanh != wrong.instrs_.end());
  sharding::Sharding partial = wrong.sharding(wrong.values()[tanh->first_result].sharding);
  partial.partial.push_back({0, sharding::Reduction::sum});
  wrong.shardings_.push_back(partial);
  for (const spmd::ValueRef v : {wrong.operands(*tanh)[0], tanh->first_result})
    wrong.values_[v].sharding = static_cast<spmd::ShardingId>(wrong.shardings_.size() - 1);
  tanh->reduce_axes = sharding::AxisSet::first(1);
  CHECK_FALSE(verify(wrong).has_value());
}

TEST_CASE("minimum cuts") { // against all ways to cut
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    test::Dice random(seed);
    const auto nodes = static_cast<uint32_t>(3 + random.below(6));
    struct Arc {
      uint32_t from, to;
      int64_t capacity;
    };
    std::vector<Arc> arcs;
    spmd::MinCut cut(nodes);
    for (int64_t i = random.below(25); i >= 0; --i) {
      const Arc arc{static_cast<uint32_t>(random.below(nodes)), static_cast<uint32_t>(random.below(nodes)),
                    random.below(9)};
      arcs.push_back(arc);
      cut.add(arc.from, arc.to, arc.capacity);
    }
    const auto cost = [&](auto side) {
      int64_t sum = 0;
      for (const Arc &arc : arcs)
        sum += side(arc.from) && !side(arc.to) ? arc.capacity : 0;
      return sum;
    };
    int64_t least = INT64_MAX;
    for (uint32_t set = 0; set < 1u << nodes; ++set)
      if ((set & 3) == 1) // node 0 is the source, 1 the sink
        least = std::min(least, cost([&](uint32_t n) { return (set >> n & 1) != 0; }));
    const std::vector<bool> found = cut.solve(0, 1);
    CAPTURE(seed);
    REQUIRE(found[0]);
    REQUIRE_FALSE(found[1]);
    REQUIRE(cost([&](uint32_t n) { return bool(found[n]); }) == least);
  }
}

} // namespace tw::test_defer_sums
