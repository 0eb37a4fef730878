// SPDX-License-Identifier: Apache-2.0
// Sums where devices share memory. Over a network a sum that many want is cheapest as shares, one a device,
// that are then exchanged; where all tiles can be read by all, it is formed once and written to all that want
// it: no share is written to be read again.
#pragma once

#include <memory>

#include "redistribute/plan.hpp"

namespace tw::redistribute {

// The plan with every step that sums and the one behind it made one, where that one only copies what the
// first has made and nobody else reads it. Sums keep their order. The same plan where there is no such pair.
std::shared_ptr<const Plan> fuse_sums(std::shared_ptr<const Plan> plan);

} // namespace tw::redistribute
