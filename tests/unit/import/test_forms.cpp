// SPDX-License-Identifier: Apache-2.0
// Every pretty form says the same as the generic form of its op.
#include "print.hpp"

namespace tw::test_forms {

using test::import_or_error;
using test::in_main;

namespace {

struct Form {
  const char *arguments;
  const char *pretty;
  const char *generic;
};

const Form kForms[] = {
    {"%a: tensor<2x3xf32>, %b: tensor<2x3xf32>", "%0 = stablehlo.add %a, %b : tensor<2x3xf32>",
     R"(%0 = "stablehlo.add"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>)"},
    {"%a: tensor<2xf32>", "%0 = stablehlo.negate %a : tensor<2xf32>",
     R"(%0 = "mhlo.negate"(%a) : (tensor<2xf32>) -> tensor<2xf32>)"},
    {"%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2xf32>",
     "%0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<2xf32>",
     R"(%0 = "stablehlo.select"(%p, %a, %b) : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>)"},
    {"%a: tensor<2xf32>", "%0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xi32>",
     R"(%0 = "stablehlo.convert"(%a) : (tensor<2xf32>) -> tensor<2xi32>)"},
    {"%a: tensor<2xf32>", "%0 = stablehlo.convert %a : tensor<2xf32>",
     R"(%0 = "stablehlo.convert"(%a) : (tensor<2xf32>) -> tensor<2xf32>)"},
    {"%a: tensor<2xf32>, %b: tensor<2xf32>", "%0 = stablehlo.complex %a, %b : tensor<2xcomplex<f32>>",
     R"(%0 = "stablehlo.complex"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>)"},
    {"", "%0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>",
     R"(%0 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>)"},
    {"", "%0 = stablehlo.constant {foo.bar = 1 : i32} dense<1.5> : tensor<4xf32>",
     R"(%0 = "mhlo.constant"() {value = dense<1.5> : tensor<4xf32>} : () -> tensor<4xf32>)"},
    {"", "%0 = stablehlo.constant() <{value = dense<1> : tensor<i8>}> : () -> tensor<i8>",
     R"(%0 = "stablehlo.constant"() {value = dense<1> : tensor<i8>} : () -> tensor<i8>)"},
    {"", "%0 = stablehlo.iota dim = 1 : tensor<2x3xi32>",
     R"(%0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x3xi32>)"},
    {"%a: tensor<2x3xf32>",
     "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
     R"(%0 = "stablehlo.transpose"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>)"},
    {"%a: tensor<3xf32>",
     "%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>",
     R"(%0 = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2x3xf32>)"},
    {"%a: tensor<f32>", "%0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2xf32>",
     R"(%0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = dense<> : tensor<0xi64>} : (tensor<f32>) -> tensor<2xf32>)"},
    {"%a: tensor<2x3xf32>, %b: tensor<2x1xf32>",
     "%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>",
     R"(%0 = "stablehlo.concatenate"(%a, %b) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>)"},
    {"%a: tensor<2xf32>, %v: tensor<f32>",
     "%0 = stablehlo.pad %a, %v, low = [1], high = [-1], interior = [2] : (tensor<2xf32>, tensor<f32>) -> "
     "tensor<4xf32>",
     R"(%0 = "stablehlo.pad"(%a, %v) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: -1>, interior_padding = array<i64: 2>}> : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>)"},
    {"%a: tensor<1x8x9x2xf32>, %k: tensor<3x3x2x5xf32>",
     "%0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
     "{stride = [1, "
     "2], pad = [[1, 1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [2, 1], reverse = [false, true]} "
     "{batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision "
     "DEFAULT>, "
     "#stablehlo<precision HIGHEST>]} : (tensor<1x8x9x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x6x3x5xf32>",
     R"(%0 = "stablehlo.convolution"(%a, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, -1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>], rhs_dilation = array<i64: 2, 1>, window_reversal = array<i1: false, true>, window_strides = array<i64: 1, 2>}> : (tensor<1x8x9x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x6x3x5xf32>)"},
    {"%a: tensor<4x2x9xf32>, %k: tensor<6x2x4xf32>",
     "%0 = stablehlo.convolution(%a, %k) dim_numbers = [f, b, 0]x[o, i, 0]->[0, b, f], window = {} "
     "{batch_group_count "
     "= 1 : i64, feature_group_count = 2 : i64} : (tensor<4x2x9xf32>, tensor<6x2x4xf32>) -> "
     "tensor<6x2x6xf32>",
     R"(%0 = "mhlo.convolution"(%a, %k) {batch_group_count = 1 : i64, dimension_numbers = #mhlo.conv<raw input_batch_dimension = 1, input_feature_dimension = 0, input_spatial_dimensions = [2], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [2], output_batch_dimension = 1, output_feature_dimension = 2, output_spatial_dimensions = [0]>, feature_group_count = 2 : i64} : (tensor<4x2x9xf32>, tensor<6x2x4xf32>) -> tensor<6x2x6xf32>)"},
    {"%a: tensor<2x3xf32>", "%0 = stablehlo.reverse %a, dims = [0, 1] : tensor<2x3xf32>",
     R"(%0 = "stablehlo.reverse"(%a) {dimensions = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>)"},
    {"%a: tensor<2xf32>, %b: tensor<2xf32>",
     "%0 = stablehlo.compare  LT, %a, %b,  FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
     R"(%0 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>)"},
    {"%a: tensor<2xi32>",
     "%0 = stablehlo.compare  GE, %a, %a : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>",
     R"(%0 = "mhlo.compare"(%a, %a) {comparison_direction = "GE"} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>)"},
    {"%a: tensor<8x9xf32>", "%0 = stablehlo.slice %a [0:4, 1:8:2] : (tensor<8x9xf32>) -> tensor<4x4xf32>",
     R"(%0 = "stablehlo.slice"(%a) {start_indices = dense<[0, 1]> : tensor<2xi64>, limit_indices = dense<[4, 8]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} : (tensor<8x9xf32>) -> tensor<4x4xf32>)"},
    {"%a: tensor<f32>", "%0 = stablehlo.slice %a [] : (tensor<f32>) -> tensor<f32>",
     R"(%0 = "stablehlo.slice"(%a) <{start_indices = array<i64>, limit_indices = array<i64>, strides = array<i64>}> : (tensor<f32>) -> tensor<f32>)"},
    {"%a: tensor<8x9xf32>, %i: tensor<i32>",
     "%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 4] : (tensor<8x9xf32>, tensor<i32>, tensor<i32>) "
     "-> tensor<1x4xf32>",
     R"(%0 = "stablehlo.dynamic_slice"(%a, %i, %i) {slice_sizes = dense<[1, 4]> : tensor<2xi64>} : (tensor<8x9xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>)"},
    {"%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>",
     "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision "
     "= [DEFAULT, HIGHEST] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>",
     R"(%0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]}> : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>)"},
    {"%a: tensor<2x3xf32>, %b: tensor<3x4xf32>",
     "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) "
     "-> tensor<2x4xf32>",
     R"(%0 = "mhlo.dot"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>)"},
    {"%a: tensor<2x3xf32>, %c: tensor<f32>",
     "%0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, "
     "tensor<f32>) -> tensor<2xf32>",
     R"(%0 = "stablehlo.reduce"(%a, %c) <{dimensions = array<i64: 1>}> ({^bb0(%p: tensor<f32>, %q: tensor<f32>): %s = stablehlo.add %p, %q : tensor<f32> stablehlo.return %s : tensor<f32>}) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>)"},
    {"%x: tensor<2x3xf32>, %y: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<i32>",
     R"(%0:2 = stablehlo.reduce(%x init: %a), (%y init: %b) across dimensions = [0] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>) {
       %1 = stablehlo.maximum %p, %q : tensor<f32>
       %2 = stablehlo.add %r, %s : tensor<i32>
       stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
     })",
     R"(%0:2 = "stablehlo.reduce"(%x, %y, %a, %b) ({
     ^bb0(%p: tensor<f32>, %r: tensor<i32>, %q: tensor<f32>, %s: tensor<i32>):
       %1 = "stablehlo.maximum"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
       %2 = "stablehlo.add"(%r, %s) : (tensor<i32>, tensor<i32>) -> tensor<i32>
       "stablehlo.return"(%1, %2) : (tensor<f32>, tensor<i32>) -> ()
     }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>))"},
    {"%a: tensor<2xf32>, %b: tensor<i32>",
     "%0:2 = stablehlo.optimization_barrier %a, %b : tensor<2xf32>, tensor<i32>",
     R"(%0:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<2xf32>, tensor<i32>) -> (tensor<2xf32>, tensor<i32>))"},
    {"%a: tensor<2xf32>",
     R"(%0 = stablehlo.custom_call @"my target"(%a) {backend_config = "x", api_version = 2 : i32} : (tensor<2xf32>) -> tensor<3xf32>)",
     R"(%0 = "stablehlo.custom_call"(%a) <{call_target_name = "my target", backend_config = "x", api_version = 2 : i32}> : (tensor<2xf32>) -> tensor<3xf32>)"},
    {"%a: tensor<2xf32>, %b: tensor<2xf32>",
     "stablehlo.custom_call @check.expect_close(%a, %b) {has_side_effect = true} : (tensor<2xf32>, "
     "tensor<2xf32>) -> ()",
     R"("check.expect_close"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> ())"},
    {"%a: tensor<2xi32>, %b: tensor<2xi32>", "check.expect_eq %a, %b : tensor<2xi32>",
     R"("check.expect_eq"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> ())"},
    {"%a: tensor<f32>", "%0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<f32>",
     R"(%0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<f32>) -> tensor<f32>)"},
    {"%a: tensor<2x3xf32>, %s: tensor<1xi64>",
     "%0 = stablehlo.dynamic_reshape %a, %s : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<6xf32>",
     R"(%0 = "stablehlo.reshape"(%a) : (tensor<2x3xf32>) -> tensor<6xf32>)"},
    {"%s: tensor<2xi64>", "%0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<2x3xi32>",
     R"(%0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x3xi32>)"},
    {"%a: tensor<8xf32>", "%0 = chlo.erf %a : tensor<8xf32> -> tensor<8xf32>",
     R"(%0 = "chlo.erf"(%a) : (tensor<8xf32>) -> tensor<8xf32>)"},
};

} // namespace

