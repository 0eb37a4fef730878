// SPDX-License-Identifier: Apache-2.0
// What calls of foreign code say: attributes in dictionaries, and how they may be split.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "ops/call_attributes.hpp"
#include "ops/opaque_rule.hpp"
#include "ops/registry.hpp"

namespace tw::test_custom_call {

using ops::AttrKind;

TEST_CASE("attributes of calls keep their names, kinds and values") {
  const auto all =
      ops::read_attributes(R"({axis = [2], "e p s" = 1.0e-05 : f64, whole = 3 : f32, n = -4 : i64,
    u = 18446744073709551615 : ui64, flag, off = false, text = "a, \"b\" }\0A", list = array<i32: 1, -2>, none = array<i64>, mixed = [1, "x"],
    inner = {deep = {x = 1}, y = #foo.bar<a -> b, c>}, type = tensor<2x3xf32>})");
  struct Wanted {
    const char *name;
    AttrKind kind;
    graph::AttrValue value;
    const char *type = "";
  };
  using Ints = std::vector<int64_t>;
  const Wanted wanted[] = {{"axis", AttrKind::ints, Ints{2}},
                           {"e p s", AttrKind::real, 1.0e-5, "f64"},
                           {"whole", AttrKind::real, 3.0, "f32"},
                           {"n", AttrKind::integer, int64_t{-4}, "i64"},
                           {"u", AttrKind::integer, int64_t{-1}, "ui64"},
                           {"flag", AttrKind::boolean, int64_t{1}},
                           {"off", AttrKind::boolean, int64_t{0}},
                           {"text", AttrKind::string, std::string("a, \"b\" }\n")},
                           {"list", AttrKind::ints, Ints{1, -2}, "i32"},
                           {"none", AttrKind::ints, Ints{}, "i64"},
                           {"mixed", AttrKind::string, std::string("[1, \"x\"]")},
                           {"inner.deep.x", AttrKind::integer, int64_t{1}},
                           {"inner.y", AttrKind::string, std::string("#foo.bar<a -> b, c>")},
                           {"type", AttrKind::string, std::string("tensor<2x3xf32>")}};
  REQUIRE(all.size() == std::size(wanted));
  for (size_t i = 0; i < all.size(); ++i) {
    CAPTURE(wanted[i].name);
    CHECK(all[i].name == wanted[i].name);
    CHECK(all[i].kind == wanted[i].kind);
    CHECK((all[i].value == wanted[i].value));
    CHECK(all[i].type == wanted[i].type);
  }

  const auto again = ops::read_attributes(ops::attributes_text(all)); // as built call by call
  REQUIRE(again.size() == all.size());
  for (size_t i = 0; i < all.size(); ++i)
    CHECK((again[i].name == all[i].name && again[i].kind == all[i].kind && again[i].value == all[i].value &&
           again[i].type == all[i].type));
  for (const char *odd : {"", "{", "}", "{a = ", "{\"a", "{,,=}", "x = {[}", "\\"})
    CHECK(ops::read_attributes(odd).size() <= 2);
}

namespace {

// The rule's text for a call of f32[3,4,5] and f32[5] that gives f32[3,4,5] and f32[3,4]; an error's message
// where it does not fit.
std::string rule_text(std::string_view text) {
  const graph::TensorType big{graph::DType::f32, {3, 4, 5}}, small{graph::DType::f32, {5}},
      rows{graph::DType::f32, {3, 4}};
  const graph::TensorType *operands[] = {&big, &small}, *results[] = {&big, &rows};
  graph::GraphBuilder empty("", "");
  const auto rule = ops::parse_opaque_rule(text, {empty.graph(), {}, operands, results, {}});
  return rule ? rule->text() : rule.error().message();
}

} // namespace

TEST_CASE("`...` stands for equally many dimensions wherever it stands") {
  CHECK(rule_text("... h, h -> ... h, ...") == rule_text("a b h, h -> a b h, a b"));
  CHECK(rule_text("... *, * -> ... *, ...") == rule_text("a b *, * -> a b *, a b"));
  CHECK(rule_text("a ... h, h -> a ... h, a ...") == rule_text("a b h, h -> a b h, a b"));
  CHECK(rule_text("... h, h -> ... h, ... x") ==
        "rule \"... h, h -> ... h, ... x\": '...' stands for 2 and 1 dimensions");
  CHECK(rule_text("... a b c d, h -> ... h, ...") ==
        "rule \"... a b c d, h -> ... h, ...\": names 5 dimensions of operand 0, f32[3,4,5]");
  CHECK(rule_text("... ..., h -> *, *").find("names") != std::string::npos);
}

TEST_CASE("words of operands tile a call that has no results") {
  const graph::TensorType big{graph::DType::f32, {3, 4, 5}}, small{graph::DType::f32, {5}};
  const graph::TensorType *operands[] = {&big, &small};
  graph::GraphBuilder empty("", "");
  const ops::OpView call{empty.graph(), {}, operands, {}, {}};
  CHECK(ops::parse_opaque_rule("a b h, h -> ", call)->text() == "([i,j,k],[k])->()");
  CHECK(ops::parse_opaque_rule("a * h, * ->", call)->text() == "([i,j,k],[l])->() j:whole l:whole");
  CHECK(ops::parse_sharding_rule("([i, j, k], [k])->() {i=3, j=4, k=5}", call, nullptr)->text() ==
        "([i,j,k],[k])->()");
}

TEST_CASE("a call of device-local code says how many dimensions it got in front") {
  CHECK(ops::with_dims_in_front("", 0).empty());
  CHECK(ops::with_dims_in_front("", 2) == R"({"tw.dims_in_front" = 2 : i64})");
  CHECK(
      ops::with_dims_in_front(
          R"({"operand_layouts" = [dense<[1, 0]> : tensor<2xindex>], "tw.dims_in_front" = 1 : i64, "x.y" = unit})",
          2) ==
      R"({"operand_layouts" = [dense<[3, 2, 1, 0]> : tensor<4xindex>], "tw.dims_in_front" = 3 : i64, "x.y" = unit})");
  CHECK(ops::with_dims_in_front(
            R"({"operand_layouts" = [dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]})", 1,
            {{true}, {}}) ==
        R"({"operand_layouts" = [dense<> : tensor<0xindex>, dense<[1, 0]> : tensor<2xindex>], )"
        R"("tw.dims_in_front" = 1 : i64})");
}

TEST_CASE("a stated rule of tiles has the sizes that its loops have there") {
  const graph::TensorType a{graph::DType::f32, {8, 16}}, b{graph::DType::f32, {32, 4}};
  const graph::TensorType *operand[] = {&a}, *result[] = {&b};
  graph::GraphBuilder empty("", "");
  const ops::OpView call{empty.graph(), {}, operand, result, {}};
  const auto of_tiles = [&](std::string_view text, const graph::Shape &from, const graph::Shape &to) {
    return ops::sharding_rule_of_tiles(text, call, {&from, 1}, {&to, 1}).value_or("none");
  };
  constexpr std::string_view kMerged = "([i, jk])->([ij, k]) { i = 8, j=4,k=4}, custom";
  CHECK(of_tiles(kMerged, {8, 16}, {32, 4}) == kMerged);
  CHECK(of_tiles(kMerged, {2, 16}, {8, 4}) == "([i, jk])->([ij, k]) { i = 2, j=4,k=4}, custom");
  CHECK(of_tiles(kMerged, {8, 4}, {32, 4}) == "none"); // the call would make another result
  constexpr std::string_view kSum = "([i, j])->([k, *]) {k=32, i=8, j=16} reduction={j}, custom";
  CHECK(of_tiles(kSum, {8, 5}, {32, 4}) == "([i, j])->([k, *]) {k=32, i=8, j=5} reduction={j}, custom");
  CHECK(of_tiles(kSum, {0, 5}, {32, 4}) == "none");
  CHECK(of_tiles("([*, *])->([*, *])", {1, 5}, {32, 2}) == "([*, *])->([*, *])");
}

TEST_CASE("a stated rule may speak of an empty array, which stays whole") { // as JAX writes them
  const graph::TensorType a{graph::DType::f32, {0, 16}};
  const graph::TensorType *types[] = {&a};
  graph::GraphBuilder empty("", "");
  const ops::OpView call{empty.graph(), {}, types, types, {}};
  constexpr std::string_view kText = "([i, j])->([i, j]) {i=0, j=16}";
  const auto rule = ops::parse_sharding_rule(kText, call, nullptr);
  REQUIRE_MESSAGE(rule.has_value(), rule.error().message());
  CHECK(rule->factors[0].kind == ops::FactorKind::whole);
  CHECK(rule->factors[1].kind == ops::FactorKind::pass);
  const graph::Shape tile{0, 4};
  CHECK(ops::sharding_rule_of_tiles(kText, call, {&tile, 1}, {&tile, 1}) == "([i, j])->([i, j]) {i=0, j=4}");
}

TEST_CASE("a stated rule gets dimensions in front") {
  using ops::sharding_rule_with_dims;
  const int64_t front[] = {2, 3};
  CHECK(sharding_rule_with_dims("([i, kj], [])->([j]) {i=4, k=2, j=5} reduction={i}, custom", front) ==
        "([l, m, i, kj], [l, m])->([l, m, j]) {l=2, m=3, i=4, k=2, j=5} reduction={i}, custom");
  CHECK(sharding_rule_with_dims("([*], [ ])->()", front) == "([i, j, *], [i, j ])->() {i=2, j=3}");
  CHECK(sharding_rule_with_dims("([])->([]) { }", front) == "([i, j])->([i, j]) {i=2, j=3 }");
  CHECK(sharding_rule_with_dims("([i])->([i]) {i=4}", {}) == "([i])->([i]) {i=4}");
  CHECK(sharding_rule_with_dims("([], [*])->([*], [])", front, {{true}, {false, true}}) ==
        "([], [i, j, *])->([i, j, *], []) {i=2, j=3}");
}

} // namespace tw::test_custom_call
