// SPDX-License-Identifier: Apache-2.0
// Liveness and the arenas' layout.
#include "runtime/memory.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace tw::runtime {

using spmd::InstrKind;
using spmd::ValueRef;

Memory::Memory(const spmd::Program &program, const Layouts &layouts, const Schedule &schedule,
               const std::vector<bool> &in_place)
    : program_(program), layouts_(layouts), schedule_(schedule),
      storage_of_(program.values().size(), graph::kNone),
      splat_storage_(program.values().size(), graph::kNone) {
  find_storages();
  find_lifetimes();
  reuse_operands(in_place);
  place();
}

int64_t Memory::bytes(const Storage &s, int64_t device) const {
  return layouts_.elements(s.layout, device) * s.element_size;
}

void Memory::find_storages() {
  const auto add = [&](ValueRef v) -> Storage & {
    storage_of_[v] = static_cast<uint32_t>(storages_.size());
    Storage s;
    s.layout = layouts_.of(v);
    s.element_size = static_cast<int64_t>(byte_size(program_.type(v).dtype));
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
    bool in_place = !returned[in.first_result];
    std::vector<int64_t> offset(static_cast<size_t>(layouts_.num_devices()), 0);
    const sharding::Box whole = sharding::Box::whole(program_.type(in.first_result).dims);
    for (int64_t d = 0; in_place && d < layouts_.num_devices(); ++d) {
      offset[static_cast<size_t>(d)] = run_offset(layouts_.box(s.layout, d), whole);
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
      add(v);
    for (const FusedRead &read : step.reads)
      if (read.splat && splat_storage_[read.value] == graph::kNone) {
        splat_storage_[read.value] = static_cast<uint32_t>(storages_.size());
        Storage s;
        s.element_size =
            -static_cast<int64_t>(byte_size(program_.type(read.value).dtype)); // see place(): one element
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
    for (const ValueRef v : step.operands)
      touch(v, i + 1);
    for (const FusedRead &read : step.reads)
      if (!read.splat)
        touch(read.value, i + 1);
    for (const ValueRef v : step.results)
      touch(v, i + 1);
  }
  for (const spmd::Instr &in : program_.instrs())
    if (in.kind == InstrKind::result)
      touch(program_.operands(in)[0], end);
  for (Storage &s : storages_)
    if (s.pinned) {
      s.first = 0;
      s.last = end;
    }
}

// The operand dies at this step, lies densely at the start of its storage and has tiles of the result's bytes.
bool Memory::can_take_over(uint32_t storage, ValueRef operand, ValueRef result, uint32_t time) const {
  const Storage &s = storages_[storage];
  return s.argument == graph::kNone && !s.pinned && s.last == time &&
         schedule_.views[operand].offset.empty() && layouts_.of(operand) == layouts_.of(result) &&
         s.layout == layouts_.of(operand) &&
         s.element_size == static_cast<int64_t>(byte_size(program_.type(result).dtype));
}

void Memory::reuse_operands(const std::vector<bool> &in_place) {
  const auto hand_over = [&](uint32_t storage, ValueRef result) {
    const uint32_t old = storage_of(result);
    storages_[storage].last = storages_[old].last;
    storages_[old].last = 0; // nobody's any more
    storages_[old].element_size = 0;
    storage_of_[result] = storage;
  };
  const auto is_identity = [](const std::vector<int> &dims) {
    for (size_t k = 0; k < dims.size(); ++k)
      if (dims[k] != static_cast<int>(k))
        return false;
    return true;
  };
  for (uint32_t i = 0; i < schedule_.steps.size(); ++i) {
    const Step &step = schedule_.steps[i];
    if (step.kind == Step::Kind::collective && in_place[i]) {
      const uint32_t storage = storage_of(step.operands[0]);
      if (can_take_over(storage, step.operands[0], step.results[0], i + 1))
        hand_over(storage, step.results[0]);
      continue;
    }
    if (step.kind != Step::Kind::fused)
      continue;
    for (const FusedRead &read : step.reads) {
      if (read.splat)
        continue;
      const uint32_t storage = storage_of(read.value);
      const bool only_index_by_index =
          std::all_of(step.reads.begin(), step.reads.end(), [&](const FusedRead &other) {
            return other.splat || storage_of(other.value) != storage ||
                   (is_identity(other.dims) && layouts_.of(other.value) == step.space &&
                    schedule_.views[other.value].offset.empty());
          });
      if (!only_index_by_index)
        continue;
      for (const ValueRef result : step.results)
        if (storages_[storage_of(result)].first == i + 1 &&
            can_take_over(storage, read.value, result, i + 1)) {
          hand_over(storage, result);
          break;
        }
    }
  }
}

void Memory::place() {
  const auto devices = static_cast<size_t>(layouts_.num_devices());
  std::map<std::vector<int64_t>, size_t> classes;
  class_of_.resize(devices);
  std::vector<Block> blocks(storages_.size());
  for (size_t d = 0; d < devices; ++d) {
    std::vector<int64_t> sizes(storages_.size());
    for (size_t s = 0; s < storages_.size(); ++s) {
      const Storage &at = storages_[s];
      if (at.argument == graph::kNone)
        sizes[s] = at.element_size < 0 ? -at.element_size : bytes(at, static_cast<int64_t>(d));
    }
    const auto [known, fresh] = classes.try_emplace(std::move(sizes), offsets_.size());
    class_of_[d] = known->second;
    if (!fresh)
      continue;
    for (size_t s = 0; s < storages_.size(); ++s)
      blocks[s] = {known->first[s], storages_[s].first, storages_[s].last};
    offsets_.emplace_back();
    arena_bytes_.push_back(best_fit(blocks, offsets_.back()));
  }
}

Location Memory::locate(ValueRef v, int64_t device) const {
  const uint32_t at = storage_of(v);
  TW_ASSERT(at != graph::kNone);
  const Storage &s = storages_[at];
  const auto d = static_cast<size_t>(device);
  const auto &view = schedule_.views[v].offset;
  const auto size = static_cast<int64_t>(byte_size(program_.type(v).dtype));
  const int64_t inner = view.empty() ? 0 : view[d] * size;
  if (s.argument != graph::kNone)
    return {1 + s.argument, s.argument_offset[d] * size + inner};
  return {0, offsets_[class_of_[d]][at] + inner};
}

Location Memory::locate_splat(ValueRef v, int64_t device) const {
  return {0, offsets_[class_of_[static_cast<size_t>(device)]][splat_storage_[v]]};
}

} // namespace tw::runtime
