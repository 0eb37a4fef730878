/* SPDX-License-Identifier: Apache-2.0 */
/* tw_search.h: what a search finds, that it does not depend on threads, ways to end it, wrong arguments. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "support.h"

#include <math.h>
#include <pthread.h>

#define SYSTEM "a100-40g"

static tw_plan_t *empty_plan(void) {
  tw_graph_t *graph = make_mlp_of(64, 512, 1024); /* wide enough that tiles pay */
  tw_plan_t *plan = make_plan(graph, "data=2,model=2", "");
  tw_graph_release(graph); /* objects keep what they are made of alive */
  return plan;
}

static tw_search_t *make_search(const tw_search_options_t *options) {
  tw_plan_t *plan = empty_plan();
  tw_system_t *system = load_system(SYSTEM);
  tw_search_t *search = NULL;
  assert_ok(tw_search_create(plan, system, options, &search));
  tw_system_release(system);
  tw_plan_release(plan);
  return search;
}

static tw_search_t *run_search(const tw_search_options_t *options) {
  tw_search_t *search = make_search(options);
  assert_ok(tw_search_run(search));
  return search;
}

static tw_blob_t *spec_of(const tw_search_t *search) {
  tw_blob_t *spec = NULL;
  assert_ok(tw_search_spec(search, &spec));
  return spec;
}

static void assert_json_contains(const tw_search_t *search, const char *wanted) {
  tw_blob_t *json = NULL;
  assert_ok(tw_search_json(search, &json));
  assert_contains(tw_blob_data(json), wanted);
  tw_blob_release(json);
}

static void assert_same_shardings(const tw_plan_t *a, const tw_plan_t *b) {
  static const char *const values[] = {"x", "w1", "w2", "y"};
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    tw_blob_t *in_a = NULL, *in_b = NULL;
    assert_ok(tw_plan_sharding(a, values[i], &in_a));
    assert_ok(tw_plan_sharding(b, values[i], &in_b));
    assert_string_equal(tw_blob_data(in_a), tw_blob_data(in_b));
    tw_blob_release(in_a);
    tw_blob_release(in_b);
  }
}

/* The plan that was found is what its spec makes of the plan that the search began with. */
static void assert_plan_is_of_spec(const tw_search_t *search, const char *begin) {
  tw_blob_t *spec = spec_of(search);
  tw_plan_t *found = NULL, *made = empty_plan();
  assert_ok(tw_plan_apply(made, begin, strlen(begin), "begin.txt"));
  assert_ok(tw_search_plan(search, &found));
  assert_ok(tw_plan_apply(made, tw_blob_data(spec), tw_blob_size(spec), "found.txt"));
  assert_same_shardings(found, made);
  tw_plan_release(found);
  tw_plan_release(made);
  tw_blob_release(spec);
}

static void test_found(void **state) {
  (void)state;
  const tw_search_options_t options = {.struct_size = sizeof options, .episodes = 100};
  tw_search_t *search = run_search(&options);
  tw_blob_t *json = NULL, *spec = spec_of(search);
  assert_ok(tw_search_json(search, &json));
  const char *text = tw_blob_data(json);
  static const char *const fields[] = {"status",    "gathers", "groups",     "layers",
                                       "arguments", "actions", "seeds_tried"};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    assert_contains(text, fields[i]);
  const double cost_ms = number(text, "cost_ms"), bound_ms = number(text, "bound_ms");
  assert_true(bound_ms > 0 && bound_ms <= cost_ms);
  assert_true(number(text, "gap") >= 0 && number(text, "gap") < 1);
  assert_true(number(text, "least_peak_bytes") > 0);
  assert_true(number(text, "least_peak_bytes") <= number(text, "peak_bytes"));
  assert_true(number(text, "episodes") > 0 && number(text, "episodes") <= 100);
  assert_true(number(text, "seconds") > 0 && number(text, "steps_per_s") > 0);
  assert_true(number(text, "seed") == 0);
  double cost_s = 0, bound_s = 0;
  int64_t peak_bytes = 0, episodes = 0;
  assert_ok(tw_search_progress(search, &cost_s, &bound_s, &peak_bytes, &episodes));
  assert_true(cost_s > 0 && peak_bytes > 0);
  assert_true(bound_s * 1e3 > bound_ms * 0.999 && bound_s * 1e3 < bound_ms * 1.001);
  assert_int_equal(episodes, number(text, "episodes"));

  /* The plan has the actions, behind that of the annotations. */
  tw_plan_t *plan = NULL;
  assert_ok(tw_search_plan(search, &plan));
  assert_true(tw_plan_num_actions(plan) > 1);
  for (size_t i = 1; i < tw_plan_num_actions(plan); ++i) {
    tw_action_view_t action = {.struct_size = sizeof action};
    assert_ok(tw_plan_action(plan, i, &action));
    assert_contains(tw_blob_data(spec), action.text);
  }
  tw_plan_release(plan);
  assert_plan_is_of_spec(search, "");
  tw_blob_release(json);
  tw_blob_release(spec);
  assert_ptr_equal(tw_search_retain(search), search);
  tw_search_release(search);
  tw_search_release(search);
  tw_search_release(NULL);
  assert_null(tw_search_retain(NULL));
}

