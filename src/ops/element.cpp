// SPDX-License-Identifier: Apache-2.0
// Tables of the values of 8-bit floats, widths of elements, and elements made of a number.
#include "ops/element.hpp"

#include <array>

#include "base/status.hpp"
#include "ops/conversion.hpp"

namespace tw::ops {

namespace {

using FloatTable = std::array<float, 256>;

FloatTable make_table(const SmallFloat &format) {
  FloatTable table;
  for (uint32_t code = 0; code < 256; ++code)
    table[code] = static_cast<float>(decode(format, code));
  return table;
}

} // namespace

const float *decode_table(DType dtype) {
  static const FloatTable e4m3fn = make_table(small_float::f8e4m3fn), e5m2 = make_table(small_float::f8e5m2),
                          e4m3fnuz = make_table(small_float::f8e4m3fnuz),
                          e5m2fnuz = make_table(small_float::f8e5m2fnuz),
                          e4m3b11fnuz = make_table(small_float::f8e4m3b11fnuz),
                          e4m3 = make_table(small_float::f8e4m3), e3m4 = make_table(small_float::f8e3m4),
                          e2m1fn = make_table(small_float::f4e2m1fn),
                          e2m3fn = make_table(small_float::f6e2m3fn),
                          e3m2fn = make_table(small_float::f6e3m2fn),
                          e8m0fnu = make_table(small_float::f8e8m0fnu);
  switch (dtype) {
  case DType::f8e4m3fn: return e4m3fn.data();
  case DType::f8e5m2: return e5m2.data();
  case DType::f8e4m3fnuz: return e4m3fnuz.data();
  case DType::f8e5m2fnuz: return e5m2fnuz.data();
  case DType::f8e4m3b11fnuz: return e4m3b11fnuz.data();
  case DType::f8e4m3: return e4m3.data();
  case DType::f8e3m4: return e3m4.data();
  case DType::f4e2m1fn: return e2m1fn.data();
  case DType::f6e2m3fn: return e2m3fn.data();
  case DType::f6e3m2fn: return e3m2fn.data();
  case DType::f8e8m0fnu: return e8m0fnu.data();
  default: TW_ASSERT(false && "not an 8-bit float"); return e4m3fn.data();
  }
}

int element_bits(DType dtype) {
  return visit_dtype(dtype, []<class E>(E) { return E::bits; });
}

bool has_same_bytes(DType from, DType to) {
  const auto fills_bytes = [](DType dtype) {
    return element_bits(dtype) == 8 * static_cast<int>(graph::byte_size(dtype));
  };
  return from == to || (fills_bytes(from) && fills_bytes(to));
}

// As stablehlo.convert does, so that what an integer cannot hold saturates.
std::vector<std::byte> element_bytes(DType dtype, double value) {
  std::vector<std::byte> bytes(graph::byte_size(dtype));
  visit_dtype(dtype, [&]<class E>(E) {
    const typename E::Storage stored = converted<Element<DType::f64>, E>(value);
    std::memcpy(bytes.data(), &stored, sizeof stored);
  });
  return bytes;
}

} // namespace tw::ops
