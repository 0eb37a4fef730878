// SPDX-License-Identifier: Apache-2.0
// Random fused groups over all elementwise ops and element types, and what the host's blocks make of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "kernels/generated/group.hpp"
#include "support/scalar_interpreter.hpp"

namespace tw {

struct RandomGroup {
  struct Node {
    const ops::OpDef *def;
    graph::Attrs attrs;
    std::unique_ptr<ElementTypes> types;
  };
  kernels::generated::Group group;
  std::vector<Node> nodes;                     // of the group
  std::vector<std::vector<std::byte>> inputs;  // as the strides need
  std::vector<std::vector<std::byte>> outputs; // by the host's blocks
  // Of each output an input that it may lie over, or -1.
  std::vector<int> in_place;
  bool shifted = false; // arrays begin one element behind a multiple of 16 bytes
};

RandomGroup random_group(uint64_t seed);

} // namespace tw
