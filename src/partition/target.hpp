// SPDX-License-Identifier: Apache-2.0
// What an action acts on: arguments, results and values found by name, glob, index or range, and axes found
// by name; errors name what was asked for and what is there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partition/names.hpp"
#include "partition/plan.hpp"

namespace tw::partition {

// The axes that a name stands for, major to minor: an axis, all parts of a refined one, or a run of them
// ("c:(2)4").
Result<std::vector<sharding::AxisId>> find_axes(const sharding::Mesh &mesh, std::string_view name);
// The same, and makes the parts of axes that a text names ("c:(2)4", also within a sharding): the axis
// becomes several.
Result<std::vector<sharding::AxisId>> make_axes(Plan &plan, std::string_view name);
Status make_parts(Plan &plan, std::string_view text);

// One thing to act on.
struct Target {
  enum class Kind : uint8_t { argument, result, value } kind;
  uint32_t index;       // which argument or result
  graph::ValueId value; // whose type it has
};

// Which argument an op is; nothing where it is none.
std::optional<uint32_t> argument_index(const graph::Graph &graph, graph::OpId op);
// A value as such, or the argument that it is.
Target target_of(const graph::Graph &graph, graph::ValueId v);

class Targets {
public:
  Targets(const Names &names, const graph::Graph &graph) : names_(names), graph_(graph) {}
  Result<std::vector<Target>> arguments(std::string_view pattern) const;
  Result<std::vector<Target>> results(std::string_view pattern) const;
  // Arguments and results as such; a glob names results only where it names nothing else.
  Result<std::vector<Target>> values(std::string_view pattern) const;

private:
  const Names &names_;
  const graph::Graph &graph_;
};

// "argument 'w1' f32[256,256]"
std::string describe(const graph::Graph &graph, const Target &target);
// The node that holds a target's layout: the argument's, the result's, or the value's pin, which is made if
// need be.
NodeId node_of(Plan &plan, const Target &target);

// A constant or iota, which each of its users makes anew: no layout of its own would hold.
bool is_made_anew(const Plan &plan, const Target &target);

// Why an action has no place on a target, "it is a scalar"; empty where it has one.
using Obstacle = std::function<std::string(const Target &)>;
// Of what a pattern named, the targets without an obstacle, and no constants; all of them where each has one
// or the text is no pattern, so that the action says what is wrong. `left_out` (may be null) is what was left
// out, and why.
std::vector<Target> with_place(const Plan &plan, std::string_view pattern, std::vector<Target> targets,
                               const Obstacle &obstacle, std::string *left_out);
// Of an action on dimension `dim`.
Obstacle lacks_dimension(const Plan &plan, int64_t dim);

// Why a dimension is tiled along just these axes already, "by spec.txt:1 propagate": nothing is left to do
// then. Empty where it is not.
std::string tiled_already(Plan &plan, const Target &target, int64_t dim,
                          const std::vector<sharding::AxisId> &axes);
// Tiles one dimension along axes, major to minor; `rule` cuts it over all of its axes then.
Status tile(Plan &plan, const Target &target, int64_t dim, const std::vector<sharding::AxisId> &axes,
            const sharding::SplitRule *rule = nullptr);
// Keeps a target whole on these axes: propagation stops there.
Status keep_whole(Plan &plan, const Target &target, const std::vector<sharding::AxisId> &axes);
// All dimensions at once, and whole on every axis that is not named; a result's layout is only where its
// value moves in the end.
Status shard(Plan &plan, const Target &target, const sharding::Sharding &layout);

} // namespace tw::partition
