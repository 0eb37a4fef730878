// SPDX-License-Identifier: Apache-2.0
// What was acted on already holds for the whole program: then all layers stay.
#include "search/space.hpp"

#include <algorithm>

#include "base/watch.hpp"
#include "search/looks.hpp"
#include "spmd/moved_bytes.hpp"

namespace tw::search {

using partition::NodeId;
using partition::Plan;
using sharding::AxisId;

namespace {

// By annotations and actions, of which the first stands for annotations, and by rules for single ops.
bool is_untouched(const Plan &plan) {
  if (plan.actions().size() > 1 ||
      std::ranges::any_of(plan.opaque_rules(), [](const ops::OpaqueRule &r) { return r.op != graph::kNone; }))
    return false;
  for (NodeId n = 0; n < plan.num_nodes(); ++n)
    if (plan.is_pin(n) || !plan.nest(n).empty())
      return false;
  return true;
}

// That are to be decided about.
std::vector<AxisId> axes_of(const Plan &plan, const Scope &scope) {
  std::vector<AxisId> axes;
  for (AxisId axis = 0; axis < plan.mesh().num_axes(); ++axis)
    if (plan.mesh().size(axis) > 1 && plan.mesh().axis(axis).kind == sharding::AxisKind::device &&
        !plan.is_anonymous(axis) && (scope.axes.empty() || std::ranges::count(scope.axes, axis) != 0))
      axes.push_back(axis);
  return axes;
}

} // namespace

Result<std::shared_ptr<const Space>> Space::create(const Plan &plan, const system::System &system,
                                                   const spmd::Options &options, const Scope &scope,
                                                   const Relaxing &how) {
  auto space = std::make_shared<Space>();
  const Looks looks(plan.graph());
  const std::vector<Stack> stacks =
      scope.one_by_one ? std::vector<Stack>{} : find_stacks(plan.graph(), looks);
  TW_TRY(check_watch());
  space->few = keep_few_layers(plan.graph_ptr(), is_untouched(plan) ? stacks : std::vector<Stack>{});
  space->groups = find_groups(plan.graph(), looks, stacks, space->few);
  if (!scope.one_by_one)
    space->values = find_values(plan.graph(), space->few);
  std::unique_ptr<Plan> few;
  space->all_layers = space->few.graph == plan.graph_ptr();
  if (space->all_layers) {
    few = std::make_unique<Plan>(plan);
  } else {
    const auto opaque = plan.opaque_rules();
    few = std::make_unique<Plan>(space->few.graph, plan.mesh(),
                                 std::vector<ops::OpaqueRule>(opaque.begin(), opaque.end()));
  }
  few->set_policy(plan.policy(), spmd::count_moves); // choices are made for every plan that is tried
  for (const Value &value : space->values)           // prices follow plans whose pins stay as they are
    few->pin(value.few);
  const Effort effort{// a second or two
                      .bounding = 1e9,
                      .choosing = 4e8,
                      .tells = !space->all_layers,
                      .until = how.until};
  if (auto relaxation = relax(*few, system, options, &space->few.repeats)) { // engines say what is wrong
    space->relaxed = solve(*relaxation, effort);
    if (how.whole != nullptr && space->all_layers)
      *how.whole = *std::move(relaxation);
  }
  TW_TRY(check_watch());
  const std::vector<AxisId> axes = axes_of(plan, scope);
  space->borders = find_borders(*few, space->relaxed, space->few, stacks, axes);
  space->plan = std::move(few);
  space->system = &system;
  space->options = options;
  space->even_only = scope.even_only;

  const auto has = [&](Purpose purpose) {
    return std::ranges::any_of(space->groups, [&](const Group &group) { return group.purpose == purpose; });
  };
  const auto may_cut = [&](int64_t size, AxisId axis) {
    const int64_t tiles = plan.mesh().size(axis);
    return size >= tiles && (!scope.even_only || size % tiles == 0);
  };
  for (const AxisId axis : axes) {
    for (uint32_t g = 0; g < space->groups.size(); ++g)
      for (size_t d = 0; d < space->type(space->groups[g]).rank(); ++d)
        if (may_cut(space->type(space->groups[g]).dims[d], axis))
          space->decisions.push_back({Decision::Kind::tile, axis, g, static_cast<uint8_t>(d)});
    for (uint32_t v = 0; v < space->values.size(); ++v) {
      const graph::Shape &dims = space->few.graph->type(space->values[v].few).dims;
      for (size_t d = 0; d < dims.size(); ++d)
        if (dims[d] >= plan.mesh().size(axis))
          space->decisions.push_back({Decision::Kind::value, axis, v, static_cast<uint8_t>(d)});
    }
    if (has(Purpose::state) && has(Purpose::weight))
      space->decisions.push_back({Decision::Kind::state, axis});
    if (has(Purpose::weight))
      space->decisions.push_back({Decision::Kind::storage, axis});
  }
  if (!space->borders.empty() && !axes.empty())
    space->decisions.push_back({Decision::Kind::borders, axes.back()});
  return std::shared_ptr<const Space>(std::move(space));
}

} // namespace tw::search
