// SPDX-License-Identifier: Apache-2.0
// arith, tensor, linalg and tosa: what programs around the shard dialect are written with computes what MLIR
// says.
#include <cmath>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "run_text.hpp"

namespace tw::test_tensor_dialects {

using namespace tw::test;

namespace {

// A function of arguments %a, %b, .. of these types.
std::vector<Doubles> run_body(std::string_view arguments, std::string_view results, std::string_view body,
                              const std::vector<Doubles> &inputs) {
  return run_text(fmt::format("func.func @main({}) -> ({}) {{\n{}\n}}\n", arguments, results, body), inputs);
}

Doubles binary(std::string_view op, std::string_view type, double a, double b, std::string_view result = {}) {
  const std::string_view made = result.empty() ? type : result;
  return run_body(fmt::format("%a: {0}, %b: {0}", type), made,
                  fmt::format("  %0 = arith.{} %a, %b : {}\n  return %0 : {}", op, type, made),
                  {{a}, {b}})[0];
}

Doubles converted(std::string_view op, std::string_view from, std::string_view to, double a) {
  return run_body(fmt::format("%a: {}", from), to,
                  fmt::format("  %0 = arith.{} %a : {} to {}\n  return %0 : {}", op, from, to, to), {{a}})[0];
}

} // namespace

TEST_CASE("arith computes numbers") {
  CHECK(binary("addi", "i32", 3, 4) == Doubles{7});
  CHECK(binary("subi", "index", 3, 4) == Doubles{-1});
  CHECK(binary("muli", "i8", 100, 3) == Doubles{44});
  CHECK(binary("divsi", "i32", -7, 2) == Doubles{-3});
  CHECK(binary("divui", "i32", -1, 2) == Doubles{2147483647});
  CHECK(binary("remsi", "i32", -7, 4) == Doubles{-3});
  CHECK(binary("remui", "i8", -1, 16) == Doubles{15});
  CHECK(binary("maxsi", "i32", -1, 2) == Doubles{2});
  CHECK(binary("maxui", "i32", -1, 2) == Doubles{-1});
  CHECK(binary("minui", "i32", -1, 2) == Doubles{2});
  CHECK(binary("addi", "i1", 1, 1) == Doubles{0});
  CHECK(binary("addf", "f32", 1.5, 2) == Doubles{3.5});
  CHECK(binary("mulf", "f64", 1.5, 2) == Doubles{3});
  CHECK(binary("shrui", "i8", -1, 4) == Doubles{15});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(binary("maxnumf", "f32", nan, 2) == Doubles{2});
  CHECK(binary("minnumf", "f32", 1, nan) == Doubles{1});
  CHECK(std::isnan(binary("maximumf", "f32", nan, 2)[0]));
}

TEST_CASE("arith compares numbers") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(binary("cmpi slt,", "i32", -1, 2, "i1") == Doubles{1});
  CHECK(binary("cmpi ult,", "i32", -1, 2, "i1") == Doubles{0});
  CHECK(binary("cmpi eq,", "index", 2, 2, "i1") == Doubles{1});
  CHECK(binary("cmpi slt,", "i1", 1, 0, "i1") == Doubles{1});
  CHECK(binary("cmpf olt,", "f32", 1, 2, "i1") == Doubles{1});
  CHECK(binary("cmpf olt,", "f32", nan, 2, "i1") == Doubles{0});
  CHECK(binary("cmpf ult,", "f32", nan, 2, "i1") == Doubles{1});
  CHECK(binary("cmpf une,", "f32", nan, nan, "i1") == Doubles{1});
  CHECK(binary("cmpf one,", "f32", nan, 2, "i1") == Doubles{0});
  CHECK(binary("cmpf ueq,", "f32", nan, 2, "i1") == Doubles{1});
  CHECK(binary("cmpf ord,", "f32", nan, 2, "i1") == Doubles{0});
  CHECK(binary("cmpf uno,", "f32", nan, 2, "i1") == Doubles{1});
  CHECK(run_body("%a: f32, %b: f32", "i1",
                 "  %0 = \"arith.cmpf\"(%a, %b) <{predicate = 4 : i64}> : (f32, f32) -> i1\n  return %0 : i1",
                 {{1}, {2}})[0] == Doubles{1});
  CHECK(run_body("%c: i1, %a: f32, %b: f32", "f32", "  %0 = arith.select %c, %a, %b : f32\n  return %0 : f32",
                 {{0}, {1}, {2}})[0] == Doubles{2});
}

