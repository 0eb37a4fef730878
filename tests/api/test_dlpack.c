/* SPDX-License-Identifier: Apache-2.0 */
/* tw_dlpack.h: tensors to and from DLPack, both structs. */
#define TW_DLPACK_STRUCTS 1
#include "support.h"

#include <tilewright/tw_dlpack.h>

/* An array of "another library": counts how often its deleter is called. */
struct foreign {
  DLManagedTensorVersioned versioned;
  DLManagedTensor plain;
  int64_t shape[2], strides[2];
  float data[8];
  int deleted;
};

static void delete_versioned(DLManagedTensorVersioned *self) {
  ++((struct foreign *)self->manager_ctx)->deleted;
}
static void delete_plain(DLManagedTensor *self) { ++((struct foreign *)self->manager_ctx)->deleted; }

static struct foreign *foreign_array(struct foreign *f) {
  *f = (struct foreign){.shape = {2, 3}, .strides = {3, 1}, .data = {9, 9, 1, 2, 3, 4, 5, 6}};
  f->plain = (DLManagedTensor){.dl_tensor = {.data = f->data,
                                             .device = {1, 0},
                                             .ndim = 2,
                                             .dtype = {2, 32, 1},
                                             .shape = f->shape,
                                             .strides = f->strides,
                                             .byte_offset = 8},
                               .manager_ctx = f,
                               .deleter = delete_plain};
  f->versioned = (DLManagedTensorVersioned){
      .version = {1, 0}, .manager_ctx = f, .deleter = delete_versioned, .dl_tensor = f->plain.dl_tensor};
  return f;
}

static void test_from(void **state) {
  (void)state;
  struct foreign f;
  tw_tensor_t *tensor = NULL;
  assert_ok(tw_tensor_from_dlpack(&foreign_array(&f)->plain, &tensor));
  assert_int_equal(tw_tensor_dtype(tensor), TW_F32);
  size_t rank = 0;
  assert_int_equal(tw_tensor_dims(tensor, &rank)[1], 3);
  assert_int_equal(rank, 2);
  assert_ptr_equal(tw_tensor_data(tensor), f.data + 2); /* without copying, byte_offset counted */
  tw_tensor_retain(tensor);
  tw_tensor_release(tensor);
  assert_int_equal(f.deleted, 0);
  tw_tensor_release(tensor);
  assert_int_equal(f.deleted, 1); /* at the last release */

  assert_ok(tw_tensor_from_dlpack_versioned(&foreign_array(&f)->versioned, &tensor));
  assert_ptr_equal(tw_tensor_data(tensor), f.data + 2);
  tw_tensor_release(tensor);
  assert_int_equal(f.deleted, 1);

  foreign_array(&f)->plain.deleter = NULL; /* may be NULL */
  f.plain.dl_tensor.strides = NULL;        /* dense, row-major */
  assert_ok(tw_tensor_from_dlpack(&f.plain, &tensor));
  tw_tensor_release(tensor);
}

static void test_read_only(void **state) {
  (void)state;
  struct foreign f;
  tw_tensor_t *tensor = NULL;
  foreign_array(&f)->versioned.flags = 1;
  assert_ok(tw_tensor_from_dlpack_versioned(&f.versioned, &tensor));
  assert_null(tw_tensor_data(tensor));
  assert_ptr_equal(tw_tensor_const_data(tensor), f.data + 2);
  assert_fails(TW_FAILED_PRECONDITION, tw_tensor_fill(tensor, "ones", 0, 0));
  assert_true(f.data[2] == 1);
  DLManagedTensor *plain = UNTOUCHED(DLManagedTensor);
  assert_fails(TW_UNIMPLEMENTED,
               tw_tensor_to_dlpack(tensor, &plain)); /* which only the versioned struct can say */
  assert_ptr_equal(plain, UNTOUCHED(DLManagedTensor));
  DLManagedTensorVersioned *again = NULL;
  assert_ok(tw_tensor_to_dlpack_versioned(tensor, &again));
  assert_int_equal(again->flags & 1, 1);
  again->deleter(again);

  /* it cannot be an output, and can be an input */
  const char *text = "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
                     "  %0 = stablehlo.negate %x : tensor<2x3xf32>\n  return %0 : tensor<2x3xf32>\n}\n";
  tw_graph_t *graph = NULL;
  tw_program_t *program = NULL;
  tw_executable_t *exe = NULL;
  assert_ok(tw_graph_import(text, strlen(text), NULL, &graph));
  assert_ok(tw_program_unpartitioned(graph, &program));
  assert_ok(tw_executable_create(program, NULL, &exe));
  tw_tensor_t *out = make_tensor(TW_F32, DIMS(2, 3), "zeros", 0);
  const tw_tensor_t *in = out;
  assert_fails(TW_FAILED_PRECONDITION, tw_executable_run(exe, &in, 1, &tensor, 1));
  assert_fails(TW_FAILED_PRECONDITION, tw_graph_evaluate(graph, &in, 1, &tensor, 1));
  in = tensor;
  assert_ok(tw_executable_run(exe, &in, 1, &out, 1));
  assert_true(((float *)tw_tensor_data(out))[5] == -6);
  tw_tensor_release(out);
  tw_tensor_release(tensor);
  tw_executable_release(exe);
  tw_program_release(program);
  tw_graph_release(graph);
}

