/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes, errors, versions, blobs, contexts and element types. Part of <tilewright/tw.h>. */
#ifndef TW_BASE_H
#define TW_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define TW_API __attribute__((visibility("default")))
#else
#define TW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- versions ---- */

/* The API, apart from the release: MAJOR is the number in the library's soname and changes only when the ABI
 * breaks, MINOR grows with every symbol or field that is added. */
#define TW_API_VERSION_MAJOR 0
#define TW_API_VERSION_MINOR 2
#define TW_API_VERSION_PATCH 0

/* The release of the library that is running, "0.1.0". Static storage. */
TW_API const char *tw_version(void);
/* The API version that it implements: MAJOR * 10000 + MINOR * 100 + PATCH. */
TW_API int32_t tw_api_version(void);

/* ---- status and errors ---- */

/* What the caller can do about a failure. Values never change; treat an unknown one as TW_INTERNAL. */
typedef int32_t tw_status_t;
enum tw_status {
  TW_STATUS_SIGNED = -1,
  TW_OK = 0,
  TW_INVALID_ARGUMENT = 1,    /* the input is wrong: fix it */
  TW_NOT_FOUND = 2,           /* a name that does not exist: the message lists the nearest */
  TW_OUT_OF_RANGE = 3,        /* an index or size outside its limits */
  TW_FAILED_PRECONDITION = 4, /* a call in the wrong order or state */
  TW_UNIMPLEMENTED = 5,       /* right input, but this build or version cannot do it */
  TW_RESOURCE_EXHAUSTED = 6,  /* out of memory, or over a stated limit */
  TW_CANCELLED = 7,           /* somebody asked for it */
  TW_DEADLINE_EXCEEDED = 8,   /* a wait ended by its time limit */
  TW_UNAVAILABLE = 9,         /* a library, device or peer that is not there */
  TW_REMOTE = 10,             /* another device or rank failed first */
  TW_INTERNAL = 11,           /* a mistake of the library: please report it */
  TW_DEVICE_LOST = 12         /* a device that failed for good: what runs elsewhere goes on */
};

/* "invalid_argument"; "unknown" for a value that is none. Static storage. */
TW_API const char *tw_status_name(tw_status_t status);

/* The last failure of a call made by this thread: one line, without position; "" when there was none. Valid
 * until the next failing call of this thread or tw_error_take. */
TW_API const char *tw_error_message(void);

/* One failure, owned. */
typedef struct tw_error tw_error_t;

/* Moves this thread's last failure out, so that it outlives later calls; *out_error is NULL when there is
 * none. Always TW_OK unless out_error is NULL. */
TW_API tw_status_t tw_error_take(tw_error_t **out_error);
TW_API void tw_error_release(tw_error_t *error);

TW_API tw_status_t tw_error_status(const tw_error_t *error);
/* A stable id, "TW-104"; tw_diagnostic_id lists them. */
TW_API const char *tw_error_id(const tw_error_t *error);
TW_API const char *tw_error_text(const tw_error_t *error);
/* Where in the caller's text: file "" and line, column 0 when it is about no text. Lines and columns count
 * from 1. */
TW_API const char *tw_error_file(const tw_error_t *error);
TW_API uint32_t tw_error_line(const tw_error_t *error);
TW_API uint32_t tw_error_column(const tw_error_t *error);
/* What follows: the source line with a caret, nearest names, causes from the outermost to the innermost. A
 * note may have several lines. NULL when i is too large. */
TW_API size_t tw_error_num_notes(const tw_error_t *error);
TW_API const char *tw_error_note(const tw_error_t *error, size_t i);

/* One or several calls of this library, made for tw_error_catch: the status that it answers. */
typedef tw_status_t (*tw_body_fn)(void *user);
/* For hosts whose threads are not threads of the system, such as goroutines and green threads: between two
 * calls they may move to another one, which has another last failure. Calls body(user) once, in this thread,
 * and returns what it answers. *out_error is the error of that, NULL where it is TW_OK; it is written in
 * both cases. The last failure of this thread stays what it was. TW_INVALID_ARGUMENT, as other calls fail:
 * an argument is NULL. */
TW_API tw_status_t tw_error_catch(tw_body_fn body, void *user, tw_error_t **out_error);

/* ---- long calls: progress, and giving up ---- */

typedef struct tw_watch_options {
  size_t struct_size;
  /* Asked now and then, by the thread that made the call, while the call works: `seconds` since it began.
   * Nonzero: give up. It must not use the objects of that call. */
  int (*progress)(void *user, double seconds);
  void *user;
  double interval; /* seconds between two questions, and before the first; 0: 0.05 */
} tw_watch_options_t;

