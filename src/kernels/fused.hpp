// SPDX-License-Identifier: Apache-2.0
// Chains of elementwise ops run as one pass: blocks of a few hundred elements stay in cache while every op of
// the group is applied. Each op's arithmetic is the same as in a kernel of its own, so fusing never changes a
// bit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/kernel.hpp"
#include "kernels/kernel_args.hpp"

namespace tw::kernels {

// An array read by the group: the iteration space is the local extents of the results (all equal). `strides`
// (elements, one per dimension of the iteration space, 0 = broadcast) say how the input's dense storage is
// walked, so a broadcast_in_dim or transpose of an outside value costs no pass of its own.
struct FusedInput {
  graph::DType dtype;
  std::vector<int64_t> strides;
};

// One elementwise op of the group; arguments are inputs (0 .. inputs-1) or earlier nodes (inputs + node
// index).
struct FusedNode {
  ops::OpView op; // for attributes and types (compare direction, convert target)
  const ops::OpDef *def;
  graph::DType dtype; // of its result
  std::vector<uint32_t> args;
  BlockFn combine = nullptr; // set: combines its arguments, and is no op
  // Then what that is: a combination by this kind, or zero added to its one argument.
  sharding::Reduction how{};
  bool adds_zero = false;
};

// Whether an op may be a node.
bool fuses(const ops::OpDef &def, const ops::OpView &op);

struct FusedRequest {
  std::vector<int64_t> extent; // the iteration space
  std::vector<FusedInput> inputs;
  std::vector<FusedNode> nodes;
  std::vector<uint32_t> outputs; // nodes whose values are stored, dense row-major
  bool same_bits = false;        // see Request
};

// operands of run(): the inputs; results: the outputs. A result may overlap an operand of the same element
// size whose strides are those of the dense iteration space. Null where a node does not fuse.
std::unique_ptr<Kernel> bind_fused(const FusedRequest &request);

} // namespace tw::kernels
