// SPDX-License-Identifier: Apache-2.0
// Spec files: sharding actions as text, applied to a plan in order.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "partition/plan.hpp"
#include "partition/statement.hpp"
#include "partition/target.hpp"

namespace tw::partition {

// An action: one file of actions/, one line of action_list.inc.
struct ActionDef {
  const char *name;      // "arg-tile"
  const char *signature; // "arg-tile ARGUMENT DIMENSION WIDTH"
  const char *doc;       // one sentence
  Status (*apply)(Plan &plan, const Statement &statement, const Names &names);
};
std::span<const ActionDef *const> all_actions(); // sorted by name

inline constexpr std::string_view kTargets = "arg|value|result"; // keys that most actions take

// What actions read alike: the targets that one of these keys names, without those of a pattern that have an
// obstacle, and the axes of `axis`, whose parts are made.
Result<std::vector<Target>> read_targets(Reader &reader, const Statement &statement, const Names &names,
                                         const Plan &plan, std::string_view keys,
                                         const Obstacle &obstacle = {});
// One dimension of a target, and those that one of `keys` and dim= name: a number, or `largest`, the first of
// the largest dimensions.
struct Place {
  Target target;
  int64_t dim;
};
Result<std::vector<Place>> read_places(Reader &reader, const Statement &statement, const Names &names,
                                       const Plan &plan, std::string_view keys);
Result<std::vector<sharding::AxisId>> read_axes(Reader &reader, const Statement &statement, Plan &plan);
// What `serial` and `threads` do.
Status make_axis(Plan &plan, const Statement &statement, sharding::AxisKind kind);

// A rewrite of each value that one of these keys names, over each axis of `axis`.
Status rewrite_values(Plan &plan, const Statement &statement, const Names &names, std::string_view keys,
                      Status (*rewrite)(Plan &, graph::ValueId, sharding::AxisId));

// Called after each action, which has been applied.
using Observer = std::function<void(const Statement &)>;

// Applies a spec; each statement is an action of its own. On an error, which has file, line and column, the
// lines before the failing one stay applied, and it and those after it are not.
Status apply_spec(Plan &plan, std::string_view text, const std::string &file, const Observer &observe = {});

} // namespace tw::partition
