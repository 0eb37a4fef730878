/* SPDX-License-Identifier: Apache-2.0 */
/* tw_custom.h: the host's rules, checks and kernels for custom_calls, partitioned and run. Longer than other
 * files: all share one call and its kernels. */
#include "support.h"

#include <math.h>
#include <stdatomic.h>

/* A decoder block with its loss, cut down from a GPT as byteir prints it. */
static char *block;

static int read_block(void **state) {
  (void)state;
  FILE *file = fopen(TW_TEST_DATA "/gpt_block.mlir", "rb");
  if (!file || !(block = calloc(1, 1 << 16)))
    return 1;
  const size_t size = fread(block, 1, (1 << 16) - 1, file);
  return fclose(file) != 0 || size == 0;
}
static int free_block(void **state) {
  (void)state;
  free(block);
  return 0;
}

/* ---- the four kernels ---- */

static int64_t rows_of(const tw_tile_t *x) {
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < x->ndims; ++d)
    rows *= x->extent[d];
  return rows;
}

/* The program says which dimension a call works on; these kernels know the last one only. */
static tw_status_t check_last_axis(const tw_call_t *call, void *user) {
  (void)user;
  const tw_attr_t *axis = tw_call_attr(call, "byteir_attrs.axis");
  const int64_t last = (int64_t)call->operands[0]->ndims - 1;
  if (!axis)
    return tw_error_set(TW_INVALID_ARGUMENT, "the attribute byteir_attrs.axis is missing");
  if (axis->kind == TW_ATTR_INTS ? axis->num_ints != 1 || axis->ints[0] != last : axis->integer != last)
    return tw_error_set(TW_UNIMPLEMENTED, "normalises over the last dimension only");
  return TW_OK;
}

struct counters {
  atomic_int calls, parts; /* of these: with a part of an array */
};

static void count(const tw_call_t *call, void *user) {
  struct counters *counters = user;
  const tw_tile_t *x = call->operands[0];
  atomic_fetch_add(&counters->calls, 1);
  for (size_t d = 0; d < x->ndims; ++d)
    if (x->extent[d] != x->whole[d]) {
      atomic_fetch_add(&counters->parts, 1);
      return;
    }
}

static tw_status_t layer_norm(const tw_call_t *call, void *user) {
  const tw_tile_t *x = call->operands[0];
  const float *scale = call->operands[1]->data, *shift = call->operands[2]->data;
  float *y = call->results[0]->data, *means = call->results[1]->data, *rstds = call->results[2]->data;
  const tw_attr_t *epsilon = tw_call_attr(call, "byteir_attrs.epsilon");
  if (!epsilon || epsilon->kind != TW_ATTR_REAL)
    return tw_error_set(TW_INVALID_ARGUMENT, "no epsilon");
  const int64_t n = x->extent[x->ndims - 1];
  count(call, user);
  for (int64_t row = 0; row < rows_of(x); ++row) {
    const float *in = (const float *)x->data + row * x->strides[x->ndims - 2];
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < n; ++i)
      sum += in[i];
    const double mean = sum / (double)n;
    for (int64_t i = 0; i < n; ++i)
      squares += (in[i] - mean) * (in[i] - mean);
    const double rstd = 1 / sqrt(squares / (double)n + epsilon->real);
    for (int64_t i = 0; i < n; ++i)
      y[row * n + i] = (float)((in[i] - mean) * rstd) * scale[i] + shift[i];
    means[row] = (float)mean;
    rstds[row] = (float)rstd;
  }
  return TW_OK;
}

