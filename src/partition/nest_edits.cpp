// SPDX-License-Identifier: Apache-2.0
// What happens inside the nests of a plan: loops are put in or taken out anywhere, and values kept apart from
// those who read them.
#include <algorithm>

#include <fmt/format.h>

#include "partition/plan.hpp"

namespace tw::partition {

using graph::ValueId;
using sharding::AxisId;

void Plan::change(const Edit &edit) {
  if (edit.put_in)
    nests_.insert(edit.node, edit.depth, edit.entry, is_scattered(edit.node, edit.entry.factor));
  else
    nests_.remove(edit.node, edit.depth);
}

void Plan::insert(NodeId n, size_t depth, const NestEntry &e) {
  TW_ASSERT(depth <= nest(n).size());
  const Edit edit{n, static_cast<uint8_t>(depth), true, e};
  change(edit);
  edits_.push_back(edit);
  log_.push_back(kLogEdit);
}

Status Plan::take_off(NodeId n, AxisId axis) {
  const NestEntry *e = entry(n, axis);
  if (e == nullptr)
    return fail(Code::not_found, "TW-423", fmt::format("there is no loop over '{}'", mesh_.axis(axis).name));
  const auto depth = static_cast<uint8_t>(e - nest(n).data());
  if (e->factor != kAny)
    for (const NestEntry &inner : nest(n).subspan(depth + size_t{1})) {
      if (inner.factor == kAny)
        continue;
      const auto before = flat_rule(n).before(inner.factor);
      if (inner.factor == e->factor || std::ranges::find(before, e->factor) != before.end())
        return fail(
            Code::failed_precondition, "TW-424",
            fmt::format("the loop over '{}' inside it cuts its tiles further: take that one off first",
                        mesh_.axis(inner.axis).name));
    }
  const Edit edit{n, depth, false, *e};
  change(edit);
  edits_.push_back(edit);
  log_.push_back(kLogEdit);
  return {};
}

Status Plan::repeat(NodeId n, size_t depth, AxisId axis) {
  TW_TRY(check_room(n, axis, kAny));
  insert(n, depth, {axis, kAny, static_cast<ActionId>(actions_.size() - 1), 0, graph::kNone});
  return {};
}

void Plan::set_materialised(ValueId v, AxisId axis, bool materialised) {
  if (is_materialised(v, axis) == materialised)
    return;
  const uint64_t key = uint64_t{v} << 8 | axis;
  if (materialised)
    materialised_.insert(key);
  else
    materialised_.erase(key);
  apart_order_.push_back(key);
  log_.push_back(kLogMaterialised);
}

bool Plan::is_materialised(ValueId v) const {
  return !materialised_.empty() &&
         std::ranges::any_of(materialised_, [&](uint64_t key) { return key >> 8 == v; });
}

} // namespace tw::partition
