/* SPDX-License-Identifier: Apache-2.0 */
/* tw_runtime.h: tensors, comparison, executables, the reference evaluator. Longer than other files: one
 * test for each function of the header. */
#include "support.h"

#include <math.h>

static void test_tensors(void **state) {
  (void)state;
  tw_tensor_t *tensor = NULL;
  assert_ok(tw_tensor_create(NULL, TW_F64, DIMS(3, 4), &tensor));
  assert_int_equal(tw_tensor_dtype(tensor), TW_F64);
  assert_int_equal(tw_tensor_bytes(tensor), 96);
  size_t rank = 77;
  const int64_t *dims = tw_tensor_dims(tensor, &rank);
  assert_int_equal(rank, 2);
  assert_int_equal(dims[0], 3);
  assert_int_equal(dims[1], 4);
  for (int i = 0; i < 96; ++i) /* Zero-filled */
    assert_int_equal(((const char *)tw_tensor_const_data(tensor))[i], 0);
  assert_ptr_equal(tw_tensor_data(tensor), tw_tensor_const_data(tensor));
  assert_ptr_equal(tw_tensor_retain(tensor), tensor);
  tw_tensor_release(tensor);
  assert_int_equal(tw_tensor_bytes(tensor), 96);
  tw_tensor_release(tensor);

  assert_ok(tw_tensor_create(NULL, TW_S8, NULL, 0, &tensor)); /* a scalar */
  assert_int_equal(tw_tensor_bytes(tensor), 1);
  tw_tensor_release(tensor);
  assert_ok(tw_tensor_create(NULL, TW_F32, DIMS(0, 7), &tensor)); /* no elements */
  assert_int_equal(tw_tensor_bytes(tensor), 0);
  assert_ok(tw_tensor_fill(tensor, "ones", 0, 0));
  tw_tensor_release(tensor);
}

static void test_bad_tensors(void **state) {
  (void)state;
  tw_tensor_t *tensor = UNTOUCHED(tw_tensor_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_create(NULL, TW_DTYPE_INVALID, DIMS(2), &tensor));
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_create(NULL, TW_TOKEN, DIMS(2), &tensor));
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_create(NULL, INT32_MAX, DIMS(2), &tensor));
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_create(NULL, TW_F32, DIMS(-2), &tensor));
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_create(NULL, TW_F32, DIMS(INT64_MAX, INT64_MAX), &tensor));
  assert_fails(TW_RESOURCE_EXHAUSTED, tw_tensor_create(NULL, TW_F32, DIMS((int64_t)1 << 59), &tensor));
  assert_null_argument("dims", tw_tensor_create(NULL, TW_F32, NULL, 1, &tensor));
  assert_null_argument("out_tensor", tw_tensor_create(NULL, TW_F32, NULL, 0, NULL));
  assert_null_argument("data", tw_tensor_wrap(TW_F32, DIMS(2), NULL, NULL, NULL, &tensor));
  assert_null_argument("dims", tw_tensor_wrap(TW_F32, NULL, 1, &tensor, NULL, NULL, &tensor));
  assert_ptr_equal(tensor, UNTOUCHED(tw_tensor_t));
  tw_tensor_release(NULL);
  assert_null(tw_tensor_retain(NULL));
  assert_int_equal(tw_tensor_dtype(NULL), TW_DTYPE_INVALID);
  assert_int_equal(tw_tensor_bytes(NULL), 0);
  size_t rank = 77;
  assert_null(tw_tensor_dims(NULL, &rank));
  assert_int_equal(rank, 0);
  assert_null(tw_tensor_data(NULL));
  assert_null(tw_tensor_const_data(NULL));
}

static void count_destroy(void *user) { ++*(int *)user; }

static void test_wrap(void **state) {
  (void)state;
  float memory[6] = {1, 2, 3, 4, 5, 6};
  int destroyed = 0;
  tw_tensor_t *tensor = NULL;
  assert_ok(tw_tensor_wrap(TW_F32, DIMS(2, 3), memory, count_destroy, &destroyed, &tensor));
  assert_ptr_equal(tw_tensor_data(tensor), memory);
  tw_tensor_retain(tensor);
  tw_tensor_release(tensor);
  assert_int_equal(destroyed, 0);
  tw_tensor_release(tensor);
  assert_int_equal(destroyed, 1); /* at the last release */
  tensor = UNTOUCHED(tw_tensor_t);
  assert_fails(TW_INVALID_ARGUMENT,
               tw_tensor_wrap(TW_F32, DIMS(-1), memory, count_destroy, &destroyed, &tensor));
  assert_null_argument("out_tensor",
                       tw_tensor_wrap(TW_F32, DIMS(6), memory, count_destroy, &destroyed, NULL));
  assert_int_equal(destroyed, 1);                                          /* Not called when this fails. */
  assert_ok(tw_tensor_wrap(TW_F32, DIMS(6), memory, NULL, NULL, &tensor)); /* `destroy` may be NULL */
  tw_tensor_release(tensor);

  /* Kernels read elements that are aligned. */
  tensor = UNTOUCHED(tw_tensor_t);
  unsigned char *odd = (unsigned char *)memory + 1;
  assert_fails_saying(TW_INVALID_ARGUMENT, "is not aligned to 4 bytes, as elements of f32 are",
                      tw_tensor_wrap(TW_F32, DIMS(2), odd, NULL, NULL, &tensor));
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_wrap_const(TW_BF16, DIMS(2), odd, NULL, NULL, &tensor));
  assert_fails(TW_INVALID_ARGUMENT,
               tw_tensor_wrap_on("host", 0, TW_F32, DIMS(2), NULL, odd, NULL, NULL, &tensor));
  assert_ptr_equal(tensor, UNTOUCHED(tw_tensor_t));
  assert_ok(tw_tensor_wrap(TW_U8, DIMS(2), odd, NULL, NULL, &tensor));
  tw_tensor_release(tensor);
  assert_ok(tw_tensor_wrap(TW_F32, DIMS(0), odd, NULL, NULL, &tensor)); /* nothing is read */
  tw_tensor_release(tensor);
}

