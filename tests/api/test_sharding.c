/* SPDX-License-Identifier: Apache-2.0 */
/* tw_sharding.h: shardings from text and structs, what each position holds, and meshes whose axes are cut. */
#include "support.h"

static tw_sharding_t *parse(const char *mesh_text, const char *text, const int64_t *dims, size_t ndims) {
  tw_mesh_t *mesh = make_mesh(mesh_text);
  tw_sharding_t *sharding = NULL;
  assert_ok(tw_sharding_parse(mesh, text, dims, ndims, &sharding));
  tw_mesh_release(mesh);
  return sharding;
}

static void test_structs_and_text_agree(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("a=2,b=8,c=3");
  const tw_axis_part_t two[] = {{.axis = "a"}, {.axis = "b", .before = 2, .size = 2}};
  const tw_axis_part_t c = {.axis = "c"};
  const int64_t cuts[] = {0, 2, 7, 9};
  const tw_dim_sharding_t dims[] = {
      {.axes = two, .num_axes = 2, .split = TW_SPLIT_CEIL, .halo_before = 1, .halo_after = 2},
      {.unit = 0},
      {.axes = &c,
       .num_axes = 1,
       .split = TW_SPLIT_CUTS,
       .cuts = cuts,
       .num_cuts = 4,
       .is_open = 1,
       .priority = 3}};
  const tw_partial_t partial = {{.axis = "b", .before = 4}, TW_REDUCTION_MAX, {0}};
  tw_sharding_t *made = NULL;
  assert_ok(tw_sharding_create(mesh, (const int64_t[]){10, 5, 9}, 3, dims, &partial, 1, &made));
  assert_sharding_text(made, "[{a,b:(2)2}:ceil:halo=[1,2], {}, {c}:cuts=[0,2,7,9]] +max:b:(4)2");
  tw_sharding_t *read = NULL;
  assert_ok(tw_sharding_parse(mesh, "[{a,b:(2)2}:ceil:halo=[1,2], {}, {c}:cuts=[0,2,7,9]] +max:b:(4)2",
                              (const int64_t[]){10, 5, 9}, 3, &read));
  assert_int_equal(tw_sharding_equal(made, read), 1);
  assert_int_equal(tw_sharding_equal(made, NULL), 0);

  size_t ndims = 0;
  assert_int_equal(tw_sharding_dims(made, &ndims)[2], 9);
  assert_int_equal(ndims, 3);
  tw_dim_sharding_t dim;
  assert_ok(tw_sharding_dim(made, 0, &dim));
  assert_int_equal(dim.num_axes, 2);
  assert_string_equal(dim.axes[0].axis, "a");
  assert_int_equal(dim.axes[0].before, 1);
  assert_int_equal(dim.axes[0].size, 2);
  assert_string_equal(dim.axes[1].axis, "b");
  assert_int_equal(dim.axes[1].before, 2);
  assert_int_equal(dim.axes[1].size, 2);
  assert_int_equal(dim.split, TW_SPLIT_CEIL);
  assert_int_equal(dim.halo_after, 2);
  assert_int_equal(dim.is_open, 0);
  assert_int_equal(tw_sharding_num_tiles(made, 0), 4);
  assert_int_equal(tw_sharding_num_tiles(made, 1), 1);
  assert_int_equal(tw_sharding_num_tiles(made, 3), 0);
  assert_ok(tw_sharding_dim(made, 2, &dim));
  assert_int_equal(dim.num_cuts, 4);
  assert_int_equal(dim.cuts[2], 7);
  assert_int_equal(dim.is_open, 1);
  assert_int_equal(dim.priority, 3);
  assert_ok(tw_sharding_dim(read, 2, &dim)); /* No dimension of a text is open. */
  assert_int_equal(dim.is_open, 0);
  assert_fails(TW_OUT_OF_RANGE, tw_sharding_dim(made, 3, &dim));
  assert_int_equal(tw_sharding_num_partials(made), 1);
  tw_partial_t found;
  assert_ok(tw_sharding_partial(made, 0, &found));
  assert_string_equal(found.part.axis, "b");
  assert_int_equal(found.part.before, 4);
  assert_int_equal(found.reduction, TW_REDUCTION_MAX);
  assert_fails(TW_OUT_OF_RANGE, tw_sharding_partial(made, 1, &found));
  assert_int_equal(tw_sharding_is_whole(made), 0);
  tw_sharding_release(tw_sharding_retain(made));
  tw_sharding_release(made);
  tw_sharding_release(read);
  tw_mesh_release(mesh);
  tw_sharding_release(NULL);
}

