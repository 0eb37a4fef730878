/* SPDX-License-Identifier: Apache-2.0 */
/* Redistribution: moves an array from one sharding to another, provably cheapest. Part of
 * <tilewright/tw.h>.
 *
 *   tw_redistribution_plan(mesh, "f32[1024,1024] [{x},{}]", mesh, "f32[1024,1024] [{},{x}]", NULL,
 *                          &plan);
 *   tw_redistributor_create(&plan, 1, NULL, &mover);            // once: binds plan, threads, scratch
 *   tw_redistributor_run(mover, before, after);                 // many times: allocates nothing
 *
 * Distributed types are text in one of two spellings. Ours: an element type (may be left out), the global
 * shape, then per dimension the axes that tile it, major to minor, `f32[32,16] [{y,x}, {}:ceil] +max:z`;
 * after a dimension its split rule (balanced; `:ceil`; `:cuts=[0,5,9,16]`) and its halo, `:halo=[1,2]`: so
 * many cells before every tile and after it, also at the border of the array, which hold what lies there:
 * zeros around the array, or with `:halo=[1,2]:wrap` what lies at its other end. A dimension has cuts or a
 * halo. After all dimensions come the axes over which values are partial, with how they combine. The paper's
 * (arXiv 2112.01075): tile, axes minor to major, global size, `[8{"x","y"}32, 16]`. A text is the paper's
 * where a tile stands before a brace.
 */
#ifndef TW_REDISTRIBUTE_H
#define TW_REDISTRIBUTE_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_mesh.h>
#include <tilewright/tw_runtime.h>
#include <tilewright/tw_sharding.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- plans ---- */

/* A plan: immutable, may be used from many threads. */
typedef struct tw_redistribution tw_redistribution_t;

/* What a link costs in the time model: a step takes alpha + peers * message + bytes / bandwidth, for the
 * device that has most of each. */
typedef struct tw_link {
  double alpha_us; /* at least 0, as message_us */
  double message_us;
  double gb_per_s; /* 1e9 bytes a second; above 0 */
  uint64_t reserved[3];
} tw_link_t;

typedef struct tw_redistribution_options {
  size_t struct_size;
  const char *
      method; /* "auto" (NULL), "direct", "level", "relay", "scalar" (the paper's one-dimension collectives), "vector" */
  const char *
      levels; /* "node=2": devices in the order of their ids cut into 2 groups; "node=[[0,1,4,5],[2,3,6,7]]": these; several levels,
                 "node=2,socket=2", outermost first; NULL: none */
  tw_dtype_t dtype;      /* of types that name none; 0: f32 */
  int64_t scratch_bytes; /* intermediate tiles that a device may hold at once; 0: no limit, negative: none */
  int64_t height_bytes;  /* the largest tile of any buffer; 0: the larger of source and target tile */
  const tw_link_t
      *links; /* one a level, outermost first, then that inside the innermost groups; NULL: this machine */
  size_t num_links;
  double copy_gb_per_s; /* of bytes that stay on their device; 0: this machine */
  const char *
      steps; /* the way to go, instead of a method: "dynslice 0 y\nalltoall(0, 1)", a step a line; NULL: the planner's.
                See tw_redistribution_plan */
  const int64_t *
      lost; /* ids of devices of the source mesh that are gone, with what they held; see tw_redistribution_missing */
  size_t num_lost;
} tw_redistribution_options_t;

/* The best plan for the options (NULL: all defaults): the least modelled time, then fewer steps, fewer peers.
 * All callers with the same arguments get the same plan. Plans are kept by what was asked for, so asking
 * again costs little. `dst_mesh` NULL: the source's mesh. A `dst_type` that is a sharding alone, "[{},{x}]",
 * has the source's sizes and element type. TW_INVALID_ARGUMENT: a type or the pair is wrong.
 * TW_RESOURCE_EXHAUSTED: no plan fits the budget; the message says what the smallest needs.
 * TW_UNIMPLEMENTED: the method cannot do this.
 *
 * `steps` are lines (or stand between ';'), '#' begins a comment: `allgather D` takes the innermost axis from
 * dimension D, `alltoall D E` moves it to E, `dynslice D AXIS` adds one, `allpermute` makes any tiles of
 * the same shapes; parentheses and commas may be written. D may be the name of that axis. A word alone
 * makes the type on the next line, or what the lines behind it start from, or the target. A line may be a
 * type, which the step before it made or which is reached by whatever exchange it takes. The plan's method
 * is "stated". In each step a device receives exactly what its tile after the step lacks; of words none
 * combines partial values, a type alone may. "": the one exchange from source to target, as stated.
 * TW_INVALID_ARGUMENT names the line where a step cannot be done, or is not what it is called. */
