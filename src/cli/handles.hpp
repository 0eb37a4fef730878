// SPDX-License-Identifier: Apache-2.0
// The C handles as owners that release themselves, and status codes turned into a Failure that main prints.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/failure.hpp"
#include <tilewright/tw.h>

namespace tw::cli {

template <auto release> struct Releaser {
  template <class T> void operator()(T *object) const { release(object); }
};

using Graph = std::unique_ptr<tw_graph_t, Releaser<tw_graph_release>>;
using Mesh = std::unique_ptr<tw_mesh_t, Releaser<tw_mesh_release>>;
using Plan = std::unique_ptr<tw_plan_t, Releaser<tw_plan_release>>;
using Program = std::unique_ptr<tw_program_t, Releaser<tw_program_release>>;
using Comm = std::unique_ptr<tw_comm_t, Releaser<tw_comm_release>>;
using Executable = std::unique_ptr<tw_executable_t, Releaser<tw_executable_release>>;
using Redistribution = std::unique_ptr<tw_redistribution_t, Releaser<tw_redistribution_release>>;
using Redistributor = std::unique_ptr<tw_redistributor_t, Releaser<tw_redistributor_release>>;
using Sharding = std::unique_ptr<tw_sharding_t, Releaser<tw_sharding_release>>;
using Store = std::unique_ptr<tw_store_t, Releaser<tw_store_release>>;
using System = std::unique_ptr<tw_system_t, Releaser<tw_system_release>>;
using Estimate = std::unique_ptr<tw_estimate_t, Releaser<tw_estimate_release>>;
using Search = std::unique_ptr<tw_search_t, Releaser<tw_search_release>>;
using Tensor = std::unique_ptr<tw_tensor_t, Releaser<tw_tensor_release>>;
using Blob = std::unique_ptr<tw_blob_t, Releaser<tw_blob_release>>;

// Throws this thread's last error where a call failed.
void check(tw_status_t status);

// `auto mesh = make<Mesh>([&](tw_mesh_t **out) { return tw_mesh_parse(text, out); });`
template <class Handle, class Call> Handle make(Call &&call) {
  typename Handle::pointer object = nullptr;
  check(call(&object));
  return Handle(object);
}

// The text of a document that a call makes.
template <class Call> std::string text_of(Call &&call) {
  const auto blob = make<Blob>(std::forward<Call>(call));
  return std::string(tw_blob_data(blob.get()), tw_blob_size(blob.get()));
}

} // namespace tw::cli
