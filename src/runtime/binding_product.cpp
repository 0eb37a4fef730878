// SPDX-License-Identifier: Apache-2.0
// Products with what is made of them, for kinds of device that have a kernel for both.
#include <algorithm>
#include <utility>

#include "runtime/binding.hpp"

namespace tw::runtime {

using kernels::Kernel;
using spmd::ValueRef;

bool Binder::has_product(const Step &step) {
  return have_kernel(step, [&](Position d) { return bind_product(step, d); });
}

const Kernel *Binder::bind_product(const Step &step, Position position) {
  if (kind_ == nullptr)
    return nullptr;
  const Step &product = step.members[0], &group = step.members[1];
  const spmd::Instr &in = program_.instrs()[product.instrs[0]];
  const graph::Op &op = program_.graph().op(in.op);
  std::vector<kernels::Tile> operands, results;
  for (const ValueRef v : product.operands)
    operands.push_back(tile(v, position));
  results.push_back(tile(product.results[0], position));
  const Fused rest = fused(group, position, nullptr);
  Key key{kProduct, unit(position), op.code, op.attrs};
  for (const auto *tiles : {&operands, &results})
    for (const kernels::Tile &t : *tiles) {
      key.push_back(static_cast<int64_t>(t.dtype));
      append(key, t.global);
      append(key, t.extent);
    }
  key.insert(key.end(), rest.key.begin(), rest.key.end());
  if (const auto known = kernels_.find(key); known != kernels_.end())
    return known->second.get();
  const ops::OpViewHolder view(program_.graph(), in.op);
  kernels::Request request{view.view(), ops::op_def(op.code), operands, results};
  request.unit = unit(position);
  request.tf32 = how_.tf32;
  request.same_bits = how_.same_bits;
  const auto made = std::ranges::find(group.reads, product.results[0], &FusedRead::value);
  auto kernel = kind_->bind_product(request, rest.request, static_cast<uint32_t>(made - group.reads.begin()));
  return kernel != nullptr ? keep(std::move(key), std::move(kernel)) : nullptr;
}

} // namespace tw::runtime
