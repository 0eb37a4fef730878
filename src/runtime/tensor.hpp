// SPDX-License-Identifier: Apache-2.0
// Host arrays that go into and come out of a run: whole (global) arrays, owned or borrowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "graph/types.hpp"

namespace tw::runtime {

// Borrowed memory of one array. Inputs are never written through it.
struct TensorView {
  graph::DType dtype = graph::DType::invalid;
  std::span<const int64_t> dims;
  void *data = nullptr;
  std::span<const int64_t> strides = {}; // in elements; empty: dense, row-major

  int64_t elements() const;
  int64_t bytes() const { return elements() * static_cast<int64_t>(graph::byte_size(dtype)); }
  bool is_dense() const;
};

// An array that owns its memory: 64-byte aligned, dense, row-major, zero at first.
class Tensor {
public:
  Tensor() = default;
  explicit Tensor(graph::TensorType type);

  const graph::TensorType &type() const { return type_; }
  std::byte *data() { return data_.get(); }
  const std::byte *data() const { return data_.get(); }
  template <class T> T *as() { return reinterpret_cast<T *>(data_.get()); }
  template <class T> const T *as() const { return reinterpret_cast<const T *>(data_.get()); }
  TensorView view() const { return {type_.dtype, type_.dims, data_.get(), {}}; }

private:
  struct Free {
    void operator()(std::byte *p) const;
  };
  graph::TensorType type_;
  std::unique_ptr<std::byte, Free> data_;
};

} // namespace tw::runtime
