// SPDX-License-Identifier: Apache-2.0
// A small training-like program with every kind of step, and how tests of the runtime run programs.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/import.hpp"
#include "kernels/ref/evaluate.hpp"
#include "runtime/executable.hpp"
#include "spmd/program.hpp"
#include "unit/partition/program.hpp"

namespace tw::test {

inline graph::RegionId combiner(graph::GraphBuilder &b, std::string_view name) {
  const graph::TypeId scalar = b.type({graph::DType::f32, {}});
  const graph::RegionId region = b.open_region(std::vector<graph::TypeId>{scalar, scalar});
  const std::vector<ValueId> in = b.graph().region(region).args;
  const auto op =
      ops::add(b, *ops::find_op("stablehlo." + std::string(name)), std::vector<ValueId>{in[0], in[1]}, {});
  REQUIRE(op.has_value());
  b.close_region({b.graph().result(*op)});
  return region;
}

// relu-free: y = tanh(x w1 + b1) w2, its squared error against t, and the gradients' column sums.
inline std::shared_ptr<const graph::Graph> step_program(int64_t rows = 22, int64_t inner = 24) {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {rows, inner}), t = p.arg("t", {rows, 8});
  const ValueId w1 = p.arg("w1", {inner, 40}), b1 = p.arg("b1", {40}), w2 = p.arg("w2", {40, 8});
  const ValueId pre = p.add(p.matmul(x, w1), p.broadcast(b1, {rows, 40}, {1}));
  const ValueId h = p.tanh(pre);
  const ValueId y = p.matmul(h, w2);
  const ValueId error = p.op("subtract", {y, t});
  const ValueId grad_w2 = p.dot(h, error, {}, {}, {0}, {0});
  const ValueId grad_h = p.dot(error, w2, {}, {}, {1}, {1});
  const ValueId one = p.op("multiply", {h, h});
  const ValueId grad_pre =
      p.op("multiply", {p.op("subtract", {grad_h, p.op("multiply", {grad_h, one})}), pre});
  const ValueId grad_w1 = p.dot(x, grad_pre, {}, {}, {0}, {0});
  p.result(p.op("add", {w1, grad_w1}), "w1");
  p.result(p.op("add", {w2, grad_w2}), "w2");
  p.result(p.transpose(y, {1, 0}), "y");
  return p.finish();
}

inline std::shared_ptr<const graph::Graph> import_of(std::string_view text) {
  const auto imported = import::import_text(text);
  if (!imported)
    FAIL(imported.error().message());
  return imported->graph;
}

// Some turns of a loop in whose body products are summed over the devices that w's rows are tiled over.
inline std::shared_ptr<const graph::Graph> looping_program(int turns) {
  return import_of(fmt::format(R"(
func.func @main(%a: tensor<8x12xf32>, %w: tensor<12x12xf32>) -> tensor<8x12xf32> {{
  %n = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%x = %a, %i = %n) : tensor<8x12xf32>, tensor<i32>
  cond {{
    %most = stablehlo.constant dense<{}> : tensor<i32>
    %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x12xf32>) -> tensor<8x12xf32>
    stablehlo.return %s, %j : tensor<8x12xf32>, tensor<i32>
  }}
  return %0#0 : tensor<8x12xf32>
}})",
                               turns));
}

