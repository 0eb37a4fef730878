// SPDX-License-Identifier: Apache-2.0
// Halos: their text, where tiles lie with them, what they hold, and the errors of texts that do not fit.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sharding/halo.hpp"
#include "support/random_sharding.hpp"

namespace tw::sharding_test_halo {

using namespace tw::sharding;
using tw::test::draw;
using tw::test::Random;

namespace {

using Shape = std::vector<int64_t>;

std::string again(std::string_view text, const Mesh &mesh) {
  const auto s = parse_distribution(text, mesh);
  return s ? to_text(s->sharding, s->halos, mesh) : s.error().message();
}

std::string refused(std::string_view text, const Shape &shape) {
  const auto s = parse_distribution(text, *Mesh::parse("x=3,y=2"), shape);
  REQUIRE(!s);
  return s.error().message();
}

} // namespace

TEST_CASE("spellings") {
  const Mesh mesh = *Mesh::parse("x=4,y=2");
  CHECK(again("[{x}:halo=[1,1], {}]", mesh) == "[{x}:halo=[1,1], {}]");
  CHECK(again("[{x}:halo=[ 2 , 0 ]:wrap, {y}:ceil:halo=[0,3]]", mesh) ==
        "[{x}:halo=[2,0]:wrap, {y}:ceil:halo=[0,3]]");
  CHECK(again("[{x}:halo=[1,2]:ceil]", mesh) == "[{x}:ceil:halo=[1,2]]"); // in any order
  CHECK(again("[{x}:halo=[1,2]:wrap:unit=2] +y", mesh) == "[{x}:unit=2:halo=[1,2]:wrap] +y");
  CHECK(again("[{}:halo=[1,1]]", mesh) == "[{}:halo=[1,1]]"); // around a whole dimension
  CHECK(again("[{x}:halo=[0,0]:wrap, {}]", mesh) == "[{x}, {}]");
  CHECK(parse_distribution("[{x}:halo=[0,0], {}]", mesh)->halos.empty());
  CHECK(parse_distribution("[{}, {x}:halo=[1,0], {}]", mesh)->halos.size() == 3);
}

TEST_CASE("text goes round") {
  Random random(61);
  for (int round = 0; round < 500; ++round) {
    const Mesh mesh = tw::test::random_mesh(random, 64);
    const auto shape = tw::test::random_shape(random, 4, 20);
    Distribution s{tw::test::random_sharding(random, shape, mesh, true), Halos(shape.size())};
    for (size_t d = 0; d < shape.size(); ++d)
      if (s.sharding.dims[d].rule.kind != SplitRule::Kind::cuts && draw(random, 0, 1) == 0) {
        s.halos[d] = {draw(random, 0, 3), draw(random, 0, 3), static_cast<Border>(draw(random, 0, 1))};
        if (s.halos[d].empty())
          s.halos[d] = {};
      }
    if (std::ranges::all_of(s.halos, &Halo::empty))
      s.halos.clear();
    REQUIRE(verify(s.sharding, s.halos, shape, mesh));
    const std::string text = to_text(s.sharding, s.halos, mesh);
    CAPTURE(text);
    const auto back = parse_distribution(text, mesh, shape);
    REQUIRE(back);
    REQUIRE(*back == s);
  }
}

TEST_CASE("errors say where") {
  CHECK(refused("[{x}:halo=[-1,1]]", {9}) ==
        "sharding '[{x}:halo=[-1,1]]': expected a number at character 12, found '-1,1]]'");
  CHECK(refused("[{x}:halo=[1]]", {9}) ==
        "sharding '[{x}:halo=[1]]': expected ',' and the halo after the tile at character 13, found ']]'");
  CHECK(refused("[{x}:halo=1,1]", {9}) ==
        "sharding '[{x}:halo=1,1]': expected '[' at character 11, found '1,1]'");
  CHECK(refused("[{x}:hello]", {9}) ==
        "sharding '[{x}:hello]': expected a split rule (ceil, cuts=[..], spans=[..] or unit=N) or "
        "halo=[BEFORE,AFTER] at character 6, found 'hello]'");
  CHECK(
      refused("[{y}, {x}:cuts=[0,3,6,9]:halo=[1,1]]", {4, 9}) ==
      "sharding '[{y}, {x}:cuts=[0,3,6,9]:halo=[1,1]]', character 7: dimension 1 has both explicit cuts and "
      "the halo [1,1]: leave out one of them");
  CHECK(
      refused("[{x}:cuts=[0,6,3,9]]", {9}) ==
      "sharding '[{x}:cuts=[0,6,3,9]]', character 2: dimension 0: the cuts 0,6,3,9 must ascend from 0 to 9");
  CHECK(
      refused("[{x}:cuts=[1,3,6,9]]", {9}) ==
      "sharding '[{x}:cuts=[1,3,6,9]]', character 2: dimension 0: the cuts 1,3,6,9 must ascend from 0 to 9");
  CHECK(
      refused("[{x}:cuts=[0,3,6,8]]", {9}) ==
      "sharding '[{x}:cuts=[0,3,6,8]]', character 2: dimension 0: the cuts 0,3,6,8 must ascend from 0 to 9");
  CHECK(refused("[{x}:cuts=[0,9]]", {9}) ==
        "sharding '[{x}:cuts=[0,9]]', character 2: dimension 0: 2 cuts for 3 tiles: 4 are needed");
  CHECK(refused("[{x}:halo=[1,9999999999999]]", {9})
            .find("a number of at most 1099511627776 at character 14") != std::string::npos);
  // Values of programs have none.
  const auto program = parse_sharding("[{x}:halo=[1,1]]", *Mesh::parse("x=3"));
  REQUIRE(!program);
  CHECK(program.error().message().find("halos are of arrays that tw redistribute moves") !=
        std::string::npos);
}

TEST_CASE("tiles with halos, by definition") {
  const Mesh mesh = *Mesh::parse("x=4");
  const Shape shape{10}; // 2, 3, 2, 3
  const auto box = [&](const char *text, int64_t position) {
    return box_of(*parse_distribution(text, mesh, shape), shape, mesh, Position(position));
  };
  CHECK(box("[{x}:halo=[1,2]]", 0) == Box{{-1}, {5}}); // at the border too
  CHECK(box("[{x}:halo=[1,2]]", 3) == Box{{6}, {6}});
  CHECK(box("[{x}:ceil:halo=[1,1]]", 3) == Box{{8}, {3}});
  CHECK(box("[{}:halo=[1,2]]", 1) == Box{{-1}, {13}});
  CHECK(largest_tile(parse_distribution("[{x}]", mesh)->sharding, {{1, 2}}, shape, mesh) == Shape{6});
  // An empty tile has its halo all the same.
  const Shape few{3};
  CHECK(box_of(*parse_distribution("[{x}:ceil:halo=[1,1]]", mesh, few), few, mesh, Position(3)) ==
        Box{{2}, {2}});
}

TEST_CASE("the elements of an interval are those of its coordinates, each once") {
  for (const Border border : {Border::zero, Border::wrap})
    for (int64_t n = 0; n <= 5; ++n)
      for (int64_t begin = -13; begin <= 13; ++begin)
        for (int64_t size = 0; size <= 13; ++size) {
          const Halo halo{1, 1, border};
          std::vector<int> times(static_cast<size_t>(n), 0);
          int64_t end = 0;
          for (const Interval part : elements_of(halo, n, {begin, begin + size})) {
            REQUIRE(part.size() > 0);
            REQUIRE(part.begin >= end);
            end = part.end;
            for (int64_t e = part.begin; e < part.end; ++e)
              ++times[static_cast<size_t>(e)];
          }
          for (int64_t e = 0; e < n; ++e) {
            bool there = false;
            for (int64_t c = begin; c < begin + size; ++c)
              there = there || element_at(halo, n, c) == e;
            REQUIRE(times[static_cast<size_t>(e)] == (there ? 1 : 0));
          }
        }
  CHECK(element_at({1, 1, Border::wrap}, 4, -1) == 3);
  CHECK(element_at({1, 1, Border::wrap}, 4, 9) == 1);
  CHECK(element_at({1, 1, Border::zero}, 4, -1) == -1);
  CHECK(element_at({1, 1, Border::wrap}, 0, 0) == -1);
}

} // namespace tw::sharding_test_halo
