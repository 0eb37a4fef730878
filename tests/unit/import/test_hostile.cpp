// SPDX-License-Identifier: Apache-2.0
// Wrong, broken and hostile text: each ends in an error that says where and what, soon and without much
// memory. Longer than other files: a list of texts and what is said of each.
#include "print.hpp"

#include <chrono>
#include <fstream>
#include <sstream>

#include "support/unit.hpp"

namespace tw::test_hostile {

using test::import_or_error;
using test::in_main;

namespace {

struct Case {
  std::string text;
  const char *error; // line:column: message
};

std::string repeat(std::string_view text, size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

void check(const std::vector<Case> &cases) {
  for (const Case &c : cases) {
    CAPTURE(c.text.substr(0, 400));
    CHECK(import_or_error(c.text) == c.error);
  }
}

} // namespace

TEST_CASE("text that is cut off or is none") {
  check({
      {"", "1:1: the text defines no function"},
      {"module {", "1:9: expected '}' at the end of the module, found the end of the text"},
      {"module @m { func.func @main() { return", "1:31: this '{' is never closed: the text ends too early"},
      {"func.func @main(%a: tensor<2xf32>", "1:16: this '(' is never closed"},
      {"func.func @main(%a: tensor<2xf32>) -> tensor<", "1:45: this '<' is never closed"},
      {"func.func @main() { %0 = \"stablehlo.constant", "1:26: this string has no closing '\"' on its line"},
      {"hello world", "1:1: the text defines no function"},
      {"func.func @main() { return } }", "1:30: expected a module, a function or an alias, found '}'"},
      {in_main("", "%0 = "), "2:1: func.return gives 0 results, 1 are named"},
      {in_main("", "%0"), "3:1: expected '=' after the results, found 'return'"},
      {in_main("", "\x01"), "2:1: expected an operation, found the byte 0x01"},
  });
}

TEST_CASE("values that are not defined, defined twice, or out of their region") {
  const char *arguments = "%a: tensor<2xf32>, %c: tensor<f32>";
  check({
      {in_main(arguments, "%0 = stablehlo.negate %b : tensor<2xf32>"),
       "2:23: the value %b is not defined here"},
      {in_main(arguments,
               "%0 = stablehlo.negate %1 : tensor<2xf32>\n%1 = stablehlo.negate %a : tensor<2xf32>"),
       "2:23: the value %1 is not defined here"},
      {in_main(arguments, "%0 = stablehlo.negate %0 : tensor<2xf32>"),
       "2:23: the value %0 is not defined here"},
      {in_main(arguments,
               "%0 = stablehlo.negate %a : tensor<2xf32>\n%0 = stablehlo.negate %a : tensor<2xf32>"),
       "3:1: the value %0 is defined twice"},
      {in_main("%a: tensor<2xf32>, %a: tensor<2xf32>", ""), "1:36: the value %a is defined twice"},
      {in_main(arguments, "%0 = stablehlo.negate %a#1 : tensor<2xf32>"),
       "2:23: %a has 1 results: there is no %a#1"},
      {in_main(arguments, "%0:2 = stablehlo.negate %a : tensor<2xf32>"),
       "2:1: stablehlo.negate gives 1 results, 2 are named"},
      {in_main(arguments, "%0:99999999 = stablehlo.negate %a : tensor<2xf32>"),
       "2:1: 99999999 results of one name: expected 1 to 32768"},
      {in_main(arguments, R"(%0 = "stablehlo.reduce"(%a, %c) <{dimensions = array<i64: 0>}> ({
^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.add %p, %q : tensor<f32>
  stablehlo.return %s : tensor<f32>
}) : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
%1 = stablehlo.negate %s : tensor<f32>)"),
       "7:23: the value %s is not defined here"},
      {in_main(arguments, R"(%0 = "stablehlo.reduce"(%a, %c) <{dimensions = array<i64: 0>}> ({
^bb0(%p: tensor<f32>, %a: tensor<f32>):
  stablehlo.return %p : tensor<f32>
}) : (tensor<2xf32>, tensor<f32>) -> tensor<f32>)"),
       "3:23: the value %a is defined twice"},
  });
}

