// SPDX-License-Identifier: Apache-2.0
// What an fft op does to an array, step by step, for the reference kernel and the bound one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kernels/ref/fft_plan.hpp"
#include "kernels/ref/references.hpp"

namespace tw::kernels::ref {

// The transform of one block: the trailing dimensions that fft_length names. Blocks lie one after the other
// and are independent.
class Fourier {
public:
  explicit Fourier(const OpView &op);
  int64_t block_in() const { return in_elements_; } // elements of one block
  int64_t block_out() const { return out_elements_; }
  int64_t scratch_elements() const; // of Complex
  void run(const void *in, void *out, Complex *scratch) const;

private:
  void load(const void *in, Complex *work) const;
  void store(Complex *work, void *out) const;
  void transform(Complex *work, size_t d, Complex *scratch) const;

  enum class Kind : uint8_t { fft, ifft, rfft, irfft };
  Kind kind_ = Kind::fft;
  bool double_ = false;
  std::vector<int64_t> lengths_; // of the transforms
  std::vector<int64_t> work_; // extents of the complex array worked on: halved last dimension for real ends
  int64_t in_elements_ = 1, out_elements_ = 1, work_elements_ = 1;
  std::vector<std::shared_ptr<const FftPlan>> plans_; // per transformed dimension
};

} // namespace tw::kernels::ref
