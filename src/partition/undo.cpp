// SPDX-License-Identifier: Apache-2.0
// Undoes what the log of a plan tells, newest first; and compares plans in all that undoing restores.
#include "partition/plan.hpp"

#include <algorithm>
#include <utility>

#include "base/id_set.hpp"

namespace tw::partition {

using graph::ValueId;

void Plan::undo_to(Stamp s) {
  TW_ASSERT(s <= log_.size());
  while (log_.size() > s) {
    const uint32_t what = log_.back();
    log_.pop_back();
    switch (what) {
    case kLogPin:
      for (const ValueId v : pins_.back().values)
        pin_of_.erase(v);
      pins_.pop_back();
      nests_.remove_last_node();
      break;
    case kLogAction: actions_.pop_back(); break;
    case kLogConflict: {
      const Conflict &c = conflicts_.back();
      const auto kinds = conflict_kinds_.find(conflict_key(c.node, c.axis));
      kinds->second &= static_cast<uint8_t>(~(1u << static_cast<unsigned>(c.kind)));
      if (kinds->second == 0)
        conflict_kinds_.erase(kinds);
      conflicts_.pop_back();
      break;
    }
    case kLogExpectation: expectations_.pop_back(); break;
    case kLogLayout: {
      const size_t result = result_layouts_.back().result;
      result_layouts_.pop_back();
      if (result_layout(result) == nullptr) {
        const NodeId n = graph_->results()[result];
        roles_[n] &= static_cast<uint8_t>(~kFixedRole);
        nests_.accept(n);
      }
      break;
    }
    case kLogMesh:
      mesh_ = std::move(earlier_meshes_.back());
      earlier_meshes_.pop_back();
      nests_.set_num_axes(mesh_.num_axes());
      break;
    case kLogAxisName: anonymous_.pop_back(); break;
    case kLogRefined: undo_refine(); break;
    case kLogRules:
      opaque_rules_ = std::move(earlier_rules_.back());
      earlier_rules_.pop_back();
      set_rules();
      break;
    case kLogPropagated: propagated_.pop_back(); break;
    case kLogDirection:
      directions_of_[directions_.back().first].pop_back();
      directions_.pop_back();
      break;
    case kLogEdit: {
      Edit back = edits_.back();
      edits_.pop_back();
      back.put_in = !back.put_in;
      change(back);
      break;
    }
    case kLogMaterialised:
      if (materialised_.erase(apart_order_.back()) == 0)
        materialised_.insert(apart_order_.back());
      apart_order_.pop_back();
      break;
    case kLogClosed:
      closed_.erase(closed_order_.back());
      closed_order_.pop_back();
      break;
    default: nests_.remove_last(what);
    }
  }
}

std::optional<std::vector<NodeId>> Plan::changed_since(Stamp s) const {
  std::vector<NodeId> changed;
  size_t edits = edits_.size(), layouts = result_layouts_.size();
  for (size_t i = log_.size(); i-- > s;)
    switch (log_[i]) {
    case kLogAction:
    case kLogConflict:
    case kLogExpectation:
    case kLogPropagated:
    case kLogClosed:
    case kLogDirection: break;
    case kLogLayout: changed.push_back(graph_->results()[result_layouts_[--layouts].result]); break;
    case kLogEdit: changed.push_back(edits_[--edits].node); break;
    case kLogPin:
    case kLogMesh:
    case kLogAxisName:
    case kLogRules:
    case kLogMaterialised:
    case kLogRefined: return std::nullopt;
    default: changed.push_back(log_[i]);
    }
  // Where there are many, a bit for each node takes less time than sorting them.
  constexpr size_t kFew = 64;
  if (changed.size() < kFew) {
    std::ranges::sort(changed);
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    return changed;
  }
  IdSet once(num_nodes());
  for (const NodeId n : changed)
    once.add(n);
  changed.clear();
  once.each([&](NodeId n) { changed.push_back(n); });
  return changed;
}

size_t Plan::memory_bytes() const {
  size_t bytes = nests_.memory_bytes() + roles_.capacity() + log_.capacity() * sizeof(uint32_t) +
                 conflicts_.capacity() * sizeof(Conflict) + conflict_kinds_.size() * 4 * sizeof(uint64_t) +
                 pins_.capacity() * sizeof(Pin) + adjacency_->memory_bytes();
  for (const Conflict &c : conflicts_)
    bytes += c.candidates.capacity() * sizeof(Candidate);
  return bytes;
}

bool Plan::same_state(const Plan &other) const {
  return mesh_ == other.mesh_ && nests_ == other.nests_ && roles_ == other.roles_ && log_ == other.log_ &&
         actions_.size() == other.actions_.size() && conflicts_.size() == other.conflicts_.size() &&
         expectations_.size() == other.expectations_.size() && result_layouts_ == other.result_layouts_ &&
         pin_of_ == other.pin_of_ && conflict_kinds_ == other.conflict_kinds_ &&
         propagated_ == other.propagated_ && anonymous_.size() == other.anonymous_.size() &&
         opaque_rules_ == other.opaque_rules_ && closed_order_ == other.closed_order_ &&
         directions_ == other.directions_ && edits_ == other.edits_ && materialised_ == other.materialised_ &&
         policy_ == other.policy_;
}

} // namespace tw::partition
