/* SPDX-License-Identifier: Apache-2.0 */
/* tw_base.h: versions, errors and their threads, blobs, contexts, element types. */
#include "support.h"

#include <pthread.h>

static void test_versions(void **state) {
  (void)state;
  assert_int_equal(tw_api_version(),
                   TW_API_VERSION_MAJOR * 10000 + TW_API_VERSION_MINOR * 100 + TW_API_VERSION_PATCH);
  int major, minor, patch;
  assert_int_equal(sscanf(tw_version(), "%d.%d.%d", &major, &minor, &patch), 3);
}

static void test_status_names(void **state) {
  (void)state;
  assert_string_equal(tw_status_name(TW_OK), "ok");
  assert_string_equal(tw_status_name(TW_INVALID_ARGUMENT), "invalid_argument");
  assert_string_equal(tw_status_name(TW_INTERNAL), "internal");
  assert_string_equal(tw_status_name(TW_DEVICE_LOST), "device_lost");
  for (tw_status_t a = TW_OK; a <= TW_DEVICE_LOST; ++a)
    for (tw_status_t b = TW_OK; b < a; ++b)
      assert_string_not_equal(tw_status_name(a), tw_status_name(b));
  /* "unknown" for a value that is none */
  assert_string_equal(tw_status_name(TW_DEVICE_LOST + 1), "unknown");
  assert_string_equal(tw_status_name(-1), "unknown");
  assert_string_equal(tw_status_name(INT32_MAX), "unknown");
}

/* Constants have the type of the arguments and fields that they are for. */
#define SAME(name)                                                                                           \
  _Static_assert(__builtin_types_compatible_p(enum name, name##_t) && sizeof(enum name) == 4,                \
                 #name "_t and its constants are one type")
SAME(tw_status);
SAME(tw_dtype);
SAME(tw_attr_kind);
SAME(tw_propagate_mode);
SAME(tw_judged_by);
SAME(tw_observe);

static void test_diagnostics__sorted_and_complete(void **state) {
  (void)state;
  assert_true(tw_diagnostic_count() > 100);
  for (size_t i = 0; i < tw_diagnostic_count(); ++i) {
    assert_true(i == 0 || strcmp(tw_diagnostic_id(i - 1), tw_diagnostic_id(i)) < 0); /* sorted */
    assert_true(strlen(tw_diagnostic_meaning(i)) > 0);
    assert_true(strlen(tw_diagnostic_advice(i)) > 0);
  }
  assert_null(tw_diagnostic_id(tw_diagnostic_count())); /* NULL when i is too large */
  assert_null(tw_diagnostic_meaning(tw_diagnostic_count()));
  assert_null(tw_diagnostic_advice(tw_diagnostic_count()));
}

static void test_error_take(void **state) {
  (void)state;
  tw_error_t *error = NULL;
  assert_ok(tw_error_take(&error));
  tw_error_release(error);
  /* "" when there was none; *out_error is NULL when there is none */
  assert_string_equal(tw_error_message(), "");
  error = UNTOUCHED(tw_error_t);
  assert_ok(tw_error_take(&error));
  assert_null(error);

  tw_mesh_t *mesh = UNTOUCHED(tw_mesh_t);
  assert_int_equal(tw_mesh_parse("data=zero", &mesh), TW_INVALID_ARGUMENT);
  assert_ptr_equal(mesh, UNTOUCHED(tw_mesh_t)); /* Outputs are written only on success. */
  char message[512];
  snprintf(message, sizeof message, "%s", tw_error_message());
  assert_true(strlen(message) > 0);

  /* A success leaves the last failure; taking it out ends it, and it outlives later calls. */
  assert_ok(tw_mesh_parse("data=2", &mesh));
  tw_mesh_release(mesh);
  assert_string_equal(tw_error_message(), message);
  assert_ok(tw_error_take(&error));
  assert_string_equal(tw_error_message(), "");
  assert_int_equal(tw_mesh_parse("", NULL), TW_INVALID_ARGUMENT);
  assert_string_equal(tw_error_text(error), message);
  assert_int_equal(tw_error_status(error), TW_INVALID_ARGUMENT);
  /* file "" and line, column 0 when it is about no text... a mesh text has no file */
  assert_string_equal(tw_error_file(error), "");
  /* NULL when i is too large */
  assert_null(tw_error_note(error, tw_error_num_notes(error)));
  assert_null(tw_error_note(error, SIZE_MAX));
  tw_error_release(error);
  assert_null_argument("out_error", tw_error_take(NULL));
}

static void test_error_of_nothing(void **state) {
  (void)state;
  tw_error_release(NULL);
  assert_int_equal(tw_error_status(NULL), TW_OK);
  assert_string_equal(tw_error_id(NULL), "");
  assert_string_equal(tw_error_text(NULL), "");
  assert_string_equal(tw_error_file(NULL), "");
  assert_int_equal(tw_error_line(NULL), 0);
  assert_int_equal(tw_error_column(NULL), 0);
  assert_int_equal(tw_error_num_notes(NULL), 0);
  assert_null(tw_error_note(NULL, 0));
}

static void test_error_position(void **state) {
  (void)state;
  const char *text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                     "  %0 = stablehlo.add %x, %y : tensor<2xf32>\n"
                     "  return %0 : tensor<2xf32>\n"
                     "}\n";
  tw_import_options_t options = {.struct_size = sizeof options, .file = "bad.mlir"};
  tw_graph_t *graph = UNTOUCHED(tw_graph_t);
  assert_int_equal(tw_graph_import(text, strlen(text), &options, &graph), TW_INVALID_ARGUMENT);
  assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));
  tw_error_t *error = NULL;
  assert_ok(tw_error_take(&error));
  assert_string_equal(tw_error_file(error), "bad.mlir");
  assert_int_equal(tw_error_line(error), 2);
  assert_int_equal(tw_error_column(error), 26);
  int line_found = 0, caret_found = 0; /* the source line with a caret */
  for (size_t i = 0; i < tw_error_num_notes(error); ++i) {
    line_found |= strstr(tw_error_note(error, i), "stablehlo.add %x, %y") != NULL;
    caret_found |= strchr(tw_error_note(error, i), '^') != NULL;
  }
  assert_true(line_found);
  assert_true(caret_found);
  tw_error_release(error);
}

