// SPDX-License-Identifier: Apache-2.0
// Expressions, pages, types of turns and distributed types in PartIR's own notation: what each error says,
// and where.
#include <doctest/doctest.h>

#include "run_text.hpp"

namespace tw::test_notation {

using namespace tw::test;

namespace {

void refused(std::string_view text, std::string_view error) {
  CAPTURE(text);
  const std::string found = error_of(text);
  CHECK_MESSAGE(found.starts_with(error), found);
}

constexpr std::string_view kX = "x : tensor<64x32xf32>\n";

std::string page(std::string_view text) { return std::string(kX) + std::string(text); }

} // namespace

TEST_CASE("a nested expression is the statements that it abbreviates") {
  const Doubles x{1, 2, 3, 4}, y{5, 6, 7, 8};
  const auto told = run_text("func.func @f(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) {\n"
                             "  %0 = matmul(add(%x, %y), xla.subtract(x, y))\n"
                             "  return transpose(%0, dims = [1, 0])\n}\n",
                             {x, y});
  CHECK(told == std::vector<Doubles>{{-56, -88, -56, -88}});
  CHECK(run_text("x : tensor<2x2xf32>\nlet y = add(x, x) in let y' = add(y, y) in (y')", {x}) ==
        std::vector<Doubles>{{4, 8, 12, 16}});
}

TEST_CASE("expressions that do not read say where") {
  refused(page("add(x, z)"), "2:8: TW-109: 'z' is neither a value that is defined here nor an op");
  refused(page("foo(x, x)"), "2:1: TW-109: 'foo' is neither");
  CHECK(error_of(page("add(x, x")).empty()); // slides forget brackets
  refused(page("let y = x in"), "2:13: TW-101");
  refused(page("tile 0 (\\r -> slice 0 x[r])"), "2:10: TW-422: nothing says how many tiles this range has");
  refused(page("tile 0 (\\r:range<4> -> slice 0 x[s])"),
          "2:34: TW-421: no loop around this slice binds the range %s");
  refused(page("tile 0 (\\r:range<4> -> slice 5 x[r])"),
          "2:30: TW-421: tensor<64x32xf32> has no dimension 5");
  refused(page("tile 0 (\\r:range<128,4> -> slice 0 x[r])"),
          "2:38: TW-422: a range<128,4> cuts 128 elements");
  refused("x : tensor<nxmxf32>\nadd(x, x)", "1:12: TW-104");
  refused("x : memref<4xf32>\nadd(x, x)", "1:5: TW-104: memrefs are not read");
  std::string deep = "x : tensor<4xf32>\n";
  for (int i = 0; i < 400; ++i)
    deep += "(";
  CHECK(error_of(deep).find("TW-108") != std::string::npos);
}

TEST_CASE("the type of a turn is checked") {
  CHECK(error_of(page("tile 0 (\\r:range<4> -> slice 0 x[r] : tensor<16x32xf32>)")).empty());
  CHECK(error_of(page("tile 0 (\\r:range(64,5) -> slice 0 x[r] : tensor<%rx32xf32>)")).empty());
  CHECK(
      error_of(page("tile 0 (\\r:range<4> -> add(slice 0 x[r], slice 0 x[r]) : tensor<16x32xf32>)")).empty());
  refused(page("tile 0 (\\r:range<4> -> slice 0 x[r] : tensor<8x32xf32>)"),
          "2:39: TW-421: of tensor<64x32xf32> a turn of the loops around it has tensor<16x32xf32>");
  refused(page("tile 0 (\\r:range(64,5) -> slice 0 x[r] : tensor<5x32xf32>)"),
          "2:42: TW-421: of tensor<64x32xf32> a turn of the loops around it has tensor<%rx32xf32>");
  refused(page("tile 1 (\\r:range<4> -> slice 1 x[r] : tensor<rx32xf32>)"),
          "2:39: TW-421: of tensor<64x32xf32>");
  refused(page("tile 0 (\\r:range<4> -> add(slice 0 x[r], slice 0 x[r]) : tensor<8x32xf32>)"), "2:");
  CHECK(error_of(page("r : range<64,4>\nslice 1 x[r] : TYPE-ERROR\nslice 0 x[r]")).empty());
  refused(page("r : range<64,4>\nslice 0 x[r] : TYPE-ERROR"), "3:16: TW-421: a type error is stated");
  refused(page("r : range<64,4>\nslice 1 x[r]"), "3:11: TW-422: a range<64,4> cuts 64 elements");
}

TEST_CASE("loops that no op is cut for are refused where their turns differ in size") {
  refused(page("sum (\\r:range(64,5) -> slice 0 x[r])"),
          "2:24: TW-421: the loop over \"range<64,5>\" cannot make a whole of what its turns yield: its "
          "tiles of 64 "
          "elements differ in size");
}

TEST_CASE("an argument of tensor<> has the type that an op reads") {
  const std::string body = ", %w: tensor<3x2xf32>) {\n  %0 = matmul(%x, %w)\n  return %0\n}\n";
  CHECK(error_of("func @f(%x: tensor<>" + body).empty());
  const auto typed = import::import_text("func @f(%x: tensor<>" + body, {});
  REQUIRE(typed.has_value());
  CHECK(graph::to_text(typed->graph->type(typed->graph->result(typed->graph->arguments()[0]))) ==
        "tensor<1x3xf32>");
  REQUIRE(typed->notes.size() == 1);
  CHECK(typed->notes[0].text == "that no size is stated of dimension 0 of %x: 1 is taken");
  refused("func @f(%x: tensor<>) {\n  return %x\n}\n", "1:9: TW-110: no op says what this argument is");
  refused("func @f(%x: tensor<>) {\n  %0 = negate(%x)\n  return %0\n}\n",
          "1:9: TW-110: stablehlo.negate does not say");
}

TEST_CASE("distributed types are checked against what the bodies do") {
  const std::string x = "x : tensor<32x8xf32>\n";
  const std::string d = x + "x1 = distribute(x) : ";
  refused(d + "dist_tensor<[\"a\":range<2>],[16{0},8]>",
          "2:22: TW-425: the type is of a whole array [16, 8]");
  refused(d + "dist_tensor<[\"a\":range<2>],[32{1},8]>", "2:53: TW-425: there is no axis 1");
  refused(d + "dist_tensor<[\"a\":range<2>],[32{0},8{0}]>",
          "2:58: TW-425: the axis \"a\" tiles two dimensions");
  refused(d + "distributed_tensor<(r:range(32,16)) -> [s,8]>", "2:62: TW-425: the type binds no range s");
  refused(d + "[16{\"a\"}32, 8]", "2:26: TW-425: the mesh has no axis \"a\"");

  const std::string body =
      "dist_tensor<[\"a\":range<2>],[32{0},8]>\n"
      "y = spmd(x1) [\"a\"] (%r:range<2>, %a : tensor<16x8xf32>) { yield add(%a, %a) } : ";
  CHECK(error_of(d + body + "dist_tensor<[stacked \"a\":range<2>],[16,8]>").empty());
  refused(d + body + "dist_tensor<[stacked \"a\":range<2>],[8,8]>", "3:81: TW-425: a piece is [16, 8]");
  refused(d + body + "dist_tensor<[\"a\":range<2>],[32,8{0}]>",
          "3:81: TW-425: the pieces are tiles of dimension 0");
  refused(d + body +
              "dist_tensor<[stacked \"a\":range<2>],[16,8]>\nz = tile_stacked_tensor 1 (y) : "
              "dist_tensor<[\"a\":range<2>],[32,8{0}]>",
          "4:33: TW-425: the pieces are tiles of dimension 0 over [a], and the type says []");
  refused(d + body + "dist_tensor<[stacked \"a\":range<2>],[16,8]>\nz = undistribute(y) : tensor<32x8xf32>",
          "4:18: TW-425: this is in pieces");
  refused(x + "y = undistribute(x) : tensor<32x8xf32>",
          "2:18: TW-425: undistribute takes a distributed value");
}

TEST_CASE("a distribute that no body needs is noted") {
  const std::string
      text = "x : tensor<32x8xf32>\nx1 = distribute(x) : dist_tensor<[\"a\":range<2>],[32{0},8]>\n",
      taken = "y = spmd(x1) [\"a\"] (%r:range<2>, %a : tensor<16x8xf32>) { yield add(%a, %a) } : "
              "dist_tensor<[\"a\":range<2>],[32{0},8]>\n",
      again = "x2 = redistribute(x1) : dist_tensor<[\"a\":range<2>],[32,8{0}]>\n",
      back = "z = undistribute(x1) : tensor<32x8xf32>\n";
  for (const auto &[rest, notes] : {std::pair(taken, 0), std::pair(back, 1), std::pair(again, 1),
                                    std::pair(again + taken, 0), std::pair(back + taken, 0)}) {
    const std::string page = text + rest; // clang 14 captures no binding
    CAPTURE(page);
    const auto read = import::import_text(page, {});
    REQUIRE_MESSAGE(read.has_value(), read.error().message());
    REQUIRE(std::ssize(read->notes) == notes);
    for (const import::Note &note : read->notes) {
      CHECK(note.text == "a distribute that no spmd takes: it moves nothing");
      CHECK(note.first.line == 2);
    }
  }
}

TEST_CASE("listings are checked") {
  const std::string head = "mesh {\"a\": 4}\nfn main(x : [8{\"a\"}32, 16]) -> [8{\"a\"}32, 16] {\n";
  CHECK(error_of(head + "y = spmd_op x (t : [8, 16]) { return (add t t) } as [8{\"a\"}32, 16]\nreturn y\n}")
            .empty());
  refused(head + "y = spmd_op x (t : [4, 16]) { return t } as [8{\"a\"}32, 16]\nreturn y\n}", "3:16: TW-421");
  refused(
      head + "y = spmd_op x (t : [8, 16]) { w = add t t : [8, 8] return w } as [8{\"a\"}32, 16]\nreturn y\n}",
      "3:35: TW-421");
  refused(head + "y = redistribute x as [8{\"a\"}32, 32]\nreturn y\n}",
          "3:23: TW-425: the type is of a whole array");
  refused(head + "y = redistribute x as [32, 4{\"a\"}16]\nreturn y\n}",
          "4:8: TW-425: what is returned is of another type");
  refused("mesh {\"a\": 4}\nfn main(x : [8{\"a\"}33]) -> [8{\"a\"}32] {\nreturn x\n}",
          "2:14: TW-425: 4 tiles of 8 elements are not the 33");
  refused("mesh {\"a\": 4, \"a\": 2}\n", "1:15: TW-421: the axis \"a\" is given twice");

  const std::string sum = "mesh {\"a\": 4}\nfn main(x : [8, 4{\"a\"}16], y : [4{\"a\"}16, 9]) -> [8, 9] {\n"
                          "p = spmd_op x y (s : [8, 4], t : [4, 9]) { return (matmul s t) } as [8, 9]";
  CHECK(error_of(sum + " +sum:a\nz = all_reduce p as [8, 9]\nreturn z\n}").empty());
  CHECK(
      error_of(sum +
               " +sum:a\ny = reduce_scatter p as [8, ~3{\"a\"}9]\nz = redistribute y as [8, 9]\nreturn z\n}")
          .empty());
  refused(sum + "\nreturn p\n}", "3:69: TW-425: each device along \"a\" has a part of a sum");
  refused(sum + " +max:a\nreturn p\n}", "3:69: TW-425: the devices along \"a\" have no parts of a max");
  refused(sum + " +sum:b\nreturn p\n}", "3:81: TW-425: the mesh has no axis \"b\"");
  refused(sum + " +sum:a\nz = redistribute p as [8, 9]\nreturn z\n}", "4:18: TW-425: this is in pieces");
  refused(sum + " +sum:a\nz = all_reduce p as [8, ~3{\"a\"}9]\nreturn z\n}",
          "4:21: TW-425: the pieces are tiles of dimension 1 over [], and the type says [a]");
  for (const char *type : {"[9{\"a\"}33]", "[~8{\"a\"}32]", "[~9{\"a\"}32]", "[8{\"a\"}33]", "[~33]"})
    CHECK(error_of("mesh {\"a\": 4}\nfn main(x : " + std::string(type) + ") -> [33] {\nreturn x\n}")
              .starts_with("2:14: TW-425: "));
}

TEST_CASE("mappings of a call are its rule") {
  const std::string call =
      "func.func @f(%x: tensor<4x6xf32>, %y: tensor<6x8xf32>) -> tensor<4x8xf32> {\n"
      "  %0 = stablehlo.custom_call @mm(%x, %y) {tile_mappings = [{1 -> (none, 1), 0 -> (0, "
      "none)}], sum_mappings = [(1, 0)]} : (tensor<4x6xf32>, tensor<6x8xf32>) -> "
      "tensor<4x8xf32>\n  return %0 : tensor<4x8xf32>\n}\n";
  const auto read = import::import_text(call, {});
  REQUIRE_MESSAGE(read.has_value(), read.error().message());
  REQUIRE(read->annotations.rules.size() == 1);
  CHECK(read->annotations.rules[0].text ==
        "([j, k], [k, i])->([j, i]) {i=8, j=4, k=6} reduction={k}, custom");
}

} // namespace tw::test_notation
