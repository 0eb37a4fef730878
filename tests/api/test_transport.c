/* SPDX-License-Identifier: Apache-2.0 */
/* tw_transport.h: the sockets of examples/06_own_transport.c between threads that stand for processes;
 * functions that are missing or fail, and a process that goes away. */
#include "../../examples/socket_transport.h"

#include "support.h"

#include <pthread.h>
#include <tilewright/tw_transport.h>

enum { DEVICES = 6, N = 12, MOST = 3 };

/* What a process does, and what it is told. */
typedef struct process {
  int rank, size, pairs[MOST_PROCESSES];
  const char *src, *dst;
  double deadline;
  int leaves; /* after the first run */
  int breaks; /* its functions fail after the first run */
  int runs, destroyed;
  float target[DEVICES][N * N];
  char told[512];
} process_t;

static int is_broken(const process_t *p) { return p->breaks && p->runs > 0; }

/* The sockets' functions, which may be told to fail. */
typedef struct wrapped {
  socket_processes_t *sockets;
  process_t *process;
} wrapped_t;

static tw_status_t w_prepare(const tw_message_t *const *messages, size_t count, void *user, void **out) {
  for (size_t i = 0; i < count; ++i)
    if (messages[i]->struct_size != sizeof(tw_message_t))
      return tw_error_set(TW_INTERNAL, "another struct_size");
  return sockets_prepare(messages, count, ((wrapped_t *)user)->sockets, out);
}
static tw_status_t w_start(void *batch, void *user) {
  wrapped_t *w = user;
  if (is_broken(w->process))
    return w->process->breaks == 2 ? TW_UNAVAILABLE : tw_error_set(TW_UNAVAILABLE, "the cable is out");
  return sockets_start(batch, w->sockets);
}
static tw_status_t w_test(void *batch, void *user, int *done) {
  return sockets_test(batch, ((wrapped_t *)user)->sockets, done);
}
static int32_t w_missing(void *batch, void *user) {
  return sockets_missing(batch, ((wrapped_t *)user)->sockets);
}
static int w_give_up(void *batch, void *user) { return sockets_give_up(batch, ((wrapped_t *)user)->sockets); }
static void w_release(void *batch, void *user) { sockets_release(batch, ((wrapped_t *)user)->sockets); }
static void w_broadcast(const void *news, size_t size, void *user) {
  sockets_broadcast(news, size, ((wrapped_t *)user)->sockets);
}
static int w_poll(void *news, size_t size, void *user) {
  return sockets_poll(news, size, ((wrapped_t *)user)->sockets);
}
static void w_destroy(void *user) {
  wrapped_t *w = user;
  ++w->process->destroyed;
  sockets_close(w->sockets);
  free(w);
}

static tw_transport_t wrapped_sockets(process_t *p) {
  wrapped_t *w = need(malloc(sizeof *w));
  w->process = p;
  w->sockets = new_sockets(p->rank, p->size, p->pairs);
  const tw_transport_t transport = {sizeof transport, p->rank, p->size,   1 << 20,   w_prepare,
                                    w_start,          w_test,  w_missing, w_give_up, w_release,
                                    w_broadcast,      w_poll,  w,         w_destroy};
  return transport;
}

/* Says what went wrong last; 0: nothing did. */
static int failed(process_t *p, tw_status_t status) {
  if (status != TW_OK)
    snprintf(p->told, sizeof p->told, "%s", tw_error_message());
  return status != TW_OK;
}

static float source[DEVICES][N * N]; /* of all processes, which only read it */

static void *run_process(void *given) {
  process_t *p = given;
  const tw_transport_t transport = wrapped_sockets(p);
  tw_comm_t *comm = NULL;
  tw_mesh_t *mesh = NULL;
  tw_redistribution_t *plan = NULL;
  tw_redistributor_t *mover = NULL;
  if (failed(p, tw_comm_create_transport(&transport, p->deadline, &comm)) ||
      failed(p, tw_mesh_parse("x=6", &mesh)) ||
      failed(p, tw_redistribution_plan(mesh, p->src, NULL, p->dst, NULL, &plan)))
    return NULL;
  const tw_redistributor_options_t options = {.struct_size = sizeof options, .comm = comm};
  const void *before[DEVICES];
  void *after[DEVICES];
  for (int d = 0; d < DEVICES; ++d) {
    before[d] = source[d];
    after[d] = p->target[d];
  }
  if (!failed(p, tw_redistributor_create((const tw_redistribution_t *const[]){plan}, 1, &options, &mover)))
    for (p->runs = 0; p->runs < 2 && !(p->leaves && p->runs == 1); ++p->runs)
      if (failed(p, tw_redistributor_run(mover, before, after)))
        break;
  tw_redistributor_release(mover);
  tw_redistribution_release(plan);
  tw_mesh_release(mesh);
  tw_comm_release(comm);
  return NULL;
}

