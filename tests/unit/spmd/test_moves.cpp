// SPDX-License-Identifier: Apache-2.0
// What moves, and how little: values that pass a barrier together, sums that several readers want, copies of
// one value side by side, and folds over any dimension.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/import.hpp"
#include "kernels/ref/evaluate.hpp"
#include "partition/explain.hpp"
#include "partition/policy.hpp"
#include "partition/spec.hpp"
#include "spmd/exactness.hpp"
#include "spmd/program.hpp"
#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "support/simulate.hpp"
#include "support/unit.hpp"
#include "unit/spmd/lowered.hpp"

namespace tw::test_moves {

using partition::Plan;

namespace {

Plan plan_of(const std::string &text, const char *mesh, const std::string &spec) {
  const auto imported = import::import_text(text);
  if (!imported)
    FAIL(imported.error().message());
  Plan plan(imported->graph, *sharding::Mesh::parse(mesh));
  if (auto status = partition::apply_spec(plan, spec, "spec"); !status)
    FAIL(status.error().message());
  return plan;
}

// "reduce_scatter over x, all_reduce over x"
std::string moves(const spmd::Program &program) {
  std::vector<std::string> all;
  for (const spmd::Collective &c : program.collectives())
    if (c.summary.kind != redistribute::Kind::copy) {
      std::vector<std::string> axes;
      for (const sharding::AxisId a : c.summary.axes)
        axes.push_back(program.mesh().axis(a).name);
      all.push_back(fmt::format("{} over {}", redistribute::name(c.summary.kind), fmt::join(axes, ",")));
    }
  return fmt::format("{}", fmt::join(all, ", "));
}

// Small whole numbers, so that sums are exact in any order.
std::vector<kernels::ref::Array> inputs_of(const graph::Graph &graph, uint64_t seed) {
  test::Dice random(seed);
  std::vector<kernels::ref::Array> inputs;
  for (const graph::OpId argument : graph.arguments()) {
    const graph::TensorType &type = graph.type(graph.result(argument));
    kernels::ref::Array array{type, std::vector<std::byte>(static_cast<size_t>(type.bytes()))};
    for (int64_t i = 0; i < type.elements(); ++i) {
      const auto n = static_cast<int32_t>(random.below(5));
      const auto f = static_cast<float>(n);
      std::memcpy(array.bytes.data() + 4 * i,
                  type.dtype == graph::DType::f32 ? static_cast<const void *>(&f) : &n, 4);
    }
    inputs.push_back(std::move(array));
  }
  return inputs;
}

void check_results(const spmd::Program &program) {
  const auto inputs = inputs_of(program.graph(), 1);
  const auto expected = kernels::ref::evaluate(program.graph(), inputs);
  REQUIRE(expected.has_value());
  const auto got = test::simulate(program, inputs);
  if (!got)
    FAIL(got.error().message());
  for (size_t i = 0; i < got->size(); ++i)
    CHECK(test::same_values((*got)[i], (*expected)[i]));
}

} // namespace

// The use wants the partial axis inside tiles over another one, which the maker has elsewhere.
TEST_CASE("a sum is scattered before it moves, whatever tiles its use wants") {
  constexpr const char *kProgram =
      "func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {\n"
      "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, "
      "tensor<16x8xf32>) -> tensor<8x8xf32>\n"
      "  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>\n"
      "  return %1 : tensor<8x8xf32>\n}\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"x y", "reduce_scatter over x, all_to_all over y"},
      {"y x", "reduce_scatter over x, all_to_all over x,y"},
      {"x", "reduce_scatter over x, all_gather over y"},
      {"y", "all_reduce over x, all_to_all over y"}};
  for (const auto &one : cases) {
    const auto &[wanted, expected_moves] = one;
    std::string spec = "rule(op=%0, \"matmul-sum\", axis=x); rule(op=%0, \"matmul-tile-0\", axis=y); ";
    for (const char axis : wanted)
      if (axis != ' ')
        spec += fmt::format("rule(op=%1, \"transpose-tile-0\", axis={}); ", axis);
    const Plan plan = plan_of(kProgram, "x=2,y=2", spec);
    const auto program = test::lowered(plan);
    CAPTURE(one.first);
    CHECK(moves(*program) == expected_moves);
    const std::vector<kernels::ref::Array> inputs = inputs_of(plan.graph(), 1);
    const auto expected = kernels::ref::evaluate(plan.graph(), inputs);
    const auto found = test::simulate(*program, inputs);
    REQUIRE(expected.has_value());
    REQUIRE(found.has_value());
    CHECK((*expected)[0].bytes == (*found)[0].bytes);
  }
}

