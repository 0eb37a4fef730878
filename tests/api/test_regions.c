/* SPDX-License-Identifier: Apache-2.0 */
/* tw_builder.h: ops with regions, names, shardings, and errors that say which call failed. */
#include "support.h"

/* The builder must end with this status; the message says `text`. */
static void assert_ends(tw_builder_t *b, tw_status_t wanted, const char *text) {
  tw_graph_t *graph = UNTOUCHED(tw_graph_t);
  const tw_status_t status = tw_builder_finish(b, &graph);
  if (status != wanted || !strstr(tw_error_message(), text))
    fail_msg("%s: %s, expected %s and \"%s\"", tw_status_name(status), tw_error_message(),
             tw_status_name(wanted), text);
  assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));
  tw_builder_release(b);
}

static const tw_type_t i32 = {.dtype = TW_S32}, f32 = {.dtype = TW_F32},
                       row = {.dtype = TW_F32, .dims = (const int64_t[]){4}, .ndims = 1};

static tw_value_t scalar_of(tw_builder_t *b, tw_dtype_t dtype, double value) {
  return tw_builder_splat(b, dtype, NULL, 0, value);
}

static tw_value_t op_with(tw_builder_t *b, const char *name, const tw_value_t *operands, size_t num_operands,
                          const tw_region_t *regions, size_t num_regions, const tw_attr_t *attrs,
                          size_t num_attrs, tw_value_t *out, size_t max) {
  const tw_op_spec_t spec = {.struct_size = sizeof spec,
                             .name = name,
                             .operands = operands,
                             .num_operands = num_operands,
                             .regions = regions,
                             .num_regions = num_regions,
                             .attrs = attrs,
                             .num_attrs = num_attrs};
  return tw_builder_op(b, &spec, out, max);
}

static void run_f32(const tw_graph_t *graph, const float *in, size_t n, float *out) {
  tw_tensor_t *a = NULL, *r = NULL;
  assert_ok(tw_tensor_wrap(TW_F32, (const int64_t[]){(int64_t)n}, 1, (void *)(uintptr_t)in, NULL, NULL, &a));
  size_t ndims = 0;
  const int64_t *dims = tw_graph_result_dims(graph, 0, &ndims);
  assert_ok(tw_tensor_wrap(TW_F32, dims, ndims, out, NULL, NULL, &r));
  assert_ok(tw_graph_evaluate(graph, (const tw_tensor_t *const[]){a}, 1, &r, 1));
  tw_tensor_release(a);
  tw_tensor_release(r);
}

/* for i in 0..3: x = if i < 2 then x + x else x * 3. An if within a while. */
static void test_control_flow(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("loop");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(4));
  const tw_type_t types[] = {i32, row};
  tw_value_t args[2], results[2];
  tw_region_t regions[2], branches[2];

  tw_builder_begin_region(b, types, 2, args);
  tw_value_t yields[2] = {tw_builder_compare(b, "LT", args[0], scalar_of(b, TW_S32, 3))};
  regions[0] = tw_builder_end_region(b, yields, 1);

  tw_builder_begin_region(b, types, 2, args);
  const tw_value_t low = tw_builder_compare(b, "LT", args[0], scalar_of(b, TW_S32, 2));
  tw_builder_begin_region(b, NULL, 0, NULL);
  yields[0] = tw_builder_binary(b, "add", args[1], args[1]);
  branches[0] = tw_builder_end_region(b, yields, 1);
  tw_builder_begin_region(b, NULL, 0, NULL);
  yields[0] = tw_builder_binary(b, "multiply", args[1], scalar_of(b, TW_F32, 3));
  branches[1] = tw_builder_end_region(b, yields, 1);
  yields[1] = op_with(b, "if", &low, 1, branches, 2, NULL, 0, NULL, 0);
  yields[0] = tw_builder_binary(b, "add", args[0], scalar_of(b, TW_S32, 1));
  regions[1] = tw_builder_end_region(b, yields, 2);

  const tw_value_t init[] = {scalar_of(b, TW_S32, 0), x};
  op_with(b, "while", init, 2, regions, 2, NULL, 0, results, 2);
  assert_ok(tw_builder_check(b));
  tw_builder_result(b, "y", results[1]);
  tw_graph_t *graph = finish(b);
  float out[4];
  run_f32(graph, (const float[]){1, 2, 3, 4}, 4, out);
  for (int i = 0; i < 4; ++i)
    assert_true(out[i] == (float)(i + 1) * 12);
  tw_graph_release(graph);
}