static void run_all(process_t *all, int size, const char *src, const char *dst, double deadline) {
  int pairs[MOST_PROCESSES][MOST_PROCESSES];
  pthread_t threads[MOST];
  socket_pairs(size, pairs);
  for (int r = 0; r < size; ++r) {
    all[r].rank = r;
    all[r].size = size;
    all[r].src = src;
    all[r].dst = dst;
    all[r].deadline = deadline;
    memcpy(all[r].pairs, pairs[r], sizeof all[r].pairs);
    assert_int_equal(pthread_create(&threads[r], NULL, run_process, &all[r]), 0);
  }
  for (int r = 0; r < size; ++r)
    assert_int_equal(pthread_join(threads[r], NULL), 0);
  for (int r = 0; r < size; ++r)
    assert_int_equal(all[r].destroyed, 1);
}

static void test_moves(void **state) {
  (void)state;
  for (int d = 0; d < DEVICES; ++d)
    for (int i = 0; i < N * N; ++i)
      source[d][i] = (float)(d * N * N + i) / 7;
  /* {..} of one process is what several have. */
  const char *const moves[][2] = {{"f32[12,12] [{x},{}]", "[{},{x}]"},
                                  {"f32[12] [{x}]", "[{}]"},
                                  {"f32[12] [{}]+x", "[{}]"},
                                  {"f32[13,5] [{x},{}]", "[{},{x}]"}};
  for (size_t m = 0; m < sizeof moves / sizeof *moves; ++m) {
    static process_t one, all[MOST];
    memset(&one, 0, sizeof one);
    run_all(&one, 1, moves[m][0], moves[m][1], 0);
    assert_string_equal(one.told, "");
    for (int size = 2; size <= 3; ++size) {
      memset(all, 0, sizeof all);
      run_all(all, size, moves[m][0], moves[m][1], 20);
      for (int r = 0; r < size; ++r) {
        assert_string_equal(all[r].told, "");
        for (int d = r * DEVICES / size; d < (r + 1) * DEVICES / size; ++d)
          assert_memory_equal(all[r].target[d], one.target[d], sizeof one.target[d]);
      }
    }
  }
}

static void test_gone(void **state) {
  (void)state;
  static process_t all[3];
  memset(all, 0, sizeof all);
  all[1].leaves = 1;
  run_all(all, 3, "f32[12,12] [{x},{}]", "[{},{x}]", 20);
  assert_string_equal(all[1].told, "");
  assert_non_null(strstr(all[0].told, "process 1 is gone"));
  assert_non_null(strstr(all[2].told, "process 1 is gone"));
}

static void test_failing(void **state) {
  (void)state;
  static process_t all[3];
  for (int breaks = 1; breaks <= 2; ++breaks) {
    memset(all, 0, sizeof all);
    all[2].breaks = breaks;
    run_all(all, 3, "f32[12,12] [{x},{}]", "[{},{x}]", 20);
    for (int r = 0; r < 3; ++r)
      assert_non_null(strstr(all[r].told, breaks == 1 ? "the cable is out" : "the transport's start failed"));
  }
}

static void test_arguments(void **state) {
  (void)state;
  int pairs[MOST_PROCESSES][MOST_PROCESSES];
  static process_t p;
  socket_pairs(1, pairs);
  memset(&p, 0, sizeof p);
  p.size = 1;
  tw_comm_t *comm = UNTOUCHED(tw_comm_t);
  const tw_transport_t good = wrapped_sockets(&p);
  tw_transport_t bad = good;
  assert_fails(TW_INVALID_ARGUMENT, tw_comm_create_transport(NULL, 0, &comm));
  assert_fails(TW_INVALID_ARGUMENT, tw_comm_create_transport(&good, 0, NULL));
  assert_fails(TW_INVALID_ARGUMENT, tw_comm_create_transport(&good, -1, &comm));
  bad.poll = NULL;
  assert_null_argument("transport->poll", tw_comm_create_transport(&bad, 0, &comm));
  bad = good;
  bad.rank = 1;
  assert_fails(TW_OUT_OF_RANGE, tw_comm_create_transport(&bad, 0, &comm));
  bad = good;
  bad.highest_tag = 100;
  assert_fails(TW_OUT_OF_RANGE, tw_comm_create_transport(&bad, 0, &comm));
  bad = good;
  bad.struct_size = 0;
  assert_fails(TW_INVALID_ARGUMENT, tw_comm_create_transport(&bad, 0, &comm));
  assert_ptr_equal(comm, UNTOUCHED(tw_comm_t));
  assert_int_equal(p.destroyed, 0);
  assert_ok(tw_comm_create_transport(&good, 0, &comm));
  assert_int_equal(tw_comm_rank(comm), 0);
  assert_int_equal(tw_comm_size(comm), 1);
  assert_int_equal(p.destroyed, 0);
  tw_comm_release(comm);
  assert_int_equal(p.destroyed, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_moves),
      cmocka_unit_test(test_gone),
      cmocka_unit_test(test_failing),
      cmocka_unit_test(test_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
