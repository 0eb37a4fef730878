/* SPDX-License-Identifier: Apache-2.0 */
/* tw_mesh.h: meshes, and the box that a device holds. */
#include "support.h"

static void test_parse(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("data=2,model=4");
  assert_int_equal(tw_mesh_num_axes(mesh), 2);
  assert_string_equal(tw_mesh_axis_name(mesh, 0), "data");
  assert_int_equal(tw_mesh_axis_size(mesh, 0), 2);
  assert_string_equal(tw_mesh_axis_name(mesh, 1), "model");
  assert_int_equal(tw_mesh_axis_size(mesh, 1), 4);
  assert_int_equal(tw_mesh_num_devices(mesh), 8);
  /* NULL and 0 when `axis` is too large */
  assert_null(tw_mesh_axis_name(mesh, 2));
  assert_int_equal(tw_mesh_axis_size(mesh, SIZE_MAX), 0);
  assert_ptr_equal(tw_mesh_retain(mesh), mesh);
  tw_mesh_release(mesh);
  assert_int_equal(tw_mesh_num_devices(mesh), 8);
  tw_mesh_release(mesh);

  mesh = make_mesh(""); /* the mesh of one device */
  assert_int_equal(tw_mesh_num_axes(mesh), 0);
  assert_int_equal(tw_mesh_num_devices(mesh), 1);
  tw_mesh_release(mesh);
}

static void test_bad_texts(void **state) {
  (void)state;
  const char *bad[] = {"data",          "data=",   "=2",
                       "data=0",        "data=-1", "data=2,,model=2",
                       "data=2,data=2", "data=2x", "data=99999999999999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    tw_mesh_t *mesh = UNTOUCHED(tw_mesh_t);
    assert_fails(TW_INVALID_ARGUMENT, tw_mesh_parse(bad[i], &mesh));
    assert_ptr_equal(mesh, UNTOUCHED(tw_mesh_t));
  }
  tw_mesh_t *mesh = NULL;
  assert_int_equal(tw_mesh_parse("data=2,model=many", &mesh), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(), "many"); /* names the part that is wrong */
  assert_null_argument("text", tw_mesh_parse(NULL, &mesh));
  assert_null_argument("out_mesh", tw_mesh_parse("", NULL));
}

static void test_create(void **state) {
  (void)state;
  const char *const names[] = {"x", "y"};
  const int64_t sizes[] = {3, 5};
  tw_mesh_t *mesh = NULL;
  assert_ok(tw_mesh_create(names, sizes, 2, &mesh));
  assert_int_equal(tw_mesh_num_devices(mesh), 15);
  assert_string_equal(tw_mesh_axis_name(mesh, 1), "y");
  tw_mesh_release(mesh);
  assert_ok(tw_mesh_create(NULL, NULL, 0, &mesh));
  assert_int_equal(tw_mesh_num_devices(mesh), 1);
  tw_mesh_release(mesh);

  mesh = UNTOUCHED(tw_mesh_t);
  assert_null_argument("axis_names", tw_mesh_create(NULL, sizes, 2, &mesh));
  assert_null_argument("axis_sizes", tw_mesh_create(names, NULL, 2, &mesh));
  const char *const hole[] = {"x", NULL};
  assert_null_argument("axis_names", tw_mesh_create(hole, sizes, 2, &mesh));
  assert_null_argument("out_mesh", tw_mesh_create(names, sizes, 2, NULL));
  const int64_t none[] = {3, 0};
  assert_fails(TW_INVALID_ARGUMENT, tw_mesh_create(names, none, 2, &mesh));
  static const char *const no_names[] = {"", "a b", "a=b", "a,b", "]", "{x}", "\"q\"", "a'b", "a\nb", "\xff"};
  for (size_t i = 0; i < 10; ++i) { /* as tw_mesh_parse, which names the axis and what is allowed */
    assert_fails_saying(TW_INVALID_ARGUMENT, i < 8 ? no_names[i] : "mesh axis",
                        tw_mesh_create(&no_names[i], sizes, 1, &mesh));
    if (i < 9)
      assert_contains(tw_error_message(), "letters, digits, '_', '-', '.'");
  }
  assert_ptr_equal(mesh, UNTOUCHED(tw_mesh_t));
}

static void test_limits(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("a=65536"); /* at most 65536 devices */
  assert_int_equal(tw_mesh_num_devices(mesh), 65536);
  tw_mesh_release(mesh);

  char text[65][16];
  const char *names[65];
  int64_t sizes[65];
  for (int i = 0; i < 65; ++i) {
    snprintf(text[i], sizeof text[i], "a%d", i);
    names[i] = text[i];
    sizes[i] = 1;
  }
  assert_ok(tw_mesh_create(names, sizes, 64, &mesh)); /* at most 64 axes */
  tw_mesh_release(mesh);
  assert_fails(TW_OUT_OF_RANGE, tw_mesh_create(names, sizes, 65, &mesh));
  mesh = UNTOUCHED(tw_mesh_t);
  assert_fails(TW_OUT_OF_RANGE, tw_mesh_parse("a=65536,b=2", &mesh));
  assert_int_equal(tw_mesh_parse("a=65537", &mesh), TW_OUT_OF_RANGE);
  assert_contains(tw_error_message(), "65536");
  assert_fails(TW_OUT_OF_RANGE, tw_mesh_parse("a=9223372036854775807,b=9223372036854775807", &mesh));
  const int64_t most[] = {INT64_MAX, INT64_MAX};
  assert_fails(TW_OUT_OF_RANGE, tw_mesh_create(names, most, 2, &mesh));
  char many[65 * 8] = "";
  for (int i = 0; i < 65; ++i)
    snprintf(many + strlen(many), sizeof many - strlen(many), "%sa%d=1", i ? "," : "", i);
  assert_fails(TW_OUT_OF_RANGE, tw_mesh_parse(many, &mesh));
  assert_ptr_equal(mesh, UNTOUCHED(tw_mesh_t));
}