TW_API tw_status_t tw_redistribution_plan(const tw_mesh_t *src_mesh, const char *src_type,
                                          const tw_mesh_t *dst_mesh, const char *dst_type,
                                          const tw_redistribution_options_t *options,
                                          tw_redistribution_t **out_plan);
/* The same between layouts that are at hand, as tw_program_result_sharding and tw_program_argument_sharding
 * give them: how the state of a program on some devices becomes the state of another on others. Both are of
 * one array, with elements of type `dtype`. Each has its own mesh, of which axes of steps and threads do not
 * count, and give which device has which id by tw_mesh_with_devices. options->dtype and options->steps are
 * not looked at. */
TW_API tw_status_t tw_redistribution_between(const tw_sharding_t *src, const tw_sharding_t *dst,
                                             tw_dtype_t dtype, const tw_redistribution_options_t *options,
                                             tw_redistribution_t **out_plan);
TW_API tw_redistribution_t *tw_redistribution_retain(tw_redistribution_t *plan);
TW_API void tw_redistribution_release(tw_redistribution_t *plan);

/* Devices of both meshes, counted in the order of their ids: everything below counts devices like this. */
TW_API size_t tw_redistribution_num_devices(const tw_redistribution_t *plan);
/* -1 when `device` is too large. */
TW_API int64_t tw_redistribution_device_id(const tw_redistribution_t *plan, size_t device);
/* Dimensions of the array; at least 1, a scalar counts as an array of one element. */
TW_API size_t tw_redistribution_rank(const tw_redistribution_t *plan);
/* Bytes of an element. */
TW_API size_t tw_redistribution_item_size(const tw_redistribution_t *plan);
/* The tile of a device before (`side` 0) and after (1): rank offsets and extents, halos included. Extents
 * are 0 where it holds nothing. With halos a tile may begin below 0 and end behind the array. */
TW_API tw_status_t tw_redistribution_tile(const tw_redistribution_t *plan, int side, size_t device,
                                          int64_t *out_offset, int64_t *out_extent);
/* The element of the array for which rank coordinates in tiles of a side stand: themselves, or modulo the
 * size along a dimension whose halo wraps. Answers 1, or 0 and writes nothing: there is none, since a halo
 * lies around the array there. What it has before the run is not looked at; after the run it is zero. -1
 * where an argument is NULL, or `side` is neither 0 nor 1. */
TW_API int tw_redistribution_element(const tw_redistribution_t *plan, int side, const int64_t *coordinates,
                                     int64_t *out_index);

/* Where devices are lost: the parts of target tiles that no other device has, in the order of their devices.
 * What these boxes hold after a run means nothing: then they are to come from elsewhere, such as a checkpoint
 * (tw_store_read_missing). Devices that are lost, and not in the target mesh, are not counted as devices:
 * with a comm, those that are left and those of the target are dealt out to its processes in the order of
 * their ids, so that ids say which process has which device. Tiles with halos, and partial values, are
 * TW_UNIMPLEMENTED with lost devices. */
TW_API size_t tw_redistribution_num_missing(const tw_redistribution_t *plan);
/* `part` from 0; rank offsets and extents, in the array. TW_OUT_OF_RANGE: there is no such part. */
TW_API tw_status_t tw_redistribution_missing(const tw_redistribution_t *plan, size_t part, size_t *out_device,
                                             int64_t *out_offset, int64_t *out_extent);

/* 1 where partial values are combined on the way. */
TW_API int tw_redistribution_combines(const tw_redistribution_t *plan);
TW_API size_t tw_redistribution_num_steps(const tw_redistribution_t *plan);
/* "direct", "level", .. Static storage. */
TW_API const char *tw_redistribution_method(const tw_redistribution_t *plan);
/* Bytes that a device receives over all steps; -1 when `device` is too large. */
TW_API int64_t tw_redistribution_bytes_received(const tw_redistribution_t *plan, size_t device);
/* The bytes that a device must receive at least in any plan (the most over all devices, and their mean). */
TW_API tw_status_t tw_redistribution_bound(const tw_redistribution_t *plan, int64_t *out_max,
                                           double *out_mean);
TW_API int64_t tw_redistribution_scratch_bytes(const tw_redistribution_t *plan);
TW_API int64_t tw_redistribution_height_bytes(const tw_redistribution_t *plan);
/* 1 where no plan of the method costs less, with a proof. */
TW_API int tw_redistribution_exact(const tw_redistribution_t *plan);
/* Equal plans have equal hashes, whoever made them: compare it across processes before the first run. */
TW_API uint64_t tw_redistribution_hash(const tw_redistribution_t *plan);

/* The object that `tw redistribute --json` prints, and the text without --json, no wider than `width` columns
 * (0: 120). Both tell the plans that were not taken. */
TW_API tw_status_t tw_redistribution_json(const tw_redistribution_t *plan, int check, tw_blob_t **out_json);
TW_API tw_status_t tw_redistribution_report(const tw_redistribution_t *plan, int check, size_t width,
                                            tw_blob_t **out_text);
