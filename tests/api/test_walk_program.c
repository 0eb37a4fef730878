/* SPDX-License-Identifier: Apache-2.0 */
/* tw_walk_program.h: instructions, local values and collectives of a program. */
#include "support.h"

static tw_instr_view_t instr_of(const tw_program_t *program, size_t i) {
  tw_instr_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_program_instr(program, i, &view));
  return view;
}

static tw_collective_view_t collective_of(const tw_program_t *program, size_t i) {
  tw_collective_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_program_collective(program, i, &view));
  return view;
}

static void test_instructions(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  size_t kinds[9] = {0};
  tw_local_t made = 0;
  for (size_t i = 0; i < tw_program_num_instrs(program); ++i) {
    const tw_instr_view_t instr = instr_of(program, i);
    assert_in_range(instr.kind, TW_INSTR_ARGUMENT, TW_INSTR_SLICE);
    ++kinds[instr.kind];
    for (uint32_t k = 0; k < instr.num_operands; ++k) /* made before they are read */
      assert_true(instr.operands[k] < made);
    for (uint32_t k = 0; k < instr.num_results; ++k) {
      tw_local_view_t local = {.struct_size = sizeof local};
      assert_ok(tw_program_local(program, instr.first_result + k, &local));
      assert_int_equal(local.instr, i);
      made = instr.first_result + k + 1 > made ? instr.first_result + k + 1 : made;
    }
    assert_int_equal(instr.collective != TW_NO_COLLECTIVE, instr.kind == TW_INSTR_COLLECTIVE);
    if (instr.kind == TW_INSTR_COLLECTIVE)
      assert_int_equal(collective_of(program, instr.collective).instr, i);
  }
  assert_int_equal(made, tw_program_num_locals(program));
  assert_int_equal(kinds[TW_INSTR_ARGUMENT], 3);
  assert_int_equal(kinds[TW_INSTR_COMPUTE], 3); /* two products, tanh */
  assert_int_equal(kinds[TW_INSTR_COLLECTIVE], tw_program_num_collectives(program));
  assert_int_equal(kinds[TW_INSTR_RESULT], 1);
  tw_instr_view_t view = {.struct_size = sizeof view};
  assert_fails(TW_OUT_OF_RANGE, tw_program_instr(program, tw_program_num_instrs(program), &view));
  tw_local_view_t local = {.struct_size = sizeof local};
  assert_fails(TW_OUT_OF_RANGE,
               tw_program_local(program, (tw_local_t)tw_program_num_locals(program), &local));
  tw_program_release(program);
}

static void test_collectives(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  assert_int_equal(tw_program_num_collectives(program), 1);
  const tw_collective_view_t sum = collective_of(program, 0);
  assert_int_equal(sum.kind, TW_COLLECTIVE_ALL_REDUCE);
  assert_int_equal(sum.reduction, TW_REDUCTION_SUM);
  assert_int_equal(sum.axes, 2); /* bit 1: model */
  tw_mesh_t *mesh = NULL;
  assert_ok(tw_program_mesh(program, &mesh));
  assert_string_equal(tw_mesh_axis_name(mesh, 1), "model");
  tw_mesh_release(mesh);
  assert_int_equal(sum.times, 1);
  assert_int_equal(sum.bytes_received, 2 * 3 * (3 * 8 * 4) / 4); /* 2S(g-1)/g of f32[3,8] over 4 */
  assert_true(sum.mean_bytes_received == (double)sum.bytes_received);
  assert_int_equal(sum.bytes_received, tw_program_bytes_received(program));
  assert_string_equal(sum.method, "direct");
  assert_int_equal(sum.num_levels, 0);
  assert_int_not_equal(sum.producer, TW_NO_OP);
  tw_action_view_t action = {.struct_size = sizeof action};
  assert_ok(tw_program_action(program, sum.action, &action));
  assert_contains(action.text, "arg=w1");
  assert_true(sum.action != TW_NO_ACTION);
  /* What moves: a sum over model before, whole on it after. */
  const tw_instr_view_t instr = instr_of(program, sum.instr);
  tw_sharding_t *sharding = NULL;
  assert_ok(tw_program_local_sharding(program, instr.operands[0], &sharding));
  assert_and_release_sharding(sharding, "[{data}, {}] +model");
  assert_ok(tw_program_local_sharding(program, instr.first_result, &sharding));
  int64_t offset[2], extent[2];
  assert_ok(tw_sharding_tile(sharding, 5, offset, extent)); /* data 1, model 1 */
  assert_int_equal(offset[0], 3);
  assert_int_equal(extent[0], 3);
  assert_int_equal(extent[1], 8);
  assert_and_release_sharding(sharding, "[{data}, {}]");
  assert_ok(tw_program_argument_sharding(program, 1, &sharding));
  assert_and_release_sharding(sharding, "[{}, {model}]");
  assert_ok(tw_program_result_sharding(program, 0, &sharding));
  assert_and_release_sharding(sharding, "[{data}, {}]");
  sharding = UNTOUCHED(tw_sharding_t);
  assert_fails(TW_OUT_OF_RANGE, tw_program_argument_sharding(program, 3, &sharding));
  assert_fails(TW_OUT_OF_RANGE, tw_program_result_sharding(program, 1, &sharding));
  assert_ptr_equal(sharding, UNTOUCHED(tw_sharding_t));
  tw_collective_view_t view = {.struct_size = sizeof view};
  assert_fails(TW_OUT_OF_RANGE, tw_program_collective(program, 1, &view));
  assert_fails(TW_OUT_OF_RANGE, tw_program_action(program, tw_program_num_actions(program), &action));
  tw_program_release(program);
}

