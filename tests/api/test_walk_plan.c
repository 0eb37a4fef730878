/* SPDX-License-Identifier: Apache-2.0 */
/* tw_walk_plan.h: shardings, actions, nests and conflicts of a plan. */
#include "support.h"

static tw_op_t find_op(const tw_graph_t *graph, const char *name, int skip) {
  for (tw_op_t op = 0; op < tw_graph_op_end(graph); ++op) {
    tw_op_view_t view = {.struct_size = sizeof view};
    assert_ok(tw_graph_op(graph, op, &view));
    if (strcmp(view.name, name) == 0 && skip-- == 0)
      return op;
  }
  fail_msg("no %s", name);
  return TW_NO_OP;
}

static tw_loop_view_t loop_of(const tw_plan_t *plan, tw_op_t op, size_t i) {
  tw_loop_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_plan_loop(plan, op, i, &view));
  return view;
}

static void test_shardings(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "data=2,model=4", MLP_SPEC);
  tw_sharding_t *sharding = NULL;
  assert_ok(tw_plan_argument_sharding(plan, 0, &sharding));
  assert_and_release_sharding(sharding, "[{data}, {}]");
  assert_ok(tw_plan_argument_sharding(plan, 1, &sharding));
  tw_dim_sharding_t dim;
  assert_ok(tw_sharding_dim(sharding, 0, &dim));
  assert_int_equal(dim.is_open, 1);
  assert_int_equal(dim.num_axes, 0);
  assert_and_release_sharding(sharding, "[{}, {model}]");
  assert_ok(tw_plan_result_sharding(plan, 0, &sharding));
  assert_and_release_sharding(sharding, "[{data}, {}]");
  /* The second product leaves a sum over model: its users get it so. */
  assert_ok(tw_plan_value_sharding(plan, tw_graph_result(graph, 0), &sharding));
  assert_int_equal(tw_sharding_num_partials(sharding), 1);
  tw_partial_t partial;
  assert_ok(tw_sharding_partial(sharding, 0, &partial));
  assert_string_equal(partial.part.axis, "model");
  assert_int_equal(partial.reduction, TW_REDUCTION_SUM);
  assert_and_release_sharding(sharding, "[{data}, {}] +model");
  /* Every value's object says what tw_plan_sharding says. */
  for (tw_value_t v = 0; v < tw_graph_value_end(graph); ++v) {
    tw_blob_t *name = NULL, *text = NULL;
    assert_ok(tw_graph_value_name(graph, v, &name));
    assert_ok(tw_plan_sharding(plan, tw_blob_data(name), &text));
    assert_ok(tw_plan_value_sharding(plan, v, &sharding));
    assert_and_release_sharding(sharding, tw_blob_data(text));
    tw_blob_release(name);
    tw_blob_release(text);
  }
  sharding = UNTOUCHED(tw_sharding_t);
  assert_fails(TW_OUT_OF_RANGE, tw_plan_value_sharding(plan, TW_NO_VALUE, &sharding));
  assert_fails(TW_OUT_OF_RANGE, tw_plan_argument_sharding(plan, 3, &sharding));
  assert_fails(TW_OUT_OF_RANGE, tw_plan_result_sharding(plan, 1, &sharding));
  assert_ptr_equal(sharding, UNTOUCHED(tw_sharding_t));
  tw_mesh_t *mesh = NULL;
  assert_ok(tw_plan_mesh(plan, &mesh));
  assert_string_equal(tw_mesh_axis_name(mesh, 1), "model");
  tw_mesh_release(mesh);
  tw_plan_release(plan);
  tw_graph_release(graph);
}

static void test_nests(void **state) {
  (void)state;
  tw_graph_t *graph = make_mlp();
  tw_plan_t *plan = make_plan(graph, "data=2,model=4", MLP_SPEC);
  const tw_op_t first = find_op(graph, "stablehlo.dot_general", 0),
                second = find_op(graph, "stablehlo.dot_general", 1);
  assert_int_equal(tw_plan_num_loops(plan, second), 2);
  int tiled = 0, reduced = 0;
  for (size_t i = 0; i < 2; ++i) {
    const tw_loop_view_t loop = loop_of(plan, second, i);
    int32_t operands[2], results[1];
    assert_ok(tw_plan_loop_dims(plan, second, i, operands, results));
    assert_ok(tw_plan_loop_dims(plan, second, i, NULL, NULL));
    assert_int_equal(results[0], loop.dim);
    if (strcmp(loop.axis, "data") == 0) {
      ++tiled;
      assert_int_equal(loop.kind, TW_LOOP_TILE);
      assert_int_equal(loop.dim, 0);
      assert_int_equal(operands[0], 0);
      assert_int_equal(operands[1], -1);
    } else {
      ++reduced;
      assert_string_equal(loop.axis, "model");
      assert_int_equal(loop.kind, TW_LOOP_REDUCE);
      assert_int_equal(loop.reduction, TW_REDUCTION_SUM);
      assert_int_equal(loop.dim, -1);
      assert_int_equal(operands[0], 1);
      assert_int_equal(operands[1], 0);
      assert_int_not_equal(loop.cause, TW_NO_OP);
    }
  }
  assert_true(tiled == 1 && reduced == 1);

  /* The action behind a loop is a line of the spec; the loop of the argument stands there by itself. */
  tw_value_view_t x = {.struct_size = sizeof x};
  assert_ok(tw_graph_value(graph, tw_graph_argument(graph, 0), &x));
  const tw_loop_view_t given = loop_of(plan, x.op, 0);
  assert_int_equal(given.cause, TW_NO_OP);
  tw_action_view_t action = {.struct_size = sizeof action};
  assert_ok(tw_plan_action(plan, given.action, &action));
  assert_contains(action.text, "tile(arg=x");
  assert_string_equal(action.file, "spec.txt");
  assert_int_equal(action.line, 1);
  assert_int_equal(tw_plan_num_actions(plan), 4); /* the module's, two tiles, propagation */
  assert_fails(TW_OUT_OF_RANGE, tw_plan_action(plan, 4, &action));

  assert_ok(tw_plan_atomic(plan, "w2", "data"));
  assert_ok(tw_graph_value(graph, tw_graph_argument(graph, 2), &x));
  const size_t last = tw_plan_num_loops(plan, x.op) - 1;
  assert_int_equal(loop_of(plan, x.op, last).kind, TW_LOOP_WHOLE);

  tw_loop_view_t view = {.struct_size = sizeof view};
  assert_fails(TW_OUT_OF_RANGE, tw_plan_loop(plan, first, 9, &view));
  assert_fails(TW_OUT_OF_RANGE, tw_plan_loop(plan, TW_NO_OP, 0, &view));
  assert_int_equal(tw_plan_num_loops(plan, TW_NO_OP), 0);
  assert_int_equal(tw_plan_num_loops(NULL, 0), 0);
  tw_plan_release(plan);
  tw_graph_release(graph);
}