TEST_CASE("types and shapes that do not fit") {
  const char *arguments = "%a: tensor<2xf32>, %b: tensor<3xf32>, %i: tensor<2xi32>";
  check({
      {in_main(arguments, "%0 = stablehlo.add %a, %b : tensor<2xf32>"),
       "2:24: stablehlo.add: operand 1 has type tensor<3xf32>, but tensor<2xf32> is stated"},
      {in_main(arguments, "%0 = stablehlo.add %a, %i : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>"),
       "2:6: stablehlo.add: operand 0 is f32[2] but operand 1 is i32[2]: element types differ"},
      {in_main(arguments, "%0 = stablehlo.add %a : tensor<2xf32>"),
       "2:6: stablehlo.add: takes 2 operands, has 1"},
      {in_main(arguments, "%0 = stablehlo.add %a, %a : (tensor<2xf32>) -> tensor<2xf32>"),
       "2:6: stablehlo.add: 2 operands, but types for 1"},
      {in_main(arguments, "%0 = stablehlo.transpose %a, dims = [1] : (tensor<2xf32>) -> tensor<2xf32>"),
       "2:6: stablehlo.transpose: permutation [1] is not one of the 1 dimensions of operand 0, f32[2]"},
      {in_main(arguments, "%0 = stablehlo.slice %a [0:5] : (tensor<2xf32>) -> tensor<5xf32>"),
       "2:6: stablehlo.slice: range 0:5:1 does not lie in dimension 0 of operand 0, f32[2], of size 2"},
      {in_main(arguments, "%0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<3xf32>"),
       "2:6: stablehlo.reshape: operand 0 is f32[2] with 2 elements but the result is f32[3] with 3"},
      {"func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {\nreturn %a : tensor<2xf32>\n}",
       "2:8: @main returns tensor<2xf32> as result 0, but its signature says tensor<3xf32>"},
      {"func.func @main(%a: tensor<2xf32>) {\nreturn %a : tensor<2xf32>\n}",
       "3:1: @main returns 1 values, but its signature says 0"},
      {in_main("%a: tensor<9223372036854775808xf32>", ""), "1:28: this dimension is larger than 2^62"},
      {in_main("%a: tensor<4611686018427387904xf32>", ""),
       "1:21: f32[4611686018427387904] has more than 2^62 bytes"},
      {in_main("%a: tensor<4294967296x4294967296x4xi8>", ""),
       "1:21: i8[4294967296,4294967296,4] has more than 2^62 bytes"},
      {in_main("%a: tensor<4294967296x4294967296x0xi8>", ""),
       "1:21: i8[4294967296,4294967296,0] has more than 2^62 bytes"},
      {in_main("%a: tensor<?xf32>", ""),
       "1:28: dynamic dimensions are not supported: export the program with static shapes"},
      {in_main("%a: tensor<*xf32>", ""),
       "1:28: unranked tensors are not supported: export the program with static shapes"},
      {in_main("%a: tensor<2xf33>", ""),
       "1:30: 'f33' is no element type that we know: expected f32, bf16, i32, i1, ..."},
      {in_main("%a: tensor<2x>", ""), "1:30: expected a dimension or an element type"},
      {in_main("%a: tuple<tensor<2xf32>>", ""), "1:21: a tuple is not supported here: expected a tensor"},
      {in_main("%a: vector<4xf32>", ""),
       "1:21: 'vector' is no type of a value: expected a tensor, such as tensor<2x3xf32>"},
      {in_main("%a: memref<4xf32>", ""),
       "1:21: memrefs are not read: write tensors, before the program is bufferised"},
      {in_main("%a: !quant.uniform<i8:f32, 2.0>", ""),
       "1:21: the type !quant.uniform is not supported: expected a tensor"},
      {in_main("%a: tensor<" + repeat("1x", 33) + "f32>", ""), "1:92: more than 32 dimensions"},
  });
}

TEST_CASE("array literals that do not fit their type") {
  const auto constant = [](std::string_view literal) {
    return in_main("", fmt::format("%0 = stablehlo.constant {}", literal));
  };
  check({
      {constant("dense<[1, 2]> : tensor<3xi32>"),
       "2:36: the literal has fewer elements than its type tensor<3xi32> says"},
      {constant("dense<[1, 2, 3]> : tensor<2xi32>"),
       "2:36: the literal has more elements than its type tensor<2xi32> says"},
      {constant("dense<[1, 2]> : tensor<1x2xi32>"),
       "2:32: the literal is not nested as deep as its type tensor<1x2xi32>"},
      {constant("dense<[[1, 2]]> : tensor<2xi32>"), "2:32: expected an integer of type i32"},
      {constant("dense<300> : tensor<2xi8>"), "2:31: 300 does not fit the element type i8"},
      {constant("dense<-1> : tensor<2xui8>"), "2:31: -1 does not fit the element type ui8"},
      {constant("dense<1.5> : tensor<2xi8>"), "2:31: expected an integer of type i8"},
      {constant("dense<x> : tensor<2xf32>"), "2:31: expected a number of type f32"},
      {constant("dense<0x1FF800000> : tensor<2xf32>"),
       "2:31: this bit pattern is wider than the 32 bits of f32"},
      {constant("dense<> : tensor<2xf32>"), "2:31: an empty literal for tensor<2xf32>"},
      {constant("dense<\"0x0102\"> : tensor<2xf32>"), "2:31: 2 bytes of data for tensor<2xf32>, which has 8"},
      {constant("dense<\"0x010\"> : tensor<2xi8>"), "2:31: expected an even number of hexadecimal digits"},
      {constant("dense<\"0x01zz\"> : tensor<2xi8>"), "2:31: expected an even number of hexadecimal digits"},
      {constant("dense<\"abcd\"> : tensor<2xi8>"),
       "2:31: expected \"0x\" and the bytes in hexadecimal digits"},
      {constant("dense<(1.0)> : tensor<2xcomplex<f32>>"),
       "2:35: expected a complex number such as (1.0, 2.0) of type complex<f32>"},
      {constant("dense_resource<weights> : tensor<2xf32>"),
       "2:40: the resource 'weights' is not in this text"},
      {constant("dense<1 : tensor<2xf32>"), "4:1: expected '>', found '}'"},
      {constant("sparse<1> : tensor<2xf32>"),
       "2:25: expected an array literal such as dense<0.0>, found 'sparse'"},
      // Not a byte is allocated for what is not there.
      {constant("dense<[1, 2]> : tensor<1000000000000xi32>"),
       "2:31: the literal has fewer elements than its type tensor<1000000000000xi32> says"},
  });
}

