// SPDX-License-Identifier: Apache-2.0
// What `tw run` tells of a run besides its results: --trace, --flight, --profile.
#pragma once

#include <cstddef>
#include <string>

#include "cli/handles.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"

namespace tw::cli {

// TW_OBSERVE_*, as the options ask.
int32_t observed(const Options &options);

// Writes the files that were asked for; after a failure, what can be told of it.
void write_observations(const tw_executable_t *executable, const Options &options, bool failed);

// How processes exchange; "": nothing goes to other processes.
std::string exchange_of(const tw_executable_t *executable);

// {"limits": .., "runs": .., "steps": [..]} of an executable that was made to profile; measures the machine.
Json profile_of(const tw_executable_t *executable);
// A row a kind of step and kernel, the longest first: its time in one run, its share, and its rate beside the
// machine's, per worker.
std::string profile_table(const Json &profile, size_t width);

// How many steps of a run the host takes for devices that are not the host; a row an op and reason.
std::string on_host_table(const Json &on_host, size_t width);

// "name value" lines of tw_machine_limits.
std::string limits_text(const Json &limits);

} // namespace tw::cli