/* The detail is kept per thread. */
static void *fail_in_thread(void *user) {
  tw_mesh_t *mesh = NULL;
  const int good = strcmp(tw_error_message(), "") == 0 &&
                   tw_mesh_parse("other=-3", &mesh) == TW_INVALID_ARGUMENT &&
                   strstr(tw_error_message(), "other") != NULL;
  *(int *)user = good;
  return NULL;
}

static void test_errors_of_two_threads(void **state) {
  (void)state;
  tw_mesh_t *mesh = NULL;
  assert_int_equal(tw_mesh_parse("mine=-2", &mesh), TW_INVALID_ARGUMENT);
  char message[512];
  snprintf(message, sizeof message, "%s", tw_error_message());
  assert_contains(message, "mine");
  int good = 0;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, fail_in_thread, &good), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_true(good);
  assert_string_equal(tw_error_message(), message);
}

/* What a host calls on whatever thread it is on, and asks for the error on another one. */
struct work {
  const char *mesh;
  tw_status_t status;
  tw_error_t *error;
};
static tw_status_t parse(void *user) {
  tw_mesh_t *mesh = NULL;
  const tw_status_t status = tw_mesh_parse(((struct work *)user)->mesh, &mesh);
  tw_mesh_release(mesh);
  return status;
}
static tw_status_t answer_alone(void *user) {
  (void)user;
  return TW_UNAVAILABLE;
}
static void *catch_in_thread(void *user) {
  struct work *work = user;
  work->status = tw_error_catch(parse, work, &work->error);
  return NULL;
}

