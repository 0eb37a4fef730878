/* SPDX-License-Identifier: Apache-2.0 */
/* tw_estimate.h: systems, estimates, and that every walk adds up to the totals that the JSON says. */
#include "support.h"

#include <math.h>

static const char SYSTEM[] = "[device] name=small flops.f32=1e9 hbm_bytes=1e6 hbm_bw=1e8 launch_s=1e-3\n"
                             "         library_bytes=5000 round_bytes=512\n"
                             "[axis data] bw=1e6 lat=1e-2 base=0.5\n[axis *] bw=1e5 lat=1e-3\n"
                             "[overlap] slowdown=1.5\n[loops] trip_count=7\n";

static tw_system_t *parse_system(const char *text) {
  tw_system_t *system = NULL;
  assert_ok(tw_system_parse(text, strlen(text), "small.conf", &system));
  return system;
}

static void assert_near(double a, double b) {
  if (fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b)))
    fail_msg("%.17g is not %.17g", a, b);
}

static tw_step_view_t step_of(const tw_estimate_t *estimate, size_t i) {
  tw_step_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_estimate_step(estimate, i, &view));
  return view;
}

static tw_place_view_t place_of(const tw_estimate_t *estimate, size_t i) {
  tw_place_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_estimate_place(estimate, i, &view));
  return view;
}

static tw_estimate_view_t totals_of(const tw_estimate_t *estimate) {
  tw_estimate_view_t view = {.struct_size = sizeof view};
  assert_ok(tw_estimate_totals(estimate, &view));
  return view;
}

/* The totals are those of the JSON, and one with another. */
static void check_totals(const tw_estimate_t *estimate, const tw_program_t *program) {
  const tw_estimate_view_t totals = totals_of(estimate);
  tw_blob_t *json = NULL;
  assert_ok(tw_estimate_json(estimate, &json));
  const char *text = tw_blob_data(json);
  assert_near(number(text, "serial"), totals.serial_s * 1e3);
  assert_near(number(text, "overlapped"), totals.overlapped_s * 1e3);
  assert_near(number(text, "compute_ms"), totals.compute_s * 1e3);
  assert_near(number(text, "memory_bound_ms"), totals.memory_s * 1e3);
  assert_near(number(text, "communication_ms"), totals.communication_s * 1e3);
  assert_near(number(text, "peak_bytes"), (double)totals.peak_bytes);
  assert_near(number(text, "cap_bytes"), (double)totals.cap_bytes);
  assert_contains(text, totals.fits ? "\"fits\": true" : "\"fits\": false");
  assert_int_equal(totals.fits != 0, totals.peak_bytes <= totals.cap_bytes);
  assert_near(totals.serial_s, totals.compute_s + totals.memory_s + totals.communication_s);
  tw_mesh_t *mesh = NULL;
  assert_ok(tw_program_mesh(program, &mesh));
  double axes = 0;
  for (size_t a = 0; a < tw_mesh_num_axes(mesh); ++a) {
    assert_near(number(text, tw_mesh_axis_name(mesh, a)), tw_estimate_axis_seconds(estimate, a) * 1e3);
    axes += tw_estimate_axis_seconds(estimate, a);
  }
  assert_near(axes, totals.communication_s);
  assert_true(tw_estimate_axis_seconds(estimate, tw_mesh_num_axes(mesh)) == 0);
  tw_mesh_release(mesh);
  tw_blob_release(json);
}

