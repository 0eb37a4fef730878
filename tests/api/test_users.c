/* SPDX-License-Identifier: Apache-2.0 */
/* Users' pointers that the library keeps: each is destroyed once, when nothing may use it any more; the log
 * and the memory of a context; and memory that is only read. */
#include "support.h"

static void count(void *user) { ++*(int *)user; }

/* ---- contexts ---- */

struct host {
  int alloc_ended, log_ended, threads_ended;
  int blocks, lines, rounds;
  char last[256];
  int32_t level;
};

static void *take(size_t size, size_t alignment, void *user) {
  ++((struct host *)user)->blocks;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
static void give_back(void *memory, size_t size, void *user) {
  (void)size;
  --((struct host *)user)->blocks;
  free(memory);
}
static void hear(int32_t level, const char *area, const char *text, void *user) {
  struct host *host = user;
  ++host->lines;
  host->level = level;
  snprintf(host->last, sizeof host->last, "%s: %s", area, text);
}
static void in_turn(int64_t n, void (*body)(int64_t i, void *argument), void *argument, void *user) {
  ++((struct host *)user)->rounds;
  for (int64_t i = 0; i < n; ++i)
    body(i, argument);
}
static void end_alloc(void *user) {
  struct host *host = user;
  assert_int_equal(host->blocks, 0); /* nothing is held when it ends */
  ++host->alloc_ended;
}
static void end_log(void *user) { ++((struct host *)user)->log_ended; }
static void end_threads(void *user) { ++((struct host *)user)->threads_ended; }

static tw_context_options_t options_of(struct host *host) {
  return (tw_context_options_t){.struct_size = sizeof(tw_context_options_t),
                                .alloc = take,
                                .free = give_back,
                                .alloc_user = host,
                                .log = hear,
                                .log_user = host,
                                .workers = 2,
                                .parallel_for = in_turn,
                                .parallel_for_user = host,
                                .destroy_alloc_user = end_alloc,
                                .destroy_log_user = end_log,
                                .destroy_parallel_for_user = end_threads};
}

static void assert_ended(const struct host *host, int times) {
  assert_int_equal(host->alloc_ended, times);
  assert_int_equal(host->log_ended, times);
  assert_int_equal(host->threads_ended, times);
}

static void test_context(void **state) {
  (void)state;
  struct host host = {0};
  tw_context_options_t options = options_of(&host);
  tw_context_t *context = NULL;
  assert_ok(tw_context_create(&options, &context));
  tw_tensor_t *tensor = NULL;
  assert_ok(tw_tensor_create(context, TW_F32, DIMS(64, 64), &tensor));
  tw_program_t *program = make_mlp_program("data=2,model=2", MLP_SPEC);
  const tw_executable_options_t how = {.struct_size = sizeof how, .context = context};
  tw_executable_t *executable = NULL;
  assert_ok(tw_executable_create(program, &how, &executable));
  assert_int_equal(host.lines, 1);
  assert_int_equal(host.level, 2); /* info */
  assert_contains(host.last, "runtime: mlp: 4 devices of 4, 2 workers, ");

  struct mlp_arrays arrays = make_mlp_arrays(0, "zeros");
  tw_run_t *run = NULL;
  assert_ok(tw_run_start(executable, MLP_INPUTS(arrays), &arrays.out, 1, &run));
  tw_context_release(context);
  tw_executable_release(executable);
  assert_ended(&host, 0); /* the run and the tensor may still use it */
  assert_ok(tw_run_wait(run));
  assert_true(host.rounds > 0);
  tw_run_release(run);
  assert_ended(&host, 0);
  tw_tensor_release(tensor);
  assert_ended(&host, 1);
  release_mlp_arrays(&arrays);
  tw_program_release(program);
}

static void test_context_that_fails(void **state) {
  (void)state;
  struct host host = {0};
  tw_context_options_t options = options_of(&host);
  options.free = NULL;
  tw_context_t *context = UNTOUCHED(tw_context_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_context_create(&options, &context));
  assert_ptr_equal(context, UNTOUCHED(tw_context_t));
  assert_ended(&host, 0);
}

/* The log hears of a run that fails. */
static void test_log_of_failures(void **state) {
  (void)state;
  struct host host = {0};
  tw_context_options_t options = options_of(&host);
  tw_context_t *context = NULL;
  assert_ok(tw_context_create(&options, &context));
  tw_program_t *program = make_mlp_program("data=2,model=2", MLP_SPEC);
  const tw_executable_options_t how = {.struct_size = sizeof how, .context = context};
  tw_executable_t *executable = NULL;
  assert_ok(tw_executable_create(program, &how, &executable));
  struct mlp_arrays arrays = make_mlp_arrays(0, "zeros");
  tw_run_t *run = NULL;
  assert_ok(tw_run_start(executable, MLP_INPUTS(arrays), &arrays.out, 1, &run));
  assert_ok(tw_run_cancel(run));
  assert_fails(TW_CANCELLED, tw_run_wait(run));
  assert_int_equal(host.lines, 2);
  assert_int_equal(host.level, 1); /* warning */
  assert_contains(host.last, "runtime: a run of mlp failed: ");
  tw_run_release(run);
  tw_executable_release(executable);
  tw_context_release(context);
  tw_program_release(program);
  release_mlp_arrays(&arrays);
  assert_ended(&host, 1);
}

/* ---- plans ---- */

static void hear_action(const tw_plan_t *plan, const char *action, const char *file, uint32_t line,
                        void *user) {
  (void)plan, (void)action, (void)file, (void)line;
  *(int *)user += 100;
}

static void test_plan(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "data=2", ""), *clone = NULL;
  int first = 0, second = 0, third = 0;
  assert_ok(tw_plan_own_action(plan, hear_action, &first, count));
  assert_ok(tw_plan_apply(plan, "propagate", 9, NULL));
  assert_int_equal(first, 100);
  assert_ok(tw_plan_own_action(plan, hear_action, &second, count)); /* takes its place */
  assert_int_equal(first, 101);
  assert_ok(tw_plan_clone(plan, &clone)); /* does not copy it */
  assert_ok(tw_plan_apply(clone, "propagate", 9, NULL));
  tw_plan_release(clone);
  assert_int_equal(second, 0);
  assert_ok(tw_plan_on_action(plan, hear_action, &third));
  assert_int_equal(second, 1);
  assert_ok(tw_plan_own_action(plan, NULL, &second, count)); /* nobody is called, and the pointer is kept */
  assert_ok(tw_plan_apply(plan, "propagate", 9, NULL));
  assert_int_equal(third, 0);
  assert_int_equal(second, 1);
  tw_plan_release(plan);
  assert_int_equal(second, 2);
  assert_fails(TW_INVALID_ARGUMENT, tw_plan_own_action(NULL, hear_action, &third, count));
  assert_int_equal(third, 0);
  tw_graph_release(graph);
}

