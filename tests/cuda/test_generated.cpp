// SPDX-License-Identifier: Apache-2.0
// Programs of one op, whole and in parts, on the kind `cuda` over doubles of the driver and of NVRTC. They
// equal the host's to the bit, and no step is left to the host but those of ops without a kernel for GPUs.
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cuda/on_queue.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "runtime/executable.hpp"
#include "spmd/program.hpp"
#include "support/host_values.hpp"
#include "support/plans.hpp"

namespace tw::test_cuda_generated {

namespace {

struct Program {
  const char *text;
  const char *spec = ""; // actions on the mesh x=2
  bool same_bits = false, tf32 = false;
};
// What an executable was.
struct Ran {
  std::vector<runtime::OnHost> on_host;
  std::set<std::string> kernels; // names, of the first device
};

std::vector<Bytes> results_of(const Program &program, const device::Kind *device, uint64_t seed, Ran &ran) {
  const auto imported = import::import_text(program.text);
  REQUIRE_MESSAGE(imported, imported.error().message());
  partition::Plan plan = test::plan_of(*imported, *program.spec != '\0' ? "x=2" : "x=1", false);
  if (*program.spec != '\0')
    REQUIRE(partition::apply_spec(plan, program.spec, "spec").has_value());
  const auto lowered = spmd::lower(plan);
  REQUIRE(lowered);
  runtime::Options options;
  options.workers = 1;
  options.device = device;
  options.same_bits = program.same_bits;
  options.tf32 = program.tf32;
  const auto executable = runtime::Executable::create(*lowered, std::move(options));
  REQUIRE_MESSAGE(executable, executable.error().message());
  const graph::Graph &graph = *imported->graph;
  std::mt19937_64 random(seed);
  std::vector<Bytes> in, out;
  std::vector<runtime::TensorView> inputs, outputs;
  for (const graph::OpId argument : graph.arguments()) {
    const graph::TensorType &type = graph.type(graph.result(argument));
    in.push_back(drawn_elements(type.dtype, type.elements(), random));
    if (type.dtype == graph::DType::s32) // an index, mostly inside
      for (size_t i = 0; i < in.back().size(); i += 4)
        in.back()[i] = static_cast<std::byte>(random() % 7),
        in.back()[i + 1] = in.back()[i + 2] = in.back()[i + 3] = {};
    inputs.push_back({type.dtype, type.dims, in.back().data(), {}});
  }
  for (size_t i = 0; i < graph.results().size(); ++i) {
    const graph::TensorType &type = graph.type(graph.operands(graph.results()[i])[0]);
    out.emplace_back(static_cast<size_t>(type.bytes()));
    outputs.push_back({type.dtype, type.dims, out.back().data(), {}});
  }
  const Status done = (*executable)->run(inputs, outputs);
  REQUIRE_MESSAGE(done, done.error().message());
  ran.on_host = (*executable)->on_host();
  for (const runtime::BoundStep &step : (*executable)->executor().steps())
    if (!step.kernels.empty() && step.kernels[0] != nullptr)
      ran.kernels.insert(step.kernels[0]->name());
  return out;
}

Ran compare(const Program &program, size_t left_to_host = 0) {
  CAPTURE(program.text);
  CAPTURE(program.spec);
  Ran ran;
  const auto want = results_of(program, &device::host_kind(), 5, ran);
  CHECK(ran.on_host.empty());
  ran.kernels.clear();
  const auto have = results_of(program, *device::find_kind("cuda"), 5, ran);
  const auto &on_host = ran.on_host;
  const auto graph = module_of(program.text);
  for (size_t i = 0; i < want.size(); ++i)
    CHECK(count_wrong(graph->type(graph->operands(graph->results()[i])[0]).dtype, have[i], want[i]) == 0);
  CHECK(on_host.size() == left_to_host);
  for (const runtime::OnHost &h : on_host) {
    CHECK(h.steps > 0);
    CHECK(h.bytes > 0);
    CHECK(h.reason != "");
  }
  return ran;
}

std::string softmax(const char *function) {
  return fmt::format(R"(func.func @main(%a: tensor<24x96xf32>) -> tensor<24x96xf32> {{
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%a init: %n) applies stablehlo.maximum across dimensions = [1] : (tensor<24x96xf32>, tensor<f32>) -> tensor<24xf32>
  %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<24xf32>) -> tensor<24x96xf32>
  %s = stablehlo.subtract %a, %b : tensor<24x96xf32>
  %e = {} %s : tensor<24x96xf32>{}
  %t = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<24x96xf32>, tensor<f32>) -> tensor<24xf32>
  %c = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<24xf32>) -> tensor<24x96xf32>
  %r = stablehlo.divide %e, %c : tensor<24x96xf32>
  return %r : tensor<24x96xf32>
}})",
                     function, std::string_view(function).starts_with("chlo") ? " -> tensor<24x96xf32>" : "");
}

} // namespace

