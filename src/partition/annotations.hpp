// SPDX-License-Identifier: Apache-2.0
// Shardings that a module carries, bound to a mesh and applied before the first line of a spec.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "annotation/annotations.hpp"
#include "partition/plan.hpp"

namespace tw::partition {

// The mesh for a plan of an annotated module: the one given, else the one that the module declares, else that
// of one device; axes of which annotations name parts are refined into them.
Result<sharding::Mesh> mesh_for(const annotation::Annotations &annotations,
                                const std::optional<sharding::Mesh> &given);

// Applies all annotations: rules of single ops, groups (one layout for all members) and barriers first; then
// shardings, all of which stand in the nests from the start and are propagated by inference in turns: those
// of the lowest priority number first, and of one priority those of results last. A dimension that is closed
// takes no further axis: where none of a value's is open, the value is whole on the axes that it does not
// name. Axes over which a value is unreduced split the sum that makes it, and leave its parts open. A
// constraint that nobody uses is about its operand. An axis that the mesh does not have is an error, and so
// are members of one group that are stated in layouts that do not agree; what has no meaning here (unreduced
// arguments and results, single devices, a device order that the mesh cannot express, a second layout of one
// value) is left out and named in the notes.
Result<std::vector<std::string>> apply_annotations(Plan &plan, const annotation::Annotations &annotations);

} // namespace tw::partition
