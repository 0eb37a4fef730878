// SPDX-License-Identifier: Apache-2.0
// The verbs: all of them, what they take, and how one is run and its errors are reported.
#include "cli/verb.hpp"

#include <cstdio>
#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/suggest.hpp"
#include "base/utf8.hpp"
#include "cli/failure.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"

namespace tw::cli {

namespace {

const Verb *const verbs[] = {
#define TW_VERB(name) &verb_##name::verb,
#include "cli/verb_list.inc"
#undef TW_VERB
};

int report(const Failure &failure, const Options &options) {
  std::fflush(stdout);
  std::fputs(options.json ? to_json(failure).c_str()
                          : to_text(failure, use_color(options, STDERR_FILENO)).c_str(),
             stderr);
  return failure.exit_status;
}

// "Could not convert: --seed = x", which is what CLI11 says of numbers.
std::string not_a_number(std::string said) {
  constexpr std::string_view begin = "Could not convert: ", middle = " = ";
  const size_t at = said.find(middle);
  if (!said.starts_with(begin) || at == std::string::npos)
    return said;
  return fmt::format("{} {}: expected a number", said.substr(begin.size(), at - begin.size()),
                     said.substr(at + middle.size()));
}

// What CLI11 says of the command line, and the option that was probably meant.
int wrong_usage(const Verb &verb, const CommandLine &line, std::string said) {
  std::vector<std::string> known;
  for (const CLI::Option *option : line.app.get_options())
    for (const auto &name : option->get_lnames())
      known.push_back("--" + name);
  for (const auto &extra : line.app.remaining())
    if (const auto near = nearest_names(extra, known, 1); extra.starts_with("--") && !near.empty())
      said += fmt::format(" (did you mean {}?)", near.front());
  fmt::print(stderr, "tw {}: {}\ntw {} --help tells what it takes\n", verb.name, shown_lines(said),
             verb.name);
  return kUsage;
}

} // namespace

std::span<const Verb *const> all_verbs() { return verbs; }

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const Verb *verb : verbs)
    names.emplace_back(verb->name);
  return names;
}

const Verb *find_verb(std::string_view name) {
  for (const Verb *verb : verbs)
    if (name == verb->name)
      return verb;
  return nullptr;
}

int run_verb(const Verb &verb, int argc, const char *const *argv) {
  CommandLine line(verb.name, verb.summary, argc, argv);
  try {
    return verb.run(line);
  } catch (const CLI::Success &) {      // --help
    constexpr size_t descriptions = 34; // begin there
    print(wrapped(line.app.help(), line.help_width(),
                  descriptions)); // what cannot be written is said at the end
    return kGood;
  } catch (const CLI::ExtrasError &) { // which says them in reverse
    const std::vector<std::string> extra = line.app.remaining();
    return wrong_usage(verb, line,
                       fmt::format("The following argument{} not expected: {}",
                                   extra.size() == 1 ? " was" : "s were", fmt::join(extra, " ")));
  } catch (const CLI::ParseError &e) {
    return wrong_usage(verb, line, not_a_number(e.what()));
  } catch (const Failure &failure) {
    return report(failure, line.options);
  } catch (const std::bad_alloc &) {
    return report(fail("resource_exhausted", "TW-701", "out of memory"), line.options);
  } catch (const std::exception &e) {
    return report(fail("internal", "TW-000", e.what()), line.options);
  }
}

std::string overview() {
  std::string text = "usage: tw VERB [ARGUMENTS]\n\n"
                     "Partitions array programs over meshes of devices, and runs the result.\n\n";
  for (const Verb *verb : verbs)
    text += fmt::format("  {:<14}{}\n", verb->name, verb->summary);
  text += "\ntw VERB --help tells what a verb takes, tw help TW-404 what an error means,\n"
          "tw help spec which actions there are. The main job:\n"
          "  tw run model.mlir --mesh data=2,model=4 --spec megatron.txt\n";
  return text;
}

} // namespace tw::cli
