// SPDX-License-Identifier: Apache-2.0
// A model with few choices: of each variable those that look best after messages were passed. What is near
// the least there is mostly near the least of all, and found in a fraction of the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solve/messages.hpp"
#include "solve/model.hpp"

namespace tw::solve {

struct Narrowed {
  Model model;
  std::vector<std::vector<uint32_t>> kept; // by variable, which choices of the whole model its choices are

  // Choices of the whole model, from choices of this one.
  std::vector<uint32_t> expand(std::span<const uint32_t> choices) const;
};

// At most so many choices of each variable, among them those of `bounded`.
Narrowed narrow(const Model &model, const Bounded &bounded, size_t most);

} // namespace tw::solve
