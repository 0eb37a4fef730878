/* SPDX-License-Identifier: Apache-2.0 */
/* tw_environment.h: episodes, masks, snapshots, clones in threads, arrays with too little room, wrong
 * arguments. */
#include "support.h"

#include <math.h>
#include <pthread.h>

#define SYSTEM "a100-40g"
enum { MOST_ACTIONS = 200, MOST_FEATURES = 2000, MOST_STEPS = 40 };

static tw_plan_t *empty_plan(void) {
  tw_graph_t *graph = make_mlp_of(64, 512, 1024); /* wide enough that tiles pay */
  tw_plan_t *plan = make_plan(graph, "data=2,model=2", "");
  tw_graph_release(graph);
  return plan;
}

static tw_environment_t *make_environment(const tw_environment_options_t *options) {
  tw_plan_t *plan = empty_plan();
  tw_system_t *system = load_system(SYSTEM);
  tw_environment_t *environment = NULL;
  assert_ok(tw_environment_create(plan, system, options, &environment));
  tw_system_release(system);
  tw_plan_release(plan);
  assert_true(tw_environment_num_actions(environment) <= MOST_ACTIONS);
  assert_true(tw_environment_num_features(environment) <= MOST_FEATURES);
  return environment;
}

static tw_price_view_t price_of(const tw_environment_t *environment) {
  tw_price_view_t price = {.struct_size = sizeof price};
  assert_ok(tw_environment_price(environment, &price));
  return price;
}

/* The legal action with this number among them, counted around. */
static size_t legal_action(tw_environment_t *environment, size_t number) {
  uint8_t mask[MOST_ACTIONS];
  const size_t count = tw_environment_num_actions(environment);
  size_t legal[MOST_ACTIONS], num_legal = 0;
  assert_ok(tw_environment_mask(environment, mask, MOST_ACTIONS));
  for (size_t a = 0; a + 1 < count; ++a)
    if (mask[a])
      legal[num_legal++] = a;
  assert_int_equal(mask[count - 1], 1);
  return num_legal == 0 ? count - 1 : legal[number % num_legal];
}

static void test_episode(void **state) {
  (void)state;
  tw_environment_t *environment = make_environment(NULL);
  const tw_price_view_t first = price_of(environment);
  assert_true(first.cost_s > 0 && first.fits == 1 && first.peak_bytes <= first.cap_bytes);
  assert_true(first.moving_s == 0 && first.computing_s == first.cost_s && first.received_bytes == 0);
  double sum = 0, reward = 0;
  int done = 0;
  for (size_t i = 0; i < 3; ++i) {
    assert_ok(tw_environment_step(environment, legal_action(environment, 7 * i), &reward, &done));
    assert_int_equal(done, 0);
    sum += reward;
  }
  const tw_price_view_t last = price_of(environment);
  assert_true(fabs(sum - log(first.cost_s / last.cost_s)) < 1e-9);
  const size_t stop = tw_environment_num_actions(environment) - 1;
  assert_ok(tw_environment_step(environment, stop, &reward, &done));
  assert_true(done == 1 && reward == 0);
  assert_int_equal(tw_environment_num_steps(environment), 4);
  assert_fails(TW_FAILED_PRECONDITION, tw_environment_step(environment, 0, &reward, &done));
  assert_ok(tw_environment_undo(environment, 4));
  assert_true(price_of(environment).cost_s == first.cost_s);
  assert_ptr_equal(tw_environment_retain(environment), environment);
  tw_environment_release(environment);
  tw_environment_release(environment);
  tw_environment_release(NULL);
  assert_null(tw_environment_retain(NULL));
}

