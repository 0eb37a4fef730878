// SPDX-License-Identifier: Apache-2.0
// Values that are made in the place of others: of loop variables, of what a loop puts together, of dying
// operands.
#include <algorithm>

#include "ops/registry.hpp"
#include "runtime/memory.hpp"

namespace tw::runtime {

using spmd::ValueRef;

// Makes what a body gives for a variable where the variable lies.
void Memory::settle_variables() {
  for (const Loop &loop : schedule_.loops) {
    const Step &end = schedule_.steps[loop.last - 1]; // at time loop.last
    if (end.kind != Step::Kind::assign)
      continue;
    for (size_t v = 0; v < end.operands.size(); ++v) {
      const ValueRef made = end.operands[v];
      const uint32_t storage = storage_of(made), target = storage_of(end.results[v]);
      Storage &s = storages_[storage];
      const bool made_here = storage != target && s.first > loop.body && s.last == loop.last &&
                             s.argument == graph::kNone && !s.pinned;
      if (!made_here || !schedule_.views[made].offset.empty() ||
          layouts_.of(made) != storages_[target].layout || s.layout != storages_[target].layout ||
          s.element_size != storages_[target].element_size || s.shared != storages_[target].shared ||
          !is_free(target, loop, s.first, made))
        continue;
      move_into(target, storage);
    }
  }
}

// When the outermost of the loops begins whose tiles a step puts together.
uint32_t Memory::begin_of_accumulating(uint32_t step, sharding::AxisSet axes) const {
  uint32_t begin = step;
  for (const AxisLoop &loop : schedule_.axis_loops)
    if (loop.first <= step && step <= loop.last && axes.contains(loop.axis))
      begin = std::min(begin, loop.first);
  return begin + 1;
}

// Makes the tiles that a loop over an axis puts together where they belong, if each is one run of the whole.
// The whole may lie where a variable does, whose old value is free from the beginning of that loop on, so
// tiles that are made before keep a place of their own.
void Memory::settle_accumulated() {
  for (uint32_t i = 0; i < schedule_.steps.size(); ++i) {
    const Step &step = schedule_.steps[i];
    if (step.kind != Step::Kind::accumulate ||
        program_.reduction_of(program_.instrs()[step.instrs[0]]) != sharding::Reduction::raw)
      continue;
    const ValueRef tile = step.operands[0], whole = step.results[0];
    const uint32_t storage = storage_of(tile), target = storage_of(whole);
    Storage &s = storages_[storage], &to = storages_[target];
    const sharding::AxisSet completed = program_.loop_axes(tile) - program_.loop_axes(whole);
    const bool keeps_no_more =
        ((s.kept - completed - to.kept) | (s.threads - completed - to.threads)).empty();
    std::vector<int64_t> offset;
    if (storage == target || s.argument != graph::kNone || s.pinned || s.shared != to.shared ||
        !keeps_no_more || s.first < begin_of_accumulating(i, completed) ||
        !schedule_.views[tile].offset.empty() || s.layout != layouts_.of(tile) ||
        to.layout != layouts_.of(whole) || !layouts_.contiguous_within(s.layout, to.layout, offset))
      continue;
    to.first = std::min(to.first, s.first);
    to.last = std::max(to.last, s.last);
    move_into(target, storage);
    s.into_offset = std::move(offset);
  }
}

bool Memory::is_accumulated(const Step &step) const {
  return step.kind == Step::Kind::accumulate && storage_of(step.operands[0]) == storage_of(step.results[0]);
}

// Nothing in the body of a loop needs the old value of a variable from the step on that makes the new one.
bool Memory::is_free(uint32_t target, const Loop &loop, uint32_t time, ValueRef made) const {
  for (uint32_t i = loop.body; i + 1 < loop.last; ++i) {
    const Step &step = schedule_.steps[i];
    bool reads = false;
    step.each_read([&](ValueRef v) { reads = reads || storage_of(v) == target; });
    if (!reads)
      continue;
    const sharding::AxisSet apart = storages_[target].threads | storages_[target].kept;
    for (const AxisLoop &inner : schedule_.axis_loops) // its other turns read behind the step that makes it
      if (inner.first <= i && i <= inner.last && inner.first < time && time <= inner.last + 1 &&
          inner.first > loop.first && !apart.contains(inner.axis))
        return false;
    uint32_t last = i + 1;
    for (const Loop &inner : schedule_.loops) // read again in every turn
      if (inner.first > loop.first && inner.last < loop.last && inner.first <= i && i <= inner.last)
        last = std::max(last, inner.last + 1);
    const bool at_once =
        last == time &&
        (step.kind == Step::Kind::fused     ? layouts_.of(made) == step.space && reads_by_index(step, target)
         : step.kind == Step::Kind::product ? may_lie_over(step, made, target)
                                            : updates(step, target));
    if (last >= time && !at_once)
      return false;
  }
  return true;
}

// A fused step reads a storage element by element, each where it writes.
bool Memory::reads_by_index(const Step &step, uint32_t storage) const {
  return std::ranges::all_of(step.reads, [&](const FusedRead &read) {
    if (read.constant || storage_of(read.value) != storage)
      return true;
    for (size_t k = 0; k < read.dims.size(); ++k)
      if (read.dims[k] != static_cast<int>(k))
        return false;
    return layouts_.of(read.value) == step.space && schedule_.views[read.value].offset.empty();
  });
}

// A step that writes some elements of its first operand, which has its tiles, and reads nothing else of where
// that lies.
bool Memory::updates(const Step &step, uint32_t storage) const {
  if (step.kind != Step::Kind::kernel ||
      (ops::op_def(program_.graph().op(program_.instrs()[step.instrs[0]].op).code).flags & ops::kUpdate) == 0)
    return false;
  const ValueRef updated = step.operands[0];
  return storage_of(updated) == storage && schedule_.views[updated].offset.empty() &&
         layouts_.of(updated) == layouts_.of(step.results[0]) &&
         std::none_of(step.operands.begin() + 1, step.operands.end(),
                      [&](ValueRef v) { return storage_of(v) == storage; });
}

// The members of a chain up to the one that makes the result read the storage element by element, the others
// not at all. A product reads its factors in any order.
bool Memory::may_lie_over(const Step &chain, ValueRef result, uint32_t storage) const {
  if (chain.kind == Step::Kind::product)
    return reads_by_index(chain.members[1], storage) &&
           std::ranges::none_of(chain.members[0].operands,
                                [&](ValueRef v) { return storage_of(v) == storage; });
  bool made = false;
  for (const Step &member : chain.members) {
    const bool reads = std::ranges::any_of(member.reads, [&](const FusedRead &read) {
      return !read.constant && storage_of(read.value) == storage;
    });
    if (reads && (made || !reads_by_index(member, storage)))
      return false;
    for (const ValueRef v : member.operands)
      if (storage_of(v) == storage &&
          (made || v != member.operands[0] || layouts_.of(v) != layouts_.of(result) ||
           !schedule_.views[v].offset.empty()))
        return false;
    made = made || std::ranges::count(member.results, result) != 0;
  }
  return true;
}

// By a step behind `first` and before `last`.
bool Memory::is_read_between(uint32_t storage, uint32_t first, uint32_t last) const {
  bool read = false;
  for (uint32_t i = first + 1; i < last; ++i)
    schedule_.steps[i].each_read([&](ValueRef v) { read = read || storage_of(v) == storage; });
  return read;
}

// The operand dies at this step, lies densely at the start of its storage and has tiles of the result's
// bytes.
bool Memory::can_take_over(uint32_t storage, ValueRef operand, ValueRef result, uint32_t time) const {
  const Storage &s = storages_[storage];
  const Storage &to = storages_[storage_of(result)];
  return s.argument == graph::kNone && !s.pinned && s.last == time && s.kept == to.kept &&
         s.threads == to.threads && s.shared == to.shared && schedule_.views[operand].offset.empty() &&
         layouts_.of(operand) == layouts_.of(result) && s.layout == layouts_.of(operand) &&
         s.element_size == static_cast<int64_t>(byte_size(program_.type(result).dtype));
}

void Memory::reuse_operands(const std::vector<bool> &in_place) {
  const auto hand_over = [&](uint32_t storage, ValueRef result) {
    const uint32_t old = storage_of(result);
    storages_[storage].last = storages_[old].last;
    move_into(storage, old);
  };
  const auto is_new = [&](ValueRef result, uint32_t time) { // not in the place of a variable
    return storages_[storage_of(result)].first == time;
  };
  for (uint32_t i = 0; i < schedule_.steps.size(); ++i) {
    const Step &step = schedule_.steps[i];
    if ((step.kind == Step::Kind::collective && in_place[i]) || step.kind == Step::Kind::assign) {
      const uint32_t over = step.awaited != graph::kNone ? step.awaited : i;
      for (size_t v = 0; v < step.operands.size(); ++v) {
        const uint32_t storage = storage_of(step.operands[v]);
        if (is_new(step.results[v], i + 1) && !is_read_between(storage, i, over) &&
            can_take_over(storage, step.operands[v], step.results[v], over + 1))
          hand_over(storage, step.results[v]);
      }
    }
    if (step.kind == Step::Kind::kernel && !step.operands.empty()) {
      const uint32_t storage = storage_of(step.operands[0]);
      if (updates(step, storage) && is_new(step.results[0], i + 1) &&
          can_take_over(storage, step.operands[0], step.results[0], i + 1))
        hand_over(storage, step.results[0]);
    }
    if (step.kind == Step::Kind::chain || step.kind == Step::Kind::product)
      for (const ValueRef operand : step.operands) {
        const uint32_t storage = storage_of(operand);
        for (const ValueRef result : step.results)
          if (is_new(result, i + 1) && can_take_over(storage, operand, result, i + 1) &&
              may_lie_over(step, result, storage)) {
            hand_over(storage, result);
            break;
          }
      }
    if (step.kind != Step::Kind::fused)
      continue;
    for (const FusedRead &read : step.reads) {
      if (read.constant)
        continue;
      const uint32_t storage = storage_of(read.value);
      if (!reads_by_index(step, storage))
        continue;
      for (const ValueRef result : step.results)
        if (is_new(result, i + 1) && can_take_over(storage, read.value, result, i + 1)) {
          hand_over(storage, result);
          break;
        }
    }
  }
}

} // namespace tw::runtime
