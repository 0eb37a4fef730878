// SPDX-License-Identifier: Apache-2.0
// Scenes as SVG and PNG.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "picture/colors.hpp"
#include "picture/glyphs.hpp"
#include "picture/printers.hpp"
#include "picture/raster.hpp"

namespace tw::picture_test_printers {

using namespace tw::picture;

namespace {

Color at(const Pixels &pixels, size_t x, size_t y) {
  const uint8_t *p = &pixels.rgb[(y * pixels.width + x) * 3];
  return {p[0], p[1], p[2]};
}

double luminance(Color c) {
  const auto linear = [](uint8_t v) {
    const double x = v / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}
double contrast(Color a, Color b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return x > y ? x / y : y / x;
}

} // namespace

TEST_CASE("pixels are where shapes are") {
  Scene scene{.width = 40, .height = 20};
  const Color red{200, 0, 0}, white{255, 255, 255}, black{0, 0, 0};
  scene.add(Rect{10, 5, 20, 10, 0, solid(red)});
  scene.add(Lines{{{0, 18, 40, 18}}, ink(), 2});
  const Pixels pixels = rasterise(scene, 2, white, black);
  CHECK(pixels.width == 80);
  CHECK(pixels.height == 40);
  CHECK(at(pixels, 40, 20) == red);
  CHECK(at(pixels, 20, 10) == red); // the first pixel inside
  CHECK(at(pixels, 19, 10) == white);
  CHECK(at(pixels, 59, 29) == red);
  CHECK(at(pixels, 60, 29) == white);
  CHECK(at(pixels, 40, 35) == black);
  CHECK(at(pixels, 40, 32) == white);
}

TEST_CASE("letters are as wide as they are laid out, and all are there") {
  for (char c = '!'; c <= '~'; ++c) {
    CAPTURE(c);
    const std::string text(1, c);
    const auto lines = strokes(text, 0, 0, 20, false);
    CHECK_FALSE(lines.empty());
    for (const Line &line : lines) {
      CHECK(std::min(line.x1, line.x2) > -1.5);
      CHECK(std::max(line.x1, line.x2) < text_width(text, 20) + 1.5);
      CHECK(std::min(line.y1, line.y2) > -15.5);
      CHECK(std::max(line.y1, line.y2) < 5);
    }
  }
  CHECK_FALSE(strokes("\u00e9", 0, 0, 20, false).empty());
  CHECK(fitted("a long name of something", 11, 60).ends_with(".."));
  CHECK(text_width(fitted(std::string(200, 'w'), 11, 60), 11) <= 60);
}

TEST_CASE("text can be read on every shade") {
  const auto mesh = *sharding::Mesh::parse("a=8,b=8,c=8,d=2,e=2,f=2,g=2");
  for (sharding::AxisId a = 0; a < mesh.num_axes(); ++a)
    for (int64_t i = 0; i < mesh.size(a); ++i) {
      CHECK(contrast(shade(hue(mesh, a), i, mesh.size(a)), kOnTile) > 4.5);
      for (sharding::AxisId b = 0; b < mesh.num_axes(); ++b)
        if (a != b)
          CHECK(contrast(over(shade(hue(mesh, a), i, mesh.size(a), 2),
                              shade(hue(mesh, b), mesh.size(b) - 1, mesh.size(b), 2)),
                         kOnTile) > 4.5);
    }
}

TEST_CASE("themes") {
  Scene scene{.width = 10, .height = 10, .title = "a", .description = "b"};
  scene.add(Text{1, 9, "x"});
  CHECK(to_svg(scene, Theme::automatic).find("prefers-color-scheme") != std::string::npos);
  CHECK(to_svg(scene, Theme::light).find("prefers-color-scheme") == std::string::npos);
  CHECK(to_svg(scene, Theme::dark).find("color=\"#e6edf3\"") != std::string::npos);
  CHECK(to_svg(scene, Theme::page).find(" color=\"") == std::string::npos);
  CHECK(to_svg(scene, Theme::page).find("fill=\"currentColor\"") != std::string::npos);
}

TEST_CASE("PNG files") {
  Scene scene{.width = 30, .height = 10};
  scene.add(Rect{0, 0, 30, 10, 0, solid({1, 2, 3})});
  const auto png = to_png(scene, Theme::light, 1);
  if (!png) { // a build without zlib
    CHECK(std::string(png.error().info().id) == "TW-780");
    return;
  }
  CHECK(png->starts_with("\x89PNG\r\n\x1a\n"));
  CHECK(png->substr(12, 4) == "IHDR");
  CHECK(png->size() < 200); // packed
  scene.width = 1e6, scene.height = 1e6;
  const auto large = to_png(scene, Theme::light, 2);
  REQUIRE(!large);
  CHECK(std::string(large.error().info().id) == "TW-781");
}

} // namespace tw::picture_test_printers