TEST_CASE("each value that passes a barrier has a layout of its own") {
  const std::string program = R"(
func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x32xf32>, %y: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %0:3 = stablehlo.optimization_barrier %x, %w, %y : tensor<64x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>
  %1 = stablehlo.dot_general %0#0, %0#1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %2 = stablehlo.add %1, %0#2 : tensor<64x32xf32>
  return %2 : tensor<64x32xf32>
})";
  SUBCASE("alike") {
    const Plan plan =
        plan_of(program, "x=4", "tile(arg=x, dim=0, axis=x); tile(arg=y, dim=0, axis=x); infer-propagate");
    const auto made = test::lowered(plan);
    CHECK(moves(*made) == "");
    check_results(*made);
  }
  SUBCASE("in different dimensions, some not at all") {
    const Plan plan = plan_of(program, "x=4", "tile(arg=w, dim=1, axis=x); infer-propagate");
    const auto made = test::lowered(plan);
    CHECK(moves(*made) == "");
    check_results(*made);
    const std::string why = *partition::explain(plan, "%0#2", "x");
    CHECK(why.find("result 2 of") != why.npos);
  }
  SUBCASE("inside a loop over steps") {
    const Plan plan = plan_of(program, "x=4",
                              "serial(axis=s, size=2); tile(arg=x, dim=0, axis=s); infer-propagate; "
                              "tile(arg=w, dim=1, axis=x); infer-propagate");
    check_results(*test::lowered(plan));
  }
  SUBCASE("more dimensions than a rule has factors") {
    std::string names, types, sum = "%0#0";
    std::string body;
    for (int i = 0; i < 100; ++i) {
      names += fmt::format("{}%x", i == 0 ? "" : ", ");
      types += fmt::format("{}tensor<4x8xf32>", i == 0 ? "" : ", ");
      if (i > 0) {
        body += fmt::format("  %s{} = stablehlo.add {}, %0#{} : tensor<4x8xf32>\n", i, sum, i);
        sum = fmt::format("%s{}", i);
      }
    }
    const Plan plan =
        plan_of(fmt::format("func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {{\n  %0:100 = "
                            "stablehlo.optimization_barrier {} : {}\n{}  return {} : tensor<4x8xf32>\n}}",
                            names, types, body, sum),
                "x=4", "tile(arg=x, dim=1, axis=x); infer-propagate");
    const auto made = test::lowered(plan);
    CHECK(moves(*made) == "");
    check_results(*made);
  }
  SUBCASE("only what was rounded is not exact behind it") {
    const Plan plan = plan_of(R"(
func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %0:2 = stablehlo.optimization_barrier %p, %y : tensor<8x8xf32>, tensor<8x8xf32>
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<8x8xf32>
})",
                              "x=2", "tile(arg=x, dim=1, axis=x); infer-propagate");
    CHECK(spmd::exact_results(*test::lowered(plan)) == std::vector<bool>{false, true});
  }
}

namespace {

// A gradient that a scatter adds up over the batch, read by an update of the tiled table and by the
// gradient's norm.
constexpr const char *kEmbedding = R"(
func.func @main(%e: tensor<64x16xf32>, %ids: tensor<32x1xi32>, %d: tensor<32x16xf32>) -> (tensor<64x16xf32>, tensor<f32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.constant dense<0.0> : tensor<64x16xf32>
  %g = "stablehlo.scatter"(%z, %ids, %d) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<64x16xf32>, tensor<32x1xi32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %q = stablehlo.multiply %g, %g : tensor<64x16xf32>
  %n = stablehlo.reduce(%q init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<f32>
  %u = stablehlo.subtract %e, %g : tensor<64x16xf32>
  return %u, %n : tensor<64x16xf32>, tensor<f32>
})";
constexpr const char *kBatch = "tile(arg=d, dim=0, axis=x); tile(arg=ids, dim=0, axis=x); infer-propagate; ";

} // namespace

TEST_CASE("a sum is scattered for all of its readers where one of them wants it tiled") {
  for (const char *mode : {"propagate", "infer-propagate"})
    for (const char *policy : {"conservative", "shardy"}) {
      CAPTURE(mode);
      CAPTURE(policy);
      const auto imported = import::import_text(kEmbedding);
      REQUIRE(imported.has_value());
      Plan plan(imported->graph, *sharding::Mesh::parse("x=4"));
      plan.set_policy(*partition::parse_policy(policy));
      REQUIRE(
          partition::apply_spec(plan, fmt::format("{}tile(arg=e, dim=1, axis=x); {}", kBatch, mode), "spec"));
      const auto made = test::lowered(plan);
      CHECK(moves(*made) == "reduce_scatter over x, all_reduce over x");
      check_results(*made);
      const std::string why = *partition::explain(plan, "%q", "x");
      CAPTURE(why);
      CHECK(why.find("another user of its operand") != why.npos);
    }
}

TEST_CASE(
    "a sum that readers want in different tiles is scattered for one of them, and moved for the others") {
  const std::string program = R"(
func.func @main(%a: tensor<16x64xf32>, %b: tensor<64x16xf32>, %p: tensor<16x16xf32>, %q: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %g = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
  %u = stablehlo.subtract %p, %g : tensor<16x16xf32>
  %v = stablehlo.subtract %q, %g : tensor<16x16xf32>
  return %u, %v : tensor<16x16xf32>, tensor<16x16xf32>
})";
  const Plan plan = plan_of(
      program, "x=4",
      "tile(arg=a, dim=1, axis=x); infer-propagate; tile(arg=p, dim=0, axis=x); tile(arg=q, dim=1, axis=x); "
      "infer-propagate");
  const auto made = test::lowered(plan);
  CHECK(moves(*made) == "reduce_scatter over x, all_to_all over x");
  check_results(*made);
  spmd::Options seeds;
  seeds.naive = true;
  const auto naive = test::lowered(plan, seeds);
  CHECK(to_text(*naive) == to_text(*made));
}

