// SPDX-License-Identifier: Apache-2.0
// One matmul primitive and what it runs on.
#include "bench/peer_onednn_product.hpp"

#include <array>
#include <utility>

#include "bench/need.hpp"
#include "kernels/onednn/library.hpp"

namespace tw::bench {

using namespace kernels::onednn;

struct OneDnnProduct::Impl {
  std::array<Layout, 3> layouts;
  Primitive primitive;
  Stream stream;
  std::array<Memory, 3> memory; // lhs, rhs, result
};

OneDnnProduct::OneDnnProduct(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OneDnnProduct::~OneDnnProduct() = default;

std::unique_ptr<OneDnnProduct> OneDnnProduct::create(int64_t m, int64_t n, int64_t k) {
  auto impl = std::make_unique<Impl>();
  const std::array<std::array<dnnl_dim_t, 2>, 3> dims{{{m, k}, {k, n}, {m, n}}};
  for (size_t i = 0; i < dims.size(); ++i) {
    const std::array<dnnl_dim_t, 2> strides{dims[i][1], 1};
    if (!impl->layouts[i].set_strided(2, dims[i].data(), dnnl_f32, strides.data()) ||
        dnnl_memory_create(impl->memory[i].out(), impl->layouts[i].get(), cpu_engine(), DNNL_MEMORY_NONE) !=
            dnnl_success)
      return nullptr;
  }
  Descriptor descriptor;
  if (!describe_matmul(descriptor, impl->layouts[0], impl->layouts[1], impl->layouts[2],
                       dnnl_scratchpad_mode_library) ||
      dnnl_primitive_create(impl->primitive.out(), descriptor.get()) != dnnl_success ||
      dnnl_stream_create(impl->stream.out(), cpu_engine(), dnnl_stream_default_flags) != dnnl_success)
    return nullptr;
  return std::unique_ptr<OneDnnProduct>(new OneDnnProduct(std::move(impl)));
}

void OneDnnProduct::run(const void *lhs, const void *rhs, void *result) const {
  constexpr std::array names{DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
  const std::array<void *, 3> data{const_cast<void *>(lhs), const_cast<void *>(rhs), result};
  std::array<dnnl_exec_arg_t, 3> args;
  for (size_t i = 0; i < data.size(); ++i) {
    need(check(dnnl_memory_set_data_handle(impl_->memory[i].get(), data[i]), "setting a buffer"));
    args[i] = {names[i], impl_->memory[i].get()};
  }
  need(check(dnnl_primitive_execute(impl_->primitive.get(), impl_->stream.get(), 3, args.data()),
             "a matrix product"));
  need(check(dnnl_stream_wait(impl_->stream.get()), "waiting"));
}

} // namespace tw::bench
