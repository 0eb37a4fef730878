// SPDX-License-Identifier: Apache-2.0
// tw_device.h: arrays on devices, streams and events.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "capi/call.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "runtime/array_copy.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

const char *kind_name(const device::Where &where) { return where.is_host() ? "host" : where.kind->name(); }

const char *tell(const device::Where &where, int32_t *out_device) {
  if (out_device)
    *out_device = where.unit;
  return kind_name(where);
}

Result<device::Where> where_of(const char *kind, int32_t device) {
  TW_TRY(require(kind, "kind"));
  return device::find_where(kind, device);
}

Result<device::Where> with_queues(const char *kind, int32_t device) {
  TW_ASSIGN(const device::Where where, where_of(kind, device));
  if (where.is_host())
    return fail(Code::invalid_argument, "TW-671", "the host has no streams and no events");
  return where;
}

Status check_same(bool same, const device::Where &a, const device::Where &b, const char *what) {
  if (same)
    return {};
  return fail(Code::invalid_argument, "TW-629",
              fmt::format("the stream is of {}, and the {} of {}", to_text(a), what, to_text(b)));
}

// What commands of before used goes when they are over.
void sweep(tw_stream &stream) {
  std::erase_if(stream.kept, [](const tw_stream::Kept &k) { return k.behind->is_reached(); });
}

// The event that stands for what a queue was given so far.
std::shared_ptr<device::Event> mark(device::Queue &queue, const device::Where &where) {
  std::shared_ptr<device::Event> event = where.kind->make_event(where.unit);
  queue.record(*event);
  return event;
}

// What the queue is given next finds the elements.
void await(device::Queue &queue, const tw_tensor &tensor) {
  if (const auto event = tensor.ready())
    queue.wait(*event);
}

Status copy_behind(tw_tensor &dst, const tw_tensor &src, tw_stream &stream) {
  const device::Where &from = src.tensor.where(), &to = dst.tensor.where();
  TW_TRY(check_same(stream.where == from || stream.where == to, stream.where, from.is_host() ? to : from,
                    "tensor"));
  sweep(stream);
  await(*stream.queue, src);
  await(*stream.queue, dst);
  device::Memory between;
  TW_TRY(runtime::copy_array(*stream.queue, src.tensor.view(), dst.tensor.view(), between));
  const auto behind = mark(*stream.queue, stream.where);
  stream.kept.push_back(
      {behind, Ref<const tw_tensor>::share(&src), Ref<const tw_tensor>::share(&dst), std::move(between)});
  dst.set_ready(behind);
  return runtime::take_failure(*stream.queue);
}

Status copy_now(tw_tensor &dst, const tw_tensor &src) {
  const device::Where &from = src.tensor.where(), &to = dst.tensor.where();
  if (from.is_host() && to.is_host()) {
    TW_TRY(check_on_host(&src, "src"));
    TW_TRY(check_on_host(&dst, "dst"));
    runtime::copy_on_host(src.tensor.view(), dst.tensor.view());
    return {};
  }
  const device::Where &where = to.is_host() ? from : to;
  TW_ASSIGN(const auto queue, where.kind->make_stream(where.unit, nullptr));
  await(*queue, src);
  await(*queue, dst);
  device::Memory between;
  Status given = runtime::copy_array(*queue, src.tensor.view(), dst.tensor.view(), between);
  TW_TRY(runtime::finish(*queue, where));
  if (given.has_value())
    dst.set_ready(nullptr);
  return given;
}

} // namespace

tw_stream::~tw_stream() {
  if (is_ours)
    guard_value(0, [&] { return runtime::finish(*queue, where) ? 1 : 0; });
  for (const Kept &k : kept)
    runtime::wait_on_host(*k.behind);
}

