// SPDX-License-Identifier: Apache-2.0
// Choices by bytes: what propagation takes where evidence is tied, or neighbours want different things, moves
// no more than what it passed over.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "import/import.hpp"
#include "partition/policy.hpp"
#include "partition/spec.hpp"
#include "spmd/moved_bytes.hpp"
#include "support/compare.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "support/searched.hpp"
#include "support/simulate.hpp"
#include "support/tiled_somewhere.hpp"

namespace tw::test_choices {

using partition::Plan;
using partition::Policy;
using test::received;
using test::tiled_somewhere;

namespace {

Plan plan_of(const std::shared_ptr<const graph::Graph> &graph, const char *mesh, Policy policy,
             const std::string &spec, partition::CountMoves count = spmd::count_moves) {
  Plan plan(graph, *sharding::Mesh::parse(mesh));
  plan.set_policy(policy, count);
  const Status status = partition::apply_spec(plan, spec, "spec");
  REQUIRE_MESSAGE(status.has_value(), status.error().message());
  return plan;
}

Plan plan_of(const std::string &text, const char *mesh, Policy policy, const std::string &spec,
             partition::CountMoves count = spmd::count_moves) {
  const auto imported = import::import_text(text);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  return plan_of(imported->graph, mesh, policy, spec, count);
}

// A product whose large operand is tiled along the contracted dimension, as is the small one along its rows.
constexpr const char *kLargeParameter = R"(
func.func @main(%x: tensor<4x4096xf32>, %w: tensor<4096x4096xf32>) -> tensor<4x4096xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x4096xf32>, tensor<4096x4096xf32>) -> tensor<4x4096xf32>
  return %0 : tensor<4x4096xf32>
})";
constexpr const char *kRows =
    "tile(arg=x, dim=0, axis=a); tile(arg=w, dim=0, axis=a); tile(result=0, dim=0, axis=a); propagate";

// Layers of two products, alike: the batch, and the weights of both products, which are small beside it.
std::string layers(int count, int64_t batch, int64_t width) {
  const std::string x = fmt::format("tensor<{}x{}xf32>", batch, width),
                    w = fmt::format("tensor<{0}x{0}xf32>", width);
  std::string arguments = "%x: " + x, body, last = "%x";
  for (int i = 0; i < count; ++i) {
    arguments += fmt::format(", %u{0}: {1}, %v{0}: {1}", i, w);
    body += fmt::format(
        "  %p{0} = stablehlo.dot_general {1}, %u{0}, contracting_dims = [1] x [0] : ({2}, {3}) -> {2}\n", i,
        last, x, w);
    body += fmt::format("  %t{0} = stablehlo.tanh %p{0} : {1}\n", i, x);
    body += fmt::format(
        "  %q{0} = stablehlo.dot_general %t{0}, %v{0}, contracting_dims = [1] x [0] : ({1}, {2}) -> {1}\n", i,
        x, w);
    last = fmt::format("%q{}", i);
  }
  return fmt::format("func.func @main({}) -> {} {{\n{}  return {} : {}\n}}\n", arguments, x, body, last, x);
}

} // namespace

