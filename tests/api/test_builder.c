/* SPDX-License-Identifier: Apache-2.0 */
/* tw_graph.h: building a graph call by call, with sticky errors. Longer than other files: one
 * test for each group of calls. */
#include "support.h"

#include <math.h>

static void assert_result(const tw_graph_t *graph, size_t i, tw_dtype_t dtype, const int64_t *dims,
                          size_t ndims) {
  size_t rank = 0;
  const int64_t *found = tw_graph_result_dims(graph, i, &rank);
  assert_int_equal(tw_graph_result_dtype(graph, i), dtype);
  assert_int_equal(rank, ndims);
  for (size_t d = 0; d < ndims; ++d)
    assert_int_equal(found[d], dims[d]);
}

static void test_mlp(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  assert_string_equal(tw_graph_name(graph), "mlp");
  assert_int_equal(tw_graph_num_arguments(graph), 3);
  assert_string_equal(tw_graph_argument_name(graph, 1), "w1");
  assert_string_equal(tw_graph_result_name(graph, 0), "y");
  assert_int_equal(tw_graph_num_ops(graph), 3);
  assert_result(graph, 0, TW_F32, DIMS(6, 8));
  tw_graph_release(graph);
}

static void test_value_names(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("test");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(4, 8));
  const tw_value_t y = tw_builder_unary(b, "tanh", x);
  const tw_value_t z = tw_builder_unary(b, "negate", y);
  tw_builder_result(b, "z", z);
  tw_graph_t *graph = finish(b);
  tw_mesh_t *mesh = NULL;
  assert_ok(tw_mesh_parse("a=2", &mesh));
  tw_plan_t *plan = NULL;
  assert_ok(tw_plan_create(graph, mesh, NULL, &plan));
  tw_blob_t *name = NULL, *sharding = NULL;
  assert_ok(tw_graph_value_name(graph, x, &name));
  assert_memory_equal(tw_blob_data(name), "x", 1);
  tw_blob_release(name);
  /* A value of the builder is one of the plan, by its name. */
  assert_ok(tw_graph_value_name(graph, y, &name));
  assert_ok(tw_plan_tile(plan, tw_blob_data(name), 0, "a"));
  assert_ok(tw_plan_sharding(plan, tw_blob_data(name), &sharding));
  assert_memory_equal(tw_blob_data(sharding), "[{a}, {}]", 9);
  tw_blob_release(sharding);
  tw_blob_release(name);
  /* A result is one by its name too. */
  assert_ok(tw_plan_tile(plan, "z", 1, "a"));
  assert_ok(tw_plan_sharding(plan, "z", &sharding));
  assert_memory_equal(tw_blob_data(sharding), "[{}, {a}]", 9);
  tw_blob_release(sharding);
  name = NULL;
  assert_int_equal(tw_graph_value_name(graph, 3, &name), TW_OUT_OF_RANGE);
  assert_null(name);
  tw_plan_release(plan);
  tw_mesh_release(mesh);
  tw_graph_release(graph);
}

static void refuse_name(const char *first, const char *second, int of_result) {
  tw_builder_t *b = new_builder("test");
  const tw_value_t x = tw_builder_argument(b, of_result ? "x" : first, TW_F32, DIMS(4));
  if (!of_result)
    tw_builder_argument(b, second, TW_F32, DIMS(4));
  tw_builder_result(b, of_result ? first : "y", x);
  if (of_result)
    tw_builder_result(b, second, x);
  tw_graph_t *graph = NULL;
  assert_int_equal(tw_builder_finish(b, &graph), TW_INVALID_ARGUMENT);
  assert_null(graph);
  tw_builder_release(b);
}

static void test_names_that_tell_nothing(void **state) {
  (void)state;
  refuse_name("x", "x", 0);
  refuse_name("%x", "x", 0);
  refuse_name("x", "0", 0);    /* a number is a place */
  refuse_name("x", "arg0", 0); /* which is that of the first */
  refuse_name("y", "y", 1);
  refuse_name("y", "out0", 1);
}

