// SPDX-License-Identifier: Apache-2.0
// Control flow of device-local code: what loops carry and branches give has dimensions in front like any
// other value.
#include <fmt/format.h>

#include "import/device_local.hpp"
#include "ops/element.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using graph::TypeId;
using graph::ValueId;

uint64_t DeviceLocal::carried_axes(ValueId v, const char *at, size_t index) const {
  const graph::TensorType &local = b_.graph().type_at(type(v));
  const bool counts = local.dims.empty() && !graph::is_float(local.dtype) && !graph::is_complex(local.dtype);
  const uint64_t known = mask(v) | findings_.carried_axes(at, index);
  if (!findings_.cautious() || (counts && known == 0))
    return known;
  return known | (manual_.empty() ? every_axis() : bits_of(manual_));
}

void DeviceLocal::declare(ValueId argument, TypeId local, uint64_t axes) {
  values_[argument] = {local, axes};
}

Result<ValueId> DeviceLocal::carry(ValueId v, uint64_t axes, const char *at, size_t index) {
  const uint64_t more = mask(v) & ~axes;
  if (more == 0)
    return expand(v, axes);
  if (findings_.cautious())
    return fail(
        Code::unimplemented, "TW-113",
        "this number differs between devices here, and is the same on all of them where the loop begins or "
        "in another branch: that is not supported in so many loops that depend on each other");
  findings_.add_carried(at, index, more);
  TW_ASSIGN(const ValueId fits, first_of(v, more)); // this reading goes on for what else it finds
  return expand(fits, axes);
}

Result<graph::OpId> DeviceLocal::add_control(graph::OpCode code, std::span<const ValueId> operands,
                                             std::span<const uint64_t> carried,
                                             std::span<const TypeId> results,
                                             std::span<const graph::RegionId> regions, const char *at) {
  std::vector<ValueId> whole(operands.begin(), operands.end());
  const bool loop =
      operands.size() == carried.size() && ops::op_def(code).name == std::string_view("stablehlo.while");
  for (size_t i = 0; loop && i < whole.size(); ++i) {
    TW_ASSIGN(whole[i], carry(whole[i], carried[i], at, i));
  }
  std::vector<TypeId> types;
  for (size_t i = 0; i < results.size(); ++i)
    types.push_back(type_with(results[i], i < carried.size() ? carried[i] : 0));
  TW_ASSIGN(const graph::OpId made, ops::add(b_, code, whole, {}, types, loc_, regions));
  for (size_t i = 0; i < results.size() && i < carried.size(); ++i)
    if (carried[i] != 0)
      declare(b_.graph().result(made, static_cast<uint32_t>(i)), results[i], carried[i]);
  return made;
}

// Of n branches the last one is taken for any other index, so it is what the rest is chosen before.
Result<std::vector<ValueId>> DeviceLocal::choose(ValueId decision,
                                                 std::span<const std::vector<ValueId>> branches) {
  const graph::DType dtype = b_.type_of(decision).dtype;
  const bool predicate = dtype == graph::DType::i1;
  if ((predicate && branches.size() != 2) || (!predicate && dtype != graph::DType::s32) ||
      !local_dims(decision).empty())
    return fail(Code::invalid_argument, "TW-113",
                "a branch is chosen by a predicate of two branches, or by an index of type i32");
  for (const auto &branch : branches)
    if (branch.size() != branches[0].size())
      return fail(Code::invalid_argument, "TW-113", "the branches give different numbers of values");
  std::vector<ValueId> chosen = branches.back();
  for (size_t b = branches.size() - 1; b-- > 0;) {
    ValueId taken = decision;
    if (!predicate) {
      TW_ASSIGN(const ValueId number,
                constant(dtype, {}, ops::element_bytes(dtype, static_cast<double>(b)), true));
      const ValueId pair[] = {decision, number};
      const ops::NamedAttr equal{"comparison_direction", std::string("EQ")};
      TW_ASSIGN(taken, local("stablehlo.compare", pair, {&equal, 1}));
    }
    for (size_t i = 0; i < chosen.size(); ++i) {
      const ValueId operands[] = {taken, branches[b][i], chosen[i]};
      TW_ASSIGN(chosen[i], local("stablehlo.select", operands, {}));
    }
  }
  return chosen;
}

} // namespace tw::import