TEST_CASE("a literal of 10^12 equal elements holds one") {
  const auto imported =
      import::import_text(in_main("", "%0 = stablehlo.constant dense<1.5> : tensor<1000000x1000000xf32>"));
  REQUIRE(imported.has_value());
  const graph::Graph &g = *imported->graph;
  const auto id = std::get<graph::ConstantId>(g.attrs(0)[0]);
  CHECK(g.constant(id).splat);
  CHECK(g.constant(id).bytes->size() == 4);
}

TEST_CASE("attributes that are wrong, missing or given twice") {
  const char *arguments = "%a: tensor<2x3xf32>, %c: tensor<f32>";
  check({
      {in_main(arguments, "%0 = stablehlo.transpose %a : (tensor<2x3xf32>) -> tensor<3x2xf32>"),
       "2:6: stablehlo.transpose: attribute `permutation` is missing: for each dimension of the result, the "
       "dimension of the operand it was"},
      {in_main(arguments, "%0 = stablehlo.transpose %a, dims = [a] : (tensor<2x3xf32>) -> tensor<3x2xf32>"),
       "2:38: expected an integer, found 'a'"},
      {in_main(arguments, "%0 = stablehlo.transpose %a, dims = [1, 99999999999999999999] : (tensor<2x3xf32>) "
                          "-> tensor<3x2xf32>"),
       "2:41: the integer 99999999999999999999 does not fit 64 bits"},
      {in_main(arguments, "%0 = stablehlo.transpose %a, dims = [1, 0], dims = [1, 0] : (tensor<2x3xf32>) -> "
                          "tensor<3x2xf32>"),
       "2:52: stablehlo.transpose: the attribute permutation occurs twice"},
      {in_main(arguments, "%0 = stablehlo.iota dim = 7 : tensor<2xi32>"),
       "2:6: stablehlo.iota: iota_dimension is 7, but the result i32[2] has 1 dimensions"},
      {in_main(
           arguments,
           R"(%0 = "stablehlo.transpose"(%a) {permutation = dense<1> : tensor<999999999xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>)"),
       "2:47: a list of 999999999 integers is longer than any attribute of an op"},
      {in_main(arguments,
               R"(%0 = "stablehlo.transpose"(%a) {permutation = #p} : (tensor<2x3xf32>) -> tensor<3x2xf32>)"),
       "2:47: the attribute alias #p is not defined"},
      {in_main(
           arguments,
           R"(%0 = "stablehlo.transpose"(%a) {permutation = [[[[[[[[[[0]]]]]]]]]]} : (tensor<2x3xf32>) -> tensor<3x2xf32>)"),
       "2:55: this list is nested too deep"},
      {in_main(arguments,
               "%0 = stablehlo.custom_call @f(%a) {a = [1, 2} : (tensor<2x3xf32>) -> tensor<3x2xf32>"),
       "2:45: expected ']', found '}'"},
  });
}

TEST_CASE("functions and calls") {
  check({
      {in_main("", "call @f() : () -> ()"), "2:6: the function @f is not defined"},
      {"func.func private @f()\n" + in_main("", "call @f() : () -> ()"),
       "3:6: the function @f is declared but has no body"},
      {in_main("", "call @main() : () -> ()"),
       "2:6: the function @main calls itself: recursion is not supported"},
      {"func.func private @f() { call @g() : () -> () return }\nfunc.func private @g() { call @f() : () -> "
       "() return }\n" +
           in_main("", "call @f() : () -> ()"),
       "2:31: the function @f calls itself: recursion is not supported"},
      {in_main("", "return\n}\nfunc.func @main() {"), "4:11: the function @main is defined twice"},
      {"func.func @f(%a: tensor<2xf32>) { return }\n" +
           in_main("%a: tensor<3xf32>", "call @f(%a) : (tensor<3xf32>) -> ()"),
       "3:9: argument 0 of @f has type tensor<2xf32>, but tensor<3xf32> is given"},
      {"func.func @f(%a: tensor<2xf32>) { return }\n" + in_main("", "call @f() : () -> ()"),
       "3:6: @f takes 1 arguments, 0 are given"},
      {"func.func @f() -> tensor<f32> { %0 = stablehlo.constant dense<1.0> : tensor<f32> return %0 : "
       "tensor<f32> }\n" +
           in_main("", "%0 = call @f() : () -> tensor<f64>"),
       "3:11: the result types of @f are not those of its signature"},
      {"func.func @f() { return }\nfunc.func @g() { return }",
       "0:0: there is no function @main, and 2 public ones: name the entry"},
      {in_main("", "%0 = stablehlo.constant dense<1.0> : tensor<f32>\n}\nfunc.func @g() {"),
       "3:1: this block ends without a return"},
      {"func.func @main(%a: tensor<2xf32> {tf.aliasing_output = 5 : i32}) { return }",
       "1:17: tf.aliasing_output: argument 0 (a) is donated to result 5, and there are 0 results"},
  });
}

