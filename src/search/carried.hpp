// SPDX-License-Identifier: Apache-2.0
// What was told between the ops of few layers holds for all layers, or nearly so: the bound of the program
// begins there, and takes few more rounds.
#pragma once

#include <vector>

#include "search/few_layers.hpp"
#include "search/relaxation.hpp"

namespace tw::search {

// For solve() of the whole program.
std::vector<solve::Cost> carry(const Relaxation &to, const graph::Graph &whole, const Told &told,
                               const FewLayers &few);

} // namespace tw::search