/* Watches what takes long: calls body(user) once, in this thread, and returns what it answers. Calls of this
 * library that the body makes in this thread ask `options->progress` while they plan (tw_plan_create,
 * tw_plan_apply, tw_plan_propagate), lower (tw_program_lower, tw_program_unpartitioned), bind
 * (tw_executable_create), estimate (tw_program_estimate), report (tw_program_json, tw_program_report,
 * tw_program_conflicts, tw_program_disagreements), evaluate (tw_graph_find_nonfinite) or search
 * (tw_redistribution_plan, tw_redistribution_json, tw_redistribution_report, tw_redistribution_pareto). The
 * call that gives up answers TW_CANCELLED, and is undone: of a spec the lines before the one at work stay
 * applied. A flag that another thread sets, and `progress` reads, cancels from there. tw_program_compare and
 * runs (tw_run_cancel) have ways of their own. Of a body inside another, the inner one is asked alone. */
TW_API tw_status_t tw_watch_calls(tw_body_fn body, void *user, const tw_watch_options_t *options);

/* Every error id, sorted: what it means, in one line, and what to do about it. NULL when i is too large.
 * Static storage. */
TW_API size_t tw_diagnostic_count(void);
TW_API const char *tw_diagnostic_id(size_t i);
TW_API const char *tw_diagnostic_meaning(size_t i);
TW_API const char *tw_diagnostic_advice(size_t i);

/* For callbacks of the host, which answer a status: makes this the thread's last failure and returns
 * `status`, so that one can write `return tw_error_set(TW_OUT_OF_RANGE, "the table has 7 rows");`. The call
 * during which the callback failed then fails with that status and text. `message` (one line; NULL: none)
 * is copied. TW_OK changes nothing. */
TW_API tw_status_t tw_error_set(tw_status_t status, const char *message);

/* ---- blobs: immutable bytes ---- */

typedef struct tw_blob tw_blob_t;
typedef void (*tw_destroy_fn)(void *user);

/* Copies `size` bytes. */
TW_API tw_status_t tw_blob_create(const void *data, size_t size, tw_blob_t **out_blob);
TW_API tw_blob_t *tw_blob_retain(tw_blob_t *blob);
TW_API void tw_blob_release(tw_blob_t *blob);
/* The bytes; text blobs are UTF-8 and followed by a NUL that tw_blob_size does not count. Borrowed from
 * the blob. */
TW_API const char *tw_blob_data(const tw_blob_t *blob);
TW_API size_t tw_blob_size(const tw_blob_t *blob);

/* ---- contexts: allocator, log and threads of the host ---- */

/* Big memory (arenas, tensors) comes from here. `alignment` is a power of two. alloc returns NULL when it has
 * none: the call that asked then answers TW_RESOURCE_EXHAUSTED. Both are called by the thread that makes
 * or releases the object. */
typedef void *(*tw_alloc_fn)(size_t size, size_t alignment, void *user);
typedef void (*tw_free_fn)(void *memory, size_t size, void *user);
/* level: 0 error, 1 warning, 2 info, 3 debug. `area` and `text` are valid during the call. May be called
 * from any thread. Area "runtime" has an info line for each executable that is made, and a warning for each
 * run that fails. */
typedef void (*tw_log_fn)(int32_t level, const char *area, const char *text, void *user);
/* Threads of the host instead of ours: calls body(i, argument) once for each i in [0, count), in any order,
 * on any threads, one after the other or at once, and returns when all have ended. Called by whoever runs
 * or waits for a run; `count` is at most `workers`. */
typedef void (*tw_parallel_for_fn)(int64_t count, void (*body)(int64_t i, void *argument), void *argument,
                                   void *user);

typedef struct tw_context_options {
  size_t struct_size;
  tw_alloc_fn alloc; /* NULL with NULL free: the C library's */
  tw_free_fn free;
  void *alloc_user;
  /* NULL: standard error, only as far as the environment variable TW_LOG (error|warning|info|debug) asks */
  tw_log_fn log;
  void *log_user;
  /* Workers that executables of this context share, the caller of a run being one of them; 0: one a core, but
   * a program of very small steps runs on its caller's thread, which is faster. Threads start with the
   * first run and end with the last object that uses them. */
  int32_t workers;
  /* NULL: threads of the library's own. */
  tw_parallel_for_fn parallel_for;
  void *parallel_for_user;
  /* NULL, or called once with the user pointer of that name, when the last object that may use it is gone, by
   * the thread that released it. Not called where tw_context_create fails. */
  tw_destroy_fn destroy_alloc_user;
  tw_destroy_fn destroy_log_user;
  tw_destroy_fn destroy_parallel_for_user;
} tw_context_options_t;