/* on failure `managed` stays the caller's, untouched */
static void test_refusals(void **state) {
  (void)state;
  struct foreign f;
  tw_tensor_t *tensor = UNTOUCHED(tw_tensor_t);
  foreign_array(&f)->plain.dl_tensor.device.device_type = 8; /* Metal: no kind of device here */
  assert_fails(TW_UNIMPLEMENTED, tw_tensor_from_dlpack(&f.plain, &tensor));
  foreign_array(&f)->plain.dl_tensor.dtype.lanes = 4;
  assert_fails(TW_UNIMPLEMENTED, tw_tensor_from_dlpack(&f.plain, &tensor));
  foreign_array(&f)->plain.dl_tensor.dtype.code = 3;
  assert_fails(TW_UNIMPLEMENTED, tw_tensor_from_dlpack(&f.plain, &tensor));
  foreign_array(&f)->strides[0] = 1; /* a transpose */
  f.strides[1] = 2;
  assert_fails(TW_UNIMPLEMENTED, tw_tensor_from_dlpack(&f.plain, &tensor));
  foreign_array(&f)->plain.dl_tensor.byte_offset = 6; /* not aligned to its elements */
  assert_fails(TW_UNIMPLEMENTED, tw_tensor_from_dlpack(&f.plain, &tensor));
  foreign_array(&f)->shape[0] = -2;
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_from_dlpack(&f.plain, &tensor));
  foreign_array(&f)->plain.dl_tensor.ndim = -1;
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_from_dlpack(&f.plain, &tensor));
  foreign_array(&f)->plain.dl_tensor.shape = NULL;
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_from_dlpack(&f.plain, &tensor));
  foreign_array(&f)->plain.dl_tensor.data = NULL;
  assert_fails(TW_INVALID_ARGUMENT, tw_tensor_from_dlpack(&f.plain, &tensor));
  foreign_array(&f)->versioned.version.major = 2;
  assert_fails(TW_UNIMPLEMENTED, tw_tensor_from_dlpack_versioned(&f.versioned, &tensor));
  foreign_array(&f)->versioned.dl_tensor.dtype = (DLDataType){0, 4, 1}; /* packed i4 */
  assert_fails(TW_UNIMPLEMENTED, tw_tensor_from_dlpack_versioned(&f.versioned, &tensor));
  assert_null_argument("managed", tw_tensor_from_dlpack(NULL, &tensor));
  assert_null_argument("managed", tw_tensor_from_dlpack_versioned(NULL, &tensor));
  assert_null_argument("out_tensor", tw_tensor_from_dlpack(&foreign_array(&f)->plain, NULL));
  assert_null_argument("out_tensor", tw_tensor_from_dlpack_versioned(&f.versioned, NULL));
  assert_int_equal(f.deleted, 0);
  assert_ptr_equal(tensor, UNTOUCHED(tw_tensor_t));
}

/* Every type goes out and comes back; what comes out keeps the tensor alive. */
static void test_round_trip(void **state) {
  (void)state;
  for (tw_dtype_t dtype = TW_F64; dtype <= TW_F8E8M0FNU; ++dtype) {
    if (dtype == TW_TOKEN)
      continue;
    tw_tensor_t *tensor = NULL, *back = NULL;
    assert_ok(tw_tensor_create(NULL, dtype, DIMS(2, 0, 3), &tensor));
    tw_tensor_release(tensor);
    assert_ok(tw_tensor_create(NULL, dtype, DIMS(3, 5), &tensor));
    void *const data = tw_tensor_data(tensor);
    DLManagedTensorVersioned *versioned = NULL;
    assert_ok(tw_tensor_to_dlpack_versioned(tensor, &versioned));
    assert_int_equal(versioned->version.major, 1);
    assert_int_equal(versioned->dl_tensor.device.device_type, 1);
    assert_int_equal(versioned->dl_tensor.dtype.lanes, 1);
    assert_int_equal(versioned->dl_tensor.shape[1], 5);
    assert_int_equal(versioned->dl_tensor.strides[0], 5);
    assert_int_equal(versioned->dl_tensor.strides[1], 1);
    tw_tensor_release(tensor);
    memset(data, 0, 15 * tw_dtype_size(dtype)); /* still there */
    assert_ok(tw_tensor_from_dlpack_versioned(versioned, &back));
    assert_int_equal(tw_tensor_dtype(back), dtype);
    assert_ptr_equal(tw_tensor_data(back), data);

    const int sub_byte = dtype == TW_S2 || dtype == TW_S4 || dtype == TW_U2 || dtype == TW_U4 ||
                         dtype == TW_F4E2M1FN || dtype == TW_F6E2M3FN || dtype == TW_F6E3M2FN;
    DLManagedTensor *plain = UNTOUCHED(DLManagedTensor);
    if (sub_byte) {
      assert_fails(TW_UNIMPLEMENTED, tw_tensor_to_dlpack(back, &plain));
      assert_ptr_equal(plain, UNTOUCHED(DLManagedTensor));
    } else {
      assert_ok(tw_tensor_to_dlpack(back, &plain));
      assert_ptr_equal(plain->dl_tensor.data, data);
      plain->deleter(plain);
    }
    tw_tensor_release(back);
  }
  DLManagedTensor *plain = NULL;
  DLManagedTensorVersioned *versioned = NULL;
  tw_tensor_t *scalar = make_tensor(TW_F32, NULL, 0, "ones", 0);
  assert_ok(tw_tensor_to_dlpack(scalar, &plain));
  assert_int_equal(plain->dl_tensor.ndim, 0);
  plain->deleter(plain);
  assert_null_argument("tensor", tw_tensor_to_dlpack(NULL, &plain));
  assert_null_argument("tensor", tw_tensor_to_dlpack_versioned(NULL, &versioned));
  assert_null_argument("out_managed", tw_tensor_to_dlpack(scalar, NULL));
  assert_null_argument("out_managed", tw_tensor_to_dlpack_versioned(scalar, NULL));
  tw_tensor_release(scalar);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_from),
      cmocka_unit_test(test_read_only),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_round_trip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