static void test_fill(void **state) {
  (void)state;
  tw_tensor_t *t = make_tensor(TW_F32, DIMS(1000), "ones", 0);
  const float *f = tw_tensor_const_data(t);
  assert_true(f[0] == 1 && f[999] == 1);
  assert_ok(tw_tensor_fill(t, "iota", 0, 0));
  assert_true(f[0] == 0 && f[999] == 999);
  assert_ok(tw_tensor_fill(t, "uniform(-2,3)", 1, 0));
  double low = 0, high = 0;
  for (int i = 0; i < 1000; ++i) {
    assert_true(f[i] >= -2 && f[i] < 3);
    low = f[i] < low ? f[i] : low;
    high = f[i] > high ? f[i] : high;
  }
  assert_true(low < -1.8 && high > 2.8);
  assert_ok(tw_tensor_fill(t, "normal(5,0.5)", 1, 0));
  double mean = 0, square = 0;
  for (int i = 0; i < 1000; ++i) {
    mean += f[i] / 1000;
    square += (f[i] - 5.0) * (f[i] - 5.0) / 1000;
  }
  assert_true(fabs(mean - 5) < 0.1 && fabs(sqrt(square) - 0.5) < 0.1);
  assert_ok(tw_tensor_fill(t, "randint(2,5)", 1, 0)); /* hi excluded */
  for (int i = 0; i < 1000; ++i)
    assert_true(f[i] == 2 || f[i] == 3 || f[i] == 4);
  /* "default": floats normal(0,1) scaled by 1/8 */
  assert_ok(tw_tensor_fill(t, "default", 1, 0));
  square = 0;
  for (int i = 0; i < 1000; ++i)
    square += (double)f[i] * f[i] / 1000;
  assert_true(fabs(sqrt(square) - 0.125) < 0.02);
  /* The stream depends only on seed and `stream`. */
  tw_tensor_t *other = make_tensor(TW_F32, DIMS(1000), "zeros", 0);
  assert_ok(tw_tensor_fill(other, "default", 1, 0));
  assert_memory_equal(tw_tensor_data(t), tw_tensor_data(other), 4000);
  assert_ok(tw_tensor_fill(other, "default", 2, 0));
  assert_memory_not_equal(tw_tensor_data(t), tw_tensor_data(other), 4000);
  assert_ok(tw_tensor_fill(other, "default", 1, 3));
  assert_memory_not_equal(tw_tensor_data(t), tw_tensor_data(other), 4000);
  /* A bad pattern changes nothing. */
  assert_ok(tw_tensor_fill(t, "ones", 0, 0));
  const char *bad[] = {"", "one", "uniform", "uniform(1)", "randint(3,3)", "normal(0,1", "normal(a,b)"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assert_fails(TW_INVALID_ARGUMENT, tw_tensor_fill(t, bad[i], 0, 0));
  assert_true(f[0] == 1 && f[999] == 1);
  assert_null_argument("tensor", tw_tensor_fill(NULL, "ones", 0, 0));
  assert_null_argument("pattern", tw_tensor_fill(t, NULL, 0, 0));
  tw_tensor_release(t);
  tw_tensor_release(other);

  t = make_tensor(TW_S32, DIMS(1000), "default", 0); /* integers randint(0,8) */
  for (int i = 0; i < 1000; ++i)
    assert_in_range(((const int32_t *)tw_tensor_const_data(t))[i], 0, 7);
  tw_tensor_release(t);
  t = make_tensor(TW_I1, DIMS(1000), "default", 0); /* booleans fair */
  int ones = 0;
  for (int i = 0; i < 1000; ++i) {
    assert_in_range(((const uint8_t *)tw_tensor_const_data(t))[i], 0, 1);
    ones += ((const uint8_t *)tw_tensor_const_data(t))[i];
  }
  assert_in_range(ones, 400, 600);
  tw_tensor_release(t);
}

static tw_comparison_t compare_floats(const float *a, const float *b, int64_t n, int exact) {
  tw_tensor_t *ta = NULL, *tb = NULL;
  assert_ok(tw_tensor_wrap(TW_F32, &n, 1, (void *)(uintptr_t)a, NULL, NULL, &ta));
  assert_ok(tw_tensor_wrap(TW_F32, &n, 1, (void *)(uintptr_t)b, NULL, NULL, &tb));
  tw_comparison_t c = {.struct_size = sizeof c};
  assert_ok(tw_tensor_compare(ta, tb, exact, &c));
  tw_tensor_release(ta);
  tw_tensor_release(tb);
  return c;
}

static void test_compare(void **state) {
  (void)state;
  const float b[] = {1, 2, 4, -8};
  tw_comparison_t c = compare_floats(b, b, 4, 1);
  assert_true(c.passes && c.bit_equal && c.max_abs == 0 && c.max_rel == 0 && !c.mistrusted &&
              c.nonfinite == 0);
  const float near[] = {1, 2, 4, -8.0001f};
  c = compare_floats(near, b, 4, 0);
  assert_true(c.passes && !c.bit_equal && c.max_abs > 0.00005 && c.max_abs < 0.0002 && c.max_rel < 0.00003);
  assert_true(!compare_floats(near, b, 4, 1).passes); /* `exact` */
  const float far[] = {1, 2, 4.1f, -8};
  c = compare_floats(far, b, 4, 0);
  assert_true(!c.passes && c.max_rel > 0.01 && c.max_rel < 0.02); /* max|a-b| / max|b| */
  /* NaN equals NaN, infinities equal themselves. */
  const float special[] = {NAN, INFINITY, -INFINITY, 1, 2, 3, 4, 5, 6, 7, 8};
  c = compare_floats(special, special, 11, 0);
  assert_true(c.passes && c.nonfinite == 3);
  const float other[] = {NAN, -INFINITY, -INFINITY, 1, 2, 3, 4, 5, 6, 7, 8};
  assert_true(!compare_floats(other, special, 11, 0).passes);
  const float missing[] = {1, INFINITY, -INFINITY, 1, 2, 3, 4, 5, 6, 7, 8};
  assert_true(!compare_floats(missing, special, 11, 0).passes);
  assert_true(!compare_floats(special, missing, 11, 0).passes);
  /* over 30 % of b is NaN, Inf, or equal to one constant */
  float mixed[40];
  for (int i = 0; i < 40; ++i)
    mixed[i] = i < 11 ? 3.0f : (float)i; /* 27 % */
  assert_true(!compare_floats(mixed, mixed, 40, 0).mistrusted);
  mixed[11] = mixed[12] = mixed[13] = 3; /* 35 % */
  assert_true(compare_floats(mixed, mixed, 40, 0).mistrusted);
  for (int i = 0; i < 14; ++i)
    mixed[i] = i % 2 ? NAN : INFINITY;
  assert_true(compare_floats(mixed, mixed, 40, 0).mistrusted);

  tw_tensor_t *t = make_tensor(TW_F32, DIMS(4), "ones", 0), *u = make_tensor(TW_F32, DIMS(2, 2), "ones", 0);
  c.struct_size = sizeof c;
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_compare(t, u, 0, &c)); /* of one type */
  assert_null_argument("a", tw_tensor_compare(NULL, u, 0, &c));
  assert_null_argument("b", tw_tensor_compare(t, NULL, 0, &c));
  assert_null_argument("out_comparison", tw_tensor_compare(t, t, 0, NULL));
  /* An older caller's struct: nothing is written past its size. */
  memset(&c, 0x77, sizeof c);
  c.struct_size = offsetof(tw_comparison_t, bit_equal);
  assert_ok(tw_tensor_compare(t, t, 0, &c));
  assert_true(c.max_abs == 0);
  assert_int_equal(c.bit_equal, 0x77777777);
  c.struct_size = 0;
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_compare(t, t, 0, &c));
  tw_tensor_release(t);
  tw_tensor_release(u);

  t = make_tensor(TW_S32, DIMS(50), "randint(0,100)", 0);
  u = make_tensor(TW_S32, DIMS(50), "randint(0,100)", 0);
  c.struct_size = sizeof c;
  assert_ok(tw_tensor_compare(t, u, 0, &c));
  assert_true(c.passes && c.bit_equal);
  ((int32_t *)tw_tensor_data(t))[49] += 1; /* integers exactly */
  assert_ok(tw_tensor_compare(t, u, 0, &c));
  assert_true(!c.passes && c.max_abs == 1);
  tw_tensor_release(t);
  tw_tensor_release(u);
}

