// SPDX-License-Identifier: Apache-2.0
// A dot_general in the words of cuBLASLt: element types, order of storage, leading dimensions, batch strides
// and the type of the sums. No operand is copied: what cannot be said of its storage is no product here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "device/cuda/plugin.hpp"
#include "kernels/fused.hpp"
#include "kernels/kernel.hpp"

namespace tw::device::cuda {

// One product, again and again at other places of the operands and of the result.
struct ProductForm {
  struct Loop {
    int64_t count, a, b, c; // strides in elements
  };
  tw_cuda_product_form form;
  std::vector<Loop> loops; // outer to inner
  int64_t calls() const;
  // The highest power of two, at most 16, that divides the bytes from any matrix to another of its operand.
  uint32_t alignment() const;
};

// Null: the element types are none that cuBLASLt multiplies this way, or an operand's storage has no matrix
// with rows or columns that are contiguous, or there is nothing to multiply.
std::optional<ProductForm> product_form(const kernels::Request &request);

// The same with what a group makes of the product, its input number `made`, where the library does so too
// and the bits are those of both kernels: the sum is in f32 or f64 before anything else is done with it.
std::optional<ProductForm> product_form(const kernels::Request &request, const kernels::FusedRequest &group,
                                        uint32_t made);

// Whether the op's text asks for TF32: `algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32,
// ..>`.
bool asks_for_tf32(std::string_view algorithm);

size_t byte_size(tw_cuda_type type);

} // namespace tw::device::cuda
