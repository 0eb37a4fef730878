// SPDX-License-Identifier: Apache-2.0
// What is known of an argument or a result of a compiled program: its type, what each device holds of it, and
// how that is told as XLA's OpSharding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pjrt/handles.hpp"

namespace tw::pjrt {

struct ArraySpec {
  tw_dtype_t dtype = TW_DTYPE_INVALID;
  abi::Type type = abi::Type::invalid;
  std::vector<int64_t> dims;  // of the whole array
  std::vector<int64_t> local; // of the buffer of each device
  std::string sharding;       // xla.OpSharding; "": whole on every device
  std::string memory_kind;
  // Devices do not all hold as much, which JAX has no word for: buffers hold the whole array, and runs cut
  // their tiles out of it or put it together.
  bool is_joined = false;
};

// Fills in `local`, `sharding` and `is_joined` of an array that lies so. `partitions`: that of each position.
void describe_sharding(const tw_sharding_t *sharding, const std::vector<int64_t> &partitions,
                       ArraySpec &spec);

} // namespace tw::pjrt
