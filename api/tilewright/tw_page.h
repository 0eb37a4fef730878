/* SPDX-License-Identifier: Apache-2.0 */
/* A plan and its program as one page for people. Part of <tilewright/tw.h>. */
#ifndef TW_PAGE_H
#define TW_PAGE_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_estimate.h>
#include <tilewright/tw_program.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tw_page_options {
  size_t struct_size;
  const char *trace;   /* of a measured run, as tw_executable_trace gives it; NULL: none */
  const char *command; /* that makes the page again, which it shows; NULL: not known */
} tw_page_options_t;

/* One HTML file with all that is known of a program: what it takes, shardings, collectives with the chain
 * that asked for each, memory and time step by step, conflicts, the program itself, and the actions. It opens
 * without a network and asks for nothing; figures are those of tw_program_json and tw_estimate_json.
 * `estimate`: of this program; NULL: no machine was named, and the page has no time. options: NULL for
 * defaults. TW_INVALID_ARGUMENT: an estimate of another program, or a text that is no trace. */
TW_API tw_status_t tw_program_page(const tw_program_t *program, const tw_estimate_t *estimate,
                                   const tw_page_options_t *options, tw_blob_t **out_html);

#ifdef __cplusplus
}
#endif
#endif