static void check_steps(const tw_estimate_t *estimate, const tw_program_t *program) {
  const tw_estimate_view_t totals = totals_of(estimate);
  double sums[3] = {0};
  for (size_t i = 0; i < tw_estimate_num_steps(estimate); ++i) {
    const tw_step_view_t step = step_of(estimate, i);
    assert_in_range(step.bound, TW_BOUND_COMPUTE, TW_BOUND_LINK);
    sums[step.bound] += step.seconds * (double)step.times;
    assert_true(strlen(step.what) > 0 && step.times >= 0 && step.seconds >= 0);
    assert_true(step.begin_s >= 0 && step.lasts_s >= step.seconds * (1 - 1e-9));
    assert_true(step.instr == TW_NO_INSTR || step.instr < tw_program_num_instrs(program));
    assert_int_equal(step.collective != TW_NO_COLLECTIVE, step.bound == TW_BOUND_LINK);
  }
  assert_near(sums[TW_BOUND_COMPUTE], totals.compute_s);
  assert_near(sums[TW_BOUND_MEMORY], totals.memory_s);
  assert_near(sums[TW_BOUND_LINK], totals.communication_s);
}

static void check_collectives(const tw_estimate_t *estimate, const tw_program_t *program) {
  double sum = 0;
  for (size_t i = 0; i < tw_program_num_collectives(program); ++i) {
    tw_collective_cost_view_t cost = {.struct_size = sizeof cost};
    tw_collective_view_t of = {.struct_size = sizeof of};
    assert_ok(tw_estimate_collective(estimate, i, &cost));
    assert_ok(tw_program_collective(program, i, &of));
    assert_int_equal(cost.kind, of.kind);
    assert_int_equal(cost.axes, of.axes);
    sum += cost.seconds * (double)cost.times;
    if (cost.step == TW_NO_STEP) {
      assert_true(cost.times == 0 && cost.seconds == 0 && cost.bytes == 0);
      continue;
    }
    const tw_step_view_t step = step_of(estimate, cost.step);
    assert_int_equal(step.collective, i);
    assert_int_equal(step.instr, of.instr);
    assert_int_equal(step.times, cost.times);
    assert_true(step.seconds == cost.seconds && step.bytes == cost.bytes);
  }
  assert_near(sum, totals_of(estimate).communication_s);
}

static void check_memory(const tw_estimate_t *estimate) {
  const tw_estimate_view_t totals = totals_of(estimate);
  const size_t num_places = tw_estimate_num_places(estimate);
  int64_t most = 0;
  uint32_t steps = 0; /* each stands at one place, in order */
  for (size_t i = 0; i < num_places; ++i) {
    const tw_place_view_t place = place_of(estimate, i);
    most = place.bytes > most ? place.bytes : most;
    assert_true(i > totals.peak_place || place.bytes <= place_of(estimate, totals.peak_place).bytes);
    if (place.step == TW_NO_STEP)
      continue;
    assert_int_equal(place.step, steps++);
    assert_int_equal(place.instr, step_of(estimate, place.step).instr);
  }
  assert_int_equal(steps, tw_estimate_num_steps(estimate));
  assert_int_equal(place_of(estimate, 0).instr, TW_NO_INSTR);
  assert_int_equal(place_of(estimate, num_places - 1).instr, TW_NO_INSTR);
  assert_int_equal(most, place_of(estimate, totals.peak_place).bytes);
  assert_true(most <= totals.peak_bytes);
  int64_t sum = 0, before = INT64_MAX;
  for (size_t i = 0; i < tw_estimate_num_held(estimate); ++i) {
    tw_held_view_t held = {.struct_size = sizeof held};
    assert_ok(tw_estimate_held(estimate, i, &held));
    assert_true(held.bytes > 0 && held.bytes <= before && strlen(held.value) > 0);
    assert_in_range(held.role, TW_ROLE_PARAMETER, TW_ROLE_BUFFER);
    if (held.role == TW_ROLE_PARAMETER || held.role == TW_ROLE_STATE)
      assert_true(held.value[0] != '%'); /* an argument has its name, as tw_graph_value_name gives it */
    before = held.bytes;
    sum += held.bytes;
  }
  assert_int_equal(sum, most);
}