TEST_CASE("unknown operations come in one list with their places") {
  const auto imported = import::import_text(in_main(
      "%a: tensor<2xf32>", "%0 = stablehlo.foo %a : tensor<2xf32>\n"
                           "  %1 = \"bar.baz\"(%0) : (tensor<2xf32>) -> tensor<2xf32>\n"
                           "%2:2 = stablehlo.foo %1 {\n  mhlo.layout_mode = \"default\"\n} : tensor<2xf32>\n"
                           "%3 = stablehlo.add %2, %2 : tensor<2xf32>"));
  REQUIRE(!imported.has_value());
  const ErrorInfo &e = imported.error().info();
  CHECK(e.code == Code::unimplemented);
  CHECK(e.message == "2 operations are not supported: stablehlo.foo, bar.baz");
  REQUIRE(e.notes.size() == 4);
  CHECK(e.notes[3].find("--allow-unknown") != std::string::npos);
  CHECK(e.notes[0] == "%0 = stablehlo.foo %a : tensor<2xf32>\n     ^");
  CHECK(e.notes[1] == "<text>:2:6: stablehlo.foo (and 1 more)");
  CHECK(e.notes[2] == "<text>:3:9: bar.baz");
  for (const std::string dialect : {"stablehlo", "mhlo"}) {
    const auto misspelled =
        import::import_text(in_main("%a: tensor<2xf32>", "%0 = " + dialect + ".tanhh %a : tensor<2xf32>"));
    REQUIRE(!misspelled.has_value());
    CHECK(misspelled.error().info().notes[1] ==
          "<text>:2:6: " + dialect + ".tanhh; nearest: '" + dialect + ".tanh'");
  }
}

TEST_CASE("unknown operations are opaque calls where that is allowed") {
  import::ImportOptions options;
  options.allow_unknown = true;
  const auto print = [&](const std::string &body) {
    const auto imported =
        import::import_text(in_main("%a: tensor<2x3xf32>, %b: tensor<3xi32>", body), options);
    return imported ? test::print(*imported->graph) : imported.error().message();
  };
  const auto has = [&](const std::string &body, const std::string &op) {
    const std::string text = print(body);
    CAPTURE(body);
    CAPTURE(text);
    CHECK(text.find(op) != std::string::npos);
  };
  const std::string call = "%0 = stablehlo.custom_call";
  // Generic text, with properties, attributes and regions whose captures are operands.
  has("%0 = \"bar.baz\"(%a) <{k = 3 : i64}> {bar.mode = \"x\"} : (tensor<2x3xf32>) -> tensor<4xf32>",
      call + " %a call_target_name=bar.baz");
  has("%0 = \"bar.loop\"(%a) ({\n^bb0(%x: tensor<f32>):\n  %q = \"bar.use\"(%x, %b, %b) : (tensor<f32>, "
      "tensor<3xi32>, tensor<3xi32>) -> tensor<f32>\n  \"bar.yield\"(%q) : (tensor<f32>) -> ()\n}) : "
      "(tensor<2x3xf32>) -> tensor<2x3xf32>",
      call + " %a %b call_target_name=bar.loop");
  // Other words: one type for all, one each, a function type, CHLO's arrow; attributes in any spelling.
  has("%0 = bar.f %a, %a {k = 1 : i32} : tensor<2x3xf32>", call + " %a %a call_target_name=bar.f");
  has("%0:2 = bar.g(%a, axis = [0, 1]) by %b #bar.kind<x> : tensor<2x3xf32>, tensor<3xi32>\n%1 = "
      "stablehlo.negate %0#0 : tensor<2x3xf32>",
      "%0#0 %0#1 = stablehlo.custom_call %a %b call_target_name=bar.g : f32[2,3], i32[3]");
  has("%0 = bar.h %a into %b : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<1xf32> loc(unknown)\nbar.print %0 "
      ": "
      "tensor<1xf32>",
      call + " %a %b call_target_name=bar.h : f32[1]");
  has("%0 = bar.i %a : tensor<2x3xf32> -> tensor<1xf32>", call + " %a call_target_name=bar.i : f32[1]");
  // What cannot be taken says why.
  has("%0 = bar.f %a", "bar.f: no types stand behind it; print the program in MLIR's generic form");
  has("%0:3 = bar.f %a : tensor<2xf32>, tensor<2xf32>", "bar.f: 2 types for 3 results");
  has("%0 = bar.f %z : tensor<2xf32>", "the value %z is not defined here");
  has("%0 = bar.f %a : !bar.thing", "the type !bar.thing is not supported");
  has("%0 = \"bar.f\"(%a) : (tensor<2xf32>) -> tensor<2xf32>", "but tensor<2xf32> is stated");
  has("oops %a : tensor<2xf32>", "stablehlo.custom_call %a call_target_name=oops");
}

