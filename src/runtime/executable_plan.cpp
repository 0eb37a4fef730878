// SPDX-License-Identifier: Apache-2.0
// What an executable would run and need, without one: steps are made and everything gets its place, as for a
// run.
#include <algorithm>

#include "runtime/executable.hpp"
#include "runtime/planned.hpp"
#include "runtime/preparation.hpp"

namespace tw::runtime {

using spmd::Instr;
using spmd::InstrKind;

Result<Planned> Executable::plan(std::shared_ptr<const spmd::Program> program, Options options) {
  TW_TRY(spmd::check_passes(options.without, step_passes()));
  options.workers = 1; // no figure depends on how many there are
  Executable made;
  made.program_ = std::move(program);
  TW_TRY(made.find_devices(options));
  Preparation p{std::move(options), false, Layouts(*made.program_)};
  TW_TRY(made.schedule(p));
  TW_TRY(made.place(p));

  Peak peak;
  const sharding::Mesh &mesh = made.program_->mesh();
  const auto bytes_at = [&](Position at) { return made.peak_bytes(mesh.device_of(at)); };
  if (const auto most = std::ranges::max_element(made.local_positions_, {}, bytes_at);
      most != made.local_positions_.end()) {
    Memory::Peak of = p.memory->find_peak(*most);
    peak = {mesh.device_of(*most), bytes_at(*most), {}, of.time, std::move(of.at), {}};
    for (const Memory::Held &held : of.held)
      peak.held.push_back({held.value, held.bytes});
    for (const Memory::Life &life : of.lives)
      peak.lives.push_back({{life.value, life.bytes}, life.first, life.last});
    const auto end = static_cast<uint32_t>(peak.at.size() - 1);
    for (const Instr &in : made.program_->instrs()) // where the caller has them
      if (in.kind == InstrKind::argument && p.memory->is_in_place(in.index))
        if (const int64_t bytes = p.layouts.bytes(in.first_result, *most); bytes > 0) {
          peak.held.push_back({in.first_result, bytes});
          peak.lives.push_back({{in.first_result, bytes}, 0, end});
          for (int64_t &all : peak.at)
            all += bytes;
        }
    std::ranges::stable_sort(peak.held, std::greater(), &Peak::Held::bytes);
  }
  p.memory.reset(); // which looks at the others
  return Planned{std::move(p.layouts), std::move(p.schedule), std::move(peak)};
}

} // namespace tw::runtime
