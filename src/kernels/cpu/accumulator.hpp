// SPDX-License-Identifier: Apache-2.0
// What kernels that sum products share: in which type they do.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/types.hpp"

namespace tw::kernels::cpu {

inline int64_t size_of(graph::DType t) { return static_cast<int64_t>(graph::byte_size(t)); }

// The type in which sums are kept. Integers wrap, so a wider or differently signed one gives the same low
// bits.
inline std::optional<graph::DType> accumulator(graph::DType result) {
  using graph::DType;
  if (graph::is_float(result))
    return result == DType::f64 ? DType::f64 : DType::f32;
  if (graph::is_int(result))
    return size_of(result) == 8 ? DType::s64 : DType::s32;
  return std::nullopt;
}

} // namespace tw::kernels::cpu