TEST_CASE("pretty and generic forms make the same graph") {
  for (const Form &form : kForms) {
    CAPTURE(form.pretty);
    std::string pretty = import_or_error(in_main(form.arguments, form.pretty));
    std::string generic = import_or_error(in_main(form.arguments, form.generic));
    CHECK_MESSAGE((pretty[0] == '%' && generic[0] == '%'), pretty, generic); // an error begins with its line
    // The short form of reduce names nothing inside.
    if (std::string_view(form.pretty).find("applies") == std::string_view::npos)
      CHECK(pretty == generic);
    else
      CHECK(pretty.substr(0, pretty.find('{')) == generic.substr(0, generic.find('{')));
  }
}

TEST_CASE("an alias may name a tuple") {
  const std::string plain = import_or_error(
      "func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n  %0 = stablehlo.tuple %a, %a "
      ": "
      "tuple<tensor<2xf32>, tensor<2xf32>>\n  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2xf32>, "
      "tensor<2xf32>>) -> tensor<2xf32>\n  return %1, %a : tensor<2xf32>, tensor<2xf32>\n}");
  CHECK(import_or_error("!e = tensor<2xf32>\n!t = tuple<!e, !e>\nfunc.func @main(%a: !e) -> (!e, !e) {\n  %0 "
                        "= stablehlo.tuple "
                        "%a, %a : !t\n  %1 = stablehlo.get_tuple_element %0[1] : (!t) -> !e\n  return %1, %a "
                        ": !e, !e\n}") == plain);
  CHECK(plain.find("func.result %a") != std::string::npos);
  CHECK(import_or_error("!t = tuple<tensor<2xf32>>\nfunc.func @main(%a: !t) { return }") ==
        "2:21: a tuple is not supported here: expected a tensor");
}

