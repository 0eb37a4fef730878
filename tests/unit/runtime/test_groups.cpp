// SPDX-License-Identifier: Apache-2.0
// A thousand random graphs in which elementwise ops meet again and again: groups never wait for each other,
// and what they make is right.
#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "kernels/ref/evaluate.hpp"
#include "runtime/members.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "unit/runtime/float_program.hpp"

namespace tw::test_groups {

using namespace tw::test;
using runtime::Step;

namespace {

constexpr const char *kType = "tensor<8x16xi32>";

// Ops of 32-bit integers, so that results are exact: most read what was made just before them, some anything;
// a few need a value whole or turned around, which gives its group a place early.
std::string random_text(Dice &random, int64_t ops) {
  static const std::vector<std::string> kTwo{"add",     "multiply", "subtract", "maximum",
                                             "minimum", "and",      "xor"},
      kOne{"negate", "abs", "not"};
  std::vector<std::string> values{"%x", "%y"};
  std::string text =
      fmt::format("func.func @main(%x: {0}, %y: {0}, %s: tensor<16x8xi32>) -> ({0}, {0}) {{\n", kType);
  const auto pick = [&] {
    const auto recent = std::max<int64_t>(0, static_cast<int64_t>(values.size()) - 12);
    return values[static_cast<size_t>(
        random.between(random.chance(3) ? 0 : recent, static_cast<int64_t>(values.size()) - 1))];
  };
  const bool settles = random.chance(2);
  for (int64_t i = 0; i < ops; ++i) {
    const std::string v = fmt::format("%v{}", i);
    if (random.below(10) < 3) {
      text += fmt::format("  %p{0} = stablehlo.compare LT, {1}, {2} : ({3}, {3}) -> tensor<8x16xi1>\n", i,
                          pick(), pick(), kType);
      text += fmt::format("  {} = stablehlo.select %p{}, {}, {} : tensor<8x16xi1>, {}\n", v, i, pick(),
                          pick(), kType);
    } else if (settles && random.chance(20)) {
      text += fmt::format("  %t{0} = stablehlo.transpose {1}, dims = [1, 0] : ({2}) -> tensor<16x8xi32>\n"
                          "  %u{0} = stablehlo.add %t{0}, %s : tensor<16x8xi32>\n"
                          "  {3} = stablehlo.transpose %u{0}, dims = [1, 0] : (tensor<16x8xi32>) -> {2}\n",
                          i, pick(), kType, v);
    } else if (random.below(10) < 7) {
      text += fmt::format("  {} = stablehlo.{} {}, {} : {}\n", v, random.pick(kTwo), pick(), pick(), kType);
    } else {
      text += fmt::format("  {} = stablehlo.{} {} : {}\n", v, random.pick(kOne), pick(), kType);
    }
    values.push_back(v);
  }
  return text + fmt::format("  return %v{}, %v{} : {}, {}\n}}\n", ops - 1, ops - 2, kType, kType);
}

// Every step reads what earlier ones have made, and no group is larger than it may be.
void check_order(const Scheduled &s) {
  std::vector<bool> made = s.schedule.is_static;
  for (const spmd::Instr &in : s.program->instrs())
    if (in.kind == spmd::InstrKind::argument)
      made[in.first_result] = true;
  for (const Step &step : s.schedule.steps) {
    step.each_read([&](spmd::ValueRef v) { REQUIRE(made[s.schedule.views[v].root]); });
    REQUIRE(step.instrs.size() <= runtime::kMostMembers);
    for (const spmd::ValueRef v : step.results)
      made[v] = true;
  }
}

void check_results(const std::shared_ptr<const graph::Graph> &graph) {
  Runner runner(graph, "", "");
  REQUIRE(runner.run());
  const auto want = kernels::ref::evaluate(*graph, arrays_of(runner.inputs));
  REQUIRE(want.has_value());
  for (size_t r = 0; r < want->size(); ++r)
    REQUIRE(array_of(runner.outputs[r]).bytes == (*want)[r].bytes);
}

// The third group reads the second; the last op reads both, and the first.
constexpr const char *kThree = R"(
func.func @main(%x: tensor<4x4xi32>, %y: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>) {
  %a = stablehlo.negate %x : tensor<4x4xi32>
  %b = stablehlo.abs %y : tensor<4x4xi32>
  %turned = stablehlo.broadcast_in_dim %b, dims = [1, 0] : (tensor<4x4xi32>) -> tensor<4x4xi32>
  %c = stablehlo.add %turned, %x : tensor<4x4xi32>
  %p = stablehlo.compare LT, %a, %b : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %d = stablehlo.select %p, %c, %a : tensor<4x4xi1>, tensor<4x4xi32>
  %e = stablehlo.clamp %a, %b, %c : tensor<4x4xi32>
  return %d, %e : tensor<4x4xi32>, tensor<4x4xi32>
})";

} // namespace

TEST_CASE("groups that meet in one op do not become one across a third") {
  const auto graph = import_of(kThree);
  check_order(Scheduled(graph));
  check_results(graph);
}

TEST_CASE("a thousand random graphs of 40 to 2000 ops") {
  for (uint64_t seed = 1; seed <= slice_of(1000, 150); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const int64_t most = random.chance(40) ? 2000 : random.chance(6) ? 400 : 100;
    const auto graph = import_of(random_text(random, random.between(40, most)));
    check_order(Scheduled(graph));
    if (seed % 10 == 0)
      check_results(graph);
  }
}

// In processor time, which other programs on the machine do not change.
TEST_CASE("growing groups takes a time that is linear in the number of ops") {
  const auto seconds = [](int64_t ops) {
    Dice random(7);
    const auto program = Scheduled::lower(import_of(random_text(random, ops)), "", "");
    const runtime::Layouts layouts(*program);
    const std::clock_t begin = std::clock();
    CHECK(!runtime::schedule(*program, layouts).steps.empty());
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  const double few = seconds(4000), many = seconds(32000);
  MESSAGE("4,000 ops: " << few << " s, 32,000 ops: " << many << " s");
  CHECK(many < 24 * few);
}

} // namespace tw::test_groups
