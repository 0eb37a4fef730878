/* SPDX-License-Identifier: Apache-2.0 */
/* tw_mpi.h in a program that uses MPI itself: its communicators are taken as they are, and MPI is started and
 * ended by nobody else. Runs as a job of several processes; one whose last line is missing has failed. */
#include "support.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <tilewright/tw_mpi.h>

#define MLP_MESH "data=2,model=3"

static MPI_Comm backwards; /* of all but the last process, whose ranks run the other way */
static int world_rank, world_size;

static tw_executable_t *make_executable(const tw_program_t *program, tw_comm_t *comm, int tiles) {
  tw_executable_options_t how = {
      .struct_size = sizeof how, .workers = 1, .comm = comm, .whole_outputs = 1, .tiles = tiles};
  tw_executable_t *executable = NULL;
  assert_ok(tw_executable_create(program, &how, &executable));
  return executable;
}

static tw_comm_t *make_comm(void) {
  tw_mpi_options_t options = {.struct_size = sizeof options, .deadline = 20};
  tw_comm_t *comm = NULL;
  assert_ok(tw_comm_create_mpi(&backwards, &options, &comm));
  return comm;
}

static void test_not_initialised(void **state) {
  (void)state;
  int flag = 1;
  tw_comm_t *comm = UNTOUCHED(tw_comm_t);
  assert_fails(TW_UNAVAILABLE, tw_comm_create_mpi(NULL, NULL, &comm));
  assert_ptr_equal(comm, UNTOUCHED(tw_comm_t));
  assert_int_equal(MPI_Initialized(&flag), MPI_SUCCESS);
  assert_false(flag);
}

static void test_wrong_calls(void **state) {
  (void)state;
  tw_comm_t *comm = UNTOUCHED(tw_comm_t);
  tw_mpi_options_t options = {.struct_size = sizeof options, .library = "nonsense"};
  assert_fails(TW_UNAVAILABLE, tw_comm_create_mpi(NULL, &options, &comm));
  options.library = NULL;
  options.deadline = -1;
  assert_fails(TW_INVALID_ARGUMENT, tw_comm_create_mpi(NULL, &options, &comm));
  assert_ptr_equal(comm, UNTOUCHED(tw_comm_t));
  assert_null_argument("out_comm", tw_comm_create_mpi(NULL, NULL, NULL));
  assert_int_equal(tw_comm_size(NULL), 1);
  tw_comm_release(NULL);
}

static void test_ranks(void **state) {
  (void)state;
  tw_comm_t *world = NULL;
  assert_ok(tw_comm_create_mpi(NULL, NULL, &world));
  assert_int_equal(tw_comm_rank(world), world_rank);
  assert_int_equal(tw_comm_size(world), world_size);
  tw_comm_release(world);
  tw_comm_t *comm = make_comm();
  int rank = -1, size = -1;
  MPI_Comm_rank(backwards, &rank);
  MPI_Comm_size(backwards, &size);
  assert_int_equal(tw_comm_rank(comm), rank);
  assert_int_equal(tw_comm_size(comm), size);
  assert_ptr_equal(tw_comm_retain(comm), comm);
  tw_comm_release(comm);
  tw_comm_release(comm);
}

/* What the first process gets has the bits of a run in one process. */
static void test_whole_arrays(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program(MLP_MESH, MLP_SPEC);
  struct mlp_arrays together = make_mlp_arrays(0, "zeros"), alone = make_mlp_arrays(0, "ones");
  tw_comm_t *comm = make_comm();
  tw_executable_t *executable = make_executable(program, comm, 0), *local = make_executable(program, NULL, 0);
  for (int repeat = 0; repeat < 3; ++repeat)
    assert_ok(tw_executable_run(executable, MLP_INPUTS(together), &together.out, 1));
  assert_ok(tw_executable_run(local, MLP_INPUTS(alone), &alone.out, 1));
  if (tw_comm_rank(comm) == 0)
    assert_memory_equal(tw_tensor_const_data(together.out), tw_tensor_const_data(alone.out),
                        tw_tensor_bytes(alone.out));
  tw_executable_release(executable);
  tw_executable_release(local);
  tw_comm_release(comm);
  release_mlp_arrays(&together);
  release_mlp_arrays(&alone);
  tw_program_release(program);
}