TEST_CASE("the short form of reduce has the region it stands for") {
  const std::string text = import_or_error(
      in_main("%a: tensor<2x3xf32>, %c: tensor<f32>",
              "%0 = stablehlo.reduce(%a init: %c) applies stablehlo.maximum across dimensions = [1] : "
              "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>"));
  CHECK(text == "%a = func.argument : f32[2,3]\n"
                "%c = func.argument : f32[]\n"
                "%0 = stablehlo.reduce %a %c dimensions=[1] : f32[2]\n"
                " { %0.%2:f32[] %0.%3:f32[]\n"
                "  %0.%4 = stablehlo.maximum %0.%2 %0.%3 : f32[]\n"
                " } %0.%4\n");
}

TEST_CASE("constants beside a check become values") {
  const std::string text = import_or_error(
      in_main("%a: tensor<2xi32>", "check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>"));
  CHECK(text == "%a = func.argument : i32[2]\n"
                "%1 = stablehlo.constant value=dense:0100000002000000 : i32[2]\n"
                "check.expect_eq %a %1\n");
}

TEST_CASE("gather and scatter spread their dimension numbers, old and new") {
  const std::string arguments =
      "%x: tensor<65x384xf32>, %i: tensor<64x256xi64>, %j: tensor<1xi64>, %u: tensor<384xf32>";
  const std::string newer = import_or_error(in_main(
      arguments,
      R"(%0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 384>}> : (tensor<65x384xf32>, tensor<64x256xi64>) -> tensor<64x256x384xf32>)"));
  const std::string older = import_or_error(in_main(
      arguments,
      R"(%0 = "mhlo.gather"(%x, %i) {dimension_numbers = #mhlo.gather<collapsed_slice_dims = [0], index_vector_dim = 2, offset_dims = [2], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = dense<[1, 384]> : tensor<2xi64>} : (tensor<65x384xf32>, tensor<64x256xi64>) -> tensor<64x256x384xf32>)"));
  CHECK(newer == older);
  CHECK(newer.find("offset_dims=[2] collapsed_slice_dims=[0]") != std::string::npos);
  const std::string scatter = import_or_error(in_main(
      arguments,
      R"(%0 = "stablehlo.scatter"(%x, %j, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        stablehlo.return %q : tensor<f32>
      }) : (tensor<65x384xf32>, tensor<1xi64>, tensor<384xf32>) -> tensor<65x384xf32>)"));
  CHECK(scatter.find("index_vector_dim=0") != std::string::npos);
  CHECK(scatter.find("unique_indices=1") != std::string::npos);
  CHECK(scatter.find(" } %0.%q") != std::string::npos);
}

