/* SPDX-License-Identifier: Apache-2.0 */
/* tw_store.h: sets that are written, read by boxes, resharded, stopped and continued; and what is refused. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "support.h"

#include <unistd.h>

/* A folder of its own for each test, left for the system's cleaner. */
static const char *path_of(const char *name) {
  static char folder[64], path[128];
  if (folder[0] == 0) {
    snprintf(folder, sizeof folder, "/tmp/tw_store.XXXXXX");
    assert_non_null(mkdtemp(folder));
  }
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static tw_store_t *open_store(const char *path) {
  tw_store_t *store = NULL;
  assert_ok(tw_store_open(path, NULL, &store));
  return store;
}

/* "a" is f32[6,4], which counts from 0; "b" is i32[3], which counts from 100. */
static void write_two(const char *path) {
  tw_tensor_t *a = NULL, *b = NULL;
  static float counted[24];
  static int32_t others[3];
  for (int i = 0; i < 24; ++i)
    counted[i] = (float)i;
  for (int i = 0; i < 3; ++i)
    others[i] = 100 + i;
  assert_ok(tw_tensor_wrap_const(TW_F32, DIMS(6, 4), counted, NULL, NULL, &a));
  assert_ok(tw_tensor_wrap_const(TW_S32, DIMS(3), others, NULL, NULL, &b));
  assert_ok(tw_store_write(path, NULL, (const char *[]){"a", "b"}, (const tw_tensor_t *[]){a, b}, 2));
  tw_tensor_release(a);
  tw_tensor_release(b);
}

static size_t array_of(const tw_store_t *store, const char *name) {
  for (size_t i = 0; i < tw_store_num_arrays(store); ++i)
    if (strcmp(tw_store_array_name(store, i), name) == 0)
      return i;
  fail_msg("there is no array %s", name);
  return 0;
}

static void test_store__facts_and_boxes(void **state) {
  (void)state;
  const char *formats[] = {"two.safetensors", "two.npz"}, *names[] = {"safetensors", "npz"};
  for (size_t f = 0; f < 2; ++f) {
    write_two(path_of(formats[f]));
    tw_store_t *store = open_store(path_of(formats[f]));
    assert_string_equal(tw_store_format(store), names[f]);
    assert_int_equal(tw_store_num_arrays(store), 2);
    const size_t a = array_of(store, "a");
    assert_int_equal(tw_store_array_dtype(store, a), TW_F32);
    size_t ndims = 0;
    const int64_t *dims = tw_store_array_dims(store, a, &ndims);
    assert_int_equal(ndims, 2);
    assert_int_equal(dims[0], 6);
    assert_int_equal(dims[1], 4);
    assert_string_equal(tw_store_array_problem(store, a), "");
    assert_string_equal(tw_store_array_foreign(store, a), "");
    assert_null(tw_store_array_name(store, 2));
    assert_null(tw_store_array_problem(store, 2));
    assert_null(tw_store_array_dims(store, 2, &ndims));

    assert_int_equal(tw_store_num_parts(store, a), 1);
    tw_store_part_t part = {0};
    assert_ok(tw_store_part(store, a, 0, &part));
    assert_int_equal(part.ndims, 2);
    assert_int_equal(part.offset[0], 0);
    assert_int_equal(part.extent[1], 4);
    assert_int_equal(part.strides[0], 16);
    assert_non_null(strstr(part.file, formats[f]));
    assert_fails(TW_OUT_OF_RANGE, tw_store_part(store, a, 1, &part));

    float box[2][8] = {{0}};
    const int64_t strides[] = {sizeof box[0], 2 * sizeof(float)};
    const uint64_t before = tw_store_bytes_read(store);
    assert_ok(tw_store_read(store, a, (const int64_t[]){3, 1}, (const int64_t[]){2, 3}, strides, box));
    assert_true(tw_store_bytes_read(store) > before);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) {
        assert_true(box[i][2 * j] == (float)(4 * (3 + i) + 1 + j));
        assert_true(box[i][2 * j + 1] == 0);
      }
    tw_tensor_t *tensor = NULL;
    assert_ok(tw_tensor_create(NULL, TW_F32, DIMS(1, 4), &tensor));
    assert_ok(tw_store_read_tensor(store, a, (const int64_t[]){5, 0}, tensor));
    assert_true(((const float *)tw_tensor_const_data(tensor))[3] == 23);
    tw_tensor_release(tensor);
    assert_fails(TW_OUT_OF_RANGE,
                 tw_store_read(store, a, (const int64_t[]){5, 0}, (const int64_t[]){2, 4}, NULL, box));
    tw_store_release(tw_store_retain(store));
    tw_store_release(store);
  }
}

static int stop_at_once(void *user, uint64_t done, uint64_t total) {
  assert_true(done <= total);
  return ++*(int *)user > 1;
}

