// SPDX-License-Identifier: Apache-2.0
// The scene of a sharding: panels of tiles that say which devices hold them and have the colours of the axes
// that made them, with a ruler for each dimension. Copies are cards stacked behind, partial values are
// hatched, halos are dashed and to scale.
#pragma once

#include "picture/scene.hpp"
#include "picture/tiles.hpp"

namespace tw::picture {

// `bare`: panels and rulers alone.
Scene sharding_scene(const Subject &subject, bool bare = false);

// The colour of what a position holds.
Color tile_color(const Subject &subject, Position position);

} // namespace tw::picture
