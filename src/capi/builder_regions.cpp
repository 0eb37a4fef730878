// SPDX-License-Identifier: Apache-2.0
// tw_builder.h: regions, and ops with all that they can have.
#include <algorithm>

#include "capi/builder.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

// The regions that a caller gives to an op: ended, begun where the op is added, and no other op's.
Result<std::vector<graph::RegionId>> take_regions(tw_builder_t *b, std::span<const tw_region_t> given) {
  std::vector<graph::RegionId> ids;
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] >= b->regions.size())
      return fail(Code::invalid_argument, "TW-727",
                  fmt::format("regions[{}] is no region of this builder", i));
    tw_builder::Region &region = b->regions[given[i]];
    if (region.open || region.owned || region.around != b->here())
      return fail(Code::invalid_argument, "TW-727",
                  fmt::format("regions[{}], region {}, {}", i, given[i],
                              region.open    ? "is open: tw_builder_end_region ends it"
                              : region.owned ? "belongs to another op"
                                             : "began elsewhere than where its op is added"));
    region.owned = true;
    ids.push_back(region.id);
  }
  return ids;
}

// The op that owns regions moves them to the front of all that began since the first of them; the others,
// which wait for their ops, follow in their order.
void follow_moves(tw_builder_t *b, std::span<const graph::RegionId> owned) {
  if (owned.empty())
    return;
  const graph::RegionId first = std::ranges::min(owned);
  for (tw_builder::Region &region : b->regions)
    if (!region.owned && !region.open && region.id > first)
      region.id += static_cast<graph::RegionId>(
          std::ranges::count_if(owned, [&](graph::RegionId id) { return id > region.id; }));
}

Result<ValueId> add_spec(tw_builder_t *b, const tw_op_spec_t &spec) {
  TW_TRY(require(spec.name, "spec->name"));
  TW_ASSIGN(const auto code, named_op(spec.name, true));
  if (spec.num_operands)
    TW_TRY(require(spec.operands, "spec->operands"));
  if (spec.num_regions)
    TW_TRY(require(spec.regions, "spec->regions"));
  if (spec.num_attrs)
    TW_TRY(require(spec.attrs, "spec->attrs"));
  std::vector<ops::NamedAttr> attrs;
  for (size_t i = 0; i < spec.num_attrs; ++i) {
    TW_ASSIGN(auto value, attr_value(spec.attrs, i));
    attrs.emplace_back(spec.attrs[i].name, std::move(value));
  }
  TW_ASSIGN(const auto types, read_types(spec.result_types, spec.num_result_types, "spec->result_types"));
  TW_ASSIGN(const auto regions, take_regions(b, {spec.regions, spec.num_regions}));
  graph::LocId loc = 0;
  const bool located = spec.location && *spec.location;
  if (located || spec.line != 0)
    loc = b->graph.location({spec.line, spec.column, located ? b->graph.name(spec.location) : graph::kNone});
  TW_ASSIGN(const auto first, add(b, code, {spec.operands, spec.num_operands}, attrs, types, regions, loc));
  follow_moves(b, regions);
  return first;
}

} // namespace

tw_value_t tw_builder_op(tw_builder_t *b, const tw_op_spec_t *spec, tw_value_t *out_results,
                         size_t max_results) {
  return step(b, "tw_builder_op", [&]() -> Result<ValueId> {
    TW_TRY(require(spec, "spec"));
    TW_TRY(check_options(spec, "spec"));
    if (max_results)
      TW_TRY(require(out_results, "out_results"));
    TW_ASSIGN(const auto first, add_spec(b, completed(spec)));
    write_results(b, first, out_results, max_results);
    return first;
  });
}

void tw_builder_begin_region(tw_builder_t *b, const tw_type_t *argument_types, size_t num_arguments,
                             tw_value_t *out_arguments) {
  step(b, "tw_builder_begin_region", [&]() -> Result<ValueId> {
    if (num_arguments)
      TW_TRY(require(out_arguments, "out_arguments"));
    TW_ASSIGN(const auto types, read_types(argument_types, num_arguments, "argument_types"));
    std::vector<graph::TypeId> ids;
    for (const graph::TensorType &type : types)
      ids.push_back(b->graph.type(type));
    const graph::RegionId around = b->here();
    const graph::RegionId id = b->graph.open_region(ids);
    b->regions.push_back({id, around});
    b->open.push_back(b->regions.size() - 1);
    std::ranges::copy(b->graph.graph().region(id).args, out_arguments);
    return TW_NO_VALUE;
  });
}

tw_region_t tw_builder_end_region(tw_builder_t *b, const tw_value_t *yields, size_t num_yields) {
  return step(b, "tw_builder_end_region", [&]() -> Result<tw_region_t> {
    if (num_yields)
      TW_TRY(require(yields, "yields"));
    if (b->open.empty())
      return fail(Code::failed_precondition, "TW-727",
                  "no region is open: tw_builder_begin_region begins one");
    TW_TRY(check_values(b, {yields, num_yields}, "yield"));
    const size_t number = b->open.back();
    for (size_t i = number + 1; i < b->regions.size(); ++i)
      if (!b->regions[i].owned)
        return fail(Code::failed_precondition, "TW-727",
                    fmt::format("region {} inside this one was given to no op: tw_builder_op takes it", i));
    b->graph.close_region({yields, yields + num_yields});
    b->open.pop_back();
    b->regions[number].open = false;
    return static_cast<tw_region_t>(number);
  });
}

tw_region_t tw_builder_combiner(tw_builder_t *b, const char *op, tw_dtype_t dtype) {
  return step(b, "tw_builder_combiner", [&]() -> Result<tw_region_t> {
    TW_ASSIGN(const auto type, checked_type(dtype, nullptr, 0));
    const graph::RegionId around = b->here();
    TW_ASSIGN(const auto id, combiner_region(b, op, type.dtype));
    b->regions.push_back({id, around, false});
    return static_cast<tw_region_t>(b->regions.size() - 1);
  });
}
