// SPDX-License-Identifier: Apache-2.0
// Draws panels, rulers, cards and what the picture says in words.
#include "picture/sharding_scene.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picture/colors.hpp"
#include "picture/panels.hpp"
#include "picture/words.hpp"

namespace tw::picture {

namespace {

constexpr double kStrip = 15, kLabel = 16, kCard = 4, kLine = 16, kEdge = 8;
constexpr double kLeastWidth = 300; // room for words
constexpr int64_t kMostCards = 3;
constexpr double kSmall = 10, kText = 11, kTitle = 13;

class ShardingDrawing {
public:
  ShardingDrawing(const Subject &subject, bool bare) : s_(subject), tiles_(tiles_of(subject)), bare_(bare) {
    copies_ = static_cast<double>(std::min(tiles_.num_copies - 1, kMostCards));
    addends_ = static_cast<double>(std::min(tiles_.num_partial - 1, kMostCards - 1));
    const double room = kCard * (copies_ + addends_);
    panels_ = panels_of(tiles_, room + (tiles_.sides.size() > 2 ? 2 : 0));
  }

  Scene scene() {
    left_ = kEdge + ruler_size(panels_.down);
    top_ = kEdge + (bare_ ? 0 : 2 * kLine) + ruler_size(panels_.across);
    const double stack = kCard * (copies_ + addends_);
    right_ = left_ + panels_.across.total + stack;
    double bottom = top_ + panels_.down.total + stack;
    width_ = std::max(right_ + kEdge, bare_ ? 0 : kLeastWidth);
    if (!bare_)
      title();
    if (tiles_.tiles.empty())
      nothing();
    else {
      cards();
      cores();
      held();
    }
    ruler(panels_.across, false);
    ruler(panels_.down, true);
    bottom = counts(bottom);
    scene_.height = bottom + kEdge;
    if (!bare_)
      legend(bottom + 10);
    scene_.width = width_;
    scene_.title = heading();
    describe();
    return std::move(scene_);
  }

private:
  std::string heading() const {
    const std::string name = plain(s_.name);
    return fmt::format("{}{}{} {}", name, name.empty() ? "" : " ", type_words(s_), sharding_words(s_));
  }

  void title() {
    const double y = kEdge + 11;
    double x = kEdge;
    const double most = std::max(width_, 440.0) - 2 * kEdge;
    const std::string name = fitted(plain(s_.name), kTitle, most * 0.6, true);
    if (!name.empty()) {
      scene_.add(Text{x, y, name, kTitle, Anchor::start, ink(), true});
      x += text_width(name, kTitle, true) + 10;
    }
    const std::string type = fitted(type_words(s_), kText, most);
    if (x + text_width(type, kText) > most && !name.empty()) { // below each other
      scene_.add(Text{kEdge, y + kLine, fitted(type + "  " + sharding_words(s_), kText, most), kText,
                      Anchor::start, ink(0.72)});
      width_ = std::max(width_, kEdge * 2 + text_width(name, kTitle, true));
    } else {
      scene_.add(Text{x, y, type, kText, Anchor::start, ink(0.72)});
      width_ = std::max(width_, x + text_width(type, kText) + kEdge);
      scene_.add(
          Text{kEdge, y + kLine, fitted(sharding_words(s_), kText, most), kText, Anchor::start, ink(0.72)});
    }
    width_ = std::max(width_, kEdge * 2 + text_width(fitted(sharding_words(s_), kText, most), kText));
  }

  // What a ruler takes: for each dimension its label, a strip an axis, and where tiles differ their bounds.
  static double track_size(const Track &track) {
    return kLabel + kStrip * static_cast<double>(track.side->axes.size()) + (track.side->even ? 0 : kStrip) +
           4;
  }
  static double ruler_size(const Direction &direction) {
    double size = 0;
    for (const Track &track : direction.tracks)
      size += track_size(track);
    return size;
  }