TEST_CASE("arith converts numbers") {
  CHECK(converted("extsi", "i8", "i32", -3) == Doubles{-3});
  CHECK(converted("extui", "i8", "i32", -3) == Doubles{253});
  CHECK(converted("extsi", "i1", "i32", 1) == Doubles{-1});
  CHECK(converted("extui", "i1", "i32", 1) == Doubles{1});
  CHECK(converted("trunci", "i32", "i8", 300) == Doubles{44});
  CHECK(converted("sitofp", "i32", "f32", -3) == Doubles{-3});
  CHECK(converted("uitofp", "i8", "f32", -3) == Doubles{253});
  CHECK(converted("fptosi", "f32", "i32", -3.7) == Doubles{-3});
  CHECK(converted("extf", "f32", "f64", 0.5) == Doubles{0.5});
  CHECK(converted("truncf", "f64", "f32", 0.5) == Doubles{0.5});
  CHECK(converted("index_cast", "i32", "index", -5) == Doubles{-5});
  CHECK(converted("bitcast", "f32", "i32", 1) == Doubles{1065353216});
  CHECK(run_body("", "i1, f32, tensor<2xi32>",
                 "  %0 = arith.constant true\n  %1 = arith.constant -1.5e0 : f32\n  %2 = arith.constant "
                 "dense<[3, 4]> : tensor<2xi32>\n"
                 "  return %0, %1, %2 : i1, f32, tensor<2xi32>",
                 {}) == std::vector<Doubles>{{1}, {-1.5}, {3, 4}});
}

TEST_CASE("tensor makes arrays and takes them apart") {
  CHECK(run_body("%a: f32, %b: f32", "tensor<2xf32>",
                 "  %0 = tensor.from_elements %a, %b : tensor<2xf32>\n  return %0 : tensor<2xf32>",
                 {{1}, {2}})[0] == Doubles{1, 2});
  CHECK(run_body("%a: f32", "tensor<3xf32>",
                 "  %0 = tensor.splat %a : tensor<3xf32>\n  return %0 : tensor<3xf32>",
                 {{5}})[0] == Doubles{5, 5, 5});
  const std::vector<Doubles> matrix{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}; // 3x4
  const std::string t = "tensor<3x4xf32>";
  CHECK(run_body("%a: " + t, "f32",
                 "  %i = arith.constant 1 : index\n  %j = arith.constant 2 : index\n  %0 = tensor.extract "
                 "%a[%i, %j] : tensor<3x4xf32>\n  return %0 : f32",
                 matrix)[0] == Doubles{7});
  CHECK(run_body("%a: " + t, t,
                 "  %i = arith.constant 1 : index\n  %x = arith.constant 0.0 : f32\n  %0 = tensor.insert %x "
                 "into %a[%i, %i] : tensor<3x4xf32>\n"
                 "  return %0 : tensor<3x4xf32>",
                 matrix)[0] == Doubles{1, 2, 3, 4, 5, 0, 7, 8, 9, 10, 11, 12});
  CHECK(run_body("%a: " + t, "tensor<2x2xf32>",
                 "  %0 = tensor.extract_slice %a[0, 1] [2, 2] [2, 1] : tensor<3x4xf32> to tensor<2x2xf32>\n  "
                 "return %0 : tensor<2x2xf32>",
                 matrix)[0] == Doubles{2, 3, 10, 11});
  CHECK(run_body("%a: " + t + ", %i: index", "tensor<2xf32>",
                 "  %0 = tensor.extract_slice %a[%i, 0] [1, 2] [1, 2] : tensor<3x4xf32> to tensor<2xf32>\n  "
                 "return %0 : tensor<2xf32>",
                 {matrix[0], {2}})[0] == Doubles{9, 11});
  CHECK(run_body("%a: " + t + ", %s: tensor<1x2xf32>", t,
                 "  %0 = tensor.insert_slice %s into %a[1, 0] [1, 2] [1, 3] : tensor<1x2xf32> into "
                 "tensor<3x4xf32>\n  return %0 : tensor<3x4xf32>",
                 {matrix[0], {20, 21}})[0] == Doubles{1, 2, 3, 4, 20, 6, 7, 21, 9, 10, 11, 12});
  CHECK(run_body("%a: " + t + ", %s: tensor<2xf32>, %i: index", t,
                 "  %0 = tensor.insert_slice %s into %a[%i, 1] [2, 1] [1, 1] : tensor<2xf32> into "
                 "tensor<3x4xf32>\n  return %0 : tensor<3x4xf32>",
                 {matrix[0], {20, 21}, {1}})[0] == Doubles{1, 2, 3, 4, 5, 20, 7, 8, 9, 21, 11, 12});
  CHECK(run_body("%a: " + t, "tensor<12xf32>",
                 "  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>\n"
                 "  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [3, 2, 2] : tensor<12xf32> into "
                 "tensor<3x2x2xf32>\n"
                 "  %2 = tensor.collapse_shape %1 [[0, 1, 2]] : tensor<3x2x2xf32> into tensor<12xf32>\n  "
                 "return %2 : tensor<12xf32>",
                 matrix)[0] == matrix[0]);
  CHECK(error_of("func.func @main(%a: tensor<3x4xf32>) {\n  %0 = tensor.collapse_shape %a [[0], [1]] : "
                 "tensor<3x4xf32> into tensor<12xf32>\n  return\n}\n")
            .find("does not become") != std::string::npos);
  CHECK(error_of("func.func @main(%a: tensor<3x4xf32>) {\n  %0 = tensor.extract_slice %a[2, 0] [2, 2] [1, 1] "
                 ": tensor<3x4xf32> to tensor<2x2xf32>\n  return\n}\n")
            .find("are no part of tensor<3x4xf32>") != std::string::npos);
  CHECK(error_of(
            "func.func @main(%a: tensor<3x4xf32>) {\n  %0 = tensor.extract_slice %a[-9223372036854775808, 0] "
            "[2, 2] [1, 1] : tensor<3x4xf32> to tensor<2x2xf32>\n  return\n}\n")
            .find("2:32: TW-105: -9223372036854775808 stands for an operand") != std::string::npos);
}