// A contraction, a convolution and a lookup whose one operand is small and tiled along what is summed, and a
// product of which both operands are.
struct Sum {
  const char *text, *spec;
  // Bytes that the busiest device receives: with the small operand whole, with one that is tiled along what
  // stays instead, and with a split sum.
  int64_t least, cheapest, reduced;
};
constexpr Sum kSums[] = {
    {R"(
func.func @main(%x: tensor<64x4xf32>, %w: tensor<4x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
})",
     "atomic(arg=x, axis=a); tile(arg=w, dim=0, axis=a); infer-propagate", 3 * 64 * 4, 3 * 64,
     2 * 3 * 64 * 64 * 4 / 4},
    {R"(
func.func @main(%x: tensor<1x16x16x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x16x16x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x16x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x16x16x8xf32>
  return %0 : tensor<1x16x16x8xf32>
})",
     "atomic(arg=x, axis=a); tile(arg=w, dim=2, axis=a); infer-propagate", 3 * 3 * 3 * 8 * 4, 3 * 3 * 3 * 8,
     2 * 3 * 16 * 16 * 8 * 4 / 4},
    {R"(
func.func @main(%x: tensor<8x4xf32>, %i: tensor<64x1xi32>) -> tensor<64x4xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<64x1xi32>) -> tensor<64x4xf32>
  return %0 : tensor<64x4xf32>
})",
     "atomic(arg=i, axis=a); tile(arg=x, dim=0, axis=a); infer-propagate", 3 * 2 * 4 * 4, 3 * 2 * 4,
     2 * 3 * 64 * 4 * 4 / 4},
    {R"(
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
})",
     "tile(arg=x, dim=1, axis=a); tile(arg=w, dim=0, axis=a); infer-propagate", 2 * 3 * 64 * 64 * 4 / 4,
     15 * 64 * 64 * 4 / 16, 2 * 3 * 64 * 64 * 4 / 4},
};

TEST_CASE("a sum of which one operand is small is not split where that moves less") {
  for (const Sum &sum : kSums) {
    CAPTURE(sum.text);
    CHECK(received(plan_of(sum.text, "a=4", Policy::shardy, sum.spec)) == sum.least);
    CHECK(received(plan_of(sum.text, "a=4", Policy::cheapest, sum.spec)) == sum.cheapest);
    CHECK(received(plan_of(sum.text, "a=4", Policy::conservative, sum.spec)) == sum.reduced);
  }
}

TEST_CASE("of a sum and a pass, shardy takes the one that moves less") {
  for (const Policy policy : {Policy::shardy, Policy::cheapest}) {
    const Plan plan = plan_of(kLargeParameter, "a=4", policy, kRows);
    CHECK(received(plan) <= 3 * 4 * 4096 * 4); // x and the result move, a quarter of each stays
    CHECK(received(plan_of(kLargeParameter, "a=4", policy, kRows, nullptr)) == int64_t{3} * 1024 * 4096 * 4);
  }
}

TEST_CASE("batch and weights stated at once: weights are gathered where they are smaller") {
  for (const int64_t batch : {512, 16}) {
    CAPTURE(batch);
    const std::string program = layers(3, batch, 64);
    for (const char *dim : {"0", "1"}) {
      CAPTURE(dim);
      const std::string spec = fmt::format("tile(arg=x, dim=0, axis=a); tile(arg=\"u*\", dim={0}, axis=a); "
                                           "tile(arg=\"v*\", dim={0}, axis=a); propagate",
                                           dim);
      const int64_t weights = int64_t{6} * 64 * 64 * 4 * 3 / 4;
      const int64_t cheapest = received(plan_of(program, "a=4", Policy::cheapest, spec));
      CHECK(cheapest <= weights);
      const int64_t shardy = received(plan_of(program, "a=4", Policy::shardy, spec));
      CHECK(cheapest <= shardy);
      if (batch == 16)
        CHECK(cheapest < weights); // activations are
      else
        CHECK(shardy <= weights);
    }
  }
}

TEST_CASE("a ZeRO-3 step moves no more where its shardings are stated at once than in stages") {
  const auto step = test::gpt_step();
  const std::string batch = "tile(arg=tokens, dim=0, axis=data); tile(arg=targets, dim=0, axis=data); ",
                    weights = "tile(arg=\"params*\", dim=0, axis=data); propagate";
  const int64_t in_stages =
      received(plan_of(step, "data=8", Policy::conservative, batch + "propagate; " + weights));
  CHECK(received(plan_of(step, "data=8", Policy::shardy, batch + weights)) <= in_stages);
  CHECK(received(plan_of(step, "data=8", Policy::conservative, batch + weights)) > 2 * in_stages);
}