static void test_conveniences(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("test");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(2, 3, 4));
  const tw_value_t half = tw_builder_splat(b, TW_F32, NULL, 0, 0.5);
  tw_builder_result(b, "binary",
                    tw_builder_binary(b, "multiply", x, half)); /* one a scalar which is then broadcast */
  tw_builder_result(b, "transpose", tw_builder_transpose(b, x, DIMS(2, 0, 1)));
  tw_builder_result(b, "reshape", tw_builder_reshape(b, x, DIMS(6, 4)));
  tw_builder_result(b, "reduce", tw_builder_reduce(b, "max", x, DIMS(0, 2)));
  const tw_value_t row = tw_builder_argument(b, "row", TW_F32, DIMS(1, 4));
  tw_builder_result(b, "broadcast", tw_builder_broadcast(b, row, DIMS(5, 3, 4), DIMS(1, 2)));
  const tw_value_t y = tw_builder_argument(b, "y", TW_F32, DIMS(2, 4, 5));
  tw_builder_result(b, "einsum", tw_builder_einsum(b, "bij,bjk->bki", x, y)); /* and a transpose */
  const int32_t data[] = {1, 2, 3};
  tw_builder_result(b, "constant", tw_builder_constant(b, TW_S32, DIMS(3), data));
  tw_graph_t *graph = finish(b);
  assert_result(graph, 0, TW_F32, DIMS(2, 3, 4));
  assert_result(graph, 1, TW_F32, DIMS(4, 2, 3));
  assert_result(graph, 2, TW_F32, DIMS(6, 4));
  assert_result(graph, 3, TW_F32, DIMS(3));
  assert_result(graph, 4, TW_F32, DIMS(5, 3, 4));
  assert_result(graph, 5, TW_F32, DIMS(2, 5, 3));
  assert_result(graph, 6, TW_S32, DIMS(3));
  tw_graph_release(graph);
}

/* What a type cannot hold saturates, as it does where the program converts it. */
static int64_t splat_of(tw_dtype_t dtype, size_t size, double value) {
  tw_builder_t *b = new_builder("splat");
  tw_builder_result(b, "y", tw_builder_splat(b, dtype, NULL, 0, value));
  tw_graph_t *graph = NULL;
  assert_ok(tw_builder_finish(b, &graph));
  tw_builder_release(b);
  tw_value_view_t made = {.struct_size = sizeof made};
  assert_ok(tw_graph_value(graph, tw_graph_result(graph, 0), &made));
  const void *data = NULL;
  size_t bytes = 0;
  int splat = 0;
  assert_ok(tw_graph_constant(graph, made.op, &data, &bytes, &splat));
  assert_int_equal(bytes, size);
  int64_t element = 0;
  memcpy(&element, data, size);
  tw_graph_release(graph);
  return element;
}

static void test_splats(void **state) {
  (void)state;
  assert_int_equal(splat_of(TW_U8, 1, -1), 0);
  assert_int_equal(splat_of(TW_U8, 1, 300), 255);
  assert_int_equal((int8_t)splat_of(TW_S8, 1, -1e9), -128);
  assert_int_equal((int32_t)splat_of(TW_S32, 4, 7.9), 7);
  assert_int_equal(splat_of(TW_S32, 4, NAN), 0);
  assert_true(splat_of(TW_S64, 8, 1e300) == INT64_MAX);
}

