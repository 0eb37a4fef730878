// SPDX-License-Identifier: Apache-2.0
// A verb of tw: its name, one line for the help, and what it does. Each is the one thing that
// src/cli/NAME.cpp defines.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"

namespace tw::cli {

struct Verb {
  const char *name;
  const char *summary;
  // Declares what the verb takes, parses the command line, works, prints; answers with the exit status.
  int (*run)(CommandLine &line);
};

#define TW_VERB(name)                                                                                        \
  namespace verb_##name {                                                                                    \
    extern const Verb verb;                                                                                  \
  }
#include "cli/verb_list.inc"
#undef TW_VERB

std::span<const Verb *const> all_verbs();
std::vector<std::string> verb_names();
const Verb *find_verb(std::string_view name); // null where there is none

// Runs a verb, prints what went wrong, and answers with the exit status. argv[0] is the verb.
int run_verb(const Verb &verb, int argc, const char *const *argv);

// What `tw --help` prints, not wrapped.
std::string overview();

} // namespace tw::cli