static void test_store__reshard(void **state) {
  (void)state;
  write_two(path_of("source.safetensors"));
  tw_store_t *store = open_store(path_of("source.safetensors"));
  tw_mesh_t *mesh = make_mesh("x=4");
  tw_sharding_t *rows = NULL;
  assert_ok(tw_sharding_parse(mesh, "[{x}, {}]", DIMS(6, 4), &rows));
  const tw_sharding_t *shardings[2] = {NULL, NULL};
  shardings[array_of(store, "a")] = rows;

  tw_blob_t *json = NULL;
  tw_reshard_options_t options = {.struct_size = sizeof options, .dry_run = 1};
  assert_ok(tw_store_reshard(store, path_of("tiles"), mesh, shardings, 2, &options, &json));
  assert_contains(tw_blob_data(json), "\"least_bytes_read\": 108");
  tw_blob_release(json);
  assert_int_equal(access(path_of("tiles"), F_OK), -1);

  options = (tw_reshard_options_t){.struct_size = sizeof options, .verify = 1};
  assert_ok(tw_store_reshard(store, path_of("tiles"), mesh, shardings, 2, &options, &json));
  assert_contains(tw_blob_data(json), "\"verified\": true");
  tw_blob_release(json);
  json = NULL;
  assert_fails(TW_FAILED_PRECONDITION,
               tw_store_reshard(store, path_of("tiles"), mesh, shardings, 2, &options, &json));

  /* Tiles of one or two rows; the other array is whole on each, so its parts are copies. */
  tw_store_t *tiles = open_store(path_of("tiles"));
  const size_t a = array_of(tiles, "a");
  assert_int_equal(tw_store_num_parts(tiles, a), 4);
  assert_int_equal(tw_store_num_parts(tiles, array_of(tiles, "b")), 4);
  int64_t had = 0;
  for (size_t i = 0; i < 4; ++i) {
    tw_store_part_t part = {0};
    assert_ok(tw_store_part(tiles, a, i, &part));
    assert_int_equal(part.offset[0], had);
    assert_in_range(part.extent[0], 1, 2);
    had += part.extent[0];
  }
  assert_int_equal(had, 6);
  float whole[24];
  assert_ok(tw_store_read(tiles, a, (const int64_t[]){0, 0}, (const int64_t[]){6, 4}, NULL, whole));
  for (int i = 0; i < 24; ++i)
    assert_true(whole[i] == (float)i);
  tw_store_release(tiles);

  int calls = 0;
  options = (tw_reshard_options_t){.struct_size = sizeof options, .step = stop_at_once, .user = &calls};
  assert_fails(TW_CANCELLED,
               tw_store_reshard(store, path_of("stopped"), mesh, shardings, 2, &options, &json));
  assert_int_equal(access(path_of("stopped"), F_OK), -1);
  options.step = NULL;
  assert_ok(tw_store_reshard(store, path_of("stopped"), mesh, shardings, 2, &options, &json));
  tw_blob_release(json);
  assert_int_equal(access(path_of("stopped"), F_OK), 0);
  tw_sharding_release(rows);
  tw_mesh_release(mesh);
  tw_store_release(store);
}

static void test_store__names_and_types(void **state) {
  (void)state;
  write_two(path_of("names.safetensors"));
  tw_store_options_t options = {.struct_size = sizeof options, .rename = "a layer.*\n"};
  tw_store_t *store = UNTOUCHED(tw_store_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_store_open(path_of("names.safetensors"), &options, &store));
  assert_ptr_equal(store, UNTOUCHED(tw_store_t));
  options.rename = "a layer.w\nb -\n";
  assert_ok(tw_store_open(path_of("names.safetensors"), &options, &store));
  assert_int_equal(tw_store_num_arrays(store), 1);
  assert_string_equal(tw_store_array_name(store, 0), "layer.w");
  tw_blob_t *json = NULL;
  const tw_reshard_options_t rounded = {.struct_size = sizeof rounded, .dtype = TW_BF16};
  assert_ok(tw_store_reshard(store, path_of("rounded.safetensors"), NULL, NULL, 0, &rounded, &json));
  tw_blob_release(json);
  tw_store_release(store);
  store = open_store(path_of("rounded.safetensors"));
  assert_int_equal(tw_store_array_dtype(store, 0), TW_BF16);
  tw_store_release(store);
}

static void test_store__parts_of_one_file(void **state) {
  (void)state;
  const int64_t dims[] = {4, 2};
  for (int64_t row = 2; row >= 0; row -= 2) {
    const float mine[] = {(float)row, (float)row + 1, (float)row + 2, (float)row + 3};
    tw_tensor_t *part = NULL;
    assert_ok(tw_tensor_wrap_const(TW_F32, DIMS(2, 2), mine, NULL, NULL, &part));
    assert_ok(tw_store_write_part(path_of("together.npy"), dims, (const int64_t[]){row, 0}, part));
    assert_fails(TW_OUT_OF_RANGE,
                 tw_store_write_part(path_of("together.npy"), dims, (const int64_t[]){3, 0}, part));
    tw_tensor_release(part);
  }
  tw_store_t *store = open_store(path_of("together.npy"));
  float all[8];
  assert_ok(tw_store_read(store, 0, (const int64_t[]){0, 0}, dims, NULL, all));
  assert_true(all[1] == 1 && all[4] == 2 && all[7] == 5);
  tw_store_release(store);
}

