// SPDX-License-Identifier: Apache-2.0
// Collectives between processes, for devices whose memory is not the host's: tiles are copied to the host,
// the communicator moves them there, and what has come is copied back. The issuing thread asks for messages
// between steps, and where it waits.
#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "base/pause.hpp"
#include "runtime/queue_executor.hpp"

namespace tw::runtime {

namespace {

// How often it asks whether another process has failed.
constexpr auto kAskOthers = std::chrono::milliseconds(1);
// How long the host looks for messages without rest.
constexpr int kMessageLooks = 200;
constexpr auto kMessageNap = std::chrono::microseconds(20);
constexpr int64_t kLandingAlign = 64;

} // namespace

std::vector<int64_t> QueueExecutor::lay_out_landings(uint32_t step, std::span<std::byte *const> begins) {
  const BoundStep &bound = steps_[step];
  const size_t members = bound.members.size(), arrays = bound.num_operands + bound.num_results;
  Landings landings{std::vector<const void *>(members * bound.num_operands),
                    std::vector<void *>(members * bound.num_results)};
  std::vector<int64_t> used(placed_.size() + 1, 0);
  const auto take = [&](size_t region, int64_t bytes) {
    std::byte *const at = begins.empty() ? nullptr : begins[region] + used[region];
    used[region] += (bytes + kLandingAlign - 1) / kLandingAlign * kLandingAlign;
    return at;
  };
  for (size_t device = 0; device < placed_.size(); ++device) {
    std::vector<size_t> own; // members
    for (size_t m = 0; m < members; ++m)
      if (mesh_.without(bound.members[m], mesh_.loop_axes()) == placed_[device].first)
        own.push_back(m);
    for (size_t a = 0; a < arrays; ++a) {
      int64_t most = 0;
      for (const size_t m : own)
        most = std::max(most, bound.tile_bytes[static_cast<size_t>(bound.members[m]) * arrays + a]);
      std::byte *const at = take(device, most);
      for (const size_t m : own)
        if (a < bound.num_operands)
          landings.src[a * members + m] = at;
        else
          landings.dst[(a - bound.num_operands) * members + m] = at;
    }
  }
  for (size_t g = 0; g < bound.collective->num_groups(); ++g)
    if (!bound.collective->members(g).empty())
      take(placed_.size(), bound.collective->staging_bytes(g));
  if (!begins.empty())
    landings_[step] = std::move(landings);
  return used;
}

Status QueueExecutor::poll_others() {
  if (how_.processes.communicator == nullptr)
    return {};
  const auto now = Clock::now();
  if (now - polled_ < kAskOthers)
    return {};
  polled_ = now;
  return how_.processes.communicator->poll();
}

// Only those at the steps and threads where the loops are now give and take.
void QueueExecutor::begin_exchange(uint32_t step) {
  const BoundStep &bound = steps_[step];
  const size_t members = bound.members.size(), tiles = bound.num_operands + bound.num_results;
  std::set<size_t> groups;
  for (Lane &lane : lanes_) {
    const int32_t m = member(step, here(lane));
    if (m < 0)
      continue;
    resolve(bound, here(lane), operands_.data(), results_.data());
    const int64_t *bytes = &bound.tile_bytes[static_cast<size_t>(here(lane)) * tiles];
    for (size_t i = 0; i < bound.num_operands; ++i)
      if (bytes[i] > 0)
        lane.queue->copy_out(const_cast<void *>(landings_[step].src[i * members + static_cast<size_t>(m)]),
                             operands_[i], static_cast<size_t>(bytes[i]));
    lane.queue->record(*lane.out);
    groups.insert(bound.collective->group_of(Position(m)));
  }
  for (const size_t group : groups)
    exchanges_.push_back({step, group});
  if (!is_awaited_[step])
    finish_exchanges(step);
}

// Whether it is over; it never waits.
Result<bool> QueueExecutor::advance(Exchange &exchange) {
  const BoundStep &bound = steps_[exchange.step];
  comm::Collective &collective = *bound.collective;
  const Landings &at = landings_[exchange.step];
  if (!exchange.has_begun) {
    for (const Position m : collective.members(exchange.group)) {
      const Lane &lane = lane_of(bound.members[static_cast<size_t>(m)]);
      if (!lane.out->is_reached() || lane.queue->has_failed())
        return false;
    }
    collective.begin(exchange.group, at.src, at.dst);
    if (is_awaited_[exchange.step] && !exchange.is_awaited)
      collective.set_awaited(exchange.group, false);
    exchange.has_begun = true;
  }
  for (; exchange.stage < collective.stages(exchange.group); ++exchange.stage) {
    TW_ASSIGN(const bool ready, collective.ready(exchange.group, exchange.stage));
    if (!ready)
      return false;
    for (int64_t part = 0; part < collective.parts(exchange.group, exchange.stage); ++part)
      collective.run(exchange.group, exchange.stage, part, at.src, at.dst);
    TW_TRY(collective.send(exchange.group, exchange.stage));
  }
  bring_back(exchange.step, exchange.group);
  return true;
}

// What several devices share is brought by the one in whose arena it lies; the others wait for that.
void QueueExecutor::bring_back(uint32_t step, size_t group) {
  const BoundStep &bound = steps_[step];
  const size_t members = bound.members.size(), tiles = bound.num_operands + bound.num_results;
  const auto each_result = [&](auto &&visit) {
    for (const Position m : bound.collective->members(group)) {
      const Position position = bound.members[static_cast<size_t>(m)];
      for (size_t r = 0; r < bound.num_results; ++r) {
        const size_t at = static_cast<size_t>(position) * tiles + bound.num_operands + r;
        if (bound.tile_bytes[at] > 0)
          visit(lane_of(position), bound.places[at],
                landings_[step].dst[r * members + static_cast<size_t>(m)],
                static_cast<size_t>(bound.tile_bytes[at]));
      }
    }
  };
  const auto owner = [&](const Location &place) -> Lane & { return lane_of(Position(place.arena)); };
  each_result([&](Lane &lane, const Location &place, const void *landing, size_t bytes) {
    if (&owner(place) == &lane)
      lane.queue->copy_in(memory_at(place), landing, bytes);
  });
  for (const Position m : bound.collective->members(group)) {
    Lane &lane = lane_of(bound.members[static_cast<size_t>(m)]);
    lane.queue->record(*lane.arrived);
  }
  each_result([&](Lane &lane, const Location &place, const void *, size_t) {
    if (&owner(place) != &lane)
      lane.queue->wait(*owner(place).arrived);
  });
}

// Goes on with whatever is under way.
void QueueExecutor::advance_all() {
  for (size_t i = 0; i < exchanges_.size();) {
    auto over = advance(exchanges_[i]);
    if (!over) {
      const Exchange failed = exchanges_[i];
      const BoundStep &bound = steps_[failed.step];
      const auto first = static_cast<size_t>(bound.collective->members(failed.group)[0]);
      fail_with(std::move(over.error()), bound.members[first], failed.step);
      return;
    }
    if (*over)
      exchanges_.erase(exchanges_.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
}

void QueueExecutor::finish_exchanges(uint32_t step) {
  const auto is_of_step = [&](const Exchange &e) { return e.step == step; };
  if (is_awaited_[step])
    for (Exchange &exchange : exchanges_)
      if (is_of_step(exchange)) {
        exchange.is_awaited = true;
        if (exchange.has_begun)
          steps_[step].collective->set_awaited(exchange.group, true);
      }
  for (int looks = 0; std::ranges::any_of(exchanges_, is_of_step); ++looks) {
    advance_all();
    if (!goes_on())
      return;
    if (looks < kMessageLooks)
      pause_briefly();
    else
      std::this_thread::sleep_for(kMessageNap);
  }
}

} // namespace tw::runtime