static void check_program(const tw_program_t *program, const tw_system_t *system,
                          const tw_estimate_options_t *options) {
  tw_estimate_t *estimate = NULL;
  assert_ok(tw_program_estimate(program, system, options, &estimate));
  check_totals(estimate, program);
  check_steps(estimate, program);
  check_collectives(estimate, program);
  check_memory(estimate);
  tw_estimate_release(estimate);
}

/* A loop that data end, with a sum over devices in it. */
static tw_program_t *make_looping_program(void) {
  static const char text[] =
      "func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %n: tensor<i32>) -> tensor<8x16xf32> {\n"
      "  %0:3 = stablehlo.while(%a = %x, %v = %w, %i = %n) : tensor<8x16xf32>, tensor<16x16xf32>, "
      "tensor<i32>\n"
      "  cond {\n"
      "    %z = stablehlo.constant dense<0> : tensor<i32>\n"
      "    %p = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %p : tensor<i1>\n"
      "  } do {\n"
      "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "    %j = stablehlo.subtract %i, %one : tensor<i32>\n"
      "    %m = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] :\n"
      "         (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>\n"
      "    %t = stablehlo.tanh %m : tensor<8x16xf32>\n"
      "    stablehlo.return %t, %v, %j : tensor<8x16xf32>, tensor<16x16xf32>, tensor<i32>\n"
      "  }\n"
      "  return %0#0 : tensor<8x16xf32>\n}\n";
  tw_graph_t *graph = NULL;
  assert_ok(tw_graph_import(text, strlen(text), NULL, &graph));
  tw_plan_t *plan =
      make_plan(graph, "data=2,model=2",
                "tile(arg=x, dim=0, axis=data); tile(arg=w, dim=0, axis=model); infer-propagate");
  tw_program_t *program = NULL;
  assert_ok(tw_program_lower(plan, NULL, &program));
  tw_plan_release(plan);
  tw_graph_release(graph);
  return program;
}

static void test_walks_add_up(void **state) {
  (void)state;
  tw_program_t *programs[] = {
      make_mlp_program("data=2,model=4", MLP_SPEC),
      make_mlp_program("data=4,model=2", "tile(arg=x, dim=0, axis=data); tile(arg=w2, dim=0, axis=model);"
                                         "serial(axis=steps, size=2); propagate"),
      make_mlp_program("data=2", "tile(arg=w1, dim=0, axis=data); atomic(arg=x, axis=data); infer-propagate"),
      make_looping_program(),
  };
  tw_system_t *systems[] = {parse_system(SYSTEM), load_system("a100-80g"), load_system("cpu-local")};
  const tw_estimate_options_t options = {
      .struct_size = sizeof options, .cap_bytes = 5000, .trip_count = 3, .donate = 1};
  for (size_t p = 0; p < sizeof programs / sizeof *programs; ++p) {
    for (size_t s = 0; s < sizeof systems / sizeof *systems; ++s) {
      check_program(programs[p], systems[s], NULL);
      check_program(programs[p], systems[s], &options);
    }
    tw_program_release(programs[p]);
  }
  for (size_t s = 0; s < sizeof systems / sizeof *systems; ++s)
    tw_system_release(systems[s]);
}

