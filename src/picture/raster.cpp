// SPDX-License-Identifier: Apache-2.0
// Paints shapes one over the other.
#include "picture/raster.hpp"

#include <algorithm>
#include <cmath>

#include "picture/glyphs.hpp"

namespace tw::picture {

namespace {

struct Bounds {
  double x1, y1, x2, y2;
};

double distance_to_rect(double x, double y, const Rect &r) {
  const double radius = std::min({r.radius, r.w / 2, r.h / 2});
  const double dx = std::abs(x - (r.x + r.w / 2)) - r.w / 2 + radius,
               dy = std::abs(y - (r.y + r.h / 2)) - r.h / 2 + radius;
  return std::hypot(std::max(dx, 0.0), std::max(dy, 0.0)) + std::min(std::max(dx, dy), 0.0) - radius;
}

// From the middle of a line with round ends, or with ends cut off.
double distance_to_line(double x, double y, const Line &line) {
  const double dx = line.x2 - line.x1, dy = line.y2 - line.y1, square = dx * dx + dy * dy;
  const double t = square > 0 ? std::clamp(((x - line.x1) * dx + (y - line.y1) * dy) / square, 0.0, 1.0) : 0;
  return std::hypot(x - line.x1 - t * dx, y - line.y1 - t * dy);
}
double distance_to_cut_line(double x, double y, const Line &line, double half) {
  const double dx = line.x2 - line.x1, dy = line.y2 - line.y1, length = std::hypot(dx, dy);
  if (length == 0)
    return 1e9;
  const double along = ((x - line.x1) * dx + (y - line.y1) * dy) / length,
               aside = std::abs((x - line.x1) * dy - (y - line.y1) * dx) / length;
  return std::max(std::abs(along - length / 2) - length / 2, aside - half);
}

class Painter {
public:
  Painter(const Scene &scene, double scale, Color ground, Color text) : scale_(scale), text_(text) {
    pixels_.width = static_cast<size_t>(std::ceil(std::ceil(scene.width) * scale));
    pixels_.height = static_cast<size_t>(std::ceil(std::ceil(scene.height) * scale));
    pixels_.rgb.resize(pixels_.width * pixels_.height * 3);
    for (size_t i = 0; i < pixels_.rgb.size(); i += 3)
      pixels_.rgb[i] = ground.r, pixels_.rgb[i + 1] = ground.g, pixels_.rgb[i + 2] = ground.b;
  }

  void operator()(const Rect &r) {
    const double reach = r.stroke.opacity > 0 ? r.stroke_width / 2 : 0;
    const Bounds bounds{r.x - reach, r.y - reach, r.x + r.w + reach, r.y + r.h + reach};
    paint(bounds, r.fill, [&](double x, double y) { return distance_to_rect(x, y, r); });
    if (r.stroke.opacity <= 0)
      return;
    if (r.dashed)
      (*this)(Lines{dashes(r), r.stroke, r.stroke_width});
    else
      paint(bounds, r.stroke,
            [&](double x, double y) { return std::abs(distance_to_rect(x, y, r)) - reach; });
  }
  void operator()(const Lines &l) {
    for (const Line &line : l.lines)
      paint(around({line}, l.width), l.paint,
            [&](double x, double y) { return distance_to_cut_line(x, y, line, l.width / 2); });
  }
  void operator()(const Curve &c) {
    constexpr int parts = 24;
    std::vector<Line> lines;
    double from_x = c.x1, from_y = c.y1;
    for (int i = 1; i <= parts; ++i) { // both inner points of the curve lie in the middle across
      const double t = static_cast<double>(i) / parts, u = 1 - t, middle = (c.x1 + c.x2) / 2;
      const double x = u * u * u * c.x1 + 3 * u * t * middle + t * t * t * c.x2;
      const double y = (u * u * u + 3 * u * u * t) * c.y1 + (3 * u * t * t + t * t * t) * c.y2;
      lines.push_back({from_x, from_y, x, y});
      from_x = x, from_y = y;
    }
    stroke(lines, c.paint, c.width);
  }
  void operator()(const Triangle &t) {
    // The three sides, each with the inside on the same hand.
    const double turn = (t.x2 - t.x1) * (t.y3 - t.y1) - (t.x3 - t.x1) * (t.y2 - t.y1) < 0 ? -1 : 1;
    const Line sides[] = {{t.x1, t.y1, t.x2, t.y2}, {t.x2, t.y2, t.x3, t.y3}, {t.x3, t.y3, t.x1, t.y1}};
    paint({std::min({t.x1, t.x2, t.x3}), std::min({t.y1, t.y2, t.y3}), std::max({t.x1, t.x2, t.x3}),
           std::max({t.y1, t.y2, t.y3})},
          t.fill, [&](double x, double y) {
            double most = -1e9;
            for (const Line &s : sides) {
              const double dx = s.x2 - s.x1, dy = s.y2 - s.y1, length = std::max(std::hypot(dx, dy), 1e-9);
              most = std::max(most, turn * ((x - s.x1) * dy - (y - s.y1) * dx) / length);
            }
            return most;
          });
  }
  void operator()(const Text &t) {
    const double width = text_width(t.text, t.size, t.bold);
    const double back = t.anchor == Anchor::start ? 0 : t.anchor == Anchor::middle ? width / 2 : width;
    std::vector<Line> lines = strokes(t.text, -back, 0, t.size, t.bold);
    for (Line &line : lines) {
      if (t.upward)
        line = {line.y1, -line.x1, line.y2, -line.x2};
      line.x1 += t.x, line.x2 += t.x, line.y1 += t.y, line.y2 += t.y;
    }
    // A letter's strokes are painted at once; letters do not touch.
    stroke_apart(lines, t.paint, stroke_width(t.size, t.bold));
  }
  void operator()(const Group &) {}
  void operator()(const GroupEnd &) {}

