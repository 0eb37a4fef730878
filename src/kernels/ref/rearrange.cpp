// SPDX-License-Identifier: Apache-2.0
// The reference of all ops that rearrange elements.
#include "kernels/ref/rearrange.hpp"

#include <cstring>

#include "kernels/ref/strided.hpp"
#include "ops/strided.hpp"

namespace tw::kernels::ref {

Status rearrange(const KernelArgs &args, std::span<const ops::ElementRead> reads) {
  const Buffer &in = args.operands[0], &out = args.results[0];
  if (out.elements() == 0)
    return {};
  const std::vector<int64_t> steps = ops::dense_strides(in.extent);
  std::vector<int64_t> from(reads.size(), 0);
  const size_t size = graph::byte_size(out.dtype);
  int64_t first = 0;
  for (size_t d = 0; d < reads.size(); ++d) {
    if (reads[d].dim < 0)
      continue;
    const auto dim = static_cast<size_t>(reads[d].dim);
    const int64_t at = reads[d].begin + out.offset[d] * reads[d].step - in.offset[dim];
    if (at < 0 || at >= in.extent[dim]) {
      std::memset(out.data, 0, static_cast<size_t>(out.elements()) * size);
      return {};
    }
    first += at * steps[dim];
    from[d] = reads[d].step * steps[dim];
  }
  copy_strided(out.data, ops::dense_strides(out.extent),
               static_cast<const std::byte *>(in.data) + first * static_cast<int64_t>(size), from, out.extent,
               size);
  return {};
}

} // namespace tw::kernels::ref
