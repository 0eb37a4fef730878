// SPDX-License-Identifier: Apache-2.0
// What an executable would need, without one: steps are made and everything gets its place, as for a run.
#include <algorithm>

#include "runtime/executable.hpp"
#include "runtime/preparation.hpp"

namespace tw::runtime {

using spmd::Instr;
using spmd::InstrKind;

Result<Peak> Executable::plan_peak(std::shared_ptr<const spmd::Program> program, Options options) {
  options.workers = 1; // no figure depends on how many there are
  Executable made;
  made.program_ = std::move(program);
  TW_TRY(made.find_devices(options));
  Preparation p{std::move(options), Layouts(*made.program_)};
  TW_TRY(made.schedule(p));
  TW_TRY(made.place(p));

  Peak peak;
  const sharding::Mesh &mesh = made.program_->mesh();
  const auto bytes_at = [&](Position at) { return made.peak_bytes(mesh.device_of(at)); };
  const auto most = std::ranges::max_element(made.local_positions_, {}, bytes_at);
  if (most == made.local_positions_.end())
    return peak;
  peak.device = mesh.device_of(*most);
  peak.bytes = bytes_at(*most);
  const Memory::Peak at = p.memory->find_peak(*most);
  peak.instr = at.time == 0 || at.time > p.schedule.steps.size() ? graph::kNone
               : p.schedule.steps[at.time - 1].instrs.empty()    ? graph::kNone
                                                              : p.schedule.steps[at.time - 1].instrs.front();
  for (const Memory::Held &held : at.held)
    peak.held.push_back({held.value, held.bytes});
  for (const Instr &in : made.program_->instrs()) // where the caller has them
    if (in.kind == InstrKind::argument && p.memory->is_in_place(in.index)) {
      const auto size = static_cast<int64_t>(byte_size(made.program_->type(in.first_result).dtype));
      if (const int64_t bytes = p.layouts.elements(p.layouts.of(in.first_result), *most) * size; bytes > 0)
        peak.held.push_back({in.first_result, bytes});
    }
  std::ranges::stable_sort(peak.held, std::greater(), &Peak::Held::bytes);
  return peak;
}

} // namespace tw::runtime
