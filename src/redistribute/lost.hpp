// SPDX-License-Identifier: Apache-2.0
// What is left of an array whose devices are lost in part, and what nobody has any more.
#pragma once

#include <cstdint>
#include <vector>

#include "redistribute/problem.hpp"

namespace tw::redistribute {

// Source tiles that a device has which is not lost: each once, none of them empty.
std::vector<sharding::Box> tiles_left(const Problem &problem);
// Those that lost devices had, and nobody else.
std::vector<sharding::Box> tiles_lost(const Problem &problem);

// A part of the target tile of a device that has to come from elsewhere.
struct Missing {
  Device device;
  sharding::Box box;
};
// By device, disjoint. Nothing where no device is lost.
std::vector<Missing> find_missing(const Problem &problem);
// Elements, by device.
std::vector<int64_t> count_missing(const Problem &problem);

} // namespace tw::redistribute
