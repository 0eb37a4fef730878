// SPDX-License-Identifier: Apache-2.0
// tw solve: strategies for the nodes of an instance of the IOPDDL contest.
#include <cmath>
#include <csignal>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_solve {

namespace {

constexpr int kNoneFits = 3;

volatile std::sig_atomic_t interrupted = 0;

// Ctrl-C ends it with the best so far.
class Interrupts {
public:
  Interrupts() : before_(std::signal(SIGINT, [](int) { interrupted = 1; })) {}
  ~Interrupts() { std::signal(SIGINT, before_); }
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

private:
  void (*before_)(int);
};

int tell(void *user, double cost, double bound, int64_t rounds) {
  const auto text = [](double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "none"; };
  static_cast<Progress *>(user)->say(
      fmt::format("solving: cost {}, bound {}, {} rounds", text(cost), text(bound), rounds));
  return interrupted != 0 ? 1 : 0;
}

std::string summary(const Json &found) {
  const auto number = [&](const char *key) {
    return found.at(key).is_null() ? "none" : fmt::format("{:.0f}", found.at(key).get<double>());
  };
  const auto status = found.at("status").get<std::string>();
  std::string text = fmt::format("cost     {}\nbound    {}\n", number("cost"), number("bound"));
  if (!found.at("gap").is_null())
    text += fmt::format("gap      {:.3g} %\n", found.at("gap").get<double>() * 100);
  text += fmt::format("seconds  {:.1f}\n", found.at("seconds").get<double>());
  return text + (status == "optimal"      ? "nothing costs less\n"
                 : status == "budget"     ? "it fits; the rest of the gap is open\n"
                 : status == "infeasible" ? "no choice of strategies is allowed and fits\n"
                                          : "nothing that fits was found\n");
}

int run(CommandLine &line) {
  const Options &options = line.options;
  std::string file, out;
  tw_solve_options_t how{};
  how.struct_size = sizeof how;
  line.app.add_option("FILE", file, "an instance of the IOPDDL contest, as JSON ('-': stdin)")->required();
  line.take_seed("of what is drawn");
  line.app.add_option("--rounds", how.rounds, "rounds at most (default: 2000, or none with --seconds)")
      ->check(above_0());
  line.app
      .add_option("--seconds", how.seconds, "to solve at most; what is found then depends on the machine")
      ->check(above_0());
  line.app.add_option("-o,--out", out, "write the strategy of each node to this file: [0, 2, 1]");
  line.parse();
  how.seed = options.seed;

  Progress progress(options);
  progress.say("reading " + file);
  const std::string text = read_file(file);
  how.progress = tell;
  how.user = &progress;
  Json found;
  {
    const Interrupts interrupts;
    found = Json::parse(
        text_of([&](tw_blob_t **blob) { return tw_solve_iopddl(text.data(), text.size(), &how, blob); }));
  }
  progress.clear();
  const bool fits = !found.at("choices").is_null();
  if (!out.empty())
    write_file(
        out,
        fmt::format("[{}]\n",
                    fits ? fmt::format("{}", fmt::join(found.at("choices").get<std::vector<size_t>>(), ", "))
                         : ""));
  if (options.json)
    print(found.dump() + "\n");
  else if (!options.quiet)
    print(summary(found));
  return fits ? 0 : kNoneFits;
}

} // namespace

const Verb verb = {"solve", "strategies that cost least for an instance of the IOPDDL contest", run};

} // namespace tw::cli::verb_solve
