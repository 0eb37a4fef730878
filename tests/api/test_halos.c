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
      cmocka_unit_test(test_stencil),
      cmocka_unit_test(test_offsets),
      cmocka_unit_test(test_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
