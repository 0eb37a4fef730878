/* SPDX-License-Identifier: Apache-2.0 */
/* tw_graph.h: import, looking at graphs, the registry of ops. */
#include "support.h"

static const char *const module_text =
    "module @two {\n"
    "  func.func @main(%x: tensor<2x3xf32>, %n: tensor<i32>) -> (tensor<2x3xf32> "
    "{jax.result_info = \"sum\"}, tensor<i32>) {\n"
    "    %0 = stablehlo.add %x, %x : tensor<2x3xf32>\n"
    "    return %0, %n : tensor<2x3xf32>, tensor<i32>\n"
    "  }\n"
    "  func.func public @other(%y: tensor<4xf64>) -> tensor<4xf64> {\n"
    "    return %y : tensor<4xf64>\n"
    "  }\n"
    "}\n";

static tw_graph_t *import_module(const char *entry) {
  const tw_import_options_t options = {.struct_size = sizeof options, .file = "two.mlir", .entry = entry};
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(module_text, strlen(module_text), &options, &graph));
  return graph;
}

static void test_import(void **state) {
  (void)state;
  tw_graph_t *graph = import_module(NULL);
  assert_string_equal(tw_graph_name(graph), "two");
  assert_int_equal(tw_graph_num_ops(graph), 1); /* arguments and results not counted */
  assert_int_equal(tw_graph_num_arguments(graph), 2);
  assert_int_equal(tw_graph_num_results(graph), 2);
  assert_string_equal(tw_graph_argument_name(graph, 0), "x");
  assert_string_equal(tw_graph_argument_name(graph, 1), "n");
  assert_string_equal(tw_graph_result_name(graph, 0), "sum");
  assert_int_equal(tw_graph_argument_dtype(graph, 0), TW_F32);
  assert_int_equal(tw_graph_result_dtype(graph, 1), TW_S32);
  assert_string_equal(tw_graph_mesh(graph), ""); /* "" when it declares none */
  assert_int_equal(tw_graph_grid_rank(graph), 0);
  size_t rank = 77;
  const int64_t *dims = tw_graph_argument_dims(graph, 0, &rank);
  assert_int_equal(rank, 2);
  assert_int_equal(dims[0], 2);
  assert_int_equal(dims[1], 3);
  /* A scalar has 0 dimensions, and dims that are not NULL */
  assert_non_null(tw_graph_result_dims(graph, 1, &rank));
  assert_int_equal(rank, 0);
  assert_non_null(tw_graph_result_dims(graph, 0, NULL));
  /* NULL when i is too large */
  rank = 77;
  assert_null(tw_graph_argument_dims(graph, 2, &rank));
  assert_int_equal(rank, 0);
  assert_null(tw_graph_result_dims(graph, SIZE_MAX, NULL));
  assert_null(tw_graph_argument_name(graph, 2));
  assert_null(tw_graph_result_name(graph, 2));
  assert_int_equal(tw_graph_argument_dtype(graph, 2), TW_DTYPE_INVALID);
  assert_int_equal(tw_graph_result_dtype(graph, 2), TW_DTYPE_INVALID);
  assert_ptr_equal(tw_graph_retain(graph), graph);
  tw_graph_release(graph);
  assert_string_equal(tw_graph_name(graph), "two");
  tw_graph_release(graph);
}

static void test_entry(void **state) {
  (void)state;
  tw_graph_t *graph = import_module("other");
  assert_int_equal(tw_graph_argument_dtype(graph, 0), TW_F64);
  tw_graph_release(graph);
  const tw_import_options_t options = {.struct_size = sizeof options, .entry = "othr"};
  graph = UNTOUCHED(tw_graph_t);
  assert_int_not_equal(tw_graph_import(module_text, strlen(module_text), &options, &graph), TW_OK);
  assert_contains(tw_error_message(), "othr");
  assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));
}

/* Names for arguments 0, 1, ..; a caller of before they existed, whose struct ends earlier, gives none. */
static void test_names(void **state) {
  (void)state;
  tw_import_options_t options = {
      .struct_size = sizeof options, .names = "\ncount\n", .names_file = "two.names"};
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(module_text, strlen(module_text), &options, &graph));
  assert_string_equal(tw_graph_argument_name(graph, 0), "x"); /* a blank line keeps the module's name */
  assert_string_equal(tw_graph_argument_name(graph, 1), "count");
  tw_graph_release(graph);

  options.names = "a\na";
  graph = UNTOUCHED(tw_graph_t);
  assert_int_equal(tw_graph_import(module_text, strlen(module_text), &options, &graph), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(), "given twice");
  options.names = "a\nb\nc";
  assert_fails(TW_INVALID_ARGUMENT, tw_graph_import(module_text, strlen(module_text), &options, &graph));
  assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));

  options.struct_size = offsetof(tw_import_options_t, names);
  options.names = UNTOUCHED(char);
  options.names_file = UNTOUCHED(char);
  assert_ok(tw_graph_import(module_text, strlen(module_text), &options, &graph));
  assert_string_equal(tw_graph_argument_name(graph, 1), "n");
  tw_graph_release(graph);
}

/* `text` need not end in NUL and is not kept. */
static void test_text_is_not_kept(void **state) {
  (void)state;
  const size_t size = strlen(module_text);
  char *copy = malloc(size); /* no room for a NUL: reading it would be found by the address sanitizer */
  assert_non_null(copy);
  memcpy(copy, module_text, size);
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(copy, size, NULL, &graph));
  memset(copy, '?', size);
  free(copy);
  tw_blob_t *info = NULL;
  assert_ok(tw_graph_info(graph, 1, &info));
  assert_contains(tw_blob_data(info), "stablehlo.add");
  tw_blob_release(info);
  tw_graph_release(graph);
}

