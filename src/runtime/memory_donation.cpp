// SPDX-License-Identifier: Apache-2.0
// Results that are made where a donated argument lies in the caller's array: nothing reads the argument any
// more when they are made, or the step that makes them reads it element by element.
#include <algorithm>

#include "runtime/memory.hpp"

namespace tw::runtime {

using spmd::ValueRef;

// What each device reads of the argument nobody else does, but those with whom it shares the place.
bool Memory::lies_apart(ValueRef argument) const {
  if (reads_ == ReadInPlace::tiles)
    return true;
  const Storage &s = storages_[storage_of(argument)];
  int64_t elements = 0;
  const sharding::Mesh &mesh = program_.mesh();
  for (Position p; p < layouts_.num_positions(); ++p)
    if (sharing_.leader(s.shared, p) == p && mesh.without(p, mesh.loop_axes()) == p)
      elements += layouts_.elements(s.layout, p);
  return elements == program_.type(argument).elements();
}

// The step that makes `target` from `given` may write over it.
bool Memory::overwrites(uint32_t step_number, uint32_t given, uint32_t target, bool in_place) const {
  const Step &step = schedule_.steps[step_number];
  const auto pairs_up = [&] { // each operand that lies there goes where the result of the same number does
    for (size_t i = 0; i < step.operands.size(); ++i)
      if (storage_of(step.operands[i]) == given &&
          (storage_of(step.results[i]) != target || !schedule_.views[step.operands[i]].offset.empty()))
        return false;
    return true;
  };
  const auto is_made_whole = [&] { // each result that lies there is dense over the step's elements
    return std::ranges::all_of(
        step.results, [&](ValueRef v) { return storage_of(v) != target || layouts_.of(v) == step.space; });
  };
  switch (step.kind) {
  case Step::Kind::fused: return reads_by_index(step, given) && is_made_whole();
  case Step::Kind::kernel: return updates(step, given) && storage_of(step.results[0]) == target;
  case Step::Kind::collective: return in_place && pairs_up();
  case Step::Kind::assign: return pairs_up();
  case Step::Kind::chain:
  case Step::Kind::product:
    return std::ranges::all_of(step.results, [&](ValueRef v) {
      return storage_of(v) != target ||
             (layouts_.of(v) == storages_[given].layout && may_lie_over(step, v, given));
    });
  default: return false;
  }
}

void Memory::donate(const std::vector<bool> &in_place) {
  for (const Donation &d : schedule_.donations) {
    const uint32_t given = storage_of(d.given), target = storage_of(d.made);
    if (given == graph::kNone || target == graph::kNone || given == target)
      continue;
    const Storage &from = storages_[given], &to = storages_[target];
    if (from.argument != d.argument || to.argument != graph::kNone || to.pinned || !to.kept.empty() ||
        !to.threads.empty() || to.shared != from.shared || to.layout != from.layout ||
        to.element_size != from.element_size || !schedule_.views[d.made].offset.empty() ||
        layouts_.of(d.made) != to.layout || !lies_apart(d.given))
      continue;
    if (from.last > to.first ||
        (from.last == to.first &&
         (to.first == 0 || !overwrites(to.first - 1, given, target, in_place[to.first - 1]))))
      continue;
    storages_[given].last = to.last;
    move_into(given, target);
    donated_[d.argument] = d.result;
  }
}

} // namespace tw::runtime