static void test_add(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("test");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(4, 6));
  tw_value_t out[2] = {7, 7};
  /* "stablehlo.add", or just "add" */
  const tw_value_t sum = tw_builder_add(b, "stablehlo.add", (const tw_value_t[]){x, x}, 2, NULL, 0, out, 2);
  assert_int_equal(out[0], sum); /* Writes the results to out_results and returns the first */
  assert_int_equal(out[1], 7);
  const int64_t start[] = {0, 1}, limit[] = {4, 5}, stride[] = {1, 2};
  const tw_attr_t slice[] = {
      {.name = "start_indices", .kind = TW_ATTR_INTS, .ints = start, .num_ints = 2},
      {.name = "limit_indices", .kind = TW_ATTR_INTS, .ints = limit, .num_ints = 2},
      {.name = "strides", .kind = TW_ATTR_INTS, .ints = stride, .num_ints = 2},
  };
  tw_builder_result(b, "slice", tw_builder_add(b, "slice", &sum, 1, slice, 3, NULL, 0));
  /* Where operands and attributes do not fix the result type, two more attributes state it */
  const int64_t dims[] = {3, 2};
  const tw_attr_t iota[] = {
      {.name = "iota_dimension", .kind = TW_ATTR_INTEGER, .integer = 1},
      {.name = "result_dims", .kind = TW_ATTR_INTS, .ints = dims, .num_ints = 2},
      {.name = "result_dtype", .kind = TW_ATTR_INTEGER, .integer = TW_S32},
  };
  tw_builder_result(b, "iota", tw_builder_add(b, "iota", NULL, 0, iota, 3, NULL, 0));
  const tw_attr_t to_f64 = {.name = "result_dtype", .kind = TW_ATTR_INTEGER, .integer = TW_F64};
  tw_builder_result(b, "convert", tw_builder_add(b, "convert", &x, 1, &to_f64, 1, NULL, 0));
  tw_graph_t *graph = finish(b);
  assert_result(graph, 0, TW_F32, DIMS(4, 2));
  assert_result(graph, 1, TW_S32, DIMS(3, 2));
  assert_result(graph, 2, TW_F64, DIMS(4, 6));
  tw_graph_release(graph);
}

/* After the first error every call is a no-op that returns TW_NO_VALUE, and tw_builder_finish reports it. */
static void test_sticky_error(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("test");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(4, 6));
  const tw_value_t y = tw_builder_argument(b, "y", TW_F32, DIMS(5, 6));
  assert_int_equal(tw_builder_binary(b, "stablehlo.add", x, y), TW_NO_VALUE); /* the first */
  assert_int_equal(tw_builder_unary(b, "no.such.op", x), TW_NO_VALUE);        /* not reported */
  assert_int_equal(tw_builder_argument(b, "z", TW_F32, DIMS(1)), TW_NO_VALUE);
  tw_builder_result(b, "out", x);
  tw_graph_t *graph = UNTOUCHED(tw_graph_t);
  assert_int_equal(tw_builder_finish(b, &graph), TW_INVALID_ARGUMENT);
  assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));
  /* a misfit is an error naming op and sizes */
  assert_contains(tw_error_message(), "add");
  assert_contains(tw_error_message(), "5");
  assert_null(strstr(tw_error_message(), "no.such.op"));
  /* The builder is empty afterwards, whatever the outcome */
  assert_fails(TW_FAILED_PRECONDITION, tw_builder_finish(b, &graph));
  assert_int_equal(tw_builder_argument(b, "x", TW_F32, DIMS(1)), TW_NO_VALUE);
  tw_builder_release(b);

  b = new_builder("test");
  tw_builder_result(b, "x", tw_builder_argument(b, "x", TW_F32, DIMS(2)));
  assert_ok(tw_builder_finish(b, &graph));
  tw_graph_release(graph);
  assert_fails(TW_FAILED_PRECONDITION, tw_builder_finish(b, &graph));
  tw_builder_release(b);
}

/* Each wrong call on a fresh builder: TW_NO_VALUE at once, the status at finish. */
#define assert_sticks(wanted, call)                                                                          \
  do {                                                                                                       \
    tw_builder_t *b = new_builder("test");                                                                   \
    const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(2, 3));                                    \
    assert_int_not_equal(x, TW_NO_VALUE);                                                                    \
    assert_int_equal((call), TW_NO_VALUE);                                                                   \
    tw_graph_t *graph = UNTOUCHED(tw_graph_t);                                                               \
    assert_fails(wanted, tw_builder_finish(b, &graph));                                                      \
    assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));                                                          \
    tw_builder_release(b);                                                                                   \
  } while (0)

/* The same, with a word of the message. */
#define assert_says(text, call)                                                                              \
  do {                                                                                                       \
    tw_builder_t *b = new_builder("test");                                                                   \
    const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(2, 3));                                    \
    assert_int_not_equal(x, TW_NO_VALUE);                                                                    \
    assert_int_equal((call), TW_NO_VALUE);                                                                   \
    tw_graph_t *graph = UNTOUCHED(tw_graph_t);                                                               \
    assert_int_equal(tw_builder_finish(b, &graph), TW_INVALID_ARGUMENT);                                     \
    assert_contains(tw_error_message(), text);                                                               \
    tw_builder_release(b);                                                                                   \
  } while (0)

