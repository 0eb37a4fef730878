// SPDX-License-Identifier: Apache-2.0
// The collectives of a program that XLA has partitioned, read from its HLO text.
#pragma once

#include <string>

#include "cli/json.hpp"

namespace tw::cli {

bool is_hlo(const std::string &text); // by its first word

// "collectives", "counts", "executed" and "bytes_received" as the report of a program has them. `mesh` is its
// "mesh": partition n of the HLO is the device at position n of it. Types are those of one device. A Failure
// names file and line.
Json read_hlo(const std::string &text, const std::string &file, const Json &mesh);

} // namespace tw::cli
