// SPDX-License-Identifier: Apache-2.0
// `tile(arg=w1, dim=1, axis="model")` (PartIR slides, 2021): tiles one dimension of an argument, value or
// result along a mesh axis.
#include <fmt/format.h>

#include "partition/spec.hpp"

namespace tw::partition::tile_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  Reader reader(statement, {"arg", "dim", "axis", "value", "result"});
  TW_ASSIGN(const std::vector<Target> targets,
            read_targets(reader, statement, names, plan.graph(), {"arg", "value", "result"}));
  TW_ASSIGN(const int64_t dim, reader.integer("dim"));
  TW_ASSIGN(const std::vector<sharding::AxisId> axes, read_axes(reader, statement, plan));
  TW_TRY(reader.finish());
  for (const Target &target : targets) {
    if (const std::string why = tiled_already(plan, target, dim, axes); !why.empty())
      statement.notes.push_back(fmt::format("{}:{} {} changes nothing: {} is tiled so by {}",
                                            statement.pos.file, statement.pos.line, statement.text,
                                            describe(plan.graph(), target), why));
    else
      TW_TRY(tile(plan, target, dim, axes));
  }
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"tile", "tile(arg=|value=|result=NAME, dim=N, axis=\"NAME\")",
                                "Tiles one dimension of an argument, value or result along a mesh axis.",
                                apply};
  return action;
}

} // namespace tw::partition::tile_action
