// SPDX-License-Identifier: Apache-2.0
// What functions on the host's memory are given: an op, and where its operands and results lie.
#pragma once

#include <cstdint>
#include <span>

#include "ops/op_def.hpp"
#include "ops/strided.hpp"

namespace tw::kernels {

// One operand or result of a kernel call: dense row-major storage of the part of the global array that `box`
// names. The whole array is the box {0.., global}. Kernels see true local extents, which may be 0.
struct Buffer {
  void *data = nullptr;
  graph::DType dtype = graph::DType::invalid;
  std::span<const int64_t> global; // dims of the global array
  std::span<const int64_t> offset; // of this part
  std::span<const int64_t> extent; // of this part
  int64_t elements() const { return ops::product(extent); }
};

struct KernelArgs {
  ops::OpView op;                   // global types and attributes
  std::span<const Buffer> operands; // never written
  std::span<const Buffer> results;  // never overlap operands, except where a kernel says it may
  // False where this device must use the reduction's identity, or if it has none the first element, in place
  // of Rule::init_operands.
  bool use_init = true;
};

// One scalar op over n contiguous elements: out[i] = f(in[0][i], in[1][i], ...). Instances exist per element
// type; the fused elementwise engine and references both call them, so both give the same bits.
using BlockFn = void (*)(const void *const *in, void *out, int64_t n);

} // namespace tw::kernels
