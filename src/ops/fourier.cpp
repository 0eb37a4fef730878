// SPDX-License-Identifier: Apache-2.0
// fft: discrete Fourier transforms of the last one to three dimensions, of complex numbers either way, from
// and to real numbers.
#include "ops/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"
#include "ops/strided.hpp"

namespace tw::ops::fourier_ops {
namespace {

using graph::DType;

bool is_kind(std::string_view kind) {
  return kind == "FFT" || kind == "IFFT" || kind == "RFFT" || kind == "IRFFT";
}

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::TensorType &from = *op.operands[0];
  const std::string_view kind = op.string(slot::fft::fft_type);
  const auto lengths = op.ints(slot::fft::fft_length);
  if (!is_kind(kind))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("fft_type is `{}`, expected FFT, IFFT, RFFT or IRFFT", kind));
  const bool takes_real = kind == "RFFT";
  const bool known =
      takes_real ? from.dtype == DType::f32 || from.dtype == DType::f64 : graph::is_complex(from.dtype);
  if (!known)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("{} does not take operand 0 of element type {}: expected {}", kind,
                            graph::name(from.dtype), takes_real ? "f32 or f64" : "complex numbers"));
  if (lengths.empty() || lengths.size() > 3 || lengths.size() > from.rank())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("fft_length [{}] must name the last 1 to 3 dimensions of operand 0, {}",
                            fmt::join(lengths, ", "), graph::to_short_text(from)));
  graph::TensorType to = from;
  const size_t first = from.rank() - lengths.size();
  for (size_t i = 0; i < lengths.size(); ++i) {
    const bool halved = kind == "IRFFT" && i + 1 == lengths.size();
    if (lengths[i] < 0 || from.dims[first + i] != (halved ? lengths[i] / 2 + 1 : lengths[i]))
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("fft_length [{}] wants size {} of dimension {} of operand 0, {}",
                              fmt::join(lengths, ", "), halved ? lengths[i] / 2 + 1 : lengths[i], first + i,
                              graph::to_short_text(from)));
  }
  if (kind == "RFFT") {
    to.dtype = from.dtype == DType::f32 ? DType::c64 : DType::c128;
    to.dims.back() = lengths.back() / 2 + 1;
  } else if (kind == "IRFFT") {
    to.dtype = from.dtype == DType::c64 ? DType::f32 : DType::f64;
    to.dims.back() = lengths.back();
  }
  return std::vector<graph::TensorType>{std::move(to)};
}

Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  const size_t rank = op.operands[0]->rank(), first = rank - op.ints(slot::fft::fft_length).size();
  for (size_t d = 0; d < rank; ++d) {
    if (d < first) {
      const FactorId f = rule.pass(op.operands[0]->dims[d]);
      rule.in(0, d, f).out(0, d, f);
    } else {
      rule.whole_in(0, d, op.operands[0]->dims[d]).whole_out(0, d, op.results[0]->dims[d]);
    }
  }
  return rule.build();
}

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

} // namespace

namespace {

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

Cost cost(const OpView &op) {
  const auto n = static_cast<double>(product(op.ints(slot::fft::fft_length)));
  const auto elements = static_cast<double>(std::max(op.operands[0]->elements(), op.results[0]->elements()));
  return {5 * elements * std::log2(std::max(n, 2.0)), static_cast<double>(op.operands[0]->bytes()),
          static_cast<double>(op.results[0]->bytes())};
}

OpDef fft() {
  OpDef def{"stablehlo.fft",
            "Discrete Fourier transform of the last dimensions, forward or inverse, complex or with a real "
            "end. Spec: fft.",
            1,
            1,
            1,
            {{"fft_type", AttrKind::string, true, "FFT, IFFT, RFFT (from real) or IRFFT (to real)",
              AttrDims::none, "type"},
             {"fft_length", AttrKind::ints, true,
              "the lengths of the last 1 to 3 dimensions, real ends in full", AttrDims::none, "length"}}};
  def.flags |= kBatches;
  def.kind = OpKind::fft;
  def.infer = infer;
  def.rule = rule;
  def.rule_text = "([i,n])->([i,n]) n:whole";
  def.cost = cost;
  def.reference = reference;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {fft()};
  return defs;
}

} // namespace tw::ops::fourier_ops

namespace tw::ops {

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
    return double_ ? fourier_ops::load_complex<double>(in, work, in_elements_)
                   : fourier_ops::load_complex<float>(in, work, in_elements_);
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
    return double_ ? fourier_ops::store_complex<double>(work, out, out_elements_, scale)
                   : fourier_ops::store_complex<float>(work, out, out_elements_, scale);
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

} // namespace tw::ops
