// SPDX-License-Identifier: Apache-2.0
// Pictures of shardings: every tile that is drawn is one that devices hold, where it belongs and to scale;
// what is not drawn is left out on purpose.
#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "picture/draw.hpp"
#include "picture/sharding_scene.hpp"
#include "picture/sharding_text.hpp"
#include "support/random_sharding.hpp"

namespace tw::picture_test_shardings {

using namespace tw::picture;
using namespace tw::sharding;
using tw::test::draw;
using tw::test::Random;

namespace {

using Numbers = std::vector<int64_t>;

struct Drawn {
  Numbers positions, offset, extent;
  int64_t holders = 0;
  Rect rect; // of what is held
};

Numbers numbers(const std::string &text) {
  Numbers made;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    int64_t value = 0;
    at = std::from_chars(at, end, value).ptr + 1;
    made.push_back(value);
  }
  return made;
}

std::vector<Drawn> tiles_in(const Scene &scene) {
  std::vector<Drawn> tiles;
  for (size_t i = 0; i < scene.shapes.size(); ++i) {
    const auto *group = std::get_if<Group>(&scene.shapes[i]);
    if (group == nullptr || group->name != "tile")
      continue;
    Drawn tile;
    for (const auto &[name, value] : group->data) {
      if (name == "positions")
        tile.positions = numbers(value);
      if (name == "offset")
        tile.offset = numbers(value);
      if (name == "extent")
        tile.extent = numbers(value);
      if (name == "holders")
        tile.holders = numbers(value).front();
    }
    tile.rect = std::get<Rect>(scene.shapes[i + 1]);
    tiles.push_back(tile);
  }
  return tiles;
}

// The boxes are those of the devices, and every device that holds something is drawn once, unless tiles are
// left out.
void check_boxes(const Subject &subject, const std::vector<Drawn> &tiles, bool folded) {
  std::set<int64_t> seen;
  bool all = !folded; // are listed
  for (const Drawn &tile : tiles) {
    for (const int64_t p : tile.positions) {
      const Box box = box_of(subject.layout, subject.shape, subject.mesh, Position(p));
      CHECK(box.offset == tile.offset);
      CHECK(box.extent == tile.extent);
      CHECK(seen.insert(p).second);
    }
    CHECK(static_cast<int64_t>(tile.positions.size()) == std::min<int64_t>(tile.holders, 64));
    all = all && tile.holders <= 64;
  }
  for (Position p(0); p < subject.mesh.num_positions() && all; ++p)
    CHECK(seen.contains(p) == !box_of(subject.layout, subject.shape, subject.mesh, p).empty());
}

// Along the two dimensions of panels, sizes in pixels are sizes in elements.
void check_scale(const Tiles &tiles, const std::vector<Drawn> &drawn) {
  if (tiles.sides.empty() || drawn.empty())
    return;
  const auto check_side = [&](const Side &side, bool across) {
    if (tiles.folded && (side.halo || side.overlap))
      return; // tiles are cut where others are left out
    double scale = 0;
    for (const Drawn &tile : drawn) {
      const double pixels = across ? tile.rect.w : tile.rect.h;
      const auto elements = static_cast<double>(tile.extent[side.dim]);
      scale = scale == 0 ? pixels / elements : scale;
      CHECK(pixels == doctest::Approx(elements * scale).epsilon(1e-6));
    }
  };
  check_side(tiles.sides.back(), true);
  if (tiles.sides.size() > 1)
    check_side(tiles.sides[tiles.sides.size() - 2], false);
}

Scene scene_of(const char *mesh_text, const char *sharding, Numbers shape, std::string name = {}) {
  const Mesh mesh = *Mesh::parse(mesh_text);
  const auto layout = parse_distribution(sharding, mesh, shape);
  REQUIRE(layout);
  return sharding_scene({mesh, shape, *layout, std::move(name), graph::DType::f32});
}

bool says(const Scene &scene, std::string_view part) {
  return std::ranges::any_of(scene.shapes, [&](const Shape &shape) {
    const auto *text = std::get_if<Text>(&shape);
    return text != nullptr && text->text.find(part) != std::string::npos;
  });
}

template <class T> size_t count(const Scene &scene) {
  return static_cast<size_t>(std::ranges::count_if(
      scene.shapes, [](const Shape &shape) { return std::holds_alternative<T>(shape); }));
}

} // namespace

TEST_CASE("tiles of random shardings are those of the devices") {
  Random random(48);
  int folded = 0, halos = 0;
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const Mesh mesh = tw::test::random_mesh(random, 96);
    const auto shape = tw::test::random_shape(random, 5, 20);
    Distribution layout{tw::test::random_sharding(random, shape, mesh, true), Halos(shape.size())};
    for (size_t d = 0; d < shape.size(); ++d)
      if (layout.sharding.dims[d].rule.kind != SplitRule::Kind::cuts && draw(random, 0, 3) == 0)
        layout.halos[d] = {draw(random, 1, 3), draw(random, 0, 3), static_cast<Border>(draw(random, 0, 1))};
    if (std::ranges::all_of(layout.halos, &Halo::empty))
      layout.halos.clear();
    const Subject subject{mesh, shape, layout, "x", graph::DType::bf16};
    CAPTURE(to_text(layout.sharding, layout.halos, mesh));
    CAPTURE(mesh.text());
    const Tiles tiles = tiles_of(subject);
    const std::vector<Drawn> drawn = tiles_in(sharding_scene(subject));
    folded += tiles.folded ? 1 : 0;
    halos += layout.halos.empty() ? 0 : 1;
    check_boxes(subject, drawn, tiles.folded || !layout.halos.empty());
    check_scale(tiles, drawn);
    CHECK_FALSE(sharding_text(subject).empty());
  }
  CHECK(folded > 20);
  CHECK(halos > 100);
}