/* Lowering adds ops and values, which the graph does not have. */
static void test_added(void **state) {
  (void)state;
  const char *text =
      "func.func @main(%x: tensor<2x512xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {\n"
      "  %v, %i = chlo.top_k(%x, k = 2) : tensor<2x512xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)\n"
      "  return %v, %i : tensor<2x2xf32>, tensor<2x2xi32>\n}\n";
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(text, strlen(text), NULL, &graph));
  tw_plan_t *plan = make_plan(graph, "a=8", "tile(arg=x, dim=1, axis=a); infer-propagate");
  tw_program_t *program = NULL;
  assert_ok(tw_program_lower(plan, NULL, &program));
  size_t added = 0;
  for (size_t i = 0; i < tw_program_num_instrs(program); ++i) {
    const tw_instr_view_t instr = instr_of(program, i);
    assert_true(instr.op == TW_NO_OP || instr.op < tw_graph_op_end(graph));
    added += instr.kind == TW_INSTR_COMPUTE && instr.op == TW_NO_OP;
    tw_local_view_t local = {.struct_size = sizeof local};
    if (instr.num_results == 0)
      continue;
    assert_ok(tw_program_local(program, instr.first_result, &local));
    assert_true(local.origin == TW_NO_VALUE || local.origin < tw_graph_value_end(graph));
  }
  assert_true(added > 0);
  assert_int_equal(tw_program_num_collectives(program), 2);
  for (size_t i = 0; i < 2; ++i) {
    const tw_collective_view_t best = collective_of(program, i);
    assert_int_equal(best.value, tw_graph_argument(graph, 0));
    assert_int_equal(best.bytes_received, 7 * 2 * 2 * 4);
    assert_true(best.action < tw_program_num_actions(program));
    tw_blob_t *why = NULL;
    assert_ok(tw_program_explain_collective(program, i, &why));
    assert_contains(tw_blob_data(why), "it was made of these first");
    tw_blob_release(why);
  }
  tw_program_release(program);
  tw_plan_release(plan);
  tw_graph_release(graph);
}

static void test_levels(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "model=4", "tile(arg=w1, dim=1, axis=model); infer-propagate");
  tw_program_t *program = NULL;
  const tw_lower_options_t options = {.struct_size = sizeof options, .levels = "node=2"};
  assert_ok(tw_program_lower(plan, &options, &program));
  const tw_collective_view_t sum = collective_of(program, 0);
  assert_int_equal(sum.num_levels, 2); /* between nodes, and inside one */
  assert_true(sum.bytes_by_level[0] > 0 && sum.bytes_by_level[0] < sum.bytes_by_level[1] * 4);
  assert_string_not_equal(sum.method, "direct");
  assert_true(sum.num_steps > 1);
  tw_program_release(program);
  tw_plan_release(plan);
  tw_graph_release(graph);
}

static void test_unpartitioned(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_program_t *program = NULL;
  assert_ok(tw_program_unpartitioned(graph, &program));
  tw_sharding_t *sharding = NULL;
  assert_ok(tw_program_argument_sharding(program, 0, &sharding));
  assert_int_equal(tw_sharding_is_whole(sharding), 1);
  tw_sharding_release(sharding);
  tw_conflicts_t *conflicts = NULL;
  assert_ok(tw_program_conflicts(program, &conflicts));
  assert_int_equal(tw_conflicts_count(conflicts), 0);
  tw_conflicts_release(conflicts);
  assert_ok(tw_program_disagreements(program, &conflicts));
  tw_conflicts_release(conflicts);
  assert_int_equal(tw_program_num_instrs(NULL), 0);
  assert_int_equal(tw_program_num_locals(NULL), 0);
  assert_int_equal(tw_program_num_actions(NULL), 0);
  tw_program_release(program);
  tw_graph_release(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_instructions), cmocka_unit_test(test_collectives),   cmocka_unit_test(test_added),
      cmocka_unit_test(test_levels),       cmocka_unit_test(test_unpartitioned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
