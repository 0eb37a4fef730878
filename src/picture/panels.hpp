// SPDX-License-Identifier: Apache-2.0
// Where the tiles of an array stand in a picture. The last two dimensions that are shown are the columns and
// rows of a panel; each one before makes a row of panels, or a column, in turn.
#pragma once

#include <span>
#include <vector>

#include "picture/tiles.hpp"

namespace tw::picture {

struct Span {
  double begin = 0, end = 0;
  double size() const { return end - begin; }
};

// One dimension along one direction of the picture, in pixels from where its elements begin.
struct Track {
  const Side *side = nullptr;
  size_t index = 0;                       // of the side
  std::vector<Span> core = {}, held = {}; // of each shown tile
  std::vector<double> breaks = {};        // where tiles are left out: the middle of the gap
  Span array = {};                        // elements, without what halos add around the array
  double length = 0;                      // what one of it takes, from the least place to the greatest
};

// The dimensions along one direction, innermost first; none: one place, of `length`.
struct Direction {
  std::vector<Track> tracks;
  double length = 0; // of a panel
  double total = 0;  // of all panels

  // Where a tile begins and ends, whose places in all sides are given.
  Span core(std::span<const size_t> at) const;
  Span held(std::span<const size_t> at) const;
  // Where a panel begins.
  double panel(std::span<const size_t> at) const;
};

struct Panels {
  Direction across, down;
};

// `room`: what each panel needs besides, to the right and below.
Panels panels_of(const Tiles &tiles, double room);

inline constexpr double kBreak = 26; // pixels of a gap where tiles are left out

} // namespace tw::picture
