// SPDX-License-Identifier: Apache-2.0
// Elements one at a time, with their exact values: what lets an array of one type become an array of another
// without changing a single value, or be refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include <tilewright/tw.h>

namespace tw::cli {

// The exact value of one element. Integers and booleans are int64_t or, above its range, uint64_t.
struct Complex {
  double re, im;
};
using Value = std::variant<int64_t, uint64_t, double, Complex>;

// An element of this type as held in memory.
Value decode(tw_dtype_t dtype, const void *element);
// Writes the element that has exactly this value; false (and nothing written) where the type has none. NaN
// becomes the type's NaN.
bool encode(tw_dtype_t dtype, const Value &value, void *element);

} // namespace tw::cli
