/* SPDX-License-Identifier: Apache-2.0 */
/* tw_redistribute.h: plans, what they say of themselves, running them, and every wrong argument. */
#include "support.h"

static tw_redistribution_t *redistribution(const char *mesh_text, const char *src, const char *dst,
                                           const tw_redistribution_options_t *options) {
  tw_mesh_t *mesh = make_mesh(mesh_text);
  tw_redistribution_t *plan = NULL;
  assert_ok(tw_redistribution_plan(mesh, src, NULL, dst, options, &plan));
  tw_mesh_release(mesh);
  return plan;
}

static void test_plan(void **state) {
  (void)state;
  tw_redistribution_t *plan = redistribution("x=4", "f32[12,12] [{x},{}]", "[12, 3{x}12]", NULL);
  assert_int_equal(tw_redistribution_num_devices(plan), 4);
  assert_int_equal(tw_redistribution_device_id(plan, 3), 3);
  assert_int_equal(tw_redistribution_device_id(plan, 4), -1);
  assert_int_equal(tw_redistribution_rank(plan), 2);
  assert_int_equal(tw_redistribution_item_size(plan), 4);
  assert_int_equal(tw_redistribution_num_steps(plan), 1);
  assert_string_equal(tw_redistribution_method(plan), "direct");
  assert_int_equal(tw_redistribution_bytes_received(plan, 0), 3 * 9 * 4);
  assert_int_equal(tw_redistribution_bytes_received(plan, 4), -1);
  assert_int_equal(tw_redistribution_combines(plan), 0);
  assert_int_equal(tw_redistribution_exact(plan), 1);
  assert_int_equal(tw_redistribution_scratch_bytes(plan), 0);
  assert_int_equal(tw_redistribution_height_bytes(plan), 3 * 12 * 4);
  int64_t most = 0, offset[2], extent[2];
  double mean = 0;
  assert_ok(tw_redistribution_bound(plan, &most, &mean));
  assert_int_equal(most, 3 * 9 * 4);
  assert_true(mean == 3 * 9 * 4);
  assert_ok(tw_redistribution_tile(plan, 1, 2, offset, extent));
  assert_int_equal(offset[0], 0);
  assert_int_equal(offset[1], 6);
  assert_int_equal(extent[0], 12);
  assert_int_equal(extent[1], 3);
  assert_fails(TW_OUT_OF_RANGE, tw_redistribution_tile(plan, 1, 4, offset, extent));
  assert_fails(TW_INVALID_ARGUMENT, tw_redistribution_tile(plan, 2, 0, offset, extent));
  assert_ok(tw_redistribution_check(plan));
  tw_blob_t *text = NULL;
  assert_ok(tw_redistribution_json(plan, 1, &text));
  assert_non_null(strstr(tw_blob_data(text), "\"method\": \"direct\""));
  tw_blob_release(text);
  assert_ok(tw_redistribution_report(plan, 0, 80, &text));
  assert_non_null(strstr(tw_blob_data(text), "all_to_all"));
  tw_blob_release(text);
  tw_blob_t *widest = NULL; /* 0 is 120 columns, as in other reports */
  assert_ok(tw_redistribution_report(plan, 0, 0, &text));
  assert_ok(tw_redistribution_report(plan, 0, 120, &widest));
  assert_string_equal(tw_blob_data(text), tw_blob_data(widest));
  tw_blob_release(widest);
  tw_blob_release(text);
  assert_ok(tw_redistribution_pareto(plan, &text));
  tw_blob_release(text);
  assert_ptr_equal(tw_redistribution_retain(plan), plan);
  tw_redistribution_release(plan);
  tw_redistribution_release(plan);
  tw_redistribution_release(NULL);
}

