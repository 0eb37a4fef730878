// SPDX-License-Identifier: Apache-2.0
// Collectives between processes that the kind of the devices carries itself, in a queue of its own: that
// queue waits for those of the members, and they for it. The issuing thread waits for no device, only until
// what is sent is in the queue. Recordings hold nothing of it.
#include <algorithm>
#include <thread>
#include <utility>

#include "base/pause.hpp"
#include "runtime/queue_executor.hpp"

namespace tw::runtime {

namespace {

// How long the host looks without rest whether what it sent is in the queue.
constexpr int kIssueLooks = 200;
constexpr auto kIssueNap = std::chrono::microseconds(20);

} // namespace

void QueueExecutor::open_crossing() {
  how_.crossing->tell_failure(&late_failure_);
  const int32_t unit = placed_.empty() ? 0 : placed_.front().second;
  crossing_idle_ = kind_.make_event(unit);
  crossed_.resize(steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].collective != nullptr)
      crossed_[i] = kind_.make_event(unit);
}

// Only those at the steps and threads where the loops are now give and take.
void QueueExecutor::cross(uint32_t step) {
  const BoundStep &bound = steps_[step];
  std::vector<size_t> groups;
  Position first = sharding::kNoPosition;
  for (Lane &lane : lanes_) {
    const int32_t m = member(step, here(lane));
    if (m < 0)
      continue;
    first = first < 0 ? here(lane) : first;
    resolve(bound, here(lane), &operands_[static_cast<size_t>(m)], &results_[static_cast<size_t>(m)],
            bound.members.size());
    lane.queue->record(*lane.here);
    how_.crossing->wait(*lane.here);
    if (const size_t group = bound.collective->group_of(Position(m));
        std::ranges::find(groups, group) == groups.end())
      groups.push_back(group);
  }
  if (groups.empty())
    return;
  Lane::Timed *const timed = begin_timing(lanes_.front(), *how_.crossing, first, step);
  if (Status issued = cross(step, groups); !issued)
    fail_with(std::move(issued.error()), first, step);
  end_timing(*how_.crossing, timed);
  how_.crossing->record(*crossed_[step]);
  if (!is_awaited_[step])
    wait_for_crossing(step);
}

// Until all of it is in the queue, or the run is over.
Status QueueExecutor::cross(uint32_t step, std::span<const size_t> groups) {
  const BoundStep &bound = steps_[step];
  comm::Collective &collective = *bound.collective;
  const size_t members = bound.members.size();
  for (const size_t group : groups) {
    collective.begin(group, {operands_.data(), members * bound.num_operands},
                     {results_.data(), members * bound.num_results});
    TW_TRY(collective.send(group, 0));
    if (is_awaited_[step])
      collective.set_awaited(group, false);
  }
  for (const size_t group : groups)
    for (int looks = 0;; ++looks) {
      TW_ASSIGN(const bool issued, collective.is_issued(group));
      if (issued || !goes_on())
        break;
      if (looks < kIssueLooks)
        pause_briefly();
      else
        std::this_thread::sleep_for(kIssueNap);
    }
  return {};
}

void QueueExecutor::wait_for_crossing(uint32_t step) {
  const BoundStep &bound = steps_[step];
  for (Lane &lane : lanes_)
    if (const int32_t m = member(step, here(lane)); m >= 0) {
      lane.queue->wait(*crossed_[step]);
      if (is_awaited_[step])
        bound.collective->set_awaited(bound.collective->group_of(Position(m)), true);
    }
}

} // namespace tw::runtime