/* Sums of four numbers, split over two devices, and what they are divided by their own size. */
static const char noise_text[] =
    "func.func @main(%a: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %e = stablehlo.constant dense<1.0e-12> : tensor<f32>\n"
    "  %1 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, "
    "tensor<f32>) -> tensor<f32>\n"
    "  %2 = stablehlo.abs %1 : tensor<f32>\n"
    "  %3 = stablehlo.add %2, %e : tensor<f32>\n"
    "  %4 = stablehlo.divide %1, %3 : tensor<f32>\n"
    "  %5 = stablehlo.add %a, %a : tensor<4xf32>\n"
    "  return %4, %5 : tensor<f32>, tensor<4xf32>\n"
    "}\n";

static int give_up(void *user, double seconds) {
  (void)seconds;
  ++*(int *)user;
  return 1;
}

static void test_program_compare(void **state) {
  (void)state;
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(noise_text, strlen(noise_text), NULL, &graph));
  tw_mesh_t *mesh = NULL;
  assert_ok(tw_mesh_parse("x=2", &mesh));
  tw_plan_t *plan = NULL;
  assert_ok(tw_plan_create(graph, mesh, NULL, &plan));
  const char spec[] = "tile(arg=0, dim=0, axis=\"x\"); infer-propagate";
  assert_ok(tw_plan_apply(plan, spec, strlen(spec), "spec"));
  tw_program_t *program = NULL;
  assert_ok(tw_program_lower(plan, NULL, &program));
  float a[] = {1e8f, 1, -1e8f, -1}, ours = 1, theirs = -1, twice[] = {2e8f, 2, -2e8f, -2};
  tw_tensor_t *in = NULL, *out[2] = {NULL, NULL}, *wanted[2] = {NULL, NULL};
  assert_ok(tw_tensor_wrap(TW_F32, DIMS(4), a, NULL, NULL, &in));
  assert_ok(tw_tensor_wrap(TW_F32, NULL, 0, &ours, NULL, NULL, &out[0]));
  assert_ok(tw_tensor_wrap(TW_F32, NULL, 0, &theirs, NULL, NULL, &wanted[0]));
  assert_ok(tw_tensor_wrap(TW_F32, DIMS(4), twice, NULL, NULL, &out[1]));
  assert_ok(tw_tensor_wrap(TW_F32, DIMS(4), twice, NULL, NULL, &wanted[1]));
  const tw_tensor_t *const inputs[] = {in}, *const outputs[] = {out[0], out[1]},
                           *const expected[] = {wanted[0], wanted[1]};

  tw_comparison_t c[2] = {{.struct_size = sizeof c[0]}};
  tw_blob_t *note = NULL;
  assert_ok(tw_program_compare(program, inputs, 1, outputs, expected, 2, NULL, c, &note));
  assert_true(c[0].passes && c[0].judged_by == TW_JUDGED_BY_DOUBLE && c[0].from_double == 1 &&
              c[0].expected_from_double == 1 && c[0].tolerance == 1e-4);
  assert_true(c[1].passes && c[1].judged_by == TW_JUDGED_BY_BITS && c[1].tolerance == 0 &&
              c[1].from_double == -1);
  assert_int_equal(c[1].struct_size, sizeof c[1]);
  assert_int_equal(tw_blob_size(note), 0);
  tw_blob_release(note);
  /* No inputs, or nobody waits: no second opinion, and the note says why. */
  assert_ok(tw_program_compare(program, NULL, 0, outputs, expected, 2, NULL, c, &note));
  assert_true(!c[0].passes && c[0].judged_by == TW_JUDGED_BY_TOLERANCE);
  assert_true(tw_blob_size(note) > 0);
  tw_blob_release(note);
  /* Of another run no bits are promised. */
  float close[] = {2e8f, 2.00001f, -2e8f, -2};
  tw_tensor_t *near = NULL;
  assert_ok(tw_tensor_wrap(TW_F32, DIMS(4), close, NULL, NULL, &near));
  const tw_tensor_t *const nearly[] = {wanted[0], near};
  tw_compare_options_t options = {.struct_size = sizeof options, .other_run = 1};
  assert_ok(tw_program_compare(program, inputs, 1, nearly, expected, 2, &options, c, NULL));
  assert_true(c[1].passes && c[1].judged_by == TW_JUDGED_BY_TOLERANCE);
  options.other_run = 0;
  assert_ok(tw_program_compare(program, inputs, 1, nearly, expected, 2, &options, c, NULL));
  assert_true(!c[1].passes);
  int asked = 0;
  options.progress = give_up;
  options.user = &asked;
  assert_ok(tw_program_compare(program, inputs, 1, outputs, expected, 2, &options, c, NULL));
  assert_true(asked <= 1); /* it may be over before anybody asks */

  assert_null_argument("program", tw_program_compare(NULL, inputs, 1, outputs, expected, 2, NULL, c, NULL));
  assert_fails(TW_INVALID_ARGUMENT,
               tw_program_compare(program, inputs, 1, outputs, expected, 1, NULL, c, NULL));
  options.seconds = -1;
  assert_fails(TW_INVALID_ARGUMENT,
               tw_program_compare(program, inputs, 1, outputs, expected, 2, &options, c, NULL));
  c[0].struct_size = 0;
  assert_fails(TW_INVALID_ARGUMENT,
               tw_program_compare(program, inputs, 1, outputs, expected, 2, NULL, c, NULL));
  tw_tensor_release(near);
  for (int i = 0; i < 2; ++i) {
    tw_tensor_release(out[i]);
    tw_tensor_release(wanted[i]);
  }
  tw_tensor_release(in);
  tw_program_release(program);
  tw_plan_release(plan);
  tw_mesh_release(mesh);
  tw_graph_release(graph);
}

