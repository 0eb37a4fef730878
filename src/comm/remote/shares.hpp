// SPDX-License-Identifier: Apache-2.0
// Sums that several processes want are made by all of them, each a share, which they then give each other:
// every process receives each partial value once in part and each finished share once, instead of all partial
// values whole.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/array_steps.hpp"

namespace tw::comm {

// The rounds of arrays between processes; `process` by device. What goes straight has one round or two: what
// lies in the target after the first is then a source of the second. The steps of a plan are rounds already.
Rounds between_processes(const Rounds &given, std::span<const int64_t> process);

} // namespace tw::comm
