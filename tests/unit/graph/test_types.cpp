// SPDX-License-Identifier: Apache-2.0
// Spellings, sizes and classes of element types, and array types as text.
#include <doctest/doctest.h>

#include "graph/types.hpp"

namespace tw::test_types {

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

TEST_CASE("a type has at most 32 dimensions, none negative, and 2^62 bytes") {
  const auto why = [](DType dtype, Shape dims) {
    const tw::Status status = check_size({dtype, std::move(dims)});
    return status ? std::string() : status.error().message();
  };
  constexpr int64_t most = int64_t{1} << 62;
  CHECK(why(DType::f32, {}) == "");
  CHECK(why(DType::token, {}) == "");
  CHECK(why(DType::s8, {most}) == "");
  CHECK(why(DType::f32, {0, most / 4}) == "");
  CHECK(why(DType::f32, Shape(32, 1)) == "");
  CHECK(why(DType::f32, Shape(33, 1)) == "33 dimensions: an array has at most 32");
  CHECK(why(DType::f64, {-1, 3}) == "f64[-1,3] has a negative dimension");
  CHECK(why(DType::s8, {most + 1}) == "i8[4611686018427387905] has more than 2^62 bytes");
  CHECK(why(DType::f64, {3037000500, 3037000500}) == "f64[3037000500,3037000500] has more than 2^62 bytes");
  // Strides are computed past a dimension of size 0 too.
  CHECK(why(DType::f32, {0, INT64_MAX}) == "f32[0,9223372036854775807] has more than 2^62 bytes");
  CHECK(why(DType::f32, {INT64_MIN, INT64_MIN}) ==
        "f32[-9223372036854775808,-9223372036854775808] has a negative dimension");
}

} // namespace tw::test_types
