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
        ->check(above_0());
    line.app.add_flag("--donate", donate, "results may be written over donated arguments");
  }
  // What moves least is what takes the least time here.
  void choose_by(Options &options) const {
    if (options.policy == "cheapest" && !system.empty())
      options.policy += " on " + system;
  }
  System load() const {
    return make<System>([&](tw_system_t **out) { return tw_system_load(system.c_str(), out); });
  }
  Estimate estimate(const tw_program_t *program, const tw_system_t *on) const {
    tw_estimate_options_t how{};
    how.struct_size = sizeof how;
    how.cap_bytes = cap_bytes;
    how.trip_count = trip_count;
    how.donate = donate ? 1 : 0;
    return make<Estimate>([&](tw_estimate_t **out) { return tw_program_estimate(program, on, &how, out); });
  }
  Estimate estimate(const tw_program_t *program) const { return estimate(program, load().get()); }
};

inline Json json_of(const Estimate &estimate) {
  Json json = Json::parse(text_of([&](tw_blob_t **out) { return tw_estimate_json(estimate.get(), out); }));
  json.erase("schema"); // of the document that this is a part of
  return json;
}
inline std::string tables_of(const Estimate &estimate) {
  return text_of([&](tw_blob_t **out) { return tw_estimate_report(estimate.get(), report_width(), out); });
}

} // namespace tw::cli
