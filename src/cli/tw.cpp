// SPDX-License-Identifier: Apache-2.0
// The tw program: finds the verb and runs it.
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/suggest.hpp"
#include "base/utf8.hpp"
#include "cli/failure.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include <tilewright/tw.h>

using namespace tw::cli;

namespace {

int unknown_verb(const std::string &name) {
  const auto names = verb_names();
  const auto near = tw::nearest_names(name, names, 1);
  fmt::print(stderr, "tw: there is no verb '{}'{}; the verbs are {}\n", tw::shown(name),
             near.empty() ? "" : fmt::format(" (did you mean {}?)", near.front()), fmt::join(names, ", "));
  return kUsage;
}

int run(int argc, char **argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--version" || name == "version") {
    fmt::print("tw {}\n", tw_version());
    return kGood;
  }
  if (name == "--help" || name == "-h" || name.empty()) {
    const std::string text = wrapped(overview(), output_width(), 16);
    std::fwrite(text.data(), 1, text.size(), name.empty() ? stderr : stdout);
    return name.empty() ? kUsage : kGood;
  }
  const Verb *verb = find_verb(name);
  if (!verb)
    return unknown_verb(name);
  return run_verb(*verb, argc - 1, argv + 1);
}

} // namespace

int main(int argc, char **argv) {
  const int status = run(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
    return status;
  fmt::print(stderr, "tw: what was printed could not be written\n");
  return kError;
}
