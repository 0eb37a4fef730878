// SPDX-License-Identifier: Apache-2.0
// tw estimate: whether a program fits the devices of a machine, and how long a run takes there. Runs nothing.
#include <fmt/format.h>

#include "cli/json.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_estimate {

namespace {

constexpr int kDoesNotFit = 3;

int run(CommandLine &line) {
  const Options &options = line.options;
  std::string system, cap;
  int64_t trip_count = 0;
  bool donate = false;
  line.take_file();
  line.take_plan();
  line.app
      .add_option("--system", system,
                  "the machine: cpu-local, tpuv3-core, a100-40g, a100-80g, h100-sxm, h200-sxm, or a file")
      ->required();
  line.app.add_option("--cap", cap, "what a device may need at most: 16GiB (default: what the system has)");
  line.app
      .add_option("--trip-count", trip_count, "turns of loops that data end (default: the system's guess)")
      ->check(CLI::PositiveNumber);
  line.app.add_flag("--donate", donate, "results may be written over donated arguments");
  line.parse();
  tw_estimate_options_t how{};
  how.struct_size = sizeof how;
  how.cap_bytes = cap.empty() ? 0 : bytes_of("--cap", cap);
  how.trip_count = trip_count;
  how.donate = donate ? 1 : 0;

  Progress progress(options);
  progress.say("reading " + options.file);
  const Graph graph = import_program(options);
  progress.say("planning");
  const Plan plan = make_plan(graph.get(), options);
  const Program program = lower(plan.get(), options);
  progress.say("estimating");
  const Json estimate = Json::parse(text_of(
      [&](tw_blob_t **out) { return tw_program_estimate(program.get(), system.c_str(), &how, out); }));
  progress.clear();
  if (options.json) {
    Json report = Json::parse(text_of([&](tw_blob_t **out) { return tw_program_json(program.get(), out); }));
    report["estimate"] = estimate;
    print(report.dump(2) + "\n");
  } else if (!options.quiet) {
    print(text_of([&](tw_blob_t **out) {
      return tw_program_estimate_report(program.get(), system.c_str(), &how, output_width(), out);
    }));
  }
  const int verdict = verdict_of_plan(plan.get(), program.get(), options);
  return verdict == 0 && !estimate.at("fits").get<bool>() ? kDoesNotFit : verdict;
}

} // namespace

const Verb verb = {"estimate",
                   "whether a program fits a machine and how long a run takes there, before it runs", run};

} // namespace tw::cli::verb_estimate