static tw_status_t softmax(const tw_call_t *call, void *user) {
  const tw_tile_t *x = call->operands[0];
  const int64_t n = x->extent[x->ndims - 1];
  const int log_wanted = strcmp(call->target, "byteir.log_softmax") == 0;
  count(call, user);
  for (int64_t row = 0; row < rows_of(x); ++row) {
    const float *in = (const float *)x->data + row * n;
    float *out = (float *)call->results[0]->data + row * n;
    float most = in[0];
    double sum = 0;
    for (int64_t i = 1; i < n; ++i)
      most = fmaxf(most, in[i]);
    for (int64_t i = 0; i < n; ++i)
      sum += exp(in[i] - most);
    for (int64_t i = 0; i < n; ++i)
      out[i] = (float)(log_wanted ? in[i] - most - log(sum) : exp(in[i] - most) / sum);
  }
  return TW_OK;
}

static tw_status_t nll_loss(const tw_call_t *call, void *user) {
  const tw_tile_t *logs = call->operands[0];
  const int64_t *targets = call->operands[1]->data, n = logs->extent[1];
  const int64_t ignore = tw_call_attr(call, "byteir_attrs.ignore_index")->integer;
  double loss = 0, weight = 0;
  count(call, user);
  for (int64_t row = 0; row < logs->extent[0]; ++row) {
    if (targets[row] == ignore)
      continue;
    if (targets[row] < 0 || targets[row] >= n)
      return tw_error_set(TW_OUT_OF_RANGE, "a target is no class");
    loss -= ((const float *)logs->data)[row * n + targets[row]];
    weight += 1;
  }
  *(float *)call->results[0]->data = (float)(loss / weight);
  *(float *)call->results[1]->data = (float)weight;
  return TW_OK;
}

static void add_call(tw_custom_calls_t *calls, const char *target, const char *rule, tw_call_fn check,
                     tw_call_fn kernel, void *user) {
  const tw_custom_call_t call = {.struct_size = sizeof call,
                                 .target = target,
                                 .rule = rule,
                                 .check = check,
                                 .kernel = kernel,
                                 .user = user};
  assert_ok(tw_custom_calls_add(calls, &call));
}

static tw_custom_calls_t *make_calls(struct counters *counters) {
  tw_custom_calls_t *calls = NULL;
  assert_ok(tw_custom_calls_create(&calls));
  add_call(calls, "byteir.layer_norm", "... *, *, * -> ... *, ... *, ... *", check_last_axis, layer_norm,
           counters);
  add_call(calls, "byteir.softmax", "... * -> ... *", check_last_axis, softmax, counters);
  add_call(calls, "byteir.log_softmax", "n * -> n *", check_last_axis, softmax, counters);
  add_call(calls, "byteir.nll_loss_forward", NULL, NULL, nll_loss, counters);
  return calls;
}

static tw_graph_t *import(const char *text, const tw_custom_calls_t *calls) {
  const tw_import_options_t options = {
      .struct_size = sizeof options, .file = "gpt.mlir", .custom_calls = calls};
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(text, strlen(text), &options, &graph));
  return graph;
}

/* ---- running a graph ---- */

enum { MOST = 16 };
struct arrays {
  size_t num_inputs, num_outputs;
  tw_tensor_t *inputs[MOST], *outputs[MOST];
};

static struct arrays make_arrays(const tw_graph_t *graph) {
  struct arrays a = {tw_graph_num_arguments(graph), tw_graph_num_results(graph), {NULL}, {NULL}};
  for (size_t i = 0, n = 0; i < a.num_inputs; ++i) {
    const int64_t *dims = tw_graph_argument_dims(graph, i, &n);
    const tw_dtype_t dtype = tw_graph_argument_dtype(graph, i);
    a.inputs[i] = make_tensor(dtype, dims, n, dtype == TW_S64 ? "randint(0,5)" : "normal(0,1)", i);
  }
  for (size_t i = 0, n = 0; i < a.num_outputs; ++i) {
    const int64_t *dims = tw_graph_result_dims(graph, i, &n);
    a.outputs[i] = make_tensor(tw_graph_result_dtype(graph, i), dims, n, "zeros", 0);
  }
  return a;
}

static void release_arrays(struct arrays *a) {
  for (size_t i = 0; i < a->num_inputs; ++i)
    tw_tensor_release(a->inputs[i]);
  for (size_t i = 0; i < a->num_outputs; ++i)
    tw_tensor_release(a->outputs[i]);
}

