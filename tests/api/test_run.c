/* SPDX-License-Identifier: Apache-2.0 */
/* tw_run.h: runs in the background, several at once, cancelled, and with threads and memory of the host. */
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

static tw_executable_t *make_executable(tw_context_t *context, int32_t workers) {
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  const tw_executable_options_t options = {
      .struct_size = sizeof options, .context = context, .workers = workers};
  tw_executable_t *exe = NULL;
  assert_ok(tw_executable_create(program, &options, &exe));
  tw_program_release(program);
  return exe;
}

/* What the same run gives when nobody hurries. */
static void expected_of(const struct mlp_arrays *a, float *out) {
  tw_executable_t *exe = make_executable(NULL, 1);
  tw_tensor_t *result = make_tensor(TW_F32, DIMS(6, 8), "zeros", 0);
  assert_ok(tw_executable_run(exe, MLP_INPUTS(*a), &result, 1));
  memcpy(out, tw_tensor_data(result), 6 * 8 * sizeof *out);
  tw_tensor_release(result);
  tw_executable_release(exe);
}

static void assert_result(const struct mlp_arrays *a) {
  float expected[48];
  expected_of(a, expected);
  assert_memory_equal(tw_tensor_const_data(a->out), expected, sizeof expected);
}

static void assert_untouched(const struct mlp_arrays *a) {
  for (int i = 0; i < 48; ++i)
    assert_true(((const float *)tw_tensor_const_data(a->out))[i] == (float)i);
}

/* With threads the run goes on behind the caller's back; wait helps and says how it ended, again when
 * asked again. */
static void test_start_and_wait(void **state) {
  (void)state;
  for (int32_t workers = 1; workers <= 4; ++workers) {
    tw_executable_t *exe = make_executable(NULL, workers);
    struct mlp_arrays a = make_mlp_arrays(1, "iota");
    tw_run_t *run = NULL;
    assert_ok(tw_run_start(exe, MLP_INPUTS(a), &a.out, 1, &run));
    assert_ok(tw_run_wait(run));
    assert_ok(tw_run_wait(run));
    int over = 0;
    assert_ok(tw_run_test(run, &over));
    assert_int_equal(over, 1);
    assert_ptr_equal(tw_run_retain(run), run);
    tw_run_release(run);
    tw_run_release(run);
    assert_result(&a);
    release_mlp_arrays(&a);
    tw_executable_release(exe);
  }
}

/* It keeps the executable and the tensors alive. */
static void test_keeps_alive(void **state) {
  (void)state;
  tw_executable_t *exe = make_executable(NULL, 2);
  struct mlp_arrays a = make_mlp_arrays(1, "iota"), kept = a;
  tw_tensor_retain(a.out);
  for (int i = 0; i < 3; ++i)
    kept.in[i] = tw_tensor_retain(a.in[i]);
  tw_run_t *run = NULL;
  assert_ok(tw_run_start(exe, MLP_INPUTS(a), &a.out, 1, &run));
  tw_executable_release(exe);
  release_mlp_arrays(&a);
  assert_ok(tw_run_wait(run));
  assert_result(&kept);
  tw_run_release(run);
  release_mlp_arrays(&kept);
}

/* A program without threads drives several runs by testing them in turn. */
static void test_driven_by_test(void **state) {
  (void)state;
  const tw_context_options_t options = {.struct_size = sizeof options, .workers = 1};
  tw_context_t *context = NULL;
  assert_ok(tw_context_create(&options, &context));
  enum { RUNS = 5 };
  tw_executable_t *exe[RUNS];
  tw_run_t *run[RUNS];
  struct mlp_arrays a[RUNS];
  int over[RUNS] = {0}, left = RUNS, calls = 0;
  for (int i = 0; i < RUNS; ++i) {
    exe[i] = make_executable(context, 0);
    a[i] = make_mlp_arrays((uint64_t)i, "iota");
    assert_ok(tw_run_start(exe[i], MLP_INPUTS(a[i]), &a[i].out, 1, &run[i]));
  }
  for (; left > 0; ++calls) {
    assert_true(calls < 10000);
    const int i = calls % RUNS, before = over[i];
    if (calls < 8 * RUNS)
      assert_untouched(&a[i]); /* eight devices each, one at a time, and nobody else works on it */
    assert_ok(tw_run_test(run[i], &over[i]));
    left -= over[i] - before;
  }
  for (int i = 0; i < RUNS; ++i) {
    assert_ok(tw_run_wait(run[i]));
    assert_result(&a[i]);
    tw_run_release(run[i]);
    release_mlp_arrays(&a[i]);
    tw_executable_release(exe[i]);
  }
  tw_context_release(context);
}