/* Every process makes and gets the tiles of its devices, and no whole array. */
static void test_tiles(void **state) {
  (void)state;
  static const char *const patterns[] = {"normal(0,1)", "normal(0,0.3)", "normal(0,0.3)"};
  static const int64_t dims[][2] = {{6, 8}, {8, 12}, {12, 8}};
  tw_program_t *program = make_mlp_program(MLP_MESH, MLP_SPEC);
  tw_comm_t *comm = make_comm();
  tw_executable_t *executable = make_executable(program, comm, 1);
  const size_t n = tw_executable_num_devices(executable);
  const int64_t size = tw_comm_size(comm), rank = tw_comm_rank(comm);
  assert_int_equal(n, (6 * (rank + 1) + size - 1) / size - (6 * rank + size - 1) / size);
  tw_tensor_t *in[3 * 6], *out[6];
  int64_t offset[2], extent[2];
  for (size_t i = 0; i < 3; ++i)
    for (size_t k = 0; k < n; ++k) {
      assert_ok(tw_executable_tile(executable, 0, i, k, offset, extent));
      assert_ok(tw_tensor_create(NULL, TW_F32, extent, 2, &in[i * n + k]));
      assert_ok(tw_tensor_fill_part(in[i * n + k], dims[i], offset, patterns[i], 0, i));
    }
  for (size_t k = 0; k < n; ++k) {
    assert_ok(tw_executable_tile(executable, 1, 0, k, offset, extent));
    assert_ok(tw_tensor_create(NULL, TW_F32, extent, 2, &out[k]));
  }
  assert_ok(tw_executable_run(executable, (const tw_tensor_t *const *)in, 3 * n, out, n));

  struct mlp_arrays whole = make_mlp_arrays(0, "zeros");
  tw_executable_t *local = make_executable(program, NULL, 0);
  assert_ok(tw_executable_run(local, MLP_INPUTS(whole), &whole.out, 1));
  const float *all = tw_tensor_const_data(whole.out);
  int64_t seen = 0;
  for (size_t k = 0; k < n; ++k) {
    assert_ok(tw_executable_tile(executable, 1, 0, k, offset, extent));
    const float *tile = tw_tensor_const_data(out[k]);
    for (int64_t r = 0; r < extent[0]; ++r, seen += extent[1])
      assert_memory_equal(tile + r * extent[1], all + (offset[0] + r) * 8 + offset[1],
                          (size_t)extent[1] * sizeof *tile);
    tw_tensor_release(out[k]);
  }
  assert_true(seen > 0);
  for (size_t i = 0; i < 3 * n; ++i)
    tw_tensor_release(in[i]);
  tw_executable_release(local);
  release_mlp_arrays(&whole);
  tw_executable_release(executable);
  tw_comm_release(comm);
  tw_program_release(program);
}

static int give_up(void *user, double seconds) {
  (void)user, (void)seconds;
  return 1;
}
struct parts {
  tw_program_t *program;
  tw_comm_t *comm;
};
static tw_status_t fail_to_make(void *user) {
  const struct parts *parts = user;
  const tw_executable_options_t how = {.struct_size = sizeof how, .workers = 1, .comm = parts->comm};
  tw_executable_t *executable = UNTOUCHED(tw_executable_t);
  const tw_status_t status = tw_executable_create(parts->program, &how, &executable);
  assert_ptr_equal(executable, UNTOUCHED(tw_executable_t));
  return status;
}
/* A process that gives up making an executable tells the others, who do not wait for it. */
static void test_one_gives_up(void **state) {
  (void)state;
  const tw_watch_options_t watch = {.struct_size = sizeof watch, .progress = give_up, .interval = 1e-9};
  struct parts parts = {make_mlp_program(MLP_MESH, MLP_SPEC), make_comm()};
  const int32_t last = tw_comm_size(parts.comm) - 1;
  if (tw_comm_rank(parts.comm) == last) {
    assert_fails(TW_CANCELLED, tw_watch_calls(fail_to_make, &parts, &watch));
  } else {
    assert_int_equal(fail_to_make(&parts), TW_REMOTE);
    assert_contains(tw_error_message(), "given up after");
  }
  int64_t value = 0;
  if (last > 0)
    assert_int_not_equal(tw_comm_share(parts.comm, 0, &value), TW_OK); /* it has ended */
  tw_comm_release(parts.comm);
  tw_program_release(parts.program);
}

/* The program's own messages go on as before. */
static void test_program_goes_on(void **state) {
  (void)state;
  int flag = 0, sum = 0, one = 1;
  assert_int_equal(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  assert_int_equal(sum, world_size);
  assert_int_equal(MPI_Finalized(&flag), MPI_SUCCESS);
  assert_false(flag);
}

int main(int argc, char **argv) {
  const struct CMUnitTest before[] = {cmocka_unit_test(test_not_initialised)};
  const struct CMUnitTest everywhere[] = {
      cmocka_unit_test(test_wrong_calls),  cmocka_unit_test(test_ranks),
      cmocka_unit_test(test_whole_arrays), cmocka_unit_test(test_tiles),
      cmocka_unit_test(test_one_gives_up), cmocka_unit_test(test_program_goes_on)};
  int failed = cmocka_run_group_tests(before, NULL, NULL), provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  MPI_Comm_split(MPI_COMM_WORLD, world_rank == world_size - 1, -world_rank, &backwards);
  failed += cmocka_run_group_tests(everywhere, NULL, NULL);
  if (failed)
    MPI_Abort(MPI_COMM_WORLD, 1); /* others may wait for what will not come */
  MPI_Comm_free(&backwards);
  MPI_Finalize();
  if (world_rank == 0)
    printf("ok: %d processes\n", world_size);
  return 0;
}
