// SPDX-License-Identifier: Apache-2.0
// Computes expressions one element at a time, with integers of any size and rounding by comparison: slow,
// obvious, and nothing of it shared with the blocks and the device source that are checked against it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/kernel_args.hpp"
#include "ops/expression.hpp"

namespace tw {

// Types of one element of each operand and of the result, for what asks for an OpView. Outlives its views.
class ElementTypes {
public:
  ElementTypes(std::span<const graph::DType> operands, graph::DType result);
  ops::OpView view(const graph::Attrs &attrs) const;

private:
  std::vector<graph::TensorType> types_;
  std::vector<const graph::TensorType *> pointers_;
};

// The block of an op on operands of these types, with a result of that type: what a call computes on the
// host.
kernels::BlockFn host_block(const char *op, std::span<const graph::DType> operands, graph::DType result);

// One element of the result from one of each operand, as they are stored.
void interpret(const ops::Expression &expression, std::span<const std::byte *const> operands,
               std::byte *result);

// Whether two stored elements are the same value: equal bits, or both NaN in the same parts.
bool same_element(graph::DType dtype, const std::byte *a, const std::byte *b);

// Elements of a type on which something may go wrong: zeros, ends, infinities, NaN, ties of narrower types,
// and drawn bits.
std::vector<std::byte> special_elements(graph::DType dtype, uint64_t seed, size_t drawn);

} // namespace tw