/* Regions that wait for their ops, given to them in another order than they began. */
static void test_waiting_regions(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("order");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(4));
  const tw_region_t sum = tw_builder_combiner(b, "add", TW_F32),
                    most = tw_builder_combiner(b, "maximum", TW_F32),
                    product = tw_builder_combiner(b, "multiply", TW_F32);
  tw_region_t wait[2];
  const tw_value_t flag = tw_builder_compare(b, "LT", scalar_of(b, TW_F32, 1), scalar_of(b, TW_F32, 2));
  for (int i = 0; i < 2; ++i) {
    tw_builder_begin_region(b, NULL, 0, NULL);
    const tw_value_t c = scalar_of(b, TW_F32, i == 0 ? 100 : 200);
    wait[i] = tw_builder_end_region(b, &c, 1);
  }
  const tw_region_t swapped[] = {wait[1], wait[0]};
  const tw_value_t two_hundred = op_with(b, "if", &flag, 1, swapped, 2, NULL, 0, NULL, 0);
  const int64_t dim = 0;
  const tw_attr_t over = {.name = "dimensions", .kind = TW_ATTR_INTS, .ints = &dim, .num_ints = 1};
  tw_value_t total = two_hundred;
  const struct {
    tw_region_t region;
    double init;
  } folds[] = {{product, 1}, {sum, 0}, {most, -1e9}};
  for (int i = 0; i < 3; ++i) {
    const tw_value_t operands[] = {x, scalar_of(b, TW_F32, folds[i].init)};
    total = tw_builder_binary(b, "add", total,
                              op_with(b, "reduce", operands, 2, &folds[i].region, 1, &over, 1, NULL, 0));
  }
  tw_builder_result(b, "y", total);
  tw_graph_t *graph = finish(b);
  float out = 0;
  run_f32(graph, (const float[]){1, 2, 3, 4}, 4, &out);
  assert_true(out == 200 + 24 + 10 + 4);
  tw_graph_release(graph);
}

/* A sort by a comparator of its own, and a map. */
static void test_sort_and_map(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("sorted");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(4));
  const tw_type_t two[] = {f32, f32};
  tw_value_t args[2];
  tw_builder_begin_region(b, two, 2, args);
  const tw_value_t more = tw_builder_compare(b, "GT", args[0], args[1]);
  const tw_region_t descending = tw_builder_end_region(b, &more, 1);
  const tw_attr_t dim = {.name = "dimension", .kind = TW_ATTR_INTEGER, .integer = 0};
  const tw_value_t sorted = op_with(b, "sort", &x, 1, &descending, 1, &dim, 1, NULL, 0);
  tw_builder_begin_region(b, &f32, 1, args);
  const tw_value_t twice = tw_builder_binary(b, "add", args[0], args[0]);
  const tw_region_t doubled = tw_builder_end_region(b, &twice, 1);
  const int64_t zero = 0;
  const tw_attr_t dims = {.name = "dimensions", .kind = TW_ATTR_INTS, .ints = &zero, .num_ints = 1};
  tw_builder_result(b, "y", op_with(b, "map", &sorted, 1, &doubled, 1, &dims, 1, NULL, 0));
  tw_graph_t *graph = finish(b);
  float out[4];
  run_f32(graph, (const float[]){3, 1, 4, 2}, 4, out);
  for (int i = 0; i < 4; ++i)
    assert_true(out[i] == (float)(8 - 2 * i));
  tw_graph_release(graph);
}

