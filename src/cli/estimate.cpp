// SPDX-License-Identifier: Apache-2.0
// tw estimate: whether a program fits the devices of a machine, and how long a run takes there. Runs nothing.
#include <fmt/format.h>

#include "cli/json.hpp"
#include "cli/on_system.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_estimate {

namespace {

constexpr int kDoesNotFit = 3;

int run(CommandLine &line) {
  const Options &options = line.options;
  OnSystem on;
  std::string cap;
  line.take_file();
  line.take_plan();
  on.declare(line);
  line.app.add_option("--cap", cap, "what a device may need at most: 16GiB (default: what the system has)");
  line.parse();
  on.choose_by(line.options);
  on.cap_bytes = cap.empty() ? 0 : bytes_of("--cap", cap);

  Progress progress(options);
  const auto [graph, plan, program] = lower_file(options, progress);
  progress.say("estimating");
  const Estimate estimate = on.estimate(program.get());
  progress.clear();
  if (options.json) {
    Json report = report_of(program.get());
    report["estimate"] = json_of(estimate);
    print(report.dump(2) + "\n");
  } else if (!options.quiet) {
    print(tables_of(estimate));
  }
  tw_estimate_view_t totals{};
  totals.struct_size = sizeof totals;
  check(tw_estimate_totals(estimate.get(), &totals));
  const int verdict = verdict_of_plan(plan.get(), program.get(), options);
  return verdict == 0 && totals.fits == 0 ? kDoesNotFit : verdict;
}

} // namespace

const Verb verb = {"estimate",
                   "whether a program fits a machine and how long a run takes there, before it runs", run};

} // namespace tw::cli::verb_estimate
