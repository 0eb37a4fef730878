/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of callers: those that say their size, and those that stand in arrays and never change it. */
#include "support.h"

#include <tilewright/tw_mpi.h>

static tw_graph_t *graph;
static tw_plan_t *plan;
static tw_program_t *program;
static tw_mesh_t *mesh;

static tw_status_t make_context(const void *options) {
  tw_context_t *made = NULL;
  const tw_status_t status = tw_context_create(options, &made);
  tw_context_release(made);
  return status;
}
static tw_status_t import_graph(const void *options) {
  static const char text[] =
      "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n";
  tw_graph_t *made = NULL;
  const tw_status_t status = tw_graph_import(text, sizeof text - 1, options, &made);
  tw_graph_release(made);
  return status;
}
static tw_status_t create_plan(const void *options) {
  tw_plan_t *made = NULL;
  const tw_status_t status = tw_plan_create(graph, mesh, options, &made);
  tw_plan_release(made);
  return status;
}
static tw_status_t lower_plan(const void *options) {
  tw_program_t *made = NULL;
  const tw_status_t status = tw_program_lower(plan, options, &made);
  tw_program_release(made);
  return status;
}
static tw_status_t estimate_program(const void *options) {
  tw_system_t *system = load_system("a100-80g");
  tw_estimate_t *made = NULL;
  const tw_status_t status = tw_program_estimate(program, system, options, &made);
  tw_estimate_release(made);
  tw_system_release(system);
  return status;
}
static tw_status_t write_page(const void *options) {
  tw_blob_t *made = NULL;
  const tw_status_t status = tw_program_page(program, NULL, options, &made);
  tw_blob_release(made);
  return status;
}
static tw_status_t create_executable(const void *options) {
  tw_executable_t *made = NULL;
  const tw_status_t status = tw_executable_create(program, options, &made);
  tw_executable_release(made);
  return status;
}
static tw_status_t compare_program(const void *options) {
  tw_tensor_t *one = make_tensor(TW_F32, DIMS(6, 8), "ones", 0);
  const tw_tensor_t *all[] = {one};
  tw_comparison_t c = {.struct_size = sizeof c};
  const tw_status_t status = tw_program_compare(program, NULL, 0, all, all, 1, options, &c, NULL);
  tw_tensor_release(one);
  return status;
}
static tw_status_t plan_redistribution(const void *options) {
  tw_redistribution_t *made = NULL;
  const tw_status_t status = tw_redistribution_plan(mesh, "[4] [{data}]", NULL, "[4] [{}]", options, &made);
  tw_redistribution_release(made);
  return status;
}
static tw_status_t create_redistributor(const void *options) {
  tw_redistribution_t *moves = NULL;
  tw_redistributor_t *made = NULL;
  assert_ok(tw_redistribution_plan(mesh, "[4] [{data}]", NULL, "[4] [{}]", NULL, &moves));
  const tw_status_t status =
      tw_redistributor_create((const tw_redistribution_t *const[]){moves}, 1, options, &made);
  tw_redistributor_release(made);
  tw_redistribution_release(moves);
  return status;
}
static tw_status_t create_comm(const void *options) {
  tw_comm_t *made = NULL;
  return tw_comm_create_mpi(NULL, options, &made);
}

static const struct {
  const char *name;
  size_t size;
  tw_status_t (*call)(const void *options);
} takers[] = {
    {"context", sizeof(tw_context_options_t), make_context},
    {"import", sizeof(tw_import_options_t), import_graph},
    {"plan", sizeof(tw_plan_options_t), create_plan},
    {"lower", sizeof(tw_lower_options_t), lower_plan},
    {"estimate", sizeof(tw_estimate_options_t), estimate_program},
    {"page", sizeof(tw_page_options_t), write_page},
    {"executable", sizeof(tw_executable_options_t), create_executable},
    {"compare", sizeof(tw_compare_options_t), compare_program},
    {"redistribution", sizeof(tw_redistribution_options_t), plan_redistribution},
    {"redistributor", sizeof(tw_redistributor_options_t), create_redistributor},
    {"mpi", sizeof(tw_mpi_options_t), create_comm},
};