namespace tw::capi {

Status check_on_host(const tw_tensor_t *tensor, const char *what) {
  if (!tensor->tensor.where().is_host())
    return fail(Code::failed_precondition, "TW-731",
                fmt::format("{} lies on {}, where the host does not reach its elements", what,
                            to_text(tensor->tensor.where())));
  if (const auto event = tensor->ready()) {
    runtime::wait_on_host(*event);
    tensor->set_ready(nullptr);
  }
  return {};
}

Status check_on_host(const tw_tensor_t *const *tensors, size_t count, const char *what) {
  for (size_t i = 0; i < count; ++i)
    TW_TRY(check_on_host(tensors[i], count == 1 ? what : fmt::format("{}[{}]", what, i).c_str()));
  return {};
}

Result<std::vector<int64_t>> checked_strides(const graph::TensorType &type, const device::Where &where,
                                             const int64_t *strides) {
  if (strides == nullptr)
    return std::vector<int64_t>();
  std::vector<int64_t> kept(strides, strides + type.rank());
  const runtime::TensorView view{type.dtype, type.dims, nullptr, kept, where};
  if (type.elements() == 0 || view.is_dense())
    return std::vector<int64_t>();
  if (where.is_host())
    return fail(Code::unimplemented, "TW-625", "an array of the host is dense and row-major: copy it first");
  int64_t bytes = static_cast<int64_t>(graph::byte_size(type.dtype));
  for (size_t d = 0; d < type.rank(); ++d) {
    int64_t span = 0;
    if (kept[d] == INT64_MIN || __builtin_mul_overflow(std::abs(kept[d]), type.dims[d], &span) ||
        __builtin_mul_overflow(span, static_cast<int64_t>(graph::byte_size(type.dtype)), &span) ||
        __builtin_add_overflow(bytes, span, &bytes))
      return fail(
          Code::out_of_range, "TW-722",
          fmt::format("strides[{}] is {}: the array would reach over more than 2^63 bytes", d, kept[d]));
  }
  return kept;
}

Result<runtime::RunOrder> order_of(const tw_tensor_t *const *inputs, size_t num_inputs,
                                   tw_tensor_t *const *outputs, size_t num_outputs) {
  runtime::RunOrder order;
  const auto add = [&](const tw_tensor *tensor) -> Status {
    if (tensor->tensor.where().is_host())
      return check_on_host(tensor, "the tensor");
    if (auto event = tensor->ready(); event != nullptr && !event->is_reached())
      order.after.push_back(std::move(event));
    return {};
  };
  for (size_t i = 0; i < num_inputs; ++i)
    TW_TRY(add(inputs[i]));
  for (size_t i = 0; i < num_outputs; ++i)
    TW_TRY(add(outputs[i]));
  return order;
}

} // namespace tw::capi

tw_status_t tw_device_count(const char *kind, int32_t *out_count) {
  return guard([&]() -> Status {
    TW_TRY(require(kind, "kind"));
    TW_TRY(require(out_count, "out_count"));
    TW_ASSIGN(const device::Kind *found, device::find_kind(kind));
    int64_t units = 1;
    if (const device::QueueKind *queues = found->as_queues()) {
      TW_ASSIGN(units, queues->num_units());
    }
    *out_count = static_cast<int32_t>(units);
    return {};
  });
}

tw_status_t tw_stream_create(const char *kind, int32_t device, tw_stream_t **out_stream) {
  return guard([&]() -> Status {
    TW_TRY(require(out_stream, "out_stream"));
    TW_ASSIGN(const device::Where where, with_queues(kind, device));
    TW_ASSIGN(auto queue, where.kind->make_stream(where.unit, nullptr));
    *out_stream = new tw_stream(where, std::move(queue), true);
    return {};
  });
}

tw_stream_t *tw_stream_retain(tw_stream_t *stream) {
  if (stream)
    stream->retain();
  return stream;
}
void tw_stream_release(tw_stream_t *stream) {
  if (stream)
    stream->release();
}

const char *tw_stream_device(const tw_stream_t *stream, int32_t *out_device) {
  return tell(stream ? stream->where : device::Where{}, out_device);
}
void *tw_stream_native(const tw_stream_t *stream) { return stream ? stream->queue->native() : nullptr; }

tw_status_t tw_stream_wait(tw_stream_t *stream) {
  return guard([&]() -> Status {
    TW_TRY(require(stream, "stream"));
    Status status = runtime::finish(*stream->queue, stream->where);
    sweep(*stream);
    return status;
  });
}

tw_status_t tw_event_create(const char *kind, int32_t device, tw_event_t **out_event) {
  return guard([&]() -> Status {
    TW_TRY(require(out_event, "out_event"));
    TW_ASSIGN(const device::Where where, with_queues(kind, device));
    *out_event = new tw_event(where, where.kind->make_event(where.unit));
    return {};
  });
}

tw_event_t *tw_event_retain(tw_event_t *event) {
  if (event)
    event->retain();
  return event;
}
void tw_event_release(tw_event_t *event) {
  if (event)
    event->release();
}

tw_status_t tw_event_record(tw_event_t *event, tw_stream_t *stream) {
  return guard([&]() -> Status {
    TW_TRY(require(event, "event"));
    TW_TRY(require(stream, "stream"));
    TW_TRY(check_same(stream->where == event->where, stream->where, event->where, "event"));
    stream->queue->record(*event->event);
    return runtime::take_failure(*stream->queue);
  });
}

tw_status_t tw_event_await(const tw_event_t *event, tw_stream_t *stream) {
  return guard([&]() -> Status {
    TW_TRY(require(event, "event"));
    TW_TRY(require(stream, "stream"));
    TW_TRY(check_same(stream->where.kind == event->where.kind, stream->where, event->where, "event"));
    stream->queue->wait(*event->event);
    return runtime::take_failure(*stream->queue);
  });
}