/* Any number of runs of different executables share the threads of a context. */
static void test_many_at_once(void **state) {
  (void)state;
  const tw_context_options_t options = {.struct_size = sizeof options, .workers = 3};
  tw_context_t *context = NULL;
  assert_ok(tw_context_create(&options, &context));
  enum { RUNS = 6 };
  tw_executable_t *exe[RUNS];
  tw_run_t *run[RUNS];
  struct mlp_arrays a[RUNS];
  for (int i = 0; i < RUNS; ++i) {
    exe[i] = make_executable(context, 0);
    assert_int_equal(tw_executable_workers(exe[i]), 3);
    a[i] = make_mlp_arrays((uint64_t)i, "iota");
  }
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < RUNS; ++i) {
      assert_ok(tw_tensor_fill(a[i].out, "iota", 0, 0));
      assert_ok(tw_run_start(exe[i], MLP_INPUTS(a[i]), &a[i].out, 1, &run[i]));
    }
    for (int i = 0; i < RUNS; ++i) {
      const int which = (i * 5 + round) % RUNS;
      int over = round % 2; /* odd: wait at once; even: look until it is over */
      while (!over)
        assert_ok(tw_run_test(run[which], &over));
      assert_ok(tw_run_wait(run[which]));
      tw_run_release(run[which]);
    }
  }
  for (int i = 0; i < RUNS; ++i) {
    assert_result(&a[i]);
    release_mlp_arrays(&a[i]);
    tw_executable_release(exe[i]);
  }
  tw_context_release(context);
}

/* One run at a time. */
static void test_one_run_an_executable(void **state) {
  (void)state;
  tw_executable_t *exe = make_executable(NULL, 1);
  struct mlp_arrays a = make_mlp_arrays(1, "iota"), b = make_mlp_arrays(2, "iota");
  tw_run_t *run = NULL, *second = UNTOUCHED(tw_run_t);
  assert_ok(tw_run_start(exe, MLP_INPUTS(a), &a.out, 1, &run));
  assert_fails(TW_FAILED_PRECONDITION, tw_run_start(exe, MLP_INPUTS(b), &b.out, 1, &second));
  assert_fails(TW_FAILED_PRECONDITION, tw_executable_run(exe, MLP_INPUTS(b), &b.out, 1));
  assert_ptr_equal(second, UNTOUCHED(tw_run_t));
  assert_ok(tw_run_wait(run));
  assert_ok(tw_run_start(exe, MLP_INPUTS(b), &b.out, 1, &second));
  assert_ok(tw_run_cancel(run)); /* is over: changes nothing, in the next run neither */
  assert_ok(tw_run_wait(second));
  assert_result(&a);
  assert_result(&b);
  tw_run_release(run);
  tw_run_release(second);
  release_mlp_arrays(&a);
  release_mlp_arrays(&b);
  tw_executable_release(exe);
}

static void test_cancel(void **state) {
  (void)state;
  tw_executable_t *exe = make_executable(NULL, 1);
  struct mlp_arrays a = make_mlp_arrays(1, "iota");
  for (int tests = 0; tests < 40; ++tests) { /* after each place where nobody works on it */
    tw_run_t *run = NULL;
    int over = 0;
    assert_ok(tw_tensor_fill(a.out, "iota", 0, 0));
    assert_ok(tw_run_start(exe, MLP_INPUTS(a), &a.out, 1, &run));
    for (int i = 0; i < tests && !over; ++i)
      assert_ok(tw_run_test(run, &over));
    assert_ok(tw_run_cancel(run));
    const tw_status_t status = tw_run_wait(run);
    if (status == TW_OK) { /* it had begun to write outputs */
      assert_true(tests > 8);
      assert_result(&a);
    } else {
      assert_int_equal(status, TW_CANCELLED);
      assert_contains(tw_error_message(), "cancelled");
      assert_fails(TW_CANCELLED, tw_run_wait(run)); /* the same again when asked again */
      assert_int_equal(over, 0);
      assert_untouched(&a);
    }
    assert_true(tests != 0 || status == TW_CANCELLED);
    assert_true(tests != 39 || status == TW_OK);
    tw_run_release(run);
    assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1)); /* the executable can run again */
    assert_result(&a);
  }
  release_mlp_arrays(&a);
  tw_executable_release(exe);
}

