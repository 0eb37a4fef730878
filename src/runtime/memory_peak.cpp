// SPDX-License-Identifier: Apache-2.0
// Memory over time: how much a device holds at each step, and what that is.
#include <algorithm>
#include <numeric>

#include "runtime/memory.hpp"

namespace tw::runtime {

using spmd::InstrKind;
using spmd::ValueRef;

int64_t Memory::held_bytes(const Storage &s, Position position) const {
  if (s.argument != graph::kNone || s.into != graph::kNone)
    return 0;
  return s.element_size < 0 ? -s.element_size : bytes(s, position) * places(s.kept | s.threads);
}

// Several values may lie in one place after each other: each is there until the next one is made, the first
// one, as in the next turn of a loop, also before.
std::vector<Memory::Life> Memory::find_lives(Position position) const {
  struct Made {
    uint32_t time;
    ValueRef value;
  };
  std::vector<std::vector<Made>> made(storages_.size()); // by storage
  const auto note = [&](uint32_t time, ValueRef v) {
    const uint32_t storage = storage_of(v);
    std::vector<Made> &all = made[storage];
    if (storages_[storage].layout != layouts_.of(v) && !all.empty())
      return; // a tile of what is there
    if (!all.empty() && all.back().time == time)
      all.back().value = v;
    else
      all.push_back({time, v});
  };
  for (const spmd::Instr &in : program_.instrs())
    if (in.kind == InstrKind::argument)
      note(0, in.first_result);
  for (const Step &step : schedule_.statics)
    for (const ValueRef v : step.results)
      note(0, v);
  for (uint32_t i = 0; i < schedule_.steps.size(); ++i)
    for (const ValueRef v : schedule_.steps[i].results)
      note(i + 1, v);
  for (ValueRef v = 0; v < constant_storage_.size(); ++v)
    if (constant_storage_[v] != graph::kNone)
      made[constant_storage_[v]] = {{0, v}};

  std::vector<Life> lives;
  for (size_t i = 0; i < storages_.size(); ++i) {
    const Storage &s = storages_[i];
    const int64_t bytes = held_bytes(s, position);
    if (bytes <= 0)
      continue;
    for (size_t m = 0; m < made[i].size(); ++m) {
      const uint32_t first = m == 0 ? s.first : std::max(s.first, made[i][m].time),
                     last = m + 1 == made[i].size() ? s.last : std::min(s.last, made[i][m + 1].time - 1);
      if (first <= last)
        lives.push_back({{made[i][m].value, bytes}, first, last});
    }
  }
  return lives;
}

Memory::Peak Memory::find_peak(Position position) const {
  Peak peak;
  peak.at.assign(schedule_.steps.size() + 3, 0); // first what changes
  for (const Storage &s : storages_)
    if (const int64_t bytes = held_bytes(s, position); bytes > 0) {
      peak.at[s.first] += bytes;
      peak.at[s.last + 1] -= bytes;
    }
  std::partial_sum(peak.at.begin(), peak.at.end(), peak.at.begin());
  peak.at.pop_back(); // nothing is left
  const auto most = std::ranges::max_element(peak.at);
  peak.time = static_cast<uint32_t>(most - peak.at.begin());
  peak.bytes = *most;
  peak.lives = find_lives(position);
  for (const Life &life : peak.lives)
    if (life.first <= peak.time && life.last >= peak.time)
      peak.held.push_back(life);
  std::ranges::stable_sort(peak.held, std::greater(), &Held::bytes);
  return peak;
}

} // namespace tw::runtime
