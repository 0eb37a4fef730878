/* SPDX-License-Identifier: Apache-2.0 */
/* tw_device.h and tw_cuda.h: arrays on devices, streams, runs in their order, DLPack. On detached devices,
 * and with TW_TEST_KIND=cuda on GPUs or on a double of the driver. Longer than other files: one
 * test for each group of calls, each with empty arrays too. */
#define TW_DLPACK_STRUCTS 1
#include "support.h"

#include <tilewright/tw_cuda.h>
#include <tilewright/tw_dlpack.h>

static const char *kind(void) {
  const char *given = getenv("TW_TEST_KIND");
  return given ? given : "detached";
}
static int is_cuda(void) { return strcmp(kind(), "cuda") == 0; }

static tw_executable_t *make_on(const char *device, int32_t in_place, const char *mesh, const char *spec) {
  tw_program_t *program = make_mlp_program(mesh, spec);
  const tw_executable_options_t options = {
      .struct_size = sizeof options, .device = device, .in_place = in_place, .workers = 1};
  tw_executable_t *exe = NULL;
  assert_ok(tw_executable_create(program, &options, &exe));
  tw_program_release(program);
  return exe;
}

/* The same array on device 0. */
static tw_tensor_t *on_device(const tw_tensor_t *host) {
  size_t rank = 0;
  const int64_t *dims = tw_tensor_dims(host, &rank);
  tw_tensor_t *made = NULL;
  assert_ok(tw_tensor_create_on(kind(), 0, tw_tensor_dtype(host), dims, rank, &made));
  assert_ok(tw_tensor_copy(made, host, NULL));
  return made;
}

/* What the host gives for these arrays. */
static void expect(const struct mlp_arrays *a, float *out) {
  tw_executable_t *exe = make_on(NULL, 0, "", "");
  tw_tensor_t *result = make_tensor(TW_F32, DIMS(6, 8), "zeros", 0);
  assert_ok(tw_executable_run(exe, MLP_INPUTS(*a), &result, 1));
  memcpy(out, tw_tensor_data(result), 48 * sizeof *out);
  tw_tensor_release(result);
  tw_executable_release(exe);
}

static void assert_close(const tw_tensor_t *got, const float *expected) {
  const float *values = tw_tensor_const_data(got);
  for (int i = 0; i < 48; ++i)
    if (!(values[i] - expected[i] < 1e-4f && expected[i] - values[i] < 1e-4f))
      fail_msg("element %d is %g, not %g", i, (double)values[i], (double)expected[i]);
}

static void test_tensors(void **state) {
  (void)state;
  int32_t count = 0, number = 9;
  assert_ok(tw_device_count(kind(), &count));
  assert_true(count >= 1);
  tw_tensor_t *host = make_tensor(TW_F32, DIMS(3, 5), "iota", 0), *device = on_device(host);
  assert_string_equal(tw_tensor_device(device, &number), kind());
  assert_int_equal(number, 0);
  assert_string_equal(tw_tensor_device(host, &number), "host");
  assert_string_equal(tw_tensor_device(NULL, NULL), "host");
  assert_non_null(tw_tensor_address(device));
  assert_ptr_equal(tw_tensor_address(host), tw_tensor_data(host));
  assert_null(tw_tensor_data(device));
  assert_null(tw_tensor_const_data(device));
  size_t rank = 9;
  assert_null(tw_tensor_strides(device, &rank));
  assert_int_equal(rank, 0);
  tw_tensor_t *again = make_tensor(TW_F32, DIMS(3, 5), "zeros", 0), *other = on_device(again);
  assert_ok(tw_tensor_copy(other, device, NULL)); /* within the device */
  assert_ok(tw_tensor_copy(again, other, NULL));
  assert_memory_equal(tw_tensor_data(again), tw_tensor_data(host), 60);
  assert_ok(tw_tensor_fill(again, "zeros", 0, 0));
  assert_ok(tw_tensor_copy(again, host, NULL)); /* on the host */
  assert_memory_equal(tw_tensor_data(again), tw_tensor_data(host), 60);

  /* What reads or writes elements on the host says no. */
  tw_comparison_t comparison = {.struct_size = sizeof comparison};
  assert_fails(TW_FAILED_PRECONDITION, tw_tensor_fill(device, "ones", 0, 0));
  assert_fails(TW_FAILED_PRECONDITION, tw_tensor_compare(device, host, 1, &comparison));
  assert_fails(TW_FAILED_PRECONDITION, tw_tensor_compare(host, device, 1, &comparison));
  tw_tensor_t *shorter = make_tensor(TW_F32, DIMS(3, 4), "iota", 0);
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_copy(shorter, device, NULL));
  tw_tensor_t *none = UNTOUCHED(tw_tensor_t);
  assert_fails(TW_NOT_FOUND, tw_tensor_create_on(kind(), 1000, TW_F32, DIMS(2), &none));
  assert_fails(TW_NOT_FOUND, tw_tensor_create_on("abacus", 0, TW_F32, DIMS(2), &none));
  assert_null_argument("kind", tw_tensor_create_on(NULL, 0, TW_F32, DIMS(2), &none));
  assert_ptr_equal(none, UNTOUCHED(tw_tensor_t));
  tw_tensor_release(shorter);
  tw_tensor_release(other);
  tw_tensor_release(again);
  tw_tensor_release(device);
  tw_tensor_release(host);
}

