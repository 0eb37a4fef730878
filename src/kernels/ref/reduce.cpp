// SPDX-License-Identifier: Apache-2.0
// Arrays folded along dimensions by a region, one array or several together.
#include <algorithm>
#include <cstring>
#include <optional>

#include "kernels/ref/convert.hpp"
#include "kernels/ref/references.hpp"
#include "kernels/ref/region_fn.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/attributes.hpp"
#include "ops/reduction.hpp"

namespace tw::kernels::ref::reduce_reference {
namespace {

void fill_init(const KernelArgs &args, size_t i, size_t n, std::optional<sharding::Reduction> kind) {
  const Buffer &out = args.results[i], &init = args.operands[n + i];
  std::vector<std::byte> value(graph::byte_size(out.dtype));
  if (args.use_init || !kind) {
    const void *in = init.data;
    convert_block(init.dtype, out.dtype)(&in, value.data(), 1);
  } else {
    value = identity_of(*kind, out.dtype);
  }
  fill(out.data, value.data(), out.elements(), value.size());
}

// Every result element folds its inputs one by one in row-major order of the reduced dimensions, whatever the
// piece. Where the initial value is not for this device and the region has no identity, the first input takes
// its place.
Status reference(const KernelArgs &args) {
  const size_t n = args.results.size();
  TW_ASSIGN(RegionFn combine, RegionFn::make(args.op.graph, args.op.regions[0]));
  std::vector<int64_t> order; // reduced dimensions before kept ones
  int64_t steps = 1;
  for (size_t d = 0; d < args.operands[0].extent.size(); ++d)
    if (is_reduced(args.op, d)) {
      order.push_back(static_cast<int64_t>(d));
      steps *= args.operands[0].extent[d];
    }
  for (size_t d = 0; d < args.operands[0].extent.size(); ++d)
    if (!is_reduced(args.op, d))
      order.push_back(static_cast<int64_t>(d));

  const auto kind = reduction_of(args.op);
  const bool from_first = !args.use_init && !kind;
  std::vector<std::vector<std::byte>> inputs;
  for (size_t i = 0; i < n; ++i) {
    inputs.push_back(packed(args.operands[i], order, args.results[i].dtype));
    fill_init(args, i, n, kind);
  }
  const int64_t kept = args.results[0].elements();
  std::vector<const void *> in(2 * n);
  std::vector<void *> out(n);
  for (int64_t from = 0; from < kept; from += RegionFn::kBlock)
    for (int64_t step = 0; step < steps; ++step) {
      for (size_t i = 0; i < n; ++i) {
        const size_t size = graph::byte_size(args.results[i].dtype);
        out[i] = static_cast<std::byte *>(args.results[i].data) + static_cast<size_t>(from) * size;
        in[i] = out[i];
        in[n + i] = inputs[i].data() + static_cast<size_t>(step * kept + from) * size;
      }
      const int64_t count = std::min(RegionFn::kBlock, kept - from);
      for (size_t i = 0; i < n && from_first && step == 0; ++i)
        std::memcpy(out[i], in[n + i], static_cast<size_t>(count) * graph::byte_size(args.results[i].dtype));
      if (!from_first || step != 0)
        combine.run(in, out, count);
    }
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.reduce", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::reduce_reference
