/* SPDX-License-Identifier: Apache-2.0 */
/* tw_solve.h: what an instance of the IOPDDL contest comes to, ways to end it, wrong arguments. */
#include "support.h"

#include <string.h>

static const char kText[] =
    "{\"problem\": {\"name\": \"pair\", \"nodes\": {\"intervals\": [[0, 2], [1, 3]], \"costs\": [[1, 5], [1, "
    "6]],"
    " \"usages\": [[4, 2], [4, 2]]}, \"edges\": {\"nodes\": [[0, 1]], \"costs\": [[0, 1, 1, 0]]},"
    " \"usage_limit\": 7}}";

static tw_status_t solve(const tw_solve_options_t *options, tw_blob_t **json) {
  return tw_solve_iopddl(kText, strlen(kText), options, json);
}

static void test_solve__answer(void **state) {
  (void)state;
  tw_blob_t *json = NULL;
  assert_ok(solve(NULL, &json));
  static const char *const wanted[] = {
      "\"name\": \"pair\"", "\"nodes\": 2",   "\"edges\": 1", "\"status\": \"optimal\"",
      "\"cost\": 7.0",      "\"bound\": 7.0", "\"gap\": 0.0", "\"choices\": [\n    1,\n    0\n  ]"};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
    assert_contains(tw_blob_data(json), wanted[i]);
  tw_blob_release(json);
}

struct asked {
  int times;
  int64_t rounds;
};
static int end(void *user, double cost, double bound, int64_t rounds) {
  struct asked *asked = user;
  asked->times += cost >= bound;
  asked->rounds = rounds;
  return 1;
}
static void test_solve__progress(void **state) {
  (void)state;
  struct asked asked = {0, 0};
  tw_blob_t *json = NULL;
  assert_ok(solve(
      &(tw_solve_options_t){
          .struct_size = sizeof(tw_solve_options_t), .seed = 1, .progress = end, .user = &asked},
      &json));
  assert_int_equal(asked.times, 1);
  assert_int_equal(asked.rounds, 1);
  assert_contains(tw_blob_data(json), "\"rounds\": 1");
  tw_blob_release(json);
}

static void test_solve__wrong(void **state) {
  (void)state;
  tw_blob_t *json = UNTOUCHED(tw_blob_t);
  assert_null_argument("text", tw_solve_iopddl(NULL, 0, NULL, &json));
  assert_null_argument("out_json", solve(NULL, NULL));
  assert_int_equal(tw_solve_iopddl("{", 1, NULL, &json), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(), "no JSON from here on");
  assert_int_equal(tw_solve_iopddl("{}", 2, NULL, &json), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(), "there is no problem.nodes.intervals");
  const tw_solve_options_t options[] = {
      {.struct_size = sizeof *options, .rounds = -1},
      {.struct_size = sizeof *options, .seconds = -1},
      {.struct_size = 0},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
    assert_fails(TW_INVALID_ARGUMENT, solve(&options[i], &json));
  assert_ptr_equal(json, UNTOUCHED(tw_blob_t));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_solve__answer),
      cmocka_unit_test(test_solve__progress),
      cmocka_unit_test(test_solve__wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
