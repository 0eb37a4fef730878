// SPDX-License-Identifier: Apache-2.0
// The builder's ids, interning, regions and use lists, and what the verifier finds wrong.
#include <doctest/doctest.h>

#include <cstring>

#include "graph/graph.hpp"

namespace tw::test_builder {

using namespace tw::graph;

namespace {

constexpr OpCode kArgument = 0, kResult = 1, kAdd = 2, kLoop = 3;

Constant splat(TypeId type, float value) {
  auto bytes = std::make_shared<std::vector<std::byte>>(4);
  std::memcpy(bytes->data(), &value, 4);
  return {type, true, bytes};
}

std::vector<ValueId> to_vector(std::span<const ValueId> ids) { return {ids.begin(), ids.end()}; }

} // namespace

TEST_CASE("a straight line: ids, names and uses") {
  GraphBuilder b("m", "m.mlir");
  const TypeId t = b.type({DType::f32, {2, 3}});
  const OpId x = b.add_argument(kArgument, t, 0, b.name("x"));
  const OpId y = b.add_argument(kArgument, t, 0, kNone, b.location({7, 3, kNone}), 0);
  const ValueId operands[] = {b.graph().result(x), b.graph().result(y)};
  const OpId sum = b.add_op({kAdd, operands, {&t, 1}, 0, b.location({8, 1, b.name("model.py:12")})});
  const ValueId twice[] = {b.graph().result(sum), b.graph().result(sum)};
  const OpId last = b.add_op({kAdd, twice, {&t, 1}, 0});
  b.set_value_name(b.graph().result(sum), b.name("%0"));
  const OpId out = b.add_result(kResult, b.graph().result(last), 0, b.name("loss"));
  const auto g = b.finish();

  CHECK(verify_structure(*g).has_value());
  CHECK(g->argument_name(0) == "x");
  CHECK(g->argument_name(1) == "arg1");
  CHECK(g->result_name(0) == "loss");
  CHECK(g->alias_of_argument(0) == -1);
  CHECK(g->alias_of_argument(1) == 0);
  CHECK(g->value_name(g->result(sum)) == "%0");
  CHECK(g->value_name(g->result(last)) == "%3");
  CHECK(g->location_text(sum) == "model.py:12");
  CHECK(g->location_text(y) == "m.mlir:7:3");
  CHECK(g->location_text(last) == "");
  REQUIRE(g->uses(g->result(sum)).size() == 2);
  CHECK(g->uses(g->result(sum))[0].op == last);
  CHECK(g->uses(g->result(sum))[1].operand == 1);
  CHECK(g->uses(g->result(last))[0].op == out);
  CHECK(g->arguments().size() == 2);
  CHECK(g->type(g->result(last)).bytes() == 24);
}

TEST_CASE("equal types, attributes, names and small constants have one id") {
  GraphBuilder b("m", "");
  const TypeId f = b.type({DType::f32, {}});
  CHECK(b.type({DType::f32, {}}) == f);
  CHECK(b.type({DType::f64, {}}) != f);
  CHECK(b.name("a") == b.name("a"));
  CHECK(b.name("a") != b.name("b"));
  CHECK(b.constant(splat(f, 1)) == b.constant(splat(f, 1)));
  CHECK(!(b.constant(splat(f, 0.0f)) == b.constant(splat(f, -0.0f))));
  const AttrsId one = b.attrs({int64_t{1}, std::string("x"), std::monostate{}});
  CHECK(b.attrs({int64_t{1}, std::string("x"), std::monostate{}}) == one);
  CHECK(b.attrs({int64_t{1}, std::string("y"), std::monostate{}}) != one);
  CHECK(b.attrs({0.0}) != b.attrs({-0.0}));
  CHECK(b.attrs({std::vector<int64_t>{1, 2}}) != b.attrs({std::vector<int64_t>{2, 1}}));
  CHECK(b.attrs({}) == 0);
  for (int64_t i = 0; i < 5000; ++i) // the tables grow
    CHECK(b.type({DType::s32, {i}}) == b.type({DType::s32, {i}}));
}

TEST_CASE("regions of one op become neighbours, whatever they hold") {
  GraphBuilder b("m", "");
  const TypeId t = b.type({DType::s32, {}});
  const OpId x = b.add_argument(kArgument, t, 0, kNone);
  const ValueId v = b.graph().result(x);

  const RegionId condition = b.open_region({&t, 1});
  const RegionId inner = b.open_region({&t, 1});
  const ValueId inner_arg = b.graph().region(inner).args[0];
  b.close_region({inner_arg});
  const OpId nested = b.add_op({kLoop, {&v, 1}, {&t, 1}, 0, 0, {&inner, 1}});
  b.close_region({b.graph().result(nested)});
  const RegionId body = b.open_region({&t, 1});
  const ValueId body_arg = b.graph().region(body).args[0];
  const ValueId pair[] = {body_arg, v};
  const OpId add = b.add_op({kAdd, pair, {&t, 1}, 0});
  b.close_region({b.graph().result(add)});
  const RegionId owned[] = {condition, body};
  const OpId loop = b.add_op({kLoop, {&v, 1}, {&t, 1}, 0, 0, owned});
  b.add_result(kResult, b.graph().result(loop), 0, kNone);
  const auto g = b.finish();

  REQUIRE(verify_structure(*g).has_value());
  const Op &op = g->op(loop);
  REQUIRE(op.num_regions == 2);
  CHECK(g->region(op.first_region).ops == std::vector<OpId>{nested});
  CHECK(g->region(op.first_region + 1).ops == std::vector<OpId>{add});
  CHECK(g->region(op.first_region + 1).args == std::vector<ValueId>{body_arg});
  CHECK(g->value(body_arg).region == op.first_region + 1);
  CHECK(g->region(g->op(nested).first_region).yields == std::vector<ValueId>{inner_arg});
  CHECK(g->value(inner_arg).region == g->op(nested).first_region);
  CHECK(g->region(0).ops == std::vector<OpId>{x, loop, loop + 1});
  CHECK(to_vector(g->operands(add)) == std::vector<ValueId>{body_arg, v});
  // A path, in which a loop's variable has one name in condition and body.
  const std::string owner = g->value_name(g->result(loop));
  const std::string variable = "%" + std::to_string(g->region(op.first_region).args[0]);
  CHECK(g->value_name(g->region(op.first_region).args[0]) == owner + "." + variable);
  CHECK(g->value_name(body_arg) == owner + ".1." + variable);
  CHECK(g->value_name(g->result(add)) == owner + ".1.%" + std::to_string(g->result(add)));
}

TEST_CASE("the verifier names what cannot be read") {
  SUBCASE("a later value") {
    GraphBuilder b("m", "");
    const TypeId t = b.type({DType::s32, {}});
    const ValueId later = 1;
    b.add_op({kAdd, {&later, 1}, {&t, 1}, 0});
    b.add_op({kAdd, {&later, 1}, {&t, 1}, 0});
    const auto status = verify_structure(*b.finish());
    REQUIRE(!status.has_value());
    CHECK(status.error().message() == "op 0: operand 0, %1, is defined by the later op 1");
  }
  SUBCASE("a value of a closed region") {
    GraphBuilder b("m", "");
    const TypeId t = b.type({DType::s32, {}});
    const RegionId r = b.open_region({&t, 1});
    const ValueId arg = b.graph().region(r).args[0];
    b.close_region({});
    b.add_op({kLoop, {}, {}, 0, 0, {&r, 1}});
    b.add_op({kAdd, {&arg, 1}, {&t, 1}, 0});
    const auto status = verify_structure(*b.finish());
    REQUIRE(!status.has_value());
    CHECK(status.error().message() == "op 1: operand 0, #0.%0, belongs to a region that is closed here");
  }
}

TEST_CASE("300,000 ops weigh far less than 1 KiB each") {
  GraphBuilder b("m", "big.mlir");
  const TypeId t = b.type({DType::f32, {128, 128}});
  ValueId v = b.graph().result(b.add_argument(kArgument, t, 0, b.name("x")));
  for (uint32_t i = 0; i < 300'000; ++i) {
    const ValueId operands[] = {v, v};
    v = b.graph().result(
        b.add_op({kAdd, operands, {&t, 1}, b.attrs({int64_t{i % 7}}), b.location({i, 5, kNone})}));
    b.set_value_name(v, b.name("%" + std::to_string(i)));
  }
  b.add_result(kResult, v, 0, kNone);
  const auto g = b.finish();
  CHECK(verify_structure(*g).has_value());
  CHECK(g->memory_bytes() / g->ops().size() < 200);
}

} // namespace tw::test_builder
