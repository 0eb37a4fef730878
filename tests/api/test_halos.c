/* SPDX-License-Identifier: Apache-2.0 */
/* tw_builder_keep_halo, and explicit offsets: a program that keeps halos is built in C as text says it. */
#include "support.h"

/* Of 13 elements over three devices, each needs what its neighbours have: y[i] = -x[i] - x[i + 2]. */
static const char stencil_text[] =
    "shard.grid @g(shape = 3)\n"
    "func.func @main(%x: tensor<13xf32>) -> tensor<11xf32> {\n"
    "  %wide = shard.sharding @g split_axes = [[0]] halo_sizes = [2, 2] : !shard.sharding\n"
    "  %in = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 4, 7, 11] : !shard.sharding\n"
    "  %h = shard.shard %x to %wide annotate_for_users : tensor<13xf32>\n"
    "  %n = stablehlo.negate %h : tensor<13xf32>\n"
    "  %a = stablehlo.slice %n [0:11] : (tensor<13xf32>) -> tensor<11xf32>\n"
    "  %a1 = shard.shard %a to %in : tensor<11xf32>\n"
    "  %b = stablehlo.slice %n [2:13] : (tensor<13xf32>) -> tensor<11xf32>\n"
    "  %b1 = shard.shard %b to %in : tensor<11xf32>\n"
    "  %s = stablehlo.add %a1, %b1 : tensor<11xf32>\n"
    "  return %s : tensor<11xf32>\n"
    "}\n";

static tw_sharding_t *sharding_of(const tw_mesh_t *mesh, const char *text, int64_t n) {
  tw_sharding_t *made = NULL;
  assert_ok(tw_sharding_parse(mesh, text, &n, 1, &made));
  return made;
}

static tw_graph_t *build_stencil(void) {
  tw_mesh_t *mesh = make_mesh("g.0=3");
  tw_sharding_t *wide = sharding_of(mesh, "[{g.0}:halo=[2,2]]", 13);
  tw_sharding_t *inside = sharding_of(mesh, "[{g.0}:cuts=[0,4,7,11]]", 11);
  tw_builder_t *b = NULL;
  assert_ok(tw_builder_create("stencil", &b));
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(13));
  const tw_value_t n = tw_builder_unary(b, "negate", tw_builder_keep_halo(b, x, wide));
  const tw_value_t left = tw_builder_slice(b, n, (const int64_t[]){0}, (const int64_t[]){11}, NULL, 1);
  const tw_value_t right = tw_builder_slice(b, n, (const int64_t[]){2}, (const int64_t[]){13}, NULL, 1);
  tw_builder_shard(b, left, inside);
  tw_builder_shard(b, right, inside);
  tw_builder_result(b, "y", tw_builder_binary(b, "add", left, right));
  tw_graph_t *graph = NULL;
  assert_ok(tw_builder_finish(b, &graph));
  tw_builder_release(b);
  tw_sharding_release(wide);
  tw_sharding_release(inside);
  tw_mesh_release(mesh);
  return graph;
}

static tw_program_t *lower(const tw_graph_t *graph) {
  tw_plan_t *plan = NULL;
  tw_program_t *program = NULL;
  assert_ok(tw_plan_create(graph, NULL, NULL, &plan));
  assert_ok(tw_program_lower(plan, NULL, &program));
  tw_plan_release(plan);
  return program;
}

static void run(const tw_program_t *program, const tw_tensor_t *in, float out[11]) {
  tw_executable_t *exe = NULL;
  tw_tensor_t *made = make_tensor(TW_F32, DIMS(11), "zeros", 0);
  assert_ok(tw_executable_create(program, NULL, &exe));
  assert_ok(tw_executable_run(exe, (const tw_tensor_t *const[]){in}, 1, (tw_tensor_t *const[]){made}, 1));
  memcpy(out, tw_tensor_data(made), 11 * sizeof *out);
  tw_tensor_release(made);
  tw_executable_release(exe);
}