static void test_wrong_regions(void **state) {
  (void)state;
  tw_value_t arg = 0;
  tw_builder_t *b = new_builder("open");
  tw_builder_begin_region(b, &f32, 1, &arg);
  assert_ends(b, TW_FAILED_PRECONDITION, "open");
  b = new_builder("unused");
  tw_builder_combiner(b, "add", TW_F32);
  assert_ends(b, TW_FAILED_PRECONDITION, "region 0 was given to no op");
  b = new_builder("inner");
  tw_builder_begin_region(b, NULL, 0, NULL);
  tw_builder_combiner(b, "add", TW_F32);
  assert_int_equal(tw_builder_end_region(b, NULL, 0), TW_NO_REGION);
  assert_ends(b, TW_FAILED_PRECONDITION, "region 1 inside this one was given to no op");
  b = new_builder("end");
  tw_builder_end_region(b, NULL, 0);
  assert_ends(b, TW_FAILED_PRECONDITION, "no region is open");
  b = new_builder("hidden"); /* a value of a region that has ended */
  tw_builder_begin_region(b, &f32, 1, &arg);
  tw_builder_end_region(b, &arg, 1);
  tw_builder_unary(b, "tanh", arg);
  assert_ends(b, TW_INVALID_ARGUMENT, "region that has ended");
  b = new_builder("twice");
  const tw_region_t both[] = {tw_builder_combiner(b, "add", TW_F32), 0};
  const tw_value_t flag = tw_builder_compare(b, "LT", scalar_of(b, TW_F32, 1), scalar_of(b, TW_F32, 2));
  op_with(b, "if", &flag, 1, both, 2, NULL, 0, NULL, 0);
  assert_ends(b, TW_INVALID_ARGUMENT, "belongs to another op");
  b = new_builder("elsewhere");
  const tw_region_t outer = tw_builder_combiner(b, "add", TW_F32);
  tw_builder_begin_region(b, &f32, 1, &arg);
  op_with(b, "map", &arg, 1, &outer, 1, NULL, 0, NULL, 0);
  assert_ends(b, TW_INVALID_ARGUMENT, "began elsewhere");
  b = new_builder("signature");
  tw_builder_begin_region(b, NULL, 0, NULL);
  tw_builder_argument(b, "x", TW_F32, NULL, 0);
  assert_ends(b, TW_FAILED_PRECONDITION, "arguments stand in the body");
  b = new_builder("no regions");
  tw_builder_add(b, "while", NULL, 0, NULL, 0, NULL, 0);
  assert_ends(b, TW_INVALID_ARGUMENT, "tw_builder_op");
  b = new_builder("count");
  const tw_region_t sum = tw_builder_combiner(b, "add", TW_F32);
  const tw_value_t less = tw_builder_compare(b, "LT", scalar_of(b, TW_F32, 1), scalar_of(b, TW_F32, 2));
  op_with(b, "if", &less, 1, &sum, 1, NULL, 0, NULL, 0);
  assert_ends(b, TW_INVALID_ARGUMENT, "takes 2 regions, has 1");
  b = new_builder("combiner");
  tw_builder_combiner(b, "tanh", TW_F32);
  assert_ends(b, TW_INVALID_ARGUMENT, "tanh");
}

static void test_the_failing_call_is_named(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("calls");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(4, 5));
  assert_ok(tw_builder_check(b));
  tw_builder_unary(b, "tanh", x);
  assert_int_equal(tw_builder_einsum(b, "ab,bc->ac", x, x), TW_NO_VALUE);
  tw_builder_unary(b, "tanh", x); /* does nothing */
  assert_int_equal(tw_builder_check(b), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(), "call 3, tw_builder_einsum");
  assert_int_equal(tw_builder_check(b), TW_INVALID_ARGUMENT); /* while the builder goes on */
  assert_ends(b, TW_INVALID_ARGUMENT, "call 3, tw_builder_einsum");
  assert_null_argument("builder", tw_builder_check(NULL));
  assert_int_equal(tw_builder_end_region(NULL, NULL, 0), TW_NO_REGION);
}

