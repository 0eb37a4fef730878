/* SPDX-License-Identifier: Apache-2.0 */
/* Progress of long calls, and giving them up: at whatever moment that is, nothing has changed. */
#include "support.h"

/* Gives up at question `at`. */
struct watcher {
  int asked, at;
  double seconds;
};
static int ask(void *user, double seconds) {
  struct watcher *w = user;
  w->seconds = seconds;
  return ++w->asked == w->at;
}

/* One call under watch, with its arguments and result. */
struct call {
  tw_status_t (*make)(struct call *);
  const tw_graph_t *graph;
  const tw_mesh_t *mesh;
  tw_plan_t *plan;
  tw_program_t *program;
  tw_executable_t *executable;
  tw_blob_t *text;
};
static tw_status_t body(void *user) {
  struct call *c = user;
  return c->make(c);
}
static tw_status_t watched(struct call *c, struct watcher *w) {
  return tw_watch_calls(
      body, c,
      &(tw_watch_options_t){
          .struct_size = sizeof(tw_watch_options_t), .progress = ask, .user = w, .interval = 1e-9});
}

/* Gives up at the first question, at the second, and so on until the call asks no more and succeeds.
 * `unchanged` is told after each. How often it was given up. */
static int give_up_everywhere(struct call *c, void (*unchanged)(struct call *)) {
  for (int at = 1;; at += 1 + at / 8) {
    struct watcher w = {.at = at};
    const tw_status_t status = watched(c, &w);
    if (status == TW_OK)
      return w.asked;
    if (status != TW_CANCELLED)
      fail_msg("given up at question %d: %s", at, tw_error_message());
    assert_contains(tw_error_message(), "given up after");
    assert_int_equal(w.asked, at); /* and then no more */
    assert_true(w.seconds >= 0);
    unchanged(c);
  }
}

/* Layers of tanh(x w): each has a sum for propagation to find. */
static tw_graph_t *make_layers(int count) {
  tw_builder_t *b = NULL;
  tw_graph_t *graph = NULL;
  assert_ok(tw_builder_create("layers", &b));
  tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(8, 16));
  for (int i = 0; i < count; ++i) {
    char name[16];
    snprintf(name, sizeof name, "w%d", i);
    const tw_value_t w = tw_builder_argument(b, name, TW_F32, DIMS(16, 16));
    x = tw_builder_unary(b, "tanh", tw_builder_einsum(b, "bd,df->bf", x, w));
  }
  tw_builder_result(b, "y", x);
  assert_ok(tw_builder_finish(b, &graph));
  tw_builder_release(b);
  return graph;
}

static tw_graph_t *layers;
static tw_mesh_t *mesh;
#define LAYER_SPEC                                                                                           \
  "tile(arg=x, dim=0, axis=a); propagate\n"                                                                  \
  "tile(arg=w0, dim=1, axis=b)\n"                                                                            \
  "infer-propagate"

static int set_up(void **state) {
  (void)state;
  layers = make_layers(12);
  mesh = make_mesh("a=2,b=2");
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  tw_graph_release(layers);
  tw_mesh_release(mesh);
  return 0;
}

static tw_blob_t *loops_of(const tw_plan_t *plan) {
  tw_blob_t *text = NULL;
  assert_ok(tw_plan_emit(plan, "loops", &text));
  return text;
}

/* ---- plans ---- */

static tw_status_t propagate(struct call *c) { return tw_plan_propagate(c->plan, TW_INFER_PROPAGATE); }
static void same_text(struct call *c) {
  tw_blob_t *now = loops_of(c->plan);
  assert_string_equal(tw_blob_data(now), tw_blob_data(c->text));
  tw_blob_release(now);
}

static tw_plan_t *tiled_plan(const char *policy) {
  const tw_plan_options_t options = {.struct_size = sizeof options, .policy = policy};
  tw_plan_t *plan = NULL;
  assert_ok(tw_plan_create(layers, mesh, &options, &plan));
  assert_ok(tw_plan_tile(plan, "x", 0, "a"));
  assert_ok(tw_plan_tile(plan, "w0", 1, "b"));
  assert_ok(tw_plan_tile(plan, "w5", 0, "a"));
  return plan;
}

