/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that lie on a GPU: memory of the program is wrapped, a run joins a stream, and nothing goes through
 * the host but what is printed. Without a GPU it says why and exits with 77; "detached" as an argument shows
 * the same on a device for tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/tw.h>

enum { kRows = 16, kColumns = 64 };

static void must(tw_status_t status) {
  if (status != TW_OK) {
    fprintf(stderr, "%s\n", tw_error_message());
    exit(1);
  }
}

static void say_gone(void *user) { printf("%s is the program's again\n", (const char *)user); }

int main(int argc, char **argv) {
  const char *kind = argc > 1 ? argv[1] : "cuda";
  const int64_t dims[] = {kRows, kColumns};
  int32_t devices = 0;
  if (tw_device_count(kind, &devices) != TW_OK || devices == 0) {
    printf("skipped: %s\n", devices == 0 ? tw_error_message() : "no device");
    return 77;
  }

  /* y = tanh(x) + x, its rows over two devices of the mesh. */
  tw_builder_t *b;
  tw_graph_t *graph;
  tw_mesh_t *mesh;
  tw_plan_t *plan;
  tw_program_t *program;
  tw_executable_t *exe;
  must(tw_builder_create("gelu", &b));
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, dims, 2);
  tw_builder_result(b, "y",
                    tw_builder_binary(b, "stablehlo.add", tw_builder_unary(b, "stablehlo.tanh", x), x));
  must(tw_builder_finish(b, &graph));
  must(tw_mesh_parse("data=2", &mesh));
  must(tw_plan_create(graph, mesh, NULL, &plan));
  must(tw_plan_tile(plan, "x", 0, "data"));
  must(tw_plan_propagate(plan, TW_INFER_PROPAGATE));
  must(tw_program_lower(plan, NULL, &program));
  const tw_executable_options_t options = {.struct_size = sizeof options, .device = kind, .in_place = 1};
  must(tw_executable_create(program, &options, &exe));

  /* What another library has on device 0: here a tensor of ours plays its part, of which only the address is
   * used. */
  tw_tensor_t *host, *theirs, *input, *output, *result;
  must(tw_tensor_create(NULL, TW_F32, dims, 2, &host));
  must(tw_tensor_fill(host, "uniform(-1,1)", 1, 0));
  must(tw_tensor_create_on(kind, 0, TW_F32, dims, 2, &theirs));
  must(tw_tensor_wrap_on(kind, 0, TW_F32, dims, 2, NULL, tw_tensor_address(theirs), say_gone, "the input",
                         &input));
  must(tw_tensor_create_on(kind, 0, TW_F32, dims, 2, &output));
  must(tw_tensor_create(NULL, TW_F32, dims, 2, &result));

  /* Copy, run and copy back are commands of one stream; the host waits for the last of them. */
  tw_stream_t *stream;
  tw_run_t *run;
  must(tw_stream_create(kind, 0, &stream));
  must(tw_tensor_copy(input, host, stream));
  const tw_run_options_t order = {sizeof order, stream};
  const tw_tensor_t *inputs[] = {input};
  must(tw_run_start_with(exe, inputs, 1, &output, 1, &order, &run));
  must(tw_tensor_copy(result, output, stream));
  must(tw_tensor_await(result, NULL));
  must(tw_run_wait(run));

  /* The same on the host. */
  tw_executable_t *on_host;
  tw_tensor_t *expected;
  must(tw_executable_create(program, NULL, &on_host));
  must(tw_tensor_create(NULL, TW_F32, dims, 2, &expected));
  const tw_tensor_t *given[] = {host};
  must(tw_executable_run(on_host, given, 1, &expected, 1));
  tw_comparison_t comparison = {.struct_size = sizeof comparison};
  must(tw_tensor_compare(result, expected, 0, &comparison));
  int32_t number = 0;
  const char *place = tw_tensor_device(output, &number);
  printf("y lies on %s:%d and %s what the host computes\n", place, (int)number,
         comparison.passes ? "is" : "is not");

  tw_run_release(run);
  tw_tensor_release(input);
  tw_tensor_release(theirs);
  tw_tensor_release(output);
  tw_tensor_release(result);
  tw_tensor_release(expected);
  tw_tensor_release(host);
  tw_stream_release(stream);
  tw_executable_release(on_host);
  tw_executable_release(exe);
  tw_program_release(program);
  tw_plan_release(plan);
  tw_mesh_release(mesh);
  tw_graph_release(graph);
  tw_builder_release(b);
  return comparison.passes ? 0 : 1;
}
