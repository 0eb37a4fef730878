// SPDX-License-Identifier: Apache-2.0
// Pieces of a step that combine the same values, whoever wants them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "redistribute/plan.hpp"

namespace tw::redistribute {

// Pieces of several sources by what they combine, with all that take it: they share the work.
struct Combined {
  size_t piece = 0; // one of them
  std::vector<Device> takers;
  std::vector<size_t> pieces; // by taker
};
std::vector<Combined> combined_pieces(const Step &step, size_t rank, std::span<const Device> receivers);
// Of all devices.
std::vector<Combined> combined_pieces(const Step &step, size_t rank);

} // namespace tw::redistribute
