// SPDX-License-Identifier: Apache-2.0
// tw trace: a run on a machine as it is foreseen, step by step in time. Runs nothing; `tw run --trace` writes
// what a run did.
#include "cli/files.hpp"
#include "cli/on_system.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_trace {

namespace {

int run(CommandLine &line) {
  const Options &options = line.options;
  OnSystem on;
  std::string out = "-";
  line.take_file();
  line.take_plan();
  on.declare(line);
  line.app.add_option("-o,--out", out, "file to write (default: standard output)");
  line.parse();
  on.choose_by(line.options);

  Progress progress(options);
  const auto [graph, plan, program] = lower_file(options, progress);
  progress.say("estimating");
  const Estimate estimate = on.estimate(program.get());
  const std::string trace =
      text_of([&](tw_blob_t **made) { return tw_estimate_trace(estimate.get(), made); });
  progress.clear();
  write_file(out, trace);
  return verdict_of_plan(plan.get(), program.get(), options);
}

} // namespace

const Verb verb = {"trace", "a run on a machine as it is foreseen, as a Chrome trace", run};

} // namespace tw::cli::verb_trace
