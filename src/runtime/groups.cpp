// SPDX-License-Identifier: Apache-2.0
// Floating groups never wait for each other in a circle, and finding that out takes a bounded time a member.
//
// Draw an arrow from each floating group to each other floating group of which it reads something. Placed
// groups need no arrows: when a group gets its place all that it reads has one, and later it takes only what
// has an earlier place, so no way from a placed group leads to a floating one. There is no circle of arrows
// at first, and none of the changes makes one:
//  - A new group has one member, which nobody reads yet: no arrow ends there.
//  - A member joins g. Nobody reads it yet, so all new arrows begin at g, and a circle would use one of them,
//    from g to a maker of what the member reads, and old arrows back from that maker to g. `may_join` refuses
//    if there is such a way.
//  - Two groups a and b become one. A circle would be a way from a to b, or back, by a third group: the
//    arrows between the two themselves are inside afterwards. `may_merge` refuses if there is one. The member
//    on whose account they merge is in a by then: a third group from which it reads, and which reads b, is on
//    such a way.
//  - A group gets its place: arrows go.
// A search that meets too many groups gives up and refuses, so a member costs no more than a constant. Then
// `settle_group` walks down arrows without a circle, comes to its end, and looks once at each read of each
// group.
#include "runtime/groups.hpp"

#include <algorithm>
#include <utility>

#include "base/status.hpp"
#include "runtime/members.hpp"

