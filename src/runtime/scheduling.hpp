// SPDX-License-Identifier: Apache-2.0
// What the passes over steps share, and the passes.
//
// | pass               | reads beside the steps         | changes              | stands there because       |
// |--------------------|--------------------------------|----------------------|----------------------------|
// | pair_donations     | the program's marks            | donations            | others ask what it found   |
// | recompute          | straight runs                  | members, results     | it reads fused steps only  |
// | split_groups       | straight runs                  | steps                | it sees what is stored     |
// | form_chains        | borders, donations, kind       | steps join chains    | remade steps join rows     |
// | reorder_for_memory | runs, donations                | the order            | a chain moves as a whole   |
// | fuse_sums          | straight runs, one process     | steps, reads         | it takes neighbours        |
// | overlap_messages   | runs, donations, process       | the order, `await`   | nothing may move a wait    |
// | join_products      | straight runs, donations, kind | steps join, `await`  | processes keep one order   |
// | share_replicated   | types, processes               | sharing              | the final steps count      |
// | pack_constants     | statics, readers               | packable             | the final steps count      |
// | record_runs        | jumps                          | recordable           | the final steps count      |
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/roles.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

struct Scheduling {
  const spmd::Program &program;
  const Layouts &layouts;
  const Roles &roles; // of the instructions
  const ScheduleOptions &options;

  Schedule schedule; // but for what follows from where its steps stand: targets, loops
  std::vector<uint32_t> places =
      {}; // by step: rising numbers. A pass that drops, adds or moves steps keeps them so
  std::vector<uint32_t> borders = {}; // places where regions and loops begin and end, ascending

  // By step, the number of its straight run: steps of one number follow each other, whatever is chosen.
  std::vector<uint32_t> straight_runs() const;

  // Whether a pass is not left out. Who asks for another than itself relies on what that finds.
  bool does(std::string_view pass) const { return std::ranges::count(options.without, pass) == 0; }
};

// The passes, in the order of pass_list.inc.
#define TW_PASS(name) void name(Scheduling &s);
#include "runtime/pass_list.inc"
#undef TW_PASS

void run_passes(Scheduling &s);

} // namespace tw::runtime