static void test_run(void **state) {
  (void)state;
  struct mlp_arrays reference = make_mlp_arrays(0, "zeros");
  tw_graph_t *graph = make_mlp();
  assert_ok(tw_graph_evaluate(graph, MLP_INPUTS(reference), &reference.out, 1));
  tw_graph_release(graph);

  const char *const meshes[] = {"data=2,model=2", "data=4,model=3", "data=8,model=1", "data=1,model=5"};
  for (size_t m = 0; m < sizeof meshes / sizeof *meshes; ++m) {
    tw_program_t *program = make_mlp_program(meshes[m], MLP_SPEC);
    tw_executable_t *exe = NULL;
    assert_ok(tw_executable_create(program, NULL, &exe));
    tw_program_release(program); /* Objects keep what they are made of alive */
    assert_true(tw_executable_arena_bytes(exe) > 0);
    assert_true(tw_executable_workers(exe) >= 1);
    struct mlp_arrays a = make_mlp_arrays(0, "zeros");
    for (int again = 0; again < 3; ++again) { /* Keep it and run it many times */
      assert_ok(tw_tensor_fill(a.out, "zeros", 0, 0));
      assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1));
      tw_comparison_t c = {.struct_size = sizeof c};
      assert_ok(tw_tensor_compare(a.out, reference.out, 0, &c));
      assert_true(c.passes);
      for (int i = 0; i < 3; ++i) /* Inputs are never written. */
        assert_memory_equal(tw_tensor_data(a.in[i]), tw_tensor_data(reference.in[i]),
                            tw_tensor_bytes(a.in[i]));
    }
    release_mlp_arrays(&a);
    tw_executable_release(exe);
  }
  release_mlp_arrays(&reference);
}