TEST_CASE("linalg fills, multiplies, transposes and reduces") {
  const std::string zeros =
      "  %e = tensor.empty() : tensor<2x2xf32>\n  %z = arith.constant 0.0 : f32\n"
      "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>\n";
  const std::vector<Doubles> two{{1, 2, 3, 4, 5, 6}, {1, 0, 0, 1, 1, 1}};
  CHECK(run_body("%a: tensor<2x3xf32>, %b: tensor<3x2xf32>", "tensor<2x2xf32>",
                 zeros + "  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%f : "
                         "tensor<2x2xf32>) -> tensor<2x2xf32>\n"
                         "  return %0 : tensor<2x2xf32>",
                 two)[0] == Doubles{4, 5, 10, 11});
  CHECK(run_body(
            "%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>", "tensor<2x2xf32>",
            "  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) "
            "-> (k, n)>, "
            "affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} "
            "ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%c : tensor<2x2xf32>) {\n"
            "  ^bb0(%x: f32, %y: f32, %acc: f32):\n    %m = arith.mulf %x, %y : f32\n    %s = arith.addf "
            "%acc, %m : f32\n"
            "    linalg.yield %s : f32\n  } -> tensor<2x2xf32>\n  return %0 : tensor<2x2xf32>",
            {two[0], two[1], {100, 0, 0, 0}})[0] == Doubles{104, 5, 10, 11});
  CHECK(
      run_body(
          "%a: tensor<2x3xf32>, %b: tensor<3xf32>", "tensor<3x2xf32>",
          "  %e = tensor.empty() : tensor<3x2xf32>\n  %two = arith.constant 2.0 : f32\n"
          "  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, "
          "affine_map<(i, j) -> (j, i)>], iterator_types = [\"parallel\", \"parallel\"]} "
          "ins(%a, %b : tensor<2x3xf32>, tensor<3xf32>) outs(%e : tensor<3x2xf32>) {\n"
          "  ^bb0(%x: f32, %y: f32, %o: f32):\n    %m = arith.mulf %x, %two : f32\n    %one = arith.constant "
          "1.0 : f32\n"
          "    %s = arith.addf %m, %y : f32\n    %r = arith.subf %s, %one : f32\n    linalg.yield %r : f32\n "
          " } -> tensor<3x2xf32>\n"
          "  return %0 : tensor<3x2xf32>",
          {two[0], {10, 20, 30}})[0] == Doubles{11, 17, 23, 29, 35, 41});
  CHECK(
      run_body(
          "%a: tensor<2x3xf32>, %b: tensor<2xf32>", "tensor<2xf32>",
          "  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], "
          "iterator_types = [\"parallel\", \"reduction\"]} ins(%a : tensor<2x3xf32>) outs(%b : "
          "tensor<2xf32>) {\n"
          "  ^bb0(%x: f32, %acc: f32):\n    %q = arith.mulf %x, %x : f32\n    %s = arith.maximumf %q, %acc : "
          "f32\n"
          "    linalg.yield %s : f32\n  } -> tensor<2xf32>\n  return %0 : tensor<2xf32>",
          {two[0], {20, 0}})[0] == Doubles{20, 36});
  CHECK(
      run_body("%a: tensor<2x3xf32>, %b: tensor<2xf32>", "tensor<2xf32>",
               "  %0 = linalg.reduce { arith.addf } ins(%a : tensor<2x3xf32>) outs(%b : tensor<2xf32>) "
               "dimensions = [1]\n"
               "  %1 = linalg.reduce ins(%a : tensor<2x3xf32>) outs(%0 : tensor<2xf32>) dimensions = [1]\n"
               "    (%x: f32, %y: f32) {\n    %s = arith.addf %x, %y : f32\n    linalg.yield %s : f32\n  }\n"
               "  return %1 : tensor<2xf32>",
               {two[0], {1, 2}})[0] == Doubles{13, 32});
  CHECK(run_body("%a: tensor<2x3xf32>", "tensor<3x2xf32>",
                 "  %e = tensor.empty() : tensor<3x2xf32>\n"
                 "  %0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = "
                 "[1, 0]\n"
                 "  %1 = linalg.add ins(%0, %0 : tensor<3x2xf32>, tensor<3x2xf32>) outs(%e : "
                 "tensor<3x2xf32>) -> tensor<3x2xf32>\n"
                 "  return %1 : tensor<3x2xf32>",
                 {two[0]})[0] == Doubles{2, 8, 4, 10, 6, 12});
  CHECK(run_body("%a: tensor<1x2x3xf32>, %b: tensor<1x3x2xf32>, %c: tensor<1x2x2xf32>", "tensor<1x2x2xf32>",
                 "  %0 = linalg.batch_matmul ins(%a, %b : tensor<1x2x3xf32>, tensor<1x3x2xf32>) outs(%c : "
                 "tensor<1x2x2xf32>) -> tensor<1x2x2xf32>\n"
                 "  return %0 : tensor<1x2x2xf32>",
                 {two[0], two[1], {0, 0, 0, 1}})[0] == Doubles{4, 5, 10, 12});
}

