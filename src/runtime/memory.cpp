// SPDX-License-Identifier: Apache-2.0
// Liveness and the arenas' layout.
#include "runtime/memory.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "ops/registry.hpp"
#include "sharding/box_run.hpp"

namespace tw::runtime {

using spmd::InstrKind;
using spmd::ValueRef;

Memory::Memory(const spmd::Program &program, const Layouts &layouts, const Schedule &schedule,
               const std::vector<bool> &in_place)
    : program_(program), layouts_(layouts), schedule_(schedule), sharing_(schedule.sharing),
      storage_of_(program.values().size(), graph::kNone),
      splat_storage_(program.values().size(), graph::kNone) {
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

int64_t Memory::bytes(const Storage &s, int64_t device) const {
  return layouts_.elements(s.layout, device) * s.element_size;
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
    bool in_place = !returned[in.first_result];
    std::vector<int64_t> offset(static_cast<size_t>(layouts_.num_positions()), 0);
    const sharding::Box whole = sharding::Box::whole(program_.type(in.first_result).dims);
    for (int64_t d = 0; in_place && d < layouts_.num_positions(); ++d) {
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
      s.last = end;
    }
}

// Which storages hold something for each step, and for each lane.
void Memory::find_loops() {
  lane_axes_ = program_.mesh().loop_axes(sharding::AxisKind::threads);
  if (schedule_.axis_loops.empty())
    return;
  static const graph::OpCode broadcast = *ops::find_op("stablehlo.broadcast_in_dim");
  std::vector<uint64_t> kept = spmd::find_kept(program_, spmd::find_axis_loops(program_));
  for (auto v = static_cast<ValueRef>(kept.size()); v-- > 0;) { // users come after what they use
    const ValueRef root = schedule_.views[v].root;
    const uint32_t at = storage_of_[root];
    const spmd::Instr &maker = program_.instrs()[program_.values()[root].def];
    if (maker.kind == InstrKind::compute && program_.graph().op(maker.op).code == broadcast)
      kept[program_.operands(maker)[0]] |= kept[v]; // groups read what it is made of
    if (at != graph::kNone && !storages_[at].pinned)
      storages_[at].kept |= kept[v] & program_.loop_axes(root) & ~lane_axes_;
  }
  for (const Step &step : schedule_.steps)
    for (const ValueRef v : step.results) {
      const spmd::Instr &maker = program_.instrs()[program_.values()[v].def];
      const uint64_t completed =
          maker.kind == InstrKind::accumulate ? program_.loop_axes(maker) & ~program_.loop_axes(v) : 0;
      storages_[storage_of_[v]].lanes |= step.around & ~completed & lane_axes_;
    }
}

// What is accumulated, or kept for each step, is there from the beginning of the loop.
void Memory::follow_axis_loops() {
  for (const AxisLoop &loop : schedule_.axis_loops) {
    const uint64_t bit = uint64_t{1} << loop.axis;
    for (uint32_t i = loop.first; i <= loop.last; ++i)
      for (const ValueRef v : schedule_.steps[i].results) {
        Storage &s = storages_[storage_of(v)];
        const spmd::Instr &maker = program_.instrs()[program_.values()[v].def];
        const bool accumulated = maker.kind == InstrKind::accumulate &&
                                 (program_.loop_axes(maker) & ~program_.loop_axes(v) & bit) != 0;
        if (accumulated || (s.kept & bit) != 0)
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

// Makes what a body gives for a variable where the variable lies.
void Memory::settle_variables() {
  for (const Loop &loop : schedule_.loops) {
    const Step &end = schedule_.steps[loop.last - 1]; // at time loop.last
    if (end.kind != Step::Kind::assign)
      continue;
    for (size_t v = 0; v < end.operands.size(); ++v) {
      const ValueRef made = end.operands[v];
      const uint32_t storage = storage_of(made), home = storage_of(end.results[v]);
      Storage &s = storages_[storage];
      const bool made_here = storage != home && s.first > loop.body && s.last == loop.last &&
                             s.argument == graph::kNone && !s.pinned;
      if (!made_here || !schedule_.views[made].offset.empty() ||
          layouts_.of(made) != storages_[home].layout || s.layout != storages_[home].layout ||
          s.element_size != storages_[home].element_size || s.shared != storages_[home].shared ||
          !is_free(home, loop, s.first, made))
        continue;
      move_into(home, storage);
    }
  }
}

// When the outermost of the loops begins whose tiles a step puts together.
uint32_t Memory::begin_of_accumulating(uint32_t step, uint64_t axes) const {
  uint32_t begin = step;
  for (const AxisLoop &loop : schedule_.axis_loops)
    if (loop.first <= step && step <= loop.last && (axes >> loop.axis & 1) != 0)
      begin = std::min(begin, loop.first);
  return begin + 1;
}

// Makes the tiles that a loop over an axis puts together where they belong, if each is one run of the whole. The whole may lie where a
// variable does, whose old value is free from the beginning of that loop on, so tiles that are made before keep a place of their own.
void Memory::settle_accumulated() {
  for (uint32_t i = 0; i < schedule_.steps.size(); ++i) {
    const Step &step = schedule_.steps[i];
    if (step.kind != Step::Kind::accumulate ||
        program_.reduction_of(program_.instrs()[step.instrs[0]]) != sharding::Reduction::raw)
      continue;
    const ValueRef tile = step.operands[0], whole = step.results[0];
    const uint32_t storage = storage_of(tile), home = storage_of(whole);
    Storage &s = storages_[storage], &to = storages_[home];
    const uint64_t completed = program_.loop_axes(tile) & ~program_.loop_axes(whole);
    const bool keeps_no_more = ((s.kept & ~completed & ~to.kept) | (s.lanes & ~completed & ~to.lanes)) == 0;
    std::vector<int64_t> offset;
    if (storage == home || s.argument != graph::kNone || s.pinned || s.shared != to.shared ||
        !keeps_no_more || s.first < begin_of_accumulating(i, completed) ||
        !schedule_.views[tile].offset.empty() || s.layout != layouts_.of(tile) ||
        to.layout != layouts_.of(whole) || !layouts_.contiguous_within(s.layout, to.layout, offset))
      continue;
    to.first = std::min(to.first, s.first);
    to.last = std::max(to.last, s.last);
    move_into(home, storage);
    s.into_offset = std::move(offset);
  }
}

bool Memory::is_accumulated(const Step &step) const {
  return step.kind == Step::Kind::accumulate && storage_of(step.operands[0]) == storage_of(step.results[0]);
}

// Nothing in the body of a loop needs the old value of a variable from the step on that makes the new one.
bool Memory::is_free(uint32_t home, const Loop &loop, uint32_t time, ValueRef made) const {
  for (uint32_t i = loop.body; i + 1 < loop.last; ++i) {
    const Step &step = schedule_.steps[i];
    bool reads = false;
    step.each_read([&](ValueRef v) { reads = reads || storage_of(v) == home; });
    if (!reads)
      continue;
    uint32_t last = i + 1;
    for (const Loop &inner : schedule_.loops) // read again in every turn
      if (inner.first > loop.first && inner.last < loop.last && inner.first <= i && i <= inner.last)
        last = std::max(last, inner.last + 1);
    const bool at_once = last == time && (step.kind == Step::Kind::fused
                                              ? layouts_.of(made) == step.space && reads_by_index(step, home)
                                              : updates(step, home));
    if (last >= time && !at_once)
      return false;
  }
  return true;
}

// A fused step reads a storage element by element, each where it writes.
bool Memory::reads_by_index(const Step &step, uint32_t storage) const {
  return std::ranges::all_of(step.reads, [&](const FusedRead &read) {
    if (read.splat || storage_of(read.value) != storage)
      return true;
    for (size_t k = 0; k < read.dims.size(); ++k)
      if (read.dims[k] != static_cast<int>(k))
        return false;
    return layouts_.of(read.value) == step.space && schedule_.views[read.value].offset.empty();
  });
}

// A step that writes some elements of its first operand, which has its tiles, and reads nothing else of where that lies.
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

// The members of a chain up to the one that makes the result read the storage element by element, the others not at all.
bool Memory::may_lie_over(const Step &chain, ValueRef result, uint32_t storage) const {
  bool made = false;
  for (const Step &member : chain.members) {
    const bool reads = std::ranges::any_of(member.reads, [&](const FusedRead &read) {
      return !read.splat && storage_of(read.value) == storage;
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

// The operand dies at this step, lies densely at the start of its storage and has tiles of the result's bytes.
bool Memory::can_take_over(uint32_t storage, ValueRef operand, ValueRef result, uint32_t time) const {
  const Storage &s = storages_[storage];
  const Storage &to = storages_[storage_of(result)];
  return s.argument == graph::kNone && !s.pinned && s.last == time && s.kept == to.kept &&
         s.lanes == to.lanes && s.shared == to.shared && schedule_.views[operand].offset.empty() &&
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
    if (step.kind == Step::Kind::chain)
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
      if (read.splat)
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

// Counts the places along some axes, row-major.
int64_t Memory::index_along(uint64_t axes, int64_t position) const {
  const sharding::Mesh &mesh = program_.mesh();
  int64_t index = 0;
  for (; axes != 0; axes &= axes - 1) {
    const auto axis = static_cast<sharding::AxisId>(std::countr_zero(axes));
    index = index * mesh.size(axis) + mesh.coordinate(position, axis);
  }
  return index;
}

// How many there are along some axes.
int64_t Memory::places(uint64_t axes) const {
  int64_t size = 1;
  for (; axes != 0; axes &= axes - 1)
    size *= program_.mesh().size(static_cast<sharding::AxisId>(std::countr_zero(axes)));
  return size;
}

void Memory::place() {
  const sharding::Mesh &mesh = program_.mesh();
  const auto positions = static_cast<size_t>(layouts_.num_positions());
  // Of each device the largest tile over its positions, by storage; -1 where it lies on another.
  std::vector<std::vector<int64_t>> most(static_cast<size_t>(mesh.num_devices()),
                                         std::vector<int64_t>(storages_.size(), 0));
  for (size_t p = 0; p < positions; ++p)
    for (size_t s = 0; s < storages_.size(); ++s)
      if (const Storage &at = storages_[s]; at.argument == graph::kNone) {
        int64_t &bytes_here = most[static_cast<size_t>(mesh.device_of(static_cast<int64_t>(p)))][s];
        if (sharing_.leader(at.shared, static_cast<int64_t>(p)) != static_cast<int64_t>(p))
          bytes_here = -1;
        else
          bytes_here = std::max(bytes_here,
                                at.element_size < 0 ? -at.element_size : bytes(at, static_cast<int64_t>(p)));
      }
  const auto aligned = [](int64_t bytes) { return (bytes + 63) / 64 * 64; };
  shared_.insert(0);
  for (const Storage &s : storages_)
    shared_.insert(s.shared);
  std::map<std::vector<int64_t>, size_t> known;
  class_of_.resize(positions);
  std::vector<Block> blocks(storages_.size());
  for (size_t p = 0; p < positions; ++p) {
    const auto &sizes = most[static_cast<size_t>(mesh.device_of(static_cast<int64_t>(p)))];
    const auto [at, fresh] = known.try_emplace(sizes, classes_.size());
    class_of_[p] = at->second;
    if (!fresh)
      continue;
    Class made;
    made.offsets.resize(storages_.size());
    for (size_t s = 0; s < storages_.size(); ++s)
      made.stride.push_back(storages_[s].kept == 0 ? sizes[s] : aligned(sizes[s]));
    // Lays out some of the storages, from `begin` on; answers with the bytes they take.
    const auto lay_out = [&](int64_t begin, auto &&belongs) {
      for (size_t s = 0; s < storages_.size(); ++s) {
        const Storage &from = storages_[s];
        blocks[s] = {belongs(s) ? made.stride[s] * places(from.kept) : 0, from.first, from.last};
      }
      std::vector<int64_t> offsets;
      const int64_t bytes = best_fit(blocks, offsets);
      for (size_t s = 0; s < storages_.size(); ++s)
        if (belongs(s))
          made.offsets[s] = begin + offsets[s];
      return bytes;
    };
    for (const uint64_t axes : shared_) {
      const int64_t begin = axes == 0 ? 0 : aligned(made.common);
      const int64_t bytes = lay_out(begin, [&](size_t s) {
        return sizes[s] >= 0 && storages_[s].lanes == 0 && storages_[s].shared == axes;
      });
      if (bytes == 0)
        continue;
      made.common = begin + bytes;
      if (axes != 0)
        made.leads[axes] = bytes;
    }
    made.lane = lay_out(0, [&](size_t s) { return storages_[s].lanes != 0; });
    if (made.lane != 0) // each lane's part begins a cache line
      made.common = aligned(made.common), made.lane = aligned(made.lane);
    made.bytes = made.common + made.lane * places(lane_axes_);
    classes_.push_back(std::move(made));
  }
}

Location Memory::locate(ValueRef v, int64_t device) const {
  const uint32_t at = storage_of(v);
  TW_ASSERT(at != graph::kNone);
  const Storage &s = storages_[at];
  const auto d = static_cast<size_t>(device);
  const auto &view = schedule_.views[v].offset;
  const auto size = static_cast<int64_t>(byte_size(program_.type(v).dtype));
  int64_t inner = view.empty() ? 0 : view[d] * size;
  for (uint32_t i = storage_of_[schedule_.views[v].root]; i != at; i = storages_[i].into)
    if (!storages_[i].into_offset.empty())
      inner += storages_[i].into_offset[d] * size;
  if (s.argument != graph::kNone)
    return {1 + s.argument, 0, s.argument_offset[d] * size + inner};
  const int64_t home = sharing_.leader(s.shared, device);
  const Class &arena = class_at(home);
  int64_t offset = arena.offsets[at] + inner;
  if (s.kept != 0)
    offset += index_along(s.kept, device) * arena.stride[at];
  if (s.lanes != 0) {
    const int64_t lane = program_.mesh().without(device, lane_axes_ & ~s.lanes);
    offset += arena.common + index_along(lane_axes_, lane) * arena.lane;
  }
  return {0, static_cast<uint32_t>(home), offset};
}

int64_t Memory::used_bytes(int64_t device) const {
  const Class &own = class_at(device);
  int64_t bytes = own.bytes;
  for (const auto &[axes, led] : own.leads)
    bytes -= led;
  for (const uint64_t axes : shared_)
    if (const auto &leads = class_at(sharing_.leader(axes, device)).leads; leads.contains(axes))
      bytes += leads.at(axes);
  return bytes;
}

Location Memory::locate_splat(ValueRef v, int64_t device) const {
  return {0, static_cast<uint32_t>(device), class_at(device).offsets[splat_storage_[v]]};
}

} // namespace tw::runtime
