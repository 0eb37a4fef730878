/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors to and from DLPack, without copying. Opt-in: <tilewright/tw.h> does not include it.
 *
 * DLPack (https://dmlc.github.io/dlpack/latest/) is how NumPy, JAX, PyTorch and others hand arrays to each
 * other: a struct that describes dense memory, and the deleter that gives it back. Its versioned struct (1.x)
 * is the current one; the unversioned one is what older libraries (NumPy before 2.1, Torch before 2.8) know.
 *
 * Order. The structs know no streams, so whoever hands over an array of a GPU says in which stream it is
 * used. A consumer that has a stream gives it to the producer, whose work it then is behind; here
 * tw_tensor_written(tensor, stream) says so after the call that takes the struct. A producer makes the
 * consumer's stream wait: tw_tensor_await(tensor, stream) before the call that gives one. Python's
 * __dlpack__ does both. Detached devices are kDLExtDev, for tests.
 *
 * This header needs no dlpack.h and gets along with any: it names the structs by their tags only. A program
 * without dlpack.h, or with one older than 1.0, defines TW_DLPACK_STRUCTS before it includes this, and gets
 * the declarations (after <dlpack/dlpack.h>, if it includes that).
 */
#ifndef TW_DLPACK_H
#define TW_DLPACK_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef TW_DLPACK_STRUCTS
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

/* device_type 1 is the CPU, 2 a GPU of CUDA; 3 and 11 are host memory that a CUDA or ROCm device also
 * reads; 12 is for tests. */
typedef struct DLDevice {
  int32_t device_type;
  int32_t device_id;
} DLDevice;

/* code: 0 signed integer, 1 unsigned, 2 IEEE float, 4 bfloat, 5 complex, 6 boolean, 7.. the 8 bit floats.
 * lanes is 1. */
typedef struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

/* The elements begin byte_offset bytes after data. Strides count elements; NULL: dense, row-major. */
typedef struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *managed);
} DLManagedTensor;

#endif
#ifndef DLPACK_MAJOR_VERSION
#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 1

typedef struct DLPackVersion {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

/* flags: 1 nobody may write, 2 a copy that is the consumer's alone, 4 elements of less than 8 bits take a
 * byte each. */
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *managed);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

#endif
#endif

struct DLManagedTensor;
struct DLManagedTensorVersioned;

/* Wraps the memory that `managed` describes. On success the tensor owns `managed` and calls its deleter
 * (which may be NULL) at the last release, from the thread that releases; on failure `managed` stays the
 * caller's, untouched. Memory of the host (kDLCPU, and kDLCUDAHost, which is the host's for a GPU too) must
 * be dense and row-major. That of a GPU (kDLCUDA) may have any strides, and the tensor lies on ("cuda",
 * device_id). It must be aligned to its elements, of a type that tw_dtype_t has: TW_UNIMPLEMENTED names
 * what is not. A tensor whose flags say that nobody may write to it can be read and be an input, but
 * tw_tensor_data answers NULL and it cannot be filled or be an output. */
TW_API tw_status_t tw_tensor_from_dlpack(struct DLManagedTensor *managed, tw_tensor_t **out_tensor);
/* The same for the versioned struct; a major version other than 1 is TW_UNIMPLEMENTED. */
TW_API tw_status_t tw_tensor_from_dlpack_versioned(struct DLManagedTensorVersioned *managed,
                                                   tw_tensor_t **out_tensor);

/* Describes a tensor's memory. What comes out keeps the tensor alive until its deleter is called, from any
 * thread. Integers of 2 and 4 bits have no unversioned form (TW_UNIMPLEMENTED): only the versioned struct
 * can say that each takes a byte. */
TW_API tw_status_t tw_tensor_to_dlpack(tw_tensor_t *tensor, struct DLManagedTensor **out_managed);
/* The same as the versioned struct, version 1.1. */
TW_API tw_status_t tw_tensor_to_dlpack_versioned(tw_tensor_t *tensor,
                                                 struct DLManagedTensorVersioned **out_managed);

#ifdef __cplusplus
}
#endif
#endif
