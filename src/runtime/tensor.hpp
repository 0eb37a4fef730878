// SPDX-License-Identifier: Apache-2.0
// Arrays that go into and come out of a run: whole (global) arrays or tiles, owned or borrowed, in memory of
// the host or of a device. Nothing reads or writes a device's memory through them: queues do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/allocator.hpp"
#include "base/status.hpp"
#include "device/kind.hpp"
#include "device/where.hpp"
#include "graph/types.hpp"

namespace tw::runtime {

// Borrowed memory of one array. Inputs are never written through it.
struct TensorView {
  graph::DType dtype = graph::DType::invalid;
  std::span<const int64_t> dims;
  void *data = nullptr;
  std::span<const int64_t> strides = {}; // in elements; empty: dense, row-major
  device::Where where = {};

  int64_t elements() const;
  int64_t bytes() const { return elements() * static_cast<int64_t>(graph::byte_size(dtype)); }
  bool is_dense() const;
  bool overlaps_itself() const; // two indices may be one element
  // From its first byte in memory to the end of the last: where that begins and how many bytes it is.
  std::pair<const std::byte *, int64_t> reach() const;
};

// Whether two arrays have a byte of memory in common. Where that is hard to tell, which no arrays that are
// parts of one are, the answer is yes.
bool overlap(const TensorView &a, const TensorView &b);
// Whether a tile is the very array of its owner. `owners`: by tile; empty: each is its own.
bool is_owners_tile(std::span<const TensorView> tiles, std::span<const uint32_t> owners, size_t i);
// An error that names two outputs which do, but for what is its owner's: of two results in one place, one
// would be lost. `order` has the number of each output once, and is sorted here.
Status check_apart(std::span<const TensorView> outputs, std::span<uint32_t> order,
                   const std::function<std::string(uint32_t)> &name, std::span<const uint32_t> owners = {});

// An array in memory of its own (64-byte aligned), or around memory of the caller. In memory of the host it
// is dense, and of its own zero at first; that of a device holds anything.
class Tensor {
public:
  Tensor() = default;
  explicit Tensor(graph::TensorType type); // terminates by bad_alloc when there is no memory
  static Result<Tensor> create(graph::TensorType type, const Allocator &allocator);
  // `destroy(user)`, where given, is called when the tensor ends.
  static Tensor wrap(graph::TensorType type, void *data, void (*destroy)(void *user), void *user);

  // The same in memory of a device. `strides` as in TensorView.
  static Result<Tensor> create_at(graph::TensorType type, const device::Where &where);
  static Tensor wrap_at(graph::TensorType type, std::vector<int64_t> strides, const device::Where &where,
                        void *data, void (*destroy)(void *user), void *user);

  Tensor(Tensor &&other) noexcept { *this = std::move(other); }
  Tensor &operator=(Tensor &&other) noexcept;
  ~Tensor() { reset(); }

  const graph::TensorType &type() const { return type_; }
  std::byte *data() { return data_; }
  const std::byte *data() const { return data_; }
  template <class T> T *as() { return reinterpret_cast<T *>(data_); }
  template <class T> const T *as() const { return reinterpret_cast<const T *>(data_); }
  std::span<const int64_t> strides() const { return strides_; } // empty: dense
  const device::Where &where() const { return where_; }
  TensorView view() const { return {type_.dtype, type_.dims, data_, strides_, where_}; }

private:
  void reset();

  graph::TensorType type_;
  std::vector<int64_t> strides_;
  device::Where where_;
  device::Memory memory_; // of a device, its own
  std::byte *data_ = nullptr;
  size_t owned_bytes_ = 0; // of the host; 0: the caller's memory, or a device's
  Allocator allocator_;
  void (*destroy_)(void *user) = nullptr;
  void *user_ = nullptr;
};

} // namespace tw::runtime