  Pixels take() { return std::move(pixels_); }

private:
  static Bounds around(const std::vector<Line> &lines, double width) {
    Bounds b{1e9, 1e9, -1e9, -1e9};
    for (const Line &line : lines)
      b = {std::min({b.x1, line.x1, line.x2}), std::min({b.y1, line.y1, line.y2}),
           std::max({b.x2, line.x1, line.x2}), std::max({b.y2, line.y1, line.y2})};
    return {b.x1 - width, b.y1 - width, b.x2 + width, b.y2 + width};
  }

  static std::vector<Line> dashes(const Rect &r) {
    std::vector<Line> made;
    const Line sides[] = {{r.x, r.y, r.x + r.w, r.y},
                          {r.x + r.w, r.y, r.x + r.w, r.y + r.h},
                          {r.x + r.w, r.y + r.h, r.x, r.y + r.h},
                          {r.x, r.y + r.h, r.x, r.y}};
    for (const Line &side : sides) {
      const double dx = side.x2 - side.x1, dy = side.y2 - side.y1, length = std::hypot(dx, dy);
      for (double at = 0; at < length; at += 7) {
        const double from = at / length, to = std::min(at + 4, length) / length;
        made.push_back({side.x1 + dx * from, side.y1 + dy * from, side.x1 + dx * to, side.y1 + dy * to});
      }
    }
    return made;
  }

  void stroke(const std::vector<Line> &lines, const Paint &p, double width) {
    paint(around(lines, width), p, [&](double x, double y) {
      double least = 1e9;
      for (const Line &line : lines)
        least = std::min(least, distance_to_line(x, y, line));
      return least - width / 2;
    });
  }

  // The same of lines many of which lie far from each other: rows of those that meet in x are painted
  // together.
  void stroke_apart(const std::vector<Line> &lines, const Paint &p, double width) {
    std::vector<Line> together;
    for (size_t i = 0; i < lines.size(); ++i) {
      together.push_back(lines[i]);
      const Bounds b = around(together, width);
      if (i + 1 == lines.size() || !meet(b, around({lines[i + 1]}, width))) {
        stroke(together, p, width);
        together.clear();
      }
    }
  }
  static bool meet(const Bounds &a, const Bounds &b) {
    return a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;
  }

  // Paints where `distance` is negative; an edge is as wide as a pixel.
  template <class Distance> void paint(const Bounds &b, const Paint &p, const Distance &distance) {
    if (p.opacity <= 0)
      return;
    const Color color = p.color.value_or(text_);
    const auto first = [&](double value) {
      return static_cast<size_t>(std::max(0.0, std::floor(value * scale_ - 1)));
    };
    const auto last = [&](double value, size_t end) {
      return static_cast<size_t>(std::clamp(std::ceil(value * scale_ + 1), 0.0, static_cast<double>(end)));
    };
    const size_t right = last(b.x2, pixels_.width), bottom = last(b.y2, pixels_.height);
    for (size_t row = first(b.y1); row < bottom; ++row)
      for (size_t column = first(b.x1); column < right; ++column) {
        const double x = (static_cast<double>(column) + 0.5) / scale_,
                     y = (static_cast<double>(row) + 0.5) / scale_;
        const double cover = std::clamp(0.5 - distance(x, y) * scale_, 0.0, 1.0) * p.opacity;
        if (cover <= 0)
          continue;
        uint8_t *at = &pixels_.rgb[(row * pixels_.width + column) * 3];
        const auto blend = [&](uint8_t &below, uint8_t above) {
          below = static_cast<uint8_t>(std::lround(below + (above - below) * cover));
        };
        blend(at[0], color.r), blend(at[1], color.g), blend(at[2], color.b);
      }
  }

  double scale_;
  Color text_;
  Pixels pixels_;
};

} // namespace

Pixels rasterise(const Scene &scene, double scale, Color ground, Color text) {
  Painter painter(scene, scale, ground, text);
  for (const Shape &shape : scene.shapes)
    std::visit(painter, shape);
  return painter.take();
}

} // namespace tw::picture
