// SPDX-License-Identifier: Apache-2.0
// The arrays of one call: what tw_executable_run, tw_run_start and tw_graph_evaluate are given.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/allocator.hpp"
#include "base/log.hpp"
#include "base/status.hpp"
#include "graph/graph.hpp"
#include "runtime/executable.hpp"
#include "runtime/tensor.hpp"
#include <tilewright/tw.h>

namespace tw::capi {

// As many tensors as the graph has arguments, or results, of their types.
Status check_inputs(const graph::Graph &g, const tw_tensor_t *const *inputs, size_t num_inputs);
Status check_outputs(const graph::Graph &g, const tw_tensor_t *const *outputs, size_t num_outputs);
// Both, and outputs that may be written.
Status check_call(const graph::Graph &g, const tw_tensor_t *const *inputs, size_t num_inputs,
                  tw_tensor_t *const *outputs, size_t num_outputs);
// Those of a run; of tiles only that they are there.
Status check_call(const runtime::Executable &executable, const tw_tensor_t *const *inputs, size_t num_inputs,
                  tw_tensor_t *const *outputs, size_t num_outputs);

// Of a context, or where that is NULL the default one.
Allocator allocator_of(const tw_context_t *context);
Result<std::chrono::nanoseconds> checked_deadline(double seconds);      // 0: none
Result<std::chrono::nanoseconds> checked_comm_deadline(double seconds); // of processes; 0: 30 s

// Of a context, or where that is NULL the default one; it must not outlive the context.
Log log_of(const tw_context_t *context);
void log_failure(const tw_executable &executable, const Error &error);

// The host may read and write the elements now: an error for those of a device, and a wait for those that are
// on their way. `what` names the tensor.
Status check_on_host(const tw_tensor_t *tensor, const char *what);
Status check_on_host(const tw_tensor_t *const *tensors, size_t count, const char *what);

// Memory that came from DLPack may be somebody's that nobody may write to. `what`, and its number in a call,
// name the tensor.
Status check_writable(const tw_tensor_t *tensor, const char *what = "this tensor",
                      std::optional<size_t> number = {});

// Strides of the caller as tensors keep them: none where the array is dense. NULL: it is.
Result<std::vector<int64_t>> checked_strides(const graph::TensorType &type, const device::Where &where,
                                             const int64_t *strides);

// What a run with these arrays waits for. Elements that come to the host are waited for here.
Result<runtime::RunOrder> order_of(const tw_tensor_t *const *inputs, size_t num_inputs,
                                   tw_tensor_t *const *outputs, size_t num_outputs);

std::vector<runtime::TensorView> views_of(const tw_tensor_t *const *tensors, size_t count);

struct Views {
  Views(const tw_tensor_t *const *inputs, size_t num_inputs, tw_tensor_t *const *outputs, size_t num_outputs);
  std::vector<runtime::TensorView> inputs, outputs;
};

} // namespace tw::capi
