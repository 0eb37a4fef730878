/* SPDX-License-Identifier: Apache-2.0 */
/* tw_picture.h: pictures in every form, and what is wrong with options, names and numbers. */
#include "support.h"

static tw_picture_options_t form(const char *name) {
  return (tw_picture_options_t){.struct_size = sizeof(tw_picture_options_t), .form = name};
}

static void assert_says(tw_blob_t *picture, const char *part) {
  assert_non_null(strstr(tw_blob_data(picture), part));
  tw_blob_release(picture);
}

static void test_shardings(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("data=2,model=4");
  tw_sharding_t *sharding = NULL;
  tw_blob_t *picture = NULL;
  assert_ok(tw_sharding_parse(mesh, "[{data}, {}] +model", DIMS(6, 8), &sharding));
  assert_ok(tw_sharding_picture(sharding, NULL, NULL, NULL, &picture));
  assert_says(picture, "data-offset=\"3 0\"");
  tw_picture_options_t how = form("text");
  assert_ok(tw_sharding_picture(sharding, "<w>", "bf16", &how, &picture));
  assert_says(picture, "<w>  bf16[6,8]  [{data}, {}] +model");
  how.bare = 1;
  assert_ok(tw_sharding_picture(sharding, "<w>", "bf16", &how, &picture));
  assert_null(strstr(tw_blob_data(picture), "<w>"));
  tw_blob_release(picture);

  how = form("gif");
  assert_fails(TW_INVALID_ARGUMENT, tw_sharding_picture(sharding, NULL, NULL, &how, &picture));
  how = form(NULL);
  how.theme = "blue";
  assert_fails(TW_INVALID_ARGUMENT, tw_sharding_picture(sharding, NULL, NULL, &how, &picture));
  how = form("png");
  how.scale = 17;
  assert_fails(TW_INVALID_ARGUMENT, tw_sharding_picture(sharding, NULL, NULL, &how, &picture));
  assert_fails(TW_INVALID_ARGUMENT, tw_sharding_picture(sharding, NULL, "f31", NULL, &picture));
  assert_fails(TW_INVALID_ARGUMENT, tw_sharding_picture(NULL, NULL, NULL, NULL, &picture));
  tw_sharding_release(sharding);
  tw_mesh_release(mesh);
}

static void test_plans(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "data=2,model=4", MLP_SPEC);
  tw_picture_options_t how = form("text");
  tw_blob_t *picture = NULL;
  assert_ok(tw_plan_picture(plan, NULL, 0, &how, &picture));
  assert_non_null(strstr(tw_blob_data(picture), "x  f32[6,8]"));
  assert_says(picture, "w2  f32[12,8]");
  const char *weights[] = {"w*", "%nobody"};
  assert_ok(tw_plan_picture(plan, weights, 1, &how, &picture));
  assert_null(strstr(tw_blob_data(picture), "x  f32[6,8]"));
  assert_says(picture, "w1  f32[8,12]");
  assert_fails(TW_NOT_FOUND, tw_plan_picture(plan, weights, 2, &how, &picture));
  weights[1] = NULL;
  assert_fails(TW_INVALID_ARGUMENT, tw_plan_picture(plan, weights, 2, &how, &picture));
  tw_plan_release(plan);
  tw_graph_release(graph);
}

static void test_moves(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  tw_picture_options_t how = form("text");
  tw_blob_t *picture = NULL;
  assert_ok(tw_program_collective_picture(program, 0, &how, &picture));
  assert_says(picture, "| all_reduce over model");
  assert_fails(TW_NOT_FOUND, tw_program_collective_picture(program, 1000, &how, &picture));
  tw_program_release(program);

  tw_mesh_t *mesh = make_mesh("x=4");
  tw_redistribution_t *move = NULL;
  assert_ok(tw_redistribution_plan(mesh, "f32[8,8] [{x},{}]", NULL, "[{},{x}]", NULL, &move));
  assert_ok(tw_redistribution_picture(move, "a", NULL, &picture));
  assert_says(picture, "data-from=\"3\" data-to=\"0\" data-bytes=\"16\"");
  tw_redistribution_release(move);
  tw_mesh_release(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shardings),
      cmocka_unit_test(test_plans),
      cmocka_unit_test(test_moves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