TEST_CASE("tosa stretches dimensions and multiplies") {
  CHECK(
      run_body(
          "%a: tensor<2x3xf32>, %b: tensor<1x3xf32>", "tensor<2x3xf32>",
          "  %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>\n"
          "  %1 = tosa.mul %0, %b {shift = 0 : i8} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>\n"
          "  return %1 : tensor<2x3xf32>",
          {{1, 2, 3, 4, 5, 6}, {1, 2, 3}})[0] == Doubles{2, 8, 18, 5, 14, 27});
  CHECK(run_body("%a: tensor<1x2x2xf32>", "tensor<1x2x2xf32>",
                 "  %c = \"tosa.const\"() <{value = dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>}> "
                 ": () -> tensor<1x2x2xf32>\n"
                 "  %0 = tosa.matmul %a, %c : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>\n"
                 "  %1 = tosa.transpose %0 {perms = array<i32: 0, 2, 1>} : (tensor<1x2x2xf32>) -> "
                 "tensor<1x2x2xf32>\n"
                 "  %2 = tosa.reshape %1 {new_shape = array<i64: 1, 2, 2>} : (tensor<1x2x2xf32>) -> "
                 "tensor<1x2x2xf32>\n"
                 "  %3 = tosa.clamp %2 {min_val = 0.0 : f32, max_val = 20.0 : f32} : (tensor<1x2x2xf32>) -> "
                 "tensor<1x2x2xf32>\n"
                 "  return %3 : tensor<1x2x2xf32>",
                 {{1, 2, 3, 4}})[0] == Doubles{7, 15, 10, 20});
  CHECK(run_body("%a: tensor<1xf32>", "tensor<1xf32>",
                 "  %0 = tosa.sigmoid %a : (tensor<1xf32>) -> tensor<1xf32>\n  return %0 : tensor<1xf32>",
                 {{0}})[0] == Doubles{0.5});
}