// One step of descent on two matrices; `marks` of the first and second argument.
inline std::shared_ptr<const graph::Graph> descent(std::string_view first, std::string_view second) {
  return import_of(fmt::format(R"(
func.func @main(%p: tensor<64x64xf32> {} loc("p"), %q: tensor<64x64xf32> {} loc("q"), %x: tensor<8x64xf32> loc("x"))
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<8x64xf32>) {{
  %h = stablehlo.dot_general %x, %p, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %y = stablehlo.dot_general %h, %q, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %dq = stablehlo.dot_general %h, %y, contracting_dims = [0] x [0] : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<64x64xf32>
  %dh = stablehlo.dot_general %y, %q, contracting_dims = [1] x [1] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %dp = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<64x64xf32>
  %p2 = stablehlo.subtract %p, %dp : tensor<64x64xf32>
  %q2 = stablehlo.subtract %q, %dq : tensor<64x64xf32>
  return %p2, %q2, %y : tensor<64x64xf32>, tensor<64x64xf32>, tensor<8x64xf32>
}})",
                               first, second));
}
constexpr const char *kFirst = "{tf.aliasing_output = 0 : i32}";
constexpr const char *kSecond = "{tf.aliasing_output = 1 : i32}";
constexpr const char *kDonor = "{jax.buffer_donor = true}";

// Executables and arrays of one program under one mesh and spec.
struct Runner {
  std::shared_ptr<const spmd::Program> program;
  std::shared_ptr<runtime::Executable> executable;
  std::vector<runtime::Tensor> inputs, outputs;
  std::vector<runtime::TensorView> input_views, output_views;

  Runner(std::shared_ptr<const graph::Graph> graph, std::string_view mesh_text, std::string_view spec,
         runtime::Options options = {}, const spmd::Options &lowering = {}) {
    partition::Plan plan(graph, mesh(mesh_text));
    act(plan, spec);
    auto lowered = spmd::lower(plan, lowering);
    REQUIRE(lowered.has_value());
    program = *lowered;
    auto made = runtime::Executable::create(program, std::move(options));
    if (!made)
      FAIL(made.error().message());
    executable = *made;
    uint32_t state = 1;
    for (const graph::OpId op : graph->arguments()) {
      inputs.emplace_back(graph->type(graph->result(op)));
      for (int64_t i = 0; i < inputs.back().type().elements(); ++i) {
        state = state * 1664525u + 1013904223u;
        inputs.back().as<float>()[i] = static_cast<float>(static_cast<int32_t>(state >> 8)) / 0x1p26f - 0.1f;
      }
    }
    for (const graph::OpId op : graph->results()) {
      outputs.emplace_back(graph->type(graph->operands(op)[0]));
      std::memset(outputs.back().data(), 0xa5, static_cast<size_t>(outputs.back().type().bytes()));
    }
    for (auto &t : inputs)
      input_views.push_back(t.view());
    for (auto &t : outputs)
      output_views.push_back(t.view());
  }
  Status run() { return executable->run(input_views, output_views); }
  std::string bytes() const {
    std::string all;
    for (const auto &t : outputs)
      all.append(reinterpret_cast<const char *>(t.data()), static_cast<size_t>(t.type().bytes()));
    return all;
  }
};

// An array as the reference evaluator takes and gives it.
inline kernels::ref::Array array_of(const runtime::Tensor &t) {
  return {t.type(), {t.data(), t.data() + t.type().bytes()}};
}
inline std::vector<kernels::ref::Array> arrays_of(const std::vector<runtime::Tensor> &tensors) {
  std::vector<kernels::ref::Array> arrays;
  for (const runtime::Tensor &t : tensors)
    arrays.push_back(array_of(t));
  return arrays;
}

// The rows over `data`, the inner columns over `model`: sums over both.
inline constexpr const char *kStepSpec =
    "tile(arg=x, dim=0, axis=\"data\"); tile(arg=t, dim=0, axis=\"data\")\n"
    "infer-propagate\n"
    "tile(arg=w1, dim=1, axis=\"model\"); tile(arg=b1, dim=0, axis=\"model\")\n"
    "infer-propagate\n";
// Meshes and specs for the step: whole, tiled both ways, and in tiles of different sizes.
struct StepPlan {
  const char *mesh, *spec;
};
inline constexpr StepPlan kStepPlans[] = {
    {"", ""},
    {"data=2,model=4", kStepSpec},
    {"data=5", "tile(arg=x, dim=0, axis=\"data\"); tile(arg=t, dim=0, axis=\"data\"); infer-propagate"}};

} // namespace tw::test
