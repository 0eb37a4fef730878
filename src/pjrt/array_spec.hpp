// SPDX-License-Identifier: Apache-2.0
// What is known of an argument or a result of a compiled program: its type, what the buffer of each device
// holds of it, and how that is told as XLA's OpSharding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pjrt/stated.hpp"

namespace tw::pjrt {

struct ArraySpec {
  tw_dtype_t dtype = TW_DTYPE_INVALID;
  abi::Type type = abi::Type::invalid;
  std::vector<int64_t> dims;  // of the whole array
  std::vector<int64_t> local; // of the buffer of each device
  std::string sharding;       // xla.OpSharding; "": whole on every device
  std::string memory_kind;
  // Buffers do not hold what the program takes or makes, but this: runs cut their tiles out of the whole
  // array, or put it together. So it is where tiles are not of one size, which JAX has no word for, where
  // devices stand in an order that the plan's mesh does not have, and with addends.
  bool is_moved = false;
  Holding held;
  // Of arguments that come as addends: takes as many whole arrays, and makes their sum.
  ExecutableHandle sum;
};

// Fills in what is behind `dims` for a program of several partitions, in which the array lies as `sharding`
// says. `partitions`: that of each position. `stated`: what the module says, or null.
void describe_sharding(const tw_sharding_t *sharding, const std::vector<int64_t> &partitions,
                       const Holding *stated, ArraySpec &spec);

// Makes `sum`.
void make_sum(const tw_context_t *context, ArraySpec &spec);

} // namespace tw::pjrt