static void test_store__wrong(void **state) {
  (void)state;
  tw_store_t *store = UNTOUCHED(tw_store_t);
  assert_null_argument("path", tw_store_open(NULL, NULL, &store));
  assert_null_argument("out_store", tw_store_open("x", NULL, NULL));
  assert_fails(TW_NOT_FOUND, tw_store_open(path_of("nothing.npz"), NULL, &store));
  const tw_store_options_t options = {.struct_size = sizeof options, .format = "parquet"};
  assert_fails(TW_NOT_FOUND, tw_store_open(path_of("nothing.npz"), &options, &store));
  FILE *file = fopen(path_of("damaged.safetensors"), "wb");
  assert_non_null(file);
  fputs("\xff\xff\xff\xff\xff\xff\xff\x7f{}", file);
  fclose(file);
  assert_fails(TW_INVALID_ARGUMENT, tw_store_open(path_of("damaged.safetensors"), NULL, &store));
  assert_ptr_equal(store, UNTOUCHED(tw_store_t));
  tw_store_release(NULL);
}

/* What cannot be written, or would not be read again, is refused before there is a file. */
static void test_store__not_written(void **state) {
  (void)state;
  static const float ones[] = {1, 1}, twos[] = {2, 2};
  tw_tensor_t *one = NULL, *two = NULL;
  assert_ok(tw_tensor_wrap_const(TW_F32, DIMS(2), ones, NULL, NULL, &one));
  assert_ok(tw_tensor_wrap_const(TW_F32, DIMS(2), twos, NULL, NULL, &two));
  const tw_tensor_t *both[] = {one, two};
  const char *path = path_of("refused");
  assert_fails_saying(TW_UNIMPLEMENTED, "torch is read and not written",
                      tw_store_write(path, "torch", (const char *[]){"x"}, both, 1));
  assert_int_equal(access(path, F_OK), -1);
  static const char *const formats[] = {"safetensors", "npz", "npy"};
  for (size_t f = 0; f < 3; ++f) {
    assert_fails_saying(TW_INVALID_ARGUMENT, "names 0 and 1 are both 'x'",
                        tw_store_write(path, formats[f], (const char *[]){"x", "x"}, both, 2));
    if (f != 0) {
      assert_fails_saying(TW_INVALID_ARGUMENT, "no arrays are given",
                          tw_store_write(path, formats[f], NULL, NULL, 0));
    }
    assert_int_equal(access(path, F_OK), -1);
  }
  assert_fails_saying(TW_INVALID_ARGUMENT, "array '__metadata__' cannot be written to safetensors",
                      tw_store_write(path, "safetensors", (const char *[]){"x", "__metadata__"}, both, 2));
  assert_int_equal(access(path, F_OK), -1);
  static const char *const odd[] = {"", "..", "a/b", "a\nb", ".npy", "__metadata__"};
  for (size_t i = 0; i < 6; ++i) { /* names of an archive are read as they were given */
    assert_ok(tw_store_write(path, "npz", (const char *[]){odd[i], "x"}, both, 2));
    tw_store_t *store = open_store(path);
    assert_int_equal(tw_store_num_arrays(store), 2);
    float read[2];
    assert_ok(tw_store_read(store, array_of(store, odd[i]), (const int64_t[]){0}, (const int64_t[]){2}, NULL,
                            read));
    assert_true(read[0] == 1);
    tw_store_release(store);
  }
  tw_tensor_release(one);
  tw_tensor_release(two);
}

/* A name with a byte 0, which the headers of safetensors can hold. */
static void test_store__name_with_zero(void **state) {
  (void)state;
  static const char head[] = "{\"a\\u0000b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
  FILE *file = fopen(path_of("zero.safetensors"), "wb");
  assert_non_null(file);
  const uint64_t size = strlen(head);
  assert_int_equal(fwrite(&size, 1, sizeof size, file), sizeof size);
  fputs(head, file);
  fputc(7, file);
  fclose(file);
  tw_store_t *store = open_store(path_of("zero.safetensors"));
  static const char *const formats[] = {"npz", "npy"};
  for (size_t f = 0; f < 2; ++f) {
    const tw_reshard_options_t options = {.struct_size = sizeof options, .format = formats[f]};
    tw_blob_t *json = UNTOUCHED(tw_blob_t);
    assert_fails_saying(TW_INVALID_ARGUMENT, "array 'a",
                        tw_store_reshard(store, path_of(formats[f]), NULL, NULL, 0, &options, &json));
  }
  tw_store_release(store);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_store__facts_and_boxes), cmocka_unit_test(test_store__reshard),
      cmocka_unit_test(test_store__names_and_types), cmocka_unit_test(test_store__parts_of_one_file),
      cmocka_unit_test(test_store__wrong),           cmocka_unit_test(test_store__not_written),
      cmocka_unit_test(test_store__name_with_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
