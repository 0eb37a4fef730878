// SPDX-License-Identifier: Apache-2.0
// Elements as unsigned integers of the same order, and back. Pure functions of bits, for host and device.
#pragma once

#include "device/cuda/library_forms.hpp"

#ifdef __CUDACC__
#define TW_BOTH __host__ __device__ inline
#else
#define TW_BOTH inline
#endif

namespace tw::cub {

TW_BOTH uint64_t ones(int32_t bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

TW_BOTH uint64_t load_bits(const void *array, int32_t bytes, int64_t i) {
  switch (bytes) {
  case 1: return static_cast<const uint8_t *>(array)[i];
  case 2: return static_cast<const uint16_t *>(array)[i];
  case 4: return static_cast<const uint32_t *>(array)[i];
  default: return static_cast<const uint64_t *>(array)[i];
  }
}

TW_BOTH void store_bits(void *array, int32_t bytes, int64_t i, uint64_t value) {
  switch (bytes) {
  case 1: static_cast<uint8_t *>(array)[i] = static_cast<uint8_t>(value); break;
  case 2: static_cast<uint16_t *>(array)[i] = static_cast<uint16_t>(value); break;
  case 4: static_cast<uint32_t *>(array)[i] = static_cast<uint32_t>(value); break;
  default: static_cast<uint64_t *>(array)[i] = value; break;
  }
}

TW_BOTH bool is_nan(const tw_cuda_key &key, uint64_t bits) {
  return key.order == TW_CUDA_FLOAT && (bits & ones(8 * key.bytes - 1)) > key.infinity;
}

// A key of as many bits as the element has.
TW_BOTH uint64_t to_key(const tw_cuda_key &key, uint64_t bits) {
  const uint64_t all = ones(8 * key.bytes), sign = (all >> 1) + 1;
  if (key.one_nan && is_nan(key, bits))
    bits = key.nan;
  if (key.one_zero && key.order == TW_CUDA_FLOAT && (bits & (all >> 1)) == 0)
    bits = 0;
  if (key.order == TW_CUDA_SIGNED)
    bits ^= sign;
  else if (key.order == TW_CUDA_FLOAT)
    bits = (bits & sign) != 0 ? ~bits & all : bits | sign;
  return key.descending ? ~bits & all : bits;
}

TW_BOTH uint64_t from_key(const tw_cuda_key &key, uint64_t bits) {
  const uint64_t all = ones(8 * key.bytes), sign = (all >> 1) + 1;
  if (key.descending)
    bits = ~bits & all;
  if (key.order == TW_CUDA_SIGNED)
    return bits ^ sign;
  if (key.order == TW_CUDA_FLOAT)
    return (bits & sign) != 0 ? bits ^ sign : ~bits & all;
  return bits;
}

// Values that are accumulated, as integers: extremes as keys whose maximum it is, where NaN is above all.
TW_BOTH uint64_t to_scanned(const tw_cuda_scan_form &form, uint64_t bits) {
  if (form.combine != TW_CUDA_MAXIMUM && form.combine != TW_CUDA_MINIMUM)
    return bits;
  if (is_nan(form.key, bits))
    return ones(8 * form.key.bytes);
  const uint64_t key = to_key(form.key, bits);
  return form.combine == TW_CUDA_MAXIMUM ? key : ~key & ones(8 * form.key.bytes);
}

TW_BOTH uint64_t from_scanned(const tw_cuda_scan_form &form, uint64_t value) {
  if (form.combine != TW_CUDA_MAXIMUM && form.combine != TW_CUDA_MINIMUM)
    return value;
  if (form.key.order == TW_CUDA_FLOAT && value == ones(8 * form.key.bytes))
    return form.key.nan;
  return from_key(form.key, form.combine == TW_CUDA_MAXIMUM ? value : ~value & ones(8 * form.key.bytes));
}

TW_BOTH uint64_t combine(tw_cuda_combine how, uint64_t a, uint64_t b) {
  switch (how) {
  case TW_CUDA_ADD: return a + b;
  case TW_CUDA_MULTIPLY: return a * b;
  case TW_CUDA_AND: return a & b;
  case TW_CUDA_OR: return a | b;
  case TW_CUDA_XOR: return a ^ b;
  default: return a > b ? a : b;
  }
}

// `value` combined with itself until it counts `times`, which is not 0.
TW_BOTH uint64_t repeated(tw_cuda_combine how, uint64_t value, int64_t times) {
  uint64_t power = 1;
  switch (how) {
  case TW_CUDA_ADD: return value * static_cast<uint64_t>(times);
  case TW_CUDA_MULTIPLY:
    for (; times > 0; times /= 2, value *= value)
      if (times % 2 != 0)
        power *= value;
    return power;
  case TW_CUDA_XOR: return times % 2 != 0 ? value : 0;
  default: return value;
  }
}

} // namespace tw::cub