static void test_error_catch(void **state) {
  (void)state;
  tw_mesh_t *mesh = NULL;
  assert_int_equal(tw_mesh_parse("mine=-2", &mesh), TW_INVALID_ARGUMENT);
  char message[512];
  snprintf(message, sizeof message, "%s", tw_error_message());

  struct work work = {"theirs=-4", TW_OK, NULL};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, catch_in_thread, &work), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_int_equal(work.status, TW_INVALID_ARGUMENT);
  assert_contains(tw_error_text(work.error), "theirs");
  tw_error_release(work.error);

  work.error = NULL;
  assert_int_equal(tw_error_catch(parse, &work, &work.error), TW_INVALID_ARGUMENT);
  assert_int_equal(tw_error_status(work.error), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_text(work.error), "theirs");
  tw_error_release(work.error);
  assert_string_equal(tw_error_message(), message); /* The last failure of this thread stays what it was. */

  work = (struct work){"x=2", TW_OK, UNTOUCHED(tw_error_t)};
  assert_ok(tw_error_catch(parse, &work, &work.error));
  assert_null(work.error);
  /* A status that no call of the library made has an error too. */
  assert_int_equal(tw_error_catch(answer_alone, NULL, &work.error), TW_UNAVAILABLE);
  assert_int_equal(tw_error_status(work.error), TW_UNAVAILABLE);
  tw_error_release(work.error);
  assert_string_equal(tw_error_message(), message);
  assert_null_argument("body", tw_error_catch(NULL, NULL, &work.error));
  assert_null_argument("out_error", tw_error_catch(parse, &work, NULL));
}

static void test_blobs(void **state) {
  (void)state;
  tw_blob_t *blob = NULL;
  char bytes[] = {'a', 0, 'b'};
  assert_ok(tw_blob_create(bytes, sizeof bytes, &blob));
  bytes[0] = 'x'; /* Copies */
  assert_int_equal(tw_blob_size(blob), 3);
  assert_memory_equal(tw_blob_data(blob), "a\0b", 4); /* followed by a NUL that tw_blob_size does not count */
  assert_ptr_equal(tw_blob_retain(blob), blob);
  tw_blob_release(blob);
  assert_int_equal(tw_blob_data(blob)[2], 'b');
  tw_blob_release(blob);

  assert_ok(tw_blob_create(NULL, 0, &blob));
  assert_int_equal(tw_blob_size(blob), 0);
  assert_string_equal(tw_blob_data(blob), "");
  tw_blob_release(blob);

  blob = UNTOUCHED(tw_blob_t);
  assert_null_argument("data", tw_blob_create(NULL, 1, &blob));
  assert_ptr_equal(blob, UNTOUCHED(tw_blob_t));
  assert_null_argument("out_blob", tw_blob_create("a", 1, NULL));
  tw_blob_release(NULL);
  assert_null(tw_blob_retain(NULL));
  assert_null(tw_blob_data(NULL));
  assert_int_equal(tw_blob_size(NULL), 0);
}

struct counted {
  int allocations, frees;
  size_t bytes;
};

static void *counted_alloc(size_t size, size_t alignment, void *user) {
  struct counted *c = user;
  assert_true(alignment != 0 && (alignment & (alignment - 1)) == 0); /* a power of two */
  ++c->allocations;
  c->bytes += size;
  const size_t rounded = (size + alignment - 1) / alignment * alignment;
  return aligned_alloc(alignment < sizeof(void *) ? sizeof(void *) : alignment,
                       rounded ? rounded : alignment);
}

static void counted_free(void *memory, size_t size, void *user) {
  struct counted *c = user;
  ++c->frees;
  c->bytes -= size;
  free(memory);
}

static void *no_memory(size_t size, size_t alignment, void *user) {
  (void)size, (void)alignment, (void)user;
  return NULL;
}

