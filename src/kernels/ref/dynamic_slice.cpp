// SPDX-License-Identifier: Apache-2.0
// A box of an array read or replaced, at indices known when running.
#include <algorithm>
#include <cstring>

#include "kernels/ref/indexing.hpp"
#include "kernels/ref/references.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/element.hpp"

namespace tw::kernels::ref::dynamic_slice_reference {
namespace {

// Where the piece of the box begins in the piece of the array, which may be outside: indices clamped so that
// the box fits.
std::vector<int64_t> start_of(const Buffer &array, const Buffer &box, std::span<const Buffer> starts) {
  std::vector<int64_t> start;
  for (size_t d = 0; d < starts.size(); ++d)
    start.push_back(std::clamp<int64_t>(load_index(starts[d], 0), 0, array.global[d] - box.global[d]) +
                    box.offset[d] - array.offset[d]);
  return start;
}

Status slice_kernel(const KernelArgs &args) {
  const Buffer &in = args.operands[0], &out = args.results[0];
  const size_t size = graph::byte_size(out.dtype);
  if (out.elements() == 0)
    return {};
  std::memset(out.data, 0, static_cast<size_t>(out.elements()) * size);
  std::vector<int64_t> low = start_of(in, out, args.operands.subspan(1));
  for (int64_t &at : low)
    at = -at;
  place_strided(out.data, out.extent, in.data, in.extent, low, std::vector<int64_t>(low.size(), 1), size);
  return {};
}

Status update_kernel(const KernelArgs &args) {
  const Buffer &in = args.operands[0], &update = args.operands[1], &out = args.results[0];
  const size_t size = graph::byte_size(out.dtype);
  const std::vector<int64_t> steps = dense_strides(out.extent);
  copy_strided(out.data, steps, in.data, steps, out.extent, size);
  const std::vector<int64_t> low = start_of(out, update, args.operands.subspan(2));
  place_strided(out.data, out.extent, update.data, update.extent, low, std::vector<int64_t>(low.size(), 1),
                size);
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.dynamic_slice", slice_kernel},
      {"stablehlo.dynamic_update_slice", update_kernel},
  };
  return all;
}

} // namespace tw::kernels::ref::dynamic_slice_reference