/* What a mask forbids is refused, and nothing changes. */
static void test_refused(void **state) {
  (void)state;
  tw_environment_t *environment = make_environment(NULL);
  double reward = 7;
  int done = 7;
  uint8_t mask[MOST_ACTIONS];
  assert_ok(tw_environment_step(environment, 0, &reward, &done));
  assert_ok(tw_environment_mask(environment, mask, MOST_ACTIONS));
  assert_int_equal(mask[0], 0);
  reward = done = 7;
  assert_fails(TW_FAILED_PRECONDITION, tw_environment_step(environment, 0, &reward, &done));
  assert_int_equal(tw_environment_step(environment, 0, &reward, &done), TW_FAILED_PRECONDITION);
  assert_contains(tw_error_message(), "is decided");
  assert_null(strstr(tw_error_message(), "%arg")); /* it has a name */
  assert_true(reward == 7 && done == 7);
  assert_int_equal(tw_environment_num_steps(environment), 1);
  assert_fails(TW_OUT_OF_RANGE,
               tw_environment_step(environment, tw_environment_num_actions(environment), &reward, &done));
  assert_fails(TW_OUT_OF_RANGE, tw_environment_step(environment, SIZE_MAX, &reward, &done));
  assert_fails(TW_OUT_OF_RANGE, tw_environment_undo(environment, 2));
  tw_environment_release(environment);
}

static void test_snapshots(void **state) {
  (void)state;
  tw_environment_t *environment = make_environment(NULL);
  double reward = 0;
  int done = 0;
  float before[MOST_FEATURES], after[MOST_FEATURES];
  int64_t snapshot[3], again[3];
  for (size_t i = 0; i < 3; ++i)
    assert_ok(tw_environment_step(environment, legal_action(environment, 5 * i), &reward, &done));
  const size_t floats = tw_environment_num_features(environment);
  assert_ok(tw_environment_observe(environment, before, floats));
  assert_ok(tw_environment_snapshot(environment, snapshot, 3));
  assert_ok(tw_environment_restore(environment, NULL, 0));
  assert_int_equal(tw_environment_num_steps(environment), 0);
  assert_ok(tw_environment_snapshot(environment, NULL, 0));
  assert_ok(tw_environment_observe(environment, after, floats));
  assert_memory_not_equal(before, after, floats * sizeof *before);
  assert_ok(tw_environment_restore(environment, snapshot, 3));
  assert_ok(tw_environment_observe(environment, after, floats));
  assert_memory_equal(before, after, floats * sizeof *before);
  assert_ok(tw_environment_snapshot(environment, again, 3));
  assert_memory_equal(snapshot, again, sizeof again);

  const int64_t twice[] = {snapshot[0], snapshot[0]}, none[] = {-1};
  assert_fails(TW_FAILED_PRECONDITION, tw_environment_restore(environment, twice, 2));
  assert_fails(TW_OUT_OF_RANGE, tw_environment_restore(environment, none, 1));
  assert_int_equal(tw_environment_num_steps(environment), 3);
  tw_environment_release(environment);
}

static void *walk(void *user) {
  tw_environment_t *environment = user;
  double reward = 0;
  int done = 0;
  for (size_t i = 0; i < MOST_STEPS && !done; ++i)
    if (tw_environment_step(environment, legal_action(environment, 3 * i), &reward, &done) != TW_OK)
      return NULL;
  return environment;
}

/* Two threads with a clone each come to the same end. */
static void test_clones(void **state) {
  (void)state;
  tw_environment_t *environment = make_environment(NULL), *clone = NULL;
  double reward = 0;
  int done = 0;
  assert_ok(tw_environment_step(environment, 0, &reward, &done));
  assert_ok(tw_environment_clone(environment, &clone));
  assert_int_equal(tw_environment_num_steps(clone), 1);
  pthread_t thread;
  void *walked = NULL;
  assert_int_equal(pthread_create(&thread, NULL, walk, clone), 0);
  assert_ptr_equal(walk(environment), environment);
  assert_int_equal(pthread_join(thread, &walked), 0);
  assert_ptr_equal(walked, clone);
  assert_true(price_of(clone).cost_s == price_of(environment).cost_s);
  tw_environment_release(environment);
  assert_ok(tw_environment_undo(clone, 1));
  assert_ok(tw_environment_step(clone, tw_environment_num_actions(clone) - 1, &reward, &done));
  tw_environment_release(clone);
}