/* Every position's tile is what tw_mesh_box says of the text, and tiles cover the array. */
static void test_tiles(void **state) {
  (void)state;
  static const char *const texts[] = {"[{a}, {b}]",
                                      "[{b,a}:ceil, {}]",
                                      "[{a:(1)2}, {a:(2)2,b}]",
                                      "[{b}:cuts=[0,1,1,7], {}]",
                                      "[{a}:halo=[1,1]:wrap, {}]",
                                      "[{}, {}]"};
  tw_mesh_t *mesh = make_mesh("a=4,b=3");
  for (size_t t = 0; t < sizeof texts / sizeof *texts; ++t) {
    tw_sharding_t *sharding = NULL;
    assert_ok(tw_sharding_parse(mesh, texts[t], DIMS(7, 24), &sharding));
    assert_sharding_text(sharding, texts[t]);
    int64_t most[2] = {0, 0}, local[2];
    for (int64_t device = 0; device < 12; ++device) {
      int64_t offset[2], extent[2], box_offset[2], box_extent[2];
      assert_ok(tw_sharding_tile(sharding, device, offset, extent));
      assert_ok(tw_mesh_box(mesh, texts[t], DIMS(7, 24), device, box_offset, box_extent));
      assert_memory_equal(offset, box_offset, sizeof offset);
      assert_memory_equal(extent, box_extent, sizeof extent);
      for (int d = 0; d < 2; ++d)
        most[d] = extent[d] > most[d] ? extent[d] : most[d];
    }
    assert_ok(tw_sharding_local_dims(sharding, local));
    assert_memory_equal(local, most, sizeof local);
    int64_t offset[2], extent[2];
    assert_fails(TW_OUT_OF_RANGE, tw_sharding_tile(sharding, 12, offset, extent));
    assert_fails(TW_OUT_OF_RANGE, tw_sharding_tile(sharding, -1, offset, extent));
    assert_int_equal(tw_sharding_is_whole(sharding), t == 5);
    tw_sharding_release(sharding);
  }
  tw_sharding_t *scalar = NULL;
  assert_ok(tw_sharding_parse(mesh, "[]", NULL, 0, &scalar));
  size_t ndims = 7;
  assert_non_null(tw_sharding_dims(scalar, &ndims));
  assert_int_equal(ndims, 0);
  assert_ok(tw_sharding_tile(scalar, 3, NULL, NULL));
  assert_ok(tw_sharding_local_dims(scalar, NULL));
  tw_sharding_release(scalar);
  tw_mesh_release(mesh);
}