static void test_equal_plans(void **state) {
  (void)state;
  tw_redistribution_t *a = redistribution("x=2,y=3", "f32[7,5] [{x},{}]", "f32[7,5] [{y},{x}]", NULL);
  tw_redistribution_t *b = redistribution("x=2,y=3", "f32[7,5] [{x},{}]", "f32[7,5] [{y},{x}]", NULL);
  tw_redistribution_t *other = redistribution("x=2,y=3", "f32[7,5] [{x},{}]", "f32[7,5] [{x},{y}]", NULL);
  assert_int_equal(tw_redistribution_hash(a), tw_redistribution_hash(b));
  assert_int_not_equal(tw_redistribution_hash(a), tw_redistribution_hash(other));
  tw_blob_t *bytes = NULL;
  assert_ok(tw_redistribution_save(a, &bytes));
  tw_redistribution_t *loaded = NULL;
  assert_ok(tw_redistribution_load(tw_blob_data(bytes), tw_blob_size(bytes), &loaded));
  assert_int_equal(tw_redistribution_hash(a), tw_redistribution_hash(loaded));
  tw_redistribution_release(loaded);
  loaded = UNTOUCHED(tw_redistribution_t);
  assert_fails(TW_INVALID_ARGUMENT,
               tw_redistribution_load(tw_blob_data(bytes), tw_blob_size(bytes) - 1, &loaded));
  assert_fails(TW_INVALID_ARGUMENT, tw_redistribution_load("no plan", 7, &loaded));
  assert_ptr_equal(loaded, UNTOUCHED(tw_redistribution_t));
  tw_blob_release(bytes);
  tw_redistribution_release(a);
  tw_redistribution_release(b);
  tw_redistribution_release(other);
}

static void test_run(void **state) {
  (void)state;
  /* Two arrays at once: rows to columns, and a sum over the devices. */
  tw_redistribution_t *plans[2] = {redistribution("x=2", "i32[4,3] [{x},{}]", "i32[4,3] [{},{x}]", NULL),
                                   redistribution("x=2", "i32[2] [{}] +x", "i32[2] [{}]", NULL)};
  assert_int_equal(tw_redistribution_combines(plans[1]), 1);
  tw_redistributor_t *mover = NULL;
  tw_redistributor_options_t options = {.struct_size = sizeof options, .workers = 2};
  assert_ok(tw_redistributor_create((const tw_redistribution_t *const *)plans, 2, &options, &mover));
  int32_t rows[2][6], sums[2][2] = {{1, 2}, {10, 20}}, left[4], right[8], out[2][2];
  for (int d = 0; d < 2; ++d)
    for (int i = 0; i < 6; ++i)
      rows[d][i] = d * 6 + i;
  const void *src[] = {rows[0], rows[1], sums[0], sums[1]};
  void *dst[] = {left, right, out[0], out[1]};
  for (int round = 0; round < 2; ++round) {
    assert_ok(tw_redistributor_run(mover, src, dst));
    for (int row = 0; row < 4; ++row) {
      assert_int_equal(left[row], row * 3);
      assert_int_equal(right[row * 2], row * 3 + 1);
      assert_int_equal(right[row * 2 + 1], row * 3 + 2);
    }
    for (int d = 0; d < 2; ++d) {
      assert_int_equal(out[d][0], 11);
      assert_int_equal(out[d][1], 22);
    }
  }
  assert_null_argument("src", tw_redistributor_run(mover, NULL, dst));
  assert_null_argument("dst", tw_redistributor_run(mover, src, NULL));
  assert_ptr_equal(tw_redistributor_retain(mover), mover);
  tw_redistributor_release(mover);
  tw_redistributor_release(mover);
  assert_fails(TW_INVALID_ARGUMENT,
               tw_redistributor_create((const tw_redistribution_t *const *)plans, 0, NULL, &mover));
  assert_null_argument("plans", tw_redistributor_create(NULL, 1, NULL, &mover));
  tw_redistribution_t *four = redistribution("x=4", "i32[4] [{x}]", "i32[4] [{}]", NULL);
  const tw_redistribution_t *unequal[] = {plans[0], four};
  assert_fails(TW_INVALID_ARGUMENT, tw_redistributor_create(unequal, 2, NULL, &mover));
  tw_redistribution_release(four);
  tw_redistribution_release(plans[0]);
  tw_redistribution_release(plans[1]);
}