static int destroyed;
static void count_destroy(void *user) { ++*(int *)user; }

/* Memory of the program, turned around: the view of a transposed array. */
static void test_strides(void **state) {
  (void)state;
  tw_tensor_t *host = make_tensor(TW_F32, DIMS(3, 5), "iota", 0), *device = on_device(host), *turned = NULL;
  const int64_t strides[] = {1, 5};
  destroyed = 0;
  assert_ok(tw_tensor_wrap_on(kind(), 0, TW_F32, DIMS(5, 3), strides, tw_tensor_address(device),
                              count_destroy, &destroyed, &turned));
  size_t rank = 0;
  assert_int_equal(tw_tensor_strides(turned, &rank)[1], 5);
  assert_int_equal(rank, 2);
  tw_tensor_t *got = make_tensor(TW_F32, DIMS(5, 3), "zeros", 0);
  assert_ok(tw_tensor_copy(got, turned, NULL));
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 3; ++k)
      assert_true(((const float *)tw_tensor_data(got))[i * 3 + k] == (float)(k * 5 + i));
  assert_ok(tw_tensor_fill(got, "ones", 0, 0));
  assert_ok(tw_tensor_copy(turned, got, NULL)); /* and back */
  assert_ok(tw_tensor_copy(host, device, NULL));
  for (int i = 0; i < 15; ++i)
    assert_true(((const float *)tw_tensor_data(host))[i] == 1);
  tw_tensor_t *none = UNTOUCHED(tw_tensor_t);
  const int64_t far[] = {INT64_MAX, 1}, same[] = {0, 0};
  assert_fails(TW_OUT_OF_RANGE, tw_tensor_wrap_on(kind(), 0, TW_F32, DIMS(5, 3), far,
                                                  tw_tensor_address(device), NULL, NULL, &none));
  assert_fails(TW_UNIMPLEMENTED, tw_tensor_wrap_on("host", 0, TW_F32, DIMS(5, 3), strides,
                                                   tw_tensor_data(host), NULL, NULL, &none));
  assert_ptr_equal(none, UNTOUCHED(tw_tensor_t));
  tw_tensor_t *one = NULL;
  assert_ok(
      tw_tensor_wrap_on(kind(), 0, TW_F32, DIMS(5, 3), same, tw_tensor_address(device), NULL, NULL, &one));
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_copy(one, got, NULL)); /* no index has its own element */
  tw_tensor_release(one);
  assert_int_equal(destroyed, 0);
  tw_tensor_release(turned);
  assert_int_equal(destroyed, 1);
  tw_tensor_release(got);
  tw_tensor_release(device);
  tw_tensor_release(host);
}