/* row-major: on "batch=2,model=4" device 5 stands at batch 1, model 1 */
static void test_box(void **state) {
  (void)state;
  tw_mesh_t *mesh = make_mesh("batch=2,model=4");
  int64_t offset[2], extent[2];
  assert_ok(tw_mesh_box(mesh, "[{batch}, {model}]", DIMS(10, 8), 5, offset, extent));
  assert_int_equal(offset[0], 5);
  assert_int_equal(extent[0], 5);
  assert_int_equal(offset[1], 2);
  assert_int_equal(extent[1], 2);
  /* major to minor: batch outermost; 33 rows over 8 devices, balanced */
  assert_ok(tw_mesh_box(mesh, "[{batch,model}, {}]", DIMS(33, 8), 5, offset, extent));
  assert_int_equal(offset[0], 5 * 33 / 8);
  assert_int_equal(extent[0], 6 * 33 / 8 - 5 * 33 / 8);
  assert_int_equal(offset[1], 0);
  assert_int_equal(extent[1], 8);
  /* Extents may be 0: 5 rows over 4 by ceil are 2, 2, 1, 0 */
  assert_ok(tw_mesh_box(mesh, "[{model}:ceil, {}]", DIMS(5, 8), 3, offset, extent));
  assert_int_equal(extent[0], 0);
  /* Halos count, at the border and around empty tiles too. */
  assert_ok(tw_mesh_box(mesh, "[{model}:halo=[2,1], {}]", DIMS(8, 8), 0, offset, extent));
  assert_int_equal(offset[0], -2);
  assert_int_equal(extent[0], 5);
  assert_ok(tw_mesh_box(mesh, "[{model}:ceil:halo=[2,1], {}]", DIMS(5, 8), 3, offset, extent));
  assert_int_equal(offset[0], 3);
  assert_int_equal(extent[0], 3);
  assert_int_not_equal(
      tw_mesh_box(mesh, "[{batch}:cuts=[0,5,10]:halo=[1,1], {}]", DIMS(10, 8), 5, offset, extent), TW_OK);
  assert_contains(tw_error_message(), "character 2");

  const int64_t before = offset[0] = extent[0] = 77;
  assert_fails(TW_INVALID_ARGUMENT, tw_mesh_box(mesh, "[{batch}]", DIMS(10, 8), 5, offset, extent));
  assert_fails(TW_INVALID_ARGUMENT, tw_mesh_box(mesh, "[{batch}, {batch}]", DIMS(10, 8), 5, offset, extent));
  assert_int_not_equal(tw_mesh_box(mesh, "[{nobody}, {}]", DIMS(10, 8), 5, offset, extent), TW_OK);
  assert_contains(tw_error_message(), "nobody");
  assert_int_not_equal(tw_mesh_box(mesh, "[{batch", DIMS(10, 8), 5, offset, extent), TW_OK);
  assert_fails(TW_OUT_OF_RANGE, tw_mesh_box(mesh, "[{batch}, {}]", DIMS(10, 8), 8, offset, extent));
  assert_fails(TW_OUT_OF_RANGE, tw_mesh_box(mesh, "[{batch}, {}]", DIMS(10, 8), -1, offset, extent));
  assert_null_argument("mesh", tw_mesh_box(NULL, "[{}, {}]", DIMS(10, 8), 0, offset, extent));
  assert_null_argument("sharding", tw_mesh_box(mesh, NULL, DIMS(10, 8), 0, offset, extent));
  assert_null_argument("dims", tw_mesh_box(mesh, "[{}, {}]", NULL, 2, 0, offset, extent));
  assert_null_argument("out_offset", tw_mesh_box(mesh, "[{}, {}]", DIMS(10, 8), 0, NULL, extent));
  assert_null_argument("out_extent", tw_mesh_box(mesh, "[{}, {}]", DIMS(10, 8), 0, offset, NULL));
  assert_int_equal(offset[0], before);
  assert_int_equal(extent[0], before);
  assert_ok(tw_mesh_box(mesh, "[]", NULL, 0, 0, NULL, NULL)); /* a scalar has no dimensions */
  assert_int_not_equal(tw_mesh_box(mesh, "[{}]", DIMS(-1), 0, offset, extent), TW_OK);
  tw_mesh_release(mesh);
}

static void test_of_nothing(void **state) {
  (void)state;
  tw_mesh_release(NULL);
  assert_null(tw_mesh_retain(NULL));
  assert_int_equal(tw_mesh_num_axes(NULL), 0);
  assert_null(tw_mesh_axis_name(NULL, 0));
  assert_int_equal(tw_mesh_axis_size(NULL, 0), 0);
  assert_int_equal(tw_mesh_num_devices(NULL), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parse),  cmocka_unit_test(test_bad_texts), cmocka_unit_test(test_create),
      cmocka_unit_test(test_limits), cmocka_unit_test(test_box),       cmocka_unit_test(test_of_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
