// SPDX-License-Identifier: Apache-2.0
// The man page and the completion of tw, made from what its verbs declare.
#pragma once

#include <string>
#include <vector>

namespace tw::cli {

std::string man_page(); // tw(1), as roff

// A script for bash; `topics` are what tw help takes.
std::string bash_completion(const std::vector<std::string> &topics);

} // namespace tw::cli
