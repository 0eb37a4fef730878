// SPDX-License-Identifier: Apache-2.0
// Packing takes no more bytes, so what is packed lies where it lay.
#include "runtime/packing.hpp"

#include <set>

namespace tw::runtime {

using spmd::ValueRef;

void pack(const spmd::Program &program, const Schedule &schedule, const Layouts &layouts,
          const Memory &memory, std::span<const BoundStep> steps, std::span<std::byte *const> arenas) {
  std::set<std::byte *> packed;
  for (size_t i = 0; i < schedule.steps.size(); ++i)
    for (size_t d = 0; d < steps[i].kernels.size(); ++d) {
      const kernels::Kernel *kernel = steps[i].kernels[d];
      if (kernel == nullptr || !kernel->packs())
        continue;
      const ValueRef v = schedule.steps[i].operands[1];
      const Position position(static_cast<int64_t>(d));
      const Location at = memory.locate(v, position);
      std::byte *const place = arenas[at.arena] + at.offset;
      if (!packed.insert(place).second)
        continue;
      const int64_t bytes =
          layouts.elements(layouts.of(v), position) * static_cast<int64_t>(byte_size(program.type(v).dtype));
      const std::vector<std::byte> plain(place, place + bytes);
      kernel->pack(plain.data(), place);
    }
}

} // namespace tw::runtime