static void test_propagate(void **state) {
  (void)state;
  static const char *const policies[] = {"conservative", "shardy", "cheapest", "explicit"};
  for (size_t i = 0; i < sizeof policies / sizeof *policies; ++i) {
    struct call c = {.make = propagate, .plan = tiled_plan(policies[i])};
    c.text = loops_of(c.plan);
    assert_true(give_up_everywhere(&c, same_text) > 5);
    /* What it makes is what it makes where nobody watches. */
    tw_plan_t *expected = tiled_plan(policies[i]);
    assert_ok(tw_plan_propagate(expected, TW_INFER_PROPAGATE));
    tw_blob_release(c.text);
    c.text = loops_of(expected);
    same_text(&c);
    tw_blob_release(c.text);
    tw_plan_release(expected);
    tw_plan_release(c.plan);
  }
}

static tw_status_t apply(struct call *c) {
  return tw_plan_apply(c->plan, LAYER_SPEC, strlen(LAYER_SPEC), "spec.txt");
}
/* Lines before the one that was at work stay; the test goes on from the beginning. */
static void whole_lines(struct call *c) {
  tw_error_t *error = NULL;
  assert_ok(tw_error_take(&error));
  assert_string_equal(tw_error_file(error), "spec.txt");
  const uint32_t line = tw_error_line(error);
  tw_error_release(error);
  static const char *const before[] = {
      "", "tile(arg=x, dim=0, axis=a); propagate\n",
      "tile(arg=x, dim=0, axis=a); propagate\ntile(arg=w0, dim=1, axis=b)\n"};
  assert_in_range(line, 1, 3);
  tw_plan_t *expected = make_plan(layers, "a=2,b=2", before[line - 1]);
  tw_blob_t *text = loops_of(expected), *now = loops_of(c->plan);
  assert_string_equal(tw_blob_data(now), tw_blob_data(text));
  tw_blob_release(text);
  tw_blob_release(now);
  tw_plan_release(expected);
  assert_ok(tw_plan_undo(c->plan, 0));
}
static void test_apply(void **state) {
  (void)state;
  tw_plan_t *plan = make_plan(layers, "a=2,b=2", "");
  struct call c = {.make = apply, .plan = plan};
  assert_true(give_up_everywhere(&c, whole_lines) > 10);
  tw_plan_release(plan);
}

static tw_status_t create(struct call *c) {
  const tw_status_t status = tw_plan_create(c->graph, c->mesh, NULL, &c->plan);
  if (status == TW_OK)
    tw_plan_release(c->plan);
  return status;
}
static void no_plan(struct call *c) { assert_ptr_equal(c->plan, UNTOUCHED(tw_plan_t)); }
static void test_create(void **state) {
  (void)state;
  static const char text[] =
      "sdy.mesh @mesh = <[\"a\"=2, \"b\"=2]>\n"
      "func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"a\"}, {?}]>}) -> "
      "tensor<8x8xf32> {\n"
      "  %0 = stablehlo.tanh %x : tensor<8x8xf32>\n  %1 = stablehlo.exponential %0 : tensor<8x8xf32>\n"
      "  return %1 : tensor<8x8xf32>\n}\n";
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(text, sizeof text - 1, NULL, &graph));
  struct call c = {.make = create, .graph = graph, .plan = UNTOUCHED(tw_plan_t)};
  assert_true(give_up_everywhere(&c, no_plan) > 2);
  tw_graph_release(graph);
}

/* ---- programs ---- */

static tw_status_t lower(struct call *c) {
  const tw_status_t status = tw_program_lower(c->plan, NULL, &c->program);
  if (status == TW_OK)
    tw_program_release(c->program);
  return status;
}
static void no_program(struct call *c) { assert_ptr_equal(c->program, UNTOUCHED(tw_program_t)); }
static tw_status_t report(struct call *c) {
  tw_blob_t *text = NULL;
  tw_conflicts_t *found = NULL;
  tw_status_t status = tw_program_report(c->program, 100, &text);
  tw_blob_release(text);
  text = NULL;
  if (status == TW_OK)
    status = tw_program_json(c->program, &text);
  tw_blob_release(text);
  if (status == TW_OK)
    status = tw_program_conflicts(c->program, &found);
  tw_conflicts_release(found);
  found = NULL;
  if (status == TW_OK)
    status = tw_program_disagreements(c->program, &found);
  tw_conflicts_release(found);
  return status;
}
static void nothing(struct call *c) { (void)c; }
static tw_status_t bind(struct call *c) {
  const tw_status_t status = tw_executable_create(c->program, NULL, &c->executable);
  if (status == TW_OK)
    tw_executable_release(c->executable);
  return status;
}
static void no_executable(struct call *c) { assert_ptr_equal(c->executable, UNTOUCHED(tw_executable_t)); }