static void test_import_errors(void **state) {
  (void)state;
  tw_graph_t *graph = UNTOUCHED(tw_graph_t);
  assert_null_argument("text", tw_graph_import(NULL, 5, NULL, &graph));
  assert_null_argument("out_graph", tw_graph_import("", 0, NULL, NULL));
  assert_fails(TW_INVALID_ARGUMENT, tw_graph_import("", 0, NULL, &graph));
  assert_int_equal(tw_graph_import("func", 4, NULL, &graph), TW_INVALID_ARGUMENT);
  tw_error_t *error = NULL;
  assert_ok(tw_error_take(&error));
  assert_int_equal(tw_error_line(error), 1);
  assert_true(strlen(tw_error_file(error)) > 0);
  tw_error_release(error);

  /* unknown ops are listed together */
  const char *unknown = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                        "  %0 = \"mine.first\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
                        "  %1 = \"mine.second\"(%0) : (tensor<2xf32>) -> tensor<2xf32>\n"
                        "  return %1 : tensor<2xf32>\n}\n";
  assert_int_not_equal(tw_graph_import(unknown, strlen(unknown), NULL, &graph), TW_OK);
  assert_ok(tw_error_take(&error));
  char all[4096];
  size_t used = (size_t)snprintf(all, sizeof all, "%s\n", tw_error_text(error));
  for (size_t i = 0; i < tw_error_num_notes(error) && used < sizeof all; ++i)
    used += (size_t)snprintf(all + used, sizeof all - used, "%s\n", tw_error_note(error, i));
  assert_contains(all, "mine.first");
  assert_contains(all, "mine.second");
  tw_error_release(error);

  /* An artifact that is damaged says where; a file that is no text is named for what it is */
  const char bytecode[] = "ML\xefR\x0dStableHLO_v1.13.0";
  assert_int_not_equal(tw_graph_import(bytecode, sizeof bytecode - 1, NULL, &graph), TW_OK);
  assert_contains(tw_error_message(), "the header ends too early");
  const char gzip[] = "\x1f\x8b\x08\x00\x00\x00";
  assert_int_not_equal(tw_graph_import(gzip, sizeof gzip - 1, NULL, &graph), TW_OK);
  assert_contains(tw_error_message(), "gzip");
  assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));
}

static void test_info(void **state) {
  (void)state;
  tw_graph_t *graph = import_module(NULL);
  tw_blob_t *json = NULL;
  assert_ok(tw_graph_info(graph, 0, &json));
  assert_contains(tw_blob_data(json), "\"flops\"");
  assert_contains(tw_blob_data(json), "\"census\"");
  assert_null(strstr(tw_blob_data(json), "\"values\""));
  tw_blob_release(json);
  assert_ok(tw_graph_info(graph, 1, &json));
  assert_contains(tw_blob_data(json), "\"values\"");
  tw_blob_release(json);
  assert_null_argument("graph", tw_graph_info(NULL, 0, &json));
  assert_null_argument("out_json", tw_graph_info(graph, 0, NULL));
  tw_graph_release(graph);
}

static void test_of_nothing(void **state) {
  (void)state;
  size_t rank = 77;
  tw_graph_release(NULL);
  assert_null(tw_graph_retain(NULL));
  assert_int_equal(tw_graph_num_ops(NULL), 0);
  assert_int_equal(tw_graph_num_arguments(NULL), 0);
  assert_int_equal(tw_graph_num_results(NULL), 0);
  assert_null(tw_graph_argument_name(NULL, 0));
  assert_null(tw_graph_result_name(NULL, 0));
  assert_int_equal(tw_graph_argument_dtype(NULL, 0), TW_DTYPE_INVALID);
  assert_int_equal(tw_graph_result_dtype(NULL, 0), TW_DTYPE_INVALID);
  assert_null(tw_graph_argument_dims(NULL, 0, &rank));
  assert_int_equal(rank, 0);
  assert_null(tw_graph_result_dims(NULL, 0, &rank));
  assert_null(tw_graph_name(NULL));
  assert_null(tw_graph_mesh(NULL));
  assert_int_equal(tw_graph_grid_rank(NULL), 0);
}

static void test_ops(void **state) {
  (void)state;
  assert_true(tw_op_count() > 20);
  for (size_t i = 1; i < tw_op_count(); ++i) /* sorted by name */
    assert_true(strcmp(tw_op_name(i - 1), tw_op_name(i)) < 0);
  assert_null(tw_op_name(tw_op_count())); /* NULL when i is too large */
  tw_blob_t *json = NULL;
  assert_ok(tw_ops_info(NULL, &json));
  assert_contains(tw_blob_data(json), "\"stablehlo.dot_general\"");
  assert_contains(tw_blob_data(json), "\"kernels\"");
  tw_blob_release(json);
  assert_ok(tw_ops_info("stablehlo.dot_general", &json));
  assert_contains(tw_blob_data(json), "\"rule\"");
  assert_null(strstr(tw_blob_data(json), "\"stablehlo.add\""));
  tw_blob_release(json);
  json = UNTOUCHED(tw_blob_t);
  assert_fails(TW_NOT_FOUND, tw_ops_info("stablehlo.dot_generl", &json));
  assert_ptr_equal(json, UNTOUCHED(tw_blob_t));
  assert_null_argument("out_json", tw_ops_info(NULL, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_import),        cmocka_unit_test(test_entry),
      cmocka_unit_test(test_names),         cmocka_unit_test(test_text_is_not_kept),
      cmocka_unit_test(test_import_errors), cmocka_unit_test(test_info),
      cmocka_unit_test(test_of_nothing),    cmocka_unit_test(test_ops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
