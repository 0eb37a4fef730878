// SPDX-License-Identifier: Apache-2.0
// Joins the members of groups under one pin, and compares what is stated of them.
#include "partition/groups.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "partition/target.hpp"

namespace tw::partition {

using graph::ValueId;
using sharding::AxisId;

namespace {

// Whether some layout is as both say: in each dimension the axes of one go on where those of the other end,
// if that is open.
bool agree(const StatedLayout &a, const StatedLayout &b) {
  const auto keeps_whole = [](const StatedLayout &one, AxisId axis) {
    return std::ranges::find(one.whole, axis) != one.whole.end();
  };
  const auto tiles_elsewhere = [](const StatedLayout &one, size_t dim, AxisId axis) {
    for (size_t d = 0; d < one.dims.size(); ++d)
      if (d != dim && std::ranges::find(one.dims[d].axes, axis) != one.dims[d].axes.end())
        return true;
    return false;
  };
  for (size_t d = 0; d < std::min(a.dims.size(), b.dims.size()); ++d) {
    const StatedLayout::Dim &one = a.dims[d], &other = b.dims[d];
    const auto &[shorter, longer] =
        one.axes.size() <= other.axes.size() ? std::tie(one, other) : std::tie(other, one);
    if (!std::equal(shorter.axes.begin(), shorter.axes.end(), longer.axes.begin()) ||
        (shorter.axes.size() < longer.axes.size() && !shorter.open))
      return false;
    for (const AxisId axis : longer.axes)
      if (keeps_whole(a, axis) || keeps_whole(b, axis) || tiles_elsewhere(a, d, axis) ||
          tiles_elsewhere(b, d, axis))
        return false;
  }
  return true;
}

} // namespace

// Why nothing can be asked of a value; empty where something can.
std::string_view out_of_reach(const Plan &plan, graph::ValueId v) {
  const NodeId maker = plan.flow().maker(v).node;
  if (maker == graph::kNone || !plan.takes_part(maker))
    return "it is inside a combiner";
  if (plan.is_source(maker))
    return "a constant is made anew wherever it is used";
  return {};
}

void form_groups(Plan &plan, const std::vector<annotation::GroupMember> &members,
                 std::vector<std::string> &notes) {
  std::map<std::string, size_t> by_name;
  std::map<graph::ValueId, size_t> by_value;
  std::vector<std::vector<graph::ValueId>> groups;
  for (const annotation::GroupMember &member : members) {
    if (const auto why = out_of_reach(plan, member.value); !why.empty()) {
      notes.push_back(fmt::format("{}:{}: a member of sharding group {} is left out: {}", member.pos.file,
                                  member.pos.line, member.group, why));
      continue;
    }
    const auto [named, is_new] = by_name.emplace(member.group, groups.size());
    if (is_new)
      groups.emplace_back();
    const size_t into = named->second;
    const auto [known, first] = by_value.emplace(member.value, into);
    if (first) {
      groups[into].push_back(member.value);
    } else if (known->second != into) {
      const size_t from = known->second;
      groups[into].insert(groups[into].end(), groups[from].begin(), groups[from].end());
      groups[from].clear();
      for (auto &[name, group] : by_name)
        group = group == from ? into : group;
      for (auto &[value, group] : by_value)
        group = group == from ? into : group;
    }
  }
  for (std::vector<graph::ValueId> &group : groups)
    if (group.size() > 1)
      plan.pin_together(std::move(group));
}

Status check_groups(const Plan &plan, std::span<const StatedLayout> stated) {
  std::map<NodeId, std::vector<const StatedLayout *>> of_group;
  for (const StatedLayout &layout : stated) {
    const NodeId group = plan.pin_of(layout.value);
    if (group == graph::kNone || plan.pinned(group).size() < 2)
      continue;
    for (const StatedLayout *other : of_group[group])
      if (other->value != layout.value && !agree(*other, layout))
        return fail(Error(Code::invalid_argument, "TW-412",
                          fmt::format("{} and {} are members of one sharding group, and no layout is both {} "
                                      "(line {}) and {}: state one layout for all members",
                                      describe(plan.graph(), target_of(plan.graph(), other->value)),
                                      describe(plan.graph(), target_of(plan.graph(), layout.value)),
                                      other->text, other->pos.line, layout.text))
                        .at(layout.pos));
    of_group[group].push_back(&layout);
  }
  return {};
}

} // namespace tw::partition