/* Results do not depend on it */
/* TW_TOKEN without dimensions: a token among inputs and outputs. */
static void test_tokens(void **state) {
  (void)state;
  static const char text[] = "func.func @main(%x: tensor<2xf32>, %t: !stablehlo.token) -> (!stablehlo.token, "
                             "tensor<2xf32>) { return %t, %x : !stablehlo.token, tensor<2xf32> }";
  tw_graph_t *graph = NULL;
  tw_program_t *program = NULL;
  tw_executable_t *executable = NULL;
  assert_ok(tw_graph_import(text, sizeof text - 1, NULL, &graph));
  assert_ok(tw_program_unpartitioned(graph, &program));
  assert_ok(tw_executable_create(program, NULL, &executable));
  tw_tensor_t *x = NULL, *y = NULL, *before = NULL, *after = NULL;
  assert_ok(tw_tensor_create(NULL, TW_F32, DIMS(2), &x));
  assert_ok(tw_tensor_create(NULL, TW_F32, DIMS(2), &y));
  assert_ok(tw_tensor_create(NULL, TW_TOKEN, NULL, 0, &before));
  assert_ok(tw_tensor_create(NULL, TW_TOKEN, NULL, 0, &after));
  assert_int_equal(tw_tensor_dtype(after), TW_TOKEN);
  assert_int_equal(tw_tensor_bytes(after), 0);
  ((float *)tw_tensor_data(x))[1] = 7;
  const tw_tensor_t *inputs[] = {x, before};
  tw_tensor_t *outputs[] = {after, y};
  assert_ok(tw_executable_run(executable, inputs, 2, outputs, 2));
  assert_true(((const float *)tw_tensor_const_data(y))[1] == 7);
  tw_tensor_release(x);
  tw_tensor_release(y);
  tw_tensor_release(before);
  tw_tensor_release(after);
  tw_executable_release(executable);
  tw_program_release(program);
  tw_graph_release(graph);
}

static void test_workers(void **state) {
  (void)state;
  struct mlp_arrays first = make_mlp_arrays(0, "zeros");
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  for (int32_t workers = 1; workers <= 4; ++workers) {
    const tw_executable_options_t options = {.struct_size = sizeof options, .workers = workers};
    tw_executable_t *exe = NULL;
    assert_ok(tw_executable_create(program, &options, &exe));
    assert_int_equal(tw_executable_workers(exe), workers);
    struct mlp_arrays a = make_mlp_arrays(0, "zeros");
    assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1));
    if (workers == 1)
      memcpy(tw_tensor_data(first.out), tw_tensor_data(a.out), tw_tensor_bytes(a.out));
    assert_memory_equal(tw_tensor_data(a.out), tw_tensor_data(first.out), tw_tensor_bytes(a.out));
    release_mlp_arrays(&a);
    tw_executable_release(exe);
  }
  tw_program_release(program);
  release_mlp_arrays(&first);
}

/* What the host gives; and the same bits whenever commands run and whoever shares memory. */
static void test_devices(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  struct mlp_arrays host = make_mlp_arrays(0, "zeros"), first = make_mlp_arrays(0, "zeros");
  tw_executable_t *exe = NULL;
  assert_ok(tw_executable_create(program, NULL, &exe));
  assert_ok(tw_executable_run(exe, MLP_INPUTS(host), &host.out, 1));
  tw_executable_release(exe);
  for (uint64_t delays = 0; delays < 6; ++delays) {
    const tw_executable_options_t options = {
        .struct_size = sizeof options, .device = "detached", .deadline = 60, .delays = delays};
    assert_ok(tw_executable_create(program, &options, &exe));
    struct mlp_arrays a = make_mlp_arrays(0, "zeros");
    for (int again = 0; again < 2; ++again) {
      assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1));
      if (delays == 0)
        memcpy(tw_tensor_data(first.out), tw_tensor_data(a.out), tw_tensor_bytes(a.out));
      assert_memory_equal(tw_tensor_data(a.out), tw_tensor_data(first.out), tw_tensor_bytes(a.out));
    }
    release_mlp_arrays(&a);
    tw_executable_release(exe);
  }
  tw_comparison_t c = {.struct_size = sizeof c};
  assert_ok(tw_tensor_compare(first.out, host.out, 0, &c));
  assert_true(c.passes);
  tw_executable_options_t wrong = {.struct_size = sizeof wrong, .device = "toaster"};
  assert_int_equal(tw_executable_create(program, &wrong, &exe), TW_NOT_FOUND);
  assert_non_null(strstr(tw_error_message(), "detached, host"));
  wrong.device = "detached";
  wrong.deadline = -1;
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_create(program, &wrong, &exe));
  wrong.deadline = 2e9;
  assert_fails(TW_OUT_OF_RANGE, tw_executable_create(program, &wrong, &exe));
  wrong.deadline = 0;
  wrong.observe = TW_OBSERVE_PROFILE; /* which such devices do by events */
  assert_ok(tw_executable_create(program, &wrong, &exe));
  assert_ok(tw_executable_run(exe, MLP_INPUTS(first), &first.out, 1));
  tw_blob_t *profile = NULL;
  assert_ok(tw_executable_profile(exe, &profile));
  assert_non_null(strstr(tw_blob_data(profile), "{\"runs\":1,\"steps\":[{\"step\":0,"));
  tw_blob_release(profile);
  tw_executable_release(exe);
  release_mlp_arrays(&host);
  release_mlp_arrays(&first);
  tw_program_release(program);
}