static void test_context(void **state) {
  (void)state;
  tw_context_t *context = NULL;
  assert_ok(tw_context_create(NULL, &context)); /* `options` may be NULL */
  assert_ptr_equal(tw_context_retain(context), context);
  tw_context_release(context);
  tw_context_release(context);
  tw_context_release(NULL);
  assert_null(tw_context_retain(NULL));
  assert_null_argument("out_context", tw_context_create(NULL, NULL));

  /* Big memory comes from the host's allocator, and the context lives as long as what it allocated. */
  struct counted counted = {0, 0, 0};
  tw_context_options_t options = {
      .struct_size = sizeof options, .alloc = counted_alloc, .free = counted_free, .alloc_user = &counted};
  assert_ok(tw_context_create(&options, &context));
  tw_tensor_t *tensor = NULL;
  assert_ok(tw_tensor_create(context, TW_F32, DIMS(3, 5), &tensor));
  assert_true(counted.allocations > 0);
  assert_true(counted.bytes >= 60);
  tw_context_release(context);
  memset(tw_tensor_data(tensor), 1, 60);
  tw_tensor_release(tensor);
  assert_int_equal(counted.allocations, counted.frees);
  assert_int_equal(counted.bytes, 0);

  /* alloc returns NULL when it has none: the call that asked then answers TW_RESOURCE_EXHAUSTED */
  options.alloc = no_memory;
  assert_ok(tw_context_create(&options, &context));
  tensor = UNTOUCHED(tw_tensor_t);
  assert_fails(TW_RESOURCE_EXHAUSTED, tw_tensor_create(context, TW_F32, DIMS(3, 5), &tensor));
  assert_ptr_equal(tensor, UNTOUCHED(tw_tensor_t));
  tw_context_release(context);

  options.free = NULL; /* one without the other */
  context = UNTOUCHED(tw_context_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_context_create(&options, &context));
  assert_ptr_equal(context, UNTOUCHED(tw_context_t));
}

/* Fields are only ever appended: a caller built against an older, smaller struct is served as if the rest
 * were zero. */
static void test_options_of_an_older_caller(void **state) {
  (void)state;
  struct counted counted = {0, 0, 0};
  tw_context_options_t options = {
      .struct_size = sizeof options, .alloc = no_memory, .free = counted_free, .alloc_user = &counted};
  options.struct_size = sizeof(size_t); /* ends before alloc */
  tw_context_t *context = NULL;
  assert_ok(tw_context_create(&options, &context));
  tw_tensor_t *tensor = NULL;
  assert_ok(tw_tensor_create(context, TW_F32, DIMS(2), &tensor)); /* from the C library: alloc was not read */
  tw_tensor_release(tensor);
  tw_context_release(context);

  tw_import_options_t import = {
      .struct_size = sizeof(size_t), .file = UNTOUCHED(char), .entry = UNTOUCHED(char)};
  const char *text = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }";
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(text, strlen(text), &import, &graph));
  tw_graph_release(graph);
}

static void test_build_info(void **state) {
  (void)state;
  tw_blob_t *json = NULL;
  assert_ok(tw_build_info(&json));
  assert_contains(tw_blob_data(json), tw_version());
  assert_contains(tw_blob_data(json), "\"compiler\"");
  assert_contains(tw_blob_data(json), "\"cores\"");
  tw_blob_release(json);
  assert_null_argument("out_json", tw_build_info(NULL));
}

