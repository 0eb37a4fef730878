// SPDX-License-Identifier: Apache-2.0
// Which results are promised to equal the unpartitioned run bit for bit: those that no split contraction or
// reduction reaches.
#pragma once

#include <vector>

#include "spmd/program.hpp"

namespace tw::spmd {

// One flag per program result.
std::vector<bool> exact_results(const Program &program);

} // namespace tw::spmd
