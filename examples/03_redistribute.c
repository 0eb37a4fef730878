/* SPDX-License-Identifier: Apache-2.0 */
/* Redistributes a matrix over 4 devices of this process, from rows to columns: planned once, run as often
 * as wanted. */
#include <stdio.h>
#include <stdlib.h>

#include <tilewright/tw.h>

static void must(tw_status_t status) {
  if (status == TW_OK)
    return;
  fprintf(stderr, "%s\n", tw_error_message());
  exit(1);
}

enum { N = 12, DEVICES = 4 };

int main(void) {
  tw_mesh_t *mesh;
  tw_redistribution_t *plan;
  tw_redistributor_t *mover;
  must(tw_mesh_parse("x=4", &mesh));
  must(tw_redistribution_plan(mesh, "f32[12,12] [{x},{}]", NULL, "f32[12,12] [{},{x}]", NULL, &plan));
  must(tw_redistributor_create((const tw_redistribution_t *const[]){plan}, 1, NULL, &mover));

  /* Every device holds 3 rows of 12, and wants 3 columns. An element is its number in the whole matrix. */
  static float rows[DEVICES][3 * N], columns[DEVICES][N * 3];
  const void *before[DEVICES];
  void *after[DEVICES];
  for (int d = 0; d < DEVICES; ++d) {
    for (int i = 0; i < 3 * N; ++i)
      rows[d][i] = (float)(d * 3 * N + i);
    before[d] = rows[d];
    after[d] = columns[d];
  }
  must(tw_redistributor_run(mover, before, after));

  int64_t least;
  double mean;
  must(tw_redistribution_bound(plan, &least, &mean));
  printf("device 1 received %lld bytes in %zu step; no plan takes fewer than %lld\n",
         (long long)tw_redistribution_bytes_received(plan, 1), tw_redistribution_num_steps(plan),
         (long long)least);
  int wrong = 0;
  for (int d = 0; d < DEVICES; ++d)
    for (int row = 0; row < N; ++row)
      for (int column = 0; column < 3; ++column)
        wrong += columns[d][row * 3 + column] != (float)(row * N + d * 3 + column);
  printf("%d elements wrong\n", wrong);
  tw_redistributor_release(mover);
  tw_redistribution_release(plan);
  tw_mesh_release(mesh);
  return wrong != 0;
}
