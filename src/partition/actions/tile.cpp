// SPDX-License-Identifier: Apache-2.0
// `tile(arg=w1, dim=1, axis="model")` (PartIR slides, 2021): tiles one dimension of an argument, value or
// result along a mesh axis.
#include <fmt/format.h>

#include "partition/spec.hpp"

namespace tw::partition::tile_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  Reader reader(statement, {kTargets, "dim", "axis"});
  TW_ASSIGN(const std::vector<Place> places, read_places(reader, statement, names, plan, kTargets));
  TW_ASSIGN(const std::vector<sharding::AxisId> axes, read_axes(reader, statement, plan));
  TW_TRY(reader.finish());
  for (const auto &[target, dim] : places) {
    if (const std::string why = tiled_already(plan, target, dim, axes); !why.empty())
      statement.note(
          fmt::format("changes nothing: {} is tiled so by {}", describe(plan.graph(), target), why));
    else
      TW_TRY(tile(plan, target, dim, axes));
  }
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"tile", "tile(arg=|value=|result=NAME, dim=N|largest, axis=\"NAME\")",
                                "Tiles one dimension of an argument, value or result along a mesh axis.",
                                apply};
  return action;
}

} // namespace tw::partition::tile_action
