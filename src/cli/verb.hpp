// SPDX-License-Identifier: Apache-2.0
// A verb of tw: its name, one line for the help, and what it does. Each is the one thing that
// src/cli/NAME.cpp defines.
#pragma once

#include "cli/options.hpp"

namespace tw::cli {

struct Verb {
  const char *name;
  const char *summary;
  // Declares what the verb takes, parses the command line, works, prints; answers with the exit status.
  int (*run)(CommandLine &line);
};

#define TW_VERB(name) extern const Verb verb_##name;
#include "cli/verb_list.inc"
#undef TW_VERB

} // namespace tw::cli