  // Rulers of panels stand outside those of tiles. `down`: to the left, to be read from below.
  void ruler(const Direction &direction, bool down) {
    double at = (down ? left_ : top_);
    for (const Track &track : direction.tracks) {
      const bool inner = &track == &direction.tracks.front();
      at -= track_size(track);
      // The ruler of tiles stands at each panel of the first row.
      std::vector<double> places{0};
      if (inner)
        places = panel_places(direction);
      else
        places = outer_places(direction, track);
      for (const double place : places)
        one_ruler(track, down, at, (down ? top_ : left_) + place);
    }
  }

  // Where the panels along a direction begin; and where what lies inside a dimension of panels does.
  static std::vector<double> panel_places(const Direction &direction) {
    std::vector<double> places{0};
    for (size_t i = 1; i < direction.tracks.size(); ++i)
      places = spread(places, direction.tracks[i]);
    return places;
  }
  static std::vector<double> outer_places(const Direction &direction, const Track &track) {
    std::vector<double> places{0};
    for (size_t i = 1; i < direction.tracks.size(); ++i)
      if (&direction.tracks[i] > &track)
        places = spread(places, direction.tracks[i]);
    return places;
  }
  static std::vector<double> spread(const std::vector<double> &places, const Track &track) {
    std::vector<double> made;
    for (const double place : places)
      for (const Span &span : track.core)
        made.push_back(place + span.begin);
    return made;
  }

  // Along the track, `across` is the distance from the edge of the picture to the ruler.
  void one_ruler(const Track &track, bool down, double across, double along) {
    const Side &side = *track.side;
    const std::string label = fitted(side_words(side), kSmall, std::max(track.length, 60.0));
    words(down, across + 10, along + track.array.begin + track.array.size() / 2, label, ink(0.72));
    across += kLabel;
    for (size_t level = 0; level < side.axes.size(); ++level, across += kStrip)
      strip(track, level, down, across, along);
    if (!side.even) {
      for (size_t i = 0; i < side.shown.size(); ++i) {
        const Span span = track.core[i];
        const std::string bounds = fmt::format("{}:{}", side.core[i].begin, side.core[i].end);
        const std::string begin = fmt::format("{}", side.core[i].begin);
        const bool fits = text_width(bounds, 9) <= span.size() - 2;
        if (fits || text_width(begin, 9) <= span.size() - 2)
          words(down, across + 11, along + (span.begin + span.end) / 2, fits ? bounds : begin, ink(0.6), 9);
      }
    }
    for (const double at : track.breaks)
      dots(down, across - (side.axes.empty() ? 6 : kStrip / 2), along + at, 1);
  }

  // One axis: a segment for each of its places.
  void strip(const Track &track, size_t level, bool down, double across, double along) {
    const Side &side = *track.side;
    const AxisId axis = side.axes[level];
    int64_t inside = 1; // tiles in each place of the axis
    for (size_t i = level + 1; i < side.axes.size(); ++i)
      inside *= s_.mesh.size(side.axes[i]);
    struct Segment {
      int64_t place;
      Span span;
    };
    std::vector<Segment> segments;
    for (size_t i = 0; i < side.shown.size(); ++i) {
      const int64_t turn = side.shown[i] / inside, place = turn % s_.mesh.size(axis);
      const bool same = !segments.empty() && i > 0 && side.shown[i - 1] / inside == turn;
      if (same)
        segments.back().span.end = track.core[i].end;
      else
        segments.push_back({place, track.core[i]});
    }
    const std::string name = plain(s_.mesh.axis(axis).name);
    double narrowest = 1e9;
    for (const Segment &segment : segments)
      narrowest = std::min(narrowest, segment.span.size());
    const bool full = text_width(fmt::format("{} {}", name, s_.mesh.size(axis) - 1), kSmall) <= narrowest - 6;
    for (const auto &[place, span] : segments) {
      Rect rect{across,     along + span.begin,
                kStrip - 2, span.size(),
                2,          solid(shade(hue(s_.mesh, axis), place, s_.mesh.size(axis)))};
      rect.y += 0.5, rect.h = std::max(rect.h - 1, 0.5);
      if (!down)
        std::swap(rect.x, rect.y), std::swap(rect.w, rect.h);
      scene_.add(rect);
      const std::string text = full ? fmt::format("{} {}", name, place) : fmt::format("{}", place);
      if (text_width(text, kSmall) <= span.size() - 2)
        words(down, across + 10, along + (span.begin + span.end) / 2, text, solid(kOnTile));
    }
  }

