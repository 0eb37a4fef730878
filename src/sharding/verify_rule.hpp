// SPDX-License-Identifier: Apache-2.0
// Whether the split rule of one dimension fits it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.hpp"
#include "sharding/sharding.hpp"

namespace tw::sharding {

// Dimension number `d`, of n elements over so many tiles.
Status verify_rule(const SplitRule &rule, int64_t n, int64_t tiles, size_t d);

} // namespace tw::sharding