static void test_bad_calls(void **state) {
  (void)state;
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, NULL, TW_F32, DIMS(2)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, "a", TW_F32, NULL, 2));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, "a", TW_DTYPE_INVALID, DIMS(2)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, "a", TW_TOKEN, DIMS(2)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, "a", -7, DIMS(2)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, "a", INT32_MAX, DIMS(2)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, "a", TW_F32, DIMS(2, -1)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, "a", TW_F32, DIMS(INT64_MAX, 8)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_constant(b, TW_F32, DIMS(2), NULL));
  assert_sticks(TW_NOT_FOUND, tw_builder_unary(b, "stablehlo.no_such_op", x));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_unary(b, NULL, x));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_unary(b, "tanh", x + 1000)); /* no value of this builder */
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_unary(b, "tanh", TW_NO_VALUE));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_unary(b, "add", x)); /* one operand too few */
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_binary(b, "add", x, TW_NO_VALUE));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_einsum(b, NULL, x, x));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_einsum(b, "ij,jk->ik", x, x)); /* j is 3 and 2 */
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_einsum(b, "nonsense", x, x));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_transpose(b, x, DIMS(0, 0)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_transpose(b, x, NULL, 2));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_reshape(b, x, DIMS(5)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_broadcast(b, x, DIMS(4, 4), DIMS(0, 1)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_reduce(b, NULL, x, DIMS(0)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_reduce(b, "sum", x, DIMS(2)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_reduce(b, "median", x, DIMS(0)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_add(b, "add", NULL, 2, NULL, 0, NULL, 0));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_add(b, "tanh", &x, 1, NULL, 1, NULL, 0));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_add(b, "tanh", &x, 1, NULL, 0, NULL, 1));
  const tw_attr_t nameless = {.kind = TW_ATTR_INTEGER};
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_add(b, "tanh", &x, 1, &nameless, 1, NULL, 0));
  const tw_attr_t odd_kind = {.name = "dimension", .kind = 99};
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_add(b, "concatenate", &x, 1, &odd_kind, 1, NULL, 0));
  const tw_attr_t unknown = {.name = "no_such_attribute", .kind = TW_ATTR_INTEGER};
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_add(b, "tanh", &x, 1, &unknown, 1, NULL, 0));
  const tw_attr_t no_ints = {.name = "permutation", .kind = TW_ATTR_INTS, .num_ints = 2};
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_add(b, "transpose", &x, 1, &no_ints, 1, NULL, 0));
}

/* The signature, and ops that own regions, have calls of their own. */
static void test_structural_ops(void **state) {
  (void)state;
  const tw_attr_t name = {.name = "name", .kind = TW_ATTR_STRING, .string = "z"};
  assert_says("tw_builder_argument", tw_builder_add(b, "func.argument", NULL, 0, &name, 1, NULL, 0));
  assert_says("tw_builder_result", tw_builder_add(b, "func.result", &x, 1, NULL, 0, NULL, 0));
  assert_says("tw_builder_result", tw_builder_unary(b, "func.result", x));
  assert_says("regions", tw_builder_binary(b, "map", x, x));
  assert_says("reduce knows sum, max, min, prod, and, or and xor, not \"raw\"",
              tw_builder_reduce(b, "raw", x, DIMS(0)));
  assert_says("reduce knows sum, max, min, prod, and, or and xor, not \"mean\"",
              tw_builder_reduce(b, "mean", x, DIMS(0)));
  assert_says("tw_builder_reduce",
              tw_builder_add(b, "reduce", (const tw_value_t[]){x, x}, 2, NULL, 0, NULL, 0));
  const char *const owners[] = {"while",        "if", "case", "sort", "scatter", "select_and_scatter",
                                "reduce_window"};
  for (size_t i = 0; i < sizeof owners / sizeof *owners; ++i)
    for (size_t n = 0; n < 4; ++n)
      assert_says("regions",
                  tw_builder_add(b, owners[i], (const tw_value_t[]){x, x, x}, n, NULL, 0, NULL, 0));
}

/* Whatever makes a type goes through the check that import uses: not negative, at most 32 dimensions, at
 * most 2^62 bytes. */
