/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a program's custom_call its meaning: how it may be split, what it takes, and a kernel that
 * computes a device's part. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/tw.h>

static void must(tw_status_t status) {
  if (status == TW_OK)
    return;
  fprintf(stderr, "%s\n", tw_error_message());
  exit(1);
}

static const char kProgram[] =
    "func.func @main(%x: tensor<10x6xf32>, %w: tensor<6x6xf32>, %scale: tensor<6xf32>) -> tensor<10x6xf32> "
    "{\n"
    "  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]\n"
    "     : (tensor<10x6xf32>, tensor<6x6xf32>) -> tensor<10x6xf32>\n"
    "  %y = stablehlo.custom_call @my.rms_norm(%h, %scale) {epsilon = 1.0e-06 : f64}\n"
    "     : (tensor<10x6xf32>, tensor<6xf32>) -> tensor<10x6xf32>\n"
    "  return %y : tensor<10x6xf32>\n"
    "}\n";

/* Asked once, when the program is read: an error here has the call's position. */
static tw_status_t check(const tw_call_t *call, void *user) {
  (void)user;
  if (call->num_operands != 2 || call->num_results != 1 || call->operands[0]->dtype != TW_F32)
    return tw_error_set(TW_INVALID_ARGUMENT, "takes an f32 array and a scale");
  if (!tw_call_attr(call, "epsilon"))
    return tw_error_set(TW_INVALID_ARGUMENT, "the attribute epsilon is missing");
  return TW_OK;
}

/* Called for every device with the rows that it holds; several devices at a time. */
static tw_status_t rms_norm(const tw_call_t *call, void *user) {
  (void)user;
  const tw_tile_t *x = call->operands[0];
  const float *in = x->data, *scale = call->operands[1]->data;
  float *out = call->results[0]->data;
  const double epsilon = tw_call_attr(call, "epsilon")->real;
  const int64_t columns = x->extent[1];
  for (int64_t row = 0; row < x->extent[0]; ++row, in += columns, out += columns) {
    double squares = 0;
    for (int64_t i = 0; i < columns; ++i)
      squares += (double)in[i] * in[i];
    const float factor = (float)(1 / sqrt(squares / (double)columns + epsilon));
    for (int64_t i = 0; i < columns; ++i)
      out[i] = in[i] * factor * scale[i];
  }
  printf("rows %lld to %lld of %lld\n", (long long)x->offset[0], (long long)(x->offset[0] + x->extent[0]),
         (long long)x->whole[0]);
  return TW_OK;
}

static tw_tensor_t *tensor(const int64_t *dims, size_t ndims, const char *pattern, uint64_t stream) {
  tw_tensor_t *t;
  must(tw_tensor_create(NULL, TW_F32, dims, ndims, &t));
  must(tw_tensor_fill(t, pattern, 0, stream));
  return t;
}

int main(void) {
  tw_custom_calls_t *calls;
  tw_graph_t *graph;
  tw_mesh_t *mesh;
  tw_plan_t *plan;
  tw_program_t *spmd, *whole;
  tw_executable_t *on_three, *on_one;

  /* Rows go their own ways; a row's columns stay together on every device. */
  const tw_custom_call_t norm = {.struct_size = sizeof norm,
                                 .target = "my.rms_norm",
                                 .rule = "... *, * -> ... *",
                                 .check = check,
                                 .kernel = rms_norm};
  must(tw_custom_calls_create(&calls));
  must(tw_custom_calls_add(calls, &norm));
  const tw_import_options_t options = {
      .struct_size = sizeof options, .file = "norm.mlir", .custom_calls = calls};
  must(tw_graph_import(kProgram, strlen(kProgram), &options, &graph));

  must(tw_mesh_parse("data=3", &mesh));
  must(tw_plan_create(graph, mesh, NULL, &plan));
  must(tw_plan_tile(plan, "x", 0, "data"));
  must(tw_plan_propagate(plan, TW_PROPAGATE));
  must(tw_program_lower(plan, NULL, &spmd));
  must(tw_program_unpartitioned(graph, &whole));
  must(tw_executable_create(spmd, NULL, &on_three));
  must(tw_executable_create(whole, NULL, &on_one));
  printf("%zu collectives\n", tw_program_num_collectives(spmd));

  tw_tensor_t *inputs[] = {tensor((int64_t[]){10, 6}, 2, "normal(0,1)", 0),
                           tensor((int64_t[]){6, 6}, 2, "normal(0,1)", 1),
                           tensor((int64_t[]){6}, 1, "ones", 2)};
  tw_tensor_t *parts = tensor((int64_t[]){10, 6}, 2, "zeros", 0);
  tw_tensor_t *one = tensor((int64_t[]){10, 6}, 2, "zeros", 0);
  must(tw_executable_run(on_three, (const tw_tensor_t *const *)inputs, 3, &parts, 1));
  must(tw_executable_run(on_one, (const tw_tensor_t *const *)inputs, 3, &one, 1));
  tw_comparison_t comparison = {.struct_size = sizeof comparison};
  must(tw_tensor_compare(parts, one, 1, &comparison));
  printf("three devices and one agree to the bit: %s\n", comparison.passes ? "yes" : "no");

  tw_tensor_release(parts);
  tw_tensor_release(one);
  for (int i = 0; i < 3; ++i)
    tw_tensor_release(inputs[i]);
  tw_executable_release(on_three);
  tw_executable_release(on_one);
  tw_program_release(spmd);
  tw_program_release(whole);
  tw_plan_release(plan);
  tw_mesh_release(mesh);
  tw_graph_release(graph);
  tw_custom_calls_release(calls);
  return !comparison.passes;
}
