// SPDX-License-Identifier: Apache-2.0
// Loop programs that break a rule: the error names the rule and the place.
#include <doctest/doctest.h>

#include "loop_text.hpp"

namespace tw::test_errors {

using namespace tw::test;

namespace {

// `body` in a function of two matrices, over axes a of 2 and b of 3. What is wrong, and on which line of the
// body.
void check_error(const std::string &body, const char *id, uint32_t line, std::string_view says) {
  CAPTURE(body);
  const auto read = parse_loops(
      "func @f(%x: tensor<6x4xf32>, %y: tensor<4x8xf32>) attributes {a:2, b:3} {\n" + body + "\n}\n");
  REQUIRE(!read.has_value());
  CAPTURE(read.error().message());
  CHECK(read.error().info().id == std::string_view(id));
  CHECK(read.error().info().pos.line == line + 1);
  CHECK(read.error().message().find(says) != std::string::npos);
}

// Of the attributes of a function, on its first line.
void check_bond(const std::string &attribute, std::string_view says, const char *id = "TW-421") {
  CAPTURE(attribute);
  const auto read = parse_loops("func @f(%x: tensor<6x4xf32>, %y: tensor<4x8xf32>) attributes {a:2, " +
                                attribute + "} {\n%0 = matmul(%x, %y)\nreturn %0\n}\n");
  REQUIRE(!read.has_value());
  CAPTURE(read.error().message());
  CHECK(read.error().info().id == std::string_view(id));
  CHECK(read.error().info().pos.line == 1);
  CHECK(read.error().message().find(says) != std::string::npos);
}

const std::string kOpen = R"(%0 = partir.tile 0 "a" (%r : !partir.range<2>) {)";

} // namespace

TEST_CASE("rules of loops") {
  check_error(kOpen + "\n%1 = partir.tile 1 \"a\" (%s : !partir.range<2>) {\npartir.yield "
                      "%x\n}\npartir.yield %1\n}\nreturn %0",
              "TW-421", 2, "the axis \"a\" is nested in itself");
  check_error("%0 = partir.tile 0 \"a\" (%r : !partir.range<3>) {\npartir.yield %x\n}\nreturn %0", "TW-422",
              1, "a range<3> over the axis \"a\" of 2");
  check_error("%0 = partir.tile 0 \"c\" (%r : !partir.range<3>) {\npartir.yield %x\n}\nreturn %0", "TW-422",
              1, "there is no axis \"c\"");
  check_error(kOpen + "\n%1 = partir.slice 0 %x[%q]\npartir.yield %1\n}\nreturn %0", "TW-421", 2,
              "no loop around this slice binds the range %q");
  check_error(kOpen + "\n%1 = partir.slice 2 %x[%r]\npartir.yield %1\n}\nreturn %0", "TW-421", 2,
              "no dimension 2");
  check_error(kOpen +
                  "\n%1 = partir.slice 0 %x[%r]\n%2 = partir.slice 1 %1[%r]\npartir.yield %2\n}\nreturn %0",
              "TW-421", 3, "%r slices this array already");
  check_error("%0 = partir.tile 0 \"a\" (%r : !partir.range<8,4>) {\n%1 = partir.slice 0 %x[%r]\n%2 = "
              "matmul(%1, %y)\npartir.yield %2\n}\nreturn %0",
              "TW-422", 2, "a range<8,4> cuts 8 elements, the dimension has 6");
  check_error("%0 = partir.tile 0 \"a\" (%r : !partir.range<6,2>) {\n%1 = partir.slice 0 %x[%r]\n%2 = "
              "matmul(%1, %y)\npartir.yield %2\n}\nreturn %0",
              "TW-422", 2, "the width 2 does not cut 6 elements into 2");
  check_error(kOpen + "\n%1 = partir.slice 0 %x[%r]\n%2 = matmul(%1, %y)\npartir.yield %2, %1\n}\nreturn %0",
              "TW-421", 1, "yields 2 values, 1 are announced");
  check_error(kOpen + "\n%1 = partir.slice 0 %x[%r]\n%2 = matmul(%1, %y)\npartir.yield %2\n}\nreturn %2",
              "TW-109", 6, "%2 is not defined here");
  check_error("partir.yield %x", "TW-421", 1, "a yield outside a loop");
  check_error(kOpen + "\nreturn %x\n}\nreturn %0", "TW-421", 2, "ends with partir.yield");
  check_error("%0 = partir.most (%r : !partir.range<2>) {\npartir.yield %x\n}\nreturn %0", "TW-111", 1,
              "partir.most");
  check_error("%0 = partir.sum \"a\" (%r : !partir.rang<2>) {\npartir.yield %x\n}\nreturn %0", "TW-420", 1,
              "expected a range");
  check_error("%0 = partir.sum \"a\" (%r : !partir.range<0>) {\npartir.yield %x\n}\nreturn %0", "TW-420", 1,
              "expected range<k>");
}

TEST_CASE("what a loop means to an op") {
  // Only one of the two matrices is cut along the dimension that they share.
  check_error("%0 = partir.sum \"a\" (%r : !partir.range<2>) {\n%1 = partir.slice 1 %x[%r]\n%2 = matmul(%1, "
              "%y)\npartir.yield %2\n}\nreturn %0",
              "TW-421", 3, "operand 1 must be cut in dimension 0 in the loop over \"a\", and is whole");
  check_error("%0 = partir.tile 0 \"a\" (%r : !partir.range<2>) {\n%1 = partir.slice 0 %x[%r]\n%2 = "
              "partir.slice 1 %y[%r]\n%3 = matmul(%1, %2)\n"
              "partir.yield %3\n}\nreturn %0",
              "TW-421", 4, "what the loop over \"a\" cuts is no loop of stablehlo.dot_general");
  check_error("%0 = partir.max \"a\" (%r : !partir.range<2>) {\n%1 = partir.slice 1 %x[%r]\n%2 = "
              "partir.slice 0 %y[%r]\n%3 = matmul(%1, %2)\npartir.yield %3\n}\nreturn %0",
              "TW-421", 1, "puts result 0 together by 'max', but it is made for 'sum'");
  check_error(kOpen + "\n%1 = partir.slice 0 %x[%r]\n%2 = stablehlo.tanh %1 : "
                      "tensor<6x4xf32>\npartir.yield %2\n}\nreturn %0",
              "TW-421", 3, "operand 0 is cut in dimension 0 in the loop over \"a\", its type says whole");
  check_error(kOpen + "\n%1 = partir.slice 0 %x[%r]\n%2 = stablehlo.tanh %1 {partir.factors = "
                      "[7]} : tensor<6{%r}x4xf32>\npartir.yield %2\n}\nreturn %0",
              "TW-421", 3, "'7' is no loop of stablehlo.tanh");
}

TEST_CASE("what is said of values by their names") {
  check_bond("\"partir.group 0\":\"%x, %z\"", "partir.group: there is no value %z");
  check_bond("\"partir.group 0\":\"%x, %y\"", "in another group, or of other dimensions");
  check_bond("\"partir.group 0\":\"%x, %x\"", "in another group, or of other dimensions");
  check_bond("\"partir.group 0\":\"x\"", "partir.group names no value");
  check_bond("\"partir.passage 0 sideways\":\"%0\"", "expected forward, backward, both or none");
  check_bond("\"partir.apart 0 sideways\":\"%0\"", "there is no axis \"sideways\"", "TW-422");
  check_bond("\"partir.apart 0\":\"%0\"", "there is no axis \"\"", "TW-422");
  check_bond("\"partir.apart 0 a\":\"\"", "names no value");
  check_bond("\"partir.passage\":\"%0\"", "is no attribute of a loop program");
}

} // namespace tw::test_errors