TEST_CASE("ops that stand for others say what is wrong") {
  const std::string arguments = "%a: tensor<2x3xf32>, %i: tensor<2xi64>, %v: tensor<3xf32>";
  check({
      {in_main(arguments, "%0 = stablehlo.dynamic_pad %a, %a, %i, %i, %i : (tensor<2x3xf32>, "
                          "tensor<2x3xf32>, tensor<2xi64>, "
                          "tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>"),
       "2:36: stablehlo.dynamic_pad: its operand edge_padding_low must be constant, since shapes are static: "
       "export the "
       "program with static shapes"},
      {in_main(arguments, "%0 = stablehlo.get_dimension_size %a, dim = 2 : (tensor<2x3xf32>) -> tensor<i32>"),
       "2:6: stablehlo.get_dimension_size: tensor<2x3xf32> has no dimension 2"},
      {in_main(arguments, "%0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<2x3xf32>) -> tensor<i64>"),
       "2:6: stablehlo.get_dimension_size: result 0 is tensor<i32>, but tensor<i64> is stated"},
      {in_main(arguments, "%0 = \"stablehlo.batch_norm_inference\"(%a, %v, %v, %v, %a) <{epsilon = 0.1 : "
                          "f32, feature_index = 1 : "
                          "i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, "
                          "tensor<2x3xf32>) -> tensor<2x3xf32>"),
       "2:55: stablehlo.batch_norm_inference: operand 4 is tensor<2x3xf32>, expected tensor<3xf32>"},
      {in_main(
           arguments,
           "%0 = \"stablehlo.batch_norm_training\"(%a, %v, %v) <{epsilon = 0.1 : f32}> : (tensor<2x3xf32>, "
           "tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)"),
       "2:6: stablehlo.batch_norm_training: the attribute feature_index is missing"},
      {in_main(arguments, "%0 = \"stablehlo.unary_einsum\"(%a) <{einsum_config = \"ab->c\"}> : "
                          "(tensor<2x3xf32>) -> tensor<3xf32>"),
       "2:53: stablehlo.unary_einsum: expected a letter for each of 2 dimensions, none twice, such as "
       "\"ab->b\""},
      {in_main(arguments,
               "%0 = chlo.broadcast_nothing %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"),
       "2:6: this operation is not supported: chlo.broadcast_nothing"},
      {in_main(arguments, "%0 = \"mhlo.topk\"(%a) {k = 1 : i64, largest = false} : (tensor<2x3xf32>) -> "
                          "(tensor<2x1xf32>, tensor<2x1xi32>)"),
       "2:6: chlo.top_k with largest = false: negate its operand and its result"},
      {in_main(arguments, "%0 = stablehlo.tuple %a, %v : tuple<tensor<2x3xf32>, tensor<3xf32>>\n%1 = "
                          "stablehlo.get_tuple_element "
                          "%0[2] : (tuple<tensor<2x3xf32>, tensor<3xf32>>) -> tensor<3xf32>"),
       "3:6: stablehlo.get_tuple_element: a tuple of 2 has no element 2"},
      {in_main(
           arguments,
           "%0 = stablehlo.tuple %a, %v : tuple<tensor<2x3xf32>, tensor<3xf32>>\n%1 = stablehlo.add %0, %a : "
           "tensor<2x3xf32>"),
       "3:20: stablehlo.add: operand 1 has type tensor<3xf32>, but tensor<2x3xf32> is stated"},
      {in_main("%s: tensor<2xui64>",
               "%0:2 = stablehlo.rng_bit_generator %s, algorithm = MERSENNE : (tensor<2xui64>) -> "
               "(tensor<2xui64>, tensor<3xui32>)"),
       "2:8: stablehlo.rng_bit_generator: rng_algorithm is `MERSENNE`, expected DEFAULT, THREE_FRY or "
       "PHILOX"},
  });
}