/* What was decided before stays, and the plan that the search began with does not change. */
static void test_behind_a_plan(void **state) {
  (void)state;
  static const char begin[] = "tile(arg=x, dim=1, axis=\"data\")";
  const tw_search_options_t options = {.struct_size = sizeof options, .episodes = 50};
  tw_plan_t *plan = empty_plan();
  assert_ok(tw_plan_apply(plan, begin, strlen(begin), "begin.txt"));
  tw_system_t *system = load_system(SYSTEM);
  tw_search_t *search = NULL;
  assert_ok(tw_search_create(plan, system, &options, &search));
  tw_system_release(system);
  assert_ok(tw_plan_tile(plan, "w2", 1, "model")); /* not seen by the search */
  assert_ok(tw_search_run(search));
  assert_plan_is_of_spec(search, begin);
  tw_plan_release(plan);
  assert_ok(tw_search_plan(search, &plan));
  tw_blob_t *sharding = NULL;
  assert_ok(tw_plan_sharding(plan, "x", &sharding));
  assert_contains(strchr(tw_blob_data(sharding), ','), "data");
  tw_blob_release(sharding);
  tw_plan_release(plan);
  tw_search_release(search);
}

static void test_threads(void **state) {
  (void)state;
  tw_blob_t *specs[2];
  for (int i = 0; i < 2; ++i) {
    tw_search_t *search = run_search(&(tw_search_options_t){
        .struct_size = sizeof(tw_search_options_t), .episodes = 100, .seed = 7, .threads = i + 1});
    specs[i] = spec_of(search);
    tw_search_release(search);
  }
  assert_string_equal(tw_blob_data(specs[0]), tw_blob_data(specs[1]));
  tw_blob_release(specs[0]);
  tw_blob_release(specs[1]);
}

static void test_options(void **state) {
  (void)state;
  const tw_lower_options_t lower = {.struct_size = sizeof lower, .gather_per_use = 1};
  tw_search_options_t options = {.struct_size = sizeof options, .episodes = 20, .lower = &lower, .seed = 3};
  tw_search_t *search = run_search(&options);
  assert_json_contains(search, "\"gathers\": \"per-use\"");
  assert_json_contains(search, "\"seed\": 3");
  tw_search_release(search);
  options.cap_bytes = 1;
  search = run_search(&options);
  assert_json_contains(search, "\"status\": \"infeasible\"");
  tw_search_release(search);
  search = run_search(
      &(tw_search_options_t){.struct_size = sizeof(tw_search_options_t), .seconds = 0.01, .threads = 1});
  assert_json_contains(search, "\"status\"");
  tw_search_release(search);
}

/* It ends as soon as it is as near as wanted; what is never reached changes nothing. */
static void test_gap(void **state) {
  (void)state;
  tw_search_options_t options = {.struct_size = sizeof options, .episodes = 100};
  tw_search_t *all = run_search(&options);
  options.gap = 0.9;
  tw_search_t *search = run_search(&options);
  assert_json_contains(search, "\"status\": \"gap\"");
  double cost_s = 0, bound_s = 0;
  int64_t peak_bytes = 0, episodes[3] = {0};
  assert_ok(tw_search_progress(search, &cost_s, &bound_s, &peak_bytes, &episodes[0]));
  assert_true(cost_s - bound_s <= 0.9 * cost_s);
  tw_search_release(search);
  options.gap = 1e-9;
  search = run_search(&options);
  assert_ok(tw_search_progress(search, &cost_s, &bound_s, &peak_bytes, &episodes[1]));
  assert_ok(tw_search_progress(all, &cost_s, &bound_s, &peak_bytes, &episodes[2]));
  assert_true(episodes[0] < episodes[2] && episodes[1] <= episodes[2]);
  tw_blob_t *specs[] = {spec_of(search), spec_of(all)};
  assert_string_equal(tw_blob_data(specs[0]), tw_blob_data(specs[1]));
  tw_blob_release(specs[0]);
  tw_blob_release(specs[1]);
  tw_search_release(search);
  tw_search_release(all);
}

