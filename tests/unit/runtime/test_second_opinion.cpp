// SPDX-License-Identifier: Apache-2.0
// The three rules by which results are judged, each where the one before it does not decide.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "import/import.hpp"
#include "partition/spec.hpp"
#include "runtime/second_opinion.hpp"

namespace tw::test_second_opinion {

using graph::DType;
using runtime::JudgedBy;

namespace {

// Divides what may be nothing but rounding errors by its own size; the sum is split over two devices.
constexpr const char *kNoise = R"(func.func @main(%a: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.constant dense<1.0e-12> : tensor<f32>
  %1 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.abs %1 : tensor<f32>
  %3 = stablehlo.add %2, %e : tensor<f32>
  %4 = stablehlo.divide %1, %3 : tensor<f32>
  return %4 : tensor<f32>
})";

std::shared_ptr<const spmd::Program> program_of(const char *text, const char *spec) {
  const auto imported = import::import_text(text);
  if (!imported)
    FAIL(imported.error().message());
  partition::Plan plan(imported->graph, *sharding::Mesh::parse("x=2"));
  REQUIRE(partition::apply_spec(plan, spec, "spec").has_value());
  auto program = spmd::lower(plan);
  if (!program)
    FAIL(program.error().message());
  return *program;
}

struct Values {
  graph::Shape dims;
  std::vector<float> floats;
  runtime::TensorView view() { return {DType::f32, dims, floats.data(), {}}; }
};

runtime::Judgement judge(const spmd::Program &program, Values input, Values output, Values expected,
                         const runtime::Judging &how = {}) {
  const runtime::TensorView in[] = {input.view()}, out[] = {output.view()}, wanted[] = {expected.view()};
  return runtime::judge(program, in, out, wanted, how);
}

} // namespace

TEST_CASE("what no bound allows passes where it is as near to the exact numbers as the other run") {
  const auto program = program_of(kNoise, "tile(arg=0, dim=0, axis=\"x\"); infer-propagate");
  const Values input{{4}, {1e8f, 1, -1e8f, -1}}; // the sum is 0
  auto judged = judge(*program, input, {{}, {1}}, {{}, {-1}});
  CHECK(judged.outputs[0].judged_by == JudgedBy::in_double);
  CHECK(judged.outputs[0].from_double == 1);
  CHECK(judged.outputs[0].expected_from_double == 1);
  CHECK(judged.outputs[0].pass);
  CHECK(judged.why_no_second_opinion.empty());
  CHECK(judge(*program, input, {{}, {-4}}, {{}, {-1}}).outputs[0].pass); // 4 times as far
  CHECK(!judge(*program, input, {{}, {-4.01f}}, {{}, {-1}}).outputs[0].pass);
  CHECK(!judge(*program, input, {{}, {std::nanf("")}}, {{}, {-1}}).outputs[0].pass);
  // Within the bound nobody asks.
  judged = judge(*program, input, {{}, {-1.00001f}}, {{}, {-1}});
  CHECK(judged.outputs[0].judged_by == JudgedBy::tolerance);
  CHECK(judged.outputs[0].from_double == -1);
  CHECK(judged.outputs[0].pass);
}

TEST_CASE("where the other run is exact, no error is as small") {
  const auto program = program_of(kNoise, "tile(arg=0, dim=0, axis=\"x\"); infer-propagate");
  const Values input{{4}, {1, 1, 1, 1}};
  const auto judged = judge(*program, input, {{}, {0.99f}}, {{}, {1}});
  CHECK(judged.outputs[0].judged_by == JudgedBy::in_double);
  CHECK(!judged.outputs[0].pass);
}

TEST_CASE("promised bits get no second opinion, and any NaN is any other") {
  const auto program = program_of("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                                  "  %1 = stablehlo.add %a, %a : tensor<2xf32>\n"
                                  "  return %1 : tensor<2xf32>\n}",
                                  "tile(arg=0, dim=0, axis=\"x\"); infer-propagate");
  const Values input{{2}, {1, 2}};
  auto judged = judge(*program, input, {{2}, {2, 4}}, {{2}, {2, std::nextafterf(4, 5)}});
  CHECK(judged.outputs[0].judged_by == JudgedBy::bits);
  CHECK(!judged.outputs[0].pass);
  CHECK(!judge(*program, input, {{2}, {0.0f, 1}}, {{2}, {-0.0f, 1}}).outputs[0].pass);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  judged = judge(*program, input, {{2}, {nan, 1}}, {{2}, {std::copysign(nan, -1.0f), 1}});
  CHECK(judged.outputs[0].pass);
  CHECK(!judged.outputs[0].bit_equal);
  CHECK(!judge(*program, input, {{2}, {nan, 1}}, {{2}, {1, 1}}).outputs[0].pass);
  // Another run than the unpartitioned one promises none.
  CHECK(judge(*program, input, {{2}, {2, 4}}, {{2}, {2, std::nextafterf(4, 5)}}, {.promised = false})
            .outputs[0]
            .pass);
}

TEST_CASE("a second opinion that cannot be had is said") {
  const auto program = program_of(kNoise, "tile(arg=0, dim=0, axis=\"x\"); infer-propagate");
  Values output{{}, {1}}, expected{{}, {-1}};
  const runtime::TensorView out[] = {output.view()}, wanted[] = {expected.view()};
  const auto judged = runtime::judge(*program, {}, out, wanted, {});
  CHECK(!judged.outputs[0].pass);
  CHECK(judged.outputs[0].judged_by == JudgedBy::tolerance);
  CHECK(judged.why_no_second_opinion == "the inputs are not given");
}

TEST_CASE("a second opinion that takes too long is given up") {
  const auto program = program_of(R"(func.func @main(%a: tensor<4xf32>) -> tensor<f32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.while(%x = %1) : tensor<f32>
      cond {
        %3 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %4 = stablehlo.not %3 : tensor<i1>
        stablehlo.return %4 : tensor<i1>
      } do {
        stablehlo.return %x : tensor<f32>
      }
    return %2 : tensor<f32>
  })",
                                  "tile(arg=0, dim=0, axis=\"x\"); infer-propagate");
  int asked = 0;
  runtime::Judging how;
  how.seconds = 0.2;
  how.go_on = [&](double) { return ++asked > 0; };
  const auto judged = judge(*program, {{4}, {1, 2, 3, 4}}, {{}, {11}}, {{}, {10}}, how);
  CHECK(!judged.outputs[0].pass);
  CHECK(judged.why_no_second_opinion.find("given up") != std::string::npos);
  CHECK(asked > 0);
}

} // namespace tw::test_second_opinion