TEST_CASE("while, if and case, pretty and generic, stablehlo and mhlo") {
  const std::string arguments = "%a: tensor<2xf32>, %i: tensor<i32>, %p: tensor<i1>";
  const std::string pretty = import_or_error(
      in_main(arguments, R"(%0:2 = stablehlo.while(%it = %i, %it_0 = %a) : tensor<i32>, tensor<2xf32>
    cond {
    %1 = stablehlo.compare LT, %it, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %it_0, %a : tensor<2xf32>
    stablehlo.return %it, %1 : tensor<i32>, tensor<2xf32>
  })"));
  CHECK(pretty == "%a = func.argument : f32[2]\n"
                  "%i = func.argument : i32[]\n"
                  "%p = func.argument : i1[]\n"
                  "%0#0 %0#1 = stablehlo.while %i %a : i32[], f32[2]\n"
                  " { %0.%it:i32[] %0.%it_0:f32[2]\n"
                  "  %0.%1 = stablehlo.compare %0.%it %i comparison_direction=LT : i1[]\n"
                  " } %0.%1\n"
                  " { %0.1.%it:i32[] %0.1.%it_0:f32[2]\n"
                  "  %0.1.%1 = stablehlo.add %0.1.%it_0 %a : f32[2]\n"
                  " } %0.1.%it %0.1.%1\n");
  const std::string generic = import_or_error(in_main(arguments, R"(%0:2 = "mhlo.while"(%i, %a) ({
  ^bb0(%it: tensor<i32>, %it_0: tensor<2xf32>):
    %1 = "mhlo.compare"(%it, %i) {comparison_direction = #mhlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "mhlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%it: tensor<i32>, %it_0: tensor<2xf32>):
    %1 = mhlo.add %it_0, %a : tensor<2xf32>
    mhlo.return %it, %1 : tensor<i32>, tensor<2xf32>
  }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>))"));
  CHECK(generic == pretty);
  for (const char *dialect : {"stablehlo", "mhlo"}) {
    const std::string text = import_or_error(in_main(arguments, fmt::format(R"(%0 = "{0}.if"(%p) ({{
    {0}.return %a : tensor<2xf32>
  }}, {{
    %1 = "{0}.case"(%i) ({{
      %2 = {0}.negate %a : tensor<2xf32>
      {0}.return %2 : tensor<2xf32>
    }}) : (tensor<i32>) -> tensor<2xf32>
    {0}.return %1 : tensor<2xf32>
  }}) : (tensor<i1>) -> tensor<2xf32>)",
                                                                            dialect)));
    CHECK(text == "%a = func.argument : f32[2]\n"
                  "%i = func.argument : i32[]\n"
                  "%p = func.argument : i1[]\n"
                  "%0 = stablehlo.if %p : f32[2]\n"
                  " {\n"
                  " } %a\n"
                  " {\n"
                  "  %0.1.%1 = stablehlo.case %i : f32[2]\n"
                  "   {\n"
                  "    %0.1.%1.%2 = stablehlo.negate %a : f32[2]\n"
                  "   } %0.1.%1.%2\n"
                  " } %0.1.%1\n");
  }
}