static tw_executable_t *bind(tw_program_t *program, int workers) {
  const tw_executable_options_t options = {.struct_size = sizeof options, .workers = workers};
  tw_executable_t *exe = NULL;
  assert_ok(tw_executable_create(program, &options, &exe));
  tw_program_release(program);
  return exe;
}

static tw_executable_t *bind_whole(const tw_graph_t *graph) {
  tw_program_t *program = NULL;
  assert_ok(tw_program_unpartitioned(graph, &program));
  return bind(program, 1);
}

static tw_executable_t *bind_partitioned(const tw_graph_t *graph, const char *mesh, const char *spec) {
  tw_plan_t *plan = make_plan(graph, mesh, spec);
  tw_program_t *program = NULL;
  assert_ok(tw_program_lower(plan, NULL, &program));
  tw_plan_release(plan);
  return bind(program, 2);
}

static tw_status_t run(tw_executable_t *exe, struct arrays *a) {
  return tw_executable_run(exe, (const tw_tensor_t *const *)a->inputs, a->num_inputs, a->outputs,
                           a->num_outputs);
}

static void assert_equal_outputs(const struct arrays *a, const struct arrays *b) {
  for (size_t i = 0; i < a->num_outputs; ++i) {
    tw_comparison_t c = {.struct_size = sizeof c};
    assert_ok(tw_tensor_compare(a->outputs[i], b->outputs[i], 0, &c));
    if (!c.passes || c.nonfinite)
      fail_msg("result %zu: largest difference %g, %d not finite", i, c.max_abs, (int)c.nonfinite);
  }
}

/* ---- tests ---- */

/* The kernels of a real exporter's calls, on two meshes: equal to one device, and to the reference
 * evaluator. */
static void test_partitioned(void **state) {
  (void)state;
  struct counters counters = {0, 0};
  tw_custom_calls_t *calls = make_calls(&counters);
  tw_graph_t *graph = import(block, calls);
  tw_custom_calls_release(calls); /* Graphs keep what was there when they were made */
  struct arrays whole = make_arrays(graph), reference = make_arrays(graph);
  tw_executable_t *exe = bind_whole(graph);
  assert_ok(run(exe, &whole));
  tw_executable_release(exe);
  assert_int_equal(counters.calls, 5);
  assert_int_equal(counters.parts, 0);
  assert_ok(tw_graph_evaluate(graph, (const tw_tensor_t *const *)reference.inputs, reference.num_inputs,
                              reference.outputs, reference.num_outputs));
  assert_equal_outputs(&whole, &reference);
  assert_true(*(const float *)tw_tensor_const_data(whole.outputs[1]) == 24); /* every token has a target */

  const struct {
    const char *mesh, *spec;
    int calls, parts;
  } cases[] = {
      /* on each of 3 devices: 4 calls on its part of a batch of 4; the loss, which all hold, once */
      {"batch=3",
       "tile(arg=arg7, dim=0, axis=\"batch\"); tile(arg=arg8, dim=0, axis=\"batch\"); infer-propagate", 13,
       12},
      /* one call works on what all devices of a batch hold */
      {"batch=2,seq=3",
       "tile(arg=arg7, dim=0, axis=\"batch\"); tile(arg=arg7, dim=1, axis=\"seq\"); infer-propagate", 21, 20},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    counters.calls = counters.parts = 0;
    struct arrays parts = make_arrays(graph);
    exe = bind_partitioned(graph, cases[i].mesh, cases[i].spec);
    assert_ok(run(exe, &parts));
    tw_executable_release(exe);
    assert_equal_outputs(&parts, &whole);
    assert_int_equal(counters.calls, cases[i].calls);
    assert_int_equal(counters.parts, cases[i].parts);
    release_arrays(&parts);
  }
  release_arrays(&whole);
  release_arrays(&reference);
  tw_graph_release(graph);
}