static void test_names_and_places(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("named");
  const tw_value_t x = tw_builder_donated_argument(b, "x", TW_F32, (const int64_t[]){4}, 1, 0);
  const tw_op_spec_t spec = {.struct_size = sizeof spec,
                             .name = "tanh",
                             .operands = &x,
                             .num_operands = 1,
                             .location = "model.py:12"};
  const tw_value_t h = tw_builder_op(b, &spec, NULL, 0);
  tw_builder_name(b, h, "hidden");
  tw_builder_result(b, "y", tw_builder_slice(b, h, (const int64_t[]){0}, (const int64_t[]){4}, NULL, 1));
  tw_graph_t *graph = finish(b);
  tw_value_t found = TW_NO_VALUE;
  assert_ok(tw_graph_find_value(graph, "%hidden", &found));
  assert_int_equal(found, h);
  tw_blob_t *text = NULL;
  assert_ok(tw_graph_value_name(graph, h, &text));
  assert_string_equal(tw_blob_data(text), "%hidden");
  tw_blob_release(text);
  tw_value_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_graph_value(graph, h, &view));
  assert_ok(tw_graph_op_location(graph, view.op, &text));
  assert_string_equal(tw_blob_data(text), "model.py:12");
  tw_blob_release(text);
  assert_int_equal(tw_graph_donated_to(graph, 0), 0);
  assert_int_equal(tw_graph_donated_to(graph, 1), -1);
  tw_plan_t *plan = make_plan(graph, "a=2", "");
  assert_ok(tw_plan_tile(plan, "%hidden", 0, "a"));
  tw_plan_release(plan);
  tw_graph_release(graph);

  b = new_builder("twice");
  const tw_value_t p = tw_builder_argument(b, "p", TW_F32, NULL, 0), q = tw_builder_unary(b, "tanh", p);
  tw_builder_name(b, p, "v");
  tw_builder_name(b, q, "%v");
  assert_ends(b, TW_INVALID_ARGUMENT, "both called %v");
  b = new_builder("number"); /* the name of a value that has none */
  const tw_value_t r = tw_builder_argument(b, "r", TW_F32, NULL, 0);
  tw_builder_unary(b, "tanh", tw_builder_unary(b, "tanh", r));
  tw_builder_name(b, r, "2");
  assert_ends(b, TW_INVALID_ARGUMENT, "called %2");
  b = new_builder("signs");
  tw_builder_name(b, tw_builder_argument(b, "s", TW_F32, NULL, 0), "a b");
  assert_ends(b, TW_INVALID_ARGUMENT, "is no name of a value");
  b = new_builder("donated");
  tw_builder_donated_argument(b, "d", TW_F32, NULL, 0, 3);
  assert_ends(b, TW_INVALID_ARGUMENT, "donated to result 3");
}

