// SPDX-License-Identifier: Apache-2.0
// `shard(arg="params*wq*", [{}, {model}])`: every dimension at once, and whole on every other axis. For a
// result it is the layout in which the caller gets it.
#include "partition/spec.hpp"

namespace tw::partition::shard_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  Reader reader(statement, {"sharding", "arg", "value", "result"});
  TW_ASSIGN(const std::vector<Target> targets,
            read_targets(reader, statement, names, plan.graph(), {"arg", "value", "result"}));
  TW_ASSIGN(const std::string text, reader.text("sharding"));
  TW_TRY(reader.finish());
  if (auto parts = make_parts(plan, text); !parts)
    return fail(statement.error(std::move(parts.error()), reader.column("sharding")));
  auto layout = sharding::parse_sharding(text, plan.mesh());
  if (!layout)
    return fail(statement.error(std::move(layout.error()), reader.column("sharding")));
  for (const Target &target : targets)
    TW_TRY(shard(plan, target, *layout));
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{
      "shard", "shard(arg=|value=|result=NAME, [{AXES}, ..])",
      "Fixes the layout of every dimension at once, whole on the axes it does not name.", apply};
  return action;
}

} // namespace tw::partition::shard_action
