// SPDX-License-Identifier: Apache-2.0
// Host arrays that go into and come out of a run: whole (global) arrays, owned or borrowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/allocator.hpp"
#include "base/status.hpp"
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

// A dense row-major array in memory of its own (64-byte aligned, zero at first), or around memory of the
// caller.
class Tensor {
public:
  Tensor() = default;
  explicit Tensor(graph::TensorType type); // terminates by bad_alloc when there is no memory
  static Result<Tensor> create(graph::TensorType type, const Allocator &allocator);
  // `destroy(user)`, where given, is called when the tensor ends.
  static Tensor wrap(graph::TensorType type, void *data, void (*destroy)(void *user), void *user);

  Tensor(Tensor &&other) noexcept { *this = std::move(other); }
  Tensor &operator=(Tensor &&other) noexcept;
  ~Tensor() { reset(); }

  const graph::TensorType &type() const { return type_; }
  std::byte *data() { return data_; }
  const std::byte *data() const { return data_; }
  template <class T> T *as() { return reinterpret_cast<T *>(data_); }
  template <class T> const T *as() const { return reinterpret_cast<const T *>(data_); }
  TensorView view() const { return {type_.dtype, type_.dims, data_, {}}; }

private:
  void reset();

  graph::TensorType type_;
  std::byte *data_ = nullptr;
  size_t owned_bytes_ = 0; // 0: the caller's memory
  Allocator allocator_;
  void (*destroy_)(void *user) = nullptr;
  void *user_ = nullptr;
};

} // namespace tw::runtime
