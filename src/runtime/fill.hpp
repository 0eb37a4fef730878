// SPDX-License-Identifier: Apache-2.0
// Makes input data: patterns with a seed, the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

#include <span>

#include "base/status.hpp"
#include "runtime/tensor.hpp"

namespace tw::runtime {

// "zeros", "ones", "iota", "uniform(lo,hi)", "normal(mean,std)", "randint(lo,hi)" or "default" (floats
// normal(0,1)/8, integers randint(0,8), booleans fair). The numbers depend only on seed, stream and the
// element's index.
Status fill(const TensorView &tensor, std::string_view pattern, uint64_t seed, uint64_t stream);
// The part of an array of dimensions `whole` that begins at `offset`.
Status fill_part(const TensorView &part, std::span<const int64_t> whole, std::span<const int64_t> offset,
                 std::string_view pattern, uint64_t seed, uint64_t stream);

} // namespace tw::runtime
