// SPDX-License-Identifier: Apache-2.0
// `dumb-tile(value=x, dim=0, range=16)` (PartIR slides, 2021): cuts a dimension of any value into that many
// tiles, over an axis of its own that all ranges of this count share; `axis="data"` in place of the range
// takes an axis of the mesh.
#include <fmt/format.h>

#include "partition/ranges.hpp"
#include "partition/spec.hpp"

namespace tw::partition::dumb_tile_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  constexpr std::string_view targets = "value|arg|result";
  Reader reader(statement, {targets, "dim", "range|axis"});
  TW_ASSIGN(const std::vector<Place> places, read_places(reader, statement, names, plan, targets));
  TW_ASSIGN(const Argument how, reader.one_of("range|axis"));
  if (how.key == "axis") {
    TW_ASSIGN(const std::vector<sharding::AxisId> axes, read_axes(reader, statement, plan));
    TW_TRY(reader.finish());
    for (const auto &[target, dim] : places)
      TW_TRY(tile(plan, target, dim, axes));
    return {};
  }
  TW_ASSIGN(const int64_t count, reader.integer("range"));
  TW_TRY(reader.finish());
  for (const auto &[target, dim] : places) {
    const graph::Shape &dims = plan.graph().type(target.value).dims;
    if (dim < 0 || dim >= static_cast<int64_t>(dims.size()))
      return tile(plan, target, dim, {}); // says which dimensions there are
    const int64_t size = dims[static_cast<size_t>(dim)];
    if (count < 1 || count > size)
      return fail(statement.error(Code::out_of_range, "TW-409",
                                  fmt::format("{}, dimension {}: the range must be 1 to {}, not {}",
                                              describe(plan.graph(), target), dim, size, count),
                                  reader.column("range")));
    TW_ASSIGN(const sharding::AxisId axis, range_axis(plan, node_of(plan, target), count, 0));
    TW_TRY(tile(plan, target, dim, {axis}));
  }
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{
      "dumb-tile", "dumb-tile(value=NAME, dim=N|largest, range=COUNT)",
      "Cuts a dimension of any value into this many tiles, over an axis of its own.", apply};
  return action;
}

} // namespace tw::partition::dumb_tile_action
