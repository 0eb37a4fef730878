// SPDX-License-Identifier: Apache-2.0
// Computes what is known before a program runs, with the references.
#include "ops/folding.hpp"

#include <algorithm>

#include "kernels/ref/references.hpp"
#include "kernels/ref/region_fn.hpp"

namespace tw::ops {

using kernels::ref::RegionFn;

Result<std::optional<std::vector<std::byte>>> fold(const OpDef &def, const OpView &op,
                                                   std::span<const ArrayBytes> operands) {
  const kernels::ref::Reference *reference = kernels::ref::reference_of(def);
  if (reference == nullptr || op.results.size() != 1 || !op.regions.empty())
    return std::nullopt;
  size_t rank = op.results[0]->rank();
  for (const graph::TensorType *type : op.operands)
    rank = std::max(rank, type->rank());
  const std::vector<int64_t> zeros(rank);
  const auto whole = [&](const graph::TensorType &type, const std::byte *bytes) {
    return kernels::Buffer{const_cast<std::byte *>(bytes), type.dtype, type.dims,
                           std::span(zeros).first(type.rank()), type.dims};
  };
  std::vector<kernels::Buffer> in;
  for (size_t v = 0; v < operands.size(); ++v)
    in.push_back(whole(*op.operands[v], operands[v].data()));
  std::vector<std::byte> bytes(static_cast<size_t>(op.results[0]->bytes()));
  const kernels::Buffer out[] = {whole(*op.results[0], bytes.data())};
  TW_TRY((*reference)({op, in, out}));
  return bytes;
}

Result<std::vector<std::vector<std::byte>>> fold_region(const graph::Graph &graph, graph::RegionId id,
                                                        std::span<const ArrayBytes> arguments, size_t n) {
  const graph::Region &region = graph.region(id);
  TW_ASSIGN(RegionFn fn, RegionFn::make(graph, id));
  const auto size_of = [&](graph::ValueId v) { return graph::byte_size(graph.type(v).dtype); };
  std::vector<std::vector<std::byte>> results;
  for (const graph::ValueId v : region.yields)
    results.emplace_back(n * size_of(v));
  constexpr size_t kRun = RegionFn::kBlock;
  std::vector<const void *> in(arguments.size());
  std::vector<void *> out(results.size());
  for (size_t row = 0; row < n; row += kRun) {
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = arguments[i].data() + row * size_of(region.args[i]);
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = results[i].data() + row * size_of(region.yields[i]);
    fn.run(in, out, static_cast<int64_t>(std::min(kRun, n - row)));
  }
  return results;
}

} // namespace tw::ops