static void test_sharing(void **state) {
  (void)state;
  /* Device 0 keeps its tile, 1 and 2 swap theirs; then everybody wants everything. */
  tw_redistribution_t *plans[2] = {redistribution("x=2,y=2", "i32[4] [{x,y}]", "i32[4] [{y,x}]", NULL),
                                   redistribution("x=2,y=2", "i32[4] [{x,y}]", "i32[4] [{}]", NULL)};
  tw_redistributor_options_t options = {.struct_size = sizeof options, .workers = 1, .share = 1};
  tw_redistributor_t *mover = NULL;
  assert_ok(tw_redistributor_create((const tw_redistribution_t *const *)plans, 2, &options, &mover));
  static const int expected[2][4][2] = {{{1, 0}, {1, 2}, {1, 1}, {1, 3}}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}};
  for (size_t plan = 0; plan < 2; ++plan)
    for (size_t device = 0; device < 4; ++device) {
      int in_source = -1;
      size_t home = 9;
      assert_ok(tw_redistributor_home(mover, plan, device, &in_source, &home));
      assert_int_equal(in_source, expected[plan][device][0]);
      assert_int_equal(home, expected[plan][device][1]);
    }
  const int32_t tiles[4] = {5, 6, 7, 8};
  int32_t all[4] = {0};
  const void *src[8] = {tiles, tiles + 1, tiles + 2, tiles + 3, tiles, tiles + 1, tiles + 2, tiles + 3};
  void *dst[8] = {NULL, NULL, NULL, NULL, all, NULL, NULL, NULL};
  assert_ok(tw_redistributor_run(mover, src, dst));
  for (int i = 0; i < 4; ++i)
    assert_int_equal(all[i], 5 + i);
  int in_source;
  size_t home;
  assert_fails(TW_OUT_OF_RANGE, tw_redistributor_home(mover, 2, 0, &in_source, &home));
  assert_fails(TW_OUT_OF_RANGE, tw_redistributor_home(mover, 0, 4, &in_source, &home));
  assert_null_argument("out_source", tw_redistributor_home(mover, 0, 0, NULL, &home));
  tw_redistributor_release(mover);
  options.donate = 1;
  assert_fails(TW_INVALID_ARGUMENT,
               tw_redistributor_create((const tw_redistribution_t *const *)plans, 2, &options, &mover));
  tw_redistribution_release(plans[0]);
  tw_redistribution_release(plans[1]);
}

static void test_where(void **state) {
  (void)state;
  tw_redistribution_t *plan = redistribution("x=2", "i32[4] [{x}]", "i32[4] [{}]", NULL);
  const tw_redistribution_t *plans[] = {plan};
  tw_redistributor_options_t options = {.struct_size = sizeof options, .device = "detached", .deadline = 60};
  tw_redistributor_t *mover = NULL;
  assert_ok(tw_redistributor_create(plans, 1, &options, &mover));
  const int64_t half[] = {2}, whole[] = {4};
  const int32_t given[2][2] = {{5, 6}, {7, 8}};
  const void *src[2];
  void *dst[2];
  tw_tensor_t *from[2], *to[2], *on_host = NULL;
  for (size_t device = 0; device < 2; ++device) {
    int is_here = 0;
    int32_t unit = -1;
    assert_ok(tw_redistributor_device(mover, device, &is_here, &unit));
    assert_int_equal(is_here, 1);
    assert_ok(tw_tensor_create_on("detached", unit, TW_S32, half, 1, &from[device]));
    assert_ok(tw_tensor_create_on("detached", unit, TW_S32, whole, 1, &to[device]));
    assert_ok(tw_tensor_wrap_const(TW_S32, half, 1, given[device], NULL, NULL, &on_host));
    assert_ok(tw_tensor_copy(from[device], on_host, NULL));
    tw_tensor_release(on_host);
    src[device] = tw_tensor_address(from[device]);
    dst[device] = tw_tensor_address(to[device]);
  }
  assert_ok(tw_redistributor_run(mover, src, dst));
  for (size_t device = 0; device < 2; ++device) {
    int32_t got[4] = {0};
    assert_ok(tw_tensor_wrap(TW_S32, whole, 1, got, NULL, NULL, &on_host));
    assert_ok(tw_tensor_copy(on_host, to[device], NULL));
    for (int i = 0; i < 4; ++i)
      assert_int_equal(got[i], 5 + i);
    tw_tensor_release(on_host);
    tw_tensor_release(from[device]);
    tw_tensor_release(to[device]);
  }
  int is_here;
  int32_t unit;
  assert_fails(TW_OUT_OF_RANGE, tw_redistributor_device(mover, 2, &is_here, &unit));
  assert_null_argument("out_unit", tw_redistributor_device(mover, 0, &is_here, NULL));
  tw_redistributor_release(mover);

  options.device = "abacus";
  assert_fails(TW_NOT_FOUND, tw_redistributor_create(plans, 1, &options, &mover));
  options.device = NULL;
  options.deadline = -1;
  assert_fails(TW_INVALID_ARGUMENT, tw_redistributor_create(plans, 1, &options, &mover));
  options.deadline = 0;
  options.gpus = "0,0";
  assert_fails(TW_INVALID_ARGUMENT, tw_redistributor_create(plans, 1, &options, &mover));
  options.gpus = NULL;
  tw_redistribution_t *swap = redistribution("a=2,b=2", "i32[64,64] [{a},{b}]", "i32[64,64] [{b},{a}]", NULL);
  plans[0] = swap;
  options.donate = 1;
  options.memory_limit = 4096;
  assert_fails(TW_RESOURCE_EXHAUSTED, tw_redistributor_create(plans, 1, &options, &mover));
  options.memory_limit = 0;
  tw_context_t *context = NULL;
  assert_ok(tw_context_create(NULL, &context));
  options.context = context;
  assert_ok(tw_redistributor_create(plans, 1, &options, &mover));
  tw_context_release(context); /* the redistributor keeps it */
  assert_int_equal(tw_redistributor_scratch_bytes(mover), 8192);
  tw_redistributor_release(mover);
  tw_redistribution_release(swap);
  tw_redistribution_release(plan);
}

