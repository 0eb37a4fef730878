// SPDX-License-Identifier: Apache-2.0
// What this process relies on when oneDNN sums. Its kernels differ from processor to processor, and nobody
// has seen all of them: so it is found out, before the first product of an element type, on small products of
// all kinds.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "graph/types.hpp"

namespace tw::kernels::onednn {

struct Proven {
  static constexpr int64_t kAny = std::numeric_limits<int64_t>::max();

  std::string implementation; // "brg:avx512_core"; empty: none of a family that is known
  // Of products over no more than so many of k, an element's bits depend on its row, its column and k, and on
  // which way each operand lies, but not on how m, n and batch are cut. 0: of none. More of k is summed in
  // blocks of so many, which are added in their order.
  int64_t depth = 0;
  bool packs = false;  // ... nor on whether the right matrix is packed
  bool chains = false; // and they are those of chains, see Product::chain, whichever way operands lie
};

// Of f32, or of bf16 into bf16 or f32; of other types nothing is. Takes some milliseconds the first time; any
// thread may ask.
const Proven &proven(graph::DType operand, graph::DType result);

// "f32 brg:avx512_core, bf16 brg:avx512_core_amx_bf16 in blocks of 1024": processes in which it differs do
// not make the same bits.
std::string proven_text();

} // namespace tw::kernels::onednn
