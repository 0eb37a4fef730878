// SPDX-License-Identifier: Apache-2.0
// What is stored, and how long: storages, and their lifetimes over the steps.
#include "runtime/memory.hpp"

#include <algorithm>

#include "ops/registry.hpp"
#include "runtime/constant_reads.hpp"
#include "sharding/box_run.hpp"

namespace tw::runtime {

using spmd::InstrKind;
using spmd::ValueRef;

Memory::Memory(const spmd::Program &program, const Layouts &layouts, const Schedule &schedule,
               const std::vector<bool> &in_place, ReadInPlace reads)
    : program_(program), layouts_(layouts), schedule_(schedule), sharing_(schedule.sharing), reads_(reads),
      storage_of_(program.values().size(), graph::kNone),
      constant_storage_(program.values().size(), graph::kNone) {
  find_storages();
  find_loops();
  find_lifetimes();
  settle_variables();
  settle_accumulated();
  donated_.assign(program_.graph().arguments().size(), graph::kNone);
  donate(in_place);
  reuse_operands(in_place);
  place();
}

int64_t Memory::bytes(const Storage &s, Position position) const {
  return layouts_.elements(s.layout, position) * s.element_size;
}

void Memory::find_storages() {
  const auto add = [&](ValueRef v) -> Storage & {
    storage_of_[v] = static_cast<uint32_t>(storages_.size());
    Storage s;
    s.layout = layouts_.of(v);
    s.element_size = static_cast<int64_t>(byte_size(program_.type(v).dtype));
    s.shared = sharing_.of(v);
    storages_.push_back(std::move(s));
    return storages_.back();
  };
  // An argument that is also a result goes through the arena: the caller's arrays for the two may overlap.
  std::vector<bool> returned(program_.values().size(), false);
  for (const spmd::Instr &in : program_.instrs())
    if (in.kind == InstrKind::result)
      returned[schedule_.views[program_.operands(in)[0]].root] = true;
  for (const spmd::Instr &in : program_.instrs()) {
    if (in.kind != InstrKind::argument)
      continue;
    Storage &s = add(in.first_result);
    if (in_place_argument_.size() <= in.index)
      in_place_argument_.resize(in.index + 1, false);
    bool in_place = reads_ != ReadInPlace::nothing && !returned[in.first_result];
    std::vector<int64_t> offset(static_cast<size_t>(layouts_.num_positions()), 0);
    const sharding::Box whole = sharding::Box::whole(program_.type(in.first_result).dims);
    for (Position d; in_place && reads_ == ReadInPlace::arrays && d < layouts_.num_positions(); ++d) {
      offset[static_cast<size_t>(d)] = sharding::run_offset(layouts_.box(s.layout, d), whole);
      in_place = offset[static_cast<size_t>(d)] >= 0;
    }
    in_place_argument_[in.index] = in_place;
    if (in_place) {
      s.argument = in.index;
      s.argument_offset = std::move(offset);
    }
    s.first = 0;
  }
  for (const Step &step : schedule_.statics)
    for (const ValueRef v : step.results)
      add(v).pinned = true;
  for (const Step &step : schedule_.steps) {
    for (const ValueRef v : step.results)
      if (storage_of_[v] == graph::kNone) // variables are assigned more than once
        add(v);
    for (const FusedRead &read : step.reads)
      if (read.constant && constant_storage_[read.value] == graph::kNone) {
        constant_storage_[read.value] = static_cast<uint32_t>(storages_.size());
        int64_t most = 0;
        for (Position d; d < layouts_.num_positions(); ++d)
          most = std::max(most, constant_elements(program_, layouts_, read.value, d));
        Storage s;
        s.element_size = -most * static_cast<int64_t>(
                                     byte_size(program_.type(read.value).dtype)); // see place(): all of it
        s.pinned = true;
        storages_.push_back(std::move(s));
      }
  }
}

void Memory::touch(ValueRef v, uint32_t time) {
  const uint32_t at = storage_of(v);
  TW_ASSERT(at != graph::kNone);
  Storage &s = storages_[at];
  s.first = std::min(s.first, time);
  s.last = std::max(s.last, time);
}

void Memory::find_lifetimes() {
  const auto end = static_cast<uint32_t>(schedule_.steps.size() + 1);
  for (uint32_t i = 0; i < schedule_.steps.size(); ++i) {
    const Step &step = schedule_.steps[i];
    step.each_read([&](ValueRef v) { touch(v, i + 1); });
    for (const ValueRef v : step.results)
      touch(v, i + 1);
  }
  for (const spmd::Instr &in : program_.instrs())
    if (in.kind == InstrKind::result)
      touch(program_.operands(in)[0], end);
  follow_axis_loops();
  // What a loop reads and did not make is read again in its next turn.
  for (const Loop &loop : schedule_.loops)
    for (Storage &s : storages_)
      if (s.first <= loop.first && s.last > loop.first)
        s.last = std::max(s.last, loop.last + 1);
  for (Storage &s : storages_)
    if (s.pinned) {
      s.first = 0;
      s.last = s.last != 0 || s.element_size < 0 ? end : 0; // 0: only what runs once reads it
    }
}

// Which storages hold something for each step, and for each thread.
void Memory::find_loops() {
  thread_axes_ = program_.mesh().loop_axes(sharding::AxisKind::threads);
  if (schedule_.axis_loops.empty())
    return;
  std::vector<sharding::AxisSet> kept = spmd::find_kept(program_, spmd::find_axis_loops(program_));
  for (auto v = static_cast<ValueRef>(kept.size()); v-- > 0;) { // users come after what they use
    const ValueRef root = schedule_.views[v].root;
    const uint32_t at = storage_of_[root];
    const spmd::Instr &maker = program_.instrs()[program_.values()[root].def];
    if (maker.kind == InstrKind::compute && ops::is(program_.graph(), maker.op, ops::OpKind::broadcast))
      kept[program_.operands(maker)[0]] |= kept[v]; // groups read what it is made of
    if (at != graph::kNone && !storages_[at].pinned)
      storages_[at].kept |= kept[v] & (program_.loop_axes(root) - thread_axes_);
  }
  for (const Step &step : schedule_.steps)
    for (const ValueRef v : step.results) {
      const spmd::Instr &maker = program_.instrs()[program_.values()[v].def];
      const sharding::AxisSet completed = maker.kind == InstrKind::accumulate
                                              ? program_.loop_axes(maker) - program_.loop_axes(v)
                                              : sharding::AxisSet();
      storages_[storage_of_[v]].threads |= (step.around - completed) & thread_axes_;
    }
}

// What is accumulated, or kept for each step, is there from the beginning of the loop.
void Memory::follow_axis_loops() {
  for (const AxisLoop &loop : schedule_.axis_loops) {
    for (uint32_t i = loop.first; i <= loop.last; ++i)
      for (const ValueRef v : schedule_.steps[i].results) {
        Storage &s = storages_[storage_of(v)];
        const spmd::Instr &maker = program_.instrs()[program_.values()[v].def];
        const bool accumulated = maker.kind == InstrKind::accumulate &&
                                 (program_.loop_axes(maker) - program_.loop_axes(v)).contains(loop.axis);
        if (accumulated || s.kept.contains(loop.axis))
          s.first = std::min(s.first, loop.first + 1);
      }
    for (Storage &s : storages_) // read again at the next step
      if (s.first <= loop.first && s.last > loop.first)
        s.last = std::max(s.last, loop.last + 1);
  }
}

uint32_t Memory::storage_of(ValueRef v) const {
  uint32_t at = storage_of_[schedule_.views[v].root];
  while (at != graph::kNone && storages_[at].into != graph::kNone)
    at = storages_[at].into;
  return at;
}

// All that lies in one storage lies in another from now on.
void Memory::move_into(uint32_t storage, uint32_t old) {
  storages_[old].into = storage;
  storages_[old].last = 0;
  storages_[old].element_size = 0;
}

} // namespace tw::runtime
