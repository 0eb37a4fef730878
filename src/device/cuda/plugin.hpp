// SPDX-License-Identifier: Apache-2.0
// Between the core and libtilewright_cuda.so: a table of C functions, so that the core neither links CUDA nor
// reads its headers. Functions return a tw_cuda_result, and say in `why` what is wrong where it is neither
// TW_CUDA_OK nor TW_CUDA_NOT_READY. None waits for a GPU but those that say so. Every call may come from any
// thread, one at a time for a queue; the thread's own CUDA context is as it was when a call returns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/cuda/library_forms.hpp"

#define TW_CUDA_PLUGIN_VERSION 6
#define TW_CUDA_PLUGIN_SYMBOL "tw_cuda_plugin_table"
enum { TW_CUDA_WHY = 512, TW_CUDA_NAME = 256, TW_CUDA_BUS = 32 };

enum tw_cuda_result : int32_t {
  TW_CUDA_OK = 0,
  TW_CUDA_NOT_READY = 1, // an event that is not reached, a queue that is not empty
  TW_CUDA_NO_MEMORY = 2, // no memory of the GPU, or pinned memory of the host
  TW_CUDA_LOST = 3,      // the context failed for good, and all that runs in it
  TW_CUDA_MISSING = 4,   // no driver, no GPU, or no library
  TW_CUDA_FAILED = 5
};

struct tw_cuda_gpu;     // the primary context of a GPU, which is shared with the program and never reset
struct tw_cuda_queue;   // a stream
struct tw_cuda_event;   // a point in a stream
struct tw_cuda_code;    // a loaded module
struct tw_cuda_graph;   // commands that were captured, to be issued by one call
struct tw_cuda_product; // a matrix product with its algorithm
struct tw_cuda_work;    // what another library was asked to do, planned once

struct tw_cuda_facts {
  char name[TW_CUDA_NAME];
  int32_t major, minor; // of the architecture
  int32_t processors;   // streaming multiprocessors
  int64_t bytes;        // of memory
  int64_t bytes_per_second;
  char bus[TW_CUDA_BUS]; // where it is in its host: "0000:3b:00.0"
};

// What was found at run time; a number is 0 where there is none, and the text beside it says why.
struct tw_cuda_versions {
  int32_t toolkit; // of the headers of this build
  int32_t driver, products;
  char driver_why[TW_CUDA_WHY], products_why[TW_CUDA_WHY];
};

// In which type products are made and summed; TF32 rounds factors of type f32 to 10 bits.
enum tw_cuda_compute : int32_t { TW_CUDA_IN_F64, TW_CUDA_IN_F32, TW_CUDA_IN_TF32, TW_CUDA_IN_S32 };

// `batch` matrices in storage: rows lie one after the other (by_rows), or columns do. Strides are in
// elements.
struct tw_cuda_matrix {
  tw_cuda_type type;
  int32_t by_rows;
  int64_t rows, columns;
  int64_t leading; // from a row to the next, or from a column to the next
  int64_t batch_stride;
};

// What becomes of a product before it is stored, rounded as if it had been stored first.
enum tw_cuda_after : int32_t {
  TW_CUDA_AS_IT_IS,
  TW_CUDA_PLUS_MATRIX, // another matrix of the form c is added, which may be c itself
  TW_CUDA_PLUS_BIAS,   // the same n elements are added to each row, of all batches
  TW_CUDA_CONVERTED    // from f32 to the type of c
};

// c = a b: a has rows m and columns k, b has rows k and columns n, c lies by rows.
struct tw_cuda_product_form {
  tw_cuda_matrix a, b, c;
  int64_t batch;
  tw_cuda_compute compute;
  tw_cuda_after after = TW_CUDA_AS_IT_IS;
};

struct tw_cuda_grid {
  uint32_t blocks[3], threads[3], shared_bytes;
};

// A library that products do not need: its version, or why there is none.
struct tw_cuda_library {
  char name[32], version[64], why[TW_CUDA_WHY];
};

struct tw_cuda_plugin {
  int32_t version;

  // Opens the driver. Everything else but `versions` needs it.
  tw_cuda_result (*start)(char *why);
  void (*versions)(tw_cuda_versions *out);
  tw_cuda_result (*count)(int32_t *out_gpus, char *why);
  tw_cuda_result (*facts)(int32_t index, tw_cuda_facts *out, char *why);

  tw_cuda_result (*open)(int32_t index, tw_cuda_gpu **out, char *why);
  void (*close)(tw_cuda_gpu *gpu);
  // The GPU's context is the thread's between the two.
  void (*enter)(tw_cuda_gpu *gpu);
  void (*leave)(tw_cuda_gpu *gpu);
  tw_cuda_result (*memory)(tw_cuda_gpu *gpu, int64_t *out_free, int64_t *out_all, char *why);
  tw_cuda_result (*allocate)(tw_cuda_gpu *gpu, size_t bytes, void **out, char *why);
  void (*free)(tw_cuda_gpu *gpu, void *memory);
  // Memory of the host that GPUs copy to and from while the host does other things.
  tw_cuda_result (*allocate_pinned)(tw_cuda_gpu *gpu, size_t bytes, void **out, char *why);
  void (*free_pinned)(tw_cuda_gpu *gpu, void *memory);
  // 1: the GPU reads and writes the other one's memory from now on.
  int32_t (*reach)(tw_cuda_gpu *gpu, tw_cuda_gpu *other);

