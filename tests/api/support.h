/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the C API share: cmocka with the headers it needs, calls that must fail in a stated
 * way, and a small program. */
#ifndef TW_TESTS_API_SUPPORT_H
#define TW_TESTS_API_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tilewright/tw.h>

/* A pointer that no call may change: outputs are written only on success. */
#define UNTOUCHED(type) ((type *)(uintptr_t)0x5a5a5a50)

/* The call must succeed; says what the library said otherwise. */
#define assert_ok(call)                                                                                      \
  do {                                                                                                       \
    const tw_status_t status_ = (call);                                                                      \
    if (status_ != TW_OK)                                                                                    \
      fail_msg("%s: %s: %s", #call, tw_status_name(status_), tw_error_message());                            \
  } while (0)

/* The call must fail with this status, and leave an error that has an id and one line of text. */
#define assert_fails(wanted, call)                                                                           \
  do {                                                                                                       \
    tw_error_t *error_ = NULL;                                                                               \
    assert_ok(tw_error_take(&error_)); /* what an earlier call left */                                       \
    tw_error_release(error_);                                                                                \
    const tw_status_t status_ = (call);                                                                      \
    if (status_ != (wanted))                                                                                 \
      fail_msg("%s: %s (%s), not %s", #call, tw_status_name(status_), tw_error_message(),                    \
               tw_status_name(wanted));                                                                      \
    assert_ok(tw_error_take(&error_));                                                                       \
    assert_non_null(error_);                                                                                 \
    assert_int_equal(tw_error_status(error_), (wanted));                                                     \
    assert_int_equal(strncmp(tw_error_id(error_), "TW-", 3), 0);                                             \
    assert_int_equal(strlen(tw_error_id(error_)), 6);                                                        \
    assert_true(strlen(tw_error_text(error_)) > 0);                                                          \
    assert_null(strchr(tw_error_text(error_), '\n'));                                                        \
    tw_error_release(error_);                                                                                \
  } while (0)

/* The call must fail with this status, and the message has these words. */
#define assert_fails_saying(wanted, words, call)                                                             \
  do {                                                                                                       \
    const tw_status_t status_ = (call);                                                                      \
    if (status_ != (wanted) || !strstr(tw_error_message(), words))                                           \
      fail_msg("%s: %s: %s, expected %s and a word about %s", #call, tw_status_name(status_),                \
               tw_error_message(), tw_status_name(wanted), words);                                           \
  } while (0)

/* A call whose pointer argument `name` is NULL: the message names it. */
#define assert_null_argument(name, call)                                                                     \
  do {                                                                                                       \
    const tw_status_t status_ = (call);                                                                      \
    if (status_ != TW_INVALID_ARGUMENT || !strstr(tw_error_message(), name))                                 \
      fail_msg("%s: %s: %s, expected a word about %s", #call, tw_status_name(status_), tw_error_message(),   \
               name);                                                                                        \
  } while (0)

#define DIMS(...) ((const int64_t[]){__VA_ARGS__}), (sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static inline tw_builder_t *new_builder(const char *name) {
  tw_builder_t *b = NULL;
  assert_ok(tw_builder_create(name, &b));
  return b;
}

/* The graph that the builder made. The builder is released. */
static inline tw_graph_t *finish(tw_builder_t *b) {
  tw_graph_t *graph = NULL;
  assert_ok(tw_builder_finish(b, &graph));
  tw_builder_release(b);
  return graph;
}

/* x[rows,width] w1[width,inside] w2[inside,width] -> y = tanh(x w1) w2. */
static inline tw_graph_t *make_mlp_of(int64_t rows, int64_t width, int64_t inside) {
  tw_builder_t *b = new_builder("mlp");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(rows, width));
  const tw_value_t w1 = tw_builder_argument(b, "w1", TW_F32, DIMS(width, inside));
  const tw_value_t w2 = tw_builder_argument(b, "w2", TW_F32, DIMS(inside, width));
  const tw_value_t h = tw_builder_unary(b, "stablehlo.tanh", tw_builder_einsum(b, "bd,df->bf", x, w1));
  tw_builder_result(b, "y", tw_builder_einsum(b, "bf,fd->bd", h, w2));
  return finish(b);
}

