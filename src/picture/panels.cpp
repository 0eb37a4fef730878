// SPDX-License-Identifier: Apache-2.0
// Maps elements to pixels: true to scale within a dimension, but for the gaps where tiles are left out.
#include "picture/panels.hpp"

#include <algorithm>
#include <cmath>

namespace tw::picture {

namespace {

constexpr double kPanelGap = 14;

// A run of shown tiles without a gap, and the elements that it covers.
struct Run {
  size_t first, last;
  int64_t begin, end;
};

std::vector<Run> runs_of(const Side &side) {
  std::vector<Run> runs;
  for (size_t i = 0; i < side.shown.size(); ++i) {
    if (i == 0 || side.breaks_before(i))
      runs.push_back({i, i, side.core[i].begin, side.core[i].end});
    Run &run = runs.back();
    run.last = i;
    run.begin = std::min(run.begin, side.core[i].begin), run.end = std::max(run.end, side.core[i].end);
  }
  if (!runs.empty()) { // around the array, and where the first and last tiles are empty but for their halo
    runs.front().begin = std::min(runs.front().begin, side.low);
    runs.back().end = std::max(runs.back().end, side.breaks_behind() ? runs.back().end : side.high);
  }
  return runs;
}

Track track_of(const Side &side, size_t index, double length) {
  Track track{.side = &side, .index = index, .length = length};
  const std::vector<Run> runs = runs_of(side);
  const size_t gaps = runs.empty() ? 0 : runs.size() - 1 + (side.breaks_behind() ? 1 : 0);
  int64_t elements = 0;
  for (const Run &run : runs)
    elements += run.end - run.begin;
  const double scale =
      elements > 0 ? (length - kBreak * static_cast<double>(gaps)) / static_cast<double>(elements) : 0;
  double at = 0;
  for (const Run &run : runs) {
    const auto pixel = [&](int64_t element) {
      return at + static_cast<double>(std::clamp(element, run.begin, run.end) - run.begin) * scale;
    };
    for (size_t i = run.first; i <= run.last; ++i) {
      track.core.push_back({pixel(side.core[i].begin), pixel(side.core[i].end)});
      track.held.push_back({pixel(side.held[i].begin), pixel(side.held[i].end)});
    }
    if (&run == &runs.front())
      track.array.begin = pixel(0);
    track.array.end = &run == &runs.back() && !side.breaks_behind() ? pixel(side.size) : length;
    at = pixel(run.end) + kBreak;
    if (&run != &runs.back() || side.breaks_behind())
      track.breaks.push_back(at - kBreak / 2);
  }
  if (runs.empty())
    track.array = {0, length};
  return track;
}

// Panels beside each other, each as long as what is inside.
Track panel_track(const Side &side, size_t index, double inner, double gap) {
  Track track{.side = &side, .index = index};
  double at = 0;
  for (size_t i = 0; i < side.shown.size(); ++i) {
    if (i > 0)
      at += gap;
    if (side.breaks_before(i)) {
      track.breaks.push_back(at + kBreak / 2 - gap / 2);
      at += kBreak;
    }
    track.core.push_back({at, at + inner});
    at += inner;
  }
  if (side.breaks_behind()) {
    at += kBreak;
    track.breaks.push_back(at - kBreak / 2);
  }
  track.held = track.core;
  track.array = {0, at};
  track.length = at;
  return track;
}

void add_panels(Direction &direction, const Tiles &tiles, size_t from_inside, double room) {
  double inner = direction.length + room, gap = kPanelGap;
  for (size_t k = from_inside; k < tiles.sides.size(); k += 2) {
    const size_t index = tiles.sides.size() - 1 - k;
    direction.tracks.push_back(panel_track(tiles.sides[index], index, inner, gap));
    inner = direction.tracks.back().length;
    gap *= 2;
  }
  direction.total = inner;
}

double tiles_shown(const Side &side) { return static_cast<double>(side.shown.size()); }

} // namespace

Span Direction::core(std::span<const size_t> at) const {
  const double begin = panel(at);
  if (tracks.empty())
    return {begin, begin + length};
  const Span span = tracks[0].core[at[tracks[0].index]];
  return {begin + span.begin, begin + span.end};
}

Span Direction::held(std::span<const size_t> at) const {
  const double begin = panel(at);
  if (tracks.empty())
    return {begin, begin + length};
  const Span span = tracks[0].held[at[tracks[0].index]];
  return {begin + span.begin, begin + span.end};
}

double Direction::panel(std::span<const size_t> at) const {
  double begin = 0;
  for (size_t i = 1; i < tracks.size(); ++i)
    begin += tracks[i].core[at[tracks[i].index]].begin;
  return begin;
}

Panels panels_of(const Tiles &tiles, double room) {
  Panels panels;
  const size_t count = tiles.sides.size();
  const bool many = count > 2;
  const Side *columns = count > 0 ? &tiles.sides[count - 1] : nullptr;
  const Side *rows = count > 1 ? &tiles.sides[count - 2] : nullptr;
  double width = 168, height = 56;
  if (columns != nullptr)
    width = std::clamp(tiles_shown(*columns) * (many ? 36.0 : 52.0), many ? 108.0 : 196.0, 380.0);
  if (rows != nullptr) {
    const double ratio = static_cast<double>(std::max<int64_t>(rows->size, 1)) /
                         static_cast<double>(std::max<int64_t>(columns->size, 1));
    const double least = std::max(many ? 56.0 : 84.0, tiles_shown(*rows) * 26);
    height = std::clamp(width * std::clamp(ratio, 0.3, 1.25), least, std::max(least, 250.0));
  }
  panels.across.length = width;
  panels.down.length = height;
  if (columns != nullptr)
    panels.across.tracks.push_back(track_of(*columns, count - 1, width));
  if (rows != nullptr)
    panels.down.tracks.push_back(track_of(*rows, count - 2, height));
  add_panels(panels.across, tiles, 2, room);
  add_panels(panels.down, tiles, 3, room);
  return panels;
}

} // namespace tw::picture
