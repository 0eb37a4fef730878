// SPDX-License-Identifier: Apache-2.0
// Follows rounding differences from split sums to the results.
#include "spmd/exactness.hpp"

#include <algorithm>

#include "ops/attributes.hpp"
#include "ops/registry.hpp"
#include "ops/symmetry.hpp"
#include "ops/variables.hpp"

namespace tw::spmd {
namespace {

bool has_fractions(graph::DType dtype) { return graph::is_float(dtype) || graph::is_complex(dtype); }

// Whether a region does more with numbers than compare and choose.
bool computes(const graph::Graph &graph, graph::RegionId region) {
  return std::ranges::any_of(graph.region(region).ops, [&](graph::OpId op) {
    return has_fractions(graph.type(graph.result(op)).dtype) &&
           (ops::op_def(graph.op(op).code).flags & (ops::kChooses | ops::kSource)) == 0;
  });
}

// Whether a fold by a region takes elements in another order than they have: it ran over tiles of another
// dimension than the outermost.
bool reorders(const Program &p, const Instr &fold) {
  const Instr &maker = p.instrs()[p.values()[p.operands(fold)[0]].def];
  const ops::OpViewHolder holder(p.graph(), maker.op);
  std::vector<int64_t> dims(holder.view().ints(ops::slot::reduce::dimensions).begin(),
                            holder.view().ints(ops::slot::reduce::dimensions).end());
  std::ranges::sort(dims);
  const ValueRef array = p.operands(maker)[0];
  bool behind = false;
  for (const int64_t d : dims) {
    const auto at = static_cast<size_t>(d);
    if (behind && !p.sharding(p.values()[array].sharding).dims[at].axes.empty())
      return true;
    behind = behind || p.type(array).dims[at] > 1;
  }
  return false;
}

// Combining partial values gives the unsplit bits for every kind but these: max, min, logic and pick do
// not round.
bool rounds(const Program &p, const Instr &instr) {
  switch (instr.kind == InstrKind::accumulate ? p.reduction_of(instr)
                                              : p.collectives()[instr.index].summary.reduction) {
  case sharding::Reduction::sum:
  case sharding::Reduction::prod: return has_fractions(p.type(p.operands(instr)[0]).dtype);
  case sharding::Reduction::region: {
    const graph::RegionId region = p.graph().op(instr.op).first_region;
    return computes(p.graph(), region) ||
           (reorders(p, instr) && ops::symmetry_of(p.graph(), region) != ops::Symmetry::full);
  }
  default: return false;
  }
}

// Whether a computation that the lowering added combines what was split.
bool combines_split(const Program &p, const Instr &instr) {
  const uint32_t flags = ops::op_def(p.graph().op(instr.op).code).flags;
  return p.is_added(instr.op) && (flags & ops::kElementwise) != 0 && (flags & ops::kChooses) == 0 &&
         has_fractions(p.type(instr.first_result).dtype);
}

// What rounding touches, followed once through the program; whether anything was new.
bool follow(const Program &program, const std::vector<Regions> &all, std::vector<bool> &rounded) {
  bool grew = false;
  const auto touch = [&](ValueRef v, bool touched) {
    grew |= touched && !rounded[v];
    rounded[v] = rounded[v] || touched;
  };
  for (const Instr &instr : program.instrs()) {
    if (instr.kind == InstrKind::region)
      continue;
    bool touched = instr.kind == InstrKind::compute ? combines_split(program, instr)
                   : instr.kind == InstrKind::collective || instr.kind == InstrKind::accumulate
                       ? rounds(program, instr)
                       : false;
    const auto operands = program.operands(instr);
    if (instr.kind == InstrKind::compute && ops::is_joint_barrier(program.graph(), instr.op)) {
      for (uint32_t r = 0; r < instr.num_results; ++r)
        touch(instr.first_result + r, rounded[operands[r]]);
      continue;
    }
    for (const ValueRef v : operands)
      touched = touched || rounded[v];
    for (uint32_t r = 0; r < instr.num_results; ++r)
      touch(instr.first_result + r, touched);
  }
  for (const Regions &regions : all) {
    const auto marker = [&](size_t k) -> const Instr & { return program.instrs()[regions.markers[k]]; };
    const size_t last = regions.markers.size() - 1;
    // Where the way depends on what was rounded, so does all that comes of it.
    const bool astray = rounded[program.operands(marker(regions.is_loop ? 1 : 0))[0]];
    for (uint32_t i = 0; i < marker(last).num_results; ++i) {
      bool touched = astray;
      for (size_t k = regions.is_loop ? 0 : 1; k <= last; ++k)
        if (!regions.is_loop || k != 1)
          touched = touched || rounded[program.operands(marker(k))[i]];
      for (size_t k = 0; k <= last; ++k)
        if (i < marker(k).num_results)
          touch(marker(k).first_result + i, touched);
    }
  }
  return grew;
}

} // namespace

std::vector<bool> exact_results(const Program &program) {
  const std::vector<Regions> all = find_regions(program);
  std::vector<bool> rounded(program.values().size(), false);
  while (follow(program, all, rounded) && !all.empty()) // loops carry it back
    ;
  std::vector<bool> exact(program.graph().results().size(), true);
  for (const Instr &instr : program.instrs())
    if (instr.kind == InstrKind::result)
      exact[instr.index] = !rounded[program.operands(instr)[0]];
  return exact;
}

} // namespace tw::spmd
