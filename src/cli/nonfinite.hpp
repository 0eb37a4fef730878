// SPDX-License-Identifier: Apache-2.0
// Which op made the first NaN or Inf of a run, and with which inputs it makes none.
#pragma once

#include <string>
#include <vector>

#include "cli/handles.hpp"
#include "cli/json.hpp"
#include "cli/terminal.hpp"

namespace tw::cli {

// The object of tw_graph_find_nonfinite, with names in place of the arguments' numbers and "fill", a --fill
// that avoids it: "" where none was found. Null where nothing was found in the time that this may take.
Json find_nonfinite(const tw_graph_t *graph, const std::vector<Tensor> &inputs, uint64_t seed,
                    Progress &progress);
// "first NaN: ..": a line.
std::string nonfinite_text(const Json &found);

} // namespace tw::cli
