// SPDX-License-Identifier: Apache-2.0
// tw plan: what each device would hold, what must be sent and why, and how much memory it takes. Runs
// nothing.
#include "cli/files.hpp"
#include "cli/on_system.hpp"
#include "cli/plan_file.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_plan {

namespace {

int run(CommandLine &line) {
  const Options &options = line.options;
  std::string out;
  OnSystem on;
  line.take_file();
  line.take_plan();
  line.take_all_rows();
  line.app.add_option("-o,--out", out, "write the plan as JSON to this file, which --plan reads");
  on.declare(line, false);
  line.parse();
  on.choose_by(line.options);

  Progress progress(options);
  const auto [graph, plan, program] = lower_file(options, progress);
  const Estimate estimate = on.system.empty() ? Estimate() : on.estimate(program.get());
  progress.clear();

  if (options.json || !out.empty()) {
    Json report = report_of(program.get());
    report["made_with"] = made_with(options);
    if (estimate != nullptr)
      report["estimate"] = json_of(estimate);
    const std::string json = report.dump(2) + "\n";
    if (!out.empty())
      write_file(out, json);
    if (options.json)
      print(json);
  }
  if (!options.json && !options.quiet) {
    print_report(program.get(), options);
    if (estimate != nullptr)
      print("\n" + tables_of(estimate));
  }
  return verdict_of_plan(plan.get(), program.get(), options);
}

} // namespace

const Verb verb = {"plan",
                   "what each device holds, what is sent and why, peak memory, for a mesh and actions", run};

} // namespace tw::cli::verb_plan
