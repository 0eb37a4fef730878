/* SPDX-License-Identifier: Apache-2.0 */
/* tw_walk.h: every op, value, region and attribute of a graph, as structs. */
#include "support.h"

static const char *const module_text =
    "module @walk {\n"
    "  func.func @main(%x: tensor<2x3xf32>, %n: tensor<i32>) -> (tensor<3x2xf32> {jax.result_info = \"y\"}, "
    "tensor<2xf32>) {\n"
    "    %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>\n"
    "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "    %0 = stablehlo.add %x, %x : tensor<2x3xf32>\n"
    "    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
    "    %2 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : "
    "(tensor<2x3xf32>, "
    "tensor<f32>) -> tensor<2xf32>\n"
    "    return %1, %2 : tensor<3x2xf32>, tensor<2xf32>\n"
    "  }\n"
    "}\n";

static tw_graph_t *import_module(void) {
  const tw_import_options_t options = {.struct_size = sizeof options, .file = "walk.mlir"};
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(module_text, strlen(module_text), &options, &graph));
  return graph;
}

static tw_op_view_t view_of(const tw_graph_t *graph, tw_op_t op) {
  tw_op_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_graph_op(graph, op, &view));
  return view;
}

static tw_value_view_t value_of(const tw_graph_t *graph, tw_value_t value) {
  tw_value_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_graph_value(graph, value, &view));
  return view;
}

static tw_op_t find_op(const tw_graph_t *graph, const char *name) {
  for (tw_op_t op = 0; op < tw_graph_op_end(graph); ++op)
    if (strcmp(view_of(graph, op).name, name) == 0)
      return op;
  fail_msg("no %s", name);
  return TW_NO_OP;
}

static void test_ops(void **state) {
  (void)state;
  tw_graph_t *graph = import_module();
  const tw_op_t add = find_op(graph, "stablehlo.add"), transpose = find_op(graph, "stablehlo.transpose");
  const tw_op_view_t sum = view_of(graph, add);
  assert_int_equal(sum.num_operands, 2);
  assert_int_equal(sum.operands[0], tw_graph_argument(graph, 0));
  assert_int_equal(sum.operands[1], tw_graph_argument(graph, 0));
  assert_int_equal(sum.num_results, 1);
  assert_int_equal(sum.num_regions, 0);
  assert_int_equal(sum.first_region, TW_NO_REGION);
  assert_int_equal(sum.num_attrs, 0);
  assert_int_equal(sum.line, 5);
  assert_true(sum.column > 0);
  tw_blob_t *where = NULL;
  assert_ok(tw_graph_op_location(graph, add, &where));
  assert_non_null(strstr(tw_blob_data(where), "walk.mlir:5:"));
  tw_blob_release(where);

  const tw_op_view_t moved = view_of(graph, transpose);
  assert_int_equal(moved.operands[0], sum.first_result);
  assert_int_equal(moved.num_attrs, 1);
  tw_attr_t attr;
  assert_ok(tw_graph_attr(graph, transpose, 0, &attr));
  assert_string_equal(attr.name, "permutation");
  assert_int_equal(attr.kind, TW_ATTR_INTS);
  assert_int_equal(attr.num_ints, 2);
  assert_int_equal(attr.ints[0], 1);
  assert_int_equal(attr.ints[1], 0);
  assert_fails(TW_OUT_OF_RANGE, tw_graph_attr(graph, transpose, 1, &attr));
  assert_int_equal(tw_graph_result(graph, 0), moved.first_result);
  assert_int_equal(tw_graph_result(graph, 2), TW_NO_VALUE);
  assert_int_equal(tw_graph_argument(graph, 2), TW_NO_VALUE);
  tw_graph_release(graph);
}

static void test_constants(void **state) {
  (void)state;
  tw_graph_t *graph = import_module();
  const void *data = NULL;
  size_t bytes = 0;
  int splat = 7;
  const tw_op_t op = find_op(graph, "stablehlo.constant");
  assert_ok(tw_graph_constant(graph, op, &data, &bytes, &splat));
  assert_int_equal(bytes, 12);
  assert_int_equal(splat, 0);
  assert_int_equal(((const int32_t *)data)[2], 3);
  assert_int_equal(view_of(graph, op).num_attrs, 0); /* the literal is none */
  assert_fails(TW_INVALID_ARGUMENT,
               tw_graph_constant(graph, find_op(graph, "stablehlo.add"), &data, &bytes, &splat));
  tw_graph_release(graph);
}

