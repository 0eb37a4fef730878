// SPDX-License-Identifier: Apache-2.0
// Follows rounding differences from split sums to the results.
#include "spmd/exactness.hpp"

namespace tw::spmd {
namespace {

// Combining partial values gives the unsplit bits for every kind but these two: max, min, logic and pick do
// not round.
bool rounds(const Program &p, const Instr &instr) {
  const auto reduction = p.collectives()[instr.index].summary.reduction;
  const bool arithmetic = reduction == sharding::Reduction::sum || reduction == sharding::Reduction::prod;
  const auto dtype = p.type(p.operands(instr)[0]).dtype;
  return arithmetic && (graph::is_float(dtype) || graph::is_complex(dtype));
}

} // namespace

std::vector<bool> exact_results(const Program &program) {
  std::vector<bool> rounded(program.values().size(), false);
  std::vector<bool> exact(program.graph().results().size(), true);
  for (const Instr &instr : program.instrs()) {
    bool touched = instr.kind == InstrKind::collective && rounds(program, instr);
    for (ValueRef v : program.operands(instr))
      touched = touched || rounded[v];
    for (uint32_t r = 0; r < instr.num_results; ++r)
      rounded[instr.first_result + r] = touched;
    if (instr.kind == InstrKind::result)
      exact[instr.index] = !touched;
  }
  return exact;
}

} // namespace tw::spmd
