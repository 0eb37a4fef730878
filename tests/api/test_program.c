/* SPDX-License-Identifier: Apache-2.0 */
/* tw_program.h: lowering, figures, documents. */
#include "support.h"

static void test_figures(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  assert_int_equal(tw_program_num_devices(program), 8);
  assert_int_equal(tw_program_num_collectives(program), 1);
  assert_int_equal(tw_program_count(program, "all_reduce"), 1);
  assert_int_equal(tw_program_count(program, "all_gather"), 0);
  assert_true(tw_program_count(program, "all-reduce") == SIZE_MAX);
  assert_contains(tw_error_message(), "nearest: 'all_reduce'");
  size_t count = 7;
  assert_int_equal(tw_program_count_kind(program, "all-reduce", &count), TW_NOT_FOUND);
  assert_int_equal(tw_program_count_kind(program, "all_reduce", &count), TW_OK);
  assert_int_equal(count, 1);
  /* all_reduce of f32[3,8] over 4: 2 S (g-1)/g */
  assert_int_equal(tw_program_bytes_received(program), 2 * 3 * 8 * 4 * 3 / 4);
  assert_true(tw_program_peak_bytes(program) >=
              (3 * 8 + 8 * 3 + 3 * 8) * 4);                 /* at least what a device holds */
  assert_int_equal(tw_program_result_exact(program, 0), 0); /* a contraction was split on the way to it */
  assert_int_equal(tw_program_result_exact(program, 1), 0); /* there is no result 1 */
  assert_int_equal(tw_program_num_failed_expectations(program), 0);
  assert_ptr_equal(tw_program_retain(program), program);
  tw_program_release(program);
  assert_int_equal(tw_program_num_devices(program), 8);
  tw_program_release(program);

  program = make_mlp_program("data=2", "tile(arg=x, dim=0, axis=\"data\"); infer-propagate");
  assert_int_equal(tw_program_num_collectives(program), 0);
  assert_int_equal(tw_program_bytes_received(program), 0);
  assert_int_equal(tw_program_result_exact(program, 0), 1);
  tw_program_release(program);
}

static void test_unpartitioned(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_program_t *program = NULL;
  assert_ok(tw_program_unpartitioned(graph, &program));
  tw_graph_release(graph);
  assert_int_equal(tw_program_num_devices(program), 1);
  assert_int_equal(tw_program_num_collectives(program), 0);
  assert_int_equal(tw_program_result_exact(program, 0), 1);
  assert_true(tw_program_peak_bytes(program) > 0);
  tw_program_release(program);
}

/* later changes of the plan do not touch it */
static void test_program_is_a_snapshot(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "data=2,model=4", "");
  tw_program_t *before = NULL, *after = NULL;
  assert_ok(tw_program_lower(plan, NULL, &before));
  const char *spec = MLP_SPEC "; expect no all_reduce";
  assert_ok(tw_plan_apply(plan, spec, strlen(spec), NULL));
  assert_ok(tw_program_lower(plan, NULL, &after));
  assert_int_equal(tw_program_num_collectives(before), 0);
  assert_int_equal(tw_program_num_failed_expectations(before), 0);
  assert_int_equal(tw_program_num_collectives(after), 1);
  assert_int_equal(tw_program_num_failed_expectations(after), 1);
  tw_plan_release(plan);
  tw_graph_release(graph);
  tw_program_release(before);
  tw_program_release(after);
}

static void test_expectations(void **state) {
  (void)state;
  const struct {
    const char *expectation;
    size_t failed;
  } table[] = {
      {"expect all_reduce == 1", 0},
      {"expect all_reduce over model == 1", 0},
      {"expect all_reduce over data == 0", 0},
      {"expect no all_gather; expect no all_reduce", 1},
      {"expect all_reduce over model != 1; expect all_reduce > 1", 2},
      {"expect all_reduce >= 1; expect all_reduce <= 1; expect all_reduce < 2", 0},
      {"expect peak < 1GiB", 0},
      {"expect peak < 1B", 1},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    char spec[512];
    snprintf(spec, sizeof spec, "%s; %s", MLP_SPEC, table[i].expectation);
    tw_program_t *program = make_mlp_program("data=2,model=4", spec);
    if (tw_program_num_failed_expectations(program) != table[i].failed)
      fail_msg("%s: %zu failed", table[i].expectation, tw_program_num_failed_expectations(program));
    tw_program_release(program);
  }
}

