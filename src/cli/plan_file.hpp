// SPDX-License-Identifier: Apache-2.0
// Plans as files: `tw plan -o plan.json` writes how a plan was made beside what came of it, and
// `--plan plan.json` makes it again.
#pragma once

#include <string>

#include <tilewright/tw.h>

#include "cli/json.hpp"
#include "cli/options.hpp"

namespace tw::cli {

// "made_with": mesh, policy, specs and all else that decides a plan and its program.
Json made_with(const Options &options);
// Puts what a file says into the options, its specs in front of theirs. A Failure where it is no such file.
void read_plan_file(const std::string &path, Options &options);
// A Failure where the plan of the file is one of another program than this.
void check_plan_file(const tw_graph_t *graph, const Options &options);
// Says so on stderr where the actions of the file gave other shardings of the arguments than it has.
void compare_with_file(const tw_plan_t *plan, const Options &options);

} // namespace tw::cli