static void *cancel_soon(void *run) {
  for (volatile int i = 0; i < 2000; ++i) {
  }
  return tw_run_cancel(run) == TW_OK ? NULL : run;
}

/* may be called from any thread, also during tw_run_wait */
static void test_cancel_from_another_thread(void **state) {
  (void)state;
  tw_executable_t *exe = make_executable(NULL, 3);
  struct mlp_arrays a = make_mlp_arrays(1, "iota");
  for (int round = 0; round < 100; ++round) {
    tw_run_t *run = NULL;
    pthread_t thread;
    void *problem = NULL;
    assert_ok(tw_tensor_fill(a.out, "iota", 0, 0));
    assert_ok(tw_run_start(exe, MLP_INPUTS(a), &a.out, 1, &run));
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, run), 0);
    const tw_status_t status = tw_run_wait(run);
    assert_int_equal(pthread_join(thread, &problem), 0);
    assert_null(problem);
    if (status == TW_OK) {
      assert_result(&a);
    } else {
      assert_int_equal(status, TW_CANCELLED);
      assert_untouched(&a);
    }
    tw_run_release(run);
  }
  release_mlp_arrays(&a);
  tw_executable_release(exe);
}

/* The last release of a run that is not over cancels it and waits until nobody works on it. */
static void test_release_in_flight(void **state) {
  (void)state;
  for (int32_t workers = 1; workers <= 3; ++workers) {
    tw_executable_t *exe = make_executable(NULL, workers);
    for (int round = 0; round < 50; ++round) {
      struct mlp_arrays a = make_mlp_arrays(1, "iota");
      tw_run_t *run = NULL;
      assert_ok(tw_run_start(exe, MLP_INPUTS(a), &a.out, 1, &run));
      tw_run_release(run);
      if (workers == 1)
        assert_untouched(&a);
      assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1));
      release_mlp_arrays(&a);
    }
    tw_executable_release(exe);
  }
}

static void test_bad_calls(void **state) {
  (void)state;
  tw_executable_t *exe = make_executable(NULL, 1);
  struct mlp_arrays a = make_mlp_arrays(1, "iota");
  tw_run_t *run = UNTOUCHED(tw_run_t);
  int over = 77;
  assert_null_argument("executable", tw_run_start(NULL, MLP_INPUTS(a), &a.out, 1, &run));
  assert_null_argument("out_run", tw_run_start(exe, MLP_INPUTS(a), &a.out, 1, NULL));
  assert_fails(TW_INVALID_ARGUMENT, tw_run_start(exe, MLP_INPUTS(a), &a.out, 0, &run));
  assert_ptr_equal(run, UNTOUCHED(tw_run_t));
  assert_null_argument("run", tw_run_test(NULL, &over));
  assert_null_argument("run", tw_run_wait(NULL));
  assert_null_argument("run", tw_run_cancel(NULL));
  assert_int_equal(over, 77);
  assert_ok(tw_run_start(exe, MLP_INPUTS(a), &a.out, 1, &run));
  assert_null_argument("out_over", tw_run_test(run, NULL));
  assert_ok(tw_run_wait(run));
  tw_run_release(run);
  tw_run_release(NULL);
  assert_null(tw_run_retain(NULL));
  release_mlp_arrays(&a);
  tw_executable_release(exe);
}

/* ---- what a host brings ---- */

struct body {
  void (*run)(int64_t i, void *argument);
  void *argument;
  int64_t i;
};

static void *run_body(void *body) {
  const struct body *b = body;
  b->run(b->i, b->argument);
  return NULL;
}

struct host {
  atomic_int calls, most;
};

/* Each body on a thread of its own. */
static void on_threads(int64_t count, void (*body)(int64_t, void *), void *argument, void *user) {
  struct host *host = user;
  pthread_t threads[8];
  struct body bodies[8];
  ++host->calls;
  if (count > host->most)
    host->most = (int)count;
  for (int64_t i = 0; i < count; ++i) {
    bodies[i] = (struct body){body, argument, i};
    if (pthread_create(&threads[i], NULL, run_body, &bodies[i]) != 0)
      abort();
  }
  for (int64_t i = 0; i < count; ++i)
    pthread_join(threads[i], NULL);
}