/* The plan of an episode is what its spec makes, behind what was decided before. */
static void test_spec(void **state) {
  (void)state;
  static const char begin[] = "tile(arg=x, dim=1, axis=\"data\")";
  tw_plan_t *plan = empty_plan(), *made = empty_plan(), *found = NULL;
  tw_environment_t *environment = NULL;
  double reward = 0;
  int done = 0;
  assert_ok(tw_plan_apply(plan, begin, strlen(begin), "begin.txt"));
  tw_system_t *system = load_system(SYSTEM);
  assert_ok(tw_environment_create(plan, system, NULL, &environment));
  tw_system_release(system);
  tw_plan_release(plan);
  assert_ok(tw_environment_step(environment, legal_action(environment, 1), &reward, &done));
  assert_ok(tw_environment_step(environment, tw_environment_num_actions(environment) - 1, &reward, &done));
  tw_blob_t *spec = NULL, *a = NULL, *b = NULL;
  assert_ok(tw_environment_spec(environment, &spec));
  assert_contains(tw_blob_data(spec), "a run");
  assert_ok(tw_plan_apply(made, begin, strlen(begin), "begin.txt"));
  assert_ok(tw_plan_apply(made, tw_blob_data(spec), tw_blob_size(spec), "episode.txt"));
  assert_ok(tw_environment_plan(environment, &found));
  static const char *const values[] = {"x", "w1", "w2", "y"};
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    assert_ok(tw_plan_sharding(found, values[i], &a));
    assert_ok(tw_plan_sharding(made, values[i], &b));
    assert_string_equal(tw_blob_data(a), tw_blob_data(b));
    tw_blob_release(a);
    tw_blob_release(b);
  }
  tw_plan_release(found);
  tw_plan_release(made);
  tw_blob_release(spec);
  tw_environment_release(environment);
}

static void test_options(void **state) {
  (void)state;
  tw_environment_t *whole = make_environment(NULL);
  tw_environment_t *model = make_environment(&(tw_environment_options_t){
      .struct_size = sizeof(tw_environment_options_t), .axes = "model", .even_only = 1});
  assert_true(tw_environment_num_actions(model) < tw_environment_num_actions(whole));
  tw_environment_t *tight = make_environment(
      &(tw_environment_options_t){.struct_size = sizeof(tw_environment_options_t), .cap_bytes = 100000});
  const tw_price_view_t price = price_of(tight);
  assert_true(price.fits == 0 && price.cost_s > 2 * (price.computing_s + price.moving_s));
  tw_blob_t *json = NULL;
  assert_ok(tw_environment_json(model, &json));
  static const char *const fields[] = {"cap_bytes", "actions", "subject",  "dim",       "axis",    "layers",
                                       "arguments", "type",    "features", "conflicts", "offsets", "stop"};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    assert_contains(tw_blob_data(json), fields[i]);
  tw_blob_release(json);
  tw_environment_release(whole);
  tw_environment_release(model);
  tw_environment_release(tight);
}

static void test_room(void **state) {
  (void)state;
  tw_environment_t *environment = make_environment(NULL);
  uint8_t mask[MOST_ACTIONS];
  float features[MOST_FEATURES];
  int64_t actions[1];
  double reward = 0;
  int done = 0;
  assert_ok(tw_environment_step(environment, 0, &reward, &done));
  assert_fails(TW_INVALID_ARGUMENT,
               tw_environment_mask(environment, mask, tw_environment_num_actions(environment) - 1));
  assert_fails(TW_INVALID_ARGUMENT,
               tw_environment_observe(environment, features, tw_environment_num_features(environment) - 1));
  assert_fails(TW_INVALID_ARGUMENT, tw_environment_snapshot(environment, actions, 0));
  assert_int_equal(tw_environment_snapshot(environment, actions, 0), TW_INVALID_ARGUMENT);
  assert_contains(tw_error_message(), "'out_actions' has room for 0, where 1 are written");
  tw_environment_release(environment);
}

