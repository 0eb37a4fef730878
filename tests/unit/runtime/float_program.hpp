// SPDX-License-Identifier: Apache-2.0
// Programs of f32 arrays written a line an op, and what they are scheduled as.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/schedule.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test {

struct Scheduled {
  std::shared_ptr<const spmd::Program> program;
  runtime::Layouts layouts;
  runtime::Schedule schedule;

  explicit Scheduled(const std::shared_ptr<const graph::Graph> &graph, std::string_view mesh_text = "",
                     std::string_view spec = "", const runtime::ScheduleOptions &options = {})
      : program(lower(graph, mesh_text, spec)), layouts(*program),
        schedule(runtime::schedule(*program, layouts, options)) {}

  static std::shared_ptr<const spmd::Program> lower(const std::shared_ptr<const graph::Graph> &graph,
                                                    std::string_view mesh_text, std::string_view spec) {
    partition::Plan plan(graph, mesh(mesh_text));
    act(plan, spec);
    auto program = spmd::lower(plan);
    REQUIRE(program.has_value());
    return *program;
  }

  // "tanh+add dot_general (reduce)": steps in order, members joined by +, statics in front in brackets.
  std::string text() const {
    std::string out;
    const auto add = [&](const runtime::Step &step, const char *open, const char *close) {
      out += out.empty() ? open : std::string(" ") + open;
      for (size_t m = 0; m < step.instrs.size(); ++m) {
        const spmd::Instr &in = program->instrs()[step.instrs[m]];
        const std::string name =
            in.kind == spmd::InstrKind::collective
                ? std::string(redistribute::name(program->collectives()[in.index].summary.kind))
                : std::string(ops::op_def(program->graph().op(in.op).code).name).substr(10);
        out += (m == 0 ? "" : "+") + name;
      }
      out += close;
    };
    for (const runtime::Step &step : schedule.statics)
      add(step, "[", "]");
    for (const runtime::Step &step : schedule.steps)
      add(step, "", "");
    return out;
  }
};

class FloatProgram {
public:
  FloatProgram() : b("test", "test.mlir") {}
  graph::GraphBuilder b;

  ValueId arg(graph::Shape dims) {
    return b.graph().result(ops::add_argument(b, {graph::DType::f32, std::move(dims)}, ""));
  }
  ValueId op(std::string_view name, std::vector<ValueId> operands,
             const std::vector<ops::NamedAttr> &attrs = {}, const graph::Shape *shape = nullptr,
             std::vector<graph::RegionId> regions = {}) {
    const auto code = ops::find_op("stablehlo." + std::string(name));
    REQUIRE(code.has_value());
    auto slots = ops::check_attrs(ops::op_def(*code), attrs);
    REQUIRE(slots.has_value());
    std::vector<graph::TypeId> stated;
    if (shape != nullptr)
      stated.push_back(b.type({graph::DType::f32, *shape}));
    auto added = ops::add(b, *code, operands, std::move(*slots), stated, 0, regions);
    REQUIRE(added.has_value());
    return b.graph().result(*added);
  }
  ValueId broadcast(ValueId v, graph::Shape to, Ints dims) {
    return op("broadcast_in_dim", {v}, {{"broadcast_dimensions", dims}}, &to);
  }
  ValueId iota(graph::Shape shape, int64_t dim) { return op("iota", {}, {{"iota_dimension", dim}}, &shape); }
  ValueId constant(float value) {
    auto bytes = std::make_shared<std::vector<std::byte>>(4);
    std::memcpy(bytes->data(), &value, 4);
    const graph::Shape scalar;
    return op("constant", {}, {{"value", b.constant({b.type({graph::DType::f32, {}}), true, bytes})}},
              &scalar);
  }
  ValueId reduce(ValueId v, const char *how, Ints dims, float from = 0) {
    const ValueId init = constant(from);
    const graph::RegionId region = combiner(b, how);
    return op("reduce", {v, init}, {{"dimensions", dims}}, nullptr, {region});
  }
  std::shared_ptr<const graph::Graph> finish(std::vector<ValueId> results) {
    for (const ValueId v : results)
      ops::add_result(b, v, "");
    return b.finish();
  }
};

} // namespace tw::test
