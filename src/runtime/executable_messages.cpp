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
      const std::vector<int64_t> bytes = queues_->lay_out_landings(s, {});
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
    queues_->lay_out_landings(step_of[i], begins);
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