static void test_types(void **state) {
  (void)state;
  const int64_t big = (int64_t)1 << 62,
                many[40] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  /* stated */
  assert_says("broadcast_in_dim: f64[3037000500,3037000500] has more than 2^62 bytes",
              tw_builder_broadcast(b, tw_builder_splat(b, TW_F64, NULL, 0, 1), DIMS(3037000500, 3037000500),
                                   NULL, 0));
  assert_says("f64[-1] has a negative dimension",
              tw_builder_broadcast(b, tw_builder_splat(b, TW_F64, NULL, 0, 1), DIMS(-1), NULL, 0));
  assert_sticks(TW_INVALID_ARGUMENT,
                tw_builder_broadcast(b, tw_builder_splat(b, TW_F64, NULL, 0, 1), DIMS(-1, -1), NULL, 0));
  assert_sticks(TW_INVALID_ARGUMENT,
                tw_builder_broadcast(b, tw_builder_splat(b, TW_F64, NULL, 0, 1), many, 33, NULL, 0));
  assert_sticks(TW_INVALID_ARGUMENT,
                tw_builder_broadcast(b, tw_builder_splat(b, TW_F64, NULL, 0, 1), many, SIZE_MAX, NULL, 0));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_broadcast(b, x, NULL, 2, DIMS(0, 1)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_broadcast(b, x, DIMS(2, 3), NULL, 2));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_reshape(b, x, DIMS(-2, -3)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_reshape(b, x, NULL, 1));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_reshape(b, x, many, 40));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_transpose(b, x, many, SIZE_MAX));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_reduce(b, "sum", x, many, SIZE_MAX));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_reduce(b, "sum", x, NULL, 1));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, "a", TW_F32, many, 33));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, "a", TW_F32, many, SIZE_MAX));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_argument(b, "a", TW_F32, DIMS(0, INT64_MAX)));
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_splat(b, TW_F32, DIMS(INT64_MAX, INT64_MAX), 0));
  const tw_attr_t iota[] = {{.name = "iota_dimension"},
                            {.name = "result_dims", .kind = TW_ATTR_INTS, .ints = &big, .num_ints = 1}};
  assert_sticks(TW_INVALID_ARGUMENT, tw_builder_add(b, "iota", NULL, 0, iota, 2, NULL, 0));
  const tw_attr_t no_list[] = {{.name = "iota_dimension"}, {.name = "result_dims", .integer = 4}};
  assert_says("result_dims", tw_builder_add(b, "iota", NULL, 0, no_list, 2, NULL, 0));
  const tw_attr_t no_number = {.name = "result_dtype", .kind = TW_ATTR_STRING, .string = "f32"};
  assert_says("result_dtype", tw_builder_add(b, "convert", &x, 1, &no_number, 1, NULL, 0));
  /* inferred */
  assert_says("dot_general: f32[1099511627776,1099511627776] has more than 2^62 bytes",
              tw_builder_einsum(b, "a,b->ab", tw_builder_argument(b, "l", TW_F32, DIMS((int64_t)1 << 40)),
                                tw_builder_argument(b, "r", TW_F32, DIMS((int64_t)1 << 40))));
  tw_value_t halves[3];
  const tw_attr_t along = {.name = "dimension"};
  assert_sticks(TW_INVALID_ARGUMENT,
                (halves[0] = halves[1] = halves[2] = tw_builder_argument(b, "i", TW_S8, &big, 1),
                 tw_builder_add(b, "concatenate", halves, 2, &along, 1, NULL, 0)));
  assert_sticks(TW_INVALID_ARGUMENT,
                (halves[0] = halves[1] = halves[2] = tw_builder_argument(b, "i", TW_S8, &big, 1),
                 tw_builder_add(b, "concatenate", halves, 3, &along, 1, NULL, 0)));
  assert_sticks(TW_INVALID_ARGUMENT,
                tw_builder_unary(b, "is_finite", tw_builder_argument(b, "i", TW_F32, many, 33)));
  assert_says("36 dimensions",
              tw_builder_einsum(b,
                                "abcdefghijklmnopqr,ABCDEFGHIJKLMNOPQR->abcdefghijklmnopqrABCDEFGHIJKLMNOPQR",
                                tw_builder_argument(b, "l", TW_F32, many, 18),
                                tw_builder_argument(b, "r", TW_F32, many, 18)));
  /* As many as there may be, and as large; but not several of them. */
  const int64_t large = (int64_t)1 << 60;
  for (int results = 1; results < 4; results += 2) {
    tw_builder_t *b = new_builder("test");
    const tw_value_t deep = tw_builder_argument(b, "deep", TW_F32, many, 32);
    tw_builder_result(b, "deep", tw_builder_unary(b, "tanh", deep));
    const tw_value_t all =
        tw_builder_broadcast(b, tw_builder_splat(b, TW_S8, NULL, 0, 1), &large, 1, NULL, 0);
    for (int i = 0; i < results; ++i)
      tw_builder_result(b, (const char *[]){"a", "b", "c"}[i], all);
    tw_graph_t *graph = NULL;
    const tw_status_t status = tw_builder_finish(b, &graph);
    assert_int_equal(status, results == 1 ? TW_OK : TW_INVALID_ARGUMENT);
    if (results != 1)
      assert_contains(tw_error_message(), "together");
    tw_graph_release(graph);
    tw_builder_release(b);
  }
  tw_tensor_t *tensor = UNTOUCHED(tw_tensor_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_create(NULL, TW_F32, many, 33, &tensor));
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_create(NULL, TW_F32, DIMS(0, INT64_MAX), &tensor));
}