/* Commands of two queues, each behind the other's. */
static void test_streams(void **state) {
  (void)state;
  tw_stream_t *first = NULL, *second = NULL;
  tw_event_t *event = NULL;
  assert_ok(tw_stream_create(kind(), 0, &first));
  assert_ok(tw_stream_create(kind(), 0, &second));
  assert_ok(tw_event_create(kind(), 0, &event));
  int reached = 0;
  assert_ok(tw_event_test(event, &reached));
  assert_int_equal(reached, 1); /* nobody has recorded it */
  assert_string_equal(tw_stream_device(first, NULL), kind());
  assert_true(is_cuda() == (tw_stream_native(first) != NULL));
  for (int round = 0; round < 50; ++round) {
    tw_tensor_t *host = make_tensor(TW_F32, DIMS(64, 64), "iota", 0), *a = NULL, *b = NULL;
    tw_tensor_t *got = make_tensor(TW_F32, DIMS(64, 64), "zeros", 0);
    assert_ok(tw_tensor_create_on(kind(), 0, TW_F32, DIMS(64, 64), &a));
    assert_ok(tw_tensor_create_on(kind(), 0, TW_F32, DIMS(64, 64), &b));
    assert_ok(tw_tensor_copy(a, host, first));
    if (round % 2) { /* an event of the program */
      assert_ok(tw_event_record(event, first));
      assert_ok(tw_event_await(event, second));
    } else { /* the tensor's own */
      assert_ok(tw_tensor_await(a, second));
    }
    assert_ok(tw_tensor_copy(b, a, second));
    assert_ok(tw_tensor_written(b, second));
    assert_ok(tw_tensor_copy(got, b, first)); /* behind what makes b */
    tw_tensor_release(a);                     /* kept as long as they are used */
    tw_tensor_release(b);
    if (round % 3)
      assert_ok(tw_tensor_await(got, NULL));
    else
      assert_ok(tw_stream_wait(first));
    assert_memory_equal(tw_tensor_const_data(got), tw_tensor_const_data(host), 64 * 64 * 4);
    tw_comparison_t comparison = {.struct_size = sizeof comparison};
    assert_ok(tw_tensor_compare(got, host, 1, &comparison));
    assert_true(comparison.bit_equal);
    tw_tensor_release(got);
    tw_tensor_release(host);
  }
  tw_stream_t *none = UNTOUCHED(tw_stream_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_stream_create("host", 0, &none));
  assert_ptr_equal(none, UNTOUCHED(tw_stream_t));
  assert_ptr_equal(tw_stream_retain(first), first);
  tw_stream_release(first);
  assert_ptr_equal(tw_event_retain(event), event);
  tw_event_release(event);
  tw_event_release(event);
  tw_stream_release(first);
  tw_stream_release(second);
  tw_stream_release(NULL);
  tw_event_release(NULL);
}

/* Queues come to the records of one event in any order: a wait is for the last, and every queue ends. */
static void test_event_of_two_streams(void **state) {
  (void)state;
  for (int round = 0; round < 500; ++round) {
    tw_stream_t *first = NULL, *second = NULL;
    tw_event_t *event = NULL;
    assert_ok(tw_stream_create(kind(), 0, &first));
    assert_ok(tw_stream_create(kind(), 0, &second));
    assert_ok(tw_event_create(kind(), 0, &event));
    assert_ok(tw_event_record(event, first));
    assert_ok(tw_event_record(event, second));
    assert_ok(tw_event_await(event, first));
    int reached = 0;
    while (round % 2 && !reached)
      assert_ok(tw_event_test(event, &reached));
    if (round % 3 == 0) {
      assert_ok(tw_stream_wait(second));
      assert_ok(tw_stream_wait(first));
      assert_ok(tw_event_test(event, &reached));
      assert_int_equal(reached, 1);
    }
    tw_stream_release(first);
    tw_stream_release(second);
    tw_event_release(event);
  }
}

/* An executable that takes an array of `size` elements apart on four devices and turns it around. */
static tw_executable_t *make_turning(int64_t size, const char *rule, const tw_executable_options_t *options) {
  tw_builder_t *b = new_builder("turning");
  const int64_t dims[] = {0};
  const tw_attr_t attr = {.name = "dimensions", .kind = TW_ATTR_INTS, .ints = dims, .num_ints = 1};
  const tw_value_t x = tw_builder_donated_argument(b, "x", TW_F32, &size, 1, 0);
  const tw_value_t turned = tw_builder_add(b, "stablehlo.reverse", &x, 1, &attr, 1, NULL, 0);
  tw_builder_result(b, "y", turned);
  tw_builder_result(b, "z", tw_builder_unary(b, "stablehlo.negate", x));
  tw_graph_t *graph = finish(b);
  char spec[200];
  snprintf(spec, sizeof spec, "split(arg=x, dim=0, axis=d, rule=%s); shard(result=0, [{}]); infer-propagate",
           rule);
  tw_plan_t *plan = make_plan(graph, "d=4", spec);
  tw_program_t *program = NULL;
  tw_executable_t *exe = NULL;
  assert_ok(tw_program_lower(plan, NULL, &program));
  assert_ok(tw_executable_create(program, options, &exe));
  tw_program_release(program);
  tw_plan_release(plan);
  tw_graph_release(graph);
  return exe;
}