/* Plans none of which is both faster and smaller than another, as a JSON array of objects with method,
 * steps, time and memory. */
TW_API tw_status_t tw_redistribution_pareto(const tw_redistribution_t *plan, tw_blob_t **out_json);

/* Replays the plan on every device with code that no planner uses: tiles, holders, cover, memory, costs,
 * certificate; small arrays are moved element by element. TW_INTERNAL names what is wrong. */
TW_API tw_status_t tw_redistribution_check(const tw_redistribution_t *plan);

/* A plan as bytes, and back. Loading checks it as tw_redistribution_check does: bytes that are no plan, or a
 * wrong one, give TW_INVALID_ARGUMENT. The format belongs to one API version. */
TW_API tw_status_t tw_redistribution_save(const tw_redistribution_t *plan, tw_blob_t **out_bytes);
TW_API tw_status_t tw_redistribution_load(const void *bytes, size_t size, tw_redistribution_t **out_plan);

/* ---- running them ---- */

/* Plans bound to devices, threads and scratch memory. One run at a time. */
typedef struct tw_redistributor tw_redistributor_t;

typedef struct tw_redistributor_options {
  size_t struct_size;
  int32_t
      workers; /* threads, the caller of run being one of them; 0: one a core. Results do not depend on it */
  int32_t
      donate; /* 1: the source tiles may be overwritten, and a target tile may lie in its device's source tile */
  int32_t
      share; /* 1: nobody writes to tiles once they are made, so that devices share equal ones; see tw_redistributor_home */
  const tw_context_t *
      context; /* its allocator, and its threads where `workers` is 0; NULL: the default one, and threads of its own */
  int64_t
      memory_limit; /* refuse what needs more scratch memory in this process: TW_RESOURCE_EXHAUSTED; 0: none */
  tw_comm_t *
      comm; /* the devices are dealt out to its processes, in blocks; NULL: all are in this one. All processes create and run the
               same redistributors in one order. An error ends the communicator, as a run of an executable does */
  const char
      *device; /* "host" (NULL), "cuda" or "detached": where tiles lie, as tw_executable_options_t has it; see
                 tw_redistributor_device */
  const char *gpus; /* of that kind, as tw_executable_options_t has it; NULL: those that it chooses */
  double deadline;  /* seconds that a run may take on devices that are not the host; 0: any time */
  uint64_t
      delays; /* not 0, for tests on detached devices: draws when they run their commands, and where they are */
} tw_redistributor_options_t;

/* Several plans over the same number of devices run as one: their same-numbered steps at once. On the host in
 * one process, what a plan sums by shares that devices then give each other is summed once, in the same
 * order, and written to all that want it. Results have the same bits, however many processes and whatever
 * devices there are. TW_INVALID_ARGUMENT on all processes where they were given other plans or options. */
TW_API tw_status_t tw_redistributor_create(const tw_redistribution_t *const *plans, size_t num_plans,
                                           const tw_redistributor_options_t *options,
                                           tw_redistributor_t **out_redistributor);
TW_API tw_redistributor_t *tw_redistributor_retain(tw_redistributor_t *redistributor);
TW_API void tw_redistributor_release(tw_redistributor_t *redistributor);
/* Memory of this process for intermediate tiles of all plans, and for messages; allocated once. */
TW_API int64_t tw_redistributor_scratch_bytes(const tw_redistributor_t *redistributor);
/* Whether a device is one of this process (*out_is_here 1), and the unit of the device kind on which its
 * tiles are (tw_tensor_create_on); 0 on the host. */
TW_API tw_status_t tw_redistributor_device(const tw_redistributor_t *redistributor, size_t device,
                                           int *out_is_here, int32_t *out_unit);
/* Where the target tile of a device lies: in the source tile (*out_source 1) or in the target tile (0) of
 * *out_device, which is of the same process. Without `share`, and where nothing can be shared, it is the
 * device's own target tile. */
TW_API tw_status_t tw_redistributor_home(const tw_redistributor_t *redistributor, size_t plan, size_t device,
                                         int *out_source, size_t *out_device);
/* `src` and `dst`: a pointer per plan and device (plan-major) to its tile, dense and row-major, in the
 * caller's memory, or in that of its unit; NULL where the device holds nothing; those of other processes'
 * devices, and target tiles that lie elsewhere, are not looked at. Source and target tiles must not overlap,
 * but for donated ones. Returns when all tiles are there, on all processes. On the host it allocates nothing.
 * On an error target tiles hold any bytes. */
TW_API tw_status_t tw_redistributor_run(tw_redistributor_t *redistributor, const void *const *src,
                                        void *const *dst);

#ifdef __cplusplus
}
#endif
#endif
