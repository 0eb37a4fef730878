// SPDX-License-Identifier: Apache-2.0
// tw search: the actions after which a program takes the least time on a machine. Runs nothing.
#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "base/utf8.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/on_system.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_search {

namespace {

constexpr int kNoneFits = 3;

std::atomic<tw_search_t *> running = nullptr; // what Ctrl-C ends

// From its making to its end a line tells how far the search is, and Ctrl-C ends that with the best so far.
class Shown {
public:
  // `wanted`: the gap at which it ends; 0: at none.
  Shown(tw_search_t *search, Progress &progress, double wanted)
      : search_(search), progress_(progress),
        wanted_(wanted > 0 ? fmt::format(", until {:.3g} %", wanted * 100) : "") {
    running.store(search);
    before_ = std::signal(SIGINT, [](int) {
      if (tw_search_t *now = running.load())
        tw_search_cancel(now);
    });
    thread_ = std::thread([this] {
      constexpr std::chrono::milliseconds kBetween(100);
      while (!over_.load()) {
        tell();
        std::this_thread::sleep_for(kBetween);
      }
    });
  }
  ~Shown() {
    over_.store(true);
    thread_.join();
    std::signal(SIGINT, before_);
    running.store(nullptr);
    progress_.clear();
  }
  Shown(const Shown &) = delete;
  Shown &operator=(const Shown &) = delete;

private:
  void tell() {
    double cost = 0, bound = 0;
    int64_t peak = 0, episodes = 0;
    if (tw_search_progress(search_, &cost, &bound, &peak, &episodes) != TW_OK)
      return;
    if (episodes > 0)
      progress_.say(fmt::format("searching: {} a run (bound {}, gap {:.0f} %{}), {} a device, {} plans",
                                time_text(cost), time_text(bound), (cost - bound) / cost * 100, wanted_,
                                bytes_text(peak), episodes));
    else if (bound > 0)
      progress_.say(fmt::format("searching: no plan takes less than {}", time_text(bound)));
  }

  tw_search_t *search_;
  Progress &progress_;
  const std::string wanted_;
  void (*before_)(int) = nullptr;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

// What the command line fixed, then what was found: `tw plan` reads it.
std::string spec_of(const Options &options, const OnSystem &on, const Json &found, const std::string &spec) {
  std::string text = fmt::format(
      "# {} by `tw search` for {} on {}: {} a run one thing after the other, {} a device{}.\n",
      options.specs.empty() ? "Found" : "Fixed and found", options.file, on.system,
      time_text(found.at("cost_ms").get<double>() / 1e3), bytes_text(found.at("peak_bytes").get<double>()),
      found.at("status") == "infeasible" ? ", which does not fit" : "");
  std::string with; // what it was found with, and a spec cannot say
  const auto add = [&](std::string_view option, const std::string &value, std::string_view otherwise) {
    if (value != otherwise)
      with += fmt::format(" {} {}", option, value);
  };
  add("--gathers", found.at("gathers").get<std::string>(), "shared");
  add("--policy", options.policy, "conservative");
  add("--annotations", options.ignore_annotations ? "ignore" : "use", "use");
  add("--levels", options.levels, "");
  add("--names", options.names, "");
  for (const std::string &pass : options.without)
    add("--without", pass, "");
  if (!with.empty())
    text += fmt::format("# With{}.\n", with);
  if (options.mesh)
    text += fmt::format("mesh {}\n", *options.mesh);
  for (const SpecText &fixed : options.specs)
    text += fixed.text + (fixed.text.ends_with('\n') ? "" : "\n");
  return spec.empty() ? text : text + "\n" + spec;
}

std::string summary(const Json &found) {
  const auto status = found.at("status").get<std::string>();
  const auto plans = found.at("episodes").get<int64_t>();
  const std::string peak = bytes_text(found.at("peak_bytes").get<double>());
  std::string text = found.at("cached").get<bool>() ? "kept from an earlier search: " : "";
  if (status == "infeasible")
    text += fmt::format("nothing that was found in {} plans fits: the least is {} a device, of which "
                        "arguments alone take {}\n",
                        plans, peak, bytes_text(found.at("least_peak_bytes").get<double>()));
  else
    text +=
        fmt::format("{} {} plans: {} a run, and no plan takes less than {} (gap {:.0f} %)\n",
                    status == "budget"      ? "stopped after"
                    : status == "cancelled" ? "ended by hand after"
                    : status == "gap"       ? "as near as was wanted after"
                    : status == "optimal"   ? "the best there is, after"
                                            : "nothing was left to try after",
                    plans, time_text(found.at("cost_ms").get<double>() / 1e3),
                    time_text(found.at("bound_ms").get<double>() / 1e3), found.at("gap").get<double>() * 100);
  for (const Json &tried : found.at("seeds_tried"))
    text += fmt::format("  {:<24} {:>10} a run  {:>10} a device{}\n", tried.at("name").get<std::string>(),
                        time_text(tried.at("cost_ms").get<double>() / 1e3),
                        bytes_text(tried.at("peak_bytes").get<double>()),
                        tried.at("fits").get<bool>() ? "" : "  does not fit");
  return text;
}

// What the command line says.
struct Asked {
  OnSystem on;
  std::string cap, out, axes, cache;
  bool even = false, exact = false;
  std::optional<double> gap; // percent
  tw_search_options_t how{};

