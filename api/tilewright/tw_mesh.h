/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes of devices, and how arrays lie over them. Part of <tilewright/tw.h>. */
#ifndef TW_MESH_H
#define TW_MESH_H

#include <tilewright/tw_base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Named axes over devices, row-major: the first axis is the slowest. On "batch=2,model=4" device 5 stands at
 * batch 1, model 1. At most 64 axes and 65536 devices. */
typedef struct tw_mesh tw_mesh_t;

/* "data=2,model=4", or {"data": 2, "model": 4}; "" is the mesh of one device. TW_INVALID_ARGUMENT names the
 * part that does not read as axes, or whose size is below 1; TW_OUT_OF_RANGE: well-formed, but beyond the
 * axes or devices that a mesh can have. tw_mesh_create tells them apart alike. Names of axes are of letters,
 * digits, '_', '-' and '.', at least one of them; what is imported may have others. */
TW_API tw_status_t tw_mesh_parse(const char *text, tw_mesh_t **out_mesh);
TW_API tw_status_t tw_mesh_create(const char *const *axis_names, const int64_t *axis_sizes, size_t num_axes,
                                  tw_mesh_t **out_mesh);
/* The same axes on other devices: `device_ids[p]` stands at mesh position p (positions are row-major).
 * Distinct, from 0 on. */
TW_API tw_status_t tw_mesh_with_devices(const tw_mesh_t *mesh, const int64_t *device_ids, size_t num_devices,
                                        tw_mesh_t **out_mesh);
TW_API tw_mesh_t *tw_mesh_retain(tw_mesh_t *mesh);
TW_API void tw_mesh_release(tw_mesh_t *mesh);

TW_API size_t tw_mesh_num_axes(const tw_mesh_t *mesh);
/* NULL and 0 when `axis` is too large. */
TW_API const char *tw_mesh_axis_name(const tw_mesh_t *mesh, size_t axis);
TW_API int64_t tw_mesh_axis_size(const tw_mesh_t *mesh, size_t axis);
TW_API int64_t tw_mesh_num_devices(const tw_mesh_t *mesh);

/* What the places along an axis are. */
typedef int32_t tw_axis_kind_t;
enum tw_axis_kind {
  TW_AXIS_SIGNED = -1,
  TW_AXIS_DEVICES = 0,
  TW_AXIS_SERIAL = 1, /* steps, one after the other on one device */
  TW_AXIS_THREADS = 2 /* threads, at once and in the memory of one device */
};
/* TW_AXIS_SIGNED when `axis` is too large. */
TW_API tw_axis_kind_t tw_mesh_axis_kind(const tw_mesh_t *mesh, size_t axis);
/* Places of all axes together, row-major: the devices, times the steps and threads of serial and threads
 * axes, which only meshes of plans have. */
TW_API int64_t tw_mesh_num_positions(const tw_mesh_t *mesh);
/* The id of the device at a position; -1: there is no such position. */
TW_API int64_t tw_mesh_device_id(const tw_mesh_t *mesh, int64_t position);

/* An axis, or a part of it: of the places of `axis`, cut into parts from major to minor, the part of `size`
 * places behind parts of `before` places together. Written "model:(2)4". */
typedef struct tw_axis_part {
  const char *axis;
  int64_t before; /* 1 for the most major part, and for a whole axis; 0 is 1 */
  int64_t size;   /* of the part; given as 0: all that is left */
  uint64_t reserved[1];
} tw_axis_part_t;
/* Plans cut axes of which shardings name parts: then each axis of their mesh is a part. The name is the
 * mesh's. TW_OUT_OF_RANGE: there is no such axis. */
TW_API tw_status_t tw_mesh_axis_part(const tw_mesh_t *mesh, size_t axis, tw_axis_part_t *out_part);

/* The box of an array of shape `dims` that `device` holds under a sharding, written
 * `[{data}, {}, {model}:ceil]`: offset and extent per dimension (`ndims` values each). Extents may be 0:
 * tiles of dimensions that do not divide can be empty. With halos, `[{data}:halo=[1,1], {}]`, they are part
 * of it, so the box may begin below 0 and end behind the array. */
TW_API tw_status_t tw_mesh_box(const tw_mesh_t *mesh, const char *sharding, const int64_t *dims, size_t ndims,
                               int64_t device, int64_t *out_offset, int64_t *out_extent);

#ifdef __cplusplus
}
#endif
#endif