static void test_values(void **state) {
  (void)state;
  tw_graph_t *graph = import_module();
  const tw_value_view_t x = value_of(graph, tw_graph_argument(graph, 0));
  assert_int_equal(x.dtype, TW_F32);
  assert_int_equal(x.ndims, 2);
  assert_int_equal(x.dims[1], 3);
  assert_int_equal(x.num_uses, 2);
  assert_int_equal(x.uses[1].operand, 1);
  assert_string_equal(view_of(graph, x.uses[0].op).name, "stablehlo.add");
  assert_string_equal(view_of(graph, x.op).name, "func.argument");
  const tw_value_view_t n = value_of(graph, tw_graph_argument(graph, 1));
  assert_int_equal(n.ndims, 0);
  assert_non_null(n.dims);
  assert_int_equal(n.num_uses, 0);
  /* Names meet both ways. */
  for (tw_value_t v = 0; v < tw_graph_value_end(graph); ++v) {
    if (value_of(graph, v).region != 0)
      continue;
    tw_blob_t *name = NULL;
    assert_ok(tw_graph_value_name(graph, v, &name));
    tw_value_t found = TW_NO_VALUE;
    assert_ok(tw_graph_find_value(graph, tw_blob_data(name), &found));
    assert_int_equal(found, v);
    tw_blob_release(name);
  }
  tw_value_t found = TW_NO_VALUE;
  tw_blob_t *symbol = NULL;
  assert_ok(tw_graph_symbol(graph, tw_graph_argument(graph, 0), &symbol));
  assert_string_equal(tw_blob_data(symbol), "%x");
  tw_blob_release(symbol);
  assert_fails(TW_OUT_OF_RANGE, tw_graph_symbol(graph, TW_NO_VALUE, &symbol));
  assert_ok(tw_graph_find_value(graph, "y", &found));
  assert_int_equal(found, tw_graph_result(graph, 0));
  assert_fails(TW_NOT_FOUND, tw_graph_find_value(graph, "xx", &found));
  tw_graph_release(graph);
}

static void test_regions(void **state) {
  (void)state;
  tw_graph_t *graph = import_module();
  const tw_op_t reduce = find_op(graph, "stablehlo.reduce");
  const tw_op_view_t op = view_of(graph, reduce);
  assert_int_equal(op.num_regions, 1);
  assert_int_equal(op.parent, 0);
  tw_region_view_t region = {.struct_size = sizeof region};
  assert_ok(tw_graph_region(graph, op.first_region, &region));
  assert_int_equal(region.parent, reduce);
  assert_int_equal(region.num_arguments, 2);
  assert_int_equal(region.num_ops, 1);
  assert_int_equal(region.num_yields, 1);
  const tw_op_view_t inner = view_of(graph, region.ops[0]);
  assert_string_equal(inner.name, "stablehlo.add");
  assert_int_equal(inner.parent, op.first_region);
  assert_int_equal(inner.operands[0], region.arguments[0]);
  assert_int_equal(region.yields[0], inner.first_result);
  const tw_value_view_t argument = value_of(graph, region.arguments[1]);
  assert_int_equal(argument.op, TW_NO_OP);
  assert_int_equal(argument.index, 1);
  assert_int_equal(argument.region, op.first_region);
  assert_ok(tw_graph_region(graph, 0, &region));
  assert_int_equal(region.parent, TW_NO_OP);
  assert_int_equal(region.num_yields, 0);
  assert_int_equal(tw_graph_region_end(graph), 2);
  tw_graph_release(graph);
}

static void test_mistakes(void **state) {
  (void)state;
  tw_graph_t *graph = import_module();
  tw_op_view_t op = {.struct_size = sizeof op};
  tw_value_view_t value = {.struct_size = sizeof value};
  tw_region_view_t region = {.struct_size = sizeof region};
  assert_fails(TW_OUT_OF_RANGE, tw_graph_op(graph, (tw_op_t)tw_graph_op_end(graph), &op));
  assert_fails(TW_OUT_OF_RANGE, tw_graph_op(graph, TW_NO_OP, &op));
  assert_fails(TW_OUT_OF_RANGE, tw_graph_value(graph, TW_NO_VALUE, &value));
  assert_fails(TW_OUT_OF_RANGE, tw_graph_region(graph, 2, &region));
  assert_fails(TW_INVALID_ARGUMENT, tw_graph_op(NULL, 0, &op));
  assert_fails(TW_INVALID_ARGUMENT, tw_graph_op(graph, 0, NULL));
  op.struct_size = 0;
  assert_fails(TW_INVALID_ARGUMENT, tw_graph_op(graph, 0, &op));
  assert_int_equal(tw_graph_op_end(NULL), 0);
  assert_int_equal(tw_graph_argument(NULL, 0), TW_NO_VALUE);
  /* A caller of an older version has a shorter struct, one of a newer version a longer one. */
  struct {
    tw_op_view_t view;
    uint64_t later;
  } newer = {{.struct_size = sizeof newer}, 77};
  assert_ok(tw_graph_op(graph, 0, &newer.view));
  assert_int_equal(newer.later, 0);
  op = (tw_op_view_t){.struct_size = offsetof(tw_op_view_t, operands), .num_operands = 99};
  assert_ok(tw_graph_op(graph, 0, &op));
  assert_int_equal(op.num_operands, 99);
  assert_non_null(op.name);
  tw_graph_release(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ops),     cmocka_unit_test(test_constants), cmocka_unit_test(test_values),
      cmocka_unit_test(test_regions), cmocka_unit_test(test_mistakes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