/* ---- memory that is only read ---- */

static void test_const_memory(void **state) {
  (void)state;
  static const float x[6][8] = {{1, 2, 3}, {4}};
  int ended = 0;
  tw_tensor_t *tensor = NULL;
  assert_ok(tw_tensor_wrap_const(TW_F32, DIMS(6, 8), x, count, &ended, &tensor));
  assert_null(tw_tensor_data(tensor));
  assert_ptr_equal(tw_tensor_const_data(tensor), x);
  assert_fails(TW_FAILED_PRECONDITION, tw_tensor_fill(tensor, "ones", 0, 0));
  assert_contains((tw_tensor_fill(tensor, "ones", 0, 0), tw_error_message()), "tw_tensor_wrap_const");

  tw_program_t *program = make_mlp_program("data=2,model=2", MLP_SPEC);
  tw_executable_t *executable = NULL;
  assert_ok(tw_executable_create(program, NULL, &executable));
  struct mlp_arrays arrays = make_mlp_arrays(0, "zeros");
  const tw_tensor_t *in[] = {tensor, arrays.in[1], arrays.in[2]};
  assert_ok(tw_executable_run(executable, in, 3, &arrays.out, 1));
  assert_fails(TW_FAILED_PRECONDITION, tw_executable_run(executable, in, 3, &tensor, 1));
  release_mlp_arrays(&arrays);
  tw_executable_release(executable);
  tw_program_release(program);

  tw_tensor_release(tensor);
  assert_int_equal(ended, 1);
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_wrap_const(TW_F32, DIMS(6, 8), NULL, count, &ended, &tensor));
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_wrap_const(TW_F32, DIMS(6, 8), x, count, &ended, NULL));
  assert_int_equal(ended, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_context),         cmocka_unit_test(test_context_that_fails),
      cmocka_unit_test(test_log_of_failures), cmocka_unit_test(test_plan),
      cmocka_unit_test(test_const_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