  // Text along a direction: across it at a base line, along it around a middle.
  void words(bool down, double across, double along, std::string text, Paint paint, double size = kSmall) {
    Text one{along, across, std::move(text), size, Anchor::middle, paint, false, down};
    if (down)
      std::swap(one.x, one.y);
    scene_.add(std::move(one));
  }

  // Three dots, where tiles are left out.
  void dots(bool down, double across, double along, double radius) {
    for (const double offset : {-6.0, 0.0, 6.0}) {
      Rect dot{along + offset - radius, across - radius, 2 * radius, 2 * radius, radius, ink(0.6)};
      if (down)
        std::swap(dot.x, dot.y);
      scene_.add(dot);
    }
  }

  // Where a panel's array lies, without halos around it.
  Rect sheet(const Tile &tile) const {
    const double x = left_ + panels_.across.panel(tile.at), y = top_ + panels_.down.panel(tile.at);
    Span across{0, panels_.across.length}, down{0, panels_.down.length};
    if (!panels_.across.tracks.empty())
      across = panels_.across.tracks[0].array;
    if (!panels_.down.tracks.empty())
      down = panels_.down.tracks[0].array;
    return {x + across.begin, y + down.begin, across.size(), down.size(), 1.5};
  }
  bool begins_panel(const Tile &tile) const {
    const size_t sides = tiles_.sides.size();
    return (sides < 1 || tile.at[sides - 1] == 0) && (sides < 2 || tile.at[sides - 2] == 0);
  }

  void cards() {
    for (const Tile &tile : tiles_.tiles) {
      if (!begins_panel(tile))
        continue;
      for (double i = copies_ + addends_; i > 0; --i) {
        Rect card = sheet(tile);
        card.x += i * kCard, card.y += i * kCard;
        const bool partial = i <= addends_;
        const Color of = partial ? hue(s_.mesh, tiles_.partial[0].axis) : hue(s_.mesh, tiles_.copies.front());
        card.fill = solid(shade(of, 1, 4));
        card.stroke = solid(darker(shade(of, 3, 4), 0.75));
        card.stroke_width = 0.8;
        scene_.add(card);
        if (partial)
          scene_.add(hatch(card.x, card.y, card.w, card.h, 7, solid(darker(of, 0.8), 0.7), 1.3));
      }
      Rect array = sheet(tile);
      array.fill = solid({255, 255, 255});
      array.stroke = solid({0x9a, 0xa1, 0xab});
      scene_.add(array);
    }
  }

  struct Place {
    Span across, down;
    Rect rect(double left, double top) const {
      return {left + across.begin, top + down.begin, across.size(), down.size(), 1.5};
    }
  };

  bool layered() const { // whether what a device holds is more than its tile
    return std::ranges::any_of(tiles_.sides, [](const Side &side) { return side.halo || side.overlap; });
  }

  void cores() {
    for (const Tile &tile : tiles_.tiles) {
      const Color color = tile_color(s_, tile.positions[0]);
      Rect core = Place{panels_.across.core(tile.at), panels_.down.core(tile.at)}.rect(left_, top_);
      core.fill = solid(color, std::ranges::any_of(tiles_.sides, &Side::overlap) ? 0.6 : 1);
      core.stroke = solid(darker(color, 0.62));
      if (layered()) {
        scene_.add(core);
        hatch_partial(core);
      }
    }
  }