/* Some devices have no element: what is read in place there is read nowhere. */
static void test_empty_tiles(void **state) {
  (void)state;
  const char *const rules[] = {"ceil", "balanced"};
  for (int64_t size = 0; size < 6; ++size)
    for (int variant = 0; variant < 16; ++variant) {
      const tw_executable_options_t options = {.struct_size = sizeof options,
                                               .device = kind(),
                                               .in_place = variant & 1,
                                               .donate = variant >> 1 & 1,
                                               .workers = 1};
      tw_executable_t *exe = make_turning(size, rules[variant >> 2 & 1], &options);
      tw_tensor_t *host = make_tensor(TW_F32, &size, 1, "iota", 0), *x = on_device(host);
      tw_tensor_t *out[] = {make_tensor(TW_F32, &size, 1, "ones", 0),
                            make_tensor(TW_F32, &size, 1, "ones", 0)};
      tw_tensor_t *there[] = {on_device(out[0]), on_device(out[1])};
      const tw_tensor_t *const in = x;
      for (int run = 0; run < 3; ++run) {
        assert_ok(tw_tensor_copy(x, host, NULL));
        if (variant >> 3) {
          assert_ok(tw_executable_run(exe, &in, 1, there, 2));
          for (int i = 0; i < 2; ++i)
            assert_ok(tw_tensor_copy(out[i], there[i], NULL));
        } else {
          assert_ok(tw_executable_run(exe, &in, 1, out, 2));
        }
        for (int64_t i = 0; i < size; ++i) {
          assert_true(((const float *)tw_tensor_const_data(out[0]))[i] == (float)(size - 1 - i));
          assert_true(((const float *)tw_tensor_const_data(out[1]))[i] == (float)-i);
        }
      }
      for (int i = 0; i < 2; ++i) {
        tw_tensor_release(out[i]);
        tw_tensor_release(there[i]);
      }
      tw_tensor_release(x);
      tw_tensor_release(host);
      tw_executable_release(exe);
    }
}

/* Every call takes an array without elements. */
static void test_empty_arrays(void **state) {
  (void)state;
  tw_stream_t *stream = NULL;
  assert_ok(tw_stream_create(kind(), 0, &stream));
  tw_tensor_t *host = make_tensor(TW_F32, DIMS(3, 0), "zeros", 0), *made = NULL, *wrapped = NULL,
              *turned = NULL;
  const int64_t strides[] = {1, 3};
  assert_ok(tw_tensor_create_on(kind(), 0, TW_F32, DIMS(3, 0), &made));
  assert_ok(tw_tensor_wrap_on(kind(), 0, TW_F32, DIMS(3, 0), NULL, NULL, NULL, NULL, &wrapped));
  assert_ok(tw_tensor_wrap_on(kind(), 0, TW_F32, DIMS(3, 0), strides, NULL, NULL, NULL, &turned));
  tw_tensor_t *const all[] = {host, made, wrapped, turned};
  for (int to = 0; to < 4; ++to)
    for (int from = 0; from < 4; ++from) {
      assert_ok(tw_tensor_copy(all[to], all[from], NULL));
      if (to != 0 || from != 0)
        assert_ok(tw_tensor_copy(all[to], all[from], stream));
    }
  for (int i = 1; i < 4; ++i) {
    int32_t number = 9;
    assert_string_equal(tw_tensor_device(all[i], &number), kind());
    assert_null(tw_tensor_strides(all[i], NULL));
    assert_ok(tw_tensor_written(all[i], stream));
    assert_ok(tw_tensor_await(all[i], stream));
    assert_ok(tw_tensor_await(all[i], NULL));
  }
  assert_null(tw_tensor_address(wrapped));
  for (int32_t in_place = 0; in_place < 2; ++in_place) {
    const tw_executable_options_t options = {
        .struct_size = sizeof options, .device = kind(), .in_place = in_place, .workers = 1};
    tw_executable_t *exe = make_turning(0, "balanced", &options);
    tw_tensor_t *x = NULL, *y = NULL, *z = NULL;
    assert_ok(tw_tensor_wrap_on(kind(), 0, TW_F32, DIMS(0), NULL, NULL, NULL, NULL, &x));
    assert_ok(tw_tensor_wrap_on(kind(), 0, TW_F32, DIMS(0), NULL, NULL, NULL, NULL, &y));
    assert_ok(tw_tensor_create_on(kind(), 0, TW_F32, DIMS(0), &z));
    tw_tensor_t *out[] = {y, z};
    tw_run_t *run = NULL;
    const tw_run_options_t order = {.struct_size = sizeof order, .stream = stream};
    assert_ok(tw_executable_run(exe, (const tw_tensor_t *const *)&x, 1, out, 2));
    assert_ok(tw_run_start_with(exe, (const tw_tensor_t *const *)&x, 1, out, 2, &order, &run));
    assert_ok(tw_stream_wait(stream));
    assert_ok(tw_run_wait(run));
    tw_run_release(run);
    tw_tensor_release(x);
    tw_tensor_release(y);
    tw_tensor_release(z);
    tw_executable_release(exe);
  }
  assert_ok(tw_stream_wait(stream));
  for (int i = 0; i < 4; ++i)
    tw_tensor_release(all[i]);
  tw_stream_release(stream);
}