  void declare(CommandLine &line);
  void settle(const Options &options);
};

void Asked::declare(CommandLine &line) {
  how.struct_size = sizeof how;
  line.take_file();
  line.take_plan("--fix,--spec");
  line.take_all_rows();
  on.declare(line, true, false);
  line.take_seed("of what is drawn");
  line.app.add_option("--cap", cap, "what a device may need at most: 16GiB (default: what the system has)");
  line.app
      .add_option("--episodes", how.episodes,
                  "plans to price at most (default: 1000, or none with --seconds)")
      ->check(above_0());
  line.app
      .add_option("--seconds", how.seconds, "to search at most; what is found then depends on the machine")
      ->check(above_0());
  line.app.add_option("--gap", gap, "ends it where no plan can be cheaper by more than so many percent");
  line.app
      .add_option("--threads", how.threads,
                  "threads (default: one a core); they change nothing that is found")
      ->check(CLI::Range(0, 1024));
  line.app.add_option("--axes", axes, "the axes to decide about: data,model (default: all of devices)");
  line.app.add_flag("--even", even, "cut no argument in tiles of more than one size, as JAX wants it");
  line.app.add_flag("--exact", exact, "then raise the bound as far as can be proven");
  line.app.add_option("--cache", cache,
                      "keep answers in this folder, and take them from there when the same is asked again");
  line.app.add_option("-o,--out", out, "write what was fixed and found to this file, as a spec");
}

void Asked::settle(const Options &options) {
  if (out == "-" && options.json)
    throw usage("-o - prints a spec and --json one object: give one of them");
  if (gap && !(*gap > 0 && *gap < 100))
    throw usage(fmt::format("--gap {}: expected percent, more than 0 and less than 100", *gap));
  how.gap = gap.value_or(0) / 100;
  on.cap_bytes = cap.empty() ? 0 : bytes_of("--cap", cap);
  how.cap_bytes = on.cap_bytes;
  how.seed = options.seed;
  how.axes = axes.empty() ? nullptr : axes.c_str();
  how.even_only = even ? 1 : 0;
  how.exact = exact ? 1 : 0;
  how.cache = cache.empty() ? nullptr : cache.c_str();
}

int run(CommandLine &line) {
  const Options &options = line.options;
  Asked asked;
  asked.declare(line);
  line.parse();
  asked.settle(options);
  const OnSystem &on = asked.on;
  const LowerOptions lowering(options);
  asked.how.lower = &lowering.how;

  Progress progress(options);
  progress.say("reading " + options.file);
  const Graph graph = import_program(options);
  const Plan begin = make_plan(graph.get(), options);
  progress.say("searching");
  const System system = on.load();
  const Search search = make<Search>(
      [&](tw_search_t **made) { return tw_search_create(begin.get(), system.get(), &asked.how, made); });
  {
    const Shown shown(search.get(), progress, asked.how.gap);
    check(tw_search_run(search.get()));
  }
  Json found = Json::parse(text_of([&](tw_blob_t **blob) { return tw_search_json(search.get(), blob); }));
  found.erase("schema"); // of the document that this is a part of
  for (const Json &note : found.at("notes"))
    fmt::print(stderr, "tw: note: {}\n", shown(note.get<std::string>()));
  const std::string spec = spec_of(
      options, on, found, text_of([&](tw_blob_t **blob) { return tw_search_spec(search.get(), blob); }));
  if (!asked.out.empty())
    write_file(asked.out, spec);

  const Plan plan = make<Plan>([&](tw_plan_t **made) { return tw_search_plan(search.get(), made); });
  Options lowered = options;
  lowered.gathers = found.at("gathers").get<std::string>();
  const Program program = lower(plan.get(), lowered);
  if (options.json) {
    Json report = report_of(program.get());
    report["estimate"] = json_of(on.estimate(program.get(), system.get()));
    report["search"] = found;
    print(report.dump(2) + "\n");
  } else if (!options.quiet && asked.out != "-") {
    print(summary(found));
    if (asked.out.empty())
      print("\n" + spec);
    print_report(program.get(), options);
    print("\n" + tables_of(on.estimate(program.get(), system.get())));
  }
  const int verdict = verdict_of_plan(plan.get(), program.get(), options);
  return verdict == 0 && found.at("status") == "infeasible" ? kNoneFits : verdict;
}

} // namespace

const Verb verb = {"search", "the actions after which a program takes the least time on a machine", run};

} // namespace tw::cli::verb_search
