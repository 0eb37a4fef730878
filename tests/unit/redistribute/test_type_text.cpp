// SPDX-License-Identifier: Apache-2.0
// Types as text: both spellings, what is wrong with a text, and the base offsets that the paper gives.
#include <doctest/doctest.h>

#include "redistribute/type_text.hpp"

namespace tw::test_type_text {

using namespace tw::redistribute;
using tw::graph::DType;
using tw::sharding::Mesh;

namespace {

Mesh mesh(std::string_view text) { return *Mesh::parse(text); }

std::string wrong(std::string_view text, std::string_view on) {
  const auto type = parse_distributed_type(text, mesh(on));
  REQUIRE(!type);
  return type.error().message();
}

std::shared_ptr<const Problem> problem(std::string_view on, std::string_view src, std::string_view dst) {
  const Mesh m = mesh(on);
  auto p = make_problem(m, *parse_distributed_type(src, m), m, *parse_distributed_type(dst, m), DType::f32);
  REQUIRE(p);
  return *p;
}

std::string refused(std::string_view on, std::string_view src, std::string_view dst) {
  const Mesh m = mesh(on);
  const auto p =
      make_problem(m, *parse_distributed_type(src, m), m, *parse_distributed_type(dst, m), DType::f32);
  REQUIRE(!p);
  return p.error().message();
}

} // namespace

TEST_CASE("the paper's types") {
  const Mesh m = mesh("x=2,y=2");
  const auto type = *parse_distributed_type(R"([8{"x", "y"}32, 16])", m);
  CHECK(type.type.dims == std::vector<int64_t>{32, 16});
  CHECK(to_text(type.sharding, m) == "[{y,x}, {}]"); // ours is major to minor
  CHECK(paper_text(type.sharding, type.type.dims, m) == "[8{x,y}32, 16]");
  const auto implicit = *parse_distributed_type("[8{x,y}, 16{}]", m);
  CHECK(implicit.type.dims == std::vector<int64_t>{32, 16});
  CHECK(implicit.sharding == type.sharding);
  const auto ours = *parse_distributed_type("bf16[32,16] [{y,x}, {}]", m);
  CHECK(ours.sharding == type.sharding);
  CHECK(ours.type.dtype == DType::bf16);
  CHECK(parse_distributed_type("[8{x:2,y:2}32, 16]", m)->sharding == type.sharding); // as Figure 13 has it
  CHECK(parse_distributed_type("[32, 16]", m)->sharding.is_replicated());
  CHECK(parse_distributed_type("f32[]", m)->type.rank() == 0);
  CHECK(parse_distributed_type("f32[4] +max:x", m)->sharding.partial[0].kind == tw::sharding::Reduction::max);
}

TEST_CASE("a target that is a sharding alone has the type of its source") {
  const Mesh m = mesh("x=2,y=2");
  const auto source = *parse_distributed_type("bf16[32,16] [{x}, {}]", m);
  const auto target = parse_distributed_type(" [{}, {y,x}]", m, &source.type);
  REQUIRE(target.has_value());
  CHECK(target->type == source.type);
  CHECK(to_text(target->sharding, m) == "[{}, {y,x}]");
  const auto other_rank = parse_distributed_type("[{x}]", m, &source.type);
  REQUIRE(!other_rank.has_value());
  CHECK(other_rank.error().message() == "type '[{x}]': 2 dimensions and a sharding of 1");
}

TEST_CASE("the base offsets of the paper's example: 8 x 8 over x and y, minor to major") {
  const auto p = problem("x=2,y=2", R"([2{"x","y"}8, 8])", "[8, 8]");
  // The array is cut over y, then each tile over x: device (x=1, y=0), which is device 2, has the second
  // tile.
  CHECK(p->src_box(0).offset[0] == 0);
  CHECK(p->src_box(1).offset[0] == 4);
  CHECK(p->src_box(2).offset[0] == 2);
  CHECK(p->src_box(3).offset[0] == 6);
}

TEST_CASE("what is wrong with a type is said with its place") {
  CHECK(wrong("[8{x}33]", "x=4") == "type '[8{x}33]': dimension 0 has 4 tiles (4) of 8, which make 32 and "
                                    "not 33; sizes that do not divide are written as f32[33,..] "
                                    "[{..},..]");
  CHECK(wrong("[8{z}32]", "x=4") == "type '[8{z}32]': mesh x=4 has no axis 'z'");
  CHECK(wrong("[8{x,x}32]", "x=4") == "type '[8{x,x}32]': axis 'x' occurs twice");
  CHECK(wrong("[8{x}32, 2{x}8]", "x=4") == "type '[8{x}32, 2{x}8]': axis 'x' partitions two dimensions");
  CHECK(wrong("[8{x:2}32]", "x=4") == "type '[8{x:2}32]': axis 'x' is 4 in mesh x=4, not 2");
  CHECK(wrong("[8{x}32", "x=4") == "type '[8{x}32': expected ']' at character 8, found the end");
  CHECK(wrong("[8{x}32] y", "x=4") == "type '[8{x}32] y': expected the end at character 10, found 'y'");
  CHECK(wrong("f33[8]", "x=4") == "type 'f33[8]': 'f33' is no element type");
  CHECK(wrong("f32[-8]", "x=4") == "type 'f32[-8]': expected a number at character 5, found '-8]'");
  CHECK(wrong("f32[99999999999999999999]", "x=4") ==
        "type 'f32[99999999999999999999]': expected a number of at most 9223372036854775807 at character 5, "
        "found '999999999999'");
  CHECK(wrong("f32[8,8] [{x}]", "x=4") == "type 'f32[8,8] [{x}]': 2 dimensions and a sharding of 1");
  CHECK(wrong("[9223372036854775807{x}]", "x=4") ==
        "type '[9223372036854775807{x}]': 4 tiles of 9223372036854775807 overflow");
  CHECK(wrong("[{x},{}]", "x=4") ==
        "type '[{x},{}]': expected sizes before the sharding: f32[SIZE,..] [{x},{}]");
  CHECK(wrong("", "x=4") == "type '': expected a name at character 1, found the end");
}

TEST_CASE("pairs that do not fit together") {
  CHECK(refused("x=2", "f32[8] [{x}]", "f32[9] [{x}]") ==
        "global shapes differ: the source is [8], the target [9]");
  CHECK(refused("x=2", "f32[8] [{x}]", "bf16[8] [{x}]") ==
        "element types differ: the source has f32, the target bf16");
  CHECK(refused("x=2", "f32[8] [{x}]", "f32[8] [{}] +x") ==
        "the target is partial (sum) over axis 'x' and the source is not: values cannot be taken apart");
  CHECK(refused("x=2,y=2", "f32[8] [{}] +x +max:y", "f32[8] [{}]") ==
        "one redistribution would have to combine by sum and by max");
  CHECK(refused("x=2", "f32[8] [{}] +raw:x", "f32[8] [{x}]") ==
        "values that are partial (raw) over axis 'x' do not combine: keep the axis partial, or tile a "
        "dimension with "
        "it");
}

TEST_CASE("slices that are partial (raw) are tiles") {
  const auto p = problem("x=2", "f32[16,16] [{}, {}] +raw:x", "f32[32,16] [{x}, {}]");
  CHECK(p->src().sharding == p->dst().sharding); // nothing moves
  const auto other = problem("x=2,y=2", "f32[4] [{}] +raw:x", "f32[4] [{}] +raw:y");
  CHECK(other->type().dims == std::vector<int64_t>{2, 4});
  const auto back = problem("x=2,y=2", "f32[8,4] [{x}, {y}]", "f32[4,4] [{}, {y}] +raw:x");
  CHECK(back->src().sharding == back->dst().sharding);
}

TEST_CASE("tiles of a buffer name the axes, or parts of axes, that place them") {
  const auto p = problem("x=4,y=6", "f32[24,24] [{x},{y}]", "f32[24,24] [{y},{x}]");
  Placement tiles(2, 24);
  for (Device d = 0; d < 24; ++d)
    tiles.set(d, p->dst_box(d));
  CHECK(paper_text(tiles, *p) == "[4{y}24, 6{x}24]");
  for (Device d = 0; d < 24; ++d)
    tiles.set(d, {{d / 12 * 12, 0}, {12, 24}});
  CHECK(paper_text(tiles, *p) == "[12{x:(1)2}24, 24]");
  for (Device d = 0; d < 24; ++d)
    tiles.set(d, {{d % 5 == 0 ? 0 : 12, 0}, {12, 24}});
  CHECK(paper_text(tiles, *p) == "[12{*}24, 24]");
}

} // namespace tw::test_type_text