TEST_CASE("gathers and scatters of any form") {
  compare({R"(func.func @main(%a: tensor<6x5x4xf32>, %i: tensor<3x2xi32>) -> tensor<3x2x4xf32> {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2, 4>, indices_are_sorted = false} : (tensor<6x5x4xf32>, tensor<3x2xi32>) -> tensor<3x2x4xf32>
  return %0 : tensor<3x2x4xf32>
})"});
  for (const char *spec :
       {"", "tile(arg=a, dim=0, axis=x); infer-propagate", "tile(arg=i, dim=0, axis=x); infer-propagate"}) {
    compare({R"(func.func @main(%a: tensor<6x4xbf16>, %i: tensor<8x1xi32>) -> tensor<8x4xbf16> {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false} : (tensor<6x4xbf16>, tensor<8x1xi32>) -> tensor<8x4xbf16>
  return %0 : tensor<8x4xbf16>
})",
             spec});
    compare(
        {R"(func.func @main(%a: tensor<6x4xf32>, %i: tensor<8x1xi32>, %u: tensor<8x4xf32>) -> tensor<6x4xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false} : (tensor<6x4xf32>, tensor<8x1xi32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
})",
         spec});
  }
  // A region that is no reduction, and windows that move along both dimensions and leave the array.
  compare(
      {R"(func.func @main(%a: tensor<6x7xf32>, %i: tensor<5x2xi32>, %u: tensor<5x2x3xf32>) -> tensor<6x7xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.subtract %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false} : (tensor<6x7xf32>, tensor<5x2xi32>, tensor<5x2x3xf32>) -> tensor<6x7xf32>
  return %0 : tensor<6x7xf32>
})"});
}

TEST_CASE("moves whose places are known") {
  for (const char *spec : {"", "tile(arg=a, dim=0, axis=x); infer-propagate"}) {
    compare(
        {R"(func.func @main(%a: tensor<6x4xf32>, %b: tensor<3x4xf32>, %z: tensor<f32>) -> (tensor<9x4xf32>, tensor<4x6xf32>, tensor<13x6xf32>, tensor<2x2xf32>, tensor<6x4xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<6x4xf32>, tensor<3x4xf32>) -> tensor<9x4xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.pad %a, %z, low = [1, -1], high = [1, 3], interior = [1, 0] : (tensor<6x4xf32>, tensor<f32>) -> tensor<13x6xf32>
  %3 = stablehlo.slice %a [1:5:2, 0:4:2] : (tensor<6x4xf32>) -> tensor<2x2xf32>
  %4 = stablehlo.reverse %a, dims = [0, 1] : tensor<6x4xf32>
  return %0, %1, %2, %3, %4 : tensor<9x4xf32>, tensor<4x6xf32>, tensor<13x6xf32>, tensor<2x2xf32>, tensor<6x4xf32>
})",
         spec});
  }
}

TEST_CASE("a softmax is one kernel, with a block for each row") {
  const std::string text = softmax("stablehlo.exponential");
  for (const char *spec : {"", "tile(arg=a, dim=0, axis=x); infer-propagate"})
    CHECK(compare({text.c_str(), spec}).kernels.contains("cuda:row chain"));
}

