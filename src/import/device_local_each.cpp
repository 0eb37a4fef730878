// SPDX-License-Identifier: Apache-2.0
// Ops that cannot carry dimensions in front: one op for each device, of what that device holds.
#include <fmt/format.h>

#include "import/device_local_call.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using graph::Shape;
using graph::ValueId;

namespace {

constexpr int64_t kMostCopies = 64;

} // namespace

// The devices along the axes of the operands one after the other. What they make stands side by side again,
// as the results of one op.
Status DeviceLocal::each_device(Call &call) {
  int64_t copies = 1;
  for (const int64_t size : front(call.axes))
    copies *= size;
  if (!call.regions.empty() || copies > kMostCopies)
    return fail(Code::unimplemented, "TW-113",
                fmt::format("{} of values that differ between devices is not supported", call.def.name));
  std::vector<std::vector<ValueId>> rows(call.results.size());
  for (int64_t copy = 0; copy < copies; ++copy) {
    std::vector<int64_t> at(sizes_.size(), 0);
    int64_t rest = copy;
    for (size_t axis = sizes_.size(); axis-- > 0;)
      if (call.axes >> axis & 1) {
        at[axis] = rest % sizes_[axis];
        rest /= sizes_[axis];
      }
    std::vector<ValueId> operands;
    for (const ValueId v : call.operands) {
      TW_ASSIGN(operands.emplace_back(), first_of(v, mask(v), at));
    }
    graph::Attrs attrs = call.attrs;
    TW_ASSIGN(const graph::OpId made,
              ops::add(b_, call.code, operands, std::move(attrs), call.results, loc_));
    for (size_t i = 0; i < rows.size(); ++i) {
      const ValueId result = b_.graph().result(made, static_cast<uint32_t>(i));
      Shape row{1};
      const Shape local = b_.type_of(result).dims;
      row.insert(row.end(), local.begin(), local.end());
      TW_ASSIGN(rows[i].emplace_back(), reshape(result, row));
    }
  }
  std::vector<ValueId> stacked;
  const ops::NamedAttr attr{"dimension", int64_t{0}};
  for (size_t i = 0; i < rows.size(); ++i) {
    TW_ASSIGN(const ValueId flat, value("stablehlo.concatenate", rows[i], {&attr, 1}));
    Shape dims = front(call.axes);
    const Shape &local = b_.graph().type_at(call.results[i]).dims;
    dims.insert(dims.end(), local.begin(), local.end());
    TW_ASSIGN(stacked.emplace_back(), reshape(flat, dims));
  }
  TW_ASSIGN(const graph::OpId together, make("stablehlo.optimization_barrier", stacked, {}));
  for (size_t i = 0; i < rows.size(); ++i)
    values_[b_.graph().result(together, static_cast<uint32_t>(i))] = {call.results[i], call.axes};
  call.made = b_.graph().result(together);
  return {};
}

} // namespace tw::import