static void test_stencil(void **state) {
  (void)state;
  tw_graph_t *built = build_stencil(), *read = NULL;
  assert_ok(tw_graph_import(stencil_text, sizeof stencil_text - 1, NULL, &read));
  assert_string_equal(tw_graph_mesh(built), tw_graph_mesh(read));
  tw_program_t *ours = lower(built), *theirs = lower(read);
  assert_int_equal(tw_program_num_collectives(ours), 1);
  assert_int_equal(tw_program_bytes_received(ours), 4 * sizeof(float)); /* two elements from each side */
  assert_int_equal(tw_program_bytes_received(theirs), tw_program_bytes_received(ours));
  tw_blob_t *text = NULL;
  assert_ok(tw_program_emit(ours, "spmd", &text));
  assert_non_null(strstr(tw_blob_data(text), "f32[13] [{g.0}:halo=[2,2]] local [6..8]"));
  assert_non_null(strstr(tw_blob_data(text), "f32[11] [{g.0}:cuts=[0,4,7,11]]"));
  tw_blob_release(text);

  tw_tensor_t *in = make_tensor(TW_F32, DIMS(13), "randint(-9,9)", 1);
  const float *x = tw_tensor_data(in);
  float made[11], again[11];
  run(ours, in, made);
  run(theirs, in, again);
  for (int i = 0; i < 11; ++i) {
    assert_true(made[i] == -x[i] - x[i + 2]);
    assert_true(made[i] == again[i]);
  }
  tw_tensor_release(in);
  tw_program_release(ours);
  tw_program_release(theirs);
  tw_graph_release(built);
  tw_graph_release(read);
}

/* The value of a program that keeps halos: each device has two elements more where the array has them. */
static tw_sharding_t *kept_sharding(const tw_program_t *program) {
  for (size_t i = 0; i < tw_program_num_locals(program); ++i) {
    tw_sharding_t *sharding = NULL;
    tw_dim_sharding_t dim;
    assert_ok(tw_program_local_sharding(program, (tw_local_t)i, &sharding));
    assert_ok(tw_sharding_dim(sharding, 0, &dim));
    if (dim.halo_before > 0)
      return sharding;
    tw_sharding_release(sharding);
  }
  fail_msg("no value of the program has a halo");
  return NULL;
}

static void test_program(void **state) {
  (void)state;
  tw_graph_t *graph = build_stencil();
  tw_program_t *program = lower(graph);
  tw_sharding_t *kept = kept_sharding(program), *again = NULL;
  tw_dim_sharding_t dim, back;
  assert_ok(tw_sharding_dim(kept, 0, &dim));
  assert_int_equal(dim.split, TW_SPLIT_BALANCED);
  assert_int_equal(dim.num_cuts, 0);
  assert_int_equal(dim.halo_before, 2);
  assert_int_equal(dim.halo_after, 2);
  assert_int_equal(dim.border, TW_BORDER_NONE);
  static const int64_t begins[] = {0, 2, 6}, ends[] = {6, 10, 13}; /* tiles are 0..4, 4..8, 8..13 */
  tw_mesh_t *mesh = NULL;
  assert_ok(tw_sharding_mesh(kept, &mesh));
  assert_ok(tw_sharding_create(mesh, DIMS(13), &dim, NULL, 0, &again));
  assert_int_equal(tw_sharding_equal(kept, again), 1);
  assert_ok(tw_sharding_dim(again, 0, &back));
  assert_int_equal(back.border, TW_BORDER_NONE);
  assert_int_equal(back.halo_after, 2);
  for (int64_t p = 0; p < 3; ++p) {
    int64_t begin = -1, size = -1;
    assert_ok(tw_sharding_tile(again, p, &begin, &size));
    assert_int_equal(begin, begins[p]);
    assert_int_equal(begin + size, ends[p]);
  }
  tw_sharding_release(again);
  tw_blob_t *text = NULL; /* which is exact, and reads the same */
  assert_ok(tw_sharding_text(kept, &text));
  assert_string_equal(tw_blob_data(text), "[{g.0}:spans=[0,6,2,10,6,13]]");
  again = sharding_of(mesh, tw_blob_data(text), 13);
  assert_int_equal(tw_sharding_equal(kept, again), 1);
  tw_blob_release(text);

  /* What a program keeps, another one can be told to keep. */
  tw_builder_t *b = NULL;
  tw_graph_t *other = NULL;
  assert_ok(tw_builder_create("again", &b));
  tw_builder_result(b, "y", tw_builder_keep_halo(b, tw_builder_argument(b, "x", TW_F32, DIMS(13)), kept));
  assert_ok(tw_builder_finish(b, &other));
  tw_program_t *made = lower(other);
  tw_sharding_t *found = kept_sharding(made);
  assert_int_equal(tw_sharding_equal(kept, found), 1);
  tw_sharding_release(found);
  tw_program_release(made);
  tw_graph_release(other);
  tw_builder_release(b);
  tw_sharding_release(again);
  tw_sharding_release(kept);
  tw_mesh_release(mesh);
  tw_program_release(program);
  tw_graph_release(graph);
}