// Numbers that differ, so that a row of another mask is seen.
TEST_CASE("heads that share a mask are one kernel with it") {
  for (const char *spec : {"", "tile(arg=a, dim=0, axis=x); infer-propagate"})
    CHECK(compare({R"(func.func @main(%a: tensor<4x3x8x80xf32>) -> tensor<4x3x8x80xf32> {
  %n = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %i = stablehlo.iota dim = 0 : tensor<8x80xf32>
  %j = stablehlo.iota dim = 1 : tensor<8x80xf32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x80xf32>, tensor<8x80xf32>) -> tensor<8x80xi1>
  %m = stablehlo.broadcast_in_dim %c, dims = [2, 3] : (tensor<8x80xi1>) -> tensor<4x3x8x80xi1>
  %h = stablehlo.iota dim = 1 : tensor<4x3x8x80xf32>
  %b = stablehlo.iota dim = 0 : tensor<4x3x8x80xf32>
  %x = stablehlo.iota dim = 3 : tensor<4x3x8x80xf32>
  %t = stablehlo.tanh %a : tensor<4x3x8x80xf32>
  %s = stablehlo.multiply %h, %x : tensor<4x3x8x80xf32>
  %u = stablehlo.subtract %s, %b : tensor<4x3x8x80xf32>
  %v = stablehlo.select %m, %u, %t : tensor<4x3x8x80xi1>, tensor<4x3x8x80xf32>
  %r = stablehlo.reduce(%v init: %n) applies stablehlo.maximum across dimensions = [3] : (tensor<4x3x8x80xf32>, tensor<f32>) -> tensor<4x3x8xf32>
  %w = stablehlo.broadcast_in_dim %r, dims = [0, 1, 2] : (tensor<4x3x8xf32>) -> tensor<4x3x8x80xf32>
  %d = stablehlo.subtract %v, %w : tensor<4x3x8x80xf32>
  return %d : tensor<4x3x8x80xf32>
})",
                   spec})
              .kernels.contains("cuda:row chain"));
}

// Rows of 48 KiB, of which exponentials are made a second time, and a sum of all rows that stands between.
TEST_CASE("a loss over long rows is one kernel") {
  const Ran ran =
      compare({R"(func.func @main(%a: tensor<1024x6144xf64>) -> (tensor<f64>, tensor<1024x6144xf64>) {
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %n = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %m = stablehlo.reduce(%a init: %n) applies stablehlo.maximum across dimensions = [1] : (tensor<1024x6144xf64>, tensor<f64>) -> tensor<1024xf64>
  %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<1024xf64>) -> tensor<1024x6144xf64>
  %s = stablehlo.subtract %a, %b : tensor<1024x6144xf64>
  %e = stablehlo.exponential %s : tensor<1024x6144xf64>
  %t = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<1024x6144xf64>, tensor<f64>) -> tensor<1024xf64>
  %l = stablehlo.log %t : tensor<1024xf64>
  %all = stablehlo.reduce(%l init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1024xf64>, tensor<f64>) -> tensor<f64>
  %c = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<1024xf64>) -> tensor<1024x6144xf64>
  %r = stablehlo.divide %e, %c : tensor<1024x6144xf64>
  return %all, %r : tensor<f64>, tensor<1024x6144xf64>
})"});
  CHECK(ran.kernels.contains("cuda:row chain"));
  CHECK(ran.kernels.size() == 2); // and the sum of all
}

TEST_CASE("the host has those members of a chain for which GPUs have no kernel, and no others") {
  const std::string text = softmax("chlo.digamma");
  const Ran ran = compare({text.c_str()}, 1);
  CHECK(ran.kernels.contains("cuda:chain"));
  CHECK(ran.on_host[0].kind == "chain");
  CHECK(ran.on_host[0].steps == 1);
  CHECK(ran.on_host[0].bytes < 5 * 24 * 96 * 4); // what the member reads and makes
  CHECK(ran.on_host[0].reason.find("chlo.digamma") != std::string::npos);
}

