// SPDX-License-Identifier: Apache-2.0
// Memory over time: how much a device holds at each step, and what that is where it is most.
#include <algorithm>
#include <map>
#include <numeric>

#include "runtime/memory.hpp"

namespace tw::runtime {

using spmd::InstrKind;
using spmd::ValueRef;

Memory::Peak Memory::find_peak(Position position) const {
  const auto end = static_cast<uint32_t>(schedule_.steps.size() + 1);
  const auto held = [&](const Storage &s) {
    if (s.argument != graph::kNone || s.into != graph::kNone)
      return int64_t{0};
    return s.element_size < 0 ? -s.element_size : bytes(s, position) * places(s.kept | s.threads);
  };
  std::vector<int64_t> at(end + 2, 0); // first what changes
  for (const Storage &s : storages_)
    if (const int64_t bytes = held(s); bytes > 0) {
      at[s.first] += bytes;
      at[s.last + 1] -= bytes;
    }
  std::partial_sum(at.begin(), at.end(), at.begin());
  at.pop_back(); // nothing is left
  const auto most = std::max_element(at.begin(), at.end());
  Peak peak{static_cast<uint32_t>(most - at.begin()), *most, {}, std::move(at)};

  // Several values may lie in one place after each other: the last one made until then is there, else, as in
  // the next turn of a loop, the first one made later.
  std::map<uint32_t, ValueRef> there;
  const auto note = [&](ValueRef v) {
    if (const uint32_t storage = storage_of(v);
        storages_[storage].layout == layouts_.of(v) || !there.contains(storage))
      there[storage] = v; // no tile of what is there
  };
  for (const spmd::Instr &in : program_.instrs())
    if (in.kind == InstrKind::argument)
      note(in.first_result);
  for (const Step &step : schedule_.statics)
    std::ranges::for_each(step.results, note);
  for (uint32_t i = 0; i < peak.time && i < schedule_.steps.size(); ++i)
    std::ranges::for_each(schedule_.steps[i].results, note);
  for (uint32_t i = peak.time; i < schedule_.steps.size(); ++i)
    for (const ValueRef v : schedule_.steps[i].results)
      there.try_emplace(storage_of(v), v);
  for (ValueRef v = 0; v < constant_storage_.size(); ++v)
    if (constant_storage_[v] != graph::kNone)
      there[constant_storage_[v]] = v;
  for (const auto &[storage, value] : there)
    if (const Storage &s = storages_[storage]; s.first <= peak.time && s.last >= peak.time && held(s) > 0)
      peak.held.push_back({value, held(s)});
  std::ranges::stable_sort(peak.held, std::greater(), &Held::bytes);
  return peak;
}

} // namespace tw::runtime