TEST_CASE("copies of one value side by side are gathered once") {
  const std::string program = R"(
func.func @main(%x: tensor<32x8xf32>) -> tensor<8x32x8xf32> {
  %0 = stablehlo.reshape %x : (tensor<32x8xf32>) -> tensor<1x32x8xf32>
  %1 = stablehlo.concatenate %0, %0, %0, %0, %0, %0, %0, %0, dim = 0 : (tensor<1x32x8xf32>, tensor<1x32x8xf32>, tensor<1x32x8xf32>, tensor<1x32x8xf32>, tensor<1x32x8xf32>, tensor<1x32x8xf32>, tensor<1x32x8xf32>, tensor<1x32x8xf32>) -> tensor<8x32x8xf32>
  %2 = stablehlo.tanh %1 : tensor<8x32x8xf32>
  return %2 : tensor<8x32x8xf32>
})";
  for (const char *mesh : {"x=8", "x=4", "x=2"}) {
    CAPTURE(mesh);
    const Plan plan =
        plan_of(program, mesh, "tile(result=0, dim=0, axis=x); infer-propagate; tile(arg=x, dim=0, axis=x)");
    const auto made = test::lowered(plan);
    CHECK(moves(*made) == "all_gather over x");
    check_results(*made);
  }
}

namespace {

std::string fold(const char *region) {
  return fmt::format(R"(
func.func @main(%a: tensor<8x4x16xf32>, %b: tensor<8x4x16xi32>) -> (tensor<8xf32>, tensor<8xi32>) {{
  %l = stablehlo.constant dense<-1.0> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%a, %b, %l, %z) ({{
  ^bb0(%x: tensor<f32>, %i: tensor<i32>, %y: tensor<f32>, %j: tensor<i32>):
{}
    stablehlo.return %v, %k : tensor<f32>, tensor<i32>
  }}) {{dimensions = array<i64: 1, 2>}} : (tensor<8x4x16xf32>, tensor<8x4x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xi32>
}})",
                     region);
}

// As JAX writes it: of equal values the lower index, of NaNs the first.
constexpr const char *kArgmax = R"(
    %g = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = stablehlo.compare NE, %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %p = stablehlo.or %g, %n : tensor<i1>
    %e = stablehlo.compare EQ, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = stablehlo.and %e, %s : tensor<i1>
    %q = stablehlo.or %p, %t : tensor<i1>
    %v = stablehlo.select %p, %x, %y : tensor<i1>, tensor<f32>
    %k = stablehlo.select %q, %i, %j : tensor<i1>, tensor<i32>)";
constexpr const char *kFirst = R"(
    %g = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %g, %x, %y : tensor<i1>, tensor<f32>
    %k = stablehlo.select %g, %i, %j : tensor<i1>, tensor<i32>)";
constexpr const char *kTwoSums = R"(
    %v = stablehlo.add %x, %y : tensor<f32>
    %k = stablehlo.add %j, %i : tensor<i32>)";
constexpr const char *kLargest = R"(
    %v = stablehlo.maximum %y, %x : tensor<f32>
    %k = stablehlo.minimum %i, %j : tensor<i32>)";

} // namespace

TEST_CASE("a fold by a region that minds no order splits any dimension") {
  const char *inner = "tile(arg=a, dim=2, axis=x); infer-propagate";
  struct Case {
    const char *region;
    bool folds, exact;
  };
  for (const auto &[region, folds, exact] : {Case{kTwoSums, true, false}, Case{kLargest, true, true},
                                             Case{kArgmax, true, false}, Case{kFirst, false, true}}) {
    const char *const told = region; // a binding cannot be captured
    CAPTURE(told);
    const auto made = test::lowered(plan_of(fold(region), "x=8", inner));
    // A dimension that must stay whole leaves its axis to one that is free.
    CHECK(moves(*made) == (folds ? "all_reduce over x" : "all_to_all over x"));
    CHECK(spmd::exact_results(*made)[0] == exact);
    check_results(*made);
  }
  // The elements of a tile of the outermost dimension follow each other: any region will do, and no bit
  // changes.
  for (const char *region : {kLargest, kArgmax, kFirst}) {
    const auto made =
        test::lowered(plan_of(fold(region), "x=4", "tile(arg=a, dim=1, axis=x); infer-propagate"));
    CHECK(moves(*made) == "all_reduce over x");
    CHECK(spmd::exact_results(*made) == std::vector<bool>{true, true});
    check_results(*made);
  }
  // Both at once.
  const auto both = test::lowered(plan_of(
      fold(kArgmax), "x=2,y=4", "tile(arg=a, dim=1, axis=x); tile(arg=a, dim=2, axis=y); infer-propagate"));
  check_results(*both);
}

} // namespace tw::test_moves