static void test_steps(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  tw_system_t *system = parse_system(SYSTEM);
  tw_estimate_t *estimate = NULL;
  assert_ok(tw_program_estimate(program, system, NULL, &estimate));
  tw_system_release(system); /* objects keep what they are made of alive */
  tw_program_release(program);
  const tw_step_view_t product = step_of(estimate, 0);
  assert_string_equal(product.what, "dot_general");
  assert_true(product.flops == 2 * 3 * 8 * 3); /* of f32[3,8] and f32[8,3] */
  assert_true(product.bytes == 4 * (3 * 8 + 8 * 3 + 3 * 3));
  assert_near(product.seconds, 1e-3 + product.bytes / 1e8);
  assert_int_equal(product.bound, TW_BOUND_MEMORY);
  assert_int_equal(product.times, 1);
  assert_true(product.begin_s == 0);
  const tw_step_view_t sum = step_of(estimate, tw_estimate_num_steps(estimate) - 1);
  assert_string_equal(sum.what, "all_reduce over model");
  assert_int_equal(sum.collective, 0);
  assert_near(sum.seconds, 2 * 3 * 1e-3 + 2 * (4 * 3 * 8) * 0.75 / 1e5);
  assert_near(totals_of(estimate).overlapped_s, sum.begin_s + sum.lasts_s);
  tw_held_view_t held = {.struct_size = sizeof held};
  assert_ok(tw_estimate_held(estimate, 0, &held));
  assert_int_equal(held.bytes, 4 * 3 * 8);
  assert_int_equal(held.role, TW_ROLE_PARAMETER);

  tw_blob_t *text = NULL;
  assert_ok(tw_estimate_report(estimate, 80, &text));
  assert_contains(tw_blob_data(text), "estimate on small.conf");
  tw_blob_release(text);
  assert_ok(tw_estimate_trace(estimate, &text));
  assert_contains(tw_blob_data(text), "\"traceEvents\"");
  assert_contains(tw_blob_data(text), "\"name\":\"memory\",\"ph\":\"C\"");
  tw_blob_release(text);
  assert_ptr_equal(tw_estimate_retain(estimate), estimate);
  tw_estimate_release(estimate);
  tw_estimate_release(estimate);
  tw_estimate_release(NULL);
  assert_null(tw_estimate_retain(NULL));
}

static void test_systems(void **state) {
  (void)state;
  tw_system_t *system = load_system("a100-40g");
  assert_string_equal(tw_system_name(system), "a100-40g");
  assert_ptr_equal(tw_system_retain(system), system);
  tw_system_release(system);
  tw_system_release(system);
  assert_ok(tw_system_parse(SYSTEM, strlen(SYSTEM), NULL, &system));
  assert_string_equal(tw_system_name(system), "<system>");
  tw_system_release(system);
  tw_system_release(NULL);
  assert_null(tw_system_retain(NULL));
  assert_null(tw_system_name(NULL));

  system = UNTOUCHED(tw_system_t);
  assert_int_equal(tw_system_load("h100-sxn", &system), TW_NOT_FOUND);
  assert_contains(tw_error_message(), "nearest: 'h100-sxm'");
  assert_fails(TW_NOT_FOUND, tw_system_load("", &system));
  assert_int_equal(tw_system_parse("[device]\nflops.f33=1\n", 21, "a.conf", &system), TW_INVALID_ARGUMENT);
  tw_error_t *error = NULL;
  assert_ok(tw_error_take(&error));
  assert_string_equal(tw_error_file(error), "a.conf");
  assert_int_equal(tw_error_line(error), 2);
  assert_int_equal(tw_error_column(error), 1);
  tw_error_release(error);
  assert_fails(TW_INVALID_ARGUMENT, tw_system_parse("", 0, NULL, &system));
  assert_fails(TW_INVALID_ARGUMENT, tw_system_parse("[\xff]", 3, NULL, &system));
  assert_fails(TW_INVALID_ARGUMENT, tw_system_load("\xff", &system));
  assert_null_argument("name_or_file", tw_system_load(NULL, &system));
  assert_null_argument("out_system", tw_system_load("a100-40g", NULL));
  assert_null_argument("text", tw_system_parse(NULL, 0, NULL, &system));
  assert_null_argument("out_system", tw_system_parse(SYSTEM, strlen(SYSTEM), NULL, NULL));
  assert_ptr_equal(system, UNTOUCHED(tw_system_t));
}