/* Outputs on a device may be parts of one array, but no element may be of two. */
static void test_outputs_apart(void **state) {
  (void)state;
  const tw_executable_options_t options = {.struct_size = sizeof options, .device = kind(), .workers = 1};
  tw_executable_t *exe = make_turning(4, "balanced", &options);
  tw_tensor_t *host = make_tensor(TW_F32, DIMS(4), "iota", 0), *x = on_device(host);
  tw_tensor_t *both_host = make_tensor(TW_F32, DIMS(8), "zeros", 0), *both = on_device(both_host);
  float *const address = tw_tensor_address(both);
  const int64_t two = 2;
  for (int64_t begin = 0; begin < 4; ++begin) { /* every second element from 0 on, and from `begin` on */
    tw_tensor_t *out[] = {NULL, NULL};
    assert_ok(tw_tensor_wrap_on(kind(), 0, TW_F32, DIMS(4), &two, address, NULL, NULL, &out[0]));
    assert_ok(tw_tensor_wrap_on(kind(), 0, TW_F32, DIMS(4), begin % 2 ? &two : NULL, address + begin, NULL,
                                NULL, &out[1]));
    if (begin == 1) {
      assert_ok(tw_executable_run(exe, (const tw_tensor_t *const *)&x, 1, out, 2));
      assert_ok(tw_tensor_copy(both_host, both, NULL));
      for (int i = 0; i < 4; ++i) {
        assert_true(((const float *)tw_tensor_const_data(both_host))[2 * i] == (float)(3 - i));
        assert_true(((const float *)tw_tensor_const_data(both_host))[2 * i + 1] == (float)-i);
      }
    } else if (begin != 3) { /* which would end behind the array */
      assert_int_equal(tw_executable_run(exe, (const tw_tensor_t *const *)&x, 1, out, 2),
                       TW_INVALID_ARGUMENT);
      assert_contains(tw_error_message(), "z has memory of y");
    }
    tw_tensor_release(out[0]);
    tw_tensor_release(out[1]);
  }
  tw_tensor_release(both);
  tw_tensor_release(both_host);
  tw_tensor_release(x);
  tw_tensor_release(host);
  tw_executable_release(exe);
}

