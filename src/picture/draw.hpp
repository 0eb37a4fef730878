// SPDX-License-Identifier: Apache-2.0
// Pictures of how arrays lie over a mesh, and of what moves from one layout to another.
#pragma once

#include <span>
#include <string>

#include "base/status.hpp"
#include "picture/move_scene.hpp"
#include "picture/printers.hpp"
#include "picture/tiles.hpp"

namespace tw::picture {

enum class Form : uint8_t { svg, png, text };

struct Options {
  Form form = Form::svg;
  Theme theme = Theme::automatic; // of text there is none
  double scale = 2;               // of PNG
  bool bare = false;              // without words around the panels
};

// Beside and below each other.
Result<std::string> draw(std::span<const Subject> subjects, const Options &options);
// Before, after, and what devices send each other between.
Result<std::string> draw_move(const Move &move, const Options &options);

// The picture of one sharding inside a page of HTML: what is not on tiles has the colour of the text around
// it.
std::string sharding_svg(const Subject &subject, bool bare = false);

} // namespace tw::picture