static void test_wrong(void **state) {
  (void)state;
  tw_program_t *program = make_mlp_program("data=2,model=4", MLP_SPEC);
  tw_system_t *system = parse_system(SYSTEM);
  tw_estimate_t *estimate = UNTOUCHED(tw_estimate_t);
  tw_estimate_options_t options = {.struct_size = sizeof options, .cap_bytes = -1};
  assert_fails(TW_INVALID_ARGUMENT, tw_program_estimate(program, system, &options, &estimate));
  options.cap_bytes = 0;
  options.trip_count = -1;
  assert_fails(TW_INVALID_ARGUMENT, tw_program_estimate(program, system, &options, &estimate));
  options.struct_size = 0;
  assert_fails(TW_INVALID_ARGUMENT, tw_program_estimate(program, system, &options, &estimate));
  tw_system_t *one_axis = parse_system("[device] flops.f32=1 hbm_bytes=1 hbm_bw=1\n[axis data] bw=1\n");
  assert_fails(TW_NOT_FOUND, tw_program_estimate(program, one_axis, NULL, &estimate));
  tw_system_release(one_axis);
  assert_null_argument("program", tw_program_estimate(NULL, system, NULL, &estimate));
  assert_null_argument("system", tw_program_estimate(program, NULL, NULL, &estimate));
  assert_null_argument("out_estimate", tw_program_estimate(program, system, NULL, NULL));
  assert_ptr_equal(estimate, UNTOUCHED(tw_estimate_t));

  assert_ok(tw_program_estimate(program, system, NULL, &estimate));
  tw_blob_t *text = UNTOUCHED(tw_blob_t);
  assert_null_argument("estimate", tw_estimate_json(NULL, &text));
  assert_null_argument("out_json", tw_estimate_json(estimate, NULL));
  assert_null_argument("estimate", tw_estimate_report(NULL, 0, &text));
  assert_null_argument("out_text", tw_estimate_report(estimate, 0, NULL));
  assert_null_argument("estimate", tw_estimate_trace(NULL, &text));
  assert_null_argument("out_json", tw_estimate_trace(estimate, NULL));
  assert_ptr_equal(text, UNTOUCHED(tw_blob_t));
  tw_estimate_view_t totals = {.struct_size = sizeof totals};
  tw_step_view_t step = {.struct_size = sizeof step};
  tw_collective_cost_view_t cost = {.struct_size = sizeof cost};
  tw_place_view_t place = {.struct_size = sizeof place};
  tw_held_view_t held = {.struct_size = sizeof held};
  assert_null_argument("estimate", tw_estimate_totals(NULL, &totals));
  assert_null_argument("out_view", tw_estimate_totals(estimate, NULL));
  assert_null_argument("estimate", tw_estimate_step(NULL, 0, &step));
  assert_null_argument("out_view", tw_estimate_step(estimate, 0, NULL));
  assert_null_argument("estimate", tw_estimate_collective(NULL, 0, &cost));
  assert_null_argument("out_view", tw_estimate_collective(estimate, 0, NULL));
  assert_null_argument("estimate", tw_estimate_place(NULL, 0, &place));
  assert_null_argument("out_view", tw_estimate_place(estimate, 0, NULL));
  assert_null_argument("estimate", tw_estimate_held(NULL, 0, &held));
  assert_null_argument("out_view", tw_estimate_held(estimate, 0, NULL));
  assert_fails(TW_OUT_OF_RANGE, tw_estimate_step(estimate, tw_estimate_num_steps(estimate), &step));
  assert_fails(TW_OUT_OF_RANGE, tw_estimate_collective(estimate, 1, &cost));
  assert_fails(TW_OUT_OF_RANGE, tw_estimate_place(estimate, tw_estimate_num_places(estimate), &place));
  assert_fails(TW_OUT_OF_RANGE, tw_estimate_held(estimate, tw_estimate_num_held(estimate), &held));
  assert_true(tw_estimate_num_steps(NULL) == 0 && tw_estimate_num_places(NULL) == 0);
  assert_true(tw_estimate_num_held(NULL) == 0 && tw_estimate_axis_seconds(NULL, 0) == 0);
  tw_estimate_release(estimate);
  tw_system_release(system);
  tw_program_release(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_walks_add_up),
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_systems),
      cmocka_unit_test(test_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