TEST_CASE("spans, and halos that end where the array does") {
  const Mesh mesh = *Mesh::parse("x=3");
  const Numbers shape{13};
  const auto layout = parse_distribution("[{x}:spans=[0,6,2,10,6,13]]", mesh, shape);
  REQUIRE(layout);
  const Subject subject{mesh, shape, *layout};
  const auto drawn = tiles_in(sharding_scene(subject));
  REQUIRE(drawn.size() == 3);
  check_boxes(subject, drawn, false);
  CHECK(says(sharding_scene(subject), "halo of dim 0: 2 before and 2 after each tile"));
}

TEST_CASE("large meshes are folded, and say what they stand for") {
  const Scene scene = scene_of("data=64,model=512", "[{data}, {model}]", {4096, 16384}, "w");
  CHECK(tiles_in(scene).size() == 64);
  CHECK(says(scene, "dim 0: 4096 in 64 tiles"));
  CHECK(says(scene, "dim 1: 16384 in 512 tiles"));
  const Scene copies = scene_of("data=512,model=4", "[{}, {model}]", {64, 64});
  CHECK(tiles_in(copies).size() == 4);
  CHECK(tiles_in(copies)[0].holders == 512);
  CHECK(says(copies, "512 copies"));
  CHECK(says(copies, "x 512"));
  // Many dimensions, each in two: no more tiles than a picture holds.
  CHECK(tiles_in(scene_of("a=2,b=2,c=2,d=2,e=2,f=2,g=2,h=2,i=2,j=2,k=2,l=2",
                          "[{a}, {b}, {c}, {d}, {e}, {f}, {g}, {h}, {i}, {j}, {k}, {l}]", Numbers(12, 2)))
            .size() <= 512);
}

TEST_CASE("what devices have in common, and what is still to be added") {
  const Scene scene = scene_of("data=2,model=4", "[{data}, {}] +model", {8, 8});
  CHECK(tiles_in(scene).size() == 2);
  CHECK(says(scene, "model 4: partial (sum)"));
  CHECK(says(scene, "4 addends"));
  CHECK(count<Lines>(scene) >= 4); // two cards and two tiles, and the legend
  CHECK(says(scene_of("data=2,model=4", "[{data}, {}] +max:model", {8, 8}), "4 partial values"));
  CHECK(says(scene_of("data=2,model=4", "[{data}, {}]", {8, 8}), "model 4: copies"));
}

TEST_CASE("arrays without elements, of no dimension, and devices that hold nothing") {
  CHECK(says(scene_of("x=2", "[{x}, {}]", {0, 4}), "no elements"));
  const auto scalar = tiles_in(scene_of("x=2", "[]", {}));
  REQUIRE(scalar.size() == 1);
  CHECK(scalar[0].holders == 2);
  const Scene few = scene_of("x=8", "[{x}:ceil]", {5});
  CHECK(tiles_in(few).size() == 5);
  CHECK(says(few, "devices 5, 6, 7 hold nothing"));
}

TEST_CASE("names of any kind are shown, and obeyed by nobody") {
  const std::string name = "a<b>&\"'\u202e\x1b[31m" + std::string(10000, 'x');
  const Scene scene = scene_of("x=2", "[{x}]", {8}, name);
  CHECK(scene.width < 1200);
  const std::string svg = to_svg(scene, Theme::automatic);
  CHECK(svg.find("a&lt;b&gt;&amp;&quot;&#39;\\u202e\\x1b[31m") != std::string::npos);
  CHECK(svg.find('\x1b') == std::string::npos);
  CHECK(svg.find("\u202e") == std::string::npos);
}

TEST_CASE("a picture in plain characters") {
  const Mesh mesh = *Mesh::parse("data=2,model=4");
  const Numbers shape{16, 8};
  const auto layout = parse_distribution("[{data}, {model}]", mesh, shape);
  CHECK(sharding_text({mesh, shape, *layout, "w", graph::DType::f32}) ==
        "w  f32[16,8]  [{data}, {model}]\n"
        "                         dim 1: 8\n"
        "           model 0   model 1   model 2   model 3\n"
        "         +---------+---------+---------+---------+\n"
        "  data 0 |    0    |    1    |    2    |    3    |\n"
        "         +---------+---------+---------+---------+\n"
        "  data 1 |    4    |    5    |    6    |    7    |\n"
        "         +---------+---------+---------+---------+\n"
        "         dim 0: 16 (down)\n"
        "  data 2: tiles dim 0\n"
        "  model 4: tiles dim 1\n"
        "  each device holds [8,2], 64 B\n");
}

} // namespace tw::picture_test_shardings
