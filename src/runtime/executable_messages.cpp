// SPDX-License-Identifier: Apache-2.0
// Memory of the host for collectives between processes, where the devices' own is not the host's: where their
// tiles land, and what communicators stage.
#include <algorithm>
#include <vector>

#include "base/best_fit.hpp"
#include "runtime/preparation.hpp"
#include "runtime/queue_executor.hpp"

namespace tw::runtime {

namespace {

constexpr int64_t kLandingAlign = 64;

// What a step needs of each region; and where `begins` is not empty, that is handed out there. Each device
// has a region, so that it is its own queue alone that copies there, one step after the other; the last is
// for what is staged. The steps of a loop, and the threads of a device, have one place for all of them: they
// come one after the other.
std::vector<int64_t> lay_out(QueueExecutor &queues, const sharding::Mesh &mesh, uint32_t step,
                             std::span<const Position> devices, std::span<std::byte *const> begins) {
  const BoundStep &bound = queues.steps()[step];
  const size_t members = bound.members.size(), arrays = bound.num_operands + bound.num_results;
  std::vector<std::byte *> operands(members * bound.num_operands), results(members * bound.num_results);
  std::vector<int64_t> used(devices.size() + 1, 0);
  const auto take = [&](size_t region, int64_t bytes) {
    std::byte *const at = begins.empty() ? nullptr : begins[region] + used[region];
    used[region] += (bytes + kLandingAlign - 1) / kLandingAlign * kLandingAlign;
    return at;
  };
  for (size_t device = 0; device < devices.size(); ++device) {
    std::vector<size_t> own; // members
    for (size_t m = 0; m < members; ++m)
      if (mesh.without(bound.members[m], mesh.loop_axes()) == devices[device])
        own.push_back(m);
    for (size_t a = 0; a < arrays; ++a) {
      int64_t most = 0;
      for (const size_t m : own)
        most = std::max(most, bound.tile_bytes[static_cast<size_t>(bound.members[m]) * arrays + a]);
      std::byte *const at = take(device, most);
      for (const size_t m : own)
        (a < bound.num_operands ? operands[a * members + m]
                                : results[(a - bound.num_operands) * members + m]) = at;
    }
  }
  for (size_t g = 0; g < bound.collective->num_groups(); ++g)
    if (!bound.collective->members(g).empty())
      take(devices.size(), bound.collective->staging_bytes(g));
  if (!begins.empty())
    queues.give_landings(step, std::move(operands), std::move(results));
  return used;
}

} // namespace

// Steps that are under way at the same time lie apart.
Status Executable::allocate_messages(const Preparation &p) {
  if (crossing_ != nullptr)
    return {}; // nothing lands on the host
  std::vector<uint32_t> step_of;
  const auto steps = executor_->steps();
  const size_t regions = local_positions_.size() + 1;
  std::vector<std::vector<Block>> blocks(regions);
  for (uint32_t s = 0; s < steps.size(); ++s)
    if (steps[s].collective != nullptr) {
      const uint32_t over = p.schedule.steps[s].awaited;
      const std::vector<int64_t> bytes = lay_out(*queues_, program_->mesh(), s, local_positions_, {});
      for (size_t r = 0; r < regions; ++r)
        blocks[r].push_back({bytes[r], s, over != graph::kNone ? over : s});
      step_of.push_back(s);
    }
  if (step_of.empty())
    return {};
  std::vector<std::vector<int64_t>> offsets(regions);
  std::vector<int64_t> first; // of each region
  int64_t total = 0;
  for (size_t r = 0; r < regions; ++r) {
    first.push_back(total);
    total += (best_fit(blocks[r], offsets[r]) + kLandingAlign - 1) / kLandingAlign * kLandingAlign;
  }
  TW_ASSIGN(messages_,
            device::allocate(device::host_kind(), 0, static_cast<size_t>(std::max<int64_t>(total, 1)),
                             p.options.allocator));
  for (size_t i = 0; i < step_of.size(); ++i) {
    std::vector<std::byte *> begins;
    for (size_t r = 0; r < regions; ++r)
      begins.push_back(messages_.get() + first[r] + offsets[r][i]);
    lay_out(*queues_, program_->mesh(), step_of[i], local_positions_, begins);
    comm::Collective &collective = *steps[step_of[i]].collective;
    std::byte *staging = begins.back();
    for (size_t g = 0; g < collective.num_groups(); ++g)
      if (!collective.members(g).empty()) {
        TW_TRY(collective.give_staging(g, staging));
        staging += (collective.staging_bytes(g) + kLandingAlign - 1) / kLandingAlign * kLandingAlign;
      }
  }
  return {};
}

} // namespace tw::runtime