static void remove_folder(const char *folder) {
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

/* Asked again, it is found in the folder; a file in the folder's place is refused before anything runs. */
static void test_cache(void **state) {
  (void)state;
  char folder[] = "/tmp/tw_api_cache_XXXXXX", file[sizeof folder + 8];
  assert_non_null(mkdtemp(folder));
  const tw_search_options_t options = {
      .struct_size = sizeof options, .episodes = 20, .cache = folder, .exact = 1};
  tw_search_t *first = run_search(&options), *second = run_search(&options);
  assert_json_contains(first, "\"cached\": false");
  assert_json_contains(second, "\"cached\": true");
  tw_blob_t *a = spec_of(first), *b = spec_of(second);
  assert_string_equal(tw_blob_data(a), tw_blob_data(b));
  assert_plan_is_of_spec(second, "");
  double cost_s[2], bound_s[2];
  int64_t peak_bytes[2], episodes[2];
  assert_ok(tw_search_progress(first, &cost_s[0], &bound_s[0], &peak_bytes[0], &episodes[0]));
  assert_ok(tw_search_progress(second, &cost_s[1], &bound_s[1], &peak_bytes[1], &episodes[1]));
  assert_true(cost_s[0] == cost_s[1] && bound_s[0] == bound_s[1]);
  assert_true(peak_bytes[0] == peak_bytes[1] && episodes[0] == episodes[1]);
  tw_blob_release(a);
  tw_blob_release(b);
  tw_search_release(first);
  tw_search_release(second);

  snprintf(file, sizeof file, "%s/file", folder);
  FILE *made = fopen(file, "w");
  assert_non_null(made);
  fclose(made);
  tw_plan_t *plan = empty_plan();
  tw_system_t *system = load_system(SYSTEM);
  tw_search_t *search = UNTOUCHED(tw_search_t);
  assert_fails(TW_UNAVAILABLE,
               tw_search_create(plan, system,
                                &(tw_search_options_t){.struct_size = sizeof options, .cache = file},
                                &search));
  assert_ptr_equal(search, UNTOUCHED(tw_search_t));
  tw_system_release(system);
  tw_plan_release(plan);
  remove_folder(folder);
}

static void test_cancelled_before(void **state) {
  (void)state;
  tw_search_t *search = make_search(NULL);
  tw_search_cancel(search);
  assert_ok(tw_search_run(search));
  assert_json_contains(search, "\"status\": \"cancelled\"");
  assert_plan_is_of_spec(search, "");
  tw_search_release(search);
  tw_search_cancel(NULL);
}

/* Asks until plans were priced, then ends the search. */
static void *cancel_soon(void *user) {
  tw_search_t *search = user;
  double cost_s = 0, bound_s = 0;
  int64_t peak_bytes = 0, episodes = 0;
  while (episodes < 5 && tw_search_progress(search, &cost_s, &bound_s, &peak_bytes, &episodes) == TW_OK)
    assert_true(episodes == 0 || (bound_s > 0 && bound_s <= cost_s)); /* it is there from the beginning */
  tw_search_cancel(search);
  return NULL;
}

static void test_cancelled_meanwhile(void **state) {
  (void)state;
  tw_search_t *search =
      make_search(&(tw_search_options_t){.struct_size = sizeof(tw_search_options_t), .episodes = INT64_MAX});
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, cancel_soon, search), 0);
  assert_ok(tw_search_run(search)); /* it may have ended by itself, having tried all */
  pthread_join(thread, NULL);
  assert_plan_is_of_spec(search, "");
  tw_search_release(search);
}

