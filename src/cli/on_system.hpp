// SPDX-License-Identifier: Apache-2.0
// The options of verbs that foresee a run on a machine, the same for all of them.
#pragma once

#include <cstdint>
#include <string>

#include "cli/handles.hpp"
#include "cli/json.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include <tilewright/tw_estimate.h>

namespace tw::cli {

struct OnSystem {
  std::string system; // "" where none is given, which only some verbs allow
  int64_t trip_count = 0;
  int64_t cap_bytes = 0;
  bool donate = false;

  // `runs`: what a run does may be said.
  void declare(CommandLine &line, bool required = true, bool runs = true) {
    line.app
        .add_option("--system", system,
                    "the machine: cpu-local, tpuv3-core, a100-40g, a100-80g, h100-sxm, h200-sxm, or a file")
        ->required(required);
    if (!runs)
      return;
    line.app
        .add_option("--trip-count", trip_count, "turns of loops that data end (default: the system's guess)")
        ->check(CLI::PositiveNumber);
    line.app.add_flag("--donate", donate, "results may be written over donated arguments");
  }
  Json estimate(const tw_program_t *program) const {
    return Json::parse(asked(
        [&](const auto *how, auto **out) { return tw_program_estimate(program, system.c_str(), how, out); }));
  }
  std::string tables(const tw_program_t *program) const {
    return asked([&](const auto *how, auto **out) {
      return tw_program_estimate_report(program, system.c_str(), how, output_width(), out);
    });
  }
  std::string trace(const tw_program_t *program) const {
    return asked([&](const auto *how, auto **out) {
      return tw_program_estimate_trace(program, system.c_str(), how, out);
    });
  }

private:
  template <class Ask> std::string asked(const Ask &ask) const {
    tw_estimate_options_t how{};
    how.struct_size = sizeof how;
    how.cap_bytes = cap_bytes;
    how.trip_count = trip_count;
    how.donate = donate ? 1 : 0;
    return text_of([&](tw_blob_t **out) { return ask(&how, out); });
  }
};

} // namespace tw::cli