/* A halo without a border around one tile, or around tiles where nothing is, is none. */
static void test_ends(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("a=2,b=1");
  const tw_axis_part_t a = {.axis = "a"}, b = {.axis = "b"};
  const tw_dim_sharding_t dims[] = {
      {.axes = &a, .num_axes = 1, .split = TW_SPLIT_CEIL, .halo_before = 9, .border = TW_BORDER_NONE},
      {.axes = &b, .num_axes = 1, .halo_before = 3, .halo_after = 3, .border = TW_BORDER_NONE}};
  tw_sharding_t *made = NULL;
  tw_dim_sharding_t dim;
  assert_ok(tw_sharding_create(mesh, DIMS(5, 4), dims, NULL, 0, &made));
  assert_ok(tw_sharding_dim(made, 0, &dim));
  assert_int_equal(dim.split, TW_SPLIT_BALANCED); /* [0,3) and [0,5): [0,2) and [2,5), and what is around */
  assert_int_equal(dim.halo_before, 2);
  assert_int_equal(dim.halo_after, 1);
  assert_int_equal(dim.border, TW_BORDER_NONE);
  assert_ok(tw_sharding_dim(made, 1, &dim));
  assert_int_equal(dim.halo_before, 0);
  assert_int_equal(dim.border, TW_BORDER_ZERO);
  tw_sharding_release(made);
  tw_mesh_release(mesh);
}

/* Tiles that are not the default ones are annotated by where they lie. */
static void test_offsets(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("a=4");
  static const char *const texts[] = {"[{a}:ceil]", "[{a}:unit=5]", "[{a}:cuts=[0,1,1,9,10]]", "[{a}]"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    tw_sharding_t *wanted = sharding_of(mesh, texts[i], 10), *found = NULL;
    tw_builder_t *b = NULL;
    tw_graph_t *graph = NULL;
    tw_plan_t *plan = NULL;
    assert_ok(tw_builder_create("offsets", &b));
    const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(10));
    tw_builder_shard(b, x, wanted);
    tw_builder_result(b, "y", tw_builder_unary(b, "tanh", x));
    assert_ok(tw_builder_finish(b, &graph));
    tw_builder_release(b);
    assert_ok(tw_plan_create(graph, NULL, NULL, &plan));
    assert_ok(tw_plan_argument_sharding(plan, 0, &found));
    for (int64_t p = 0; p < 4; ++p) {
      int64_t at = -1, extent = -1, wanted_at = -1, wanted_extent = -1;
      assert_ok(tw_sharding_tile(found, p, &at, &extent));
      assert_ok(tw_sharding_tile(wanted, p, &wanted_at, &wanted_extent));
      assert_int_equal(at, wanted_at);
      assert_int_equal(extent, wanted_extent);
    }
    tw_sharding_release(found);
    tw_sharding_release(wanted);
    tw_plan_release(plan);
    tw_graph_release(graph);
  }
  tw_mesh_release(mesh);
}

static void test_wrong(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("a=4");
  static const struct {
    const char *sharding;
    int64_t n;
    tw_status_t status;
    const char *text;
  } wrong[] = {
      {"[{a}]", 10, TW_INVALID_ARGUMENT, "no halo in any dimension"},
      {"[{a}:halo=[1,1]:wrap]", 10, TW_UNIMPLEMENTED, "dimension 0: annotations cannot say halos that wrap"},
      {"[{a}:halo=[1,1]]", 8, TW_INVALID_ARGUMENT, "the sharding is of f32[8], the value is f32[10]"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    tw_sharding_t *sharding = sharding_of(mesh, wrong[i].sharding, wrong[i].n);
    tw_builder_t *b = NULL;
    tw_graph_t *graph = UNTOUCHED(tw_graph_t);
    assert_ok(tw_builder_create("wrong", &b));
    const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(10));
    assert_int_equal(tw_builder_keep_halo(b, x, sharding), TW_NO_VALUE);
    assert_int_equal(tw_builder_finish(b, &graph), wrong[i].status);
    assert_non_null(strstr(tw_error_message(), wrong[i].text));
    assert_non_null(strstr(tw_error_message(), "tw_builder_keep_halo"));
    assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));
    tw_builder_release(b);
    tw_sharding_release(sharding);
  }
  tw_builder_t *b = NULL;
  tw_graph_t *graph = NULL;
  assert_ok(tw_builder_create("null", &b));
  tw_builder_keep_halo(b, tw_builder_argument(b, "x", TW_F32, DIMS(10)), NULL);
  assert_null_argument("sharding", tw_builder_finish(b, &graph));
  tw_builder_release(b);
  assert_int_equal(tw_builder_keep_halo(NULL, 0, NULL), TW_NO_VALUE);
  tw_mesh_release(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stencil), cmocka_unit_test(test_program), cmocka_unit_test(test_ends),
      cmocka_unit_test(test_offsets), cmocka_unit_test(test_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
