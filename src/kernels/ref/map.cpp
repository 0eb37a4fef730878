// SPDX-License-Identifier: Apache-2.0
// A region of scalars applied to the elements at each index.
#include <algorithm>

#include "kernels/ref/references.hpp"
#include "kernels/ref/region_fn.hpp"

namespace tw::kernels::ref::map_reference {
namespace {

Status reference(const KernelArgs &args) {
  TW_ASSIGN(RegionFn region, RegionFn::make(args.op.graph, args.op.regions[0]));
  std::vector<const void *> in(args.operands.size());
  const Buffer &out = args.results[0];
  for (int64_t from = 0; from < out.elements(); from += RegionFn::kBlock) {
    const auto at = [&](const Buffer &b) {
      return static_cast<std::byte *>(b.data) + from * static_cast<int64_t>(graph::byte_size(b.dtype));
    };
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = at(args.operands[i]);
    void *to[] = {at(out)};
    region.run(in, to, std::min(RegionFn::kBlock, out.elements() - from));
  }
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.map", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::map_reference