static void test_dtypes(void **state) {
  (void)state;
  const struct {
    tw_dtype_t dtype;
    const char *name;
    size_t size;
  } table[] = {{TW_F64, "f64", 8},
               {TW_F32, "f32", 4},
               {TW_F16, "f16", 2},
               {TW_BF16, "bf16", 2},
               {TW_I1, "i1", 1},
               {TW_S2, "i2", 1},
               {TW_S4, "i4", 1},
               {TW_S8, "i8", 1},
               {TW_S16, "i16", 2},
               {TW_S32, "i32", 4},
               {TW_S64, "i64", 8},
               {TW_U4, "ui4", 1},
               {TW_U8, "ui8", 1},
               {TW_U64, "ui64", 8},
               {TW_C64, "complex<f32>", 8},
               {TW_F8E4M3FN, "f8E4M3FN", 1},
               {TW_C128, "complex<f64>", 16},
               {TW_F4E2M1FN, "f4E2M1FN", 1},
               {TW_F6E2M3FN, "f6E2M3FN", 1},
               {TW_F6E3M2FN, "f6E3M2FN", 1},
               {TW_F8E8M0FNU, "f8E8M0FNU", 1}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    assert_string_equal(tw_dtype_name(table[i].dtype), table[i].name);
    assert_int_equal(tw_dtype_size(table[i].dtype), table[i].size);
  }
  assert_int_equal(tw_dtype_size(TW_TOKEN), 0);
  const tw_dtype_t none[] = {TW_DTYPE_INVALID, TW_F8E8M0FNU + 1, -1, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
    assert_string_equal(tw_dtype_name(none[i]), "invalid");
    assert_int_equal(tw_dtype_size(none[i]), 0);
  }
}

static void test_elements(void **state) {
  (void)state;
  const struct {
    tw_dtype_t dtype;
    double given, held;
  } table[] = {{TW_F64, 1e300, 1e300},
               {TW_F32, 0.1, 0.1F},
               {TW_F16, 65519, 65504},
               {TW_BF16, 1.00390625, 1},
               {TW_F8E4M3FN, 0.3, 0.3125},
               {TW_F8E5M2, -2.5, -2.5},
               {TW_F4E2M1FN, 100, 6},
               {TW_F8E8M0FNU, 0.25, 0.25},
               {TW_I1, 7, 1},
               {TW_S4, -9, -8},
               {TW_S8, 3.9, 3},
               {TW_U2, 2, 2},
               {TW_U64, -1, 0},
               {TW_S64, -4503599627370497, -4503599627370497}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    unsigned char element[16] = {0};
    double real = -7, imaginary = -7;
    assert_ok(tw_dtype_encode(table[i].dtype, table[i].given, 5, element));
    assert_ok(tw_dtype_decode(table[i].dtype, element, &real, &imaginary));
    if (real != table[i].held || imaginary != 0)
      fail_msg("%s: %g is held as %g, not %g", tw_dtype_name(table[i].dtype), table[i].given, real,
               table[i].held);
    assert_ok(tw_dtype_decode(table[i].dtype, element, &real, NULL));
    for (size_t rest = tw_dtype_size(table[i].dtype); rest < sizeof element; ++rest)
      assert_int_equal(element[rest], 0);
  }
  float pair[2];
  double real, imaginary;
  assert_ok(tw_dtype_encode(TW_C64, 1.5, -2.5, pair));
  assert_true(pair[0] == 1.5F && pair[1] == -2.5F);
  assert_ok(tw_dtype_decode(TW_C64, pair, &real, &imaginary));
  assert_true(real == 1.5 && imaginary == -2.5);
  assert_fails(TW_INVALID_ARGUMENT, tw_dtype_decode(TW_TOKEN, pair, &real, NULL));
  assert_fails(TW_INVALID_ARGUMENT, tw_dtype_encode(77, 1, 0, pair));
  assert_null_argument("element", tw_dtype_decode(TW_F32, NULL, &real, NULL));
  assert_null_argument("out_real", tw_dtype_decode(TW_F32, pair, NULL, NULL));
  assert_null_argument("out_element", tw_dtype_encode(TW_F32, 1, 0, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_versions),
      cmocka_unit_test(test_status_names),
      cmocka_unit_test(test_diagnostics__sorted_and_complete),
      cmocka_unit_test(test_error_take),
      cmocka_unit_test(test_error_of_nothing),
      cmocka_unit_test(test_error_position),
      cmocka_unit_test(test_errors_of_two_threads),
      cmocka_unit_test(test_error_catch),
      cmocka_unit_test(test_blobs),
      cmocka_unit_test(test_context),
      cmocka_unit_test(test_options_of_an_older_caller),
      cmocka_unit_test(test_build_info),
      cmocka_unit_test(test_dtypes),
      cmocka_unit_test(test_elements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
