// SPDX-License-Identifier: Apache-2.0
// Discrete Fourier transforms of one line: any length, in double precision. Debian packages no permissive
// library that has double precision (KISS FFT is built for float, FFTW is GPL), hence this one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tw::kernels::ref {

struct Complex {
  double re = 0, im = 0;
};

// Immutable once made, so any number of threads may run it, each with scratch of its own.
class FftPlan {
public:
  explicit FftPlan(int64_t n);
  int64_t length() const { return n_; }
  int64_t scratch_elements() const; // of Complex
  // X[k] = sum of x[j] e^(-2 pi i j k / n), in place. `inverse` conjugates the exponent; nothing is scaled.
  void run(Complex *x, Complex *scratch, bool inverse) const;

private:
  void forward(Complex *x, Complex *scratch) const;
  void by_radices(Complex *x, Complex *scratch) const;
  void by_convolution(Complex *x, Complex *scratch) const;

  int64_t n_;
  std::vector<int64_t> radices_; // their product is n; empty where n has a large prime factor
  std::vector<Complex> roots_;   // e^(-2 pi i j / n)
  // Bluestein's algorithm: n's transform as a convolution of a length that is a power of 2.
  std::unique_ptr<const FftPlan> inner_;
  std::vector<Complex> chirp_;  // e^(-pi i j^2 / n)
  std::vector<Complex> filter_; // transform of the conjugated chirp, wrapped around, divided by its length
};

} // namespace tw::kernels::ref
