// SPDX-License-Identifier: Apache-2.0
// What is not dense on a device is packed there, or unpacked: the host's side is one run.
#include "runtime/array_copy.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "base/pause.hpp"
#include "kernels/cpu/copy.hpp"
#include "ops/strided.hpp"

namespace tw::runtime {

using kernels::cpu::CopyPlan;
using ops::dense_strides;

namespace {

std::vector<int64_t> strides_of(const TensorView &array) {
  return array.strides.empty() ? dense_strides(array.dims)
                               : std::vector<int64_t>(array.strides.begin(), array.strides.end());
}

CopyPlan plan_of(std::span<const int64_t> extent, std::span<const int64_t> src, std::span<const int64_t> dst,
                 graph::DType dtype) {
  return {extent, src, dst, static_cast<int64_t>(graph::byte_size(dtype))};
}

device::At at(const TensorView &array) { return {static_cast<std::byte *>(array.data), array.where.unit}; }

} // namespace

void copy_on_host(const TensorView &from, const TensorView &to) {
  plan_of(from.dims, strides_of(from), strides_of(to), from.dtype).run(from.data, to.data);
}

Status copy_array(device::Queue &queue, const TensorView &from, const TensorView &to,
                  device::Memory &between) {
  const auto bytes = static_cast<size_t>(from.bytes());
  if (bytes == 0)
    return {};
  const auto dense = dense_strides(from.dims);
  const auto make_between = [&](const device::Where &where) -> Result<device::At> {
    TW_ASSIGN(between, device::allocate(*where.kind, where.unit, bytes, {}));
    return device::At{between.get(), where.unit};
  };
  if (!from.where.is_host() && !to.where.is_host()) {
    queue.copy(plan_of(from.dims, strides_of(from), strides_of(to), from.dtype), at(from), at(to), nullptr);
  } else if (from.where.is_host()) {
    if (to.is_dense()) {
      queue.copy_in(to.data, from.data, bytes);
      return {};
    }
    TW_ASSIGN(const device::At packed, make_between(to.where));
    queue.copy_in(packed.memory, from.data, bytes);
    queue.copy(plan_of(from.dims, dense, strides_of(to), from.dtype), packed, at(to), nullptr);
  } else {
    if (from.is_dense()) {
      queue.copy_out(to.data, from.data, bytes);
      return {};
    }
    TW_ASSIGN(const device::At packed, make_between(from.where));
    queue.copy(plan_of(from.dims, strides_of(from), dense, from.dtype), at(from), packed, nullptr);
    queue.copy_out(to.data, packed.memory, bytes);
  }
  return {};
}

void wait_on_host(const device::Event &event) {
  constexpr int kLooks = 200;
  constexpr auto kNap = std::chrono::microseconds(20);
  for (int looks = 0; !event.is_reached(); ++looks)
    if (looks < kLooks)
      pause_briefly();
    else
      std::this_thread::sleep_for(kNap);
}

Status take_failure(device::Queue &queue) {
  if (queue.has_failed())
    if (auto failure = queue.recover())
      return fail(std::move(failure->error));
  return {};
}

Status finish(device::Queue &queue, const device::Where &where) {
  const auto event = where.kind->make_event(where.unit);
  queue.record(*event);
  wait_on_host(*event);
  return take_failure(queue);
}

} // namespace tw::runtime