TEST_CASE("activations that alternate between two cuts are cut in one way") {
  const std::string program = layers(4, 512, 64);
  std::string spec = "tile(arg=x, dim=0, axis=a); ";
  for (int i = 0; i < 4; ++i)
    spec += fmt::format("tile(arg=u{}, dim=1, axis=a); ", i);
  const int64_t weights = int64_t{4} * 64 * 64 * 4 * 3 / 4;
  CHECK(received(plan_of(program, "a=4", Policy::cheapest, spec + "propagate")) <= weights);
}

TEST_CASE("random programs: no policy moves more for having counted, and results stay what they are") {
  const auto programs = static_cast<int64_t>(test::slice_of(300, 100));
  int64_t fewer = 0, moving = 0;
  for (int64_t seed = 1; seed <= programs; ++seed) {
    CAPTURE(seed);
    test::Dice random(static_cast<uint64_t>(seed));
    const test::RandomProgram made = test::random_program(random);
    sharding::Mesh mesh = test::random_mesh(random);
    if (seed % 8 == 0)
      mesh = test::with_random_loops(mesh, random);
    const Policy policy = seed % 2 == 0 ? Policy::shardy : Policy::cheapest;
    Plan plan(made.graph, mesh), largest(made.graph, mesh);
    test::Dice again = random;
    plan.set_policy(policy, spmd::count_moves);
    largest.set_policy(policy);
    const Plan before = plan;
    test::random_actions(plan, random);
    test::random_actions(largest, again);
    const auto program = spmd::lower(plan), as_largest = spmd::lower(largest);
    if (!program || !as_largest)
      continue;
    const int64_t now = spmd::find_statistics(**program).bytes_received_max,
                  then = spmd::find_statistics(**as_largest).bytes_received_max;
    fewer += now < then;
    moving += then > 0;
    const auto expected = test::simulate(**as_largest, made.inputs),
               got = test::simulate(**program, made.inputs);
    REQUIRE(expected.has_value());
    REQUIRE(got.has_value());
    for (size_t i = 0; i < got->size(); ++i)
      REQUIRE(test::same_values((*got)[i], (*expected)[i]));
    plan.undo_to(before.stamp());
    REQUIRE(plan.same_state(before));
  }
  CHECK(fewer * 30 > programs);
  CHECK(moving * 3 > programs);
}

// A plan of which one action tiles some nodes.
TEST_CASE("random programs: cheapest moves no more than conservative") {
  const auto programs = static_cast<int64_t>(test::slice_of(400, 120));
  int64_t fewer = 0;
  for (int64_t seed = 1; seed <= programs; ++seed) {
    CAPTURE(seed);
    test::Dice random(static_cast<uint64_t>(seed));
    const test::RandomProgram made = test::random_program(random);
    const sharding::Mesh mesh = test::random_mesh(random);
    const int64_t cheapest =
                      received(tiled_somewhere(made, mesh, Policy::cheapest, spmd::count_moves, random)),
                  conservative =
                      received(tiled_somewhere(made, mesh, Policy::conservative, spmd::count_moves, random));
    CHECK(cheapest <= conservative);
    fewer += cheapest < conservative;
  }
  CHECK(fewer * 40 > programs);
}

// What iotas decide is summed up where it is needed: nothing moves if the passes behind `emit` count.
TEST_CASE("what all passes do counts in small programs") {
  const auto plan = [](Policy policy) {
    const std::string text = R"(
func.func @main(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %i = stablehlo.iota dim = 0 : tensor<6xf32>
  %s = stablehlo.sine %i : tensor<6xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<6xf32>) -> tensor<6x4xf32>
  %u = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
  %d = stablehlo.divide %b, %u : tensor<6x4xf32>
  %r = stablehlo.multiply %x, %d : tensor<6x4xf32>
  return %r : tensor<6x4xf32>
})";
    return plan_of(text, "a=3", policy, "tile(arg=x, dim=0, axis=a); infer-propagate");
  };
  CHECK(received(plan(Policy::conservative)) > 0);
  CHECK(received(plan(Policy::shardy)) == 0);
  CHECK(received(plan(Policy::cheapest)) == 0);
}

} // namespace tw::test_choices
