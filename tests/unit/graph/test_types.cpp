// SPDX-License-Identifier: Apache-2.0
// Spellings, sizes and classes of element types, and array types as text.
#include <doctest/doctest.h>

#include "graph/types.hpp"

using namespace tw::graph;

TEST_CASE("every element type parses from its name") {
  for (int i = 1; i < static_cast<int>(DType::count_); ++i) {
    const auto t = static_cast<DType>(i);
    CAPTURE(name(t));
    CHECK(parse_dtype(name(t)) == t);
    CHECK((byte_size(t) > 0) == (t != DType::token));
    CHECK(is_float(t) + is_int(t) + is_complex(t) + (t == DType::i1) + (t == DType::token) == 1);
  }
  CHECK(parse_dtype("si32") == DType::s32);
  CHECK(parse_dtype("f8E4M3FN") == DType::f8e4m3fn);
  CHECK(!parse_dtype("f31"));
  CHECK(!parse_dtype("invalid"));
  CHECK(byte_size(DType::c128) == 16);
}

TEST_CASE("array types print as StableHLO and short") {
  CHECK(to_text({DType::bf16, {2, 3}}) == "tensor<2x3xbf16>");
  CHECK(to_text({DType::i1, {}}) == "tensor<i1>");
  CHECK(to_text({DType::c64, {4}}) == "tensor<4xcomplex<f32>>");
  CHECK(to_text({DType::token, {}}) == "!stablehlo.token");
  CHECK(to_short_text({DType::f32, {2, 3}}) == "f32[2,3]");
  CHECK(to_short_text({DType::u8, {}}) == "ui8[]");
  CHECK(TensorType{DType::f32, {2, 3}}.elements() == 6);
  CHECK(TensorType{DType::f32, {2, 0}}.bytes() == 0);
  CHECK(hash_value({DType::f32, {2, 3}}) != hash_value({DType::f32, {3, 2}}));
}
