// SPDX-License-Identifier: Apache-2.0
// Steps that follow each other whatever the devices compute are issued once, recorded the second time they
// are due, and replayed by one call from then on: the first time, kernels may still make what they need.
//
// A stretch of steps begins where the run begins or something was decided, and ends where the next thing is
// decided, at a step that is not recorded, or when it is long. Jumps without a choice and loops over axes are
// counted by the issuing thread, so a stretch goes through them. It belongs to one step and one place of
// these loops, since tiles lie elsewhere at another place.
#include <algorithm>
#include <utility>

#include "runtime/queue_executor.hpp"

namespace tw::runtime {

namespace {

constexpr uint32_t kMostSteps = 512; // of a stretch: so long nobody can stop it
constexpr uint64_t kFewest = 4;      // steps of all its devices, below which a call for all is no gain
constexpr uint64_t kMostRecorded = uint64_t{1} << 16; // steps of all devices and stretches

} // namespace

size_t QueueExecutor::num_recordings() const {
  return static_cast<size_t>(std::ranges::count_if(
      stretches_, [](const auto &s) { return s.second.state == Stretch::State::recorded; }));
}

// A step, or some that are recorded. False: the run is over meanwhile.
bool QueueExecutor::advance() {
  if (hooks_.any() && !provoke(step_))
    return false;
  if (hooks_.any() || notes_times())
    return issue_one();
  return steps_[step_].may_be_recorded ? run_stretch() : issue_one();
}

bool QueueExecutor::issue_one() {
  const uint32_t next = issue(step_);
  if (!goes_on())
    return false; // `step_` stays where it stopped
  step_ = next;
  hold_back(1);
  advance_all();
  return true;
}

bool QueueExecutor::run_stretch() {
  Stretch &stretch = stretches_[{step_, offset_}];
  if (stretch.state == Stretch::State::known)
    stretch.state = record(stretch) ? Stretch::State::recorded : Stretch::State::plain;
  if (stretch.state != Stretch::State::recorded)
    return issue_stretch(stretch);
  stretch.recording->replay();
  step_ = stretch.next;
  offset_ = stretch.offset;
  hold_back(stretch.steps);
  advance_all();
  return true;
}

// One step after the other.
bool QueueExecutor::issue_stretch(Stretch &stretch) {
  uint32_t count = 0;
  for (; count < kMostSteps && step_ < steps_.size() && steps_[step_].may_be_recorded; ++count)
    if (!issue_one())
      return false;
  if (stretch.state != Stretch::State::unknown)
    return true;
  stretch.steps = count;
  stretch.next = step_;
  stretch.offset = offset_;
  const uint64_t all = count * lanes_.size();
  const bool pays = all >= kFewest && recorded_steps_ + all <= kMostRecorded;
  stretch.state = pays ? Stretch::State::known : Stretch::State::plain;
  return true;
}

// False: it cannot be recorded, and nothing of it was issued.
bool QueueExecutor::record(Stretch &stretch) {
  auto recording = kind_.make_recording(queues_);
  if (recording == nullptr || !recording->begin())
    return false;
  const int64_t offset = offset_;
  uint32_t step = step_;
  for (uint32_t i = 0; i < stretch.steps; ++i)
    step = issue(step);
  offset_ = offset;
  if (!recording->end())
    return false;
  stretch.recording = std::move(recording);
  recorded_steps_ += stretch.steps * lanes_.size();
  return true;
}

} // namespace tw::runtime
