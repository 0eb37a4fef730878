// SPDX-License-Identifier: Apache-2.0
// Applies a block function to whole pieces.
#include "kernels/ref/elementwise.hpp"

#include <vector>

#include "kernels/ref/strided.hpp"

namespace tw::kernels::ref {

Status run_block(const KernelArgs &args, BlockFn block) {
  TW_ASSERT(block);
  const int64_t n = args.results[0].elements();
  const size_t rank = args.results[0].extent.size();
  if (n == 0)
    return {};
  std::vector<const void *> in(args.operands.size());
  std::vector<std::vector<std::byte>> repeated(args.operands.size());
  for (size_t v = 0; v < in.size(); ++v) {
    const Buffer &operand = args.operands[v];
    in[v] = operand.data;
    if (operand.extent.size() != rank) {
      const size_t size = graph::byte_size(operand.dtype);
      repeated[v].resize(static_cast<size_t>(n) * size);
      fill(repeated[v].data(), operand.data, n, size);
      in[v] = repeated[v].data();
    } else {
      TW_ASSERT(operand.elements() == n);
    }
  }
  block(in.data(), args.results[0].data, n);
  return {};
}

} // namespace tw::kernels::ref
