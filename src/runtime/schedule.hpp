// SPDX-License-Identifier: Apache-2.0
// What every device executes: the program's instructions grouped into steps. Chains of elementwise ops become
// one step, broadcasts become strides of its inputs, renames become views, and what never changes runs once,
// before the first run. Passes then make the steps fewer, put them into a better order and say what may lie
// where (`pass_list.inc`).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/layout.hpp"
#include "runtime/sharing.hpp"
#include "runtime/step.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

struct ScheduleOptions {
  bool donate = false;                   // results may be written over arguments that the program donates
  std::vector<int64_t> process = {};     // whose memory each position of the mesh has; empty: all the same
  std::vector<std::string> without = {}; // passes left out, of step_passes()
  // Whether the devices have a kernel for a step of kind `product`; empty: they have none for any.
  std::function<bool(const Step &)> has_product = {};
  // Whether they have one kernel for a chain, whatever its rows take; empty: they have none for any. Views:
  // of the program's values.
  std::function<bool(const Step &, std::span<const View>)> has_row_chain = {};
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
  std::vector<Donation> donations;  // which results may be written over which arguments
  Sharing sharing;                  // what devices of one process make and hold together
  std::vector<bool> packable;       // per value: a kernel may have it in an order of its own
  std::vector<bool> recordable;     // per step: queues may keep it for later runs; empty: none
};

Schedule schedule(const spmd::Program &program, const Layouts &layouts, const ScheduleOptions &options = {});

// The passes over steps, each of which may be left out.
std::vector<std::string_view> step_passes();

} // namespace tw::runtime
