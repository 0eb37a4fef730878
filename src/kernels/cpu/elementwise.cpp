// SPDX-License-Identifier: Apache-2.0
// An elementwise op on its own: a fused group of one.
#include "kernels/entry.hpp"
#include "kernels/fused.hpp"

namespace tw::kernels::cpu::elementwise_kernel {

namespace {

std::unique_ptr<Kernel> bind(const Request &r) {
  FusedRequest group;
  group.extent = r.results[0].extent;
  FusedNode node{r.op, &r.def, r.results[0].dtype, {}};
  for (const Tile &operand : r.operands) {
    // Operands of rank 0 beside larger ones (a predicate, the bounds of clamp) are repeated.
    const bool repeated = operand.extent.size() != group.extent.size();
    node.args.push_back(static_cast<uint32_t>(group.inputs.size()));
    group.inputs.push_back({operand.dtype, repeated ? std::vector<int64_t>(group.extent.size(), 0)
                                                    : dense_strides(operand.extent)});
  }
  group.nodes.push_back(std::move(node));
  group.outputs.push_back(0);
  return bind_fused(group);
}

} // namespace

Entry entry() { return {"cpu:fused", {}, bind, ops::kElementwise}; }

} // namespace tw::kernels::cpu::elementwise_kernel
