// SPDX-License-Identifier: Apache-2.0
// Pictures for a terminal, of plain characters.
#pragma once

#include <string>

#include "picture/move_scene.hpp"
#include "picture/tiles.hpp"

namespace tw::picture {

// A grid a panel; a cell is a tile and names its devices.
std::string sharding_text(const Subject &subject, bool bare = false);
// The grids before and after, and between them a line for each step.
std::string move_text(const Move &move, bool bare = false);

} // namespace tw::picture