TEST_CASE("windows by regions, and what they select") {
  for (const char *spec : {"", "tile(arg=a, dim=0, axis=x); infer-propagate"}) {
    compare({R"(func.func @main(%a: tensor<6x4xf32>, %b: tensor<3x2xf32>) -> tensor<6x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%a, %b, %z) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}
    : (tensor<6x4xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
})",
             spec});
    compare({R"(func.func @main(%a: tensor<8x5xf64>, %v: tensor<f64>) -> tensor<4x4xf64> {
  %0 = "stablehlo.reduce_window"(%a, %v) ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %h = stablehlo.constant dense<0.5> : tensor<f64>
    %s = stablehlo.multiply %p, %h : tensor<f64>
    %t = stablehlo.add %s, %q : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}
    : (tensor<8x5xf64>, tensor<f64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
})",
             spec});
    compare(
        {R"(func.func @main(%a: tensor<8x5xbf16>, %b: tensor<8x5xbf16>) -> (tensor<8x5xbf16>, tensor<8x5xbf16>) {
  %0 = "stablehlo.map"(%a, %b) ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %s = stablehlo.multiply %p, %q : tensor<bf16>
    %t = stablehlo.tanh %s : tensor<bf16>
    stablehlo.return %t : tensor<bf16>
  }) {dimensions = array<i64: 0, 1>} : (tensor<8x5xbf16>, tensor<8x5xbf16>) -> tensor<8x5xbf16>
  %1 = "stablehlo.map"(%a, %b) ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    stablehlo.return %q : tensor<bf16>
  }) {dimensions = array<i64: 0, 1>} : (tensor<8x5xbf16>, tensor<8x5xbf16>) -> tensor<8x5xbf16>
  return %0, %1 : tensor<8x5xbf16>, tensor<8x5xbf16>
})",
         spec});
  }
}

// A splat that is too large to be kept, and a literal of which each step of a loop has another part.
TEST_CASE("constants that are steps lie on the GPU") {
  CHECK(compare({R"(func.func @main(%a: tensor<1x600xf32>) -> tensor<601x600xf32> {
  %c = stablehlo.constant dense<2.5> : tensor<600x600xf32>
  %0 = stablehlo.concatenate %a, %c, dim = 0 : (tensor<1x600xf32>, tensor<600x600xf32>) -> tensor<601x600xf32>
  return %0 : tensor<601x600xf32>
})"})
            .kernels.contains("cuda:constant"));
  CHECK(compare({R"(func.func @main(%a: tensor<4x3xi16>) -> tensor<4x3xi16> {
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi16>
  %r = stablehlo.reverse %c, dims = [1] : tensor<4x3xi16>
  %0 = stablehlo.add %a, %r : tensor<4x3xi16>
  return %0 : tensor<4x3xi16>
})",
                 "serial(axis=\"m\", size=2); tile(arg=a, dim=0, axis=m); infer-propagate"})
            .kernels.contains("cuda:constant"));
}

TEST_CASE("functions have the host's bits, or the host computes them, where that is asked for") {
  const char *const text =
      R"(func.func @main(%a: tensor<50xf32>, %b: tensor<50xf64>) -> (tensor<50xf32>, tensor<50xf32>, tensor<50xf64>) {
  %0 = stablehlo.exponential %a : tensor<50xf32>
  %1 = stablehlo.sine %a : tensor<50xf32>
  %2 = stablehlo.tanh %b : tensor<50xf64>
  return %0, %1, %2 : tensor<50xf32>, tensor<50xf32>, tensor<50xf64>
})";
  if (test::is_double()) // a GPU's functions are others
    compare({text});
  Program program{text};
  program.same_bits = true;
  const Ran ran = compare(program, 2);
  for (const runtime::OnHost &h : ran.on_host)
    CHECK(h.reason.find("has other bits there than on the host") != std::string::npos);
}

TEST_CASE("products of f32 round their factors to TF32 where that is asked for") {
  Program program{R"(func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = stablehlo.constant dense<1.000244140625> : tensor<4x8xf32>
  %d = stablehlo.constant dense<1.0> : tensor<8x4xf32>
  %0 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
})"};
  Ran ran;
  for (const bool tf32 : {false, true}) {
    program.tf32 = tf32;
    for (const char *kind : {"host", "detached", "cuda"}) {
      const Bytes have = results_of(program, *device::find_kind(kind), 5, ran)[0];
      float first = 0;
      std::memcpy(&first, have.data(), sizeof first);
      CHECK(first == (tf32 && std::string_view(kind) == "cuda" ? 8.0f : 8.001953125f));
    }
  }
}

TEST_CASE("what has no kernel for GPUs is counted, with the reason") {
  compare({R"(func.func @main(%a: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = chlo.digamma %a : tensor<6x4xf32> -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
})"},
          1);
}

} // namespace tw::test_cuda_generated