static void test_two_meshes(void **state) {
  (void)state;
  tw_mesh_t *from = make_mesh("x=2"), *axes = make_mesh("y=3"), *to = NULL;
  assert_ok(tw_mesh_with_devices(axes, (const int64_t[]){9, 7, 5}, 3, &to));
  tw_redistribution_t *plan = NULL;
  assert_ok(tw_redistribution_plan(from, "i8[6] [{x}]", to, "i8[6] [{y}]", NULL, &plan));
  assert_int_equal(tw_redistribution_num_devices(plan), 5);
  assert_int_equal(tw_redistribution_device_id(plan, 2), 5);
  tw_redistributor_t *mover = NULL;
  assert_ok(tw_redistributor_create((const tw_redistribution_t *const *)&plan, 1, NULL, &mover));
  const char halves[2][3] = {{0, 1, 2}, {3, 4, 5}};
  char thirds[3][2];
  const void *src[] = {halves[0], halves[1], NULL, NULL, NULL};
  void *dst[] = {NULL, NULL, thirds[2], thirds[1], thirds[0]};
  assert_ok(tw_redistributor_run(mover, src, dst));
  for (int i = 0; i < 6; ++i)
    assert_int_equal(thirds[i / 2][i % 2], i);
  tw_redistributor_release(mover);
  tw_redistribution_release(plan);
  tw_mesh_t *bad = UNTOUCHED(tw_mesh_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_mesh_with_devices(axes, (const int64_t[]){1, 1, 2}, 3, &bad));
  assert_fails(TW_INVALID_ARGUMENT, tw_mesh_with_devices(axes, (const int64_t[]){1, 2}, 2, &bad));
  tw_mesh_release(from);
  tw_mesh_release(axes);
  tw_mesh_release(to);
}

static void test_options(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("x=4,y=6");
  const char *src = "[3{x}12, 2{y}12]", *dst = "[2{y}12, 3{x}12]";
  tw_redistribution_options_t options = {.struct_size = sizeof options, .method = "scalar"};
  tw_redistribution_t *plan = NULL;
  assert_ok(tw_redistribution_plan(mesh, src, NULL, dst, &options, &plan));
  assert_string_equal(tw_redistribution_method(plan), "scalar");
  assert_int_equal(tw_redistribution_num_steps(plan), 3);
  tw_redistribution_release(plan);
  plan = UNTOUCHED(tw_redistribution_t);
  options.scratch_bytes = -1;
  assert_fails(TW_RESOURCE_EXHAUSTED, tw_redistribution_plan(mesh, src, NULL, dst, &options, &plan));
  options.scratch_bytes = 0;
  options.method = "best";
  assert_fails(TW_INVALID_ARGUMENT, tw_redistribution_plan(mesh, src, NULL, dst, &options, &plan));
  options.method = NULL;
  options.levels = "node=5";
  assert_fails(TW_INVALID_ARGUMENT, tw_redistribution_plan(mesh, src, NULL, dst, &options, &plan));
  options.levels = NULL;
  options.height_bytes = -1;
  assert_fails(TW_INVALID_ARGUMENT, tw_redistribution_plan(mesh, src, NULL, dst, &options, &plan));
  options.height_bytes = 0;
  const tw_link_t link = {.alpha_us = 1, .message_us = 1};
  options.links = &link;
  options.num_links = 1;
  assert_fails_saying(TW_INVALID_ARGUMENT, "gb_per_s is 0 and must be above 0",
                      tw_redistribution_plan(mesh, src, NULL, dst, &options, &plan));
  options.num_links = 0;
  options.dtype = 1000;
  assert_fails(TW_INVALID_ARGUMENT, tw_redistribution_plan(mesh, src, NULL, dst, &options, &plan));
  assert_fails(TW_INVALID_ARGUMENT, tw_redistribution_plan(mesh, "[3{x}13]", NULL, dst, NULL, &plan));
  assert_fails(TW_NOT_FOUND, tw_redistribution_plan(mesh, "[3{z}12]", NULL, dst, NULL, &plan));
  assert_fails(TW_INVALID_ARGUMENT, tw_redistribution_plan(mesh, "f32[12]", NULL, dst, NULL, &plan));
  assert_ptr_equal(plan, UNTOUCHED(tw_redistribution_t));
  assert_null_argument("src_mesh", tw_redistribution_plan(NULL, src, NULL, dst, NULL, &plan));
  assert_null_argument("src_type", tw_redistribution_plan(mesh, NULL, NULL, dst, NULL, &plan));
  assert_null_argument("dst_type", tw_redistribution_plan(mesh, src, NULL, NULL, NULL, &plan));
  assert_null_argument("out_plan", tw_redistribution_plan(mesh, src, NULL, dst, NULL, NULL));
  tw_mesh_release(mesh);
}

