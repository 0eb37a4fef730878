// SPDX-License-Identifier: Apache-2.0
// The palette.
#include "picture/colors.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tw::picture {

namespace {

constexpr std::array<Color, 7> kHues{{{0x00, 0x72, 0xb2},
                                      {0xe6, 0x9f, 0x00},
                                      {0x00, 0x9e, 0x73},
                                      {0xcc, 0x79, 0xa7},
                                      {0x56, 0xb4, 0xe9},
                                      {0xd5, 0x5e, 0x00},
                                      {0xc9, 0xbc, 0x1f}}};

uint8_t channel(double value) { return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0, 255.0))); }

} // namespace

Color hue(const sharding::Mesh &mesh, sharding::AxisId axis) {
  size_t number = 0; // of the axis that it is a part of
  for (sharding::AxisId a = 1; a <= axis; ++a)
    if (mesh.axis(a).parent != mesh.axis(static_cast<sharding::AxisId>(a - 1)).parent)
      ++number;
  return kHues[number % kHues.size()];
}

Color shade(Color hue, int64_t i, int64_t n, size_t layers) {
  const double most = layers <= 1 ? 0.66 : layers == 2 ? 0.47 : 0.36;
  constexpr double least = 0.16;
  const double place = n <= 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(n - 1);
  const double strength = least + (most - least) * place;
  const auto mix = [&](uint8_t c) { return channel(255 + (c - 255.0) * strength); };
  return {mix(hue.r), mix(hue.g), mix(hue.b)};
}

Color over(Color a, Color b) {
  const auto both = [](uint8_t x, uint8_t y) { return channel(x * y / 255.0); };
  return {both(a.r, b.r), both(a.g, b.g), both(a.b, b.b)};
}

Color darker(Color color, double factor) {
  return {channel(color.r * factor), channel(color.g * factor), channel(color.b * factor)};
}

} // namespace tw::picture