/* A struct_size that was not set is TW_INVALID_ARGUMENT. */
static void test_no_size(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof takers / sizeof *takers; ++i) {
    const size_t wrong[] = {0, 1, sizeof(size_t) - 1, SIZE_MAX};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; ++w) {
      size_t options[64] = {wrong[w]};
      assert_fails(TW_INVALID_ARGUMENT, takers[i].call(options));
      assert_int_equal(takers[i].call(options), TW_INVALID_ARGUMENT);
      assert_contains(tw_error_message(), "struct_size");
    }
  }
  tw_plan_options_t bogus = {.policy = "bogus"};
  assert_fails(TW_INVALID_ARGUMENT, create_plan(&bogus));
  tw_custom_calls_t *calls = NULL;
  assert_ok(tw_custom_calls_create(&calls));
  const tw_custom_call_t call = {.target = "t"};
  assert_fails(TW_INVALID_ARGUMENT, tw_custom_calls_add(calls, &call));
  tw_custom_calls_release(calls);
}

/* A field that a newer header has and the library that runs does not is TW_UNIMPLEMENTED where it is set. */
static void test_newer_caller(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof takers / sizeof *takers; ++i) {
    size_t options[64] = {takers[i].size + 16};
    if (takers[i].call != create_comm)
      assert_ok(takers[i].call(options));
    ((char *)options)[takers[i].size + 15] = 1;
    assert_fails(TW_UNIMPLEMENTED, takers[i].call(options));
    ((char *)options)[takers[i].size + 15] = 0;
    ((char *)options)[takers[i].size] = 1;
    assert_fails(TW_UNIMPLEMENTED, takers[i].call(options));
  }
}

/* Small structs that stand in arrays never change their size. */
static void test_frozen(void **state) {
  (void)state;
  if (sizeof(void *) == 8) {
    assert_int_equal(sizeof(tw_attr_t), 80);
    assert_int_equal(offsetof(tw_attr_t, reserved), 64);
    assert_int_equal(sizeof(tw_type_t), 40);
    assert_int_equal(offsetof(tw_type_t, reserved), 24);
    assert_int_equal(sizeof(tw_link_t), 48);
    assert_int_equal(offsetof(tw_link_t, reserved), 24);
  }
}

/* They end in reserved words, which must be zero. */
static void test_reserved(void **state) {
  (void)state;
  for (size_t word = 0; word < 3; ++word) {
    tw_builder_t *b = NULL;
    tw_graph_t *none = NULL;
    b = new_builder("b");
    tw_attr_t attrs[2] = {{.name = "iota_dimension"},
                          {.name = "result_dims", .kind = TW_ATTR_INTS, .ints = DIMS(4)}};
    attrs[1].reserved[word % 2] = 1;
    assert_int_equal(tw_builder_add(b, "iota", NULL, 0, attrs, 2, NULL, 0), TW_NO_VALUE);
    assert_int_equal(tw_builder_finish(b, &none), TW_INVALID_ARGUMENT);
    assert_contains(tw_error_message(), "attrs[1].reserved");
    tw_builder_release(b);

    b = new_builder("b");
    const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(4));
    tw_type_t types[2] = {{TW_F32, DIMS(4), {0}}, {TW_F32, DIMS(4), {0}}};
    tw_value_t out[2];
    types[1].reserved[word % 2] = 1;
    assert_int_equal(tw_builder_custom_call(b, "t", &x, 1, types, 2, NULL, 0, out), TW_NO_VALUE);
    assert_int_equal(tw_builder_finish(b, &none), TW_INVALID_ARGUMENT);
    assert_contains(tw_error_message(), "results[1].reserved");
    tw_builder_release(b);

    tw_link_t link = {.alpha_us = 1, .message_us = 1, .gb_per_s = 1};
    link.reserved[word] = 1;
    const tw_redistribution_options_t options = {
        .struct_size = sizeof options, .links = &link, .num_links = 1};
    assert_int_equal(plan_redistribution(&options), TW_INVALID_ARGUMENT);
    assert_contains(tw_error_message(), "links[0].reserved");
  }
}

