// SPDX-License-Identifier: Apache-2.0
// tw diff: what changed between two plans: shardings, collectives, bytes, memory, time.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/difference.hpp"
#include "cli/difference_page.hpp"
#include "cli/files.hpp"
#include "cli/hlo.hpp"
#include "cli/on_system.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"

namespace tw::cli::verb_diff {

namespace {

Failure no_plan(const std::string &path, const std::string &why) {
  Failure failure = fail("invalid_argument", "TW-810", fmt::format("{} is no plan: {}", path, why));
  failure.notes.push_back("`tw plan FILE .. -o plan.json` writes one");
  return failure;
}

bool is_json(const std::string &text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string::npos && text[begin] == '{';
}

// A plan that `tw plan -o` wrote, or the report of another verb.
Side saved(const std::string &path, const std::string &text) {
  Side side{path, Json::parse(text, nullptr, false)};
  if (side.report.is_discarded() || !side.report.is_object())
    throw no_plan(path, "it is not JSON");
  for (const char *key :
       {"mesh", "arguments", "results", "collectives", "executed", "counts", "bytes_received"})
    if (!side.report.contains(key))
      throw no_plan(path, fmt::format("it has no \"{}\"", key));
  return side;
}

Side planned(const std::string &text, const Options &options, const OnSystem &on, Progress &progress) {
  progress.say("planning " + options.file);
  const Graph graph = import_text(text, options.file == "-" ? "<stdin>" : options.file, options);
  const Plan plan = make_plan(graph.get(), options);
  const Program program = lower(plan.get(), options);
  std::vector<std::string> how;
  for (const SpecText &spec : options.specs)
    how.push_back(spec.name);
  Side side{fmt::format("{}{}{}", options.file, how.empty() ? "" : ", ", fmt::join(how, ", ")),
            report_of(program.get())};
  if (!on.system.empty())
    side.report["estimate"] = json_of(on.estimate(program.get()));
  return side;
}

// The other side's mesh says which partition is which.
Side read_side(const Options &options, const OnSystem &on, const Json *mesh, Progress &progress) {
  const std::string text = read_file(options.file);
  if (is_json(text))
    return saved(options.file, text);
  if (!is_hlo(text))
    return planned(text, options, on, progress);
  if (mesh == nullptr)
    throw usage(
        fmt::format("{} is HLO text, whose partitions have no axes: name a plan or a program first, and "
                    "the HLO behind it or with --against",
                    options.file));
  return {options.file, read_hlo(text, options.file, *mesh), true};
}

std::vector<std::string> words_of(const std::string &text) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// What the command line says.
struct Asked {
  OnSystem on;
  std::string other, against, mesh, fail_on, out;
  std::vector<std::string> specs, actions, fails;

  void declare(CommandLine &line);
  void settle();
  Options second(const Options &first) const; // of the side that FILE is compared with
};

void Asked::declare(CommandLine &line) {
  line.take_file();
  line.take_plan();
  line.app.add_option("OTHER", other,
                      "what FILE became: a program, a plan (`tw plan -o`), or HLO text that XLA partitioned");
  line.app.add_option("--against", against, "what FILE is compared with, in place of OTHER: what was before");
  line.app
      .add_option("--spec2", specs, "actions of the other side, in place of --spec and -a; may be repeated")
      ->allow_extra_args(false);
  line.app.add_option("--actions2", actions, "the same as text; may be repeated")->allow_extra_args(false);
  line.app.add_option("--mesh2", mesh, "the mesh of the other side, where it is another");
  line.app.add_option(
      "--fail-on", fail_on,
      "exit with 3 where the later side is worse in one of these: bytes,collectives,peak,time");
  line.take_all_rows();
  line.app.add_option("-o,--out", out, "write a page to this file, which opens without a network");
  on.declare(line, false, false);
}

void Asked::settle() {
  if (!other.empty() && !against.empty())
    throw usage("give OTHER, or --against, not both");
  if (other.empty() && against.empty() && specs.empty() && actions.empty() && mesh.empty())
    throw usage(
        "give what FILE is compared with: OTHER, --against, or --spec2, --actions2 or --mesh2 for the same "
        "program");
  fails = fail_on.empty() ? std::vector<std::string>() : words_of(fail_on);
  for (const std::string &what : fails)
    if (what != "bytes" && what != "collectives" && what != "peak" && what != "time")
      throw usage(
          fmt::format("--fail-on {}: use bytes, collectives, peak and time, with ',' between them", what));
}

Options Asked::second(const Options &first) const {
  Options second = first;
  if (!other.empty() || !against.empty())
    second.file = against.empty() ? other : against;
  if (!mesh.empty())
    second.mesh = mesh;
  if (!specs.empty() || !actions.empty()) {
    second.specs.clear();
    for (const std::string &path : specs)
      second.specs.push_back({path, read_file(path)});
    for (size_t i = 0; i < actions.size(); ++i)
      second.specs.push_back(
          {actions.size() == 1 ? "--actions2" : fmt::format("--actions2 {}", i + 1), actions[i]});
  }
  return second;
}

int run(CommandLine &line) {
  const Options &options = line.options;
  Asked asked;
  asked.declare(line);
  line.parse();
  asked.on.choose_by(line.options);
  asked.settle();
  const Options second = asked.second(options);
  Progress progress(options);
  Side first = read_side(options, asked.on, nullptr, progress), last;
  try {
    last = read_side(second, asked.on, &first.report.at("mesh"), progress);
  } catch (const Json::exception &error) { // a file that somebody wrote by hand
    throw no_plan(first.name, error.what());
  }
  progress.clear();
  if (!asked.against.empty())
    std::swap(first, last);
  if ((first.is_hlo || last.is_hlo) &&
      std::ranges::any_of(asked.fails, [](const auto &what) { return what == "peak" || what == "time"; }))
    throw usage("--fail-on peak or time: HLO text says nothing of memory or time");

  Json difference;
  try {
    difference = difference_of(first, last);
  } catch (const Json::exception &error) {
    throw no_plan(fmt::format("{} or {}", first.name, last.name), error.what());
  }
  std::vector<std::string> failed;
  for (const std::string &what : worse_in(difference))
    if (std::ranges::find(asked.fails, what) != asked.fails.end())
      failed.push_back(what);
  difference["worse"] = worse_in(difference);
  if (!asked.out.empty())
    write_file(asked.out, difference_page(difference));
  if (options.json)
    print(difference.dump(2) + "\n");
  else if (!options.quiet)
    print(difference_text(difference, report_width(), options.all_rows));
  if (!failed.empty())
    fmt::print(stderr, "{} {}\n", colored("worse:", Tone::bad, use_color(options, STDERR_FILENO)),
               fmt::join(failed, ", "));
  return failed.empty() ? kGood : kAnswerNo;
}

} // namespace

const Verb verb = {"diff",
                   "what changed between two plans, or a plan and what XLA made: shardings, collectives, "
                   "bytes, peak, time",
                   run};

} // namespace tw::cli::verb_diff