TEST_CASE("tosa folds a dimension, which stays with size 1") {
  const auto folded = [](std::string_view op, std::string_view type, const Doubles &input) {
    return run_body(
        fmt::format("%a: tensor<2x3x{}>", type), fmt::format("tensor<2x1x{}>", type),
        fmt::format("  %0 = tosa.{0} %a {{axis = 1 : i32}} : (tensor<2x3x{1}>) -> tensor<2x1x{1}>\n"
                    "  return %0 : tensor<2x1x{1}>",
                    op, type),
        {input})[0];
  };
  const Doubles numbers = {1, 2, 3, -4, 5, -6};
  CHECK(folded("reduce_sum", "f32", numbers) == Doubles{6, -5});
  CHECK(folded("reduce_max", "f32", numbers) == Doubles{3, 5});
  CHECK(folded("reduce_min", "f32", numbers) == Doubles{1, -6});
  CHECK(folded("reduce_product", "f32", numbers) == Doubles{6, 120});
  CHECK(folded("reduce_all", "i1", {1, 1, 1, 1, 0, 1}) == Doubles{1, 0});
  CHECK(folded("reduce_any", "i1", {0, 0, 0, 1, 0, 1}) == Doubles{0, 1});
}

TEST_CASE("tosa computes elements and puts them elsewhere") {
  const auto made = [](std::string_view types, std::string_view body, const std::vector<Doubles> &inputs,
                       std::string_view result) {
    return run_body(types, result, fmt::format("  {}\n  return %r : {}", body, result), inputs)[0];
  };
  const std::string two = "%a: tensor<1x2xf32>, %b: tensor<2x2xf32>";
  const std::vector<Doubles> values = {{2, -4}, {2, 1, -5, -4}};
  CHECK(made(two, "%r = tosa.reciprocal %a : (tensor<1x2xf32>) -> tensor<1x2xf32>", values,
             "tensor<1x2xf32>") == Doubles{0.5, -0.25});
  CHECK(made(two, "%r = tosa.greater %b, %a : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xi1>", values,
             "tensor<2x2xi1>") == Doubles{0, 1, 0, 0});
  CHECK(made(two,
             "%p = tosa.equal %b, %a : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xi1>\n"
             "  %r = tosa.select %p, %b, %a : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<1x2xf32>) -> "
             "tensor<2x2xf32>",
             values, "tensor<2x2xf32>") == Doubles{2, -4, 2, -4});
  CHECK(made(two, "%r = tosa.cast %a : (tensor<1x2xf32>) -> tensor<1x2xi32>", {{2.5, -3.7}, values[1]},
             "tensor<1x2xi32>") == Doubles{2, -4});
  CHECK(
      made(two,
           "%r = tosa.concat %a, %b {axis = 0 : i32} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>",
           values, "tensor<3x2xf32>") == Doubles{2, -4, 2, 1, -5, -4});
  CHECK(made(two, "%r = tosa.reverse %b {axis = 1 : i32} : (tensor<2x2xf32>) -> tensor<2x2xf32>", values,
             "tensor<2x2xf32>") == Doubles{1, 2, -4, -5});
  CHECK(made(two,
             "%s = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>\n"
             "  %n = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>\n"
             "  %r = tosa.slice %b, %s, %n : (tensor<2x2xf32>, !tosa.shape<2>, !tosa.shape<2>) -> "
             "tensor<1x2xf32>",
             values, "tensor<1x2xf32>") == Doubles{-5, -4});
  CHECK(made(two,
             "%r = tosa.slice %b {start = array<i64: 0, 1>, size = array<i64: 2, 1>} : (tensor<2x2xf32>) -> "
             "tensor<2x1xf32>",
             values, "tensor<2x1xf32>") == Doubles{1, -4});
  CHECK(made(two, "%r = tosa.tile %a {multiples = array<i64: 2, 2>} : (tensor<1x2xf32>) -> tensor<2x4xf32>",
             values, "tensor<2x4xf32>") == Doubles{2, -4, 2, -4, 2, -4, 2, -4});
  CHECK(made(two,
             "%r = tosa.pad %a {padding = array<i64: 0, 1, 1, 0>} : (tensor<1x2xf32>) -> tensor<2x3xf32>",
             values, "tensor<2x3xf32>") == Doubles{0, 2, -4, 0, 0, 0});
}

} // namespace tw::test_tensor_dialects