typedef struct tw_context tw_context_t;

/* `options` may be NULL. Wherever a context is asked for, NULL means the default one. */
TW_API tw_status_t tw_context_create(const tw_context_options_t *options, tw_context_t **out_context);
TW_API tw_context_t *tw_context_retain(tw_context_t *context);
TW_API void tw_context_release(tw_context_t *context);

/* What this build has and what it finds at run time, as a JSON object: version, compiler, cores, oneDNN's
 * version, and by which of its kernels, in what order, matrix products sum here: found out on small ones,
 * which takes some milliseconds once a process. Also whether CUDA's plug-in, driver, libraries and GPUs were
 * found, or why not; NCCL's version and file, or why it cannot be opened. */
TW_API tw_status_t tw_build_info(tw_blob_t **out_json);

/* ---- element types ---- */

/* StableHLO's element types. Sub-byte integers and floats are held one element a byte, a float's code in its
 * low bits; booleans as a byte that is 0 or 1. The 4- and 6-bit floats have neither infinity nor NaN: what
 * does not fit becomes the largest finite value, and NaN a zero. TW_F8E8M0FNU holds powers of two, 2^-127 to
 * 2^127, and one NaN, which zero and what is negative become. */
typedef int32_t tw_dtype_t;
/* clang-format off */
enum tw_dtype {
  TW_DTYPE_SIGNED = -1,
  TW_DTYPE_INVALID = 0,
  TW_F64 = 1, TW_F32 = 2, TW_F16 = 3, TW_BF16 = 4,
  TW_F8E4M3FN = 5, TW_F8E5M2 = 6, TW_F8E4M3FNUZ = 7, TW_F8E5M2FNUZ = 8, TW_F8E4M3B11FNUZ = 9, TW_F8E4M3 = 10, TW_F8E3M4 = 11,
  TW_I1 = 12,
  TW_S2 = 13, TW_S4 = 14, TW_S8 = 15, TW_S16 = 16, TW_S32 = 17, TW_S64 = 18,
  TW_U2 = 19, TW_U4 = 20, TW_U8 = 21, TW_U16 = 22, TW_U32 = 23, TW_U64 = 24,
  TW_C64 = 25, TW_C128 = 26,
  TW_TOKEN = 27,
  TW_F4E2M1FN = 28, TW_F6E2M3FN = 29, TW_F6E3M2FN = 30, TW_F8E8M0FNU = 31
};
/* clang-format on */

/* MLIR's spelling, "f32", "i32", "ui8", "complex<f32>"; "invalid" for a value that is none. Static
 * storage. */
TW_API const char *tw_dtype_name(tw_dtype_t dtype);
/* Bytes of one element as held in memory; 0 for TW_TOKEN and invalid values. */
TW_API size_t tw_dtype_size(tw_dtype_t dtype);
/* The value of one element as held in memory; *out_imaginary, which may be NULL, is 0 for types that are not
 * complex. Booleans are 0 and 1, integers beyond 2^53 are rounded. TW_INVALID_ARGUMENT: no type of
 * elements. */
TW_API tw_status_t tw_dtype_decode(tw_dtype_t dtype, const void *element, double *out_real,
                                   double *out_imaginary);
/* Writes the element that stands for a value, tw_dtype_size bytes, as stablehlo.convert makes it: rounded to
 * nearest, integers saturate and cut fractions off, NaN is 0 for them. The imaginary part is that of complex
 * types; others leave it out. */
TW_API tw_status_t tw_dtype_encode(tw_dtype_t dtype, double real, double imaginary, void *out_element);

/* ---- attributes ---- */

/* Which field of an attribute holds its value. */
typedef int32_t tw_attr_kind_t;
enum tw_attr_kind {
  TW_ATTR_SIGNED = -1,
  TW_ATTR_INTEGER = 0,
  TW_ATTR_REAL = 1,
  TW_ATTR_STRING = 2,
  TW_ATTR_INTS = 3,
  TW_ATTR_BOOLEAN = 5 /* in `integer` */
};

/* One attribute of an op: a name and the one field that its kind says. */
typedef struct tw_attr {
  const char *name;
  tw_attr_kind_t kind;
  int64_t integer;
  double real;
  const char *string;
  const int64_t *ints;
  size_t num_ints;
  const char *element_type; /* of a call's attribute, as the program writes it: "ui64"; else NULL */
  uint64_t reserved[2];
} tw_attr_t;

#ifdef __cplusplus
}
#endif
#endif