/* An error ends the run on all devices; outputs keep their old bytes. The executable can be run again. */
static void test_kernel_error(void **state) {
  (void)state;
  struct counters counters = {0, 0};
  tw_custom_calls_t *calls = make_calls(&counters);
  tw_graph_t *graph = import(block, calls);
  tw_executable_t *exe =
      bind_partitioned(graph, "batch=2", "tile(arg=arg7, dim=0, axis=\"batch\"); propagate");
  struct arrays a = make_arrays(graph);
  int64_t *targets = tw_tensor_data(a.inputs[8]);
  targets[3] = 9;
  assert_int_equal(run(exe, &a), TW_OUT_OF_RANGE);
  assert_contains(tw_error_message(), "a target is no class");
  assert_contains(tw_error_message(), "device ");
  assert_contains(tw_error_message(), "@byteir.nll_loss_forward");
  tw_error_t *error = NULL;
  assert_ok(tw_error_take(&error));
  assert_string_equal(tw_error_file(error), "gpt.mlir");
  assert_int_equal(tw_error_line(error), 42);
  tw_error_release(error);
  for (size_t i = 0; i < a.num_outputs; ++i)
    for (size_t k = 0; k < tw_tensor_bytes(a.outputs[i]); ++k)
      assert_int_equal(((const char *)tw_tensor_const_data(a.outputs[i]))[k], 0);
  targets[3] = -1; /* ignored, as the program says */
  assert_ok(run(exe, &a));
  assert_true(*(const float *)tw_tensor_const_data(a.outputs[1]) == 23);
  release_arrays(&a);
  tw_executable_release(exe);
  tw_graph_release(graph);
  tw_custom_calls_release(calls);
}

#define CALL_OF(target, attributes)                                                                          \
  "func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {\n"                                              \
  "  %0 = stablehlo.custom_call @" target "(%x) " attributes " : (tensor<4x6xf32>) -> tensor<4x6xf32>\n"     \
  "  return %0 : tensor<4x6xf32>\n}\n"

static void assert_import_fails(tw_status_t wanted, const char *text, const tw_custom_calls_t *calls,
                                const char *message) {
  const tw_import_options_t options = {
      .struct_size = sizeof options, .file = "call.mlir", .custom_calls = calls};
  tw_graph_t *graph = UNTOUCHED(tw_graph_t);
  assert_int_equal(tw_graph_import(text, strlen(text), &options, &graph), wanted);
  assert_ptr_equal(graph, UNTOUCHED(tw_graph_t));
  assert_contains(tw_error_message(), message);
  tw_error_t *error = NULL;
  assert_ok(tw_error_take(&error));
  assert_string_equal(tw_error_file(error), "call.mlir");
  assert_int_equal(tw_error_line(error), 2);
  tw_error_release(error);
}

static tw_status_t answer_seven(const tw_call_t *call, void *user) {
  (void)call, (void)user;
  return TW_CANCELLED; /* and says nothing */
}

/* The error gets the call's position. */
static void test_checks(void **state) {
  (void)state;
  tw_custom_calls_t *calls = make_calls(NULL);
  assert_import_fails(TW_INVALID_ARGUMENT, CALL_OF("byteir.softmax", ""), calls,
                      "custom_call @byteir.softmax: the attribute byteir_attrs.axis is missing");
  assert_import_fails(TW_UNIMPLEMENTED, CALL_OF("byteir.softmax", "{byteir_attrs = {axis = 0 : i64}}"), calls,
                      "the last dimension only");
  add_call(calls, "three", "a b c -> a b c", NULL, NULL, NULL);
  assert_import_fails(TW_INVALID_ARGUMENT, CALL_OF("three", ""), calls, "names 3 dimensions");
  add_call(calls, "silent", NULL, answer_seven, NULL, NULL);
  assert_import_fails(TW_CANCELLED, CALL_OF("silent", ""), calls, "its check failed: cancelled");
  tw_custom_calls_release(calls);
}

