// SPDX-License-Identifier: Apache-2.0
// Matmul primitives of oneDNN 2 and 3 behind one class. Scratch memory is the caller's: oneDNN's own is
// thread-local, and a primitive that runs in another thread than the one that made it would crash on it.
#include "kernels/onednn/product.hpp"

#include "kernels/onednn/library.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace tw::kernels::onednn {

namespace {

// A dense batch x rows x cols matrix, or the same seen from cols x rows storage. Extents of 1 keep strides
// that tell the two apart.
bool describe(Layout &out, graph::DType dtype, int64_t batch, int64_t rows, int64_t cols, bool transposed) {
  const std::array<dnnl_dim_t, 3> dims{batch, rows, cols};
  const std::array<dnnl_dim_t, 3> strides{rows * cols, transposed ? 1 : cols, transposed ? rows : 1};
  const int skip = batch == 1 ? 1 : 0;
  return out.set_strided(3 - skip, dims.data() + skip, data_type(dtype), strides.data() + skip);
}

// What one running thread needs besides the primitive.
struct Session {
  Stream stream;
  std::array<Memory, 4> memory; // lhs, rhs, result, scratch
};

constexpr std::array kArguments{DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST, DNNL_ARG_SCRATCHPAD};

} // namespace

struct Product::Impl {
  std::array<Layout, 4> layout;
  Packing packing;
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
    TW_TRY(
        check(dnnl_memory_create(session->memory[i].out(), layout[i].get(), cpu_engine(), DNNL_MEMORY_NONE),
              "creating a memory object"));
  return session;
}

void Product::Impl::release(std::unique_ptr<Session> session) {
  const std::lock_guard lock(mutex);
  idle.push_back(std::move(session));
}

Product::Product(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Product::~Product() = default;

namespace {

// The order of right matrices is that for some rows, so that products with fewer and more read the same.
bool describe_packed(Layout &out, const ProductShape &s) {
  constexpr int64_t kRows = 256;
  const std::array<dnnl_dim_t, 2> dims{s.k, s.n};
  Layout lhs, any, result;
  Descriptor descriptor;
  return s.batch == 1 && describe(lhs, s.operand, 1, kRows, s.k, false) &&
         any.set_any(2, dims.data(), data_type(s.operand)) &&
         describe(result, s.result, 1, kRows, s.n, false) &&
         describe_matmul(descriptor, lhs, any, result, dnnl_scratchpad_mode_user) &&
         out.set_of(descriptor.get(), dnnl_query_weights_md);
}

// None where it would have to fill a block up.
std::optional<Packing> plan_packing(const Layout &packed, const ProductShape &s) {
  enum : size_t { kDim, nDim };
  const int64_t stride = s.rhs_stride != 0 ? s.rhs_stride : s.rhs_transposed ? s.k : s.n;
  const std::array<int64_t, 2> plain{s.rhs_transposed ? 1 : stride, s.rhs_transposed ? stride : 1};
  const auto order = packed.order();
  if (!order)
    return std::nullopt;
  std::vector<int64_t> extents, from, to;
  std::array<int64_t, 2> covered{1, 1};
  int64_t block = 1;
  for (auto inner = order->blocks.rbegin(); inner != order->blocks.rend(); ++inner) {
    extents.push_back(inner->extent);
    from.push_back(plain[inner->dim] * covered[inner->dim]);
    to.push_back(block);
    covered[inner->dim] *= inner->extent;
    block *= inner->extent;
  }
  if (s.k % covered[kDim] != 0 || s.n % covered[nDim] != 0)
    return std::nullopt;
  extents.push_back(s.n / covered[nDim]);
  from.push_back(plain[nDim] * covered[nDim]);
  to.push_back(order->strides[nDim]);
  const auto size = static_cast<int64_t>(graph::byte_size(s.operand));
  return Packing{s.k / covered[kDim], cpu::CopyPlan(extents, from, to, size, cpu::CopyPlan::Stream::never),
                 plain[kDim] * covered[kDim] * size, order->strides[kDim] * size};
}

} // namespace

std::unique_ptr<Product> Product::create(const ProductShape &s) {
  TW_ASSERT(!s.lhs_transposed || s.k <= kMostTransposed);
  if (cpu_engine() == nullptr)
    return nullptr;
  const SingleThread single;
  auto impl = std::make_unique<Impl>();
  auto &[lhs, rhs, result, scratch] = impl->layout;
  Descriptor descriptor;
  const char *implementation = nullptr;
  if (!describe(lhs, s.operand, s.batch, s.m, s.k, s.lhs_transposed) ||
      !(s.rhs_packed ? describe_packed(rhs, s)
                     : describe(rhs, s.operand, s.batch, s.k, s.n, s.rhs_transposed)) ||
      !describe(result, s.result, s.batch, s.m, s.n, false) ||
      !describe_matmul(descriptor, lhs, rhs, result, dnnl_scratchpad_mode_user) ||
      dnnl_primitive_desc_query(descriptor.get(), dnnl_query_impl_info_str, 0, &implementation) !=
          dnnl_success)
    return nullptr;
  impl->implementation = implementation;
  if (impl->implementation.starts_with("ref")) // a thousand times slower than our own
    return nullptr;
  if (!scratch.set_of(descriptor.get(), dnnl_query_scratchpad_md) ||
      dnnl_primitive_create(impl->primitive.out(), descriptor.get()) != dnnl_success)
    return nullptr;
  if (s.rhs_packed) {
    auto packing = plan_packing(rhs, s);
    if (!packing || packing->bytes() != rhs.bytes())
      return nullptr;
    impl->packing = std::move(*packing);
  }
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
bool Product::is_known() const { return impl_->implementation.starts_with("brg:avx512"); }
int64_t Product::scratch_bytes() const { return impl_->layout[3].bytes(); }

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

const Packing &Product::packing() const { return impl_->packing; }

void Packing::run(const void *rhs, void *packed) const {
  for (int64_t b = 0; b < blocks; ++b)
    block.run(static_cast<const std::byte *>(rhs) + b * from_step,
              static_cast<std::byte *>(packed) + b * to_step);
}

void prepare_thread() { const SingleThread once; }

} // namespace tw::kernels::onednn
