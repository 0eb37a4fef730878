// SPDX-License-Identifier: Apache-2.0
// The tw program: finds the verb, runs it, and prints what went wrong.
#include <cstdio>
#include <cstring>
#include <span>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/failure.hpp"
#include "cli/nearest.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include <tilewright/tw.h>

using namespace tw::cli;

namespace {

const Verb *const verbs[] = {
#define TW_VERB(name) &verb_##name,
#include "cli/verb_list.inc"
#undef TW_VERB
};

std::string help() {
  std::string text = "usage: tw VERB [ARGUMENTS]\n\n"
                     "Partitions array programs over meshes of devices, and runs the result.\n\n";
  for (const Verb *verb : verbs)
    text += fmt::format("  {:<14}{}\n", verb->name, verb->summary);
  text += "\ntw VERB --help tells what a verb takes. The main job:\n"
          "  tw run model.mlir --mesh data=2,model=4 --spec megatron.txt\n";
  return text;
}

const Verb *find_verb(const std::string &name) {
  for (const Verb *verb : verbs)
    if (name == verb->name)
      return verb;
  return nullptr;
}

int unknown_verb(const std::string &name) {
  std::vector<std::string> names;
  for (const Verb *verb : verbs)
    names.emplace_back(verb->name);
  const auto near = nearest(name, names, 1);
  fmt::print(stderr, "tw: there is no verb '{}'{}; the verbs are {}\n", name,
             near.empty() ? "" : fmt::format(" (did you mean {}?)", near.front()), fmt::join(names, ", "));
  return kUsage;
}

int report(const Failure &failure, const Options &options) {
  std::fflush(stdout);
  std::fputs(options.json ? to_json(failure).c_str()
                          : to_text(failure, use_color(options, STDERR_FILENO)).c_str(),
             stderr);
  return failure.exit_status;
}

// What CLI11 says of the command line, and the option that was probably meant.
int wrong_usage(const Verb &verb, const CommandLine &line, std::string said) {
  std::vector<std::string> known;
  for (const CLI::Option *option : line.app.get_options())
    for (const auto &name : option->get_lnames())
      known.push_back("--" + name);
  for (const auto &extra : line.app.remaining())
    if (const auto near = nearest(extra, known, 1); extra.starts_with("--") && !near.empty())
      said += fmt::format(" (did you mean {}?)", near.front());
  fmt::print(stderr, "tw {}: {}\ntw {} --help tells what it takes\n", verb.name, said, verb.name);
  return kUsage;
}

int run_verb(const Verb &verb, int argc, const char *const *argv) {
  CommandLine line(verb.name, verb.summary, argc, argv);
  try {
    return verb.run(line);
  } catch (const CLI::Success &) {      // --help
    constexpr size_t descriptions = 34; // begin there
    fmt::print("{}", wrapped(line.app.help(), line.help_width(), descriptions));
    return kGood;
  } catch (const CLI::ParseError &e) {
    return wrong_usage(verb, line, e.what());
  } catch (const Failure &failure) {
    return report(failure, line.options);
  } catch (const std::bad_alloc &) {
    return report(fail("resource_exhausted", "TW-701", "out of memory"), line.options);
  } catch (const std::exception &e) {
    return report(fail("internal", "TW-000", e.what()), line.options);
  }
}

} // namespace

int main(int argc, char **argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--version" || name == "version") {
    fmt::print("tw {}\n", tw_version());
    return kGood;
  }
  if (name == "--help" || name == "-h" || name == "help") {
    fmt::print("{}", wrapped(help(), output_width(), 16));
    return kGood;
  }
  if (name.empty()) {
    fmt::print(stderr, "{}", wrapped(help(), output_width(), 16));
    return kUsage;
  }
  const Verb *verb = find_verb(name);
  if (!verb)
    return unknown_verb(name);
  const int status = run_verb(*verb, argc - 1, argv + 1);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
    return status;
  fmt::print(stderr, "tw: what was printed could not be written\n");
  return kError;
}
