// SPDX-License-Identifier: Apache-2.0
// A picture before it is printed: shapes with places in pixels, and what each of them stands for. SVG, PNG
// and whatever comes later print the same scene.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tw::picture {

struct Color {
  uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Color &) const = default;
};

// What a shape is painted with: a colour, or the ink that stands out from whatever lies behind the picture.
struct Paint {
  std::optional<Color> color;
  double opacity = 0; // 0: nothing is painted
};
inline Paint solid(Color color, double opacity = 1) { return {color, opacity}; }
inline Paint ink(double opacity = 1) { return {std::nullopt, opacity}; }

struct Rect {
  double x = 0, y = 0, w = 0, h = 0;
  double radius = 0;
  Paint fill = {}, stroke = {};
  double stroke_width = 1;
  bool dashed = false;
};

struct Line {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

// Lines painted as one, so that none is darker where two meet.
struct Lines {
  std::vector<Line> lines;
  Paint paint = {};
  double width = 1;
};

// From one place to another, leaving and arriving level.
struct Curve {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  Paint paint = {};
  double width = 1;
};

struct Triangle {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0;
  Paint fill = {};
};

enum class Anchor : uint8_t { start, middle, end };

struct Text {
  double x = 0, y = 0; // of the base line
  std::string text;
  double size = 11;
  Anchor anchor = Anchor::start;
  Paint paint = ink();
  bool bold = false;
  bool upward = false; // turned by a quarter, to be read from below
};

// Shapes up to the end are one thing: what it is for people (a tooltip), and for programs (data-NAME).
struct Group {
  std::string name; // of what kind it is, one word
  std::vector<std::pair<std::string, std::string>> data;
  std::string title;
};
struct GroupEnd {};

using Shape = std::variant<Rect, Lines, Curve, Triangle, Text, Group, GroupEnd>;

struct Scene {
  double width = 0, height = 0;
  std::string title = {};       // a line
  std::string description = {}; // what the picture shows, in words
  std::vector<Shape> shapes = {};

  void add(Shape shape) { shapes.push_back(std::move(shape)); }
  // All of another scene at a place of this one, which grows to hold it.
  void place(Scene other, double x, double y);
};

// How wide text is, near enough to lay it out: fonts differ.
double text_width(std::string_view text, double size, bool bold = false);
// The text, or its beginning and an ellipsis where it is wider.
std::string fitted(std::string_view text, double size, double width, bool bold = false);

// Stripes from lower left to upper right, clipped to a rectangle.
Lines hatch(double x, double y, double w, double h, double spacing, Paint paint, double width);

} // namespace tw::picture