static void test_wrong(void **state) {
  (void)state;
  tw_plan_t *plan = empty_plan();
  tw_system_t *system = load_system(SYSTEM);
  tw_environment_t *environment = UNTOUCHED(tw_environment_t);
  const tw_environment_options_t options[] = {
      {.struct_size = 0},
      {.struct_size = sizeof *options, .cap_bytes = -1},
      {.struct_size = sizeof *options, .lower = &(tw_lower_options_t){.struct_size = 0}},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
    assert_fails(TW_INVALID_ARGUMENT, tw_environment_create(plan, system, &options[i], &environment));
  const tw_environment_options_t axes = {.struct_size = sizeof axes, .axes = "nothing"};
  assert_fails(TW_NOT_FOUND, tw_environment_create(plan, system, &axes, &environment));
  assert_null_argument("plan", tw_environment_create(NULL, system, NULL, &environment));
  assert_null_argument("system", tw_environment_create(plan, NULL, NULL, &environment));
  assert_null_argument("out_environment", tw_environment_create(plan, system, NULL, NULL));
  assert_null_argument("environment", tw_environment_clone(NULL, &environment));
  assert_ptr_equal(environment, UNTOUCHED(tw_environment_t));
  tw_system_release(system);
  tw_plan_release(plan);

  environment = make_environment(NULL);
  uint8_t mask[MOST_ACTIONS];
  float features[MOST_FEATURES];
  int64_t actions[1] = {0};
  double reward = 0;
  int done = 0;
  tw_price_view_t price = {.struct_size = sizeof price};
  tw_blob_t *text = NULL;
  assert_null_argument("out_environment", tw_environment_clone(environment, NULL));
  assert_null_argument("environment", tw_environment_mask(NULL, mask, MOST_ACTIONS));
  assert_null_argument("out_mask", tw_environment_mask(environment, NULL, MOST_ACTIONS));
  assert_null_argument("environment", tw_environment_step(NULL, 0, &reward, &done));
  assert_null_argument("out_reward", tw_environment_step(environment, 0, NULL, &done));
  assert_null_argument("out_done", tw_environment_step(environment, 0, &reward, NULL));
  assert_null_argument("environment", tw_environment_undo(NULL, 0));
  assert_null_argument("environment", tw_environment_snapshot(NULL, actions, 1));
  assert_null_argument("environment", tw_environment_restore(NULL, actions, 1));
  assert_null_argument("actions", tw_environment_restore(environment, NULL, 1));
  assert_null_argument("environment", tw_environment_observe(NULL, features, MOST_FEATURES));
  assert_null_argument("out_features", tw_environment_observe(environment, NULL, MOST_FEATURES));
  assert_null_argument("environment", tw_environment_price(NULL, &price));
  assert_null_argument("out_view", tw_environment_price(environment, NULL));
  assert_null_argument("environment", tw_environment_spec(NULL, &text));
  assert_null_argument("out_text", tw_environment_spec(environment, NULL));
  assert_null_argument("environment", tw_environment_plan(NULL, &plan));
  assert_null_argument("out_plan", tw_environment_plan(environment, NULL));
  assert_null_argument("environment", tw_environment_json(NULL, &text));
  assert_null_argument("out_json", tw_environment_json(environment, NULL));
  assert_ok(tw_environment_step(environment, 0, &reward, &done));
  assert_null_argument("out_actions", tw_environment_snapshot(environment, NULL, 1));
  assert_true(tw_environment_num_actions(NULL) == 0 && tw_environment_num_features(NULL) == 0 &&
              tw_environment_num_steps(NULL) == 0);
  tw_environment_release(environment);
}

/* Axes that are not of devices. */
static void test_axes_of_steps(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan =
      make_plan(graph, "data=2", "serial(axis=\"steps\", size=3); tile(arg=x, dim=0, axis=\"steps\")");
  tw_environment_t *environment = NULL;
  tw_system_t *system = load_system(SYSTEM);
  assert_fails(TW_UNIMPLEMENTED, tw_environment_create(plan, system, NULL, &environment));
  tw_system_release(system);
  tw_plan_release(plan);
  tw_graph_release(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_episode), cmocka_unit_test(test_refused), cmocka_unit_test(test_snapshots),
      cmocka_unit_test(test_clones),  cmocka_unit_test(test_spec),    cmocka_unit_test(test_options),
      cmocka_unit_test(test_room),    cmocka_unit_test(test_wrong),   cmocka_unit_test(test_axes_of_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
