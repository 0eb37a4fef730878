/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays on disk: sets of them in files of several formats, read by boxes and written anew in other layouts.
 * Part of <tilewright/tw.h>.
 *
 *   tw_store_open("checkpoint", NULL, &store);                                 // a file, or a folder
 *   tw_store_read(store, 0, offset, extent, NULL, elements);                   // a box of its first array
 *   tw_store_reshard(store, "resharded", mesh, shardings, n, &options, &json); // a file for each device
 *
 * Formats: "safetensors" (a file, or a folder with or without an index), "npz" and "npy" of NumPy, "zarr"
 * (arrays of zarr 2 and 3 in folders or in an OCDBT database, as Orbax writes them, chunks plain or packed by
 * Zstandard; written as plain arrays of zarr 3 in folders), "torch" (a distributed checkpoint of PyTorch,
 * which is read only).
 * Nothing in a file is executed, and damaged files are errors (TW_INVALID_ARGUMENT) that name file, array and
 * byte.
 */
#ifndef TW_STORE_H
#define TW_STORE_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_mesh.h>
#include <tilewright/tw_redistribute.h>
#include <tilewright/tw_runtime.h>
#include <tilewright/tw_sharding.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reading ---- */

/* A set of arrays on disk, opened. What it says never changes, and any number of threads may read it at once.
 * The files must stay as they are. */
typedef struct tw_store tw_store_t;

typedef struct tw_store_options {
  size_t struct_size;
  const char *format; /* NULL: found out */
  /* Other names for the arrays. A line is `FROM TO`: each `*` of FROM stands for any characters, which those
   * of TO take in order; TO `-` leaves arrays out. The first line that fits counts. NULL: none. */
  const char *rename;
  const char *rename_file; /* what errors call that text; NULL: "rename" */
} tw_store_options_t;

/* Reads what the files say of their arrays, and none of their elements. TW_NOT_FOUND: there is no such path
 * or format, or a name of `rename` fits nothing. TW_INVALID_ARGUMENT: a file is damaged, parts of an array
 * are missing or doubled. options: NULL for defaults. */
TW_API tw_status_t tw_store_open(const char *path, const tw_store_options_t *options, tw_store_t **out_store);
TW_API tw_store_t *tw_store_retain(tw_store_t *store);
TW_API void tw_store_release(tw_store_t *store);

/* "safetensors". Static storage. */
TW_API const char *tw_store_format(const tw_store_t *store);
TW_API size_t tw_store_num_arrays(const tw_store_t *store);
/* NULL when `array` is too large. The store's. */
TW_API const char *tw_store_array_name(const tw_store_t *store, size_t array);
/* 0 of an array that is not read: tw_store_array_problem. */
TW_API tw_dtype_t tw_store_array_dtype(const tw_store_t *store, size_t array);
/* *out_ndims sizes; the store's. NULL when `array` is too large. */
TW_API const int64_t *tw_store_array_dims(const tw_store_t *store, size_t array, size_t *out_ndims);
/* Why an array is not read: a type that is none of ours, such as text, or damage. "": it is. NULL when
 * `array` is too large. The store's. */
TW_API const char *tw_store_array_problem(const tw_store_t *store, size_t array);
/* The type of elements that is not read, as its format spells it: "<U5". "": it is read, or damaged. */
TW_API const char *tw_store_array_foreign(const tw_store_t *store, size_t array);

/* A box of an array in one file. Pointers are the store's. */
typedef struct tw_store_part {
  size_t ndims; /* of the array, and of the lists that follow */
  const int64_t *offset;
  const int64_t *extent;
  const int64_t *strides; /* bytes from an element to the next in the file */
  const char *file;
  uint64_t at;     /* byte of its first element: of the file, or in an archive of what is archived */
  int32_t swapped; /* nonzero: elements have the other byte order than this machine's */
  uint64_t reserved[2];
} tw_store_part_t;

/* Parts cover an array; equal boxes are copies of each other. */
TW_API size_t tw_store_num_parts(const tw_store_t *store, size_t array);
/* TW_OUT_OF_RANGE: there is no such array or part. */
TW_API tw_status_t tw_store_part(const tw_store_t *store, size_t array, size_t part,
                                 tw_store_part_t *out_part);

/* Reads a box into memory, with the bits that it has on disk; nothing else of the files is read. `strides`
 * are bytes from an element to the next in memory, one a dimension, not negative; NULL: dense, row-major.
 * TW_OUT_OF_RANGE: the box lies outside the array. TW_UNAVAILABLE: a file cannot be read. */