tw_status_t tw_event_test(const tw_event_t *event, int *out_reached) {
  return guard([&]() -> Status {
    TW_TRY(require(event, "event"));
    TW_TRY(require(out_reached, "out_reached"));
    *out_reached = event->event->is_reached();
    return {};
  });
}

tw_status_t tw_tensor_create_on(const char *kind, int32_t device, tw_dtype_t dtype, const int64_t *dims,
                                size_t ndims, tw_tensor_t **out_tensor) {
  return guard([&]() -> Status {
    TW_TRY(require(out_tensor, "out_tensor"));
    TW_ASSIGN(const device::Where where, where_of(kind, device));
    TW_ASSIGN(auto type, checked_type(dtype, dims, ndims));
    if (where.is_host()) {
      TW_ASSIGN(auto tensor, runtime::Tensor::create(std::move(type), {}));
      *out_tensor = new tw_tensor(std::move(tensor));
      return {};
    }
    TW_ASSIGN(auto tensor, runtime::Tensor::create_at(std::move(type), where));
    *out_tensor = new tw_tensor(std::move(tensor));
    return {};
  });
}

tw_status_t tw_tensor_wrap_on(const char *kind, int32_t device, tw_dtype_t dtype, const int64_t *dims,
                              size_t ndims, const int64_t *strides, void *address, tw_destroy_fn destroy,
                              void *user, tw_tensor_t **out_tensor) {
  return guard([&]() -> Status {
    TW_TRY(require(out_tensor, "out_tensor"));
    TW_ASSIGN(const device::Where where, where_of(kind, device));
    TW_ASSIGN(auto type, checked_type(dtype, dims, ndims));
    TW_TRY(check_memory(type, address, "address"));
    TW_ASSIGN(auto kept, checked_strides(type, where, strides));
    *out_tensor = new tw_tensor(
        runtime::Tensor::wrap_at(std::move(type), std::move(kept), where, address, destroy, user));
    return {};
  });
}

const char *tw_tensor_device(const tw_tensor_t *tensor, int32_t *out_device) {
  return tell(tensor ? tensor->tensor.where() : device::Where{}, out_device);
}
const int64_t *tw_tensor_strides(const tw_tensor_t *tensor, size_t *out_ndims) {
  const auto strides = tensor ? tensor->tensor.strides() : std::span<const int64_t>();
  if (out_ndims)
    *out_ndims = strides.size();
  return strides.empty() ? nullptr : strides.data();
}
void *tw_tensor_address(const tw_tensor_t *tensor) {
  return tensor ? const_cast<std::byte *>(tensor->tensor.data()) : nullptr;
}

tw_status_t tw_tensor_copy(tw_tensor_t *dst, const tw_tensor_t *src, tw_stream_t *stream) {
  return guard([&]() -> Status {
    TW_TRY(require(dst, "dst"));
    TW_TRY(require(src, "src"));
    TW_TRY(check_writable(dst));
    if (!(dst->tensor.type() == src->tensor.type()))
      return fail(Code::invalid_argument, "TW-716",
                  fmt::format("cannot copy {} to {}", graph::to_short_text(src->tensor.type()),
                              graph::to_short_text(dst->tensor.type())));
    const device::Where &from = src->tensor.where(), &to = dst->tensor.where();
    if (!from.is_host() && !to.is_host() && from.kind != to.kind)
      return fail(
          Code::unimplemented, "TW-629",
          fmt::format("nothing copies from {} to {}: go through the host", to_text(from), to_text(to)));
    if (dst->tensor.view().overlaps_itself())
      return fail(Code::invalid_argument, "TW-625", "elements of dst lie one over the other");
    return stream ? copy_behind(*dst, *src, *stream) : copy_now(*dst, *src);
  });
}

tw_status_t tw_tensor_written(tw_tensor_t *tensor, tw_stream_t *stream) {
  return guard([&]() -> Status {
    TW_TRY(require(tensor, "tensor"));
    TW_TRY(require(stream, "stream"));
    const device::Where &where = tensor->tensor.where();
    TW_TRY(check_same(where.is_host() || where.kind == stream->where.kind, stream->where, where, "tensor"));
    tensor->set_ready(mark(*stream->queue, stream->where));
    return runtime::take_failure(*stream->queue);
  });
}

tw_status_t tw_tensor_await(const tw_tensor_t *tensor, tw_stream_t *stream) {
  return guard([&]() -> Status {
    TW_TRY(require(tensor, "tensor"));
    const auto event = tensor->ready();
    if (event == nullptr)
      return {};
    if (stream == nullptr) {
      runtime::wait_on_host(*event);
      return {};
    }
    const device::Where &where = tensor->tensor.where();
    TW_TRY(check_same(where.is_host() || where.kind == stream->where.kind, stream->where, where, "tensor"));
    stream->queue->wait(*event);
    return runtime::take_failure(*stream->queue);
  });
}