TEST_CASE("nesting, expansion and length have limits") {
  const auto start = std::chrono::steady_clock::now();
  const auto starts = [](const std::string &text, std::string_view part) {
    const std::string error = import_or_error(text);
    CHECK_MESSAGE(error.find(part) != std::string::npos, error.substr(0, 300));
  };
  // Regions in regions.
  starts(in_main("%a: tensor<2xf32>",
                 repeat("\"stablehlo.custom_call\"() ({\n", 10000) + repeat("return }) : () -> ()\n", 10000)),
         "nested deeper than 200");
  starts(repeat("module {\n", 10000) + repeat("}", 10000), "modules are nested deeper than 64");
  // Brackets in brackets.
  starts(in_main("", "%0 = stablehlo.constant dense<" + repeat("[", 100000) + repeat("]", 100000) +
                         "> : tensor<1xi32>"),
         "expected an integer");
  starts(in_main("", "%0 = stablehlo.constant {a = " + repeat("{b = ", 100000) + repeat("}", 100000) +
                         "} dense<1> : tensor<i32>"),
         "%0 = stablehlo.constant");
  starts(in_main("", "%0 = stablehlo.constant dense<1> : tensor<i32> loc(" + repeat("fused[", 100000)),
         "nested too deep");
  starts(in_main("%a: " + repeat("tuple<", 100000) + repeat(">", 100000), ""), "tuples are nested too deep");
  starts("func.func @main() -> " + repeat("tuple<", 100000) + repeat(">", 100000) + " { return }",
         "tuples are nested too deep");
  starts(
      "#a = #b\n#b = #a\n" +
          in_main(
              "%a: tensor<2x3xf32>",
              R"(%0 = "stablehlo.transpose"(%a) {permutation = #a} : (tensor<2x3xf32>) -> tensor<3x2xf32>)"),
      "alias");
  starts("!a = !b\n!b = !a\n" + in_main("%a: !a", ""), "not supported");
  starts("#a = loc(#b)\n#b = loc(#a)\n" +
             in_main("", "%0 = stablehlo.constant dense<1> : tensor<i32> loc(#a)"),
         "nested too deep");
  // Forty functions, each calling the next twice: 2^40 calls.
  std::string tower;
  for (int i = 0; i < 40; ++i)
    tower += fmt::format(
        "func.func private @f{}() {{\ncall @f{}() : () -> ()\ncall @f{}() : () -> ()\nreturn\n}}\n", i, i + 1,
        i + 1);
  tower += "func.func private @f40() { return }\n" + in_main("", "call @f0() : () -> ()");
  import::ImportOptions options;
  options.max_ops = 100'000;
  CHECK(import_or_error(tower, options).find("more than 100000 ops after inlining calls") !=
        std::string::npos);
  // A chain of calls that is longer than the stack of regions and calls.
  std::string chain;
  for (int i = 0; i < 5000; ++i)
    chain += fmt::format("func.func private @f{}() {{ call @f{}() : () -> () return }}\n", i, i + 1);
  starts(chain + in_main("", "call @f0() : () -> ()"), "nested deeper than 200");
  // Names: a number that no array may be as long as, and one as long as the text.
  starts(in_main("%999999999: tensor<2xf32>", "%4294967296 = stablehlo.negate %999999999 : tensor<2xf32>"),
         "stablehlo.negate");
  starts(in_main("%a: tensor<2xf32>",
                 "%" + std::string(1 << 20, 'x') + " = stablehlo.negate %a : tensor<2xf32>"),
         "stablehlo.negate");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("a program cut off anywhere, or with one character changed, ends in an error or in a graph") {
  std::ifstream file(test::source_path("tests/golden/programs/reduce_variadic.mlir"));
  std::stringstream stream;
  stream << file.rdbuf();
  const std::string text = stream.str();
  REQUIRE(text.size() > 500);
  for (size_t n = 0; n < text.size(); n += 7) {
    const std::string part = text.substr(0, n);
    const auto imported = import::import_text(part);
    if (!imported)
      CHECK(imported.error().info().pos.line > 0);
  }
  for (size_t i = 0; i < text.size(); i += 3)
    for (char c : {'"', '(', '}', '0', '%', ':', '<'}) {
      std::string changed = text;
      changed[i] = c;
      if (const auto imported = import::import_text(changed))
        CHECK(ops::verify(*imported->graph).has_value());
    }
}

TEST_CASE("files that are no text are named, with their conversion") {
  const auto message = [](std::string_view bytes) {
    const auto status = import::import_text(bytes);
    REQUIRE(!status.has_value());
    REQUIRE(status.error().info().notes.size() == 1);
    return status.error().message();
  };
  using namespace std::string_view_literals;
  CHECK(message("\x1f\x8b\x08\0\0"sv) == "this is gzip, not StableHLO text");
  CHECK(message("PK\x03\x04\0\0"sv) == "this is a zip archive, not StableHLO text");
  CHECK(message("\x08\x03\x12\x0c"
                "backend-test\0"sv) == "this is an ONNX model, not StableHLO text");
  CHECK(message("\x0a\x08jit_step\x12\x04main\0"sv) == "this is an HLO proto, not StableHLO text");
  CHECK(message("HloModule jit_f, entry_computation_layout={}") == "this is HLO text, not StableHLO text");
  CHECK(message("func.func\0main"sv) == "this is binary data (byte 9 is 0), not StableHLO text");
  if (const auto path = test::real_program("squeezenet_light.onnx")) {
    std::ifstream file(*path, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    CHECK(message(bytes.str()) == "this is an ONNX model, not StableHLO text");
  }
}

// With what whoever made the file has at hand.
TEST_CASE("the conversions are one line for who made the file") {
  const auto hint = [](std::string_view bytes, std::string_view tool) {
    const auto status = import::import_text(bytes);
    REQUIRE(!status.has_value());
    const std::string &note = status.error().info().notes.at(0);
    CAPTURE(note);
    CHECK(note.find(tool) != note.npos);
    CHECK(note.find('\n') == note.npos);
    CHECK(note.ends_with("> file.mlir"));
  };
  using namespace std::string_view_literals;
  hint("\x08\x03\x12\x0c"
       "backend-test\0"sv,
       "torch_mlir.tools.import_onnx");
}

TEST_CASE("the line of an error is shown with a caret, long lines around it") {
  const auto note = [](const std::string &text) {
    const auto imported = import::import_text(text);
    REQUIRE(!imported.has_value());
    return imported.error().info().notes.at(0);
  };
  CHECK(note(in_main("", "  %0 = stablehlo.negate %b : tensor<2xf32>")) ==
        "  %0 = stablehlo.negate %b : tensor<2xf32>\n                        ^");
  const std::string wide =
      note(in_main("%a: tensor<2xf32>", fmt::format("{:5000}%0 = stablehlo.negate %b : tensor<2xf32>", "")));
  CHECK(wide.size() < 220);
  const size_t line = wide.find('\n');
  CHECK(wide[wide.find('^', line) - line - 1] == '%');
}

TEST_CASE("each kind of bad input names file, line and column, shows the line with a caret, and says what "
          "was expected") {
  const char *arguments = "%a: tensor<2xf32>, %b: tensor<3xf32>";
  struct Bad {
    std::string what;
    std::string text;
    const char *expectation;
  };
  const std::vector<Bad> all = {
      {"truncated", "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.negate",
       "never closed"},
      {"wrong type", in_main("%a: vector<2xf32>", ""), "expected a tensor"},
      {"wrong element type", in_main("%a: tensor<2xf33>", ""), "element type"},
      {"stated type", in_main(arguments, "%0 = stablehlo.negate %a : tensor<3xf32>"), "is stated"},
      {"shape mismatch",
       in_main(arguments, "%0 = \"stablehlo.add\"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>"),
       "operand 1 is f32[3]"},
      {"undefined", in_main(arguments, "%0 = stablehlo.negate %z : tensor<2xf32>"), "not defined here"},
      {"redefined",
       in_main(arguments,
               "%0 = stablehlo.negate %a : tensor<2xf32>\n%0 = stablehlo.negate %a : tensor<2xf32>"),
       "defined twice"},
      {"10^9 elements, two of them there",
       in_main("", "%0 = stablehlo.constant dense<[1, 2]> : tensor<1000000000xi32>"), "fewer elements"},
      {"10^9 elements, eight bytes of hex",
       in_main("", "%0 = stablehlo.constant dense<\"0x0102030405060708\"> : tensor<1000000000xi32>"),
       "8 bytes of data"},
      {"10,000 regions",
       in_main("%a: tensor<2xf32>",
               repeat("\"stablehlo.custom_call\"() ({\n", 10000) + repeat("return }) : () -> ()\n", 10000)),
       "nested deeper than"},
      {"10,000 regions, none closed", in_main("", repeat("\"stablehlo.custom_call\"() ({\n", 10000)),
       "closed"},
      {"2^63 as a dimension", in_main("%a: tensor<9223372036854775808xf32>", ""), "larger than 2^62"},
      {"2^63 - 1 as a dimension", in_main("%a: tensor<9223372036854775807xf32>", ""), "larger than 2^62"},
      {"2^63 elements", in_main("%a: tensor<2147483648x4294967296xf32>", ""), "more than 2^62 bytes"},
      {"2^63 as a bound",
       in_main(arguments,
               "%0 = stablehlo.slice %a [0:9223372036854775808] : (tensor<2xf32>) -> tensor<2xf32>"),
       ""},
  };
  for (const Bad &bad : all) {
    CAPTURE(bad.what);
    import::ImportOptions options;
    options.file = "bad.mlir";
    const auto imported = import::import_text(bad.text, options);
    REQUIRE(!imported.has_value());
    const auto &info = imported.error().info();
    CAPTURE(imported.error().message());
    CHECK(imported.error().message().find(bad.expectation) != std::string::npos);
    CHECK(info.pos.file == "bad.mlir");
    REQUIRE(info.pos.line > 0);
    REQUIRE(info.pos.column > 0);
    REQUIRE(!info.notes.empty());
    const std::string &shown = info.notes[0];
    const size_t end = shown.find('\n');
    REQUIRE(end != std::string::npos);
    CHECK(shown.substr(end).find('^') != std::string::npos);
    CHECK(shown.find_first_not_of(" ^", end + 1) == std::string::npos);
  }
}

TEST_CASE("control flow that does not fit") {
  const char *arguments = "%p: tensor<i1>, %i: tensor<i32>, %a: tensor<2xf32>, %b: tensor<3xf32>";
  const auto loop = [&](std::string_view condition, std::string_view body) {
    return in_main(arguments,
                   fmt::format("%0:2 = stablehlo.while(%x = %a, %n = %i) : tensor<2xf32>, tensor<i32>\n"
                               "cond {{\n{}\n}} do {{\n{}\n}}",
                               condition, body));
  };
  const auto branches = [&](std::string_view first, std::string_view second) {
    return in_main(
        arguments,
        fmt::format("%0 = \"stablehlo.if\"(%p) ({{\n{}\n}}, {{\n{}\n}}) : (tensor<i1>) -> tensor<2xf32>",
                    first, second));
  };
  const char *go_on = "stablehlo.return %p : tensor<i1>";
  const char *same = "stablehlo.return %x, %n : tensor<2xf32>, tensor<i32>";
  check({
      {loop(go_on, "stablehlo.return %x : tensor<2xf32>"),
       "2:8: stablehlo.while: its body returns 1 values, but the loop carries 2"},
      {loop(go_on, "stablehlo.return %b, %n : tensor<3xf32>, tensor<i32>"),
       "2:8: stablehlo.while: its body returns f32[3] as value 0, but operand 0 is f32[2]"},
      {loop("stablehlo.return %n : tensor<i32>", same),
       "2:8: stablehlo.while: its condition returns i32[]: expected i1[]"},
      {loop("stablehlo.return %p, %p : tensor<i1>, tensor<i1>", same),
       "2:8: stablehlo.while: its condition returns 2 values: expected one i1[]"},
      {loop("", same), "5:1: this block ends without a return"},
      {loop(go_on, ""), "7:1: this block ends without a return"},
      {loop(go_on, "stablehlo.return %y, %n : tensor<2xf32>, tensor<i32>"),
       "6:18: the value %y is not defined here"},
      {in_main(arguments, "%0:2 = stablehlo.while(%x = %a, %n = %i) : tensor<2xf32>\ncond {} do {}"),
       "2:8: while: 1 types for 2 operands"},
      {in_main(arguments, R"(%0 = "stablehlo.while"(%i) ({
^bb0(%n: tensor<i64>):
  stablehlo.return %p : tensor<i1>
}, {
^bb0(%n: tensor<i32>):
  stablehlo.return %n : tensor<i32>
}) : (tensor<i32>) -> tensor<i32>)"),
       "2:6: stablehlo.while: its condition takes i64[] as argument 0, but operand 0 is i32[]"},
      {in_main(arguments, R"(%0 = "stablehlo.while"(%i) ({
^bb0(%n: tensor<i32>):
  stablehlo.return %p : tensor<i1>
}, {
  stablehlo.return %i : tensor<i32>
}) : (tensor<i32>) -> tensor<i32>)"),
       "2:6: stablehlo.while: its body takes 0 values, but the loop carries 1"},
      {in_main(arguments, R"(%0 = "stablehlo.while"(%i) ({
^bb0(%n: tensor<i32>):
  stablehlo.return %p : tensor<i1>
}) : (tensor<i32>) -> tensor<i32>)"),
       "2:6: stablehlo.while: takes 2 regions, has 1"},
      {branches("stablehlo.return %a : tensor<2xf32>", "stablehlo.return %b : tensor<3xf32>"),
       "2:6: stablehlo.if: branch 1 returns f32[3] as value 0, branch 0 returns f32[2]"},
      {branches("stablehlo.return %a : tensor<2xf32>", "stablehlo.return"),
       "2:6: stablehlo.if: branch 1 returns 0 values, branch 0 returns 1"},
      {branches("stablehlo.return %b : tensor<3xf32>", "stablehlo.return %b : tensor<3xf32>"),
       "2:6: stablehlo.if: result 0 is f32[3], but f32[2] is stated"},
      {branches("^bb0(%q: tensor<i1>):\n  stablehlo.return %a : tensor<2xf32>",
                "stablehlo.return %a : tensor<2xf32>"),
       "2:6: stablehlo.if: branch 0 takes 1 values: expected none"},
      {branches("", "stablehlo.return %a : tensor<2xf32>"), "4:1: this block ends without a return"},
      {in_main(arguments,
               R"("stablehlo.if"(%i) ({ stablehlo.return }, { stablehlo.return }) : (tensor<i32>) -> ())"),
       "2:1: stablehlo.if: operand 0 is i32[]: expected i1[]"},
      {in_main(arguments, R"("stablehlo.case"(%p) ({ stablehlo.return }) : (tensor<i1>) -> ())"),
       "2:1: stablehlo.case: operand 0 is i1[]: expected i32[]"},
      {in_main(arguments, R"("stablehlo.case"(%i) : (tensor<i32>) -> ())"),
       "2:1: stablehlo.case: has no branch"},
      {in_main(arguments, repeat(R"("stablehlo.case"(%i) ({ )", 300) + "stablehlo.return" +
                              repeat("}) : (tensor<i32>) -> ()\nstablehlo.return", 300)),
       "2:4801: regions and calls are nested deeper than 200"},
  });
}

} // namespace tw::test_hostile
