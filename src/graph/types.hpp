// SPDX-License-Identifier: Apache-2.0
// Element types and array types of programs; static shapes only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace tw::graph {

// All StableHLO element types that CPUs hold. Sub-byte integers and floats are stored one element a byte; i1
// is a byte holding 0 or 1. The f8 kinds are storage: they convert, copy and compare by value through float.
// clang-format off
enum class DType : uint8_t {
  invalid, f64, f32, f16, bf16,
  f8e4m3fn, f8e5m2, f8e4m3fnuz, f8e5m2fnuz, f8e4m3b11fnuz, f8e4m3, f8e3m4,
  i1, s2, s4, s8, s16, s32, s64, u2, u4, u8, u16, u32, u64,
  c64, c128,
  token, // ordering only: no elements
  f4e2m1fn, f6e2m3fn, f6e3m2fn, f8e8m0fnu, // numbered last, since numbers stay
  count_,
};
// clang-format on
// "f32", "i1"; "si32" is spelled "i32", unsigned "ui32", complex "complex<f32>".
std::string_view name(DType t);
std::optional<DType> parse_dtype(std::string_view mlir_spelling);
size_t byte_size(DType t); // of one stored element
bool is_float(DType t);    // f64 .. f4
bool is_signed_int(DType t);
bool is_unsigned_int(DType t);
bool is_int(DType t); // signed or unsigned, not i1
bool is_complex(DType t);

using Shape = std::vector<int64_t>;

struct TensorType {
  DType dtype = DType::invalid;
  Shape dims;
  size_t rank() const { return dims.size(); }
  int64_t elements() const; // product of dims; the importer has checked that elements*byte_size fits 2^62
  int64_t bytes() const { return elements() * static_cast<int64_t>(byte_size(dtype)); }
  bool operator==(const TensorType &) const = default;
};
// No dimension is negative, and all bytes together fit 2^62, so that sizes and offsets never overflow later.
Status check_size(const TensorType &t);
size_t hash_value(const TensorType &t);
std::string to_text(const TensorType &t);       // "tensor<2x3xf32>" as StableHLO prints it
std::string to_short_text(const TensorType &t); // "f32[2,3]"

} // namespace tw::graph
