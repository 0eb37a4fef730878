// SPDX-License-Identifier: Apache-2.0
// What tests may ask of the double of the CUDA driver. They open it by the path that the plug-in opens, and
// so get the same one.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda.h>

extern "C" {

// A kernel of the host in place of a compiled one. `arguments` point at copies made when it was launched;
// addresses of device memory become addresses of the host by tw_double_alias.
typedef void (*tw_double_kernel)(const uint32_t *blocks, const uint32_t *threads, void **arguments);
void tw_double_add_kernel(const char *name, tw_double_kernel kernel, const size_t *argument_bytes,
                          size_t num_arguments);
// Where the threads of streams find device memory, which faults at its own address.
void *tw_double_alias(const void *memory);
// Puts work of another double (that of a library) into a stream; it is released when nothing runs it again.
// What runs once cannot be captured: a capture of that stream is void then.
void tw_double_enqueue(CUstream stream, void (*run)(void *), void (*release)(void *), void *user);
void tw_double_enqueue_again(CUstream stream, void (*run)(void *), void (*release)(void *), void *user);

// The GPU whose context is current to this thread, or of a stream; -1: none.
int tw_double_current_gpu();
int tw_double_gpu_of(CUstream stream);

// From now on the `n`th command that runs answers `code`: 700 and the like lose the context. 0: none.
void tw_double_fail_command(int64_t n, int code);
// The `n`th call from now on that allocates answers that there is no memory. 0: none.
void tw_double_fail_allocation(int64_t n);
// Threads of streams sleep before commands, for times drawn from this seed. 0: never.
void tw_double_delays(uint64_t seed);
// What was made and not given back: allocations, streams, events, modules, graphs, retained contexts.
int64_t tw_double_alive();
// Calls of the driver so far.
int64_t tw_double_calls();
// Of these, launches of graphs.
int64_t tw_double_graph_launches();
}
