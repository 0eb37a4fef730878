// SPDX-License-Identifier: Apache-2.0
// The calls behind tw_plan_tile and its siblings.
#include "partition/calls.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "partition/target.hpp"

namespace tw::partition {
namespace {

// Applies `act` to each target that a name stands for and that has no obstacle, all or none.
template <class Act>
Status on_targets(Plan &plan, std::string text, std::string_view value, std::optional<std::string_view> axis,
                  const Obstacle &obstacle, Act &&act) {
  TW_ASSIGN(auto named, Targets(plan.names(), plan.graph()).values(value));
  const std::vector<Target> targets = with_place(plan, value, std::move(named), obstacle, nullptr);
  const auto before = plan.stamp();
  plan.begin_action({std::move(text), {}});
  const auto apply = [&]() -> Status {
    std::vector<sharding::AxisId> axes;
    if (axis) {
      TW_ASSIGN(axes, make_axes(plan, *axis));
    }
    for (const Target &target : targets)
      TW_TRY(act(target, axes));
    return {};
  };
  Status status = apply();
  if (!status)
    plan.undo_to(before);
  return status;
}

} // namespace

Status call_tile(Plan &plan, std::string_view value, int64_t dim, std::string_view axis) {
  return on_targets(plan, fmt::format("tile({}, dim={}, axis=\"{}\")", value, dim, axis), value, axis,
                    lacks_dimension(plan, dim), [&](const Target &target, const auto &axes) -> Status {
                      return tiled_already(plan, target, dim, axes).empty() ? tile(plan, target, dim, axes)
                                                                            : Status();
                    });
}

Status keep_whole(Plan &plan, const Target &target) {
  std::vector<sharding::AxisId> axes;
  const NodeId n = node_of(plan, target);
  for (size_t a = 0; a < plan.mesh().num_axes(); ++a)
    if (plan.entry(n, static_cast<sharding::AxisId>(a)) == nullptr)
      axes.push_back(static_cast<sharding::AxisId>(a));
  return keep_whole(plan, target, axes);
}

Status call_atomic(Plan &plan, std::string_view value, std::optional<std::string_view> axis) {
  return on_targets(
      plan, axis ? fmt::format("atomic({}, axis=\"{}\")", value, *axis) : fmt::format("atomic({})", value),
      value, axis, [](const Target &) { return std::string(); },
      [&](const Target &target, const auto &axes) {
        return axis ? keep_whole(plan, target, axes) : keep_whole(plan, target);
      });
}

void call_propagate(Plan &plan, Mode mode) {
  plan.begin_action({mode == Mode::propagate ? "propagate" : "infer-propagate", {}});
  plan.propagate(mode);
}

bool is_propagation(const Action &action) {
  return action.text.starts_with("propagate") || action.text.starts_with("infer-propagate");
}

bool lacks_propagation(const Plan &plan) {
  constexpr std::string_view tiling[] = {"tile", "arg-tile", "split", "shard"};
  bool tiles = false;
  for (const Action &action : plan.actions()) {
    const std::string_view text = action.text;
    if (is_propagation(action))
      return false;
    // A result's layout is where it moves in the end: nothing follows from it.
    const auto is_call = [&](std::string_view word) { // and no op of that name, as shard.all_reduce is
      return text.starts_with(word) && (text.size() == word.size() || text[word.size()] != '.');
    };
    tiles = tiles || (std::ranges::any_of(tiling, is_call) && text.find("result=") == std::string_view::npos);
  }
  return tiles;
}

bool lacks_actions(const Plan &plan) {
  if (plan.mesh().num_devices() == 1 || plan.actions().size() > 1)
    return false;
  for (NodeId n = 0; n < plan.num_nodes(); ++n)
    if (!plan.nest(n).empty())
      return false;
  return true;
}

Result<graph::ValueId> find_value(const graph::Graph &graph, std::string_view name) {
  const Names names(graph);
  auto values = names.values(name);
  if (!values) {
    const auto results = names.results(name);
    if (results && results->size() == 1)
      return graph.operands(graph.results()[results->front()])[0];
    return fail(std::move(values.error()));
  }
  if (values->size() != 1)
    return fail(Code::invalid_argument, "TW-480",
                fmt::format("\"{}\" names {} values; name one", name, values->size()));
  return values->front();
}

} // namespace tw::partition
