// SPDX-License-Identifier: Apache-2.0
// Scenes as pixels. Every shape is known by how far a point is from it, which gives smooth edges.
#pragma once

#include <cstdint>
#include <vector>

#include "picture/scene.hpp"

namespace tw::picture {

struct Pixels {
  size_t width = 0, height = 0;
  std::vector<uint8_t> rgb; // row by row, from the top
};

// `ground` lies behind the scene, `text` is its ink.
Pixels rasterise(const Scene &scene, double scale, Color ground, Color text);

} // namespace tw::picture