static tw_conflict_view_t conflict_of(const tw_conflicts_t *conflicts, size_t i) {
  tw_conflict_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_conflicts_view(conflicts, i, &view));
  return view;
}

/* x + y where one is tiled along its rows and the other along its columns: a tie. */
static void test_conflicts(void **state) {
  (void)state;
  tw_builder_t *b = new_builder("tie");
  const tw_value_t x = tw_builder_argument(b, "x", TW_F32, DIMS(8, 8));
  const tw_value_t y = tw_builder_argument(b, "y", TW_F32, DIMS(8, 8));
  tw_builder_result(b, "z", tw_builder_binary(b, "add", x, y));
  tw_graph_t *graph = finish(b);
  tw_plan_t *plan =
      make_plan(graph, "a=2", "tile(arg=x, dim=0, axis=a); tile(arg=y, dim=1, axis=a); propagate");
  tw_program_t *program = NULL;
  assert_ok(tw_program_lower(plan, NULL, &program));
  for (int of_program = 0; of_program < 2; ++of_program) {
    tw_conflicts_t *conflicts = NULL;
    assert_ok(of_program ? tw_program_conflicts(program, &conflicts) : tw_plan_conflicts(plan, &conflicts));
    assert_int_equal(tw_conflicts_count(conflicts), tw_plan_num_conflicts(plan));
    assert_int_equal(tw_conflicts_count(conflicts), 1);
    const tw_conflict_view_t tie = conflict_of(conflicts, 0);
    assert_int_equal(tie.kind, TW_CONFLICT_TIE);
    assert_string_equal(tie.axis, "a");
    assert_int_equal(tie.op, find_op(graph, "stablehlo.add", 0));
    assert_int_equal(tie.value, tw_graph_result(graph, 0));
    assert_contains(tie.text, "tile 0");
    assert_int_equal(tie.num_ways, 2);
    int dims = 0;
    for (size_t way = 0; way < 2; ++way) {
      tw_way_view_t view = {.struct_size = sizeof view};
      assert_ok(tw_conflicts_way(conflicts, 0, way, &view));
      assert_int_equal(view.kind, TW_LOOP_TILE);
      dims |= 1 << view.dim;
      assert_int_not_equal(view.source, TW_NO_OP);
      tw_action_view_t action = {.struct_size = sizeof action};
      assert_ok(tw_plan_action(plan, view.action, &action));
      assert_contains(action.text, view.dim == 0 ? "arg=x" : "arg=y");
      if (of_program)
        assert_true(view.bytes > 0);
      else
        assert_int_equal(view.bytes, -1);
    }
    assert_int_equal(dims, 3);
    tw_way_view_t view = {.struct_size = sizeof view};
    assert_fails(TW_OUT_OF_RANGE, tw_conflicts_way(conflicts, 0, 2, &view));
    tw_conflict_view_t none = {.struct_size = sizeof none};
    assert_fails(TW_OUT_OF_RANGE, tw_conflicts_view(conflicts, 1, &none));
    tw_conflicts_release(tw_conflicts_retain(conflicts));
    tw_conflicts_release(conflicts);
  }
  tw_plan_release(plan);
  /* Decided one way or the other, the sum disagrees with one of its operands. */
  const char *spec = "tile(arg=x, dim=0, axis=a); tile(arg=y, dim=1, axis=a); infer-propagate";
  const tw_plan_options_t options = {.struct_size = sizeof options, .policy = "shardy"};
  tw_mesh_t *mesh = make_mesh("a=2");
  assert_ok(tw_plan_create(graph, mesh, &options, &plan));
  tw_mesh_release(mesh);
  assert_ok(tw_plan_apply(plan, spec, strlen(spec), NULL));
  assert_int_equal(tw_plan_num_conflicts(plan), 0);
  tw_conflicts_t *conflicts = NULL;
  assert_ok(tw_plan_disagreements(plan, &conflicts));
  assert_int_equal(tw_conflicts_count(conflicts), 1);
  const tw_conflict_view_t mismatch = conflict_of(conflicts, 0);
  assert_int_equal(mismatch.kind, TW_CONFLICT_MISMATCH);
  assert_int_equal(mismatch.num_ways, 2);
  tw_conflicts_release(conflicts);
  assert_int_equal(tw_conflicts_count(NULL), 0);
  assert_null_argument("plan", tw_plan_conflicts(NULL, &conflicts));
  tw_program_release(program);
  tw_plan_release(plan);
  tw_graph_release(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shardings),
      cmocka_unit_test(test_nests),
      cmocka_unit_test(test_conflicts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
