// SPDX-License-Identifier: Apache-2.0
// Adds to the graph and to the program at once.
#include "spmd/added_ops.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "graph/op_copies.hpp"
#include "ops/reduction.hpp"

namespace tw::spmd {

using sharding::Sharding;

AddedOps::AddedOps(Lowering &lowering)
    : lowering_(lowering), program_(*lowering.program), builder_(*program_.graph_) {
  if (program_.first_added_ != graph::kNone) // others were here before
    return;
  program_.first_added_ = static_cast<graph::OpId>(program_.graph_->ops().size());
  program_.first_added_value_ = static_cast<graph::ValueId>(program_.graph_->values().size());
}

void AddedOps::begin(graph::OpId for_op, const Collective &replaced) {
  for_ = for_op;
  replaced_ = &replaced;
  prefix_ = builder_.graph().value_name(builder_.graph().result(for_op));
  prefix_.resize(std::min(prefix_.size(), prefix_.rfind('#')));
  num_named_ = 0;
}

AddedOps::Made AddedOps::made(ValueRef ref) const {
  const Value &value = program_.values_[ref];
  return {value.origin, ref, lowering_.sharding(value.sharding)};
}

std::vector<AddedOps::Made> AddedOps::add_all(std::string_view name, std::span<const Made> operands,
                                              std::span<const ops::NamedAttr> attrs, const Sharding &layout,
                                              const graph::TensorType *stated,
                                              std::span<const graph::RegionId> regions) {
  const graph::OpCode code = *ops::find_op(name);
  std::vector<graph::ValueId> values;
  std::vector<ValueRef> refs;
  for (const Made &operand : operands) {
    values.push_back(operand.value);
    refs.push_back(operand.ref);
  }
  std::vector<graph::TypeId> types;
  if (stated != nullptr)
    types.push_back(builder_.type(*stated));
  auto checked = ops::check_attrs(ops::op_def(code), attrs);
  TW_ASSERT(checked.has_value());
  const graph::LocId loc = builder_.graph().op(for_).loc;
  const auto op = ops::add(builder_, code, values, std::move(*checked), types, loc, regions);
  TW_ASSERT(op.has_value());
  std::vector<ShardingId> layouts;
  std::vector<Made> all;
  for (uint32_t i = 0; i < builder_.graph().op(*op).num_results; ++i)
    layouts.push_back(lowering_.intern(layout, builder_.type_of(builder_.graph().result(*op, i))));
  const ValueRef first =
      append(program_, {InstrKind::compute, *op}, refs, builder_.graph().result(*op), layouts);
  for (uint32_t i = 0; i < layouts.size(); ++i) {
    const graph::ValueId v = builder_.graph().result(*op, i);
    builder_.set_value_name(v, builder_.name(fmt::format("{}~{}", prefix_, ++num_named_))); // no text has a ~
    all.push_back({v, first + i, lowering_.sharding(layouts[i])});
  }
  return all;
}

graph::RegionId AddedOps::folding(sharding::Reduction kind, graph::DType dtype) {
  const graph::TypeId scalar = builder_.type({dtype, {}});
  const graph::TypeId types[] = {scalar, scalar};
  const graph::RegionId region = builder_.open_region(types);
  const std::vector<graph::ValueId> arguments = builder_.graph().region(region).args;
  const auto op = ops::add(builder_, *ops::find_op(ops::combiner_op(kind)), arguments, {});
  TW_ASSERT(op.has_value());
  builder_.close_region({builder_.graph().result(*op)});
  return region;
}

graph::RegionId AddedOps::copy_region(graph::RegionId region) {
  return graph::OpCopies(builder_.graph(), builder_).region(region);
}

AddedOps::Made AddedOps::reshape(const Made &from, graph::Shape dims, const Sharding &layout) {
  const graph::TensorType to{type(from).dtype, std::move(dims)};
  return add("stablehlo.reshape", {&from, 1}, {}, layout, &to);
}

AddedOps::Made AddedOps::splat(const graph::TensorType &type, std::vector<std::byte> element,
                               const Sharding &layout) {
  const graph::Constant constant{builder_.type(type), true,
                                 std::make_shared<const std::vector<std::byte>>(std::move(element))};
  const ops::NamedAttr value{"value", builder_.constant(constant)};
  return add("stablehlo.constant", {}, {&value, 1}, layout);
}

AddedOps::Made AddedOps::move(const Made &from, const Sharding &to) {
  const graph::TensorType type = this->type(from);
  const ShardingId layout = lowering_.intern(to, type);
  if (layout == program_.values_[from.ref].sharding)
    return from;
  Collective collective = *replaced_;
  collective.set_move(lowering_.move(builder_.graph().value(from.value).type, type,
                                     program_.values_[from.ref].sharding, layout));
  if (builder_.graph().value(from.value).def == for_) { // its result
    collective.value = from.value;
    collective.producer = for_;
  }
  const uint32_t id = add_collective(program_, std::move(collective));
  const ValueRef made = append(program_, {.kind = InstrKind::collective, .op = for_, .index = id},
                               {&from.ref, 1}, program_.values_[from.ref].origin, {&layout, 1});
  return {from.value, made, lowering_.sharding(layout)};
}

AddedOps::Made AddedOps::stand_for(Made made, graph::ValueId value) {
  program_.stand_ins_[program_.instrs_[program_.values_[made.ref].def].op] = value;
  program_.values_[made.ref].origin = value;
  return {value, made.ref, std::move(made.layout)};
}

void AddedOps::finish() {
  const std::vector<ops::OpaqueRule> known(lowering_.plan.opaque_rules().begin(),
                                           lowering_.plan.opaque_rules().end());
  program_.graph_ = builder_.finish();
  program_.rules_ = std::make_shared<const ops::RuleTable>(*program_.graph_, known);
}

} // namespace tw::spmd
