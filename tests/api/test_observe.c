/* SPDX-License-Identifier: Apache-2.0 */
/* tw_observe.h: the flight recorder, traces, profiles, counters, limits of the machine. */
#include "support.h"

static tw_executable_t *make_executable(int32_t observe) {
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  const tw_executable_options_t options = {.struct_size = sizeof options, .workers = 2, .observe = observe};
  tw_executable_t *exe = NULL;
  assert_ok(tw_executable_create(program, &options, &exe));
  tw_program_release(program);
  return exe;
}

static size_t occurrences(const char *text, const char *what) {
  size_t count = 0;
  for (; (text = strstr(text, what)); ++text)
    ++count;
  return count;
}

static void test_flight(void **state) {
  (void)state;
  tw_executable_t *exe = make_executable(0); /* which is always on */
  struct mlp_arrays a = make_mlp_arrays(0, "zeros");
  tw_blob_t *blob = NULL;
  assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1));
  assert_ok(tw_executable_flight(exe, &blob));
  const char *text = tw_blob_data(blob);
  assert_int_equal(occurrences(text, "\"state\":\"finished\""), 8);
  assert_int_equal(occurrences(text, "\"did\":\"finished\""), 8);
  assert_contains(text, "\"device\":\"device 7 (data=1,model=3)\"");
  assert_contains(text, "\"name\":\"all_reduce\"");
  assert_true(occurrences(text, "\"did\":\"combined\"") >= 2); /* two groups of four */
  tw_blob_release(blob);

  /* of an executable that is not running */
  tw_run_t *run = NULL;
  blob = UNTOUCHED(tw_blob_t);
  assert_ok(tw_run_start(exe, MLP_INPUTS(a), &a.out, 1, &run));
  assert_fails(TW_FAILED_PRECONDITION, tw_executable_flight(exe, &blob));
  assert_ptr_equal(blob, UNTOUCHED(tw_blob_t));
  assert_ok(tw_run_wait(run));
  tw_run_release(run);
  assert_null_argument("executable", tw_executable_flight(NULL, &blob));
  assert_null_argument("out_json", tw_executable_flight(exe, NULL));
  release_mlp_arrays(&a);
  tw_executable_release(exe);
}

static void test_trace(void **state) {
  (void)state;
  tw_executable_t *exe = make_executable(TW_OBSERVE_TRACE);
  struct mlp_arrays a = make_mlp_arrays(0, "zeros");
  tw_blob_t *blob = NULL;
  tw_counters_t counters = {.struct_size = sizeof counters};
  assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1));
  assert_ok(tw_executable_counters(exe, &counters));
  assert_ok(tw_executable_trace(exe, &blob));
  const char *text = tw_blob_data(blob);
  for (int device = 0; device < 8; ++device) { /* a track for each device and one for each worker */
    char track[64];
    snprintf(track, sizeof track, "\"args\":{\"name\":\"device %d (data=", device);
    assert_int_equal(occurrences(text, track), 1);
  }
  assert_int_equal(occurrences(text, "\"args\":{\"name\":\"worker "), 2);
  /* Every device ran every step; steps of one part are one slice. */
  assert_true(occurrences(text, "\"ph\":\"X\",\"pid\":1,") >= (size_t)counters.steps * 8);
  assert_true(occurrences(text, "\"ph\":\"X\",\"pid\":2,") >=
              (size_t)(counters.steps - counters.collectives) * 8);
  assert_contains(text, "\"complete\":true");
  tw_blob_release(blob);
  release_mlp_arrays(&a);
  tw_executable_release(exe);
}

/* Devices that run all kernels leave nothing to the host. */
static void test_on_host(void **state) {
  (void)state;
  static const char *const kinds[] = {NULL, "detached"};
  for (size_t k = 0; k < 2; ++k) {
    tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
    const tw_executable_options_t options = {.struct_size = sizeof options, .device = kinds[k]};
    tw_executable_t *exe = NULL;
    assert_ok(tw_executable_create(program, &options, &exe));
    tw_program_release(program);
    tw_counters_t counters = {.struct_size = sizeof counters};
    assert_ok(tw_executable_counters(exe, &counters));
    char expected[96];
    snprintf(expected, sizeof expected, "{\"steps\":0,\"of\":%d,\"bytes\":0,\"groups\":[]}\n",
             (int)counters.steps);
    tw_blob_t *blob = NULL;
    assert_ok(tw_executable_on_host(exe, &blob));
    assert_string_equal(tw_blob_data(blob), expected);
    tw_blob_release(blob);
    assert_null_argument("executable", tw_executable_on_host(NULL, &blob));
    assert_null_argument("out_json", tw_executable_on_host(exe, NULL));
    tw_executable_release(exe);
  }
}

