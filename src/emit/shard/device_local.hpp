// SPDX-License-Identifier: Apache-2.0
// The program that every device runs, as code of one device in MLIR's shard dialect.
#pragma once

#include <string>

#include "spmd/program.hpp"

namespace tw::emit::shard {

// As stablehlo/per_device.hpp writes it, with the collectives of the dialect and a grid in place of replicas:
// device r of the grid is mesh position r.
Result<std::string> to_device_local_text(const spmd::Program &program);

} // namespace tw::emit::shard
