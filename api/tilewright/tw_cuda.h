/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GPUs by CUDA: what they are, and what the program shares with the library. Opt-in: <tilewright/tw.h> does
 * not include it, and it includes nothing of CUDA. Tensors, copies and runs are in
 * <tilewright/tw_device.h>.
 *
 *   tw_stream_t *stream;                                     // of PyTorch, or of your own
 *   tw_cuda_wrap_stream(0, (void *)cu_stream, &stream);
 *   tw_run_options_t order = {sizeof order, stream};
 *   tw_run_start_with(exe, inputs, 3, outputs, 1, &order, &run);
 *
 * The library links no CUDA. It opens the plug-in libtilewright_cuda.so, from the folder that TW_PLUGINS
 * names, from its own, or from where the loader looks, and that opens the driver. Without one of them, or
 * without a GPU, calls are TW_UNAVAILABLE (TW-680): the message says what was looked for. It works in the
 * primary context of a GPU, as the runtime API of CUDA does, never resets it, and leaves a thread's current
 * context as it was. GPUs count from 0, as the driver counts them. A number beyond is TW_NOT_FOUND. Any
 * thread may call.
 */
#ifndef TW_CUDA_H
#define TW_CUDA_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_device.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tw_gpu_facts {
  size_t struct_size;       /* set by the caller */
  const char *name;         /* static */
  int32_t architecture;     /* 90 is sm_90 */
  int32_t processors;       /* streaming multiprocessors */
  int64_t bytes;            /* of memory */
  int64_t free_bytes;       /* now, whoever uses the others */
  int64_t bytes_per_second; /* of memory, by its clock and width; 0: unknown */
  int64_t used_bytes;       /* by this library in this process */
  int64_t limit_bytes;      /* of tw_cuda_limit_memory; 0: none */
} tw_gpu_facts_t;

/* What a GPU is and has. tw_device_count("cuda", ..) says how many there are. */
TW_API tw_status_t tw_cuda_describe(int32_t gpu, tw_gpu_facts_t *out_facts);

/* The library takes no more memory of the GPU than so many bytes, in this process and from now on; 0: as
 * much as there is. What it has stays. An executable or a tensor beyond it is TW_RESOURCE_EXHAUSTED when it
 * is made.
 */
TW_API tw_status_t tw_cuda_limit_memory(int32_t gpu, int64_t bytes);

/* Memory of a GPU that the program gives, such as PyTorch's caching allocator or a resource of RMM.
 * `stream` is a CUstream of the library for which the memory is asked, and on which nothing runs: the
 * library waits for it before it uses the memory on others, and gives back what no stream uses any more.
 * The GPU's primary context is current. Called from any thread, from several at once. */
typedef struct tw_cuda_allocator {
  size_t struct_size;
  /* At least `size` bytes, aligned to 256; NULL: there is no memory. */
  void *(*alloc)(size_t size, int32_t gpu, void *stream, void *user);
  void (*free)(void *memory, size_t size, int32_t gpu, void *stream, void *user);
  void *user;
} tw_cuda_allocator_t;
/* From now on arenas, tensors and workspaces on the GPU are of this allocator; NULL: of the driver again.
 * What was given before goes back to who gave it, so an allocator must live as long as what was made with
 * it. */
TW_API tw_status_t tw_cuda_set_allocator(int32_t gpu, const tw_cuda_allocator_t *allocator);

/* A stream of the program: `cu_stream` is a CUstream (a cudaStream_t is one), which must outlive it. 1 is the
 * legacy default stream, 2 the default stream of a thread; NULL is TW_INVALID_ARGUMENT, since it may be meant
 * as either. */
TW_API tw_status_t tw_cuda_wrap_stream(int32_t gpu, void *cu_stream, tw_stream_t **out_stream);
/* An event of the program: `cu_event` is a CUevent, which must outlive it. */
TW_API tw_status_t tw_cuda_wrap_event(int32_t gpu, void *cu_event, tw_event_t **out_event);

#ifdef __cplusplus
}
#endif
#endif
