// SPDX-License-Identifier: Apache-2.0
// `arg-tile 1 1 128` (earlier PartIR slides): cuts a dimension of an argument into intervals of a width, over
// an axis of its own that has as many places as there are intervals. The last interval is smaller where the
// width does not divide. What is tiled already has each of its tiles cut so: `arg-tile 0 0 8; arg-tile 0 0 4`
// nests, and makes tiles of 4.
#include <fmt/format.h>

#include "partition/ranges.hpp"
#include "partition/spec.hpp"

namespace tw::partition::arg_tile_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  Reader reader(statement, {"arg", "dim", "width"});
  TW_ASSIGN(const std::vector<Place> places, read_places(reader, statement, names, plan, "arg"));
  TW_ASSIGN(const int64_t width, reader.integer("width"));
  TW_TRY(reader.finish());
  for (const auto &[target, dim] : places) {
    const graph::Shape &dims = plan.graph().type(target.value).dims;
    if (dim < 0 || dim >= static_cast<int64_t>(dims.size()))
      return tile(plan, target, dim, {}); // says which dimensions there are
    const int64_t size = dims[static_cast<size_t>(dim)];
    if (width < 1 || width > size)
      return fail(statement.error(Code::out_of_range, "TW-409",
                                  fmt::format("{}, dimension {}: the width must be 1 to {}, not {}",
                                              describe(plan.graph(), target), dim, size, width),
                                  reader.column("width")));
    const NodeId n = node_of(plan, target);
    const Intervals cut = intervals(plan, n, plan.rule(n).results[0][static_cast<size_t>(dim)][0], width);
    if (cut.extent < size && width >= cut.extent)
      return fail(statement.error(
          Code::out_of_range, "TW-409",
          fmt::format("{}, dimension {}: its tiles have {} elements already: the width must be "
                      "smaller, not {}",
                      describe(plan.graph(), target), dim, cut.extent, width),
          reader.column("width")));
    TW_ASSIGN(const sharding::AxisId axis, range_axis(plan, n, cut.extent, width));
    TW_TRY(tile(plan, target, dim, {axis}, &cut.rule));
  }
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{
      "arg-tile", "arg-tile ARGUMENT DIMENSION WIDTH",
      "Cuts a dimension of an argument into intervals of this width, over an axis of its own.", apply};
  return action;
}

} // namespace tw::partition::arg_tile_action