static void test_meshes_with_parts(void **state) {
  (void)state;
  tw_sharding_t *sharding = parse("a=2,b=8", "[{b:(2)2}]", DIMS(4));
  tw_mesh_t *mesh = NULL;
  assert_ok(tw_sharding_mesh(sharding, &mesh));
  assert_int_equal(tw_mesh_num_axes(mesh), 4); /* a, and b in three parts */
  tw_axis_part_t part;
  assert_ok(tw_mesh_axis_part(mesh, 2, &part));
  assert_string_equal(part.axis, "b");
  assert_int_equal(part.before, 2);
  assert_int_equal(part.size, 2);
  assert_ok(tw_mesh_axis_part(mesh, 0, &part));
  assert_string_equal(part.axis, "a");
  assert_int_equal(part.before, 1);
  assert_fails(TW_OUT_OF_RANGE, tw_mesh_axis_part(mesh, 4, &part));
  assert_int_equal(tw_mesh_axis_kind(mesh, 0), TW_AXIS_DEVICES);
  assert_int_equal(tw_mesh_axis_kind(mesh, 4), TW_AXIS_SIGNED);
  assert_int_equal(tw_mesh_num_positions(mesh), 16);
  /* A sharding of the cut mesh names the axis as the user does. */
  tw_sharding_t *again = NULL;
  assert_ok(tw_sharding_parse(mesh, "[{b:(2)2}]", DIMS(4), &again));
  assert_int_equal(tw_sharding_equal(sharding, again), 1);
  tw_sharding_release(again);
  tw_mesh_release(mesh);
  tw_sharding_release(sharding);

  tw_mesh_t *plain = make_mesh("a=2,b=2"), *other = NULL;
  assert_ok(tw_mesh_with_devices(plain, (const int64_t[]){3, 2, 1, 0}, 4, &other));
  assert_int_equal(tw_mesh_device_id(plain, 1), 1);
  assert_int_equal(tw_mesh_device_id(other, 1), 2);
  assert_int_equal(tw_mesh_device_id(other, 4), -1);
  assert_int_equal(tw_mesh_device_id(other, -1), -1);
  tw_sharding_t *x = NULL, *y = NULL;
  assert_ok(tw_sharding_parse(plain, "[{a}]", DIMS(4), &x));
  assert_ok(tw_sharding_parse(other, "[{a}]", DIMS(4), &y));
  assert_int_equal(tw_sharding_equal(x, y), 0);
  tw_sharding_release(x);
  tw_sharding_release(y);
  tw_mesh_release(plain);
  tw_mesh_release(other);
}

/* Structs that say nothing that can be; each error names where. */
static void test_mistakes(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("a=2,b=8");
  tw_sharding_t *out = UNTOUCHED(tw_sharding_t);
  const tw_axis_part_t parts[] = {{.axis = "z"},
                                  {.axis = NULL},
                                  {.axis = "b", .before = 4, .size = 4},
                                  {.axis = "b", .before = -1},
                                  {.axis = "b", .size = INT64_MAX},
                                  {.axis = "a", .reserved = {1}}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    const tw_dim_sharding_t dim = {.axes = &parts[i], .num_axes = 1};
    assert_int_not_equal(tw_sharding_create(mesh, DIMS(8), &dim, NULL, 0, &out), TW_OK);
    assert_contains(tw_error_message(), "dim_shardings[0].axes[0]");
  }
  const tw_axis_part_t three = {.axis = "b", .before = 3, .size = 2}; /* of 8 places */
  const tw_dim_sharding_t cut = {.axes = &three, .num_axes = 1};
  assert_int_equal(tw_sharding_create(mesh, DIMS(8), &cut, NULL, 0, &out), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(), "axis 'b'");
  const tw_axis_part_t a = {.axis = "a"}, twice[] = {a, a};
  const int64_t cuts[] = {0, 9};
  const tw_dim_sharding_t dims[] = {
      {.axes = twice, .num_axes = 2},
      {.axes = &a, .num_axes = 1, .split = 7},
      {.axes = &a, .num_axes = 1, .split = TW_SPLIT_CUTS, .cuts = cuts, .num_cuts = 2},
      {.axes = &a, .num_axes = 1, .split = TW_SPLIT_CUTS},
      {.axes = &a, .num_axes = 1, .unit = 3},
      {.axes = &a, .num_axes = 1, .halo_before = -1},
      {.axes = &a, .num_axes = 1, .border = 3},
      {.num_axes = 1},
      {.axes = &a, .num_axes = SIZE_MAX},
      {.axes = &a, .num_axes = 1, .priority = -2},
      {.reserved = {0, 1}}};
  for (size_t i = 0; i < sizeof dims / sizeof *dims; ++i)
    assert_fails(TW_INVALID_ARGUMENT, tw_sharding_create(mesh, DIMS(8), &dims[i], NULL, 0, &out));
  const tw_dim_sharding_t whole = {.split = TW_SPLIT_BALANCED};
  const tw_partial_t partials[] = {{a, 10, {0}}, {a, -1, {0}}, {a, TW_REDUCTION_SUM, {1}}};
  for (size_t i = 0; i < sizeof partials / sizeof *partials; ++i)
    assert_fails(TW_INVALID_ARGUMENT, tw_sharding_create(mesh, DIMS(8), &whole, &partials[i], 1, &out));
  assert_fails(TW_INVALID_ARGUMENT, tw_sharding_create(mesh, DIMS(-1), &whole, NULL, 0, &out));
  assert_fails(TW_INVALID_ARGUMENT, tw_sharding_parse(mesh, "[{a}", DIMS(8), &out));
  assert_fails(TW_INVALID_ARGUMENT, tw_sharding_parse(mesh, "[{a}, {}]", DIMS(8), &out));
  assert_fails(TW_NOT_FOUND, tw_sharding_parse(mesh, "[{q}]", DIMS(8), &out));
  assert_null_argument("mesh", tw_sharding_parse(NULL, "[{a}]", DIMS(8), &out));
  assert_null_argument("text", tw_sharding_parse(mesh, NULL, DIMS(8), &out));
  assert_null_argument("dims", tw_sharding_parse(mesh, "[{a}]", NULL, 1, &out));
  assert_null_argument("dim_shardings", tw_sharding_create(mesh, DIMS(8), NULL, NULL, 0, &out));
  assert_null_argument("partials", tw_sharding_create(mesh, DIMS(8), &whole, NULL, 1, &out));
  assert_null_argument("out_sharding", tw_sharding_create(mesh, DIMS(8), &whole, NULL, 0, NULL));
  assert_ptr_equal(out, UNTOUCHED(tw_sharding_t));
  assert_null(tw_sharding_dims(NULL, NULL));
  assert_int_equal(tw_sharding_num_tiles(NULL, 0), 0);
  assert_int_equal(tw_sharding_is_whole(NULL), 0);
  tw_mesh_release(mesh);
}

