// SPDX-License-Identifier: Apache-2.0
// One table, read both ways.
#include "pjrt/element_type.hpp"

#include <iterator>

#include "pjrt/error.hpp"

namespace tw::pjrt {

namespace {

// By the number of abi::Type.
constexpr tw_dtype_t kTypes[] = {
    TW_DTYPE_INVALID,
    TW_I1,
    TW_S8,
    TW_S16,
    TW_S32,
    TW_S64,
    TW_U8,
    TW_U16,
    TW_U32,
    TW_U64,
    TW_F16,
    TW_F32,
    TW_F64,
    TW_BF16,
    TW_C64,
    TW_C128,
    TW_F8E5M2,
    TW_F8E4M3FN,
    TW_F8E4M3B11FNUZ,
    TW_F8E5M2FNUZ,
    TW_F8E4M3FNUZ,
    TW_S4,
    TW_U4,
    TW_TOKEN,
    TW_S2,
    TW_U2,
    TW_F8E4M3,
    TW_F8E3M4,
    TW_F8E8M0FNU,
    TW_F4E2M1FN,
};

} // namespace

tw_dtype_t dtype_of(abi::Type type) {
  const auto index = static_cast<size_t>(type);
  if (index == 0 || index >= std::size(kTypes))
    throw Failure{abi::Code::unimplemented,
                  "arrays of element type " + std::to_string(index) + " (PJRT_Buffer_Type)"};
  return kTypes[index];
}

abi::Type type_of(tw_dtype_t dtype) {
  for (size_t i = 1; i < std::size(kTypes); ++i)
    if (kTypes[i] == dtype)
      return static_cast<abi::Type>(i);
  throw Failure{abi::Code::unimplemented,
                std::string("arrays of ") + tw_dtype_name(dtype) + ": PJRT has no such element type"};
}

abi::FfiType ffi_type_of(tw_dtype_t dtype) {
  using enum abi::FfiType;
  switch (dtype) {
  case TW_I1: return pred;
  case TW_S2: return s2;
  case TW_S4: return s4;
  case TW_S8: return s8;
  case TW_S16: return s16;
  case TW_S32: return s32;
  case TW_S64: return s64;
  case TW_U2: return u2;
  case TW_U4: return u4;
  case TW_U8: return u8;
  case TW_U16: return u16;
  case TW_U32: return u32;
  case TW_U64: return u64;
  case TW_F16: return f16;
  case TW_BF16: return bf16;
  case TW_F32: return f32;
  case TW_F64: return f64;
  case TW_C64: return c64;
  case TW_C128: return c128;
  case TW_F4E2M1FN: return f4e2m1fn;
  case TW_F8E3M4: return f8e3m4;
  case TW_F8E4M3: return f8e4m3;
  case TW_F8E4M3FN: return f8e4m3fn;
  case TW_F8E4M3B11FNUZ: return f8e4m3b11fnuz;
  case TW_F8E4M3FNUZ: return f8e4m3fnuz;
  case TW_F8E5M2: return f8e5m2;
  case TW_F8E5M2FNUZ: return f8e5m2fnuz;
  case TW_F8E8M0FNU: return f8e8m0fnu;
  case TW_TOKEN: return token;
  default:
    throw Failure{abi::Code::unimplemented,
                  std::string("foreign functions take no arrays of ") + tw_dtype_name(dtype)};
  }
}

bool is_narrow(tw_dtype_t dtype) {
  switch (dtype) {
  case TW_S2:
  case TW_S4:
  case TW_U2:
  case TW_U4:
  case TW_F4E2M1FN: return true;
  default: return false;
  }
}

void extend(tw_dtype_t dtype, void *elements, size_t count) {
  const unsigned bits = dtype == TW_S2 || dtype == TW_U2 ? 2 : 4;
  const bool is_signed = dtype == TW_S2 || dtype == TW_S4;
  auto *bytes = static_cast<uint8_t *>(elements);
  for (size_t i = 0; i < count; ++i) {
    const unsigned code = bytes[i] & ((1u << bits) - 1);
    const bool is_negative = is_signed && (code >> (bits - 1)) != 0;
    bytes[i] = static_cast<uint8_t>(is_negative ? code | (0xffu << bits) : code);
  }
}

} // namespace tw::pjrt