namespace tw::runtime {

using spmd::Instr;
using spmd::ValueRef;

namespace {

constexpr uint32_t kMostSearched = 256; // groups, until a search gives up

} // namespace

uint32_t Groups::find(uint32_t g) const {
  while (groups_[g].merged_into != graph::kNone)
    g = groups_[g].merged_into;
  return g;
}

// The group that makes this value, or kNone.
uint32_t Groups::group_making(ValueRef v) const {
  const uint32_t i = def(roles_.view(v).root);
  return roles_.of(i) == Role::member ? find(group_of_[i]) : graph::kNone;
}

uint32_t Groups::maker_of_read(const FusedRead &read) const {
  return read.constant ? graph::kNone : group_making(read.value);
}

uint32_t Groups::place_of_read(const FusedRead &read) const {
  if (read.constant)
    return 0;
  const uint32_t maker = group_making(read.value);
  if (maker != graph::kNone)
    return groups_[maker].place;
  const uint32_t i = def(roles_.view(read.value).root);
  return roles_.of(i) == Role::fixed ? 0 : place_[i];
}

// The read is of a member of the group at the same index.
bool Groups::is_inner(const FusedRead &read, uint32_t g) const {
  return !read.constant && roles_.of(def(read.value)) == Role::member &&
         find(group_of_[def(read.value)]) == g && read.dims.size() == program_.type(read.value).rank() &&
         read.is_identity();
}

// --- places ---

void Groups::settle(ValueRef v) {
  const uint32_t g = group_making(v);
  if (g != graph::kNone)
    settle_group(g);
}

void Groups::settle_all() {
  for (; first_unsettled_ < groups_.size(); ++first_unsettled_)
    if (groups_[first_unsettled_].merged_into == graph::kNone)
      settle_group(first_unsettled_);
}

// Depth first over floating groups, without recursion: chains can be long.
void Groups::settle_group(uint32_t g) {
  std::vector<std::pair<uint32_t, size_t>> stack{{g, 0}};
  while (!stack.empty()) {
    auto &[top, next] = stack.back();
    Group &at = groups_[top];
    uint32_t awaited = graph::kNone;
    while (at.floats() && awaited == graph::kNone && next < at.reads.size()) {
      const uint32_t maker = maker_of_read(at.reads[next++]);
      if (maker != graph::kNone && groups_[maker].floats())
        awaited = maker;
    }
    if (awaited != graph::kNone) {
      TW_ASSERT(stack.size() < groups_.size()); // each group stands there once
      stack.emplace_back(awaited, 0);
      continue;
    }
    if (at.floats())
      at.place = next_place_++;
    stack.pop_back();
  }
}

// --- growth ---

// Does `from` use, directly or by way of other floating groups, a value of `target`? The arrow from -> target
// itself counts unless `skip_direct`. Also true where that is not found out soon.
bool Groups::depends(uint32_t from, uint32_t target, bool skip_direct) {
  const uint32_t mark = ++visit_;
  uint32_t seen = 0;
  search_.assign(1, from);
  groups_[from].visit = mark;
  while (!search_.empty()) {
    const uint32_t at = search_.back();
    search_.pop_back();
    if (++seen > kMostSearched)
      return true;
    std::erase_if(groups_[at].makers, [&](uint32_t g) { return !groups_[find(g)].floats(); });
    for (const uint32_t g : groups_[at].makers) {
      const uint32_t maker = find(g);
      if (maker == target && !(at == from && skip_direct))
        return true;
      if (maker == target || groups_[maker].visit == mark)
        continue;
      groups_[maker].visit = mark;
      search_.push_back(maker);
    }
  }
  return false;
}

bool Groups::may_join(uint32_t g, std::span<const FusedRead> reads) {
  const Group &to = groups_[g];
  if (to.instrs.size() >= kMostMembers || to.reads.size() + reads.size() > kMostReads)
    return false;
  for (const FusedRead &read : reads) {
    const uint32_t maker = maker_of_read(read);
    if (maker == g && !is_inner(read, g))
      return false; // reads the group's result in another arrangement
    if (maker == g)
      continue;
    if (!to.floats()) {
      if (place_of_read(read) >= to.place)
        return false;
    } else if (maker != graph::kNone && groups_[maker].floats() && depends(maker, g, false)) {
      return false;
    }
  }
  return true;
}

void Groups::join(uint32_t i, uint32_t region) {
  const Instr &in = program_.instrs()[i];
  std::vector<FusedRead> reads;
  for (const ValueRef v : program_.operands(in))
    reads.push_back(roles_.read_of(v, in.first_result));

  std::vector<uint32_t> makers; // that it may share a step with
  for (const FusedRead &read : reads) {
    const uint32_t g = maker_of_read(read);
    if (g != graph::kNone && groups_[g].region == region && is_inner(read, g))
      makers.push_back(g);
  }
  const auto found = std::ranges::find_if(makers, [&](uint32_t g) { return may_join(g, reads); });
  const uint32_t own = found != makers.end() ? *found : static_cast<uint32_t>(groups_.size());
  if (found == makers.end())
    groups_.push_back({layouts_.of(in.first_result), region});
  Group &to = groups_[own];
  to.instrs.push_back(i);
  group_of_[i] = own;
  for (FusedRead &read : reads) {
    if (is_inner(read, own) || std::ranges::find(to.reads, read) != to.reads.end())
      continue;
    const uint32_t maker = maker_of_read(read);
    if (maker != graph::kNone && std::ranges::find(to.makers, maker) == to.makers.end())
      to.makers.push_back(maker);
    to.reads.push_back(std::move(read));
  }
  if (found == makers.end())
    return;
  for (const uint32_t g : makers)
    if (find(g) != own && may_merge(own, find(g)))
      merge(own, find(g));
}

bool Groups::may_merge(uint32_t a, uint32_t b) {
  return groups_[a].floats() && groups_[b].floats() &&
         groups_[a].instrs.size() + groups_[b].instrs.size() <= kMostMembers && only_inner_edges(a, b) &&
         only_inner_edges(b, a) && reads_together(a, b) <= kMostReads && !depends(a, b, true) &&
         !depends(b, a, true);
}

// Every read that `from` makes of `of` would be inside the merged group.
bool Groups::only_inner_edges(uint32_t from, uint32_t of) const {
  return std::ranges::all_of(groups_[from].reads, [&](const FusedRead &read) {
    return maker_of_read(read) != of || is_inner(read, of);
  });
}

// How many reads the merged group would have.
size_t Groups::reads_together(uint32_t a, uint32_t b) const {
  const auto stays = [&](uint32_t from, uint32_t of) {
    return [this, from, of](const FusedRead &read) {
      return maker_of_read(read) != of &&
             (from < of || std::ranges::find(groups_[of].reads, read) == groups_[of].reads.end());
    };
  };
  return static_cast<size_t>(std::ranges::count_if(groups_[a].reads, stays(a, b)) +
                             std::ranges::count_if(groups_[b].reads, stays(b, a)));
}

void Groups::merge(uint32_t a, uint32_t b) {
  Group &to = groups_[a], &from = groups_[b];
  to.instrs.insert(to.instrs.end(), from.instrs.begin(), from.instrs.end());
  for (FusedRead &read : from.reads)
    if (std::ranges::find(to.reads, read) == to.reads.end())
      to.reads.push_back(std::move(read));
  to.makers.insert(to.makers.end(), from.makers.begin(), from.makers.end());
  from.merged_into = a;
  from.instrs.clear();
  from.reads.clear();
  from.makers.clear();
  std::erase_if(to.makers, [&](uint32_t g) { return find(g) == a; });
  std::erase_if(to.reads, [&](const FusedRead &read) { return is_inner(read, a); });
}

} // namespace tw::runtime