/* A dimension that no axis tiles is one tile: it begins at 0 and ends where the dimension does. */
static void test_spans(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("x=3,one=1");
  const tw_axis_part_t x = {.axis = "x"}, one = {.axis = "one"};
  const int64_t part[] = {1, 4}, whole[] = {0, 6}, three[] = {0, 3, 1, 4, 2, 6};
  tw_sharding_t *out = UNTOUCHED(tw_sharding_t);
  for (size_t num_axes = 0; num_axes < 2; ++num_axes) {
    tw_dim_sharding_t dim = {
        .axes = &one, .num_axes = num_axes, .split = TW_SPLIT_SPANS, .cuts = part, .num_cuts = 2};
    assert_fails(TW_INVALID_ARGUMENT, tw_sharding_create(mesh, DIMS(6), &dim, NULL, 0, &out));
    assert_ptr_equal(out, UNTOUCHED(tw_sharding_t));
    dim.cuts = whole;
    tw_sharding_t *made = NULL;
    assert_ok(tw_sharding_create(mesh, DIMS(6), &dim, NULL, 0, &made));
    assert_int_equal(tw_sharding_is_whole(made), num_axes == 0);
    tw_sharding_release(made);
  }
  const tw_dim_sharding_t tiled = {
      .axes = &x, .num_axes = 1, .split = TW_SPLIT_SPANS, .cuts = three, .num_cuts = 6};
  tw_sharding_t *made = NULL, *read = NULL;
  tw_blob_t *text = NULL;
  assert_ok(tw_sharding_create(mesh, DIMS(6), &tiled, NULL, 0, &made));
  assert_ok(tw_sharding_text(made, &text));
  assert_ok(tw_sharding_parse(mesh, tw_blob_data(text), DIMS(6), &read));
  assert_int_equal(tw_sharding_equal(made, read), 1);
  tw_blob_release(text);
  tw_sharding_release(read);
  tw_sharding_release(made);
  tw_mesh_release(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_structs_and_text_agree),
      cmocka_unit_test(test_tiles),
      cmocka_unit_test(test_meshes_with_parts),
      cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_spans),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
