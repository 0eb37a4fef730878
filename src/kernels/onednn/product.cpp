// SPDX-License-Identifier: Apache-2.0
// oneDNN 2.x matmul primitives behind one class. Scratch memory is the caller's: oneDNN's own is thread-local, and a primitive that
// runs in another thread than the one that made it would crash on it.
#include "kernels/onednn/product.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.h>

// The OpenMP runtime that oneDNN runs on. Declared here: its header would ask for compiling with OpenMP.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
}

namespace tw::kernels::onednn {

namespace {

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

// One engine for the process; it is never destroyed, since workers may still hold primitives when statics go.
dnnl_engine_t cpu_engine() {
  static const dnnl_engine_t engine = [] {
    dnnl_engine_t e = nullptr;
    return dnnl_engine_create(&e, dnnl_cpu, 0) == dnnl_success ? e : nullptr;
  }();
  return engine;
}

dnnl_data_type_t data_type(graph::DType dtype) {
  switch (dtype) {
  case graph::DType::f32: return dnnl_f32;
  case graph::DType::bf16: return dnnl_bf16;
  default: return dnnl_data_type_undef;
  }
}

// A dense batch x rows x cols matrix, or the same seen from cols x rows storage. Extents of 1 keep strides that tell the two apart.
bool describe(dnnl_memory_desc_t *out, graph::DType dtype, int64_t batch, int64_t rows, int64_t cols,
              bool transposed) {
  const std::array<dnnl_dim_t, 3> dims{batch, rows, cols};
  const std::array<dnnl_dim_t, 3> strides{rows * cols, transposed ? 1 : cols, transposed ? rows : 1};
  const int skip = batch == 1 ? 1 : 0;
  return dnnl_memory_desc_init_by_strides(out, 3 - skip, dims.data() + skip, data_type(dtype),
                                          strides.data() + skip) == dnnl_success;
}

// What one running thread needs besides the primitive.
struct Session {
  Stream stream;
  std::array<Memory, 4> memory; // lhs, rhs, result, scratch
};

constexpr std::array kArguments{DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST, DNNL_ARG_SCRATCHPAD};

Status check(dnnl_status_t status, const char *what) {
  if (status == dnnl_success)
    return {};
  return fail(Code::internal, "TW-602",
              fmt::format("oneDNN: {} failed with status {}", what, static_cast<int>(status)));
}

} // namespace

struct Product::Impl {
  std::array<dnnl_memory_desc_t, 4> layout;
  Primitive primitive;
  std::string implementation;

  std::mutex mutex;
  std::vector<std::unique_ptr<Session>> idle; // one for each core, so that running makes none

  Result<std::unique_ptr<Session>> make_session();
  Result<std::unique_ptr<Session>> acquire();
  void release(std::unique_ptr<Session> session);
};

Result<std::unique_ptr<Session>> Product::Impl::acquire() {
  {
    const std::lock_guard lock(mutex);
    if (!idle.empty()) {
      auto session = std::move(idle.back());
      idle.pop_back();
      return session;
    }
  }
  return make_session(); // more threads than cores
}

Result<std::unique_ptr<Session>> Product::Impl::make_session() {
  auto session = std::make_unique<Session>();
  TW_TRY(check(dnnl_stream_create(session->stream.out(), cpu_engine(), dnnl_stream_default_flags),
               "creating a stream"));
  for (size_t i = 0; i < layout.size(); ++i)
    TW_TRY(check(dnnl_memory_create(session->memory[i].out(), &layout[i], cpu_engine(), DNNL_MEMORY_NONE),
                 "creating a memory object"));
  return session;
}

void Product::Impl::release(std::unique_ptr<Session> session) {
  const std::lock_guard lock(mutex);
  idle.push_back(std::move(session));
}

Product::Product(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Product::~Product() = default;

std::unique_ptr<Product> Product::create(const ProductShape &s) {
  if (cpu_engine() == nullptr)
    return nullptr;
  const SingleThread single;
  auto impl = std::make_unique<Impl>();
  auto &[lhs, rhs, result, scratch] = impl->layout;
  if (!describe(&lhs, s.operand, s.batch, s.m, s.k, s.lhs_transposed) ||
      !describe(&rhs, s.operand, s.batch, s.k, s.n, s.rhs_transposed) ||
      !describe(&result, s.result, s.batch, s.m, s.n, false))
    return nullptr;
  dnnl_matmul_desc_t op;
  Attr attr;
  Descriptor descriptor;
  const char *implementation = nullptr;
  if (dnnl_matmul_desc_init(&op, &lhs, &rhs, nullptr, &result) != dnnl_success ||
      dnnl_primitive_attr_create(attr.out()) != dnnl_success ||
      dnnl_primitive_attr_set_scratchpad_mode(attr.get(), dnnl_scratchpad_mode_user) != dnnl_success ||
      dnnl_primitive_desc_create(descriptor.out(), &op, attr.get(), cpu_engine(), nullptr) != dnnl_success ||
      dnnl_primitive_desc_query(descriptor.get(), dnnl_query_impl_info_str, 0, &implementation) !=
          dnnl_success)
    return nullptr;
  impl->implementation = implementation;
  if (impl->implementation.starts_with("ref")) // a thousand times slower than our own
    return nullptr;
  scratch = *dnnl_primitive_desc_query_md(descriptor.get(), dnnl_query_scratchpad_md, 0);
  if (dnnl_primitive_create(impl->primitive.out(), descriptor.get()) != dnnl_success)
    return nullptr;
  impl->idle.reserve(64);
  for (unsigned i = std::clamp(std::thread::hardware_concurrency(), 1u, 16u); i > 0; --i) {
    auto session = impl->make_session();
    if (!session)
      return nullptr;
    impl->release(std::move(*session));
  }
  return std::unique_ptr<Product>(new Product(std::move(impl)));
}

const std::string &Product::implementation() const { return impl_->implementation; }
bool Product::split_invariant() const { return impl_->implementation.starts_with("brg:avx512"); }
int64_t Product::scratch_bytes() const {
  return static_cast<int64_t>(dnnl_memory_desc_get_size(&impl_->layout[3]));
}

Status Product::run(const void *lhs, const void *rhs, void *result, void *scratch) const {
  const SingleThread single;
  TW_ASSIGN(auto session, impl_->acquire());
  const std::array<void *, 4> data{const_cast<void *>(lhs), const_cast<void *>(rhs), result, scratch};
  std::array<dnnl_exec_arg_t, 4> args;
  for (size_t i = 0; i < data.size(); ++i) {
    TW_TRY(check(dnnl_memory_set_data_handle(session->memory[i].get(), data[i]), "setting a buffer"));
    args[i] = {kArguments[i], session->memory[i].get()};
  }
  TW_TRY(check(dnnl_primitive_execute(impl_->primitive.get(), session->stream.get(),
                                      static_cast<int>(args.size()), args.data()),
               "a matrix product"));
  impl_->release(std::move(session));
  return {};
}

void prepare_thread() { const SingleThread once; }

} // namespace tw::kernels::onednn
