// SPDX-License-Identifier: Apache-2.0
// Fourier transforms with the plan made once and blocks shared among workers.
#include <algorithm>
#include <array>

#include "kernels/entry.hpp"
#include "kernels/ref/fourier.hpp"

namespace tw::kernels::cpu::fft_kernel {

namespace {

constexpr int64_t kPartElements = 1 << 14;

class Fft final : public Kernel {
public:
  explicit Fft(const Request &r)
      : fourier_(r.op),
        in_bytes_(fourier_.block_in() * static_cast<int64_t>(graph::byte_size(r.operands[0].dtype))),
        out_bytes_(fourier_.block_out() * static_cast<int64_t>(graph::byte_size(r.results[0].dtype))),
        blocks_(r.results[0].elements() == 0 ? 0 : r.results[0].elements() / fourier_.block_out()),
        parts_(std::clamp<int64_t>(blocks_ * fourier_.block_out() / kPartElements, 1,
                                   std::clamp<int64_t>(blocks_, 1, 8))) {}

  const char *name() const override { return "cpu:fft"; }
  int64_t parts() const override { return parts_; }
  int64_t scratch_bytes() const override {
    return fourier_.scratch_elements() * static_cast<int64_t>(sizeof(ref::Complex));
  }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    for (int64_t block = blocks_ * part / parts_; block < blocks_ * (part + 1) / parts_; ++block)
      fourier_.run(static_cast<const std::byte *>(operands[0]) + block * in_bytes_,
                   static_cast<std::byte *>(results[0]) + block * out_bytes_,
                   static_cast<ref::Complex *>(scratch));
    return {};
  }

private:
  ref::Fourier fourier_;
  int64_t in_bytes_, out_bytes_; // of one block
  int64_t blocks_, parts_;
};

constexpr std::array kOps{ops::OpKind::fft};

std::unique_ptr<Kernel> bind(const Request &r) { return std::make_unique<Fft>(r); }

} // namespace

Entry entry() { return {"cpu:fft", kOps, bind}; }

} // namespace tw::kernels::cpu::fft_kernel