/* What was there stays there: a callback's failure is that of the call during which it failed. */
static void test_error_set(void **state) {
  (void)state;
  assert_int_equal(tw_error_set(TW_NOT_FOUND, "no such row"), TW_NOT_FOUND);
  assert_string_equal(tw_error_message(), "no such row");
  assert_int_equal(tw_error_set(TW_OK, "ignored"), TW_OK);
  assert_string_equal(tw_error_message(), "no such row");
  assert_int_equal(tw_error_set(TW_CANCELLED, NULL), TW_CANCELLED);
  assert_string_equal(tw_error_message(), "cancelled");
  assert_int_equal(tw_error_set(99, "odd"), TW_INTERNAL);
}

static tw_status_t halves(const tw_call_t *call, void *user, tw_blob_t **out_rule) {
  ++*(int *)user;
  assert_null(call->operands[0]->data);
  assert_int_equal(call->operands[0]->extent[1], 6);
  const tw_attr_t *rows = tw_call_attr(call, "rows_only");
  const char *rule = rows && rows->integer ? "a * -> a *" : "a b -> a b";
  return tw_blob_create(rule, strlen(rule), out_rule);
}

/* rule_fn is asked for each call; such calls may be planned, not run. Where the tiled dimension is needed
 * whole, the free one takes its axis. */
static void test_rule_callback(void **state) {
  (void)state;
  int asked = 0;
  tw_custom_calls_t *calls = NULL;
  assert_ok(tw_custom_calls_create(&calls));
  const tw_custom_call_t call = {
      .struct_size = sizeof call, .target = "mine", .rule_fn = halves, .user = &asked};
  assert_ok(tw_custom_calls_add(calls, &call));
  const char *texts[] = {CALL_OF("mine", "{rows_only}"), CALL_OF("mine", "{rows_only = false}")};
  const char *shardings[] = {"[{x}, {}]", "[{}, {x}]"};
  for (int i = 0; i < 2; ++i) {
    tw_graph_t *graph = import(texts[i], calls);
    assert_int_equal(asked, i + 1);
    tw_plan_t *plan = make_plan(graph, "x=2", "tile(arg=x, dim=1, axis=\"x\"); propagate");
    tw_blob_t *sharding = NULL;
    assert_ok(tw_plan_sharding(plan, "%0", &sharding));
    assert_string_equal(tw_blob_data(sharding), shardings[i]);
    tw_blob_release(sharding);
    tw_program_t *program = NULL;
    tw_executable_t *exe = UNTOUCHED(tw_executable_t);
    assert_ok(tw_program_lower(plan, NULL, &program));
    assert_int_equal(tw_executable_create(program, NULL, &exe), TW_UNIMPLEMENTED);
    assert_contains(tw_error_message(), "custom_call @mine has no kernel");
    assert_ptr_equal(exe, UNTOUCHED(tw_executable_t));
    tw_program_release(program);
    tw_plan_release(plan);
    tw_graph_release(graph);
  }
  tw_custom_calls_release(calls);
}

static tw_status_t scale_and_negate(const tw_call_t *call, void *user) {
  (void)user;
  const tw_tile_t *x = call->operands[0];
  const float factor = (float)tw_call_attr(call, "factor")->real;
  assert_int_equal(call->num_attrs, 6);
  assert_string_equal(tw_call_attr(call, "note")->string, "a \"b\"\n\\c");
  assert_int_equal(tw_call_attr(call, "dims")->num_ints, 2);
  assert_int_equal(tw_call_attr(call, "dims")->ints[1], -7);
  assert_int_equal(tw_call_attr(call, "count")->kind, TW_ATTR_INTEGER);
  assert_int_equal(tw_call_attr(call, "flag")->kind, TW_ATTR_BOOLEAN);
  assert_int_equal(tw_call_attr(call, "flag")->integer, 1);
  assert_string_equal(tw_call_attr(call, "backend_config")->string, "{not: ours}");
  assert_null(tw_call_attr(call, "has_side_effect"));
  for (int64_t i = 0; i < x->extent[0] * x->extent[1]; ++i) {
    ((float *)call->results[0]->data)[i] = factor * ((const float *)x->data)[i];
    ((float *)call->results[1]->data)[i] = -((const float *)x->data)[i];
  }
  return TW_OK;
}

