// SPDX-License-Identifier: Apache-2.0
// Arrays of a test that lie on a device of any kind, with whatever strides, and how they come and go.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cpu/copy.hpp"
#include "ops/strided.hpp"
#include "runtime/array_copy.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test {

// How arrays lie in memory of the device.
enum class Lie { dense, shifted, strided };

// Elements of a block of memory of a device. `shifted`: 4 bytes behind its begin. `strided`: in every second
// place of the last dimension, and dimensions turned around.
class DeviceArray {
public:
  DeviceArray(const graph::TensorType &type, const device::Where &where, Lie lie)
      : type_(type), where_(where) {
    const auto bytes = static_cast<size_t>(type.bytes());
    auto made = device::allocate(*where.kind, where.unit, 2 * bytes + 64, {});
    REQUIRE(made.has_value());
    memory_ = std::move(*made);
    if (lie == Lie::strided) {
      strides_.assign(type.rank(), 0);
      int64_t stride = 2;
      for (size_t d = 0; d < type.rank(); ++d) {
        strides_[d] = stride;
        stride *= type.dims[d];
      }
    }
    data_ = memory_.get() + (lie == Lie::shifted ? 4 : 0);
  }
  runtime::TensorView view() const { return {type_.dtype, type_.dims, data_, strides_, where_}; }

  // Behind what the queue was given, as a command of it.
  void put(device::Queue &queue, const runtime::Tensor &host) {
    REQUIRE(runtime::copy_array(queue, host.view(), view(), between_.emplace_back()).has_value());
  }
  void get(device::Queue &queue, const runtime::Tensor &host) {
    REQUIRE(runtime::copy_array(queue, view(), host.view(), between_.emplace_back()).has_value());
  }

private:
  graph::TensorType type_;
  device::Where where_;
  device::Memory memory_;
  std::vector<device::Memory> between_; // commands that were given may still use it
  std::vector<int64_t> strides_;
  std::byte *data_ = nullptr;
};

// The arrays of a runner on devices: array i on unit i % `units`.
struct OnDevices {
  Runner &runner;
  const device::QueueKind &kind;
  std::vector<std::unique_ptr<device::Queue>> queues; // by unit
  std::vector<DeviceArray> inputs, outputs;

  OnDevices(Runner &r, Lie lie, int32_t units = 1) : runner(r), kind(*r.executable->device().as_queues()) {
    for (int32_t u = 0; u < units; ++u) {
      auto queue = kind.make_stream(u, nullptr);
      REQUIRE(queue.has_value());
      queues.push_back(std::move(*queue));
    }
    int32_t at = 0;
    for (const auto &t : r.inputs)
      inputs.emplace_back(t.type(), device::Where{&kind, at++ % units}, lie);
    for (const auto &t : r.outputs)
      outputs.emplace_back(t.type(), device::Where{&kind, at++ % units}, lie);
  }
  device::Queue &queue_of(const DeviceArray &array) {
    return *queues[static_cast<size_t>(array.view().where.unit)];
  }
  void finish() {
    for (size_t u = 0; u < queues.size(); ++u)
      REQUIRE(runtime::finish(*queues[u], {&kind, static_cast<int32_t>(u)}).has_value());
  }

  // Fills inputs, and outputs with what a test put into those of the host.
  void put() {
    for (size_t i = 0; i < inputs.size(); ++i)
      inputs[i].put(queue_of(inputs[i]), runner.inputs[i]);
    for (size_t i = 0; i < outputs.size(); ++i)
      outputs[i].put(queue_of(outputs[i]), runner.outputs[i]);
  }
  void get() {
    for (size_t i = 0; i < outputs.size(); ++i)
      outputs[i].get(queue_of(outputs[i]), runner.outputs[i]);
  }
  std::vector<runtime::TensorView> views(const std::vector<DeviceArray> &arrays) const {
    std::vector<runtime::TensorView> all;
    for (const DeviceArray &a : arrays)
      all.push_back(a.view());
    return all;
  }
  Status run(runtime::RunOrder order = {}) {
    return runner.executable->run(views(inputs), views(outputs), std::move(order));
  }
  Result<uint64_t> start(runtime::RunOrder order) {
    return runner.executable->start(views(inputs), views(outputs), std::move(order));
  }
  // What a run makes of arrays that are there before it.
  std::string results() {
    forget();
    put();
    finish();
    const Status status = run();
    if (!status)
      FAIL(status.error().message());
    get();
    finish();
    return runner.bytes();
  }
  void forget() {
    for (auto &t : runner.outputs)
      std::memset(t.data(), 0xa5, static_cast<size_t>(t.type().bytes()));
  }
};

inline bool is_untouched(const std::string &bytes) {
  for (const char c : bytes)
    if (static_cast<unsigned char>(c) != 0xa5)
      return false;
  return true;
}

} // namespace tw::test
