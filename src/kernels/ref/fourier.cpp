// SPDX-License-Identifier: Apache-2.0
// Discrete Fourier transforms of the last dimensions.
#include "kernels/ref/fourier.hpp"

#include <algorithm>
#include <complex>

#include "ops/attributes.hpp"
#include "ops/strided.hpp"

namespace tw::kernels::ref::fourier_reference {
namespace {

template <class T> void load_complex(const void *in, Complex *work, int64_t n) {
  const auto *from = static_cast<const std::complex<T> *>(in);
  for (int64_t i = 0; i < n; ++i)
    work[i] = {static_cast<double>(from[i].real()), static_cast<double>(from[i].imag())};
}

template <class T> void store_complex(const Complex *work, void *out, int64_t n, double scale) {
  auto *to = static_cast<std::complex<T> *>(out);
  for (int64_t i = 0; i < n; ++i)
    to[i] = {static_cast<T>(work[i].re * scale), static_cast<T>(work[i].im * scale)};
}

Status reference(const KernelArgs &args) {
  const Fourier fourier(args.op);
  const Buffer &in = args.operands[0], &out = args.results[0];
  if (out.elements() == 0 || in.elements() == 0)
    return {};
  std::vector<Complex> scratch(static_cast<size_t>(fourier.scratch_elements()));
  const auto in_bytes = fourier.block_in() * static_cast<int64_t>(graph::byte_size(in.dtype)),
             out_bytes = fourier.block_out() * static_cast<int64_t>(graph::byte_size(out.dtype));
  for (int64_t block = 0; block < out.elements() / fourier.block_out(); ++block)
    fourier.run(static_cast<const std::byte *>(in.data) + block * in_bytes,
                static_cast<std::byte *>(out.data) + block * out_bytes, scratch.data());
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.fft", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::fourier_reference

namespace tw::kernels::ref {

Fourier::Fourier(const OpView &op) {
  const std::string_view kind = op.string(slot::fft::fft_type);
  kind_ = kind == "FFT" ? Kind::fft : kind == "IFFT" ? Kind::ifft : kind == "RFFT" ? Kind::rfft : Kind::irfft;
  const graph::DType dtype = op.operands[0]->dtype;
  double_ = dtype == graph::DType::f64 || dtype == graph::DType::c128;
  const auto lengths = op.ints(slot::fft::fft_length);
  lengths_.assign(lengths.begin(), lengths.end());
  work_ = lengths_;
  const bool real = kind_ == Kind::rfft || kind_ == Kind::irfft;
  if (real)
    work_.back() = lengths_.back() / 2 + 1;
  const int64_t full = product(lengths_);
  work_elements_ = product(work_);
  in_elements_ = kind_ == Kind::rfft ? full : work_elements_;
  out_elements_ = kind_ == Kind::irfft ? full : work_elements_;
  for (const int64_t n : lengths_) {
    const auto same = std::ranges::find_if(plans_, [&](const auto &plan) { return plan->length() == n; });
    plans_.push_back(same != plans_.end() ? *same : std::make_shared<const FftPlan>(n));
  }
}

// The array worked on, a line, and the plan's own.
int64_t Fourier::scratch_elements() const {
  int64_t most = 0;
  for (const auto &plan : plans_)
    most = std::max(most, plan->length() + plan->scratch_elements());
  return work_elements_ + most;
}

// Every line along a transformed dimension of the array worked on.
void Fourier::transform(Complex *work, size_t d, Complex *scratch) const {
  const FftPlan &plan = *plans_[d];
  const bool inverse = kind_ == Kind::ifft || kind_ == Kind::irfft;
  const int64_t n = work_[d];
  int64_t inner = 1, outer = 1;
  for (size_t i = 0; i < work_.size(); ++i)
    (i < d ? outer : inner) *= i == d ? 1 : work_[i];
  Complex *const line = scratch;
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      Complex *const first = work + o * n * inner + i;
      if (inner == 1) {
        plan.run(first, scratch, inverse);
        continue;
      }
      for (int64_t j = 0; j < n; ++j)
        line[j] = first[j * inner];
      plan.run(line, scratch + n, inverse);
      for (int64_t j = 0; j < n; ++j)
        first[j * inner] = line[j];
    }
}

// Real lines are transformed as complex ones, and the half that says everything is kept.
void Fourier::load(const void *in, Complex *work) const {
  if (kind_ != Kind::rfft)
    return double_ ? fourier_reference::load_complex<double>(in, work, in_elements_)
                   : fourier_reference::load_complex<float>(in, work, in_elements_);
  const int64_t n = lengths_.back(), half = work_.back();
  Complex *const line = work + work_elements_;
  for (int64_t l = 0; l * n < in_elements_; ++l) {
    for (int64_t j = 0; j < n; ++j)
      line[j] = {double_ ? static_cast<const double *>(in)[l * n + j]
                         : static_cast<double>(static_cast<const float *>(in)[l * n + j]),
                 0};
    plans_.back()->run(line, line + n, false);
    std::copy_n(line, half, work + l * half);
  }
}

// Inverse transforms to real numbers: the other half of a line is the conjugate of the one at hand.
void Fourier::store(Complex *work, void *out) const {
  const bool inverse = kind_ == Kind::ifft || kind_ == Kind::irfft;
  const double scale = inverse ? 1.0 / static_cast<double>(product(lengths_)) : 1.0;
  if (kind_ != Kind::irfft)
    return double_ ? fourier_reference::store_complex<double>(work, out, out_elements_, scale)
                   : fourier_reference::store_complex<float>(work, out, out_elements_, scale);
  const int64_t n = lengths_.back(), half = work_.back();
  Complex *const line = work + work_elements_;
  for (int64_t l = 0; l * n < out_elements_; ++l) {
    std::copy_n(work + l * half, std::min(half, n), line);
    for (int64_t j = half; j < n; ++j)
      line[j] = {line[n - j].re, -line[n - j].im};
    plans_.back()->run(line, line + n, true);
    for (int64_t j = 0; j < n; ++j)
      if (double_)
        static_cast<double *>(out)[l * n + j] = line[j].re * scale;
      else
        static_cast<float *>(out)[l * n + j] = static_cast<float>(line[j].re * scale);
  }
}

void Fourier::run(const void *in, void *out, Complex *scratch) const {
  Complex *const work = scratch, *const rest = scratch + work_elements_;
  load(in, work);
  const bool real = kind_ == Kind::rfft || kind_ == Kind::irfft;
  for (size_t d = work_.size() - (real ? 1 : 0); d-- > 0;)
    transform(work, d, rest);
  store(work, out);
}

} // namespace tw::kernels::ref
