// SPDX-License-Identifier: Apache-2.0
// From chains of ops, of which each follows the one before it from layer to layer, to the layers that they
// form.
#pragma once

#include <optional>
#include <vector>

#include "search/layers.hpp"

namespace tw::search {

// Roles that are sound: what Stack promises holds of them. None where no chain is as long as the others.
std::optional<Stack> cut_layers(const graph::Graph &graph, const std::vector<Role> &chains);

} // namespace tw::search