static void test_nothing(void **state) {
  (void)state;
  tw_builder_t *b = UNTOUCHED(tw_builder_t);
  assert_null_argument("name", tw_builder_create(NULL, &b));
  assert_ptr_equal(b, UNTOUCHED(tw_builder_t));
  assert_null_argument("out_builder", tw_builder_create("b", NULL));
  tw_builder_release(NULL);
  assert_int_equal(tw_builder_argument(NULL, "x", TW_F32, NULL, 0), TW_NO_VALUE);
  assert_int_equal(tw_builder_constant(NULL, TW_F32, NULL, 0, ""), TW_NO_VALUE);
  assert_int_equal(tw_builder_splat(NULL, TW_F32, NULL, 0, 1), TW_NO_VALUE);
  assert_int_equal(tw_builder_add(NULL, "add", NULL, 0, NULL, 0, NULL, 0), TW_NO_VALUE);
  assert_int_equal(tw_builder_unary(NULL, "tanh", 0), TW_NO_VALUE);
  assert_int_equal(tw_builder_binary(NULL, "add", 0, 0), TW_NO_VALUE);
  assert_int_equal(tw_builder_einsum(NULL, "i,i->", 0, 0), TW_NO_VALUE);
  assert_int_equal(tw_builder_transpose(NULL, 0, NULL, 0), TW_NO_VALUE);
  assert_int_equal(tw_builder_reshape(NULL, 0, NULL, 0), TW_NO_VALUE);
  assert_int_equal(tw_builder_broadcast(NULL, 0, NULL, 0, NULL, 0), TW_NO_VALUE);
  assert_int_equal(tw_builder_reduce(NULL, "sum", 0, NULL, 0), TW_NO_VALUE);
  tw_builder_result(NULL, "x", 0);
  tw_graph_t *graph = UNTOUCHED(tw_graph_t);
  assert_null_argument("builder", tw_builder_finish(NULL, &graph));
  assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));
  b = new_builder("test");
  assert_null_argument("out_graph", tw_builder_finish(b, NULL));
  tw_builder_result(b, NULL, 0);
  assert_fails(TW_INVALID_ARGUMENT, tw_builder_finish(b, &graph));
  tw_builder_release(b);
  b = new_builder("test");
  tw_builder_result(b, "r", 3); /* no such value */
  assert_fails(TW_INVALID_ARGUMENT, tw_builder_finish(b, &graph));
  tw_builder_release(b);
}