/* An output may lie where an input does, or over a part of it. */
static void test_outputs_over_inputs(void **state) {
  (void)state;
  static const char text[] = "func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, "
                             "tensor<64xf32>) {\n"
                             "  %r = stablehlo.reverse %y, dims = [0] : tensor<64xf32>\n"
                             "  return %r, %x : tensor<64xf32>, tensor<64xf32>\n}";
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(text, strlen(text), NULL, &graph));
  static const char *const meshes[] = {"a=1", "a=2", "a=3"};
  for (size_t m = 0; m < 3; ++m) {
    tw_plan_t *plan = make_plan(graph, meshes[m], "tile(x, 0, a); tile(y, 0, a); infer-propagate");
    tw_program_t *program = NULL;
    assert_ok(tw_program_lower(plan, NULL, &program));
    tw_executable_t *exe = NULL;
    assert_ok(tw_executable_create(program, NULL, &exe));
    for (int shift = 0; shift <= 16; shift += 16) {
      float memory[144];
      for (int i = 0; i < 144; ++i)
        memory[i] = (float)i;
      tw_tensor_t *x = NULL, *y = NULL, *first = NULL, *second = NULL;
      assert_ok(tw_tensor_wrap(TW_F32, DIMS(64), memory, NULL, NULL, &x));
      assert_ok(tw_tensor_wrap(TW_F32, DIMS(64), memory + 64, NULL, NULL, &y));
      assert_ok(tw_tensor_wrap(TW_F32, DIMS(64), memory + shift, NULL, NULL, &first)); /* of y, over x */
      assert_ok(tw_tensor_wrap(TW_F32, DIMS(64), memory + 64 + shift, NULL, NULL, &second));
      assert_ok(
          tw_executable_run(exe, (const tw_tensor_t *[]){x, y}, 2, (tw_tensor_t *[]){first, second}, 2));
      for (int i = 0; i < 64; ++i) {
        assert_true(memory[shift + i] == (float)(127 - i));
        assert_true(memory[64 + shift + i] == (float)i);
      }
      tw_tensor_release(x);
      tw_tensor_release(y);
      tw_tensor_release(first);
      tw_tensor_release(second);
    }
    tw_executable_release(exe);
    tw_program_release(program);
    tw_plan_release(plan);
  }
  tw_graph_release(graph);
}

/* Where tiles lie is told of executables that take tiles. */
static void test_no_tiles(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  tw_executable_t *exe = NULL;
  int64_t offset[8], extent[8];
  assert_ok(tw_executable_create(program, NULL, &exe));
  assert_fails_saying(TW_FAILED_PRECONDITION, "without option tiles",
                      tw_executable_tile(exe, 0, 0, 0, offset, extent));
  tw_executable_release(exe);
  const tw_executable_options_t options = {.struct_size = sizeof options, .tiles = 1};
  assert_ok(tw_executable_create(program, &options, &exe));
  assert_ok(tw_executable_tile(exe, 0, 0, 0, offset, extent));
  assert_fails_saying(TW_OUT_OF_RANGE, "argument 9: there are 3",
                      tw_executable_tile(exe, 0, 9, 0, offset, extent));
  assert_fails_saying(TW_OUT_OF_RANGE, "device 8: this process has 8",
                      tw_executable_tile(exe, 0, 0, 8, offset, extent));
  tw_executable_release(exe);
  tw_program_release(program);
}

static void test_executable_options(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  tw_executable_t *exe = UNTOUCHED(tw_executable_t);
  tw_executable_options_t options = {.struct_size = sizeof options, .workers = -1};
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_create(program, &options, &exe));
  options.workers = 1025;
  assert_fails(TW_OUT_OF_RANGE, tw_executable_create(program, &options, &exe));
  options.workers = 1;
  options.memory_limit = 16; /* A program that needs more is refused */
  assert_fails(TW_RESOURCE_EXHAUSTED, tw_executable_create(program, &options, &exe));
  tw_executable_options_t way = {.struct_size = sizeof way, .exchange = "pigeons", .fast_sums = 1};
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_create(program, &way, &exe));
  for (const char *const *word = (const char *[]){"auto", "host", "direct", NULL}; *word; ++word) {
    way.exchange = *word; /* without a comm there is nothing to choose */
    tw_executable_t *made = NULL;
    assert_ok(tw_executable_create(program, &way, &made));
    tw_executable_release(made);
  }
  assert_null_argument("program", tw_executable_create(NULL, NULL, &exe));
  assert_null_argument("out_executable", tw_executable_create(program, NULL, NULL));
  assert_ptr_equal(exe, UNTOUCHED(tw_executable_t));
  options.struct_size =
      offsetof(tw_executable_options_t, memory_limit); /* an older caller has no such limit */
  assert_ok(tw_executable_create(program, &options, &exe));
  assert_ptr_equal(tw_executable_retain(exe), exe);
  tw_executable_release(exe);
  assert_int_equal(tw_executable_workers(exe), 1);
  tw_executable_release(exe);
  tw_executable_release(NULL);
  assert_null(tw_executable_retain(NULL));
  assert_int_equal(tw_executable_arena_bytes(NULL), 0);
  assert_int_equal(tw_executable_workers(NULL), 0);
  tw_program_release(program);
}