TW_API tw_status_t tw_store_read(const tw_store_t *store, size_t array, const int64_t *offset,
                                 const int64_t *extent, const int64_t *strides, void *to);
/* The same into a tensor of the host, which has the extent of the box and the array's type of elements. */
TW_API tw_status_t tw_store_read_tensor(const tw_store_t *store, size_t array, const int64_t *offset,
                                        tw_tensor_t *tensor);
/* What a redistribution with lost devices leaves open in the target tile of a device
 * (tw_redistribution_missing), read from the same array of a checkpoint. `tile` is a tensor of the host, of
 * the extent of that tile and the array's type of elements; nothing else of it is written. *out_bytes: how
 * many bytes that were. TW_INVALID_ARGUMENT: array or tile are not what the plan moves. */
TW_API tw_status_t tw_store_read_missing(const tw_store_t *store, size_t array,
                                         const tw_redistribution_t *plan, size_t device, tw_tensor_t *tile,
                                         int64_t *out_bytes);
/* Bytes read from the files of this store so far. */
TW_API uint64_t tw_store_bytes_read(const tw_store_t *store);

/* ---- writing ---- */

/* Writes whole arrays of the host; `format` NULL: as the end of the path says, ".npz", ".npy",
 * ".safetensors", ".zarr"; else a folder of safetensors. Elements of types that the format lacks become
 * those of a type that holds them exactly: bf16 is float32 in NumPy's files. An existing file is replaced,
 * all of it at once; an existing folder is an error. TW_INVALID_ARGUMENT, and nothing is written: a name is
 * given twice, or the format cannot hold it ("__metadata__" in safetensors; in a folder of .npy files one
 * that is no name of a file); no arrays are given to .npz or .npy. TW_UNIMPLEMENTED: the format is only
 * read, as "torch" is. */
TW_API tw_status_t tw_store_write(const char *path, const char *format, const char *const *names,
                                  const tw_tensor_t *const *tensors, size_t num_arrays);
/* Writes a tensor as a box of the array of an .npy file; whoever comes first makes the file, so that many
 * processes write one together. */
TW_API tw_status_t tw_store_write_part(const char *path, const int64_t *dims, const int64_t *offset,
                                       const tw_tensor_t *part);

/* ---- another layout ---- */

typedef struct tw_reshard_options {
  size_t struct_size;
  const char *format;    /* of the target; NULL: as the end of its name says, else safetensors */
  uint64_t memory_bytes; /* of elements that are held at once; 0: 256 MiB, at least 1 MiB */
  tw_dtype_t dtype;      /* all floats become this type, each rounded once; 0: bits are kept */
  int32_t dry_run;       /* nonzero: only say what would be read and written */
  int32_t verify;        /* nonzero: read it all again and compare before the target appears */
  /* NULL, or told of bytes done and to do, by the thread that made the call. Nonzero: end with TW_CANCELLED;
   * the same call later goes on from there. It must not throw. */
  int (*step)(void *user, uint64_t done, uint64_t total);
  void *user;
} tw_reshard_options_t;

/* Writes all arrays of a set to `dst`: whole ones where `mesh` is NULL; else a file for each device, which
 * has its tile of each array, `shardings[i]` of array i over that mesh (NULL: whole on every device), and an
 * index that says which box of which array each file holds: tw_store_open reads it. Every element is read
 * once. Arrays of types that are not read are left out.
 *
 * Files are written to the folder `dst`.partial, and are `dst` all at once when all of them are complete. A
 * call that did not come to its end, whatever ended it, is continued by the next one with the same
 * arguments. TW_FAILED_PRECONDITION: `dst` is there, another process is at work, or `dst`.partial is of a
 * call with other arguments or of files that changed since.
 *
 * The answer is {"arrays", "files_read", "files_written", "bytes_read", "least_bytes_read", "bytes_written",
 * "least_bytes_written", "bytes_kept", "peak_memory_bytes", "seconds", "verified", "left_out"}: bytes read
 * have those of headers in them, since the store was opened; `bytes_kept` were written before by a call that
 * did not end; the peak is that of the process. options: NULL for defaults. */
TW_API tw_status_t tw_store_reshard(const tw_store_t *store, const char *dst, const tw_mesh_t *mesh,
                                    const tw_sharding_t *const *shardings, size_t num_shardings,
                                    const tw_reshard_options_t *options, tw_blob_t **out_json);

#ifdef __cplusplus
}
#endif
#endif