/* Built call by call, with attributes of every kind and two results. */
static void test_builder(void **state) {
  (void)state;
  tw_custom_calls_t *calls = NULL;
  assert_ok(tw_custom_calls_create(&calls));
  add_call(calls, "both", "a b -> a b, a b", NULL, scale_and_negate, NULL);
  tw_builder_t *b = new_builder("built");
  tw_graph_t *graph = NULL;
  const int64_t dims[] = {5, 4};
  const tw_type_t type = {.dtype = TW_F32, .dims = dims, .ndims = 2}, types[] = {type, type};
  const int64_t ints[] = {3, -7};
  const tw_attr_t attrs[] = {
      {.name = "factor", .kind = TW_ATTR_REAL, .real = 2.5},
      {.name = "note", .kind = TW_ATTR_STRING, .string = "a \"b\"\n\\c"},
      {.name = "dims", .kind = TW_ATTR_INTS, .ints = ints, .num_ints = 2},
      {.name = "count", .kind = TW_ATTR_INTEGER, .integer = 11},
      {.name = "flag", .kind = TW_ATTR_BOOLEAN, .integer = 1},
      {.name = "backend_config", .kind = TW_ATTR_STRING, .string = "{not: ours}"},
      {.name = "has_side_effect", .kind = TW_ATTR_BOOLEAN, .integer = 1},
  };
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, dims, 2);
  tw_value_t both[2];
  tw_builder_custom_calls(b, calls);
  tw_builder_custom_call(b, "both", &x, 1, types, 2, attrs, 7, both);
  tw_builder_result(b, "scaled", both[0]);
  tw_builder_result(b, "negated", both[1]);
  assert_ok(tw_builder_finish(b, &graph));
  tw_builder_release(b);
  tw_executable_t *exe = bind_partitioned(graph, "x=3", "tile(arg=x, dim=0, axis=\"x\"); propagate");
  struct arrays a = make_arrays(graph);
  assert_ok(run(exe, &a));
  const float *in = tw_tensor_const_data(a.inputs[0]);
  for (int i = 0; i < 20; ++i) {
    assert_true(((const float *)tw_tensor_const_data(a.outputs[0]))[i] == 2.5f * in[i]);
    assert_true(((const float *)tw_tensor_const_data(a.outputs[1]))[i] == -in[i]);
  }
  release_arrays(&a);
  tw_executable_release(exe);
  tw_graph_release(graph);
  tw_custom_calls_release(calls);
}

static tw_status_t copy(const tw_call_t *call, void *user) {
  (void)user;
  memcpy(call->results[0]->data, call->operands[0]->data, 4 * 6 * sizeof(float));
  return TW_OK;
}
static void bump(void *user) { ++*(int *)user; }

