// SPDX-License-Identifier: Apache-2.0
// Element types by spelling, size and class; array types as text.
#include "graph/types.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "graph/limits.hpp"

namespace tw::graph {
namespace {

enum class Class : uint8_t { none, floating, boolean, signed_int, unsigned_int, complex };

struct Info {
  std::string_view name;
  uint8_t bytes;
  Class kind;
};

constexpr std::array<Info, static_cast<size_t>(DType::count_)> kInfo = {{
    {"invalid", 0, Class::none},
    {"f64", 8, Class::floating},
    {"f32", 4, Class::floating},
    {"f16", 2, Class::floating},
    {"bf16", 2, Class::floating},
    {"f8E4M3FN", 1, Class::floating},
    {"f8E5M2", 1, Class::floating},
    {"f8E4M3FNUZ", 1, Class::floating},
    {"f8E5M2FNUZ", 1, Class::floating},
    {"f8E4M3B11FNUZ", 1, Class::floating},
    {"f8E4M3", 1, Class::floating},
    {"f8E3M4", 1, Class::floating},
    {"i1", 1, Class::boolean},
    {"i2", 1, Class::signed_int},
    {"i4", 1, Class::signed_int},
    {"i8", 1, Class::signed_int},
    {"i16", 2, Class::signed_int},
    {"i32", 4, Class::signed_int},
    {"i64", 8, Class::signed_int},
    {"ui2", 1, Class::unsigned_int},
    {"ui4", 1, Class::unsigned_int},
    {"ui8", 1, Class::unsigned_int},
    {"ui16", 2, Class::unsigned_int},
    {"ui32", 4, Class::unsigned_int},
    {"ui64", 8, Class::unsigned_int},
    {"complex<f32>", 8, Class::complex},
    {"complex<f64>", 16, Class::complex},
    {"!stablehlo.token", 0, Class::none},
    {"f4E2M1FN", 1, Class::floating},
    {"f6E2M3FN", 1, Class::floating},
    {"f6E3M2FN", 1, Class::floating},
    {"f8E8M0FNU", 1, Class::floating},
}};

const Info &info(DType t) {
  TW_ASSERT(t < DType::count_);
  return kInfo[static_cast<size_t>(t)];
}

} // namespace

std::string_view name(DType t) { return info(t).name; }

std::optional<DType> parse_dtype(std::string_view mlir_spelling) {
  // Signless integers are signed; "si32" says the same explicitly.
  if (mlir_spelling.starts_with("si"))
    mlir_spelling.remove_prefix(1);
  for (size_t i = 1; i < kInfo.size(); ++i)
    if (kInfo[i].name == mlir_spelling)
      return static_cast<DType>(i);
  return std::nullopt;
}

size_t byte_size(DType t) { return info(t).bytes; }
bool is_float(DType t) { return info(t).kind == Class::floating; }
bool is_signed_int(DType t) { return info(t).kind == Class::signed_int; }
bool is_unsigned_int(DType t) { return info(t).kind == Class::unsigned_int; }
bool is_int(DType t) { return is_signed_int(t) || is_unsigned_int(t); }
bool is_complex(DType t) { return info(t).kind == Class::complex; }

int64_t TensorType::elements() const {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

size_t hash_value(const TensorType &t) {
  return Hasher().add(t.dtype).add(std::span<const int64_t>(t.dims)).value();
}

std::string to_text(const TensorType &t) {
  if (t.dtype == DType::token)
    return std::string(name(t.dtype));
  std::string text = "tensor<";
  for (int64_t dim : t.dims)
    fmt::format_to(std::back_inserter(text), "{}x", dim);
  return text.append(name(t.dtype)).append(">");
}

std::string to_short_text(const TensorType &t) {
  if (t.dtype == DType::token)
    return "token";
  return fmt::format("{}[{}]", name(t.dtype), fmt::join(t.dims, ","));
}

Status check_size(const TensorType &t) {
  if (t.rank() > kMaxRank)
    return fail(Code::invalid_argument, "TW-222",
                fmt::format("{} dimensions: an array has at most {}", t.rank(), kMaxRank));
  auto bytes = static_cast<int64_t>(std::max<size_t>(byte_size(t.dtype), 1));
  for (int64_t d : t.dims) {
    if (d < 0)
      return fail(Code::invalid_argument, "TW-220",
                  fmt::format("{} has a negative dimension", to_short_text(t)));
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(d, 1), &bytes) || bytes > kMaxBytes)
      return fail(Code::invalid_argument, "TW-221",
                  fmt::format("{} has more than 2^62 bytes", to_short_text(t)));
  }
  return {};
}

} // namespace tw::graph
