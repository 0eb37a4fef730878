// SPDX-License-Identifier: Apache-2.0
// Actions as calls, for embedders who write no spec text; each is an action of its own, and leaves the plan
// as it was when it fails.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "partition/plan.hpp"

namespace tw::partition {

struct Target;

// `value` names arguments or values as specs do (name, glob, index); `axis` an axis of the mesh.
Status call_tile(Plan &plan, std::string_view value, int64_t dim, std::string_view axis);
// No axis: every axis on which nothing is decided of the value.
Status call_atomic(Plan &plan, std::string_view value, std::optional<std::string_view> axis);
Status keep_whole(Plan &plan, const Target &target);
void call_propagate(Plan &plan, Mode mode);
bool is_propagation(const Action &action);
// Whether actions tile something, and none has propagated it.
bool lacks_propagation(const Plan &plan);
// Whether there are devices to share the work, and nothing tiles anything: no action, no annotation, no
// device-local code.
bool lacks_actions(const Plan &plan);
// The one value of that name, or that the result of that name is.
Result<graph::ValueId> find_value(const graph::Graph &graph, std::string_view name);

} // namespace tw::partition
