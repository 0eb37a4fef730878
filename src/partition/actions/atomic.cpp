// SPDX-License-Identifier: Apache-2.0
// `atomic(arg="tokens", axis="model")`: keeps a value whole on an axis (on every axis where none is named);
// propagation stops there.
#include "partition/calls.hpp"
#include "partition/spec.hpp"

namespace tw::partition::atomic_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  Reader reader(statement, {kTargets, "axis"});
  TW_ASSIGN(const std::vector<Target> targets,
            read_targets(reader, statement, names, plan, kTargets,
                         [](const Target &) { return std::string(); })); // but for constants
  std::vector<sharding::AxisId> axes;
  const bool named = reader.optional("axis").has_value();
  if (named) {
    TW_ASSIGN(axes, read_axes(reader, statement, plan));
  }
  TW_TRY(reader.finish());
  for (const Target &target : targets)
    TW_TRY(named ? keep_whole(plan, target, axes) : keep_whole(plan, target));
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"atomic", "atomic(arg=|value=|result=NAME, axis=\"NAME\")",
                                "Keeps a value whole on an axis; propagation stops there.", apply};
  return action;
}

} // namespace tw::partition::atomic_action