/* destroy: when the last object that may call back has been released. */
static void test_lifetime(void **state) {
  (void)state;
  int destroyed = 0;
  tw_custom_calls_t *calls = NULL;
  assert_ok(tw_custom_calls_create(&calls));
  assert_ptr_equal(tw_custom_calls_retain(calls), calls);
  tw_custom_calls_release(calls);
  const tw_custom_call_t call = {
      .struct_size = sizeof call, .target = "copy", .kernel = copy, .user = &destroyed, .destroy = bump};
  tw_graph_t *before = import(CALL_OF("copy", ""), calls);
  assert_ok(tw_custom_calls_add(calls, &call));
  assert_fails(TW_INVALID_ARGUMENT, tw_custom_calls_add(calls, &call)); /* one that is there already */
  assert_int_equal(destroyed, 0); /* Not called where tw_custom_calls_add fails */
  tw_graph_t *graph = import(CALL_OF("copy", ""), calls);
  tw_custom_calls_release(calls);
  tw_executable_t *exe = bind_whole(graph);
  tw_graph_release(graph);
  assert_int_equal(destroyed, 0);
  struct arrays a = make_arrays(before);
  assert_ok(run(exe, &a));
  assert_memory_equal(tw_tensor_const_data(a.outputs[0]), tw_tensor_const_data(a.inputs[0]), 96);
  tw_executable_release(exe);
  assert_int_equal(destroyed, 1);
  tw_program_t *program = NULL; /* what is added afterwards is for later graphs */
  assert_ok(tw_program_unpartitioned(before, &program));
  assert_fails(TW_UNIMPLEMENTED, tw_executable_create(program, NULL, &exe));
  tw_program_release(program);
  release_arrays(&a);
  tw_graph_release(before);
}

static void test_bad_calls(void **state) {
  (void)state;
  tw_custom_calls_t *calls = NULL;
  assert_ok(tw_custom_calls_create(&calls));
  tw_custom_call_t call = {.struct_size = sizeof call};
  assert_fails(TW_INVALID_ARGUMENT, tw_custom_calls_add(calls, &call)); /* no target */
  call.target = "old";
  call.struct_size = 0;
  assert_fails(TW_INVALID_ARGUMENT, tw_custom_calls_add(calls, &call));
  call.struct_size = sizeof call;
  /* a rule that no call could have is refused when it is given, and does not end up in the list */
  const char *const rules[] = {"b s h", "b b -> b", "b -> b, c c", "... ... -> ...", "b h", " "};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
    call.rule = rules[i];
    assert_fails(TW_INVALID_ARGUMENT, tw_custom_calls_add(calls, &call));
  }
  call.rule = NULL;
  call.struct_size = offsetof(tw_custom_call_t, destroy); /* an older caller has no such field */
  assert_ok(tw_custom_calls_add(calls, &call));
  assert_null_argument("call", tw_custom_calls_add(calls, NULL));
  assert_null_argument("calls", tw_custom_calls_add(NULL, &call));
  assert_null_argument("out_calls", tw_custom_calls_create(NULL));
  assert_null(tw_custom_calls_retain(NULL));
  tw_custom_calls_release(NULL);
  assert_null(tw_call_attr(NULL, "x"));
  tw_custom_calls_release(calls);
}

/* What a graph calls, how often, and what is known of it. */
static void test_info(void **state) {
  (void)state;
  tw_custom_calls_t *calls = NULL;
  assert_ok(tw_custom_calls_create(&calls));
  add_call(calls, "byteir.layer_norm", "... *, *, * -> ... *, ... *, ... *", NULL, NULL, NULL);
  tw_graph_t *graph = import(block, calls);
  tw_blob_t *info = NULL;
  assert_ok(tw_graph_info(graph, 0, &info));
  assert_contains(tw_blob_data(info), "      \"target\": \"byteir.layer_norm\",\n      \"count\": 2,\n"
                                      "      \"rule\": true,\n      \"kernel\": false,\n"
                                      "      \"first\": \"gpt.mlir:14:5\"\n");
  assert_contains(tw_blob_data(info), "      \"target\": \"byteir.softmax\",\n      \"count\": 1,\n"
                                      "      \"rule\": false,\n");
  tw_blob_release(info);
  tw_graph_release(graph);
  tw_custom_calls_release(calls);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_partitioned),   cmocka_unit_test(test_kernel_error),
      cmocka_unit_test(test_checks),        cmocka_unit_test(test_error_set),
      cmocka_unit_test(test_rule_callback), cmocka_unit_test(test_builder),
      cmocka_unit_test(test_lifetime),      cmocka_unit_test(test_bad_calls),
      cmocka_unit_test(test_info),
  };
  return cmocka_run_group_tests(tests, read_block, free_block);
}