  // `stream`: a CUstream of the program, which must outlive the queue; null: one of our own.
  tw_cuda_result (*make_queue)(tw_cuda_gpu *gpu, void *stream, tw_cuda_queue **out, char *why);
  // Not orderly: something in it never ends, so it is left as it is.
  void (*release_queue)(tw_cuda_queue *queue, int32_t orderly);
  void *(*stream_of)(tw_cuda_queue *queue); // its CUstream
  tw_cuda_result (*poll)(tw_cuda_queue *queue, char *why);
  tw_cuda_result (*drain)(tw_cuda_queue *queue, char *why); // waits for the GPU

  // `timed` events measure the time between two of them.
  tw_cuda_result (*make_event)(tw_cuda_gpu *gpu, int32_t timed, tw_cuda_event **out, char *why);
  // A CUevent of the program, which outlives it.
  tw_cuda_result (*wrap_event)(tw_cuda_gpu *gpu, void *event, tw_cuda_event **out, char *why);
  void *(*event_of)(tw_cuda_event *event);
  void (*release_event)(tw_cuda_event *event);
  tw_cuda_result (*record)(tw_cuda_event *event, tw_cuda_queue *queue, char *why);
  tw_cuda_result (*wait)(tw_cuda_queue *queue, tw_cuda_event *event, char *why);
  tw_cuda_result (*reached)(tw_cuda_event *event, char *why);
  tw_cuda_result (*elapsed)(tw_cuda_event *from, tw_cuda_event *to, double *out_seconds, char *why);

  // Between memory of the GPU, pinned memory, and memory of another GPU that this one reaches.
  tw_cuda_result (*copy)(tw_cuda_queue *queue, void *to, const void *from, size_t bytes, char *why);
  tw_cuda_result (*copy_peer)(tw_cuda_queue *queue, void *to, tw_cuda_gpu *to_gpu, const void *from,
                              tw_cuda_gpu *from_gpu, size_t bytes, char *why);
  // `times` elements of 1, 2 or 4 bytes.
  tw_cuda_result (*fill)(tw_cuda_queue *queue, void *to, uint32_t element, int32_t element_bytes,
                         size_t times, char *why);
  // A word of pinned memory becomes `value`.
  tw_cuda_result (*mark)(tw_cuda_queue *queue, uint32_t *word, uint32_t value, char *why);
  // A function of the host, in order with the rest. It may call nothing of this table.
  tw_cuda_result (*call)(tw_cuda_queue *queue, void (*function)(void *), void *user, char *why);

  tw_cuda_result (*load)(tw_cuda_gpu *gpu, const void *image, tw_cuda_code **out, char *why);
  void (*unload)(tw_cuda_code *code);
  tw_cuda_result (*find)(tw_cuda_code *code, const char *kernel, void **out_function, char *why);
  tw_cuda_result (*launch)(tw_cuda_queue *queue, void *function, const tw_cuda_grid *grid, void **arguments,
                           char *why);

  // What is issued into the queue from `begin` to `end` becomes a graph and is not run.
  tw_cuda_result (*begin_capture)(tw_cuda_queue *queue, char *why);
  tw_cuda_result (*end_capture)(tw_cuda_queue *queue, tw_cuda_graph **out, char *why);
  void (*release_graph)(tw_cuda_graph *graph);
  tw_cuda_result (*replay)(tw_cuda_queue *queue, tw_cuda_graph *graph, char *why);

  // Chooses an algorithm for operands and results whose addresses are multiples of `alignment`, with at most
  // `workspace` bytes of memory: the same whatever becomes of the product, so that its sums have the same
  // bits. `algorithm` has TW_CUDA_NAME characters: what reports call it. `added`: null where nothing is.
  tw_cuda_result (*plan_product)(tw_cuda_gpu *gpu, const tw_cuda_product_form *form, uint32_t alignment,
                                 size_t workspace, tw_cuda_product **out, char *algorithm, char *why);
  void (*release_product)(tw_cuda_product *product);
  tw_cuda_result (*multiply)(tw_cuda_queue *queue, const tw_cuda_product *product, const void *a,
                             const void *b, const void *added, void *c, void *workspace,
                             size_t workspace_bytes, char *why);

  // What other libraries do. A function is null where this build has no header of its library; planning says
  // TW_CUDA_MISSING where the library is not found, and TW_CUDA_FAILED where it has nothing for the form.
  int32_t (*library)(int32_t index, tw_cuda_library *out); // 0: there is none of this number
  tw_cuda_result (*plan_sort)(tw_cuda_gpu *gpu, const tw_cuda_sort_form *form, tw_cuda_work **out, char *why);
  tw_cuda_result (*plan_scan)(tw_cuda_gpu *gpu, const tw_cuda_scan_form *form, tw_cuda_work **out, char *why);
  tw_cuda_result (*plan_convolution)(tw_cuda_gpu *gpu, const tw_cuda_convolution_form *form,
                                     tw_cuda_work **out, char *why);
  tw_cuda_result (*plan_fft)(tw_cuda_gpu *gpu, const tw_cuda_fft_form *form, tw_cuda_work **out, char *why);
  tw_cuda_result (*plan_cholesky)(tw_cuda_gpu *gpu, const tw_cuda_cholesky_form *form, tw_cuda_work **out,
                                  char *why);
  tw_cuda_result (*plan_solve)(tw_cuda_gpu *gpu, const tw_cuda_solve_form *form, tw_cuda_work **out,
                               char *why);
  void (*release_work)(tw_cuda_work *work);
  const char *(*work_name)(const tw_cuda_work *work); // for reports; as long as the work lives
  size_t (*work_bytes)(const tw_cuda_work *work);     // of workspace, which begins at a multiple of 256
  tw_cuda_result (*run_work)(tw_cuda_queue *queue, const tw_cuda_work *work, const void *const *operands,
                             void *const *results, void *workspace, size_t bytes, char *why);

  // Names for profilers: NVTX ranges of the calling thread.
  void (*push_range)(const char *name);
  void (*pop_range)();
};