  void hatch_partial(const Rect &core) {
    if (!tiles_.partial.empty())
      scene_.add(hatch(core.x, core.y, core.w, core.h, 7,
                       solid(darker(hue(s_.mesh, tiles_.partial[0].axis), 0.8), 0.6), 1.3));
  }

  // What programs read back: a group a tile, whose first rectangle is what is held.
  void held() {
    for (const Tile &tile : tiles_.tiles) {
      const Color color = tile_color(s_, tile.positions[0]);
      const std::vector<int64_t> ids = devices_at(s_.mesh, tile.positions);
      const std::vector<std::string> ways = device_words(ids, tile.devices);
      std::vector<std::string> bounds;
      for (size_t d = 0; d < tile.offset.size(); ++d)
        bounds.push_back(fmt::format("{}:{}", tile.offset[d], tile.offset[d] + tile.extent[d]));
      std::vector<int64_t> positions(tile.positions.begin(), tile.positions.end());
      scene_.add(Group{"tile",
                       {{"positions", fmt::format("{}", fmt::join(positions, " "))},
                        {"holders", fmt::format("{}", tile.holders)},
                        {"offset", fmt::format("{}", fmt::join(tile.offset, " "))},
                        {"extent", fmt::format("{}", fmt::join(tile.extent, " "))}},
                       fmt::format("{} {}: [{}]", ids.size() == 1 ? "device" : "devices", ways.front(),
                                   fmt::join(bounds, ", "))});
      Rect rect = Place{panels_.across.held(tile.at), panels_.down.held(tile.at)}.rect(left_, top_);
      const Rect core = Place{panels_.across.core(tile.at), panels_.down.core(tile.at)}.rect(left_, top_);
      if (layered()) {
        rect.fill = solid(darker(color, 0.85), 0.28);
        rect.stroke = solid(darker(color, 0.45));
        rect.dashed = true;
        scene_.add(rect);
      } else {
        rect.fill = solid(color);
        rect.stroke = solid(darker(color, 0.62));
        scene_.add(rect);
        hatch_partial(rect);
      }
      for (const std::string &way : ways) {
        const double size = core.h < 14 ? 9 : kText;
        if (text_width(way, size) > core.w - 6 || core.h < size + 1)
          continue;
        const double w = text_width(way, size) + 8, x = core.x + core.w / 2, y = core.y + core.h / 2;
        if (!tiles_.partial.empty() || layered()) // so that it can be read over what lies there
          scene_.add(Rect{x - w / 2, y - size / 2 - 2, w, size + 4, 3, solid(color, 0.92)});
        scene_.add(Text{x, y + size * 0.36, way, size, Anchor::middle, solid(kOnTile)});
        break;
      }
      scene_.add(GroupEnd{});
    }
    if (panels_.across.tracks.empty() || panels_.down.tracks.empty())
      return;
    for (const Tile &tile : tiles_.tiles) {
      if (!begins_panel(tile))
        continue;
      const double x = left_ + panels_.across.panel(tile.at), y = top_ + panels_.down.panel(tile.at);
      for (const double at : panels_.across.tracks[0].breaks)
        dots(false, y + panels_.down.length / 2, x + at, 1.5);
      for (const double at : panels_.down.tracks[0].breaks)
        dots(true, x + panels_.across.length / 2, y + at, 1.5);
    }
  }

  void nothing() {
    Rect frame{left_, top_, panels_.across.length, panels_.down.length, 1.5, {}, ink(0.5), 1, true};
    scene_.add(frame);
    scene_.add(
        Text{left_ + frame.w / 2, top_ + frame.h / 2 + 4, "no elements", kText, Anchor::middle, ink(0.72)});
  }

