// SPDX-License-Identifier: Apache-2.0
// Steps that give back the memory that they take come as soon as they can, and the others where the program
// has them.
#include <algorithm>

#include "unit/runtime/float_program.hpp"

namespace tw::test_reorder_for_memory {

using namespace tw::test;
using runtime::Step;

namespace {

// Two products, then a difference that could stand between them: it takes as much as it gives back.
std::shared_ptr<const graph::Graph> products_then_difference() {
  return import_of(R"(
func.func @main(%x: tensor<64x64xf32>, %a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %q = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %d = stablehlo.subtract %x, %p : tensor<64x64xf32>
  %e = stablehlo.dot_general %d, %q, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
})");
}

} // namespace

TEST_CASE("an update of what is donated does not wait for the end") {
  const auto graph = descent(kFirst, kSecond);
  const auto program = *spmd::lower_unpartitioned(graph);
  const runtime::Layouts layouts(*program);
  const auto place_of_first_update = [&](const runtime::ScheduleOptions &options) {
    const runtime::Schedule schedule = runtime::schedule(*program, layouts, options);
    size_t at = 0;
    while (schedule.steps[at].kind != Step::Kind::fused)
      ++at;
    return std::pair(at, schedule.steps.size());
  };
  // q's gradient is there after three products; with q donated dq - which is no argument - gives its place
  // back.
  CHECK(runtime::schedule(*program, layouts, {.donate = true}).donations.size() == 2);
  CHECK(place_of_first_update({.donate = true}) ==
        std::pair<size_t, size_t>(4, 7)); // q is read once more before
  CHECK(place_of_first_update({}) == std::pair<size_t, size_t>(5, 7));
}

TEST_CASE("what gives back no more than it takes stays where it is") {
  const Scheduled s(products_then_difference());
  CHECK(s.text() == "[constant] dot_general dot_general subtract dot_general reduce");
}

TEST_CASE("left out, steps stand where the program has them") {
  const auto program = *spmd::lower_unpartitioned(descent(kFirst, kSecond));
  const runtime::Layouts layouts(*program);
  const auto first_instrs = [&](std::vector<std::string> without) {
    std::vector<uint32_t> first;
    for (const Step &step :
         runtime::schedule(*program, layouts, {.donate = true, .without = std::move(without)}).steps)
      first.push_back(step.instrs[0]);
    return first;
  };
  const auto as_written = first_instrs({"reorder_for_memory"});
  CHECK(std::ranges::is_sorted(as_written));
  CHECK(first_instrs({}) != as_written);
}

} // namespace tw::test_reorder_for_memory
