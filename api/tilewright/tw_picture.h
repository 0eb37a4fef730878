/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of how arrays lie over a mesh. Part of <tilewright/tw.h>.
 *
 *   tw_picture_options_t how = {.struct_size = sizeof how, .form = "png", .theme = "dark"};
 *   tw_sharding_picture(sharding, "w1", "f32", &how, &picture);     // [{data}, {model}] of a matrix
 *
 * A sharding is drawn as panels of tiles, each with the devices that hold it, in the colours of the axes
 * that made it. Copies are cards behind each other, partial values are hatched, halos and uneven tiles are to
 * scale. Where tiles are many the middle ones are left out.
 */
#ifndef TW_PICTURE_H
#define TW_PICTURE_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_plan.h>
#include <tilewright/tw_program.h>
#include <tilewright/tw_redistribute.h>
#include <tilewright/tw_sharding.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tw_picture_options {
  size_t struct_size;
  const char *form;  /* "svg" (NULL), "png", or "text" for a terminal */
  const char *theme; /* "auto" (NULL): as the reader's screen is, of PNG light; "light"; "dark"; "page": SVG
                        inside HTML, where text has the colour of the text around it */
  double scale;      /* PNG: pixels for each of the picture's own; 0: 2 */
  int32_t bare;      /* 1: tiles and rulers alone, without the name, what axes do and what devices hold */
} tw_picture_options_t;

/* One array. `name` and `element_type` ("f32") may be NULL: not known. In SVG a tile is a group of class
 * `tw-tile` whose attributes `data-positions`, `data-offset` and `data-extent` are what tw_sharding_tile
 * says. TW_INVALID_ARGUMENT: a form, theme, type or scale that there is not. TW_UNIMPLEMENTED: PNG, in a
 * build without zlib. TW_RESOURCE_EXHAUSTED: too many pixels. */
TW_API tw_status_t tw_sharding_picture(const tw_sharding_t *sharding, const char *name,
                                       const char *element_type, const tw_picture_options_t *options,
                                       tw_blob_t **out_bytes);
/* Values of a plan beside and below each other. A text of `values` is an argument or several ("w1",
 * "params*wq*", "3..10"), else a result or several, else any value; no texts: all arguments. TW_NOT_FOUND
 * lists the nearest names. TW_RESOURCE_EXHAUSTED: more arrays than a picture holds. */
TW_API tw_status_t tw_plan_picture(const tw_plan_t *plan, const char *const *values, size_t num_values,
                                   const tw_picture_options_t *options, tw_blob_t **out_bytes);
/* The array before and after, and between them the steps of the plan, and which device sends how much to
 * which where they are few. `name` of the array may be NULL. */
TW_API tw_status_t tw_redistribution_picture(const tw_redistribution_t *plan, const char *name,
                                             const tw_picture_options_t *options, tw_blob_t **out_bytes);
/* The same of a collective of a program, by its number in reports: of its first array where it moves
 * several. TW_NOT_FOUND: the program does not have it. */
TW_API tw_status_t tw_program_collective_picture(const tw_program_t *program, size_t collective,
                                                 const tw_picture_options_t *options, tw_blob_t **out_bytes);

#ifdef __cplusplus
}
#endif
#endif
