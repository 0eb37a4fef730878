// SPDX-License-Identifier: Apache-2.0
// `atomic(arg="tokens", axis="model")`: keeps a value whole on an axis (on every axis where none is named);
// propagation stops there.
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
  for (const Target &target : targets) {
    if (!named) {
      axes.clear();
      const NodeId n = node_of(plan, target);
      for (size_t a = 0; a < plan.mesh().num_axes(); ++a)
        if (plan.entry(n, static_cast<sharding::AxisId>(a)) == nullptr)
          axes.push_back(static_cast<sharding::AxisId>(a));
    }
    TW_TRY(keep_whole(plan, target, axes));
  }
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"atomic", "atomic(arg=|value=|result=NAME, axis=\"NAME\")",
                                "Keeps a value whole on an axis; propagation stops there.", apply};
  return action;
}

} // namespace tw::partition::atomic_action
