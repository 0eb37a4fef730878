// SPDX-License-Identifier: Apache-2.0
// Slices of an array, each starting where an index vector says, put together.
#include <algorithm>
#include <cstring>

#include "kernels/ref/indexing.hpp"
#include "kernels/ref/references.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/attributes.hpp"

namespace tw::kernels::ref::gather_reference {
namespace {

Status reference(const KernelArgs &args) {
  const Buffer &array = args.operands[0], &out = args.results[0];
  const Indexing indexing = gather_indexing(args.op);
  const StartReader starts(indexing, args.operands[1]);
  const auto sizes = args.op.ints(slot::gather::slice_sizes);
  const size_t size = graph::byte_size(out.dtype);
  if (out.elements() == 0)
    return {};
  std::memset(out.data, 0, static_cast<size_t>(out.elements()) * size);

  const std::vector<int64_t> array_steps = dense_strides(array.extent), out_steps = dense_strides(out.extent);
  std::vector<int64_t> batch_extent(out.extent.begin(), out.extent.end()); // one step per slice
  std::vector<int64_t> window, from, to; // what is here of the slice, as a box of both
  for (size_t d = 0; d < array.extent.size(); ++d)
    if (const IndexedDim &dim = indexing.array[d]; dim.kind == IndexedDim::Kind::window) {
      batch_extent[dim.slices_dim] = 1;
      from.push_back(array_steps[d]);
      to.push_back(out_steps[dim.slices_dim]);
    }
  std::vector<int64_t> start(array.extent.size());
  for (Walk w(batch_extent); w.more(); w.next()) {
    starts.read(w.index(), start);
    int64_t first_from = 0, first_to = 0;
    bool here = true;
    window.clear();
    for (size_t d = 0; d < start.size(); ++d) {
      // Where the slice starts in the global array, clamped so that it fits, then in this piece.
      const IndexedDim &dim = indexing.array[d];
      int64_t at = std::clamp<int64_t>(start[d], 0, array.global[d] - sizes[d]), n = 1;
      if (dim.kind == IndexedDim::Kind::batching)
        at = out.offset[dim.slices_dim] + w[dim.slices_dim];
      if (dim.kind == IndexedDim::Kind::window)
        at += out.offset[dim.slices_dim], n = out.extent[dim.slices_dim];
      at -= array.offset[d];
      const int64_t begin = std::max<int64_t>(0, -at), end = std::min(n, array.extent[d] - at);
      here = here && begin < end;
      first_from += (at + begin) * array_steps[d];
      if (dim.kind == IndexedDim::Kind::window) {
        first_to += begin * out_steps[dim.slices_dim];
        window.push_back(end - begin);
      }
    }
    for (size_t d = 0; d < batch_extent.size(); ++d)
      first_to += w[d] * out_steps[d];
    if (here)
      copy_strided(static_cast<std::byte *>(out.data) + first_to * static_cast<int64_t>(size), to,
                   static_cast<const std::byte *>(array.data) + first_from * static_cast<int64_t>(size), from,
                   window, size);
  }
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.gather", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::gather_reference