static void test_programs(void **state) {
  (void)state;
  struct call c = {.make = lower, .plan = tiled_plan(NULL), .program = UNTOUCHED(tw_program_t)};
  assert_ok(tw_plan_propagate(c.plan, TW_INFER_PROPAGATE));
  assert_true(give_up_everywhere(&c, no_program) > 5);
  c.make = report;
  assert_ok(tw_program_lower(c.plan, NULL, &c.program));
  assert_true(give_up_everywhere(&c, nothing) > 0); /* what one call found stays for the next */
  c.make = bind;
  c.executable = UNTOUCHED(tw_executable_t);
  assert_true(give_up_everywhere(&c, no_executable) > 20); /* at least once a step */
  tw_program_release(c.program);
  tw_plan_release(c.plan);
}

/* ---- redistribution ---- */

static tw_status_t search(struct call *c) {
  const tw_redistribution_options_t options = {.struct_size = sizeof options, .method = "vector"};
  tw_redistribution_t *made = NULL;
  const tw_status_t status =
      tw_redistribution_plan(c->mesh, "f32[64,64,64] [{a},{b},{c}]", NULL, "[{c},{a},{b}]", &options, &made);
  tw_redistribution_release(made);
  return status;
}
static void test_redistribution(void **state) {
  (void)state;
  tw_mesh_t *three = make_mesh("a=4,b=4,c=4");
  struct call c = {.make = search, .mesh = three};
  assert_true(give_up_everywhere(&c, nothing) > 1);
  tw_mesh_release(three);
}

/* ---- who is asked ---- */

static tw_status_t nested(struct call *c) {
  struct watcher inner = {.at = 0};
  struct call in = {.make = propagate, .plan = c->plan};
  assert_ok(watched(&in, &inner));
  assert_true(inner.asked > 0);
  return TW_OK;
}
/* Of a body inside another, the inner one is asked alone; behind it the outer one again; outside nobody. */
static void test_nested(void **state) {
  (void)state;
  struct call c = {.make = nested, .plan = tiled_plan(NULL)};
  struct watcher outer = {.at = 1};
  assert_ok(watched(&c, &outer));
  assert_int_equal(outer.asked, 0);
  assert_ok(tw_plan_undo(c.plan, 0));
  assert_ok(tw_plan_propagate(c.plan, TW_INFER_PROPAGATE));
  assert_int_equal(outer.asked, 0);
  tw_plan_release(c.plan);
}

static int plan_inside(void *user, double seconds) {
  (void)seconds;
  int *asked = user;
  ++*asked;
  tw_plan_t *other = tiled_plan(NULL); /* another plan may be used, and is not asked about */
  assert_ok(tw_plan_propagate(other, TW_INFER_PROPAGATE));
  tw_plan_release(other);
  return 0;
}
static void test_calls_of_progress(void **state) {
  (void)state;
  struct call c = {.make = propagate, .plan = tiled_plan(NULL)};
  int asked = 0;
  assert_ok(tw_watch_calls(body, &c,
                           &(tw_watch_options_t){.struct_size = sizeof(tw_watch_options_t),
                                                 .progress = plan_inside,
                                                 .user = &asked,
                                                 .interval = 1e-9}));
  assert_true(asked > 10);
  tw_plan_release(c.plan);
}

static tw_status_t fails(struct call *c) { return tw_plan_tile(c->plan, "nobody", 0, "a"); }
static void test_arguments(void **state) {
  (void)state;
  struct watcher w = {.at = 0};
  struct call c = {.make = fails, .plan = tiled_plan(NULL)};
  assert_fails(TW_NOT_FOUND, watched(&c, &w)); /* what the body answers */
  tw_watch_options_t options = {.struct_size = sizeof options, .progress = ask, .user = &w};
  assert_null_argument("body", tw_watch_calls(NULL, NULL, &options));
  assert_null_argument("options", tw_watch_calls(body, &c, NULL));
  options.interval = -1;
  assert_fails(TW_INVALID_ARGUMENT, tw_watch_calls(body, &c, &options));
  options.interval = 0;
  options.progress = NULL;
  assert_null_argument("progress", tw_watch_calls(body, &c, &options));
  options.struct_size = 0;
  assert_fails(TW_INVALID_ARGUMENT, tw_watch_calls(body, &c, &options));
  tw_plan_release(c.plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_propagate),
      cmocka_unit_test(test_apply),
      cmocka_unit_test(test_create),
      cmocka_unit_test(test_programs),
      cmocka_unit_test(test_redistribution),
      cmocka_unit_test(test_nested),
      cmocka_unit_test(test_calls_of_progress),
      cmocka_unit_test(test_arguments),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
