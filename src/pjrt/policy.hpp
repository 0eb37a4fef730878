// SPDX-License-Identifier: Apache-2.0
// How a program's plan is decided where the program says nothing: by a policy of plans, or by a search.
#pragma once

#include <cstdint>
#include <string>

#include "pjrt/handles.hpp"

namespace tw::pjrt {

// `policy`: one of the library's, or "search", or "search on SYSTEM". What the graph states holds in any
// case. `spec`: actions besides. Mesh: null for the one that the graph declares.
ProgramHandle lower_by(const std::string &policy, const tw_graph_t *graph, const tw_mesh_t *mesh,
                       const std::string &spec);

} // namespace tw::pjrt