static void test_runs(void **state) {
  (void)state;
  for (int in_place = 0; in_place < 2; ++in_place) {
    tw_executable_t *exe = make_on(kind(), in_place, "data=2,model=4", MLP_SPEC);
    struct mlp_arrays a = make_mlp_arrays(1, "iota");
    float expected[48];
    expect(&a, expected);
    tw_tensor_t *in[3], *out = on_device(a.out);
    for (int i = 0; i < 3; ++i)
      in[i] = on_device(a.in[i]);
    assert_ok(tw_executable_run(exe, (const tw_tensor_t *const *)in, 3, &out, 1));
    assert_ok(tw_tensor_copy(a.out, out, NULL));
    assert_close(a.out, expected);
    /* Some arrays here, some there. */
    const tw_tensor_t *mixed[] = {in[0], a.in[1], in[2]};
    assert_ok(tw_tensor_fill(a.out, "zeros", 0, 0));
    assert_ok(tw_executable_run(exe, mixed, 3, &a.out, 1));
    assert_close(a.out, expected);
    tw_executable_t *host = make_on(NULL, 0, "", "");
    assert_fails(TW_INVALID_ARGUMENT, tw_executable_run(host, mixed, 3, &a.out, 1));
    tw_executable_release(host);
    tw_graph_t *graph = make_mlp();
    assert_fails(TW_FAILED_PRECONDITION, tw_graph_evaluate(graph, mixed, 3, &a.out, 1));
    assert_close(a.out, expected);
    tw_graph_release(graph);
    for (int i = 0; i < 3; ++i)
      tw_tensor_release(in[i]);
    tw_tensor_release(out);
    release_mlp_arrays(&a);
    tw_executable_release(exe);
  }
}

/* Inputs are on their way when the run is begun, and nobody waits on the host before the end. */
static void test_stream_order(void **state) {
  (void)state;
  tw_executable_t *exe = make_on(kind(), 1, "data=2,model=4", MLP_SPEC);
  struct mlp_arrays a = make_mlp_arrays(1, "iota");
  float expected[48];
  expect(&a, expected);
  tw_stream_t *stream = NULL;
  assert_ok(tw_stream_create(kind(), 0, &stream));
  for (int round = 0; round < 30; ++round) {
    tw_tensor_t *in[3], *out = on_device(a.out);
    for (int i = 0; i < 3; ++i) {
      size_t rank = 0;
      const int64_t *dims = tw_tensor_dims(a.in[i], &rank);
      assert_ok(tw_tensor_create_on(kind(), 0, TW_F32, dims, rank, &in[i]));
      assert_ok(tw_tensor_copy(in[i], a.in[i], stream));
    }
    const tw_run_options_t options = {sizeof options, round % 2 ? stream : NULL};
    tw_run_t *run = NULL;
    assert_ok(tw_run_start_with(exe, (const tw_tensor_t *const *)in, 3, &out, 1, &options, &run));
    tw_tensor_t *got = make_tensor(TW_F32, DIMS(6, 8), "zeros", 0);
    if (!options.stream)
      assert_ok(tw_run_wait(run));
    assert_ok(tw_tensor_copy(got, out, stream));
    assert_ok(tw_tensor_await(got, NULL));
    assert_close(got, expected);
    assert_ok(tw_run_wait(run));
    tw_run_release(run);
    for (int i = 0; i < 3; ++i)
      tw_tensor_release(in[i]);
    tw_tensor_release(got);
    tw_tensor_release(out);
  }
  tw_executable_t *host = make_on(NULL, 0, "", "");
  const tw_run_options_t options = {sizeof options, stream};
  tw_run_t *none = UNTOUCHED(tw_run_t);
  assert_fails(TW_INVALID_ARGUMENT, tw_run_start_with(host, MLP_INPUTS(a), &a.out, 1, &options, &none));
  assert_ptr_equal(none, UNTOUCHED(tw_run_t));
  tw_executable_release(host);
  tw_stream_release(stream);
  release_mlp_arrays(&a);
  tw_executable_release(exe);
}

static int deleted;
static void delete_versioned(DLManagedTensorVersioned *self) {
  (void)self;
  ++deleted;
}

