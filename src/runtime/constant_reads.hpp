// SPDX-License-Identifier: Apache-2.0
// Constants that fused steps read without an array: of a splat its one element, of an iota one line along the
// dimension that it counts. They are made once, and lie in the arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/layout.hpp"

namespace tw::runtime {

// The dimension that an iota counts; nothing for other values.
std::optional<size_t> counted_dim(const spmd::Program &program, spmd::ValueRef v);

// Elements that are kept of a splat or an iota.
int64_t constant_elements(const spmd::Program &program, const Layouts &layouts, spmd::ValueRef v,
                          Position position);
std::vector<std::byte> constant_bytes(const spmd::Program &program, const Layouts &layouts, spmd::ValueRef v,
                                      Position position);

} // namespace tw::runtime
