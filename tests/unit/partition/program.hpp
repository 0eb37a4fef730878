// SPDX-License-Identifier: Apache-2.0
// Small programs for the tests of partitioning, written a line an op.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"

namespace tw::test {

using graph::ValueId;
using Ints = std::vector<int64_t>;

class ProgramBuilder {
public:
  ProgramBuilder() : builder_("test", "test.mlir") {}

  ValueId arg(std::string_view name, graph::Shape dims, graph::DType dtype = graph::DType::f32) {
    return builder_.graph().result(ops::add_argument(builder_, {dtype, std::move(dims)}, name));
  }
  ValueId op(std::string_view name, const Ints &operands, const std::vector<ops::NamedAttr> &attrs = {},
             const graph::Shape *shape = nullptr, std::vector<graph::RegionId> regions = {}) {
    const auto code = ops::find_op((name.find('.') == name.npos ? "stablehlo." : "") + std::string(name));
    REQUIRE_MESSAGE(code.has_value(), name);
    auto slots = ops::check_attrs(ops::op_def(*code), attrs);
    REQUIRE(slots.has_value());
    std::vector<ValueId> values(operands.begin(), operands.end());
    std::vector<graph::TypeId> stated;
    if (shape != nullptr)
      stated.push_back(builder_.type({builder_.type_of(values[0]).dtype, *shape}));
    auto added = ops::add(builder_, *code, values, std::move(*slots), stated, 0, regions);
    if (!added)
      FAIL(name << ": " << added.error().message());
    return builder_.graph().result(*added);
  }
  ValueId matmul(ValueId a, ValueId b) { return dot(a, b, {}, {}, {1}, {0}); }
  ValueId dot(ValueId a, ValueId b, Ints lhs_batch, Ints rhs_batch, Ints lhs_contract, Ints rhs_contract) {
    return op("dot_general", {a, b},
              {{"lhs_batching_dimensions", lhs_batch},
               {"rhs_batching_dimensions", rhs_batch},
               {"lhs_contracting_dimensions", lhs_contract},
               {"rhs_contracting_dimensions", rhs_contract}});
  }
  ValueId add(ValueId a, ValueId b) { return op("add", {a, b}); }
  ValueId tanh(ValueId a) { return op("tanh", {a}); }
  ValueId reshape(ValueId a, graph::Shape to) { return op("reshape", {a}, {}, &to); }
  ValueId transpose(ValueId a, Ints permutation) {
    return op("transpose", {a}, {{"permutation", permutation}});
  }
  ValueId broadcast(ValueId a, graph::Shape to, Ints dims) {
    return op("broadcast_in_dim", {a}, {{"broadcast_dimensions", dims}}, &to);
  }
  ValueId zeros(graph::Shape dims) {
    const graph::TypeId type = builder_.type({graph::DType::f32, dims});
    const auto bytes = std::make_shared<const std::vector<std::byte>>(4);
    const graph::ConstantId c = builder_.constant({type, true, bytes});
    const auto code = ops::find_op("stablehlo.constant");
    auto added = ops::add(builder_, *code, {}, {graph::AttrValue(c)}, std::vector<graph::TypeId>{type});
    REQUIRE(added.has_value());
    return builder_.graph().result(*added);
  }
  ValueId name(ValueId v, std::string_view text) {
    builder_.set_value_name(v, builder_.name(text));
    return v;
  }
  void result(ValueId v, std::string_view name = "") { ops::add_result(builder_, v, name); }
  std::shared_ptr<const graph::Graph> finish() { return builder_.finish(); }

private:
  graph::GraphBuilder builder_;
};

inline sharding::Mesh mesh(std::string_view text) {
  auto parsed = sharding::Mesh::parse(text);
  REQUIRE(parsed.has_value());
  return *parsed;
}

// The layout in which a value is made, as text.
inline std::string made(const partition::Plan &plan, ValueId v) {
  const auto &value = plan.graph().value(v);
  return sharding::to_text(plan.result_sharding(value.def, value.index), plan.mesh());
}

inline void act(partition::Plan &plan, std::string_view spec) {
  if (auto status = partition::apply_spec(plan, spec, "spec.txt"); !status)
    FAIL(status.error().message());
}

// x[16,256] * w[256,256] * u[256,256], as in PartIR's first examples.
struct Mlp {
  ValueId x, w, u, h, y;
  std::shared_ptr<const graph::Graph> graph;
};
inline Mlp mlp() {
  ProgramBuilder p;
  Mlp m;
  m.x = p.arg("x", {16, 256});
  m.w = p.arg("w", {256, 256});
  m.u = p.arg("u", {256, 256});
  m.h = p.matmul(m.x, m.w);
  m.y = p.matmul(m.h, m.u);
  p.result(m.y, "y");
  m.graph = p.finish();
  return m;
}

} // namespace tw::test
