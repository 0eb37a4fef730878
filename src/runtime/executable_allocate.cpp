// SPDX-License-Identifier: Apache-2.0
// The arenas of the devices, and behind them limits for messages that are under way.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "base/best_fit.hpp"
#include "base/watch.hpp"
#include "graph/shown_name.hpp"
#include "runtime/preparation.hpp"
#include "runtime/queue_executor.hpp"

namespace tw::runtime {

namespace {

constexpr size_t kPage = 4096;
// Equal offsets of different devices should not share sets of the caches.
constexpr size_t kSkew = 33 * 64;

// Calls visit(group, bytes, position) for the staging of each group of a collective, or of each taker of a
// mover among `devices`. It lies with the first member that this process runs, for whom nothing else is
// under way. Steps have nothing of their own. What collectives of queues stage lies on the host where their
// tiles land there.
template <class Visit>
void each_staging(const BoundStep &step, const sharding::Mesh &mesh, comm::DeviceRange devices,
                  Visit &&visit) {
  const auto at = [&](Position member) {
    return mesh.without(step.members[static_cast<size_t>(member)],
                        mesh.loop_axes(sharding::AxisKind::serial));
  };
  const bool here = step.collective != nullptr && step.tile_bytes.empty();
  for (size_t g = 0; here && g < step.collective->num_groups(); ++g)
    if (const auto members = step.collective->members(g); !members.empty())
      visit(g, step.collective->staging_bytes(g), at(members[0]));
  for (Position taker; step.mover != nullptr && taker < std::ssize(step.members); ++taker)
    if (devices.contains(mesh.device_of(at(taker))))
      visit(static_cast<size_t>(taker), step.mover->staging_bytes(taker), at(taker));
}

} // namespace

// Where those of a position lie behind its arena: what is under way at the same time lies apart.
void Executable::find_staging(const Schedule &plan) {
  const sharding::Mesh &mesh = program_->mesh();
  const auto steps = executor_->steps();
  std::vector<std::vector<Block>> blocks(static_cast<size_t>(mesh.num_positions()));
  std::vector<size_t> block_of;
  for (uint32_t s = 0; s < steps.size(); ++s)
    each_staging(steps[s], mesh, devices_, [&](size_t group, int64_t bytes, Position position) {
      auto &of_position = blocks[static_cast<size_t>(position)];
      const uint32_t over = plan.steps[s].awaited;
      if (of_position.empty() ||
          of_position.back().first != s) // else the groups of a loop's steps, one after the other
        of_position.push_back({0, s, over != graph::kNone ? over : s});
      of_position.back().bytes = std::max(of_position.back().bytes, bytes);
      staging_.push_back({s, group, position, 0});
      block_of.push_back(of_position.size() - 1);
    });
  std::vector<std::vector<int64_t>> offsets(blocks.size());
  for (size_t p = 0; p < blocks.size(); ++p)
    staging_bytes_.push_back((best_fit(blocks[p], offsets[p]) + 63) / 64 * 64);
  for (size_t i = 0; i < staging_.size(); ++i)
    staging_[i].offset = offsets[static_cast<size_t>(staging_[i].position)][block_of[i]];
}

Status Executable::give_staging() {
  const sharding::Mesh &mesh = program_->mesh();
  std::vector<std::byte *> staging(staging_bytes_.size(), nullptr); // behind the arena of the device
  std::vector<int64_t> used(arena_bytes_.size(), 0);
  for (size_t p = 0; p < staging.size(); ++p)
    if (staging_bytes_[p] > 0) {
      const auto device = static_cast<size_t>(mesh.device_of(Position(static_cast<int64_t>(p))).index());
      used[device] += staging_bytes_[p];
      staging[p] = arenas_[p] + arena_bytes_[device] - used[device];
    }
  for (const Staging &at : staging_) {
    std::byte *const memory = staging[static_cast<size_t>(at.position)] + at.offset;
    const BoundStep &step = executor_->steps()[at.step];
    if (step.mover != nullptr)
      step.mover->give_staging(Position(static_cast<int64_t>(at.group)), memory);
    else
      TW_TRY(step.collective->give_staging(at.group, memory));
  }
  return {};
}

// Which device needs most, at which step, and what it holds there.
Error Executable::too_large(size_t bytes, size_t limit, const Memory &memory) const {
  constexpr size_t kNamed = 5;
  Error error(Code::resource_exhausted, "TW-622",
              fmt::format("the devices need {} bytes in all, more than the limit of {}", bytes, limit));
  const auto needs = [&](Position position) { return memory.used_bytes(position); };
  const auto largest = std::ranges::max_element(local_positions_, {}, needs);
  if (largest == local_positions_.end())
    return error;
  const Memory::Peak peak = memory.find_peak(*largest);
  const size_t step = std::clamp<size_t>(peak.time, 1, std::max<size_t>(step_instrs_.size(), 1)) - 1;
  if (step < step_instrs_.size())
    error.info().message += fmt::format("; {} holds most, {} bytes, at {}", device_name(*largest), peak.bytes,
                                        step_name(static_cast<uint32_t>(step)));
  const graph::Graph &graph = program_->graph();
  for (size_t i = 0; i < std::min(kNamed, peak.held.size()); ++i) {
    const spmd::Value &value = program_->values()[peak.held[i].value];
    const graph::OpId op = program_->instrs()[value.def].op;
    const std::string place = op == graph::kNone ? "" : graph.location_text(op);
    error.info().notes.push_back(fmt::format(
        "{} bytes: {} {}, {}{}{}", peak.held[i].bytes, graph::shown_name(graph, value.origin),
        to_short_text(graph.type(value.origin)), step_kind({value.def}), place.empty() ? "" : " at ", place));
  }
  return error;
}

Status Executable::allocate(const Preparation &prepared) {
  const Options &options = prepared.options;
  find_staging(prepared.schedule);
  for (size_t p = 0; p < staging_bytes_.size(); ++p)
    if (staging_bytes_[p] > 0) {
      const sharding::DeviceIndex device = program_->mesh().device_of(Position(static_cast<int64_t>(p)));
      int64_t &bytes = arena_bytes_[static_cast<size_t>(device.index())];
      bytes = (bytes + 63) / 64 * 64 + staging_bytes_[p];
    }
  size_t total = 0;
  std::vector<size_t> starts;
  for (const int64_t bytes : arena_bytes_) {
    starts.push_back(total);
    if (bytes > 0 && __builtin_add_overflow(
                         total, (static_cast<size_t>(bytes) + kPage - 1) / kPage * kPage + kSkew, &total))
      return fail(Code::resource_exhausted, "TW-623", "the devices need more than 2^64 bytes");
  }
  const device::QueueKind *const queues = device_->as_queues();
  if (queues != nullptr)
    total += queues->queue_bytes() * (local_positions_.size() + (crossing_ != nullptr ? 1 : 0));
  if (options.max_bytes > 0 && total > static_cast<size_t>(options.max_bytes))
    return fail(too_large(total, static_cast<size_t>(options.max_bytes), *prepared.memory));
  if (queues != nullptr) {
    TW_TRY(check_room(*queues));
    TW_TRY(queues_->open());
  }
  TW_TRY(queues != nullptr ? allocate_each(options.allocator)
                           : allocate_together(starts, total, options.allocator));
  TW_TRY(give_staging());
  return queues != nullptr ? allocate_messages(prepared) : Status();
}

// All that is needed of each unit, before anything is made there.
Status Executable::check_room(const device::QueueKind &queues) const {
  std::map<int32_t, size_t> needed;
  for (const Position position : local_positions_)
    needed[unit(position)] += queues.queue_bytes();
  for (size_t d = 0; d < arena_bytes_.size(); ++d)
    needed[units_[d]] += static_cast<size_t>(arena_bytes_[d]);
  for (const auto &[unit, bytes] : needed)
    TW_TRY(queues.check_room(unit, bytes));
  return {};
}

// On the host one block, touched here, once: the first touch of a page costs far more than any later one.
Status Executable::allocate_together(std::span<const size_t> starts, size_t total,
                                     const Allocator &allocator) {
  TW_ASSIGN(device::Memory all, device::allocate(*device_, 0, std::max<size_t>(total, 1), allocator));
  memory_.push_back(std::move(all));
  std::byte *const begin = memory_[0].get();
  const auto pages = static_cast<int64_t>((total + kPage - 1) / kPage);
  std::atomic<bool> given_up = false;
  pool_->parallel_for(pages, [&](int64_t page, unsigned) {
    if (given_up || gives_up()) { // only the caller's thread is watched
      given_up = true;
      return;
    }
    const size_t at = static_cast<size_t>(page) * kPage;
    std::memset(begin + at, 0, std::min(kPage, total - at));
  });
  TW_TRY(check_watch());
  const sharding::Mesh &mesh = program_->mesh();
  for (Position p; p < mesh.num_positions(); ++p)
    arenas_.push_back(begin + starts[static_cast<size_t>(mesh.device_of(p).index())]);
  return {};
}

// A block for each device of this process.
Status Executable::allocate_each(const Allocator &allocator) {
  for (size_t d = 0; d < arena_bytes_.size(); ++d) {
    TW_TRY(check_watch());
    if (!devices_.contains(sharding::DeviceIndex(static_cast<int64_t>(d)))) {
      memory_.emplace_back();
      continue;
    }
    TW_ASSIGN(device::Memory own,
              device::allocate(*device_, units_[d],
                               static_cast<size_t>(std::max<int64_t>(arena_bytes_[d], 1)), allocator));
    memory_.push_back(std::move(own));
  }
  const sharding::Mesh &mesh = program_->mesh();
  for (Position p; p < mesh.num_positions(); ++p)
    arenas_.push_back(memory_[static_cast<size_t>(mesh.device_of(p).index())].get());
  return {};
}

} // namespace tw::runtime
