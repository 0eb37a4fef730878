// SPDX-License-Identifier: Apache-2.0
// Element types and reductions of the double.
#include <algorithm>
#include <cstring>

#include "base/small_float.hpp"
#include "support/nccl_double/clique.hpp"

namespace tw::nccl_double {
namespace {

template <class T> T combined(int op, T a, T b) {
  switch (op) {
  case nccl::kProd: return static_cast<T>(a * b);
  case nccl::kMax: return std::max(a, b);
  case nccl::kMin: return std::min(a, b);
  default: return static_cast<T>(a + b);
  }
}

template <class T> void combine_as(int op, void *to, const void *from, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    T a, b;
    std::memcpy(&a, static_cast<char *>(to) + i * sizeof a, sizeof a);
    std::memcpy(&b, static_cast<const char *>(from) + i * sizeof b, sizeof b);
    a = combined<T>(op, a, b);
    std::memcpy(static_cast<char *>(to) + i * sizeof a, &a, sizeof a);
  }
}

void combine_small(const SmallFloat &format, int op, void *to, const void *from, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint16_t a, b;
    std::memcpy(&a, static_cast<char *>(to) + 2 * i, 2);
    std::memcpy(&b, static_cast<const char *>(from) + 2 * i, 2);
    a = static_cast<uint16_t>(encode(format, combined<double>(op, decode(format, a), decode(format, b))));
    std::memcpy(static_cast<char *>(to) + 2 * i, &a, 2);
  }
}

} // namespace

size_t size_of(int dtype) {
  switch (dtype) {
  case nccl::kInt8:
  case nccl::kUint8: return 1;
  case nccl::kFloat16:
  case nccl::kBfloat16: return 2;
  case nccl::kInt32:
  case nccl::kUint32:
  case nccl::kFloat32: return 4;
  case nccl::kInt64:
  case nccl::kUint64:
  case nccl::kFloat64: return 8;
  default: return 0;
  }
}

// Integers wrap, as unsigned ones do.
void combine(int dtype, int op, void *to, const void *from, size_t count) {
  const bool ordered = op == nccl::kMax || op == nccl::kMin;
  switch (dtype) {
  case nccl::kInt8:
    return ordered ? combine_as<int8_t>(op, to, from, count) : combine_as<uint8_t>(op, to, from, count);
  case nccl::kUint8: return combine_as<uint8_t>(op, to, from, count);
  case nccl::kInt32:
    return ordered ? combine_as<int32_t>(op, to, from, count) : combine_as<uint32_t>(op, to, from, count);
  case nccl::kUint32: return combine_as<uint32_t>(op, to, from, count);
  case nccl::kInt64:
    return ordered ? combine_as<int64_t>(op, to, from, count) : combine_as<uint64_t>(op, to, from, count);
  case nccl::kUint64: return combine_as<uint64_t>(op, to, from, count);
  case nccl::kFloat32: return combine_as<float>(op, to, from, count);
  case nccl::kFloat64: return combine_as<double>(op, to, from, count);
  case nccl::kFloat16: return combine_small(small_float::f16, op, to, from, count);
  default: return combine_small(small_float::bf16, op, to, from, count);
  }
}

} // namespace tw::nccl_double