static void test_wrong(void **state) {
  (void)state;
  tw_plan_t *plan = empty_plan();
  tw_system_t *system = load_system(SYSTEM);
  tw_search_t *search = UNTOUCHED(tw_search_t);
  assert_null_argument("plan", tw_search_create(NULL, system, NULL, &search));
  assert_null_argument("system", tw_search_create(plan, NULL, NULL, &search));
  assert_null_argument("out_search", tw_search_create(plan, system, NULL, NULL));
  const tw_lower_options_t lower = {.struct_size = sizeof lower, .hoist_limit = -1};
  const tw_search_options_t options[] = {
      {.struct_size = sizeof *options, .cap_bytes = -1}, {.struct_size = sizeof *options, .episodes = -1},
      {.struct_size = sizeof *options, .seconds = -1},   {.struct_size = sizeof *options, .lower = &lower},
      {.struct_size = sizeof *options, .gap = -0.01},    {.struct_size = sizeof *options, .gap = 1},
      {.struct_size = sizeof *options, .gap = NAN},      {.struct_size = 0},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
    assert_fails(TW_INVALID_ARGUMENT, tw_search_create(plan, system, &options[i], &search));
  assert_fails(TW_INVALID_ARGUMENT,
               tw_search_create(plan, system,
                                &(tw_search_options_t){.struct_size = sizeof *options, .threads = -1},
                                &search));
  assert_ptr_equal(search, UNTOUCHED(tw_search_t));
  tw_system_release(system);
  tw_plan_release(plan);
}

static void test_order_of_calls(void **state) {
  (void)state;
  tw_search_t *search =
      make_search(&(tw_search_options_t){.struct_size = sizeof(tw_search_options_t), .episodes = 10});
  tw_blob_t *text = UNTOUCHED(tw_blob_t);
  tw_plan_t *plan = UNTOUCHED(tw_plan_t);
  double cost_s = 1, bound_s = 1;
  int64_t peak_bytes = 1, episodes = 1;
  assert_ok(tw_search_progress(search, &cost_s, &bound_s, &peak_bytes, &episodes));
  assert_true(cost_s == 0 && bound_s == 0 && peak_bytes == 0 && episodes == 0);
  assert_fails(TW_FAILED_PRECONDITION, tw_search_spec(search, &text));
  assert_fails(TW_FAILED_PRECONDITION, tw_search_json(search, &text));
  assert_fails(TW_FAILED_PRECONDITION, tw_search_plan(search, &plan));
  assert_ptr_equal(text, UNTOUCHED(tw_blob_t));
  assert_ptr_equal(plan, UNTOUCHED(tw_plan_t));
  assert_ok(tw_search_run(search));
  assert_fails(TW_FAILED_PRECONDITION, tw_search_run(search));
  assert_null_argument("search", tw_search_run(NULL));
  assert_null_argument("search", tw_search_progress(NULL, &cost_s, &bound_s, &peak_bytes, &episodes));
  assert_null_argument("out_cost_s", tw_search_progress(search, NULL, &bound_s, &peak_bytes, &episodes));
  assert_null_argument("out_bound_s", tw_search_progress(search, &cost_s, NULL, &peak_bytes, &episodes));
  assert_null_argument("out_peak_bytes", tw_search_progress(search, &cost_s, &bound_s, NULL, &episodes));
  assert_null_argument("out_episodes", tw_search_progress(search, &cost_s, &bound_s, &peak_bytes, NULL));
  assert_null_argument("search", tw_search_spec(NULL, &text));
  assert_null_argument("out_text", tw_search_spec(search, NULL));
  assert_null_argument("search", tw_search_plan(NULL, &plan));
  assert_null_argument("out_plan", tw_search_plan(search, NULL));
  assert_null_argument("search", tw_search_json(NULL, &text));
  assert_null_argument("out_json", tw_search_json(search, NULL));
  tw_search_release(search);
}

/* Axes that are not of devices: no search yet. */
static void test_axes_of_steps(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan =
      make_plan(graph, "data=2", "serial(axis=\"steps\", size=3); tile(arg=x, dim=0, axis=\"steps\")");
  tw_system_t *system = load_system(SYSTEM);
  tw_search_t *search = NULL;
  assert_fails(TW_UNIMPLEMENTED, tw_search_create(plan, system, NULL, &search));
  tw_system_release(system);
  tw_plan_release(plan);
  tw_graph_release(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_found),
      cmocka_unit_test(test_behind_a_plan),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_gap),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_cache),
      cmocka_unit_test(test_cancelled_before),
      cmocka_unit_test(test_cancelled_meanwhile),
      cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_order_of_calls),
      cmocka_unit_test(test_axes_of_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
