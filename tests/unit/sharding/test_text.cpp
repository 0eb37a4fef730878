// SPDX-License-Identifier: Apache-2.0
// The text of distributed types goes round, merges parts of axes, and its errors say where.
#include <doctest/doctest.h>

#include <string>

#include "sharding/sharding.hpp"
#include "support/random_sharding.hpp"

namespace tw::test_text {

using namespace tw::sharding;
using tw::test::draw;
using tw::test::Random;

namespace {

std::string again(std::string_view text, const Mesh &mesh) {
  const auto s = parse_sharding(text, mesh);
  return s ? to_text(*s, mesh) : s.error().message();
}

} // namespace

TEST_CASE("text goes round") {
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    Mesh mesh = tw::test::random_mesh(random, 4096);
    for (size_t a = 0; a < mesh.num_axes(); ++a) // refine some axes
      if (const int64_t size = mesh.size(static_cast<AxisId>(a));
          size % 2 == 0 && size > 2 && draw(random, 0, 1) == 0) {
        const int64_t parts[] = {2, size / 2};
        mesh = *mesh.refine(static_cast<AxisId>(a), parts);
      }
    const auto shape = tw::test::random_shape(random, 4, 20);
    Sharding s = tw::test::random_sharding(random, shape, mesh, true);
    for (auto &partial : s.partial)
      partial.kind = static_cast<Reduction>(draw(random, 0, 9));
    const std::string text = to_text(s, mesh);
    CAPTURE(text);
    const auto back = parse_sharding(text, mesh);
    REQUIRE(back.has_value());
    REQUIRE(*back == s);
    REQUIRE(hash_value(*back) == hash_value(s));
  }
}

TEST_CASE("spellings") {
  const Mesh mesh = *Mesh::parse("data=2,model=4,max=2");
  CHECK(again("[{data,model},{}]", mesh) == "[{data,model}, {}]");
  CHECK(again("[]", mesh) == "[]");
  CHECK(again("[{data}, {}] +model", mesh) == "[{data}, {}] +model");
  CHECK(again("[] +max:model+data", mesh) == "[] +data +max:model");
  CHECK(again("[] +max", mesh) == "[] +max");
  CHECK(again("[] +max:max", mesh) == "[] +max:max");
  CHECK(again("[{\"model\"}:ceil]", mesh) == "[{model}:ceil]");
  CHECK(again("[{model}:cuts=[0, 5, 9, 12, 16]]", mesh) == "[{model}:cuts=[0,5,9,12,16]]");
  CHECK(again("[{data}:spans=[0, 5, 3, 8]]", mesh) == "[{data}:spans=[0,5,3,8]]");
  CHECK(again("[{model}:unit=79:ceil]", mesh) == "[{model}:ceil:unit=79]");
}

TEST_CASE("parts of an axis merge when adjacent and in order") {
  const Mesh mesh = *Mesh::parse("c=8,d=2");
  const int64_t parts[] = {2, 2, 2};
  const Mesh fine = *mesh.refine(0, parts);
  CHECK(again("[{c}]", fine) == "[{c}]");
  CHECK(parse_sharding("[{c}]", fine)->dims[0].axes == std::vector<AxisId>{0, 1, 2});
  CHECK(again("[{c:(2)4}, {c:(1)2}]", fine) == "[{c:(2)4}, {c:(1)2}]");
  CHECK(again("[{c:(2)2, c:(4)2}]", fine) == "[{c:(2)4}]");
  CHECK(again("[{c:(4)2, c:(2)2}]", fine) == "[{c:(4)2,c:(2)2}]");
  CHECK(again("[] +c:(2)4 +d", fine) == "[] +c:(2)4 +d");
  CHECK(again("[] +max:c:(2)4", fine) == "[] +max:c:(2)4");
  CHECK(again("[{c:(3)2}]", fine) == "sharding '[{c:(3)2}]': 'c:(3)2' is no part of axis 'c' of this mesh");
  CHECK(again("[{c:(1)1}]", fine) == "sharding '[{c:(1)1}]': 'c:(1)1' is no part of axis 'c' of this mesh");
  CHECK(again("[{c:(2)4}]", mesh) == "sharding '[{c:(2)4}]': 'c:(2)4' is no part of axis 'c' of this mesh");
}

TEST_CASE("an axis of size 1, and a name that needs quotes") {
  CHECK(again("[{a}, {}]", *Mesh::parse("a=1,b=2")) == "[{a}, {}]");
  const Mesh odd = *Mesh::parse("a=2")->with_axis("range<8,2>", 4);
  CHECK(again("[{\"range<8,2>\"}, {a}]", odd) == "[{\"range<8,2>\"}, {a}]");
}

TEST_CASE("errors say where") {
  const Mesh mesh = *Mesh::parse("a=2,b=3");
  CHECK(again("{a}", mesh) == "sharding '{a}': expected '[' at character 1, found '{a}'");
  CHECK(again("[{a}", mesh) == "sharding '[{a}': expected ']' at character 5, found the end");
  CHECK(again("[{c}]", mesh) == "sharding '[{c}]': mesh a=2,b=3 has no axis 'c'");
  CHECK(again("[{a}] b", mesh) == "sharding '[{a}] b': expected the end or '+' at character 7, found 'b'");
  CHECK(again("[{a}:even]", mesh) == "sharding '[{a}:even]': expected a split rule: ceil, cuts=[..], "
                                     "spans=[..] or unit=N at character 6, found 'even]'");
  CHECK(again("[] +mean:a", mesh) ==
        "'mean' is no reduction: expected one of raw, sum, max, min, prod, and, or, xor, pick, region");
  CHECK(again("[{a:(9999999999999)9999999999999}]", mesh) ==
        "sharding '[{a:(9999999999999)9999999999999}]': 'a:(9999999999999)9999999999999' has a size out of "
        "range");
  CHECK(again("[{\"a}]", mesh) == "sharding '[{\"a}]': expected a closing quote at character 4, found 'a}]'");
}

} // namespace tw::test_text
