/* SPDX-License-Identifier: Apache-2.0 */
/* Shardings as objects: how one array lies over a mesh. Part of <tilewright/tw.h>.
 *
 *   tw_dim_sharding_t rows = {.axes = &(tw_axis_part_t){.axis = "data"}, .num_axes = 1}, dims[2] = {rows};
 *   tw_sharding_create(mesh, (int64_t[]){16, 256}, 2, dims, NULL, 0, &sharding);      // [{data}, {}]
 *   tw_sharding_tile(sharding, 3, offset, extent);                                     // of position 3
 *
 * Plans and programs give the shardings of their values, text is read and printed, and the builder takes them
 * for arguments, values and results (tw_builder_shard).
 */
#ifndef TW_SHARDING_H
#define TW_SHARDING_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One array of known shape over one mesh. Immutable. */
typedef struct tw_sharding tw_sharding_t;

/* Where a dimension is cut into T tiles. */
typedef int32_t tw_split_t;
enum tw_split {
  TW_SPLIT_SIGNED = -1,
  TW_SPLIT_BALANCED = 0, /* tile t of n elements is [t*n/T, (t+1)*n/T), rounded down */
  TW_SPLIT_CEIL = 1,     /* n/T elements each, rounded up; the last have fewer, or none */
  TW_SPLIT_CUTS = 2,     /* at T+1 given places */
  TW_SPLIT_SPANS =
      3 /* T given intervals, which may overlap: a begin and an end for each; a single one is whole */
};

/* What stands around an array where a tile has a halo there. */
typedef int32_t tw_border_t;
enum tw_border {
  TW_BORDER_SIGNED = -1,
  TW_BORDER_ZERO = 0, /* zeros */
  TW_BORDER_WRAP = 1, /* what lies at the other end of the array */
  TW_BORDER_NONE = 2  /* nothing: a halo ends where the array does, as it does in programs */
};

/* How partial values combine. */
typedef int32_t tw_reduction_t;
enum tw_reduction {
  TW_REDUCTION_SIGNED = -1,
  TW_REDUCTION_NONE = 0, /* they do not: pieces beside each other */
  TW_REDUCTION_SUM = 1,
  TW_REDUCTION_MAX = 2,
  TW_REDUCTION_MIN = 3,
  TW_REDUCTION_PROD = 4,
  TW_REDUCTION_AND = 5,
  TW_REDUCTION_OR = 6,
  TW_REDUCTION_XOR = 7,
  TW_REDUCTION_PICK = 8,  /* all but one are zero bits; that one is taken */
  TW_REDUCTION_REGION = 9 /* by the region of the op that makes them */
};

/* A dimension: the axes that tile it, and how. Zeros are a dimension that is whole. */
typedef struct tw_dim_sharding {
  const tw_axis_part_t *axes; /* major to minor */
  size_t num_axes;
  tw_split_t split;
  int64_t unit;        /* elements that stay together, a divisor of the size; 0 is 1 */
  const int64_t *cuts; /* of TW_SPLIT_CUTS, in units, and TW_SPLIT_SPANS */
  size_t num_cuts;
  int64_t halo_before; /* elements before every tile that a device holds too, and after it */
  int64_t halo_after;
  tw_border_t border;
  int32_t is_open;  /* nonzero: propagation may give it further axes */
  int32_t priority; /* of what is attached to a builder: lower ones are propagated first. 0 or more */
  uint64_t reserved[2];
} tw_dim_sharding_t;

/* An axis, or a part of one, over which a value is partial: what the devices along it hold is still to be
 * combined. */
typedef struct tw_partial {
  tw_axis_part_t part;
  tw_reduction_t reduction;
  uint64_t reserved[1];
} tw_partial_t;

/* ---- making them ---- */

/* `[{data}, {}, {model:(1)2}:ceil] +sum:x`: the text of tw_mesh_box and tw_redistribute.h. No dimension of it
 * is open. TW_INVALID_ARGUMENT and TW_NOT_FOUND name the character, the dimension, sizes and axes. */
TW_API tw_status_t tw_sharding_parse(const tw_mesh_t *mesh, const char *text, const int64_t *dims,
                                     size_t ndims, tw_sharding_t **out_sharding);
/* The same from structs, one for each of the `ndims` dimensions. An axis stands at most once in all of it. */
TW_API tw_status_t tw_sharding_create(const tw_mesh_t *mesh, const int64_t *dims, size_t ndims,
                                      const tw_dim_sharding_t *dim_shardings, const tw_partial_t *partials,
                                      size_t num_partials, tw_sharding_t **out_sharding);
TW_API tw_sharding_t *tw_sharding_retain(tw_sharding_t *sharding);
TW_API void tw_sharding_release(tw_sharding_t *sharding);

/* ---- looking at them ---- */

/* The mesh, whose axes are cut where the sharding names parts of one (tw_mesh_axis_part). */
TW_API tw_status_t tw_sharding_mesh(const tw_sharding_t *sharding, tw_mesh_t **out_mesh);
/* The shape of the whole array: *out_ndims sizes, never NULL for a sharding. */
TW_API const int64_t *tw_sharding_dims(const tw_sharding_t *sharding, size_t *out_ndims);
/* Pointers in the struct are the sharding's. Spans that are tiles with as many elements around each, where
 * the array has them, read as these tiles with a halo and TW_BORDER_NONE: so do values of programs that keep
 * what lies around a tile. TW_OUT_OF_RANGE: it has no such dimension. */
TW_API tw_status_t tw_sharding_dim(const tw_sharding_t *sharding, size_t dim, tw_dim_sharding_t *out_dim);
TW_API size_t tw_sharding_num_partials(const tw_sharding_t *sharding);
/* TW_OUT_OF_RANGE: i is too large. */
TW_API tw_status_t tw_sharding_partial(const tw_sharding_t *sharding, size_t i, tw_partial_t *out_partial);
/* The text that tw_sharding_parse reads: halos without a border are spans there. It does not say which
 * dimensions are open, nor priorities. */
TW_API tw_status_t tw_sharding_text(const tw_sharding_t *sharding, tw_blob_t **out_text);

/* Nonzero: every device holds all of the array, and nothing is partial. */
TW_API int tw_sharding_is_whole(const tw_sharding_t *sharding);
/* Nonzero: the same mesh, shape, tiles and partial axes. */
TW_API int tw_sharding_equal(const tw_sharding_t *a, const tw_sharding_t *b);
/* Tiles of a dimension, the product of its axes; 0 when `dim` is too large. */
TW_API int64_t tw_sharding_num_tiles(const tw_sharding_t *sharding, size_t dim);
/* What stands at a position of the mesh (tw_mesh_num_positions) holds: offset and extent in every dimension
 * of the array, halos included, so that a tile may begin below 0 and end behind the array. Extents may be
 * 0. TW_OUT_OF_RANGE: there is no such position. */
TW_API tw_status_t tw_sharding_tile(const tw_sharding_t *sharding, int64_t position, int64_t *out_offset,
                                    int64_t *out_extent);
/* The largest tile in every dimension: the shape of memory that is large enough on every device. */
TW_API tw_status_t tw_sharding_local_dims(const tw_sharding_t *sharding, int64_t *out_dims);

#ifdef __cplusplus
}
#endif
#endif
