/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that talk over MPI. Opt-in: <tilewright/tw.h> does not include it.
 *
 * The library links no MPI. It opens the plug-in for the MPI library that the program uses,
 * libtilewright_openmpi.so or libtilewright_mpich.so, from the folder that TW_PLUGINS names, from its own, or
 * from where the loader looks.
 *
 * MPI must have been initialised by the program, for MPI_THREAD_SERIALIZED or more. With no more than that,
 * no other thread of the program may call MPI while a call of this library is under way. Nothing here calls
 * MPI_Init or MPI_Finalize but the two functions that say so.
 */
#ifndef TW_MPI_H
#define TW_MPI_H

#include <tilewright/tw_base.h>
#include <tilewright/tw_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tw_mpi_options {
  size_t struct_size;
  /* "openmpi" or "mpich"; NULL: the one that is loaded, else the one whose launcher started this process,
   * else any. */
  const char *library;
  /* How long a process waits for another, in seconds; 0: 30. When it is over, the wait is an error on all. */
  double deadline;
} tw_mpi_options_t;

/* `mpi_comm` points at an MPI_Comm of the program, all of whose processes call; a duplicate is made. NULL:
 * MPI_COMM_WORLD. `options` may be NULL. */
TW_API tw_status_t tw_comm_create_mpi(const void *mpi_comm, const tw_mpi_options_t *options,
                                      tw_comm_t **out_comm);

/* MPI_Init_thread and MPI_Finalize, for programs that use MPI only through this library. `library` as in
 * the options. */
TW_API tw_status_t tw_mpi_start(const char *library);
TW_API tw_status_t tw_mpi_finish(const char *library);

#ifdef __cplusplus
}
#endif
#endif