TEST_CASE("what is wrong with the dimensions of a convolution") {
  const auto text = [](const char *numbers) {
    return in_main("%a: tensor<1x8x2xf32>, %k: tensor<3x2x5xf32>",
                   fmt::format("%0 = stablehlo.convolution(%a, %k) {} {{batch_group_count = 1 : i64}} : "
                               "(tensor<1x8x2xf32>, tensor<3x2x5xf32>) -> tensor<1x6x5xf32>",
                               numbers));
  };
  const auto fails = [&](const char *numbers, const char *why) {
    const std::string got = import_or_error(text(numbers));
    CAPTURE(got);
    CHECK(got.find(why) != std::string::npos);
  };
  CHECK(import_or_error(text("dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f]")).find("error") ==
        std::string::npos);
  fails("dim_numbers = [b, b, f]x[0, i, o]->[b, 0, f]", "expected dimensions such as [b, 0, 1, f]");
  fails("dim_numbers = [b, 1, f]x[0, i, o]->[b, 0, f]", "expected dimensions such as [b, 0, 1, f]");
  fails("dim_numbers = [b, 0, f]x[0, i, f]->[b, 0, f]", "expected dimensions such as [i, 0, 1, o]");
  fails("dim_numbers = [b, 99999999999, f]x[0, i, o]->[b, 0, f]", "expected dimensions such as [b, 0, 1, f]");
  fails("dim_numbers = [b, 0, f]x[0, i, o]->[b, f]", "must name each of the 3 dimensions once");
  fails("dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {size = [3]}",
        "'size' is no part of a window");
  fails("dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1, 1]}",
        "window_strides has 2 entries: expected 1 for 1 spatial dimensions");
  fails("dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f]",
        "feature dimension 2 of operand 0, f32[1,8,2], has size 2, but dimension 2 of operand 1, f32[3,2,5], "
        "has 5");
}

} // namespace tw::test_forms

