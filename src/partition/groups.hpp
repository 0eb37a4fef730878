// SPDX-License-Identifier: Apache-2.0
// Sharding groups of a module: values that are sharded alike, though no data flows between them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "annotation/annotations.hpp"
#include "partition/plan.hpp"

namespace tw::partition {

// One pin for the members of each group; groups that share a member are one. What cannot be a member is left
// out and named in the notes.
void form_groups(Plan &plan, const std::vector<annotation::GroupMember> &members,
                 std::vector<std::string> &notes);

// Why nothing can be asked of a value; empty where something can.
std::string_view out_of_reach(const Plan &plan, graph::ValueId v);

// A layout that is stated of a value, its axes found in the plan's mesh.
struct StatedLayout {
  struct Dim {
    std::vector<sharding::AxisId> axes; // major to minor
    bool open;                          // more may follow
  };
  graph::ValueId value;
  std::vector<Dim> dims;
  std::vector<sharding::AxisId> whole; // no dimension is tiled over these
  std::string text;                    // as written
  SourcePos pos;
};

// An error that names both where two members of a group are stated in layouts that no layout agrees with.
Status check_groups(const Plan &plan, std::span<const StatedLayout> stated);

} // namespace tw::partition
