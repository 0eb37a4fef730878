// SPDX-License-Identifier: Apache-2.0
// Arrays put one after the other along a dimension.
#include "kernels/ref/references.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/attributes.hpp"

namespace tw::kernels::ref::concatenate_reference {
namespace {

Status reference(const KernelArgs &args) {
  const Buffer &out = args.results[0];
  const auto along = static_cast<size_t>(args.op.integer(slot::concatenate::dimension));
  const size_t size = graph::byte_size(out.dtype);
  std::vector<int64_t> low, step(out.extent.size(), 1);
  for (size_t d = 0; d < out.extent.size(); ++d)
    low.push_back(-out.offset[d]);
  for (const Buffer &in : args.operands) {
    std::vector<int64_t> at = low;
    for (size_t d = 0; d < at.size(); ++d)
      at[d] += in.offset[d];
    place_strided(out.data, out.extent, in.data, in.extent, at, step, size);
    low[along] += in.global[along];
  }
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.concatenate", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::concatenate_reference