  // How many cards the stack stands for.
  double counts(double bottom) {
    std::vector<std::string> parts;
    if (tiles_.num_partial > 1)
      parts.push_back(fmt::format("{} addends", tiles_.num_partial));
    if (tiles_.num_copies > 1)
      parts.push_back(fmt::format("{} copies", tiles_.num_copies));
    if (parts.empty() || tiles_.tiles.empty())
      return bottom;
    if (tiles_.num_partial > 1 && tiles_.partial[0].kind != sharding::Reduction::sum)
      parts[0] = fmt::format("{} partial values", tiles_.num_partial);
    scene_.add(Text{right_, bottom + 13, fmt::format("{}", fmt::join(parts, " x ")), kSmall, Anchor::end,
                    ink(0.72)});
    return bottom + kLine;
  }

  void legend(double y) {
    double x = kEdge;
    for (const AxisWords &axis : axis_words(s_, tiles_)) {
      const double w = 26 + text_width(axis.text, kText) + 14;
      if (x > kEdge && x + w > width_) {
        x = kEdge;
        y += kLine + 2;
      }
      swatch(axis, x, y);
      scene_.add(Text{x + 24, y + 10, axis.text, kText});
      width_ = std::max(width_, x + w);
      x += w;
    }
    if (x > kEdge)
      y += kLine + 3;
    for (const std::string &line : notes(s_, tiles_)) {
      scene_.add(Text{kEdge, y + 10, line, kText, Anchor::start, ink(0.72)});
      width_ = std::max(width_, kEdge * 2 + text_width(line, kText));
      y += kLine;
    }
    scene_.height = y + kEdge - 2;
  }

  void swatch(const AxisWords &axis, double x, double y) {
    const Color of = hue(s_.mesh, axis.axis);
    const Paint edge = solid(darker(shade(of, 3, 4), 0.75));
    if (axis.role == Role::copies)
      for (const double i : {2.0, 1.0, 0.0})
        scene_.add(Rect{x + i * 3, y + i * 2, 12, 8, 1, solid(shade(of, 1, 4)), edge, 0.8});
    else if (axis.role == Role::partial) {
      scene_.add(Rect{x, y, 18, 12, 1, solid(shade(of, 0, 4)), edge, 0.8});
      scene_.add(hatch(x, y, 18, 12, 5, solid(darker(of, 0.8), 0.8), 1.3));
    } else
      for (int64_t i = 0; i < 3; ++i)
        scene_.add(Rect{x + 6.0 * static_cast<double>(i), y, 6, 12, 0, solid(shade(of, i, 3))});
  }

  // For readers who do not see it.
  void describe() {
    std::string &text = scene_.description;
    for (const Side &side : tiles_.sides)
      if (side.tiles > 1)
        text += fmt::format("{}Dimension {} of {} elements is cut into {} tiles.", text.empty() ? "" : " ",
                            side.dim, side.size, side.tiles);
    for (const AxisWords &axis : axis_words(s_, tiles_))
      text += fmt::format("{}{}.", text.empty() ? "" : " ", axis.text);
    for (const std::string &line : notes(s_, tiles_))
      text += fmt::format(" {}.", line);
  }

  const Subject &s_;
  const Tiles tiles_;
  const bool bare_;
  Panels panels_;
  Scene scene_;
  double copies_ = 0, addends_ = 0; // cards behind the first one
  double left_ = 0, top_ = 0, right_ = 0, width_ = 0;
};

} // namespace

Color tile_color(const Subject &s, Position position) {
  size_t layers = 0;
  for (const sharding::DimSharding &dim : s.layout.sharding.dims)
    for (const AxisId a : dim.axes)
      layers += s.mesh.size(a) > 1 ? 1 : 0;
  if (layers == 0)
    return kWhole;
  Color color{255, 255, 255};
  for (const sharding::DimSharding &dim : s.layout.sharding.dims)
    for (const AxisId a : dim.axes)
      if (s.mesh.size(a) > 1)
        color = over(color, shade(hue(s.mesh, a), s.mesh.coordinate(position, a), s.mesh.size(a), layers));
  return color;
}

Scene sharding_scene(const Subject &subject, bool bare) { return ShardingDrawing(subject, bare).scene(); }

} // namespace tw::picture
