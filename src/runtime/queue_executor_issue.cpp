// SPDX-License-Identifier: Apache-2.0
// What the issuing thread puts into queues for each step.
#include <algorithm>
#include <map>
#include <thread>
#include <utility>

#include "ops/variables.hpp"
#include "runtime/queue_executor.hpp"

namespace tw::runtime {

namespace {

// So many steps may be in the queues, and what is replayed at once: then the issuing thread waits for the
// first half of them.
constexpr uint64_t kAhead = 512;

} // namespace

// Who runs a step together: the leader's queue for all of them.
void QueueExecutor::find_groups() {
  for (const BoundStep &step : steps_) {
    auto &groups = groups_.emplace_back();
    if (step.leaders.empty())
      continue;
    std::map<Position, std::vector<Position>> by_leader;
    for (const Lane &lane : lanes_)
      by_leader[step.leaders[static_cast<size_t>(lane.position)]].push_back(lane.position);
    for (auto &[leader, members] : by_leader)
      groups.push_back(std::move(members));
  }
}

void QueueExecutor::find_members() {
  is_awaited_.resize(steps_.size(), false);
  size_t operands = 1, results = 1;
  for (const BoundStep &step : steps_) {
    auto &numbers = member_of_.emplace_back();
    const bool moves = step.mover != nullptr || step.collective != nullptr;
    const size_t each = moves ? step.members.size() : 1;
    operands = std::max(operands, step.num_operands * each);
    results = std::max(results, step.num_results * each);
    if (step.awaits != kNoStep)
      is_awaited_[step.awaits] = true;
    if (!moves)
      continue;
    numbers.resize(static_cast<size_t>(mesh_.num_positions()), -1);
    for (size_t m = 0; m < step.members.size(); ++m)
      numbers[static_cast<size_t>(step.members[m])] = static_cast<int32_t>(m);
  }
  operands_.resize(operands);
  results_.resize(results);
  landings_.resize(steps_.size());
}

void QueueExecutor::resolve(const BoundStep &step, Position position, const void **operands, void **results,
                            size_t apart) const {
  const Location *at =
      step.places.data() + static_cast<size_t>(position) * (step.num_operands + step.num_results);
  for (size_t i = 0; i < step.num_operands; ++i)
    operands[i * apart] = memory_at(*at++);
  for (size_t i = 0; i < step.num_results; ++i)
    results[i * apart] = memory_at(*at++);
}

std::byte *QueueExecutor::memory_at(const Location &place) const {
  if (place.base == 0)
    return arenas_[place.arena] + place.offset;
  auto *const array = static_cast<std::byte *>(task_.arguments[place.base - 1]);
  return array == nullptr ? nullptr : array + place.offset;
}

// Answers with the step that comes next.
uint32_t QueueExecutor::issue(uint32_t step) {
  const BoundStep &bound = steps_[step];
  if (bound.loop.size != 0)
    return pass_loop(step);
  if (!bound.targets.empty())
    return jump(step);
  if (bound.awaits != kNoStep && steps_[bound.awaits].collective != nullptr)
    how_.crossing != nullptr ? wait_for_crossing(bound.awaits) : finish_exchanges(bound.awaits);
  else if (bound.awaits != kNoStep)
    wait_for_readers(bound.awaits, steps_[bound.awaits].mover->num_rounds() - 1);
  else if (bound.collective != nullptr)
    how_.crossing != nullptr ? cross(step) : begin_exchange(step);
  else if (bound.mover != nullptr)
    issue_collective(step);
  else
    issue_kernels(step);
  return step + 1;
}

void QueueExecutor::launch(Lane &lane, Position position, uint32_t step) {
  const BoundStep &bound = steps_[step];
  const kernels::Kernel *kernel = bound.kernels[static_cast<size_t>(position)];
  if (kernel == nullptr)
    return;
  resolve(bound, position, operands_.data(), results_.data());
  Lane::Timed *const timed = begin_timing(lane, *lane.queue, position, step);
  lane.queue->launch(*kernel, {operands_.data(), bound.num_operands}, {results_.data(), bound.num_results},
                     {position, step});
  end_timing(*lane.queue, timed);
}

void QueueExecutor::issue_kernels(uint32_t step) {
  for (Lane &lane : lanes_)
    if (groups_[step].empty())
      launch(lane, here(lane), step);
  for (const auto &group : groups_[step])
    issue_together(step, group);
}

void QueueExecutor::issue_together(uint32_t step, std::span<const Position> group) {
  const auto &kernels = steps_[step].kernels;
  if (std::ranges::all_of(group, [&](Position p) { return kernels[static_cast<size_t>(p)] == nullptr; }))
    return;
  Lane &leader = lane_of(group[0]);
  for (const Position other : group.subspan(1)) {
    Lane &lane = lane_of(other);
    lane.queue->record(*lane.here);
    leader.queue->wait(*lane.here);
  }
  for (const Position member : group)
    launch(leader, member, step);
  leader.queue->record(*leader.arrived);
  for (const Position other : group.subspan(1))
    lane_of(other).queue->wait(*leader.arrived);
}

void QueueExecutor::issue_collective(uint32_t step) {
  const BoundStep &bound = steps_[step];
  const size_t members = bound.members.size();
  // Only those at the steps and threads where the loops are now give and take.
  for (Lane &lane : lanes_)
    if (const int32_t m = member(step, here(lane)); m >= 0)
      resolve(bound, here(lane), &operands_[static_cast<size_t>(m)], &results_[static_cast<size_t>(m)],
              members);
  const comm::SourceTiles src(operands_.data(), members * bound.num_operands);
  const comm::TargetTiles dst(results_.data(), members * bound.num_results);
  const size_t rounds = bound.mover->num_rounds();
  for (size_t round = 0; round < rounds; ++round) {
    for (Lane &lane : lanes_)
      lane.queue->record(*lane.here);
    for (Lane &lane : lanes_) {
      const int32_t m = member(step, here(lane));
      if (m < 0)
        continue;
      const Position taker(m);
      for (const Position source : bound.mover->sources(round, taker))
        lane.queue->wait(*lane_of(bound.members[static_cast<size_t>(source)]).here);
      Lane::Timed *const timed = begin_timing(lane, *lane.queue, here(lane), step, round == 0);
      bound.mover->move(*lane.queue, round, taker, src, dst, {here(lane), step});
      end_timing(*lane.queue, timed);
      lane.queue->record(*lane.arrived);
    }
    if (round + 1 < rounds || !is_awaited_[step])
      wait_for_readers(step, round);
  }
}

// Each member waits for those who read its tile, and for who takes in its place.
void QueueExecutor::wait_for_readers(uint32_t step, size_t round) {
  const BoundStep &bound = steps_[step];
  for (Lane &lane : lanes_)
    if (const int32_t m = member(step, here(lane)); m >= 0)
      for (const Position source : bound.mover->sources(round, Position(m)))
        lane_of(bound.members[static_cast<size_t>(source)]).queue->wait(*lane.arrived);
}

uint32_t QueueExecutor::pass_loop(uint32_t step) {
  const LoopEdge &loop = steps_[step].loop;
  if (loop.begins)
    return step + 1;
  const int64_t at = offset_ / loop.stride % loop.size;
  const bool again = at + 1 < loop.size;
  offset_ += again ? loop.stride : -at * loop.stride;
  return again ? steps_[step].targets[0] : step + 1;
}

// What decides is whole and the same on every device, so the first one's copy is asked.
uint32_t QueueExecutor::jump(uint32_t step) {
  const BoundStep &bound = steps_[step];
  if (bound.num_operands == 0)
    return bound.targets[0];
  Lane &lane = lanes_.front();
  resolve(bound, here(lane), operands_.data(), results_.data());
  TW_ASSERT(bound.selector_bytes <= selector_.size());
  lane.queue->copy_out(selector_.data(), operands_[0], bound.selector_bytes);
  lane.queue->record(*lane.idle);
  if (!wait_on_host(*lane.idle))
    return step;
  return bound.targets[ops::chosen_branch(std::span(selector_).first(bound.selector_bytes),
                                          static_cast<uint32_t>(bound.targets.size()))];
}

// Long loops do not fill the queues without end.
void QueueExecutor::hold_back(uint64_t steps) {
  issued_ += steps;
  if (issued_ < kAhead / 2)
    return;
  issued_ = 0;
  const size_t now = ++held_ % 2;
  for (Lane &lane : lanes_)
    lane.queue->record(*lane.passed[now]);
  for (const Lane &lane : lanes_)
    if (!wait_on_host(*lane.passed[1 - now]))
      return;
}

// What a test wants to happen before a step; false: the run ends. A device whose steps are not issued is one
// that never comes.
bool QueueExecutor::provoke(uint32_t step) {
  for (const Lane &lane : lanes_) {
    if (hooks_.at_step != nullptr)
      hooks_.at_step(hooks_.user, lane.position, step, false);
    for (const Fault &fault : hooks_.faults) {
      if (fault.position != lane.position || fault.step != step)
        continue;
      if (fault.kind == Fault::Kind::delay) {
        std::this_thread::sleep_for(fault.late);
        continue;
      }
      if (fault.kind == Fault::Kind::error)
        fail_with(Error(Code::internal, "TW-621", "an error provoked by a test"), lane.position, step);
      else
        fail_with(
            Error(Code::internal, "TW-620", "the device stopped, and others wait for it at a collective"),
            lane.position, step);
      return false;
    }
  }
  return true;
}

} // namespace tw::runtime
