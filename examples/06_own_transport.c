/* SPDX-License-Identifier: Apache-2.0 */
/* Three processes that talk over sockets of their own (socket_transport.h) redistribute a matrix over 6
 * devices, 2 of each process. Then one of them goes away, and the others are told at once. */
#include "socket_transport.h"

#include <sys/wait.h>

#include <tilewright/tw.h>

enum { PROCESSES = 3, DEVICES = 6, N = 12 };

static void must(tw_status_t status) {
  if (status == TW_OK)
    return;
  fprintf(stderr, "%s\n", tw_error_message());
  exit(1);
}

/* What each process does; how many elements are wrong. */
static int redistribute(int rank, tw_comm_t *comm, const char *after_departure) {
  tw_mesh_t *mesh;
  tw_redistribution_t *plan;
  tw_redistributor_t *mover;
  must(tw_mesh_parse("x=6", &mesh));
  must(tw_redistribution_plan(mesh, "f32[12,12] [{x},{}]", NULL, "f32[12,12] [{},{x}]", NULL, &plan));
  const tw_redistributor_options_t options = {.struct_size = sizeof options, .comm = comm};
  must(tw_redistributor_create((const tw_redistribution_t *const[]){plan}, 1, &options, &mover));

  /* A device holds 2 rows of 12 and wants 2 columns; those of other processes are not looked at. */
  static float rows[DEVICES][2 * N], columns[DEVICES][N * 2];
  const void *before[DEVICES] = {NULL};
  void *after[DEVICES] = {NULL};
  for (int d = 2 * rank; d < 2 * rank + 2; ++d) {
    for (int i = 0; i < 2 * N; ++i)
      rows[d][i] = (float)(d * 2 * N + i);
    before[d] = rows[d];
    after[d] = columns[d];
  }
  must(tw_redistributor_run(mover, before, after));
  int wrong = 0;
  for (int d = 2 * rank; d < 2 * rank + 2; ++d)
    for (int row = 0; row < N; ++row)
      for (int column = 0; column < 2; ++column)
        wrong += columns[d][row * 2 + column] != (float)(row * N + d * 2 + column);

  if (rank == 2)
    exit(wrong); /* without a word */
  if (tw_redistributor_run(mover, before, after) == TW_OK || !strstr(tw_error_message(), after_departure)) {
    fprintf(stderr, "process %d was told: %s\n", rank, tw_error_message());
    exit(1);
  }
  tw_redistributor_release(mover);
  tw_redistribution_release(plan);
  tw_mesh_release(mesh);
  return wrong;
}

int main(void) {
  int pairs[MOST_PROCESSES][MOST_PROCESSES], failed = 0;
  pid_t children[PROCESSES];
  socket_pairs(PROCESSES, pairs);
  for (int rank = 0; rank < PROCESSES; ++rank)
    if ((children[rank] = fork()) == 0) {
      for (int other = 0; other < PROCESSES; ++other)
        for (int p = 0; p < PROCESSES; ++p)
          if (other != rank && other != p)
            close(pairs[other][p]);
      tw_comm_t *comm;
      const tw_transport_t sockets = {.struct_size = sizeof sockets,
                                      .rank = rank,
                                      .size = PROCESSES,
                                      .highest_tag = 1 << 20,
                                      .prepare = sockets_prepare,
                                      .start = sockets_start,
                                      .test = sockets_test,
                                      .missing = sockets_missing,
                                      .give_up = sockets_give_up,
                                      .release = sockets_release,
                                      .broadcast = sockets_broadcast,
                                      .poll = sockets_poll,
                                      .user = new_sockets(rank, PROCESSES, pairs[rank]),
                                      .destroy = sockets_close};
      must(tw_comm_create_transport(&sockets, 20, &comm));
      const int wrong = redistribute(rank, comm, "process 2 is gone");
      tw_comm_release(comm);
      exit(wrong != 0);
    }
  for (int i = 0; i < PROCESSES; ++i)
    for (int p = 0; p < PROCESSES; ++p)
      if (i != p)
        close(pairs[i][p]);
  for (int rank = 0; rank < PROCESSES; ++rank) {
    int status = 0;
    waitpid(children[rank], &status, 0);
    failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  }
  printf("%d processes moved the matrix over sockets; %d failed\n", PROCESSES, failed);
  return failed != 0;
}