/* One after the other, the last first. */
static void backwards(int64_t count, void (*body)(int64_t, void *), void *argument, void *user) {
  struct host *host = user;
  ++host->calls;
  if (count > host->most)
    host->most = (int)count;
  while (count-- > 0)
    body(count, argument);
}

static int count_threads(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  int threads = -1;
  while (file && fgets(line, sizeof line, file))
    sscanf(line, "Threads: %d", &threads);
  if (file)
    fclose(file);
  return threads;
}

/* A thread that was joined is counted a moment longer. */
static void assert_threads(int wanted) {
  for (int i = 0; i < 1000 && count_threads() != wanted; ++i)
    thrd_sleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  assert_int_equal(count_threads(), wanted);
}

static void test_host_threads(void **state) {
  (void)state;
  const tw_parallel_for_fn ways[] = {on_threads, backwards};
  for (size_t w = 0; w < 2; ++w) {
    struct host host = {0};
    const tw_context_options_t options = {
        .struct_size = sizeof options, .workers = 4, .parallel_for = ways[w], .parallel_for_user = &host};
    tw_context_t *context = NULL;
    const int before = count_threads();
    assert_ok(tw_context_create(&options, &context));
    tw_executable_t *exe = make_executable(context, 0), *own = make_executable(context, 2);
    assert_int_equal(tw_executable_workers(exe), 4);
    assert_int_equal(tw_executable_workers(own), 2);
    tw_context_release(context);
    struct mlp_arrays a = make_mlp_arrays(1, "iota"), b = make_mlp_arrays(5, "iota");
    assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1));
    assert_ok(tw_executable_run(own, MLP_INPUTS(b), &b.out, 1));
    assert_result(&a);
    assert_result(&b);
    assert_threads(before); /* none of ours */
    assert_true(host.calls >= 2);
    assert_int_equal(host.most, 4); /* at most `workers` */

    /* Work happens inside tw_run_wait, and tw_run_test runs one device. */
    assert_ok(tw_tensor_fill(a.out, "iota", 0, 0));
    tw_run_t *run = NULL;
    assert_ok(tw_run_start(exe, MLP_INPUTS(a), &a.out, 1, &run));
    int over = 0;
    for (int i = 0; i < 3; ++i)
      assert_ok(tw_run_test(run, &over));
    assert_int_equal(over, 0);
    assert_untouched(&a);
    assert_ok(tw_run_wait(run));
    tw_run_release(run);
    assert_result(&a);
    release_mlp_arrays(&a);
    release_mlp_arrays(&b);
    tw_executable_release(exe);
    tw_executable_release(own);
  }
  const tw_context_options_t many = {.struct_size = sizeof many, .workers = 1025};
  tw_context_t *context = UNTOUCHED(tw_context_t);
  assert_fails(TW_OUT_OF_RANGE, tw_context_create(&many, &context));
  assert_ptr_equal(context, UNTOUCHED(tw_context_t));
}

/* Threads of the library end with the last object that uses them. */
static void test_threads_end(void **state) {
  (void)state;
  const int before = count_threads();
  tw_context_t *context = NULL;
  const tw_context_options_t options = {.struct_size = sizeof options, .workers = 3};
  assert_ok(tw_context_create(&options, &context));
  tw_executable_t *exe = make_executable(context, 0);
  tw_context_release(context);
  struct mlp_arrays a = make_mlp_arrays(1, "iota");
  assert_ok(tw_executable_run(exe, MLP_INPUTS(a), &a.out, 1));
  assert_threads(before + 2); /* the caller is one of three */
  tw_executable_release(exe);
  assert_threads(before);
  release_mlp_arrays(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_start_and_wait),
      cmocka_unit_test(test_keeps_alive),
      cmocka_unit_test(test_driven_by_test),
      cmocka_unit_test(test_many_at_once),
      cmocka_unit_test(test_one_run_an_executable),
      cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_cancel_from_another_thread),
      cmocka_unit_test(test_release_in_flight),
      cmocka_unit_test(test_bad_calls),
      cmocka_unit_test(test_host_threads),
      cmocka_unit_test(test_threads_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