/* NULL in an array is an error that says where. */
static void test_null_elements(void **state) {
  (void)state;
  tw_mesh_t *no_mesh = NULL;
  assert_null_argument("axis_names[1]",
                       tw_mesh_create((const char *const[]){"a", NULL}, DIMS(2, 2), &no_mesh));
  const char *const without[] = {"share_moves", NULL};
  const tw_lower_options_t how = {.struct_size = sizeof how, .without = without, .num_without = 2};
  assert_null_argument("options->without[1]", lower_plan(&how));
  tw_redistribution_t *moves = NULL;
  tw_redistributor_t *mover = NULL;
  assert_ok(tw_redistribution_plan(mesh, "[4] [{data}]", NULL, "[4] [{}]", NULL, &moves));
  assert_null_argument("plans[1]", tw_redistributor_create((const tw_redistribution_t *const[]){moves, NULL},
                                                           2, NULL, &mover));
  tw_redistribution_release(moves);

  tw_executable_t *executable = NULL;
  assert_ok(tw_executable_create(program, NULL, &executable));
  struct mlp_arrays a = make_mlp_arrays(0, "zeros");
  tw_tensor_t *out[] = {NULL};
  const tw_tensor_t *in[] = {a.in[0], a.in[1], NULL};
  assert_null_argument("inputs[2]", tw_executable_run(executable, in, 3, &a.out, 1));
  assert_null_argument("inputs[2]", tw_graph_evaluate(graph, in, 3, &a.out, 1));
  assert_null_argument("outputs[0]", tw_executable_run(executable, MLP_INPUTS(a), out, 1));
  release_mlp_arrays(&a);
  tw_executable_release(executable);

  const struct {
    const char *says;
    tw_attr_t attr;
  } attrs[] = {{"attrs[1].name", {.kind = TW_ATTR_INTEGER}},
               {"attrs[1].string", {.name = "a", .kind = TW_ATTR_STRING}},
               {"attrs[1].ints", {.name = "a", .kind = TW_ATTR_INTS, .num_ints = 2}}};
  for (size_t i = 0; i < 3; ++i) {
    tw_builder_t *b = NULL;
    tw_graph_t *none = NULL;
    b = new_builder("b");
    const tw_attr_t both[] = {{.name = "iota_dimension"}, attrs[i].attr};
    assert_int_equal(tw_builder_add(b, "iota", NULL, 0, both, 2, NULL, 0), TW_NO_VALUE);
    assert_null_argument(attrs[i].says, tw_builder_finish(b, &none));
    tw_builder_release(b);
    b = new_builder("b");
    assert_int_equal(tw_builder_custom_call(b, "t", NULL, 0, NULL, 0, both, 2, NULL), TW_NO_VALUE);
    assert_null_argument(attrs[i].says, tw_builder_finish(b, &none));
    tw_builder_release(b);
  }
  tw_builder_t *b = NULL;
  tw_graph_t *none = NULL;
  tw_value_t made[2];
  b = new_builder("b");
  const tw_type_t types[2] = {{TW_F32, NULL, 0, {0}}, {TW_F32, NULL, 1, {0}}};
  assert_int_equal(tw_builder_custom_call(b, "t", NULL, 0, types, 2, NULL, 0, made), TW_NO_VALUE);
  assert_null_argument("results[1].dims", tw_builder_finish(b, &none));
  tw_builder_release(b);

  // Who needs one result has it as the answer.
  b = new_builder("b");
  tw_graph_t *graph = NULL;
  const tw_value_t only = tw_builder_custom_call(b, "t", NULL, 0, types, 1, NULL, 0, NULL);
  assert_int_not_equal(only, TW_NO_VALUE);
  tw_builder_result(b, "y", only);
  assert_ok(tw_builder_finish(b, &graph));
  tw_builder_release(b);
  tw_graph_release(graph);
}

static int set_up(void **state) {
  (void)state;
  graph = make_mlp();
  mesh = make_mesh("data=2,model=2");
  plan = make_plan(graph, "data=2,model=2", MLP_SPEC);
  return tw_program_lower(plan, NULL, &program) != TW_OK;
}
static int tear_down(void **state) {
  (void)state;
  tw_program_release(program);
  tw_plan_release(plan);
  tw_mesh_release(mesh);
  tw_graph_release(graph);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_size),  cmocka_unit_test(test_newer_caller),  cmocka_unit_test(test_frozen),
      cmocka_unit_test(test_reserved), cmocka_unit_test(test_null_elements),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
