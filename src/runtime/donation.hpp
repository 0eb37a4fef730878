// SPDX-License-Identifier: Apache-2.0
// Which result may be written over which argument: the program's own marks (tf.aliasing_output, jax.buffer_donor), read as JAX means them.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/layout.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

// An argument and the result that takes its place, by number and by value.
struct Donation {
  uint32_t argument, result;
  spmd::ValueRef given, made;
};

// What is marked with its result comes first; a donor without one takes the first result left that has its type and its tiles. Every result is
// in one pair at most, and has the tiles of its argument.
std::vector<Donation> find_donations(const spmd::Program &program, const Layouts &layouts);

} // namespace tw::runtime