static void test_bad_runs(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  tw_executable_t *exe = NULL;
  assert_ok(tw_executable_create(program, NULL, &exe));
  tw_program_release(program);
  tw_graph_t *graph = make_mlp();
  struct mlp_arrays a = make_mlp_arrays(0, "zeros");
  assert_ok(tw_tensor_fill(a.out, "iota", 0, 0));
  char before[6 * 8 * 4];
  memcpy(before, tw_tensor_data(a.out), sizeof before);
  const tw_tensor_t *const hole[] = {a.in[0], NULL, a.in[2]}, *const swapped[] = {a.in[1], a.in[0], a.in[2]};
  tw_tensor_t *no_out = NULL;
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_run(exe, (const tw_tensor_t *const *)a.in, 2, &a.out, 1));
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_run(exe, MLP_INPUTS(a), &a.out, 0));
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_run(exe, NULL, 3, &a.out, 1));
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_run(exe, MLP_INPUTS(a), NULL, 1));
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_run(exe, hole, 3, &a.out, 1));
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_run(exe, MLP_INPUTS(a), &no_out, 1));
  assert_null_argument("executable", tw_executable_run(NULL, MLP_INPUTS(a), &a.out, 1));
  assert_int_equal(tw_executable_run(exe, swapped, 3, &a.out, 1), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(), "x"); /* types must agree: the first that does not */
  assert_contains(tw_error_message(), "f32[6,8]");
  assert_fails(TW_INVALID_ARGUMENT, tw_graph_evaluate(graph, swapped, 3, &a.out, 1));
  assert_null_argument("graph", tw_graph_evaluate(NULL, MLP_INPUTS(a), &a.out, 1));
  /* On an error outputs keep their old bytes and the executable can be run again */
  assert_memory_equal(tw_tensor_data(a.out), before, sizeof before);
  assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1));
  assert_memory_not_equal(tw_tensor_data(a.out), before, sizeof before);
  release_mlp_arrays(&a);
  tw_graph_release(graph);
  tw_executable_release(exe);
}

/* What the program marks is written over with option `donate` only, and may be the output itself. */
static void test_donate(void **state) {
  (void)state;
  const char *text =
      "func.func @main(%p: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<4xf32>) -> "
      "tensor<4xf32> {\n"
      "  %0 = stablehlo.subtract %p, %g : tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n}\n";
  tw_graph_t *graph = NULL;
  tw_program_t *program = NULL;
  assert_ok(tw_graph_import(text, strlen(text), NULL, &graph));
  assert_ok(tw_program_unpartitioned(graph, &program));
  for (int32_t donate = 0; donate <= 1; ++donate) {
    const tw_executable_options_t options = {.struct_size = sizeof options, .workers = 1, .donate = donate};
    tw_executable_t *exe = NULL;
    assert_ok(tw_executable_create(program, &options, &exe));
    assert_int_equal(tw_executable_donated_to(exe, 0), donate ? 0 : -1);
    assert_int_equal(tw_executable_donated_to(exe, 1), -1);
    assert_int_equal(tw_executable_peak_bytes(exe, 0),
                     donate ? 16 + 16 : 16 + 16 + 64); /* or a line for the result */
    assert_int_equal(tw_executable_peak_bytes(exe, 1), -1);
    assert_int_equal(tw_executable_donated_to(exe, 2), -1);
    tw_tensor_t *p = make_tensor(TW_F32, DIMS(4), "iota", 0), *g = make_tensor(TW_F32, DIMS(4), "ones", 0),
                *out = make_tensor(TW_F32, DIMS(4), "zeros", 0);
    const tw_tensor_t *in[] = {p, g};
    assert_ok(tw_executable_run(exe, in, 2, &out, 1)); /* into another tensor */
    assert_true(((const float *)tw_tensor_const_data(out))[3] == 2);
    assert_true(((const float *)tw_tensor_const_data(p))[3] == (donate ? 2 : 3));
    assert_ok(tw_tensor_fill(p, "iota", 0, 0));
    assert_ok(tw_executable_run(exe, in, 2, &p, 1)); /* into the same */
    assert_true(((const float *)tw_tensor_const_data(p))[3] == 2);
    const tw_tensor_t *twice[] = {p, p};
    if (donate)
      assert_fails(TW_INVALID_ARGUMENT, tw_executable_run(exe, twice, 2, &out, 1));
    else
      assert_ok(tw_executable_run(exe, twice, 2, &out, 1));
    tw_tensor_release(p);
    tw_tensor_release(g);
    tw_tensor_release(out);
    tw_executable_release(exe);
  }
  assert_int_equal(tw_executable_donated_to(NULL, 0), -1);
  assert_int_equal(tw_executable_peak_bytes(NULL, 0), -1);
  tw_program_release(program);
  tw_graph_release(graph);
}

