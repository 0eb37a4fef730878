// SPDX-License-Identifier: Apache-2.0
// The expectations that test programs carry: what each accepts, and how it says what is wrong.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/ref/evaluate.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"

namespace tw::ops_test_check {

namespace {

template <class T> kernels::ref::Array array_of(graph::DType dtype, const std::vector<T> &values) {
  kernels::ref::Array array{{dtype, {static_cast<int64_t>(values.size())}}, {}};
  array.bytes.resize(values.size() * sizeof(T));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

// The check's complaint, "" where it holds.
std::string run(const char *check, const kernels::ref::Array &actual, const kernels::ref::Array &expected,
                std::vector<ops::NamedAttr> attrs = {}) {
  graph::GraphBuilder b("m", "m.mlir");
  const graph::OpId x = ops::add_argument(b, actual.type, "x");
  const graph::OpId y = ops::add_argument(b, expected.type, "y");
  const graph::ValueId operands[] = {b.graph().result(x), b.graph().result(y)};
  const graph::OpCode code = *ops::find_op(check);
  auto slots = ops::check_attrs(ops::op_def(code), attrs);
  REQUIRE(slots.has_value());
  const auto added = ops::add(b, code, operands, *slots);
  if (!added)
    return added.error().message();
  const auto graph = b.finish();
  const auto answer = kernels::ref::evaluate(*graph, std::vector<kernels::ref::Array>{actual, expected});
  return answer ? "" : answer.error().message();
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

} // namespace

TEST_CASE("expect_eq compares bits") {
  const auto ints = array_of<int32_t>(graph::DType::s32, {1, 2, 3});
  CHECK(run("check.expect_eq", ints, ints) == "");
  CHECK(run("check.expect_eq", array_of<int32_t>(graph::DType::s32, {1, 7, 9}), ints) ==
        "check.expect_eq: 2 of 3 elements differ from what is expected, first element [1]: 7, expected 2");
  const auto floats = array_of<float>(graph::DType::f32, {0.0f, kNan});
  CHECK(run("check.expect_eq", floats, floats) == "");
  CHECK(run("check.expect_eq", floats, array_of<float>(graph::DType::f32, {-0.0f, kNan})) != "");
  CHECK(run("check.expect_eq", ints, floats) ==
        "check.expect_eq: operand 0 is i32[3] and operand 1 is f32[2]: they must have one type");
}

TEST_CASE("expect_close counts representable values") {
  const auto above = [](float x, int steps) {
    for (int i = 0; i < steps; ++i)
      x = std::nextafter(x, kInf);
    return array_of<float>(graph::DType::f32, {x});
  };
  const auto one = array_of<float>(graph::DType::f32, {1.0f});
  CHECK(run("check.expect_close", above(1, 3), one) == "");
  CHECK(run("check.expect_close", above(1, 4), one) != "");
  CHECK(run("check.expect_close", above(1, 4), one, {{"max_ulp_difference", int64_t{4}}}) == "");
  CHECK(run("check.expect_close", above(1, 1), one, {{"min_ulp_difference", int64_t{2}}}) != "");
  // Zero lies between its neighbours, whatever its sign.
  CHECK(run("check.expect_close", above(-0.0f, 1),
            array_of<float>(graph::DType::f32, {-std::numeric_limits<float>::denorm_min()})) == "");
  const auto special = array_of<float>(graph::DType::f32, {kNan, kInf, -kInf});
  CHECK(run("check.expect_close", special, special) == "");
  CHECK(run("check.expect_close", special,
            array_of<float>(graph::DType::f32, {kNan, std::numeric_limits<float>::max(), -kInf})) != "");
  CHECK(run("check.expect_close", array_of<uint16_t>(graph::DType::bf16, {0x3f80, 0xbf80}),
            array_of<uint16_t>(graph::DType::bf16, {0x3f82, 0xbf83})) == "");
  CHECK(run("check.expect_close", array_of<uint16_t>(graph::DType::bf16, {0x3f80}),
            array_of<uint16_t>(graph::DType::bf16, {0x3f84})) != "");
  CHECK(run("check.expect_close", array_of<uint8_t>(graph::DType::i1, {1}),
            array_of<uint8_t>(graph::DType::i1, {0})) != "");
}

TEST_CASE("expect_almost_eq has a tolerance") {
  const auto one = array_of<double>(graph::DType::f64, {1.0});
  CHECK(run("check.expect_almost_eq", array_of<double>(graph::DType::f64, {1.0009}), one) == "");
  CHECK(run("check.expect_almost_eq", array_of<double>(graph::DType::f64, {1.0011}), one) != "");
  CHECK(run("check.expect_almost_eq", array_of<double>(graph::DType::f64, {1.4}), one,
            {{"tolerance", 0.5}}) == "");
  CHECK(run("check.expect_almost_eq", array_of<float>(graph::DType::f32, {kInf, kNan}),
            array_of<float>(graph::DType::f32, {kInf, kNan})) == "");
  using C = std::pair<float, float>;
  CHECK(run("check.expect_almost_eq", array_of<C>(graph::DType::c64, {{1, 2}}),
            array_of<C>(graph::DType::c64, {{1, 2.5}})) ==
        "check.expect_almost_eq: 1 of 1 elements differ from what is expected, first element [0]: (1, 2), "
        "expected (1, 2.5)");
}

} // namespace tw::ops_test_check
