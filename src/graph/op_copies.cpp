// SPDX-License-Identifier: Apache-2.0
// Names and places in a text stay behind where the copies are part of another graph.
#include "graph/op_copies.hpp"

namespace tw::graph {

ValueId OpCopies::at(ValueId from) const {
  const auto copy = values_.find(from);
  TW_ASSERT(same_ || copy != values_.end());
  return copy == values_.end() ? from : copy->second;
}

TypeId OpCopies::type(TypeId type) {
  if (same_)
    return type;
  const auto [at, fresh] = types_.try_emplace(type);
  if (fresh)
    at->second = to_.type(from_.type_at(type));
  return at->second;
}

AttrsId OpCopies::attrs(AttrsId attrs) {
  if (same_)
    return attrs;
  const auto [at, fresh] = attrs_.try_emplace(attrs);
  if (fresh) {
    Attrs copy = from_.attrs_at(attrs);
    for (AttrValue &value : copy)
      if (auto *id = std::get_if<ConstantId>(&value)) {
        Constant constant = from_.constant(*id);
        constant.type = type(constant.type);
        *id = to_.constant(std::move(constant));
      }
    at->second = to_.attrs(std::move(copy));
  }
  return at->second;
}

OpId OpCopies::add(OpId id, std::span<const ValueId> operands) {
  const Op op = from_.op(id); // where it grows, what was looked at moves
  std::vector<RegionId> regions;
  for (uint32_t r = 0; r < op.num_regions; ++r)
    regions.push_back(region(op.first_region + r));
  std::vector<TypeId> results;
  for (uint32_t r = 0; r < op.num_results; ++r)
    results.push_back(type(from_.value(op.first_result + r).type));
  const OpId copy = to_.add_op({op.code, operands, results, attrs(op.attrs), same_ ? op.loc : 0, regions});
  for (uint32_t r = 0; r < op.num_results; ++r)
    put(op.first_result + r, to_.graph().result(copy, r));
  return copy;
}

RegionId OpCopies::region(RegionId id) {
  const Region region = from_.region(id);
  std::vector<TypeId> types;
  for (const ValueId v : region.args)
    types.push_back(type(from_.value(v).type));
  const RegionId made = to_.open_region(types);
  for (size_t i = 0; i < region.args.size(); ++i)
    put(region.args[i], to_.graph().region(made).args[i]);
  for (const OpId op : region.ops) {
    std::vector<ValueId> operands;
    for (const ValueId v : from_.operands(op))
      operands.push_back(at(v));
    add(op, operands);
  }
  std::vector<ValueId> yields;
  for (const ValueId v : region.yields)
    yields.push_back(at(v));
  to_.close_region(std::move(yields));
  return made;
}

} // namespace tw::graph
