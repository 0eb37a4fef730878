// SPDX-License-Identifier: Apache-2.0
// Boxes that are one unbroken run of another: what needs no copy to lie there.
#pragma once

#include <cstdint>

#include "sharding/sharding.hpp"

namespace tw::sharding {

// Where box `inner` begins in the dense storage of box `outer`, if it is one unbroken run of it; -1
// otherwise.
int64_t run_offset(const Box &inner, const Box &outer);

} // namespace tw::sharding
