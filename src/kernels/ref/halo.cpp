// SPDX-License-Identifier: Apache-2.0
// Tiles of an array with what lies around them, side by side.
#include <algorithm>
#include <cstring>

#include "kernels/ref/references.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/halo.hpp"

namespace tw::kernels::ref::halo_reference {
namespace {

// Of one tile: the box of cells that lie in the operand, and where it begins there.
struct Found {
  std::vector<int64_t> to, from, extent;
};
Found find_cells(const KernelArgs &args, const TileCuts &cuts, const Walk &tile) {
  const Buffer &in = args.operands[0], &out = args.results[0];
  Found found;
  for (size_t d = 0, i = 0; d < in.extent.size(); ++d) {
    const int64_t first = out.offset[cuts.size() + d];
    int64_t shift = 0; // from a cell to its element
    if (i < cuts.size() && cuts[i].dimension == d) {
      shift = (out.offset[i] + tile[i]) * cuts[i].step - cuts[i].before;
      ++i;
    }
    const int64_t begin = std::max(first + shift, in.offset[d]),
                  end = std::min(first + out.extent[cuts.size() + d] + shift, in.offset[d] + in.extent[d]);
    found.to.push_back(begin - shift - first);
    found.from.push_back(begin - in.offset[d]);
    found.extent.push_back(std::max<int64_t>(end - begin, 0));
  }
  return found;
}

Status copy_tiles(const KernelArgs &args) {
  const Buffer &in = args.operands[0], &out = args.results[0];
  const TileCuts cuts = tile_cuts(args.op);
  const size_t size = graph::byte_size(out.dtype), cut = cuts.size();
  if (out.elements() == 0)
    return {}; // it has no memory either
  std::memset(out.data, 0, static_cast<size_t>(out.elements()) * size);
  const std::vector<int64_t> from = dense_strides(in.extent), all = dense_strides(out.extent);
  const std::span<const int64_t> to = std::span(all).subspan(cut);
  for (Walk tile(out.extent.first(cut)); tile.more(); tile.next()) {
    const Found found = find_cells(args, cuts, tile);
    if (product(found.extent) == 0)
      continue;
    int64_t read = 0, write = 0;
    for (size_t i = 0; i < cut; ++i)
      write += tile[i] * all[i];
    for (size_t d = 0; d < found.extent.size(); ++d) {
      read += found.from[d] * from[d];
      write += found.to[d] * to[d];
    }
    copy_strided(static_cast<std::byte *>(out.data) + write * static_cast<int64_t>(size), to,
                 static_cast<const std::byte *>(in.data) + read * static_cast<int64_t>(size), from,
                 found.extent, size);
  }
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"shard.halo_tiles", copy_tiles},
  };
  return all;
}

} // namespace tw::kernels::ref::halo_reference
