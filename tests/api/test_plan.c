/* SPDX-License-Identifier: Apache-2.0 */
/* tw_plan.h: actions, propagation, undo, questions. Longer than other files: one test for each
 * function of the header. */
#include "support.h"

#include <tilewright/tw_debug.h>

#include <sys/resource.h>

static void assert_sharding(const tw_plan_t *plan, const char *value, const char *wanted) {
  tw_blob_t *text = NULL;
  assert_ok(tw_plan_sharding(plan, value, &text));
  assert_string_equal(tw_blob_data(text), wanted);
  tw_blob_release(text);
}

static tw_plan_t *mlp_plan(const char *spec) {
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "data=2,model=4", spec);
  tw_graph_release(graph); /* Objects keep what they are made of alive */
  return plan;
}

static void test_tile_and_propagate(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan("");
  assert_sharding(plan, "x", "[{}, {}]");
  assert_ok(tw_plan_tile(plan, "x", 0, "data"));
  assert_ok(tw_plan_tile(plan, "w1", 1, "model"));
  assert_sharding(plan, "w2", "[{}, {}]"); /* Takes effect on other values at tw_plan_propagate. */
  assert_ok(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  assert_sharding(plan, "x", "[{data}, {}]");
  assert_sharding(plan, "arg1", "[{}, {model}]");
  assert_sharding(plan, "w2", "[{model}, {}]");
  assert_int_equal(tw_plan_num_conflicts(plan), 0);
  tw_plan_release(plan);
}

/* forms a sum only where every operand that carries the factor is tiled already */
static void test_modes(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan("tile(arg=w1, dim=1, axis=\"model\"); propagate");
  assert_sharding(plan, "w2", "[{}, {}]");
  assert_ok(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  assert_sharding(plan, "w2", "[{model}, {}]");
  assert_fails(TW_INVALID_ARGUMENT, tw_plan_propagate(plan, 2));
  assert_fails(TW_INVALID_ARGUMENT, tw_plan_propagate(plan, -1));
  tw_plan_release(plan);
}

/* Keeps a value whole on an axis: propagation stops there. */
static void test_atomic(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan("");
  assert_ok(tw_plan_atomic(plan, "w2", "model"));
  assert_ok(tw_plan_tile(plan, "w1", 1, "model"));
  assert_ok(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  assert_sharding(plan, "w2", "[{}, {}]");
  assert_fails(TW_NOT_FOUND, tw_plan_atomic(plan, "w3", "model"));
  assert_int_not_equal(tw_plan_atomic(plan, "w2", "nobody"), TW_OK);
  assert_contains(tw_error_message(), "nobody");
  tw_plan_release(plan);
  plan = mlp_plan("");
  assert_ok(tw_plan_atomic(plan, "w2", NULL)); /* on all axes, as `atomic(w2)` */
  assert_ok(tw_plan_tile(plan, "w1", 1, "model"));
  assert_ok(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  assert_sharding(plan, "w2", "[{}, {}]");
  assert_int_equal(tw_plan_tile(plan, "w2", 0, "model") == TW_OK, 0);
  tw_plan_release(plan);
}

/* The plan as a program with the loops of PartIR around its ops. */
static void test_emit(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan("tile(arg=x, dim=0, axis=\"data\"); infer-propagate");
  tw_blob_t *text = NULL;
  assert_ok(tw_plan_emit(plan, "loops", &text));
  assert_contains(tw_blob_data(text), "partir.tile 0 \"data\" (%r : !partir.range<2>) {");
  tw_blob_release(text);
  assert_ok(tw_plan_emit(plan, "loops-extents", &text));
  assert_contains(tw_blob_data(text),
                  "partir.slice 0 %arg0[%r]"); /* built call by call: %x is the name of no text */
  assert_contains(tw_blob_data(text), "!partir.range<");
  tw_blob_release(text);
  text = UNTOUCHED(tw_blob_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_plan_emit(plan, "spmd", &text)); /* that is a program's */
  assert_ptr_equal(text, UNTOUCHED(tw_blob_t));
  assert_int_equal(tw_plan_emit(plan, "spmd", &text), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(),
                  "it is a form of the program that the plan is lowered to; this version");
  assert_int_equal(tw_plan_emit(plan, "jaxpr", &text), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(), "cannot emit \"jaxpr\" of a plan; this version knows: loops,");
  tw_plan_release(plan);
}

/* Every form that is listed can be printed, of what it says it is of, and after each of its passes. */
static void test_forms(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan("tile(arg=x, dim=0, axis=\"data\"); infer-propagate");
  tw_program_t *program = NULL;
  tw_blob_t *text = NULL, *after = NULL;
  assert_ok(tw_program_lower(plan, NULL, &program));
  size_t passes = 0;
  for (size_t i = 0; i < tw_form_count(); ++i) {
    const char *name = tw_form_name(i);
    assert_non_null(tw_form_doc(i));
    for (size_t other = 0; other < i; ++other)
      assert_string_not_equal(tw_form_name(other), name);
    assert_ok(tw_form_is_of_plan(i) ? tw_plan_emit(plan, name, &text)
                                    : tw_program_emit(program, name, &text));
    assert_true(tw_blob_size(text) > 0);
    assert_int_equal(tw_form_is_binary(i), memcmp(tw_blob_data(text), "ML\xefR", 4) == 0);
    for (size_t k = 0; tw_debug_pass(i, k); ++k, ++passes) {
      assert_ok(tw_debug_emit_after(plan, name, tw_debug_pass(i, k), &after));
      /* The form itself comes after the last pass; of "shard" that is the plan before its passes. */
      if (!tw_debug_pass(i, k + 1) && strcmp(name, "shard") != 0)
        assert_string_equal(tw_blob_data(after), tw_blob_data(text));
      tw_blob_release(after);
    }
    tw_blob_release(text);
    text = UNTOUCHED(tw_blob_t);
    assert_fails(TW_INVALID_ARGUMENT, tw_form_is_of_plan(i) ? tw_program_emit(program, name, &text)
                                                            : tw_plan_emit(plan, name, &text));
    assert_int_equal(tw_form_is_of_plan(i) ? tw_program_emit(program, name, &text)
                                           : tw_plan_emit(plan, name, &text),
                     TW_INVALID_ARGUMENT);
    assert_contains(tw_error_message(), ": it is a form of the p");
    if (!tw_debug_pass(i, 0))
      assert_fails(TW_INVALID_ARGUMENT, tw_debug_emit_after(plan, name, NULL, &text));
  }
  assert_true(passes > 0);
  assert_null(tw_form_name(tw_form_count())); /* NULL when i is too large */
  assert_null(tw_form_doc(SIZE_MAX));
  assert_null(tw_debug_pass(SIZE_MAX, 0));
  assert_false(tw_form_is_of_plan(SIZE_MAX));
  assert_false(tw_form_is_binary(SIZE_MAX));
  tw_program_release(program);
  tw_plan_release(plan);
}

/* Names of 0.1 are read for one more release. */
static void test_earlier_names(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan("tile(arg=x, dim=0, axis=\"data\"); infer-propagate");
  static const char *const names[][2] = {{"loops-002", "loops-extents"},
                                         {"spmd-naive-002", "spmd-naive-extents"}};
  for (size_t i = 0; i < 2; ++i) {
    tw_blob_t *earlier = NULL, *now = NULL;
    assert_int_equal(tw_form_find(names[i][0]), tw_form_find(names[i][1]));
    assert_string_equal(tw_form_name(tw_form_find(names[i][0])), names[i][1]);
    assert_ok(tw_plan_emit(plan, names[i][0], &earlier));
    assert_ok(tw_plan_emit(plan, names[i][1], &now));
    assert_string_equal(tw_blob_data(earlier), tw_blob_data(now));
    tw_blob_release(earlier);
    tw_blob_release(now);
  }
  assert_int_equal(tw_form_find("loops-003"), tw_form_count());
  assert_int_equal(tw_form_find(NULL), tw_form_count());
  tw_plan_release(plan);
  tw_graph_t *graph = make_mlp();
  static const char *const policies[] = {"seeds", "conservative"};
  for (size_t i = 0; i < 2; ++i) {
    const tw_plan_options_t options = {.struct_size = sizeof options, .policy = policies[i]};
    assert_ok(tw_plan_create(graph, NULL, &options, &plan));
    tw_plan_release(plan);
  }
  tw_graph_release(graph);
}

/* Policies that choose by the time of a run. */
static void test_policies_on_systems(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_mesh_t *mesh = NULL;
  assert_ok(tw_mesh_parse("data=2", &mesh));
  tw_plan_t *plan = NULL;
  tw_plan_options_t options = {.struct_size = sizeof options, .policy = "cheapest on a100-80g"};
  assert_ok(tw_plan_create(graph, mesh, &options, &plan));
  assert_ok(tw_plan_tile(plan, "x", 0, "data"));
  assert_ok(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  tw_plan_release(plan);
  plan = UNTOUCHED(tw_plan_t);
  options.policy = "cheapest on a100-81g";
  assert_int_equal(tw_plan_create(graph, mesh, &options, &plan), TW_NOT_FOUND);
  assert_non_null(strstr(tw_error_message(), "nearest: 'a100-80g'"));
  options.policy = "shardy on a100-80g";
  assert_int_equal(tw_plan_create(graph, mesh, &options, &plan), TW_INVALID_ARGUMENT);
  assert_non_null(strstr(tw_error_message(), "only cheapest compares times"));
  assert_ptr_equal(plan, UNTOUCHED(tw_plan_t));
  tw_mesh_release(mesh);
  tw_graph_release(graph);
}

/* A plan of its own that begins as this one is. */
static void test_clone(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan("tile(arg=x, dim=0, axis=\"data\")"), *clone = NULL;
  const uint64_t stamp = tw_plan_stamp(plan);
  assert_ok(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  assert_ok(tw_plan_clone(plan, &clone));
  assert_int_equal(tw_plan_stamp(clone), tw_plan_stamp(plan));
  tw_blob_t *text = NULL;
  assert_ok(tw_plan_undo(clone, stamp)); /* its stamps are those of the other */
  assert_ok(tw_plan_sharding(clone, "y", &text));
  assert_string_equal(tw_blob_data(text), "[{}, {}]");
  tw_blob_release(text);
  assert_ok(tw_plan_sharding(plan, "y", &text));
  assert_string_equal(tw_blob_data(text), "[{data}, {}]");
  tw_blob_release(text);
  tw_plan_release(plan); /* in any order */
  assert_ok(tw_plan_tile(clone, "w1", 1, "data"));
  tw_plan_release(clone);
  clone = UNTOUCHED(tw_plan_t);
  assert_null_argument("plan", tw_plan_clone(NULL, &clone));
  assert_ptr_equal(clone, UNTOUCHED(tw_plan_t));
}

/* A stamp taken earlier brings the plan back to what it was then. */
static void test_undo(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan("tile(arg=x, dim=0, axis=\"data\"); infer-propagate");
  const uint64_t stamp = tw_plan_stamp(plan);
  assert_ok(tw_plan_tile(plan, "w1", 1, "model"));
  assert_ok(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  assert_sharding(plan, "w2", "[{model}, {}]");
  const uint64_t later = tw_plan_stamp(plan);
  assert_ok(tw_plan_undo(plan, stamp));
  assert_sharding(plan, "w1", "[{}, {}]");
  assert_sharding(plan, "w2", "[{}, {}]");
  assert_sharding(plan, "x", "[{data}, {}]");
  assert_int_equal(tw_plan_stamp(plan), stamp);
  assert_fails(TW_OUT_OF_RANGE, tw_plan_undo(plan, later));
  /* What was undone can be decided otherwise. */
  assert_ok(tw_plan_tile(plan, "w1", 1, "model"));
  assert_ok(tw_plan_undo(plan, 0));
  assert_sharding(plan, "x", "[{}, {}]");
  tw_plan_release(plan);
}

static void test_illegal_actions(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan("");
  assert_ok(tw_plan_tile(plan, "x", 0, "data"));
  /* names value, dimension, sizes and axes */
  assert_int_equal(tw_plan_tile(plan, "x", 1, "data"), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(), "x");
  assert_contains(tw_error_message(), "data");
  assert_int_not_equal(tw_plan_tile(plan, "x", 2, "model"), TW_OK);
  assert_int_not_equal(tw_plan_tile(plan, "x", -1, "model"), TW_OK);
  assert_int_not_equal(tw_plan_tile(plan, "x", INT64_MAX, "model"), TW_OK);
  assert_int_not_equal(tw_plan_tile(plan, "x", 0, "expert"), TW_OK);
  assert_contains(tw_error_message(), "expert");
  assert_fails(TW_NOT_FOUND, tw_plan_tile(plan, "w11", 0, "model"));
  assert_sharding(plan, "x", "[{data}, {}]");
  tw_plan_release(plan);
}

static void test_spec_errors(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan("");
  const char *spec =
      "# a comment\ntile(arg=x, dim=0, axis=\"data\")\ntile(arg=nobody, dim=0, axis=\"data\")\n"
      "tile(arg=w1, dim=1, axis=\"model\")\n";
  assert_int_not_equal(tw_plan_apply(plan, spec, strlen(spec), "my.txt"), TW_OK);
  tw_error_t *error = NULL;
  assert_ok(tw_error_take(&error));
  assert_string_equal(tw_error_file(error), "my.txt");
  assert_int_equal(tw_error_line(error), 3);
  assert_contains(tw_error_text(error), "nobody");
  tw_error_release(error);
  /* the actions before the failing line stay applied, it and those after it are not */
  assert_sharding(plan, "x", "[{data}, {}]");
  assert_sharding(plan, "w1", "[{}, {}]");
  const char *bad[] = {"tile(",  "tile(arg=x)", "no-such-action", "tile(arg=x, dim=zero, axis=\"data\")",
                       "expect", "\x01"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assert_int_not_equal(tw_plan_apply(plan, bad[i], strlen(bad[i]), NULL), TW_OK);
    assert_ok(tw_error_take(&error));
    assert_int_equal(tw_error_line(error), 1);
    tw_error_release(error);
  }
  assert_ok(tw_plan_apply(plan, "", 0, NULL));
  assert_ok(
      tw_plan_apply(plan, "propagate junk", strlen("propagate"), NULL)); /* size, not NUL, ends the text */
  tw_plan_release(plan);
}

/* Counts actions and undoes nothing: looks at the plan while it is being made. */
typedef struct {
  uint32_t count, line;
  size_t size;
} seen_t;
static void see(const tw_plan_t *plan, const char *action, const char *file, uint32_t line, void *user) {
  seen_t *seen = user;
  tw_blob_t *text = NULL;
  assert_ok(tw_plan_emit(plan, "loops", &text));
  assert_true(tw_blob_size(text) >= seen->size); /* every action here adds loops */
  seen->size = tw_blob_size(text);
  tw_blob_release(text);
  assert_string_equal(file, "my.txt");
  assert_int_equal(strncmp(action, "tile(arg=", 9), 0);
  seen->line = line;
  ++seen->count;
}

static void test_on_action(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "a=2,b=2", "");
  seen_t seen = {0, 0, 0};
  assert_ok(tw_plan_on_action(plan, see, &seen));
  const char *spec = "tile(arg=0, dim=0, axis=a)\ntile(arg=1, dim=1, axis=b); nothing";
  assert_int_not_equal(tw_plan_apply(plan, spec, strlen(spec), "my.txt"), TW_OK);
  assert_int_equal(seen.count, 2);
  assert_int_equal(seen.line, 2);
  assert_ok(tw_plan_on_action(plan, NULL, NULL));
  assert_ok(tw_plan_apply(plan, "propagate", 9, "my.txt"));
  assert_int_equal(seen.count, 2);
  assert_null_argument("plan", tw_plan_on_action(NULL, see, &seen));
  tw_plan_release(plan);
  tw_graph_release(graph);
}

static void test_meshes(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = NULL;
  tw_program_t *program = NULL;
  /* `mesh` may be NULL: ... the mesh of one device to which `arg-tile` actions add anonymous axes */
  assert_ok(tw_plan_create(graph, NULL, NULL, &plan));
  assert_ok(tw_plan_apply(plan, "arg-tile 0 0 3", 14, NULL));
  assert_ok(tw_program_lower(plan, NULL, &program));
  assert_int_equal(tw_program_num_devices(program), 2);
  tw_program_release(program);
  tw_plan_release(plan);
  tw_graph_release(graph);

  const char *text =
      "module { sdy.mesh @m = <[\"a\"=2, \"b\"=3]>\n"
      "func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{\"a\"}, {}]>}) -> "
      "tensor<4x6xf32> {\n"
      "%0 = stablehlo.tanh %x : tensor<4x6xf32>\n return %0 : tensor<4x6xf32> } }";
  assert_ok(tw_graph_import(text, strlen(text), NULL, &graph));
  assert_string_equal(tw_graph_mesh(graph), "a=2,b=3");
  assert_ok(tw_plan_create(graph, NULL, NULL, &plan)); /* the mesh that the module declares */
  assert_sharding(plan, "x", "[{a}, {}]");             /* Annotations are applied first */
  tw_plan_release(plan);
  const tw_plan_options_t options = {.struct_size = sizeof options, .ignore_annotations = 1};
  assert_ok(tw_plan_create(graph, NULL, &options, &plan));
  assert_sharding(plan, "x", "[{}, {}]");
  tw_plan_release(plan);
  /* An older caller's struct ends before the field: it is not read. */
  const tw_plan_options_t older = {.struct_size = sizeof(size_t), .ignore_annotations = 1};
  assert_ok(tw_plan_create(graph, NULL, &older, &plan));
  assert_sharding(plan, "x", "[{a}, {}]");
  tw_plan_release(plan);
  tw_graph_release(graph);
}

static void test_explain(void **state) {
  (void)state;
  tw_plan_t *plan = mlp_plan(MLP_SPEC);
  tw_blob_t *why = NULL;
  assert_ok(tw_plan_explain(plan, "w2", NULL, &why));
  assert_contains(tw_blob_data(why), "spec.txt:1"); /* ends in the action */
  assert_contains(tw_blob_data(why), "model");
  tw_blob_release(why);
  assert_ok(tw_plan_explain(plan, "w2", "data", &why)); /* whole on this axis: what stopped it */
  assert_true(tw_blob_size(why) > 0);
  tw_blob_release(why);
  why = UNTOUCHED(tw_blob_t);
  assert_fails(TW_NOT_FOUND, tw_plan_explain(plan, "w22", NULL, &why));
  assert_int_not_equal(tw_plan_explain(plan, "w2", "nobody", &why), TW_OK);
  assert_ptr_equal(why, UNTOUCHED(tw_blob_t));
  tw_plan_release(plan);
}

/* More intervals than devices can be: an error at once, whatever the size. */
static void test_huge_dimension(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("huge");
  tw_builder_result(
      b, "y",
      tw_builder_reduce(b, "max", tw_builder_argument(b, "x", TW_S32, DIMS((int64_t)1 << 40)), DIMS(0)));
  tw_graph_t *graph = finish(b);
  tw_plan_t *plan = make_plan(graph, "a=1", "");
  const char *const actions[] = {"arg-tile 0 0 2", "rule(op=%1, \"reduce-max\", width=2)",
                                 "dumb-tile(value=x, dim=0, range=1000000)"};
  for (size_t i = 0; i < sizeof actions / sizeof *actions; ++i) {
    assert_int_not_equal(tw_plan_apply(plan, actions[i], strlen(actions[i]), NULL), TW_OK);
    assert_int_not_equal(tw_plan_apply(plan, actions[i], strlen(actions[i]), NULL), TW_INTERNAL);
  }
  tw_plan_release(plan);
  tw_graph_release(graph);
}

/* A spec line of many actions is kept once, not once an action. */
static void test_long_line(void **state) {
  (void)state;
  enum { count = 40000 };
  static const char action[] = "expect no all_to_all; ";
  const size_t each = sizeof action - 1;
  char *line = malloc(count * each);
  assert_non_null(line);
  for (size_t i = 0; i < count; ++i)
    memcpy(line + i * each, action, each);
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "data=2,model=2", "");
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  assert_ok(tw_plan_apply(plan, line, count * each, "long.txt"));
  getrusage(RUSAGE_SELF, &after);
  assert_true(after.ru_maxrss - before.ru_maxrss < 512 * 1024); /* in KiB; a line is 880 kB */
  tw_plan_release(plan);
  tw_graph_release(graph);
  free(line);
}

/* More actions than 16 bits count. */
static void test_many_actions(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "data=2,model=2", "");
  for (size_t calls = 0; calls < 70000; ++calls)
    assert_ok(tw_plan_propagate(plan, TW_PROPAGATE));
  assert_ok(tw_plan_tile(plan, "x", 0, "data"));
  assert_sharding(plan, "x", "[{data}, {}]");
  tw_plan_release(plan);
  tw_graph_release(graph);
}

static void test_null_arguments(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = UNTOUCHED(tw_plan_t);
  tw_blob_t *text = UNTOUCHED(tw_blob_t);
  assert_null_argument("graph", tw_plan_create(NULL, NULL, NULL, &plan));
  assert_ptr_equal(plan, UNTOUCHED(tw_plan_t));
  assert_null_argument("out_plan", tw_plan_create(graph, NULL, NULL, NULL));
  plan = make_plan(graph, "a=2", "");
  assert_null_argument("plan", tw_plan_apply(NULL, "", 0, NULL));
  assert_null_argument("spec", tw_plan_apply(plan, NULL, 0, NULL));
  assert_null_argument("plan", tw_plan_tile(NULL, "x", 0, "a"));
  assert_null_argument("value", tw_plan_tile(plan, NULL, 0, "a"));
  assert_null_argument("axis", tw_plan_tile(plan, "x", 0, NULL));
  assert_null_argument("plan", tw_plan_atomic(NULL, "x", "a"));
  assert_null_argument("value", tw_plan_atomic(plan, NULL, "a"));
  assert_null_argument("plan", tw_plan_propagate(NULL, TW_PROPAGATE));
  assert_null_argument("plan", tw_plan_undo(NULL, 0));
  assert_null_argument("plan", tw_plan_sharding(NULL, "x", &text));
  assert_null_argument("value", tw_plan_sharding(plan, NULL, &text));
  assert_null_argument("out_text", tw_plan_sharding(plan, "x", NULL));
  assert_null_argument("plan", tw_plan_emit(NULL, "loops", &text));
  assert_null_argument("form", tw_plan_emit(plan, NULL, &text));
  assert_null_argument("out_bytes", tw_plan_emit(plan, "loops", NULL));
  assert_null_argument("plan", tw_plan_explain(NULL, "x", NULL, &text));
  assert_null_argument("value", tw_plan_explain(plan, NULL, NULL, &text));
  assert_null_argument("out_text", tw_plan_explain(plan, "x", NULL, NULL));
  assert_ptr_equal(text, UNTOUCHED(tw_blob_t));
  assert_int_equal(tw_plan_stamp(NULL), 0);
  assert_int_equal(tw_plan_num_conflicts(NULL), 0);
  tw_plan_release(NULL);
  assert_null(tw_plan_retain(NULL));
  assert_ptr_equal(tw_plan_retain(plan), plan);
  tw_plan_release(plan);
  assert_ok(tw_plan_tile(plan, "x", 0, "a"));
  tw_plan_release(plan);
  tw_graph_release(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tile_and_propagate),
      cmocka_unit_test(test_modes),
      cmocka_unit_test(test_atomic),
      cmocka_unit_test(test_emit),
      cmocka_unit_test(test_forms),
      cmocka_unit_test(test_earlier_names),
      cmocka_unit_test(test_policies_on_systems),
      cmocka_unit_test(test_clone),
      cmocka_unit_test(test_undo),
      cmocka_unit_test(test_illegal_actions),
      cmocka_unit_test(test_spec_errors),
      cmocka_unit_test(test_meshes),
      cmocka_unit_test(test_on_action),
      cmocka_unit_test(test_explain),
      cmocka_unit_test(test_huge_dimension),
      cmocka_unit_test(test_long_line),
      cmocka_unit_test(test_many_actions),
      cmocka_unit_test(test_null_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