static void test_shardings(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("a=2,b=4"), *other = make_mesh("a=4,b=2");
  tw_sharding_t *rows = NULL, *columns = NULL, *foreign = NULL, *partial = NULL, *halo = NULL;
  assert_ok(tw_sharding_parse(mesh, "[{a}, {}]", DIMS(8, 8), &rows));
  assert_ok(tw_sharding_parse(mesh, "[{}, {b:(2)2}]", DIMS(8, 8), &columns));
  assert_ok(tw_sharding_parse(other, "[{a}, {}]", DIMS(8, 8), &foreign));
  assert_ok(tw_sharding_parse(mesh, "[{a}, {}] +b", DIMS(8, 8), &partial));
  assert_ok(tw_sharding_parse(mesh, "[{a}:halo=[1,1], {}]", DIMS(8, 8), &halo));

  tw_builder_t *b = new_builder("annotated");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(8, 8));
  const tw_value_t h = tw_builder_unary(b, "tanh", x);
  tw_builder_result(b, "y", tw_builder_unary(b, "tanh", h));
  tw_builder_shard(b, x, rows);
  tw_builder_shard_result(b, 0, columns);
  tw_graph_t *graph = finish(b);
  assert_string_equal(tw_graph_mesh(graph), "a=2,b=4");
  tw_plan_t *plan = NULL;
  assert_ok(tw_plan_create(graph, NULL, NULL, &plan));
  tw_sharding_t *found = NULL;
  assert_ok(tw_plan_argument_sharding(plan, 0, &found));
  assert_int_equal(tw_sharding_equal(found, rows), 1);
  tw_sharding_release(found);
  assert_ok(tw_plan_result_sharding(plan, 0, &found));
  assert_int_equal(tw_sharding_equal(found, columns), 1);
  tw_sharding_release(found);
  tw_plan_release(plan);
  tw_graph_release(graph);

  const struct {
    const tw_sharding_t *sharding;
    tw_status_t status;
    const char *text;
  } wrong[] = {{NULL, TW_INVALID_ARGUMENT, "'sharding' is NULL"},
               {foreign, TW_INVALID_ARGUMENT, "over the mesh \"a=4,b=2\""},
               {partial, TW_UNIMPLEMENTED, "whole values"},
               {halo, TW_UNIMPLEMENTED, "dimension 0 has the halo [1,1]"},
               {rows, TW_INVALID_ARGUMENT, "has a sharding already"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    b = new_builder("wrong");
    const tw_value_t first = tw_builder_argument(b, "x", TW_F32, DIMS(8, 8));
    const tw_value_t second = tw_builder_argument(b, "z", TW_F32, DIMS(8, 8));
    tw_builder_shard(b, first, rows);
    tw_builder_shard(b, i == 4 ? first : second, wrong[i].sharding);
    assert_ends(b, wrong[i].status, wrong[i].text);
  }
  b = new_builder("shape");
  tw_builder_shard(b, tw_builder_argument(b, "x", TW_F32, DIMS(8)), rows);
  assert_ends(b, TW_INVALID_ARGUMENT, "the value is f32[8]");
  b = new_builder("result");
  tw_builder_shard_result(b, 0, rows);
  assert_ends(b, TW_OUT_OF_RANGE, "there is no result 0");
  tw_sharding_release(rows);
  tw_sharding_release(columns);
  tw_sharding_release(foreign);
  tw_sharding_release(partial);
  tw_sharding_release(halo);
  tw_mesh_release(mesh);
  tw_mesh_release(other);
}

static void test_conveniences(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("ops");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(4));
  const tw_value_t even =
      tw_builder_slice(b, x, (const int64_t[]){0}, (const int64_t[]){4}, (const int64_t[]){2}, 1);
  const tw_value_t back = tw_builder_convert(
      b, tw_builder_convert(b, tw_builder_compare(b, "GE", x, scalar_of(b, TW_F32, 2)), TW_S32), TW_F32);
  const uint16_t half = 0x3e00; /* 1.5 */
  const tw_value_t fill = tw_builder_convert(b, tw_builder_fill(b, TW_F16, DIMS(1), &half), TW_F32);
  tw_builder_result(b, "y", tw_builder_concatenate(b, (const tw_value_t[]){even, back, fill}, 3, 0));
  tw_graph_t *graph = finish(b);
  float out[7];
  run_f32(graph, (const float[]){1, 2, 3, 4}, 4, out);
  static const float wanted[] = {1, 3, 0, 1, 1, 1, 1.5F};
  assert_memory_equal(out, wanted, sizeof wanted);
  tw_graph_release(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_control_flow),
      cmocka_unit_test(test_waiting_regions),
      cmocka_unit_test(test_sort_and_map),
      cmocka_unit_test(test_wrong_regions),
      cmocka_unit_test(test_the_failing_call_is_named),
      cmocka_unit_test(test_names_and_places),
      cmocka_unit_test(test_shardings),
      cmocka_unit_test(test_conveniences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
