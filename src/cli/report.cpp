// SPDX-License-Identifier: Apache-2.0
// tw report: everything that is known of a plan as one HTML page, which opens without a network. Runs
// nothing.
#include <fmt/format.h>

#include "base/figures.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/on_system.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_report {

namespace {

constexpr int kDoesNotFit = 3;

// "fits, 12.3 ms a step on h100-sxm"
std::string verdict_text(const tw_estimate_view_t &totals, const std::string &system) {
  return fmt::format("{} ({} of {} a device), {} a step on {}", totals.fits != 0 ? "fits" : "does not fit",
                     bytes_text(static_cast<double>(totals.peak_bytes)),
                     bytes_text(static_cast<double>(totals.cap_bytes)), time_text(totals.overlapped_s),
                     system);
}

int run(CommandLine &line) {
  const Options &options = line.options;
  OnSystem on;
  std::string out, cap, trace;
  line.take_file();
  line.take_plan();
  on.declare(line, false);
  line.app.add_option("--cap", cap, "what a device may need at most: 16GiB (default: what the system has)");
  line.app.add_option("--trace", trace, "show the run that this file has, too: `tw run --trace` writes it");
  line.app.add_option("-o,--out", out, "the page to write: r.html")->required();
  line.parse();
  on.choose_by(line.options);
  on.cap_bytes = cap.empty() ? 0 : bytes_of("--cap", cap);
  if (out == "-" && options.json)
    throw usage("-o - prints the page and --json one object: give one of them");

  Progress progress(options);
  const auto [graph, plan, program] = lower_file(options, progress);
  const std::string measured = trace.empty() ? std::string() : read_file(trace);
  const std::string command = line.command();
  progress.say("writing the page");
  tw_page_options_t how{};
  how.struct_size = sizeof how;
  how.command = command.c_str();
  how.trace = trace.empty() ? nullptr : measured.c_str();
  const Estimate estimate = on.system.empty() ? Estimate() : on.estimate(program.get());
  const tw_program_t *const lowered = program.get();
  const std::string html =
      text_of([&](tw_blob_t **made) { return tw_program_page(lowered, estimate.get(), &how, made); });
  progress.clear();
  write_file(out, html);

  tw_estimate_view_t totals{};
  totals.struct_size = sizeof totals;
  if (estimate)
    check(tw_estimate_totals(estimate.get(), &totals));
  if (options.json)
    print(Json{{"page", out}, {"bytes", html.size()}}.dump() + "\n");
  else if (!options.quiet && out != "-")
    print(fmt::format("{}: {}{}\n", out, bytes_text(static_cast<double>(html.size())),
                      estimate ? "; " + verdict_text(totals, on.system)
                               : "; --system says how long it takes, and whether it fits"));
  const int verdict = verdict_of_plan(plan.get(), program.get(), options);
  return verdict == 0 && estimate && totals.fits == 0 ? kDoesNotFit : verdict;
}

} // namespace

const Verb verb = {"report", "everything about a plan as one HTML page, which opens without a network", run};

} // namespace tw::cli::verb_report