static void test_profile_and_counters(void **state) {
  (void)state;
  tw_executable_t *exe = make_executable(TW_OBSERVE_PROFILE), *plain = make_executable(0);
  struct mlp_arrays a = make_mlp_arrays(0, "zeros");
  tw_blob_t *blob = UNTOUCHED(tw_blob_t);
  tw_counters_t counters = {.struct_size = sizeof counters};
  for (int i = 0; i < 3; ++i)
    assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1));
  assert_ok(tw_executable_counters(exe, &counters));
  assert_int_equal(counters.runs, 3);
  assert_int_equal(counters.failed_runs, 0);
  assert_int_equal(counters.collectives, 1);
  assert_true(counters.steps > 2 && counters.bytes > 0);
  assert_true(counters.kernel_ns > 0 && counters.collective_ns > 0);
  assert_fails(TW_FAILED_PRECONDITION, tw_executable_profile(plain, &blob));
  assert_fails(TW_FAILED_PRECONDITION, tw_executable_trace(exe, &blob));
  assert_ptr_equal(blob, UNTOUCHED(tw_blob_t));
  assert_ok(tw_executable_profile(exe, &blob));
  const char *text = tw_blob_data(blob);
  assert_contains(text, "{\"runs\":3,\"steps\":[{\"step\":0,");
  assert_int_equal(occurrences(text, "\"name\":\"stablehlo.dot_general\""), 2);
  /* 2 x 6 x 8 x 12 each on all devices together: x is tiled by data, w1 by model, and nothing is computed
   * twice. Three runs. */
  assert_int_equal(occurrences(text, "\"flops\":3456.0"), 2);
  tw_blob_release(blob);

  /* cancelled ones have failed */
  tw_run_t *run = NULL;
  assert_ok(tw_run_start(plain, MLP_INPUTS(a), &a.out, 1, &run));
  assert_ok(tw_run_cancel(run));
  const tw_status_t status = tw_run_wait(run);
  tw_run_release(run);
  assert_ok(tw_executable_counters(plain, &counters));
  assert_int_equal(counters.runs, status == TW_OK);
  assert_int_equal(counters.failed_runs, status != TW_OK);
  assert_int_equal(counters.kernel_ns, 0); /* 0 without TW_OBSERVE_PROFILE */
  counters.struct_size = 0;
  assert_fails(TW_INVALID_ARGUMENT, tw_executable_counters(plain, &counters));
  assert_null_argument("executable", tw_executable_counters(NULL, &counters));
  assert_null_argument("out_counters", tw_executable_counters(plain, NULL));

  tw_program_t *program = make_mlp_program("data=2,model=2", MLP_SPEC);
  tw_executable_t *none = UNTOUCHED(tw_executable_t);
  const tw_executable_options_t options = {.struct_size = sizeof options, .observe = 4};
  assert_fails(TW_OUT_OF_RANGE, tw_executable_create(program, &options, &none));
  assert_ptr_equal(none, UNTOUCHED(tw_executable_t));
  tw_program_release(program);
  release_mlp_arrays(&a);
  tw_executable_release(exe);
  tw_executable_release(plain);
}

static double number_after(const char *text, const char *key, const char *which) {
  const char *at = strstr(text, key);
  assert_non_null(at);
  at = strstr(at, which);
  assert_non_null(at);
  return strtod(at + strlen(which), NULL);
}

static void test_limits(void **state) {
  (void)state;
  if (getenv("TW_UNDER_VALGRIND"))
    skip();
  tw_blob_t *blob = NULL;
  assert_ok(tw_machine_limits(NULL, &blob));
  const char *text = tw_blob_data(blob);
  const char *keys[] = {"\"fma_gflops\"", "\"copy_gbps\"", "\"read_gbps\""};
  for (size_t i = 0; i < 3; ++i) {
    const double one = number_after(text, keys[i], "\"one\": "),
                 all = number_after(text, keys[i], "\"all\": ");
    assert_true(one > 0.05 && one < 1e5 && all > 0.05 && all < 1e6);
  }
  assert_contains(text, "\"cache_bytes\"");
  tw_blob_release(blob);
  assert_null_argument("out_json", tw_machine_limits(NULL, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flight),  cmocka_unit_test(test_trace),
      cmocka_unit_test(test_on_host), cmocka_unit_test(test_profile_and_counters),
      cmocka_unit_test(test_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