/* An argument goes to one result, of its own type, and a result takes one argument. */
static void test_donations(void **state) {
  (void)state;
  static const int64_t four[] = {4}, rows[] = {2, 2};
  const struct {
    tw_dtype_t dtype;
    const int64_t *dims;
    size_t ndims;
    int64_t results[2];
    const char *wanted;
  } cases[] = {
      {TW_F32, rows, 2, {-1, 0}, "argument 1 (y) is tensor<2x2xf32> and is donated to result 0, which is"},
      {TW_S32, four, 1, {-1, 0}, "argument 1 (y) is tensor<4xi32> and is donated to result 0, which is"},
      {TW_F32, four, 1, {0, 0}, "argument 0 (x) and argument 1 (y) are both donated to result 0"},
      {TW_F32, four, 1, {-1, 1}, "argument 1 (y) is donated to result 1, and there are 1 results"},
      {TW_F32, four, 1, {-1, 0}, NULL},
      {TW_S32, rows, 2, {0, -1}, NULL}, /* to no result in particular */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    tw_builder_t *b = new_builder("donations");
    tw_graph_t *graph = UNTOUCHED(tw_graph_t);
    const tw_value_t x = tw_builder_donated_argument(b, "x", TW_F32, four, 1, cases[i].results[0]);
    tw_builder_donated_argument(b, "y", cases[i].dtype, cases[i].dims, cases[i].ndims, cases[i].results[1]);
    tw_builder_result(b, "z", tw_builder_unary(b, "stablehlo.negate", x));
    if (cases[i].wanted) {
      const tw_status_t status = tw_builder_finish(b, &graph);
      assert_int_equal(status, TW_INVALID_ARGUMENT);
      assert_contains(tw_error_message(), cases[i].wanted);
      assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));
    } else {
      assert_ok(tw_builder_finish(b, &graph));
      tw_graph_release(graph);
    }
    tw_builder_release(b);
  }
}

/* Names are UTF-8, and have escapes for what a terminal would obey. */
static void test_names_from_outside(void **state) {
  (void)state;
  tw_builder_t *b = NULL;
  tw_graph_t *graph = NULL;
  assert_fails(TW_INVALID_ARGUMENT, tw_builder_create("pr\xffgram", &b));
  for (int i = 0; i < 2; ++i) {
    b = new_builder("names");
    const tw_value_t x = tw_builder_argument(b, i == 0 ? "a\xc3(" : "a", TW_F32, DIMS(2));
    tw_builder_result(b, i == 1 ? "\x80" : "r", x);
    assert_int_equal(tw_builder_finish(b, &graph), TW_INVALID_ARGUMENT);
    assert_contains(tw_error_message(), "is no UTF-8");
    tw_builder_release(b);
  }
  b = new_builder("a \x1b[1m program");
  tw_builder_result(b, "caf\xc3\xa9\r", tw_builder_argument(b, "a\x1b[31mb", TW_F32, DIMS(2)));
  graph = finish(b);
  assert_string_equal(tw_graph_argument_name(graph, 0), "a\\x1b[31mb");
  assert_string_equal(tw_graph_result_name(graph, 0), "caf\xc3\xa9\\x0d");
  tw_graph_release(graph);
  b = new_builder("no name");
  const tw_op_spec_t unnamed = {.struct_size = sizeof unnamed};
  assert_int_equal(tw_builder_op(b, &unnamed, NULL, 0), TW_NO_VALUE);
  graph = UNTOUCHED(tw_graph_t);
  assert_null_argument("spec->name", tw_builder_finish(b, &graph));
  tw_builder_release(b);
  tw_mesh_t *mesh = UNTOUCHED(tw_mesh_t);
  const int64_t size = 2;
  const char *wrong[] = {"a\xff", "a\x1b"};
  for (int i = 0; i < 2; ++i)
    assert_fails(TW_INVALID_ARGUMENT, tw_mesh_create(&wrong[i], &size, 1, &mesh));
  assert_ptr_equal(mesh, UNTOUCHED(tw_mesh_t));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mlp),
      cmocka_unit_test(test_conveniences),
      cmocka_unit_test(test_value_names),
      cmocka_unit_test(test_names_that_tell_nothing),
      cmocka_unit_test(test_splats),
      cmocka_unit_test(test_add),
      cmocka_unit_test(test_sticky_error),
      cmocka_unit_test(test_bad_calls),
      cmocka_unit_test(test_structural_ops),
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_donations),
      cmocka_unit_test(test_names_from_outside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
