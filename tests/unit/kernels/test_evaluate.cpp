// SPDX-License-Identifier: Apache-2.0
// The reference evaluator on small programs whose answers are known by hand.
#include <doctest/doctest.h>

#include <cstring>

#include "kernels/ref/evaluate.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"

namespace tw::test_evaluate {

using graph::DType;
using graph::TensorType;

namespace {

kernels::ref::Array floats(graph::Shape dims, const std::vector<float> &values) {
  kernels::ref::Array array{{DType::f32, std::move(dims)}, {}};
  array.bytes.resize(values.size() * sizeof(float));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

std::vector<float> values_of(const kernels::ref::Array &array) {
  std::vector<float> values(array.bytes.size() / sizeof(float));
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

graph::OpId must_add(graph::GraphBuilder &b, const char *name, std::vector<graph::ValueId> operands,
                     std::vector<ops::NamedAttr> attrs = {}, std::vector<graph::TypeId> stated = {},
                     std::vector<graph::RegionId> regions = {}) {
  const auto code = ops::find_op(name);
  REQUIRE(code);
  auto slots = ops::check_attrs(ops::op_def(*code), attrs);
  REQUIRE(slots);
  auto id = ops::add(b, *code, operands, std::move(*slots), stated, 0, regions);
  if (!id)
    FAIL(id.error().message());
  return *id;
}

} // namespace

TEST_CASE("a linear layer with a sum of its rows") {
  graph::GraphBuilder b("m", "test");
  const graph::ValueId x = b.graph().result(ops::add_argument(b, {DType::f32, {2, 3}}, "x"));
  const graph::ValueId w = b.graph().result(ops::add_argument(b, {DType::f32, {3, 2}}, "w"));
  const graph::OpId dot = must_add(b, "stablehlo.dot_general", {x, w},
                                   {{"lhs_contracting_dimensions", std::vector<int64_t>{1}},
                                    {"rhs_contracting_dimensions", std::vector<int64_t>{0}}});
  const float zero = 0;
  auto bytes = std::make_shared<std::vector<std::byte>>(sizeof(zero));
  const graph::TypeId scalar = b.type({DType::f32, {}});
  const graph::ConstantId literal = b.constant({scalar, true, bytes});
  const graph::OpId init = must_add(b, "stablehlo.constant", {}, {{"value", literal}});
  const std::vector<graph::TypeId> pair = {scalar, scalar};
  const graph::RegionId body = b.open_region(pair);
  const auto args = b.graph().region(body).args;
  const graph::OpId sum = must_add(b, "stablehlo.add", {args[0], args[1]});
  b.close_region({b.graph().result(sum)});
  const graph::OpId reduce = must_add(b, "stablehlo.reduce", {b.graph().result(dot), b.graph().result(init)},
                                      {{"dimensions", std::vector<int64_t>{1}}}, {}, {body});
  ops::add_result(b, b.graph().result(dot), "y");
  ops::add_result(b, b.graph().result(reduce), "s");
  const auto g = b.finish();
  REQUIRE(ops::verify(*g));

  const std::vector<kernels::ref::Array> in = {floats({2, 3}, {1, 2, 3, 4, 5, 6}),
                                               floats({3, 2}, {1, 0, 0, 1, 1, 1})};
  auto out = kernels::ref::evaluate(*g, in);
  REQUIRE(out);
  CHECK(values_of((*out)[0]) == std::vector<float>{4, 5, 10, 11});
  CHECK(values_of((*out)[1]) == std::vector<float>{9, 21});

  const ops::RuleTable rules(*g);
  CHECK(rules.rule(dot).text() == "([i,k],[k,j])->([i,j]) k:sum");
  CHECK(rules.rule(reduce).text() == "([i,j],[])->([i]) j:sum once:1");
}

TEST_CASE("a wrong argument is named") {
  graph::GraphBuilder b("m", "test");
  const graph::ValueId x = b.graph().result(ops::add_argument(b, {DType::f32, {2}}, "x"));
  ops::add_result(b, x, "y");
  const auto g = b.finish();
  const std::vector<kernels::ref::Array> in = {floats({3}, {1, 2, 3})};
  auto out = kernels::ref::evaluate(*g, in);
  REQUIRE(!out);
  CHECK(out.error().message() == "argument 0 is f32[3] with 12 bytes, expected f32[2] with 8 bytes");
}

} // namespace tw::test_evaluate
