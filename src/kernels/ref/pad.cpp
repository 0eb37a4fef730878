// SPDX-License-Identifier: Apache-2.0
// An array with a value put around it and between its elements.
#include "kernels/ref/references.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/attributes.hpp"

namespace tw::kernels::ref::pad_reference {
namespace {

Status reference(const KernelArgs &args) {
  const Buffer &in = args.operands[0], &out = args.results[0];
  const size_t size = graph::byte_size(out.dtype);
  fill(out.data, args.operands[1].data, out.elements(), size);
  std::vector<int64_t> low, step;
  for (size_t d = 0; d < out.extent.size(); ++d) {
    step.push_back(args.op.ints(slot::pad::interior_padding)[d] + 1);
    low.push_back(args.op.ints(slot::pad::edge_padding_low)[d] + in.offset[d] * step[d] - out.offset[d]);
  }
  place_strided(out.data, out.extent, in.data, in.extent, low, step, size);
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.pad", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::pad_reference