static inline tw_graph_t *make_mlp(void) { return make_mlp_of(6, 8, 12); }

static inline tw_mesh_t *make_mesh(const char *text) {
  tw_mesh_t *mesh = NULL;
  assert_ok(tw_mesh_parse(text, &mesh));
  return mesh;
}

static inline tw_plan_t *make_plan(const tw_graph_t *graph, const char *mesh_text, const char *spec) {
  tw_mesh_t *mesh = make_mesh(mesh_text);
  tw_plan_t *plan = NULL;
  assert_ok(tw_plan_create(graph, mesh, NULL, &plan));
  tw_mesh_release(mesh);
  assert_ok(tw_plan_apply(plan, spec, strlen(spec), "spec.txt"));
  return plan;
}

/* tanh(x w1) w2 over data and model: one all_reduce over model. */
#define MLP_SPEC "tile(arg=x, dim=0, axis=\"data\"); tile(arg=w1, dim=1, axis=\"model\"); infer-propagate"

static inline tw_program_t *make_mlp_program(const char *mesh_text, const char *spec) {
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, mesh_text, spec);
  tw_program_t *program = NULL;
  assert_ok(tw_program_lower(plan, NULL, &program));
  tw_plan_release(plan);
  tw_graph_release(graph);
  return program;
}

static inline tw_tensor_t *make_tensor(tw_dtype_t dtype, const int64_t *dims, size_t ndims,
                                       const char *pattern, uint64_t stream) {
  tw_tensor_t *tensor = NULL;
  assert_ok(tw_tensor_create(NULL, dtype, dims, ndims, &tensor));
  assert_ok(tw_tensor_fill(tensor, pattern, 0, stream));
  return tensor;
}

/* What the MLP runs on: three inputs, drawn from `stream` on, and the output, which holds a pattern. */
struct mlp_arrays {
  tw_tensor_t *in[3], *out;
};
#define MLP_INPUTS(a) (const tw_tensor_t *const *)(a).in, 3

static inline struct mlp_arrays make_mlp_arrays(uint64_t stream, const char *out_pattern) {
  return (struct mlp_arrays){{make_tensor(TW_F32, DIMS(6, 8), "normal(0,1)", stream),
                              make_tensor(TW_F32, DIMS(8, 12), "normal(0,0.3)", stream + 1),
                              make_tensor(TW_F32, DIMS(12, 8), "normal(0,0.3)", stream + 2)},
                             make_tensor(TW_F32, DIMS(6, 8), out_pattern, 0)};
}

static inline void release_mlp_arrays(struct mlp_arrays *a) {
  for (int i = 0; i < 3; ++i)
    tw_tensor_release(a->in[i]);
  tw_tensor_release(a->out);
}

static inline void assert_sharding_text(const tw_sharding_t *sharding, const char *wanted) {
  tw_blob_t *text = NULL;
  assert_ok(tw_sharding_text(sharding, &text));
  assert_string_equal(tw_blob_data(text), wanted);
  tw_blob_release(text);
}

static inline void assert_and_release_sharding(tw_sharding_t *sharding, const char *wanted) {
  assert_sharding_text(sharding, wanted);
  tw_sharding_release(sharding);
}

/* Whether a text blob of a call holds a text; prints it where it does not. */
static inline void assert_contains(const char *text, const char *wanted) {
  if (!strstr(text, wanted))
    fail_msg("no \"%s\" in:\n%s", wanted, text);
}

/* The number behind the first key of a name in a JSON text. */
static inline double number(const char *json, const char *name) {
  char key[40];
  snprintf(key, sizeof key, "\"%s\":", name);
  assert_contains(json, key);
  return strtod(strstr(json, key) + strlen(key), NULL);
}

static inline tw_system_t *load_system(const char *name) {
  tw_system_t *system = NULL;
  assert_ok(tw_system_load(name, &system));
  return system;
}

#endif
