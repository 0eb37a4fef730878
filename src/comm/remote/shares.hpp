// SPDX-License-Identifier: Apache-2.0
// Sums that several processes want are made by all of them, each a share, which they then give each other:
// every process receives each partial value once in part and each finished share once, instead of all partial
// values whole.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/moves.hpp"

namespace tw::comm {

// The same move in one round or two; `process` by device. What lies in the target after the first round is a
// source of the second.
std::vector<Move> in_rounds(const Move &move, std::span<const int64_t> process);

} // namespace tw::comm