// Files that are no StableHLO text are named for what they are, with what to do about it.
namespace tw::test_files {

using namespace std::string_literals;

namespace {

// "a gzip: gunzip a.mlir", or nothing for text.
std::string said_of(const std::string &bytes, const std::string &file = "a.bin") {
  const auto status = import::check_is_text(bytes, file);
  if (status)
    return {};
  const ErrorInfo &info = status.error().info();
  CHECK(info.id == std::string("TW-112"));
  REQUIRE(info.notes.size() == 1);
  return info.message + ": " + info.notes[0];
}

bool has(const std::string &text, std::string_view part) {
  INFO(text, " has ", std::string(part));
  return text.find(part) != std::string::npos;
}

std::string field(char tag, const std::string &value) {
  std::string bytes(1, tag);
  for (size_t left = value.size(); bytes.size() == 1 || left != 0; left >>= 7)
    bytes += static_cast<char>((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
  return bytes + value;
}

} // namespace

TEST_CASE("protocol buffers") {
  const std::string computation = field('\x1a', field('\x0a', "main.1"s) + field('\x12', "\x0a\x03x.1"s));
  const std::string module = field('\x0a', "jit_f") + field('\x12', "main.1") + computation;
  CHECK(has(said_of(module), "this is an HLO proto"));
  CHECK(has(said_of(field('\x0a', module + std::string(300, '\0'))),
            "this is an HLO proto")); // as XLA dumps it
  CHECK(has(said_of(module), "m.hlo_to_stablehlo(b), mlir.make_ir_context()))\" a.bin > file.mlir"));
  const std::string node = field('\x0a', "x") + field('\x12', "Placeholder") +
                           field('\x2a', "\x0a\x05"
                                         "dtype");
  CHECK(has(said_of(field('\x0a', node) + field('\x0a', node)), "this is a TensorFlow graph"));
  CHECK(has(said_of("\x08\x01" + field('\x12', field('\x0a', field('\x12', node)))),
            "a TensorFlow SavedModel"));
  CHECK(has(said_of("\x08\x08" + field('\x12', "pytorch") + "\x1a\x05"s), "this is an ONNX model"));
}

TEST_CASE("checkpoints and archives") {
  const std::string zip = "PK\x03\x04\x14\0\0\0\0\0"s;
  CHECK(has(said_of(zip + "x.npy\0"s, "in.npz"),
            "(.npz), not StableHLO text: it holds arrays and no program: tw run "
            "PROGRAM.mlir --inputs in.npz"));
  CHECK(has(said_of("\x93NUMPY\x01\0v\0"s, "x.npy"), "--fill ARGUMENT=x.npy"));
  CHECK(has(said_of(zip + "model/data.pkl"), "this is a PyTorch checkpoint"));
  CHECK(has(said_of("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9"s), "this is a PyTorch checkpoint"));
  CHECK(has(said_of(zip + "m/data.pkl m/code/__torch__.py m/constants.pkl"), "this is a TorchScript module"));
  CHECK(has(said_of(zip + "m/archive_format m/models/model.json m/data/weights/data.pkl"),
            "this is a program that torch.export saved"));
  CHECK(has(said_of(zip + "README.txt"), "this is a zip archive"));
  CHECK(has(said_of("\x40\x01\0\0\0\0\0\0{\"w\":{\"dtype\""s), "this is a safetensors checkpoint"));
  CHECK(has(said_of("\x89HDF\r\n\x1a\n"s), "this is an HDF5 file"));
  CHECK(has(said_of("\x80\x04\x95\x10\0\0"s), "this is a Python pickle"));
  CHECK(has(said_of("\x1f\x8b\x08\0"s, "my model.gz"), "gunzip 'my model.gz'"));
  CHECK(has(said_of("\x1f\x8b\x08\0"s, "<stdin>"), "gunzip FILE"));
}

TEST_CASE("texts that are others") {
  for (const char *text :
       {"import jax\n", "# A model.\nfrom flax import linen\n", "\"\"\"A model.\"\"\"\n\nimport jax\n",
        "#!/usr/bin/env python3\n\"\"\"A\nmodel.\n\"\"\"\nimport jax\n"})
    CHECK(has(said_of(text, "train.py"),
              "this is a Python program, not StableHLO text: JAX writes what it compiles to "
              "dump/*.mlir: JAX_DUMP_IR_TO=dump JAX_DUMP_IR_MODES=stablehlo python3 "
              "train.py"));
  CHECK(has(said_of("{\n \"cells\": ["), "this is a notebook"));
  CHECK(has(said_of("HloModule jit_f\n"), "this is HLO text"));
  CHECK(
      has(said_of("\n# The batch.\ntile(x, 0, data)\n", "dp.txt"),
          "this is text with comments behind #, such as a spec or a system, not StableHLO text: the program "
          "comes first: tw plan PROGRAM.mlir --spec dp.txt"));
}

TEST_CASE("programs are text") {
  for (const char *text : {"", "\n", "module {\n}", "// A program.\nfunc.func @main() {\n}",
                           "#loc1 = loc(\"x\")\nmodule @a {\n}", "#map = affine_map<>\n", "\"\"\"",
                           "\"builtin.module\"() ({\n}) : () -> ()", "{\n}", "from"})
    CHECK(said_of(text).empty());
}

} // namespace tw::test_files
