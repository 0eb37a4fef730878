// SPDX-License-Identifier: Apache-2.0
// The library's handles as owners, and its status codes as a Failure that the table answers as an error.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pjrt/error.hpp"
#include <tilewright/tw.h>

namespace tw::pjrt {

template <auto release> struct Releaser {
  template <class T> void operator()(T *object) const { release(object); }
};
using BlobHandle = std::unique_ptr<tw_blob_t, Releaser<tw_blob_release>>;
using ContextHandle = std::unique_ptr<tw_context_t, Releaser<tw_context_release>>;
using CustomCallsHandle = std::unique_ptr<tw_custom_calls_t, Releaser<tw_custom_calls_release>>;
using ExecutableHandle = std::unique_ptr<tw_executable_t, Releaser<tw_executable_release>>;
using GraphHandle = std::unique_ptr<tw_graph_t, Releaser<tw_graph_release>>;
using MeshHandle = std::unique_ptr<tw_mesh_t, Releaser<tw_mesh_release>>;
using PlanHandle = std::unique_ptr<tw_plan_t, Releaser<tw_plan_release>>;
using ProgramHandle = std::unique_ptr<tw_program_t, Releaser<tw_program_release>>;
using ShardingHandle = std::unique_ptr<tw_sharding_t, Releaser<tw_sharding_release>>;
using TensorHandle = std::unique_ptr<tw_tensor_t, Releaser<tw_tensor_release>>;

// Throws this thread's last error where a call failed.
inline void check(tw_status_t status) {
  if (status != TW_OK)
    throw last_failure(status);
}

// `auto mesh = make<MeshHandle>([&](tw_mesh_t **out) { return tw_mesh_parse(text, out); });`
template <class Handle, class Call> Handle make(Call &&call) {
  typename Handle::pointer object = nullptr;
  check(call(&object));
  return Handle(object);
}

// The text of a document that a call makes.
template <class Call> std::string text_of(Call &&call) {
  const auto blob = make<BlobHandle>(std::forward<Call>(call));
  return std::string(tw_blob_data(blob.get()), tw_blob_size(blob.get()));
}

// Each op of a graph, until `visit` answers true; whether it did.
template <class Visit> bool any_op(const tw_graph_t *graph, Visit &&visit) {
  const auto end = static_cast<tw_op_t>(tw_graph_op_end(graph));
  for (tw_op_t op = 0; op < end; ++op) {
    tw_op_view_t view{};
    view.struct_size = sizeof view;
    check(tw_graph_op(graph, op, &view));
    if (visit(op, view))
      return true;
  }
  return false;
}
// An attribute of an op by its name; of kind TW_ATTR_INTEGER and 0 where it is not there.
inline tw_attr_t attribute_of(const tw_graph_t *graph, tw_op_t op, const tw_op_view_t &view,
                              std::string_view name) {
  for (uint32_t i = 0; i < view.num_attrs; ++i) {
    tw_attr_t attr{};
    check(tw_graph_attr(graph, op, i, &attr));
    if (attr.name == name)
      return attr;
  }
  return {};
}

} // namespace tw::pjrt
