// SPDX-License-Identifier: Apache-2.0
// What an executable holds before its first run: constants in the arenas, and the ways of arguments and
// results.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include "base/watch.hpp"
#include "kernels/info.hpp"
#include "ops/strided.hpp"
#include "runtime/constant_reads.hpp"
#include "runtime/packing.hpp"
#include "runtime/preparation.hpp"
#include "runtime/queue_executor.hpp"

namespace tw::runtime {

using kernels::cpu::CopyPlan;
using ops::dense_strides;
using spmd::Instr;
using spmd::InstrKind;

namespace {

constexpr int64_t kLoadPartBytes = 256 << 10;

} // namespace

Status Executable::load(const Preparation &p) {
  const spmd::Program &program = *program_;
  const Memory &memory = *p.memory;
  load_constants(p);
  for (const Position d : local_positions_) {
    TW_TRY(check_watch());
    if (auto failure = executor_->run_alone(p.statics, d, arenas_)) {
      explain(failure->error, d, p.schedule.statics[failure->step].instrs);
      return fail(std::move(failure->error));
    }
  }
  TW_TRY(check_watch());
  if (queues_ == nullptr)
    pack(program, p.schedule, p.layouts, memory, executor_->steps(), arenas_);

  plan_arguments(p.layouts, memory, p.schedule.sharing);
  plan_results(p.layouts, memory);
  if (p.options.whole_outputs && !tiles_ && communicator_->is_shared()) {
    TW_ASSIGN(collector_, Collector::create(*by_messages_, program, p.layouts, memory));
  }
  is_small_ = is_small(p.layouts);
  if (queues_ != nullptr)
    return plan_landings(p.options.allocator);
  prepare_workers();
  return {};
}

void Executable::load_constants(const Preparation &p) {
  std::set<spmd::ValueRef> loaded;
  for (const Step &step : p.schedule.steps)
    for (const FusedRead &read : step.reads)
      if (read.constant && loaded.insert(read.value).second) {
        for (const Position d : local_positions_) {
          std::byte *const place =
              arenas_[static_cast<size_t>(d)] + p.memory->locate_constant(read.value, d).offset;
          std::vector<std::byte> bytes = constant_bytes(*program_, p.layouts, read.value, d);
          if (bytes.empty()) // of an empty tile, which has no address to copy from
            continue;
          if (queues_ == nullptr) {
            std::memcpy(place, bytes.data(), bytes.size());
          } else {
            constants_.push_back(std::move(bytes));
            queues_->queue(d).copy_in(place, constants_.back().data(), constants_.back().size());
          }
        }
      }
}

// Tiles go to and come from devices as they lie there: dense, through memory of the host where the program's
// array is there.
Status Executable::plan_landings(const Allocator &allocator) {
  constexpr size_t kAlign = 64;
  size_t total = 0;
  for (auto [copies, landings] : {std::pair(&scatter_, &landings_in_), std::pair(&gather_, &landings_out_)})
    for (const ArrayCopy &copy : *copies) {
      const auto bytes = static_cast<size_t>(copy.plan.bytes());
      const bool in_arena = copy.place.base == 0;
      landings->push_back({in_arena ? Position(copy.place.arena) : copy.position,
                           in_arena ? arenas_[copy.place.arena] + copy.place.offset : nullptr, nullptr,
                           bytes});
      total += (bytes + kAlign - 1) / kAlign * kAlign;
    }
  TW_ASSIGN(landing_, device::allocate(device::host_kind(), 0, std::max<size_t>(total, 1), allocator));
  std::byte *next = landing_.get();
  for (auto *landings : {&landings_in_, &landings_out_})
    for (Landing &tile : *landings) {
      tile.host = next;
      next += (tile.bytes + kAlign - 1) / kAlign * kAlign;
    }
  return {};
}

// Every worker takes one part, since none ends before all have begun; a pool that is busy elsewhere is not
// waited for.
void Executable::prepare_workers() {
  constexpr auto kPatience = std::chrono::milliseconds(20);
  const unsigned workers = executor_->workers();
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::atomic<unsigned> arrived{0};
  pool_->parallel_for(workers, [&](int64_t, unsigned) {
    kernels::prepare_thread();
    ++arrived;
    while (arrived < workers && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
  });
}

void Executable::plan_arguments(const Layouts &layouts, const Memory &memory, const Sharing &sharing) {
  if (queues_ != nullptr) // null for tiles that are empty or in an arena
    bases_.assign(program_->graph().arguments().size() * local_positions_.size(), nullptr);
  for (const Instr &in : program_->instrs()) {
    if (in.kind != InstrKind::argument)
      continue;
    const graph::TensorType &type = program_->type(in.first_result);
    const auto size = static_cast<int64_t>(byte_size(type.dtype));
    const auto strides = dense_strides(type.dims);
    if (inputs_.size() <= in.index)
      inputs_.resize(in.index + 1);
    for (const Position d : local_positions_) {
      const sharding::Box &box = layouts.box(layouts.of(in.first_result), d);
      if (memory.is_in_place(in.index)) {
        if (queues_ != nullptr && !box.empty())
          plan_in_place(in.index, box, d, sharing.leader(sharing.of(in.first_result), d), type);
        continue;
      }
      if (box.empty() || sharing.leader(sharing.of(in.first_result), d) != d)
        continue;
      if (tiles_) {
        add(scatter_, scatter_parts_,
            {static_cast<uint32_t>(in.index * local_positions_.size() + local_index(d)), 0,
             memory.locate(in.first_result, d),
             CopyPlan(box.extent, dense_strides(box.extent), dense_strides(box.extent), size), 1, d,
             sharding::Box::whole(box.extent)});
        continue;
      }
      int64_t offset = 0;
      for (size_t dim = 0; dim < box.rank(); ++dim)
        offset += box.offset[dim] * strides[dim];
      CopyPlan plan(box.extent, strides, dense_strides(box.extent), size);
      add(scatter_, scatter_parts_,
          {in.index, offset * size, memory.locate(in.first_result, d), std::move(plan), 1, d, box});
    }
  }
}

void Executable::plan_results(const Layouts &layouts, const Memory &memory) {
  output_order_.resize(tiles_ ? result_tiles_.size() : program_->graph().results().size());
  std::iota(output_order_.begin(), output_order_.end(), 0u);
  is_owners_out_.resize(output_order_.size());
  for (const Instr &in : program_->instrs()) {
    if (in.kind != InstrKind::result)
      continue;
    const spmd::ValueRef value = program_->operands(in)[0];
    const graph::TensorType &type = program_->type(value);
    const auto size = static_cast<int64_t>(byte_size(type.dtype));
    const auto strides = dense_strides(type.dims);
    if (outputs_.size() <= in.index)
      outputs_.resize(in.index + 1);
    // Every part once, from the first device that holds it.
    std::set<std::vector<int64_t>> seen;
    for (const Position d : local_positions_) {
      const sharding::Box &box = layouts.box(layouts.of(value), d);
      if (tiles_ && !box.empty())
        add(gather_, gather_parts_,
            {static_cast<uint32_t>(in.index * local_positions_.size() + local_index(d)), 0,
             in_caller(memory.locate(value, d), d),
             CopyPlan(box.extent, dense_strides(box.extent), dense_strides(box.extent), size), 1, d,
             sharding::Box::whole(box.extent)});
      if (tiles_ || box.empty() || !seen.insert(box.offset).second)
        continue;
      int64_t offset = 0;
      for (size_t dim = 0; dim < box.rank(); ++dim)
        offset += box.offset[dim] * strides[dim];
      CopyPlan plan(box.extent, dense_strides(box.extent), strides, size);
      add(gather_, gather_parts_,
          {in.index, offset * size, in_caller(memory.locate(value, d), d), std::move(plan), 1, d, box});
    }
  }
}

// What devices with queues read in place they find by a base of their own (Task::arguments).
void Executable::plan_in_place(uint32_t argument, const sharding::Box &box, Position position,
                               Position leader, const graph::TensorType &type) {
  const size_t base = argument * local_positions_.size() + local_index(position);
  const auto known = std::ranges::find_if(in_place_, [&](const InPlace &tile) {
    return tile.position == leader && tile.bases[0] / local_positions_.size() == argument;
  });
  if (known != in_place_.end()) {
    known->bases.push_back(base);
    return;
  }
  const auto size = static_cast<int64_t>(byte_size(type.dtype));
  const auto own = dense_strides(box.extent);
  if (tiles_) {
    in_place_.push_back({static_cast<uint32_t>(argument * local_positions_.size() + local_index(position)),
                         0,
                         CopyPlan(box.extent, own, own, size),
                         leader,
                         sharding::Box::whole(box.extent),
                         {base},
                         {},
                         {}});
    return;
  }
  const auto strides = dense_strides(type.dims);
  int64_t offset = 0;
  for (size_t dim = 0; dim < box.rank(); ++dim)
    offset += box.offset[dim] * strides[dim];
  in_place_.push_back(
      {argument, offset * size, CopyPlan(box.extent, strides, own, size), leader, box, {base}, {}, {}});
}

void Executable::add(std::vector<ArrayCopy> &transfers, Parts &parts, ArrayCopy transfer) {
  transfer.parts = std::clamp<int64_t>(transfer.plan.bytes() / kLoadPartBytes, 1,
                                       std::max<int64_t>(transfer.plan.max_parts(), 1));
  for (int64_t p = 0; p < transfer.parts; ++p)
    parts.emplace_back(static_cast<uint32_t>(transfers.size()), static_cast<uint32_t>(p));
  transfers.push_back(std::move(transfer));
}

} // namespace tw::runtime