/* Results have memory of their own, each: of two in one place one would be lost. */
static void test_outputs_apart(void **state) {
  (void)state;
  const char *text = "func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
                     "  %0 = stablehlo.negate %x : tensor<4xf32>\n"
                     "  %1 = stablehlo.abs %x : tensor<4xf32>\n"
                     "  return %0, %1 : tensor<4xf32>, tensor<4xf32>\n}\n";
  tw_graph_t *graph = NULL;
  tw_program_t *program = NULL;
  tw_executable_t *exe = NULL;
  assert_ok(tw_graph_import(text, strlen(text), NULL, &graph));
  assert_ok(tw_program_unpartitioned(graph, &program));
  assert_ok(tw_executable_create(program, NULL, &exe));
  float memory[12] = {0};
  tw_tensor_t *x = make_tensor(TW_F32, DIMS(4), "ones", 0);
  const tw_tensor_t *const in = x;
  for (int begin = 0; begin <= 4; ++begin) {
    tw_tensor_t *out[2] = {NULL, NULL};
    assert_ok(tw_tensor_wrap(TW_F32, DIMS(4), memory, NULL, NULL, &out[0]));
    assert_ok(tw_tensor_wrap(TW_F32, DIMS(4), memory + begin, NULL, NULL, &out[1]));
    for (int turned = 0; turned < 2; ++turned) {
      tw_tensor_t *const given[] = {out[turned], out[1 - turned]};
      if (begin < 4) {
        assert_int_equal(tw_executable_run(exe, &in, 1, given, 2), TW_INVALID_ARGUMENT);
        assert_contains(tw_error_message(), "out1 has memory of out0");
      } else {
        assert_ok(tw_executable_run(exe, &in, 1, given, 2));
        assert_true(memory[4 * turned] == -1 && memory[4 * (1 - turned)] == 1);
      }
    }
    tw_tensor_release(out[0]);
    tw_tensor_release(out[1]);
  }
  tw_tensor_t *y = make_tensor(TW_F32, DIMS(4), "zeros", 0);
  tw_tensor_t *same[] = {y, y}, *over[] = {x, y};
  tw_run_t *run = UNTOUCHED(tw_run_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_run(exe, &in, 1, same, 2));
  assert_fails(TW_INVALID_ARGUMENT, tw_run_start(exe, &in, 1, same, 2, &run));
  assert_fails(TW_INVALID_ARGUMENT, tw_graph_evaluate(graph, &in, 1, same, 2));
  assert_ok(tw_executable_run(exe, &in, 1, over, 2)); /* inputs are read before */
  assert_true(((const float *)tw_tensor_const_data(x))[3] == -1);
  assert_true(((const float *)tw_tensor_const_data(y))[3] == 1);
  tw_tensor_release(x);
  tw_tensor_release(y);
  tw_executable_release(exe);
  tw_program_release(program);
  tw_graph_release(graph);
}

/* TW_UNIMPLEMENTED names the first op that has no kernel (an opaque custom_call), with its position. */
static void test_no_kernel(void **state) {
  (void)state;
  const char *text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                     "  %0 = stablehlo.custom_call @mine(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
                     "  return %0 : tensor<2xf32>\n}\n";
  const tw_import_options_t options = {.struct_size = sizeof options, .file = "opaque.mlir"};
  tw_graph_t *graph = NULL;
  tw_program_t *program = NULL;
  tw_executable_t *exe = UNTOUCHED(tw_executable_t);
  assert_ok(tw_graph_import(text, strlen(text), &options, &graph));
  assert_ok(tw_program_unpartitioned(graph, &program));
  assert_int_equal(tw_executable_create(program, NULL, &exe), TW_UNIMPLEMENTED);
  assert_contains(tw_error_message(), "mine");
  tw_error_t *error = NULL;
  assert_ok(tw_error_take(&error));
  assert_string_equal(tw_error_file(error), "opaque.mlir");
  assert_int_equal(tw_error_line(error), 2);
  tw_error_release(error);
  assert_ptr_equal(exe, UNTOUCHED(tw_executable_t));
  tw_program_release(program);
  tw_graph_release(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tensors),
      cmocka_unit_test(test_bad_tensors),
      cmocka_unit_test(test_wrap),
      cmocka_unit_test(test_fill),
      cmocka_unit_test(test_compare),
      cmocka_unit_test(test_program_compare),
      cmocka_unit_test(test_run),
      cmocka_unit_test(test_tokens),
      cmocka_unit_test(test_workers),
      cmocka_unit_test(test_devices),
      cmocka_unit_test(test_executable_options),
      cmocka_unit_test(test_outputs_over_inputs),
      cmocka_unit_test(test_no_tiles),
      cmocka_unit_test(test_bad_runs),
      cmocka_unit_test(test_no_kernel),
      cmocka_unit_test(test_donate),
      cmocka_unit_test(test_outputs_apart),
      cmocka_unit_test(test_program_compare),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