static void test_documents(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC "; expect no all_reduce");
  tw_blob_t *text = NULL;
  assert_ok(tw_program_json(program, &text));
  const char *const keys[] = {"\"tilewright\"",   "\"module\"",         "\"mesh\"",        "\"ops\"",
                              "\"arguments\"",    "\"results\"",        "\"collectives\"", "\"counts\"",
                              "\"executed\"",     "\"bytes_received\"", "\"peak_bytes\"",  "\"conflicts\"",
                              "\"expectations\"", "\"timing_ms\""};
  const char *at = tw_blob_data(text);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) { /* Keys in a fixed order */
    const char *found = strstr(at, keys[i]);
    if (!found)
      fail_msg("%s is missing or out of order in:\n%s", keys[i], tw_blob_data(text));
    else
      at = found;
  }
  assert_contains(tw_blob_data(text), "spec.txt:1");
  tw_blob_release(text);

  const size_t widths[] = {60, 80, 120, 0};
  for (size_t i = 0; i < sizeof widths / sizeof *widths;
       ++i) { /* tables no wider than `width` columns (0: 120) */
    assert_ok(tw_program_report(program, widths[i], &text));
    const size_t limit = widths[i] ? widths[i] : 120;
    size_t column = 0;
    for (const char *c = tw_blob_data(text); *c; ++c) {
      column = *c == '\n' ? 0 : column + ((*c & 0xC0) != 0x80); /* bytes that begin a character */
      if (column > limit && limit >= 80)
        fail_msg("a line is wider than %zu columns:\n%s", limit, tw_blob_data(text));
    }
    assert_contains(tw_blob_data(text), "all_reduce");
    tw_blob_release(text);
  }

  assert_ok(tw_program_report_all(program, 80, &text));
  assert_contains(tw_blob_data(text), "all_reduce");
  tw_blob_release(text);

  assert_ok(tw_program_emit(program, "spmd", &text));
  assert_contains(tw_blob_data(text), "all_reduce");
  tw_blob_release(text);
  assert_ok(tw_program_explain_collective(program, 0, &text));
  assert_contains(tw_blob_data(text), "model");
  tw_blob_release(text);

  text = UNTOUCHED(tw_blob_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_program_emit(program, "smpd", &text));
  assert_int_not_equal(tw_program_explain_collective(program, 1, &text), TW_OK);
  assert_int_not_equal(tw_program_explain_collective(program, SIZE_MAX, &text), TW_OK);
  assert_null_argument("program", tw_program_json(NULL, &text));
  assert_null_argument("out_json", tw_program_json(program, NULL));
  assert_null_argument("program", tw_program_report(NULL, 0, &text));
  assert_null_argument("out_text", tw_program_report(program, 0, NULL));
  assert_null_argument("program", tw_program_report_all(NULL, 0, &text));
  assert_null_argument("out_text", tw_program_report_all(program, 0, NULL));
  assert_null_argument("program", tw_program_emit(NULL, "spmd", &text));
  assert_null_argument("form", tw_program_emit(program, NULL, &text));
  assert_null_argument("out_bytes", tw_program_emit(program, "spmd", NULL));
  assert_null_argument("program", tw_program_explain_collective(NULL, 0, &text));
  assert_null_argument("out_text", tw_program_explain_collective(program, 0, NULL));
  assert_ptr_equal(text, UNTOUCHED(tw_blob_t));
  tw_program_release(program);
}

static void test_null_arguments(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "a=2", "");
  tw_program_t *program = UNTOUCHED(tw_program_t);
  assert_null_argument("plan", tw_program_lower(NULL, NULL, &program));
  assert_null_argument("out_program", tw_program_lower(plan, NULL, NULL));
  assert_null_argument("graph", tw_program_unpartitioned(NULL, &program));
  assert_null_argument("out_program", tw_program_unpartitioned(graph, NULL));
  assert_ptr_equal(program, UNTOUCHED(tw_program_t));
  const tw_lower_options_t options = {.struct_size = sizeof options};
  assert_ok(tw_program_lower(plan, &options, &program));
  assert_int_equal(tw_program_count(program, NULL), 0);
  tw_program_release(program);
  tw_program_release(NULL);
  assert_null(tw_program_retain(NULL));
  assert_int_equal(tw_program_num_devices(NULL), 0);
  assert_int_equal(tw_program_num_collectives(NULL), 0);
  assert_int_equal(tw_program_count(NULL, "all_reduce"), 0);
  assert_int_equal(tw_program_bytes_received(NULL), 0);
  assert_int_equal(tw_program_peak_bytes(NULL), 0);
  assert_string_equal(tw_error_message(), "argument 'program' is NULL");
  assert_int_equal(tw_program_result_exact(NULL, 0), 0);
  assert_int_equal(tw_program_num_failed_expectations(NULL), 0);
  tw_plan_release(plan);
  tw_graph_release(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_figures),
      cmocka_unit_test(test_unpartitioned),
      cmocka_unit_test(test_program_is_a_snapshot),
      cmocka_unit_test(test_expectations),
      cmocka_unit_test(test_documents),
      cmocka_unit_test(test_null_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
