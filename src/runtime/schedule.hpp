// SPDX-License-Identifier: Apache-2.0
// What every device executes: the program's instructions grouped into steps. Chains of elementwise ops become one step,
// broadcasts become strides of its inputs, renames become views, and what never changes runs once, before the first run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/donation.hpp"
#include "runtime/layout.hpp"
#include "runtime/roles.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

struct Step {
  enum class Kind : uint8_t {
    kernel,
    fused,
    chain, // its members, some rows after the other
    collective,
    await,      // until a collective that has begun is over
    assign,     // copies each operand to the result of the same number, all at once
    jump,       // goes on at the target that its operand chooses, or at the only one
    enter,      // begins a loop over `axis`
    turn,       // ends it: goes on at the only target with the next step, or behind the last one
    accumulate, // puts what its operand is at one step into its result; of lanes, when all of them are over
  };
  Kind kind;
  std::vector<uint32_t> instrs;        // one, or the members of a fused step in program order
  std::vector<spmd::ValueRef> results; // stored values

  // kernel, collective: the values read
  std::vector<spmd::ValueRef> operands;

  // fused
  LayoutId space = 0;
  std::vector<FusedRead> reads;
  std::vector<std::vector<uint32_t>> args; // per member: reads (0 .. reads-1), or reads + member

  // jump, turn: steps; as ops::chosen_branch counts
  std::vector<uint32_t> targets;

  sharding::AxisId axis = 0; // enter, turn; accumulate: that of the lanes
  bool lanes = false;        // accumulate: its operand is what all lanes have made, one after the other
  uint64_t around = 0;       // axes of the loops around it

  uint32_t awaited = graph::
      kNone; // collective: the step at which it has to be over, where that is not the next; await: the collective

  std::vector<uint32_t> again = {}; // fused: members that are another step's, made again here
  // chain: what members read of each other is nowhere else, unless it is a result too. Its space has one element a row, its operands are what
  // they read besides, its reads are splats and what devices combine. Of a member: how many leading dimensions of what it works on count the rows.
  std::vector<Step> members = {};
  size_t row_dims = 0;

  // Visits the values that it reads; of a splat no array is needed.
  template <class Visit> void each_read(Visit &&visit) const {
    for (const spmd::ValueRef v : operands)
      visit(v);
    for (const FusedRead &read : reads)
      if (!read.splat)
        visit(read.value);
  }

  // Whether it is ever run there: outside of a loop only its first step and lane are.
  bool runs_at(const sharding::Mesh &mesh, int64_t position) const {
    return mesh.without(position, mesh.loop_axes() & ~around) == position;
  }
};

// The steps that begin and end a loop over an axis.
struct AxisLoop {
  sharding::AxisId axis;
  uint32_t first, last;
};

// Steps that run again and again: from the first of the condition, by the first of the body, to the jump that goes back.
struct Loop {
  uint32_t first, body, last;
};

struct Schedule {
  std::vector<Step> statics;   // run once, when the executable is made
  std::vector<Step> steps;     // run by every device, in this order
  std::vector<View> views;     // per value
  std::vector<bool> is_static; // per value: made by `statics`
  std::vector<bool>
      from_zero; // per value: partial sums to which zero was not added, so who combines them adds it
  std::vector<Loop> loops;          // inner ones before those around them
  std::vector<AxisLoop> axis_loops; // the same
};

// `donations`: which results will be written over arguments. `process`: who runs each position of the mesh; empty: one process all.
// `overlaps`: steps run while messages between processes are under way.
Schedule schedule(const spmd::Program &program, const Layouts &layouts,
                  std::span<const Donation> donations = {}, std::span<const int64_t> process = {},
                  bool overlaps = true);

} // namespace tw::runtime
