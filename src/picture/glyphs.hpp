// SPDX-License-Identifier: Apache-2.0
// The letters of pictures in pixels: strokes, drawn for this library. No font is looked for, so a picture
// has the same pixels on every machine.
#pragma once

#include <string_view>
#include <vector>

#include "picture/scene.hpp"

namespace tw::picture {

// The strokes of a text that begins at (x, y) of its base line, as straight lines. What is no ASCII is a
// box.
std::vector<Line> strokes(std::string_view text, double x, double y, double size, bool bold);
inline double stroke_width(double size, bool bold) { return size * (bold ? 0.125 : 0.088); }

} // namespace tw::picture
