// SPDX-License-Identifier: Apache-2.0
// What all uses of oneDNN's C API share: owned handles, memory layouts of either major version, the engine,
// one thread a call.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.h>

#include "base/status.hpp"
#include "graph/types.hpp"

// The OpenMP runtime that oneDNN runs on. Declared here: its header would ask for compiling with OpenMP.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
}

namespace tw::kernels::onednn {

// One OpenMP thread while this lives; the setting belongs to the calling thread, so nobody else sees it.
class SingleThread {
public:
  SingleThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~SingleThread() { omp_set_num_threads(before_); }
  SingleThread(const SingleThread &) = delete;
  SingleThread &operator=(const SingleThread &) = delete;

private:
  int before_;
};

// Owns a handle of the C API.
template <class T, dnnl_status_t (*Destroy)(T)> class Handle {
public:
  Handle() = default;
  Handle(Handle &&o) noexcept : handle_(std::exchange(o.handle_, nullptr)) {}
  Handle &operator=(Handle &&o) noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  ~Handle() {
    if (handle_)
      Destroy(handle_);
  }
  T get() const { return handle_; }
  T *out() { return &handle_; }

private:
  T handle_ = nullptr;
};
using Memory = Handle<dnnl_memory_t, dnnl_memory_destroy>;
using Stream = Handle<dnnl_stream_t, dnnl_stream_destroy>;
using Attr = Handle<dnnl_primitive_attr_t, dnnl_primitive_attr_destroy>;
using Descriptor = Handle<dnnl_primitive_desc_t, dnnl_primitive_desc_destroy>;
using Primitive = Handle<dnnl_primitive_t, dnnl_primitive_destroy>;

// A matrix in blocks: dense ones, of which `extent` of a dimension lie beside each other, from outside to
// inside; and elements from block to block of a dimension.
struct BlockedOrder {
  std::array<int64_t, 2> strides;
  struct Block {
    size_t dim;
    int64_t extent;
  };
  std::vector<Block> blocks;
};

// How an array lies in memory. Version 2 keeps its bytes with the caller, version 3 behind a handle.
class Layout {
public:
#if DNNL_VERSION_MAJOR >= 3
  bool set_strided(int rank, const dnnl_dim_t *dims, dnnl_data_type_t type, const dnnl_dim_t *strides) {
    return dnnl_memory_desc_create_with_strides(desc_.out(), rank, dims, type, strides) == dnnl_success;
  }
  bool set_any(int rank, const dnnl_dim_t *dims, dnnl_data_type_t type) {
    return dnnl_memory_desc_create_with_tag(desc_.out(), rank, dims, type, dnnl_format_tag_any) ==
           dnnl_success;
  }
  bool set_of(const_dnnl_primitive_desc_t primitive, dnnl_query_t what) {
    return dnnl_memory_desc_clone(desc_.out(), dnnl_primitive_desc_query_md(primitive, what, 0)) ==
           dnnl_success;
  }
  // None: in no such order.
  std::optional<BlockedOrder> order() const {
    dnnl_format_kind_t kind{};
    const dnnl_dims_t *strides = nullptr, *extents = nullptr, *dims = nullptr;
    int count = 0;
    const auto ask = [&](dnnl_query_t what, void *answer) {
      return dnnl_memory_desc_query(get(), what, answer) == dnnl_success;
    };
    if (!ask(dnnl_query_format_kind, static_cast<void *>(&kind)) || kind != dnnl_blocked ||
        !ask(dnnl_query_strides, static_cast<void *>(&strides)) || !ask(dnnl_query_inner_nblks_s32, &count) ||
        !ask(dnnl_query_inner_blks, static_cast<void *>(&extents)) ||
        !ask(dnnl_query_inner_idxs, static_cast<void *>(&dims)))
      return std::nullopt;
    return order_of(*strides, count, *extents, *dims);
  }
  const_dnnl_memory_desc_t get() const { return desc_.get(); }
  int64_t bytes() const { return static_cast<int64_t>(dnnl_memory_desc_get_size(desc_.get())); }

private:
  Handle<dnnl_memory_desc_t, dnnl_memory_desc_destroy> desc_;
#else
  bool set_strided(int rank, const dnnl_dim_t *dims, dnnl_data_type_t type, const dnnl_dim_t *strides) {
    return dnnl_memory_desc_init_by_strides(&desc_, rank, dims, type, strides) == dnnl_success;
  }
  bool set_any(int rank, const dnnl_dim_t *dims, dnnl_data_type_t type) {
    return dnnl_memory_desc_init_by_tag(&desc_, rank, dims, type, dnnl_format_tag_any) == dnnl_success;
  }
  bool set_of(const_dnnl_primitive_desc_t primitive, dnnl_query_t what) {
    desc_ = *dnnl_primitive_desc_query_md(primitive, what, 0);
    return true;
  }
  std::optional<BlockedOrder> order() const {
    const dnnl_blocking_desc_t &blocking = desc_.format_desc.blocking;
    if (desc_.format_kind != dnnl_blocked)
      return std::nullopt;
    return order_of(blocking.strides, blocking.inner_nblks, blocking.inner_blks, blocking.inner_idxs);
  }
  const dnnl_memory_desc_t *get() const { return &desc_; }
  int64_t bytes() const { return static_cast<int64_t>(dnnl_memory_desc_get_size(&desc_)); }

private:
  dnnl_memory_desc_t desc_;
#endif
  static BlockedOrder order_of(const dnnl_dims_t &strides, int count, const dnnl_dims_t &extents,
                               const dnnl_dims_t &dims) {
    BlockedOrder order{{strides[0], strides[1]}, {}};
    for (int i = 0; i < count; ++i)
      order.blocks.push_back({static_cast<size_t>(dims[i]), extents[i]});
    return order;
  }
};

// One engine for the process; it is never destroyed, since workers may still hold primitives when statics go.
inline dnnl_engine_t cpu_engine() {
  static const dnnl_engine_t engine = [] {
    dnnl_engine_t e = nullptr;
    return dnnl_engine_create(&e, dnnl_cpu, 0) == dnnl_success ? e : nullptr;
  }();
  return engine;
}

// A product of matrices: what would run it, which can be asked.
inline bool describe_matmul(Descriptor &out, const Layout &lhs, const Layout &rhs, const Layout &result,
                            dnnl_scratchpad_mode_t scratch) {
  Attr attr;
  if (dnnl_primitive_attr_create(attr.out()) != dnnl_success ||
      dnnl_primitive_attr_set_scratchpad_mode(attr.get(), scratch) != dnnl_success)
    return false;
#if DNNL_VERSION_MAJOR >= 3
  return dnnl_matmul_primitive_desc_create(out.out(), cpu_engine(), lhs.get(), rhs.get(), nullptr,
                                           result.get(), attr.get()) == dnnl_success;
#else
  dnnl_matmul_desc_t op;
  return dnnl_matmul_desc_init(&op, lhs.get(), rhs.get(), nullptr, result.get()) == dnnl_success &&
         dnnl_primitive_desc_create(out.out(), &op, attr.get(), cpu_engine(), nullptr) == dnnl_success;
#endif
}

inline dnnl_data_type_t data_type(graph::DType dtype) {
  switch (dtype) {
  case graph::DType::f32: return dnnl_f32;
  case graph::DType::bf16: return dnnl_bf16;
  default: return dnnl_data_type_undef;
  }
}

inline Status check(dnnl_status_t status, const char *what) {
  if (status == dnnl_success)
    return {};
  return fail(Code::internal, "TW-602",
              fmt::format("oneDNN: {} failed with status {}", what, static_cast<int>(status)));
}

} // namespace tw::kernels::onednn
