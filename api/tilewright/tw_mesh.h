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
 * axes or devices that a mesh can have. tw_mesh_create tells them apart alike. */
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
