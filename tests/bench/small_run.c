/* SPDX-License-Identifier: Apache-2.0 */
/* What one run of a small executable costs from C, for the benchmark `python`, which runs the same from
 * Python. Prints the least of the mean nanoseconds of each round.
 * Usage: bench_small_run ROUNDS RUNS */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tilewright/tw.h>

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    if ((call) != TW_OK) {                                                                                   \
      fprintf(stderr, "%s: %s\n", #call, tw_error_message());                                                \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

static tw_graph_t *mlp(void) {
  tw_builder_t *b = NULL;
  tw_graph_t *graph = NULL;
  CHECK(tw_builder_create("mlp", &b));
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, (int64_t[]){8, 6}, 2);
  const tw_value_t w1 = tw_builder_argument(b, "w1", TW_F32, (int64_t[]){6, 12}, 2);
  const tw_value_t w2 = tw_builder_argument(b, "w2", TW_F32, (int64_t[]){12, 6}, 2);
  const tw_value_t h = tw_builder_unary(b, "tanh", tw_builder_einsum(b, "bd,df->bf", x, w1));
  tw_builder_result(b, "y", tw_builder_einsum(b, "bf,fd->bd", h, w2));
  CHECK(tw_builder_finish(b, &graph));
  tw_builder_release(b);
  return graph;
}

static tw_executable_t *bound(const tw_graph_t *graph) {
  tw_mesh_t *mesh = NULL;
  tw_plan_t *plan = NULL;
  tw_program_t *program = NULL;
  tw_executable_t *executable = NULL;
  CHECK(tw_mesh_parse("data=2,model=2", &mesh));
  CHECK(tw_plan_create(graph, mesh, NULL, &plan));
  CHECK(tw_plan_tile(plan, "x", 0, "data"));
  CHECK(tw_plan_tile(plan, "w1", 1, "model"));
  CHECK(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  CHECK(tw_program_lower(plan, NULL, &program));
  const tw_executable_options_t options = {.struct_size = sizeof options, .workers = 1};
  CHECK(tw_executable_create(program, &options, &executable));
  tw_program_release(program);
  tw_plan_release(plan);
  tw_mesh_release(mesh);
  return executable;
}

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const int rounds = atoi(argv[1]), runs = atoi(argv[2]);
  tw_graph_t *graph = mlp();
  tw_executable_t *executable = bound(graph);
  tw_tensor_t *inputs[3], *output = NULL;
  for (size_t i = 0; i < 3; ++i) {
    size_t ndims = 0;
    const int64_t *dims = tw_graph_argument_dims(graph, i, &ndims);
    CHECK(tw_tensor_create(NULL, TW_F32, dims, ndims, &inputs[i]));
    CHECK(tw_tensor_fill(inputs[i], "default", 0, i));
  }
  CHECK(tw_tensor_create(NULL, TW_F32, (int64_t[]){8, 6}, 2, &output));
  double least = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const double begin = now();
    for (int run = 0; run < runs; ++run)
      CHECK(tw_executable_run(executable, (const tw_tensor_t *const *)inputs, 3, &output, 1));
    const double mean = (now() - begin) / runs;
    least = mean < least ? mean : least;
  }
  printf("%.1f\n", least);
  for (size_t i = 0; i < 3; ++i)
    tw_tensor_release(inputs[i]);
  tw_tensor_release(output);
  tw_executable_release(executable);
  tw_graph_release(graph);
  return 0;
}