static void test_dlpack(void **state) {
  (void)state;
  tw_tensor_t *host = make_tensor(TW_F32, DIMS(3, 4), "iota", 0), *device = on_device(host);
  DLManagedTensorVersioned *managed = NULL;
  assert_ok(tw_tensor_to_dlpack_versioned(device, &managed));
  assert_int_equal(managed->dl_tensor.device.device_type, is_cuda() ? 2 : 12);
  assert_int_equal(managed->dl_tensor.device.device_id, 0);
  assert_ptr_equal(managed->dl_tensor.data, tw_tensor_address(device));
  tw_tensor_release(device); /* the struct keeps it */
  /* Its second and third column, of which the deleter is counted. */
  int64_t shape[] = {3, 2}, strides[] = {4, 1};
  DLManagedTensorVersioned part = *managed;
  part.dl_tensor.shape = shape;
  part.dl_tensor.strides = strides;
  part.dl_tensor.byte_offset = 4;
  part.deleter = delete_versioned;
  tw_tensor_t *columns = NULL, *got = make_tensor(TW_F32, DIMS(3, 2), "zeros", 0);
  deleted = 0;
  assert_ok(tw_tensor_from_dlpack_versioned(&part, &columns));
  assert_string_equal(tw_tensor_device(columns, NULL), kind());
  assert_ok(tw_tensor_copy(got, columns, NULL));
  for (int i = 0; i < 6; ++i)
    assert_true(((const float *)tw_tensor_data(got))[i] == (float)(i / 2 * 4 + 1 + i % 2));
  DLManagedTensor *plain = NULL;
  assert_ok(tw_tensor_to_dlpack(columns, &plain)); /* strides and device stay */
  assert_int_equal(plain->dl_tensor.strides[0], 4);
  assert_int_equal(plain->dl_tensor.device.device_type, is_cuda() ? 2 : 12);
  tw_tensor_release(columns);
  assert_int_equal(deleted, 0);
  plain->deleter(plain);
  assert_int_equal(deleted, 1);
  part.dl_tensor.device.device_type = 8; /* Metal */
  assert_fails(TW_UNIMPLEMENTED, tw_tensor_from_dlpack_versioned(&part, &columns));
  part.dl_tensor.device = (DLDevice){is_cuda() ? 2 : 12, 1000};
  assert_fails(TW_NOT_FOUND, tw_tensor_from_dlpack_versioned(&part, &columns));
  assert_int_equal(deleted, 1);
  managed->deleter(managed);
  tw_tensor_release(got);
  tw_tensor_release(host);
}

/* Without a driver every call about GPUs says what is missing, and changes nothing. */
static void test_no_gpu(void **state) {
  (void)state;
  int32_t count = 7;
  if (tw_device_count("cuda", &count) == TW_OK)
    skip();
  assert_int_equal(count, 7);
  assert_fails(TW_UNAVAILABLE, tw_device_count("cuda", &count));
  tw_gpu_facts_t facts = {.struct_size = sizeof facts, .bytes = 7};
  assert_fails(TW_UNAVAILABLE, tw_cuda_describe(0, &facts));
  assert_int_equal(facts.bytes, 7);
  assert_fails(TW_UNAVAILABLE, tw_cuda_limit_memory(0, 1 << 20));
  assert_fails(TW_UNAVAILABLE, tw_cuda_set_allocator(0, NULL));
  tw_stream_t *stream = UNTOUCHED(tw_stream_t);
  tw_event_t *event = UNTOUCHED(tw_event_t);
  tw_tensor_t *tensor = UNTOUCHED(tw_tensor_t);
  int native = 0;
  assert_fails(TW_UNAVAILABLE, tw_cuda_wrap_stream(0, &native, &stream));
  assert_null_argument("cu_stream", tw_cuda_wrap_stream(0, NULL, &stream));
  assert_fails(TW_UNAVAILABLE, tw_cuda_wrap_event(0, &native, &event));
  assert_fails(TW_UNAVAILABLE, tw_stream_create("cuda", 0, &stream));
  assert_fails(TW_UNAVAILABLE, tw_tensor_create_on("cuda", 0, TW_F32, DIMS(2), &tensor));
  assert_fails(TW_UNAVAILABLE,
               tw_tensor_wrap_on("cuda", 0, TW_F32, DIMS(2), NULL, &native, NULL, NULL, &tensor));
  assert_ptr_equal(stream, UNTOUCHED(tw_stream_t));
  assert_ptr_equal(event, UNTOUCHED(tw_event_t));
  assert_ptr_equal(tensor, UNTOUCHED(tw_tensor_t));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tensors),
                                     cmocka_unit_test(test_strides),
                                     cmocka_unit_test(test_streams),
                                     cmocka_unit_test(test_runs),
                                     cmocka_unit_test(test_stream_order),
                                     cmocka_unit_test(test_dlpack),
                                     cmocka_unit_test(test_event_of_two_streams),
                                     cmocka_unit_test(test_empty_tiles),
                                     cmocka_unit_test(test_empty_arrays),
                                     cmocka_unit_test(test_outputs_apart),
                                     cmocka_unit_test(test_no_gpu)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
