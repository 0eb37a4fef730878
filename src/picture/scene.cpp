// SPDX-License-Identifier: Apache-2.0
// Places scenes, measures text, and clips stripes.
#include "picture/scene.hpp"

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"

namespace tw::picture {

namespace {

struct Shift {
  double dx, dy;
  void operator()(Rect &s) const { s.x += dx, s.y += dy; }
  void operator()(Lines &s) const {
    for (Line &line : s.lines)
      line.x1 += dx, line.x2 += dx, line.y1 += dy, line.y2 += dy;
  }
  void operator()(Curve &s) const { s.x1 += dx, s.x2 += dx, s.y1 += dy, s.y2 += dy; }
  void operator()(Triangle &s) const {
    for (double *x : {&s.x1, &s.x2, &s.x3})
      *x += dx;
    for (double *y : {&s.y1, &s.y2, &s.y3})
      *y += dy;
  }
  void operator()(Text &s) const { s.x += dx, s.y += dy; }
  void operator()(Group &) const {}
  void operator()(GroupEnd &) const {}
};

// Of fonts without serifs, in parts of their size.
double advance(unsigned char lead) {
  constexpr std::string_view narrow = "iljftIr.,:;'|![]() /\\`", wide = "mwMW@%";
  if (lead >= 0xe0)
    return 1; // most of what takes three bytes or more
  if (lead >= 0x80)
    return 0.6;
  if (narrow.find(static_cast<char>(lead)) != std::string_view::npos)
    return 0.31;
  if (wide.find(static_cast<char>(lead)) != std::string_view::npos)
    return 0.86;
  return lead >= 'A' && lead <= 'Z' ? 0.69 : 0.57;
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

} // namespace

void Scene::place(Scene other, double x, double y) {
  for (Shape &shape : other.shapes) {
    std::visit(Shift{x, y}, shape);
    shapes.push_back(std::move(shape));
  }
  width = std::max(width, x + other.width);
  height = std::max(height, y + other.height);
}

double text_width(std::string_view text, double size, bool bold) {
  double width = 0;
  for (const char c : text)
    if (!continues(c))
      width += advance(static_cast<unsigned char>(c));
  return width * size * (bold ? 1.06 : 1);
}

std::string fitted(std::string_view text, double size, double width, bool bold) {
  if (text_width(text, size, bold) <= width)
    return std::string(text);
  constexpr std::string_view ellipsis = "..";
  const double room = width - text_width(ellipsis, size, bold);
  double used = 0;
  size_t end = 0;
  for (size_t at = 0; at < text.size();) {
    size_t next = at + 1;
    while (next < text.size() && continues(text[next]))
      ++next;
    used += text_width(text.substr(at, next - at), size, bold);
    if (used > room)
      break;
    at = end = next;
  }
  return end == 0 ? std::string() : std::string(text.substr(0, end)) + std::string(ellipsis);
}

Lines hatch(double x, double y, double w, double h, double spacing, Paint paint, double width) {
  Lines made{{}, paint, width};
  // The stripe through (x + t, y), going down to the left, where the rectangle has it. Stripes lie at the
  // same places of the whole picture, so that those of neighbours meet.
  const double first = spacing - std::fmod(x + y, spacing);
  for (double t = first; t < w + h; t += spacing) {
    const double right = std::min(t, w), left = std::max(0.0, t - h);
    if (right > left)
      made.lines.push_back({x + left, y + (t - left), x + right, y + (t - right)});
  }
  return made;
}

} // namespace tw::picture
