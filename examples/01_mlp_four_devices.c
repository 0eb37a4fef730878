/* SPDX-License-Identifier: Apache-2.0 */
/* A two-layer perceptron, built call by call, tiled over four devices by batch and by feature, run, and
 * compared with one device. */
#include <stdio.h>
#include <stdlib.h>

#include <tilewright/tw.h>

static void must(tw_status_t status) {
  if (status != TW_OK) {
    fprintf(stderr, "%s\n", tw_error_message());
    exit(1);
  }
}

static tw_tensor_t *tensor(int64_t rows, int64_t columns, const char *pattern, uint64_t stream) {
  tw_tensor_t *t;
  must(tw_tensor_create(NULL, TW_F32, (int64_t[]){rows, columns}, 2, &t));
  must(tw_tensor_fill(t, pattern, 0, stream));
  return t;
}

int main(void) {
  tw_builder_t *b;
  tw_graph_t *graph;
  tw_mesh_t *mesh;
  tw_plan_t *plan;
  tw_program_t *spmd, *whole;
  tw_executable_t *on_four, *on_one;

  /* The program. Errors are sticky: one check at finish covers all of these calls. */
  must(tw_builder_create("mlp", &b));
  tw_value_t x = tw_builder_argument(b, "x", TW_F32, (int64_t[]){16, 256}, 2);
  tw_value_t w1 = tw_builder_argument(b, "w1", TW_F32, (int64_t[]){256, 1024}, 2);
  tw_value_t w2 = tw_builder_argument(b, "w2", TW_F32, (int64_t[]){1024, 256}, 2);
  tw_value_t h = tw_builder_unary(b, "stablehlo.tanh", tw_builder_einsum(b, "bd,df->bf", x, w1));
  tw_builder_result(b, "y", tw_builder_einsum(b, "bf,fd->bd", h, w2));
  must(tw_builder_finish(b, &graph));

  /* Two actions decide everything: the rows of w2 follow by inference, and their contraction becomes the
   * one collective. */
  must(tw_mesh_parse("data=2,model=2", &mesh));
  must(tw_plan_create(graph, mesh, NULL, &plan));
  must(tw_plan_tile(plan, "x", 0, "data"));
  must(tw_plan_tile(plan, "w1", 1, "model"));
  must(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  must(tw_program_lower(plan, NULL, &spmd));
  printf("%zu all_reduce in all, %lld bytes received by the busiest device\n",
         tw_program_count(spmd, "all_reduce"), (long long)tw_program_bytes_received(spmd));

  /* Global arrays in, global arrays out, on four devices and on one. */
  const tw_tensor_t *inputs[] = {tensor(16, 256, "normal(0,1)", 0), tensor(256, 1024, "normal(0,0.06)", 1),
                                 tensor(1024, 256, "normal(0,0.03)", 2)};
  tw_tensor_t *y4 = tensor(16, 256, "zeros", 0), *y1 = tensor(16, 256, "zeros", 0);
  must(tw_executable_create(spmd, NULL, &on_four));
  must(tw_executable_run(on_four, inputs, 3, &y4, 1));
  must(tw_program_unpartitioned(graph, &whole));
  must(tw_executable_create(whole, NULL, &on_one));
  must(tw_executable_run(on_one, inputs, 3, &y1, 1));

  tw_comparison_t c = {.struct_size = sizeof c};
  must(tw_tensor_compare(y4, y1, 0, &c));
  printf("four devices and one: largest relative difference %.1e, %s\n", c.max_rel,
         c.passes ? "equal" : "DIFFERENT");

  for (int i = 0; i < 3; ++i)
    tw_tensor_release((tw_tensor_t *)inputs[i]);
  tw_tensor_release(y4);
  tw_tensor_release(y1);
  tw_executable_release(on_four);
  tw_executable_release(on_one);
  tw_program_release(spmd);
  tw_program_release(whole);
  tw_plan_release(plan);
  tw_mesh_release(mesh);
  tw_graph_release(graph);
  tw_builder_release(b);
  return c.passes ? 0 : 1;
}
