// SPDX-License-Identifier: Apache-2.0
// Which colours pictures have. Axes of a mesh have hues that people with any colour vision tell apart (those
// of Okabe and Ito); places along an axis are shades of its hue, and a tile that several axes make has the
// colour of their transparent layers. Shades are light enough for dark text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "picture/scene.hpp"
#include "sharding/mesh.hpp"

namespace tw::picture {

inline constexpr Color kOnTile{0x16, 0x18, 0x1d}; // text on tiles, in any theme
inline constexpr Color kWhole{0xe4, 0xe7, 0xeb};  // what no axis tiles

// The hue of an axis; parts of one axis have its hue.
Color hue(const sharding::Mesh &mesh, sharding::AxisId axis);
// The shade of place `i` of `n` along an axis; `layers`: how many axes lie over each other.
Color shade(Color hue, int64_t i, int64_t n, size_t layers = 1);
// Two transparent layers, one over the other.
Color over(Color a, Color b);
Color darker(Color color, double factor);

} // namespace tw::picture
