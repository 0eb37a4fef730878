/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that lie on devices, and the queues of commands in which they are made and used. Part of
 * <tilewright/tw.h>.
 *
 *   tw_tensor_create_on("cuda", 0, TW_F32, dims, 2, &x);        // memory of GPU 0
 *   tw_tensor_copy(x, on_host, NULL);                           // waits until it is there
 *   tw_executable_run(exe, inputs, 1, outputs, 1);              // nothing goes through the host
 *
 * A device is a kind, as in tw_executable_options_t.device, and a number: ("cuda", 1) is GPU 1, as the
 * driver counts. ("host", 0) is the host, where all other tensors lie. Nothing but a run, a copy and DLPack
 * reads or writes an array on a device: any other call that would is TW_FAILED_PRECONDITION, and says that
 * a copy on the host helps. Only runs whose executable has devices on that unit take it: others are
 * TW_INVALID_ARGUMENT.
 *
 * Order. What a queue was given and has not run is no harm: a tensor knows the event behind which its
 * elements are there (tw_tensor_written), and every run, copy and export waits for it on the device. That
 * an array is not written while something reads it is the program's to see to, as it is on the host. A NULL
 * stream makes a call wait: the host goes on when it is over.
 *
 * Kind "detached" is for tests on machines without a GPU: memory that faults where the host touches it, and
 * queues that run late. It has 64 devices. */
#ifndef TW_DEVICE_H
#define TW_DEVICE_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_run.h>
#include <tilewright/tw_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many devices of a kind there are. TW_NOT_FOUND: no such kind; TW_UNAVAILABLE: no driver for it, and the
 * message says what is missing. */
TW_API tw_status_t tw_device_count(const char *kind, int32_t *out_count);

/* ---- streams and events ---- */

/* A queue of a device: commands run in order, later than they are given. One thread gives at a time. It must
 * not end before what it was given, and a run that waits for it, are over. */
typedef struct tw_stream tw_stream_t;
/* A point in a queue: the last place where it was recorded. */
typedef struct tw_event tw_event_t;

/* A new queue. tw_cuda_wrap_stream (<tilewright/tw_cuda.h>) wraps one of the program. */
TW_API tw_status_t tw_stream_create(const char *kind, int32_t device, tw_stream_t **out_stream);
TW_API tw_stream_t *tw_stream_retain(tw_stream_t *stream);
/* The last release of a queue that was created waits until it is empty. */
TW_API void tw_stream_release(tw_stream_t *stream);
/* Its kind and the number of its device, where `out_device` is not NULL. */
TW_API const char *tw_stream_device(const tw_stream_t *stream, int32_t *out_device);
/* What the kind's own library calls it: a CUstream. NULL where there is none. */
TW_API void *tw_stream_native(const tw_stream_t *stream);
/* Waits until all that was given has run. TW_DEVICE_LOST and others say what failed. */
TW_API tw_status_t tw_stream_wait(tw_stream_t *stream);

/* Not recorded yet: nobody waits for it. */
TW_API tw_status_t tw_event_create(const char *kind, int32_t device, tw_event_t **out_event);
TW_API tw_event_t *tw_event_retain(tw_event_t *event);
TW_API void tw_event_release(tw_event_t *event);
/* Stands for this place in the stream from now on. Both are of one device. */
TW_API tw_status_t tw_event_record(tw_event_t *event, tw_stream_t *stream);
/* What the stream is given from now on runs behind the event's place. Both are of one kind. */
TW_API tw_status_t tw_event_await(const tw_event_t *event, tw_stream_t *stream);
/* Whether that place is reached. Does not wait. */
TW_API tw_status_t tw_event_test(const tw_event_t *event, int *out_reached);

/* ---- tensors ---- */

/* An array in memory of a device, with any elements: from the program's allocator where tw_cuda_set_allocator
 * gave one. TW_RESOURCE_EXHAUSTED says how many bytes are free. With ("host", 0) as tw_tensor_create. */
TW_API tw_status_t tw_tensor_create_on(const char *kind, int32_t device, tw_dtype_t dtype,
                                       const int64_t *dims, size_t ndims, tw_tensor_t **out_tensor);
/* Wraps memory of the program on a device. `strides`: elements from one index to the next, of each dimension,
 * of any sign; NULL: dense and row-major. `address` is that of the element at index 0. `destroy` as in
 * tw_tensor_wrap, and so is the alignment. Of the host strides must be dense. */
TW_API tw_status_t tw_tensor_wrap_on(const char *kind, int32_t device, tw_dtype_t dtype, const int64_t *dims,
                                     size_t ndims, const int64_t *strides, void *address,
                                     tw_destroy_fn destroy, void *user, tw_tensor_t **out_tensor);
/* The kind of device on which it lies ("host" for most), and the device's number where `out_device` is not
 * NULL. */
TW_API const char *tw_tensor_device(const tw_tensor_t *tensor, int32_t *out_device);
/* Elements from one index to the next, of each dimension; NULL: dense and row-major. */
TW_API const int64_t *tw_tensor_strides(const tw_tensor_t *tensor, size_t *out_ndims);
/* Where the element at index 0 lies, on whatever device: for libraries that work there. tw_tensor_data and
 * tw_tensor_const_data are NULL for an array that the host cannot read. */
TW_API void *tw_tensor_address(const tw_tensor_t *tensor);

/* Copies elements between tensors of one type, on the host, on devices or between them; strides may differ.
 * With a stream, of a device of one of them, it is a command there: memory of the host must live and stay as
 * it is until that has run, and the tensors are kept until then. NULL: it is over when the call returns. */
TW_API tw_status_t tw_tensor_copy(tw_tensor_t *dst, const tw_tensor_t *src, tw_stream_t *stream);
/* What the stream was given so far makes the elements: whoever uses the tensor from now on waits for that.
 * Runs and copies of this library say so of their outputs themselves. */
TW_API tw_status_t tw_tensor_written(tw_tensor_t *tensor, tw_stream_t *stream);
/* What the stream is given from now on finds the elements; NULL: the host waits for them. */
TW_API tw_status_t tw_tensor_await(const tw_tensor_t *tensor, tw_stream_t *stream);

/* ---- runs in the order of a stream ---- */

typedef struct tw_run_options {
  size_t struct_size;
  /* Of a unit of the executable's devices. The run begins behind what the stream was given before, and what
   * it is given afterwards runs behind the run: on the device, without the host. It must live until the run
   * is over. NULL: the run begins at once, and tw_run_wait says when it is over. */
  tw_stream_t *stream;
} tw_run_options_t;

/* tw_run_start with options (NULL: none). With a stream it returns when all is in queues: it waits for the
 * device only where a loop or branch decides by what the device computes, and where more than 512 steps are
 * under way. Outputs on devices are then the stream's to use, also before tw_run_wait; they are written when
 * all steps have succeeded, and an error leaves them as they were. Outputs on the host are there when
 * tw_run_wait has said so. A run that was issued so cannot be cancelled. */
TW_API tw_status_t tw_run_start_with(tw_executable_t *executable, const tw_tensor_t *const *inputs,
                                     size_t num_inputs, tw_tensor_t *const *outputs, size_t num_outputs,
                                     const tw_run_options_t *options, tw_run_t **out_run);

#ifdef __cplusplus
}
#endif
#endif