/* Halos through the ABI: what tiles hold, which element a coordinate stands for, and a run. */
static void test_halos(void **state) {
  (void)state;
  tw_redistribution_t *plan = redistribution("x=2", "i32[6] [{x}]", "i32[6] [{x}:halo=[1,2]]", NULL);
  int64_t offset[1], extent[1], element[1] = {77};
  assert_ok(tw_redistribution_tile(plan, 1, 0, offset, extent));
  assert_int_equal(offset[0], -1);
  assert_int_equal(extent[0], 6);
  assert_int_equal(tw_redistribution_element(plan, 1, (int64_t[]){4}, element), 1);
  assert_int_equal(element[0], 4);
  assert_int_equal(tw_redistribution_element(plan, 1, (int64_t[]){-1}, element), 0);
  assert_int_equal(element[0], 4);
  assert_int_equal(tw_redistribution_element(plan, 2, (int64_t[]){0}, element), -1);
  assert_int_equal(tw_redistribution_element(NULL, 1, (int64_t[]){0}, element), -1);
  assert_int_equal(tw_redistribution_element(plan, 1, NULL, element), -1);
  assert_int_equal(tw_redistribution_element(plan, 1, (int64_t[]){0}, NULL), -1);
  assert_int_equal(tw_redistribution_bytes_received(plan, 0), 2 * 4);
  assert_int_equal(tw_redistribution_bytes_received(plan, 1), 1 * 4);
  assert_ok(tw_redistribution_check(plan));

  tw_redistributor_t *mover = NULL;
  assert_ok(tw_redistributor_create((const tw_redistribution_t *const[]){plan}, 1, NULL, &mover));
  const int32_t first[3] = {1, 2, 3}, second[3] = {4, 5, 6};
  int32_t left[6] = {9, 9, 9, 9, 9, 9}, right[6] = {9, 9, 9, 9, 9, 9};
  assert_ok(tw_redistributor_run(mover, (const void *const[]){first, second}, (void *const[]){left, right}));
  const int32_t left_wanted[6] = {0, 1, 2, 3, 4, 5}, right_wanted[6] = {3, 4, 5, 6, 0, 0};
  assert_memory_equal(left, left_wanted, sizeof left);
  assert_memory_equal(right, right_wanted, sizeof right);
  tw_redistributor_release(mover);
  tw_redistribution_release(plan);

  plan = redistribution("x=2", "f32[6] [{x}]", "f32[6] [{x}:halo=[1,2]:wrap]", NULL);
  assert_int_equal(tw_redistribution_element(plan, 1, (int64_t[]){-1}, element), 1);
  assert_int_equal(element[0], 5);
  tw_redistribution_release(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plan),    cmocka_unit_test(test_equal_plans), cmocka_unit_test(test_run),
      cmocka_unit_test(test_sharing), cmocka_unit_test(test_where),       cmocka_unit_test(test_two_meshes),
      cmocka_unit_test(test_options), cmocka_unit_test(test_halos),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
