// SPDX-License-Identifier: Apache-2.0
// Stockham's self-sorting algorithm with radices 4, 2, 3, 5 and small primes; Bluestein's algorithm where a
// prime factor is large.
#include "kernels/ref/fft_plan.hpp"

#include <algorithm>
#include <cmath>

namespace tw::kernels::ref {
namespace {

constexpr int64_t kLargestRadix = 31;

Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex operator*(double s, Complex a) { return {s * a.re, s * a.im}; }
Complex minus_i(Complex a) { return {a.im, -a.re}; }

// e^(-2 pi i j / n), exact on the axes.
Complex root(int64_t j, int64_t n) {
  j %= n;
  const int64_t quadrant = 4 * j / n;
  const double angle = 2 * M_PI * (static_cast<double>(4 * j - quadrant * n) / static_cast<double>(4 * n));
  Complex w{std::cos(angle), -std::sin(angle)};
  for (int64_t q = 0; q < quadrant; ++q)
    w = minus_i(w);
  return w;
}

// The radices of n, or nothing where a prime factor is too large.
std::vector<int64_t> factors_of(int64_t n) {
  std::vector<int64_t> radices;
  for (int64_t r : {int64_t{4}, int64_t{2}, int64_t{3}, int64_t{5}})
    for (; n % r == 0; n /= r)
      radices.push_back(r);
  for (int64_t r = 7; r <= kLargestRadix; r += 2)
    for (; n % r == 0; n /= r)
      radices.push_back(r);
  if (n != 1)
    radices.clear();
  return radices;
}

// Transforms of the points of one butterfly, in place. `roots` are those of the whole length n.
void butterfly(Complex *a, int64_t r, const Complex *roots, int64_t n) {
  switch (r) {
  case 2: {
    const Complex b = a[1];
    a[1] = a[0] - b;
    a[0] = a[0] + b;
    return;
  }
  case 3: {
    const double half_root_3 = 0.86602540378443864676;
    const Complex sum = a[1] + a[2], turn = half_root_3 * minus_i(a[1] - a[2]), middle = a[0] - 0.5 * sum;
    a[0] = a[0] + sum;
    a[1] = middle + turn;
    a[2] = middle - turn;
    return;
  }
  case 4: {
    const Complex even = a[0] + a[2], odd = a[0] - a[2], sum = a[1] + a[3], turn = minus_i(a[1] - a[3]);
    a[0] = even + sum;
    a[1] = odd + turn;
    a[2] = even - sum;
    a[3] = odd - turn;
    return;
  }
  default: {
    Complex sums[kLargestRadix];
    for (int64_t k = 0; k < r; ++k) {
      sums[k] = a[0];
      for (int64_t j = 1; j < r; ++j)
        sums[k] = sums[k] + a[j] * roots[j * k % r * (n / r)];
    }
    std::copy_n(sums, r, a);
  }
  }
}

// One pass of Stockham's algorithm over sequences of `length` points that lie `stride` apart; Radix 0: any.
template <int64_t Radix>
void pass(const Complex *x, Complex *y, int64_t radix, int64_t length, int64_t stride, const Complex *roots,
          int64_t n) {
  const int64_t r = Radix != 0 ? Radix : radix, m = length / r, step = n / length;
  Complex a[Radix != 0 ? Radix : kLargestRadix];
  for (int64_t p = 0; p < m; ++p)
    for (int64_t q = 0; q < stride; ++q) {
      for (int64_t j = 0; j < r; ++j)
        a[j] = x[q + stride * (p + m * j)];
      butterfly(a, r, roots, n);
      y[q + stride * (r * p)] = a[0];
      for (int64_t k = 1; k < r; ++k)
        y[q + stride * (r * p + k)] = a[k] * roots[p * k * step];
    }
}

} // namespace

FftPlan::FftPlan(int64_t n) : n_(n), radices_(factors_of(std::max<int64_t>(n, 1))) {
  if (n_ <= 1)
    return;
  if (!radices_.empty()) {
    for (int64_t j = 0; j < n_; ++j)
      roots_.push_back(root(j, n_));
    return;
  }
  int64_t wide = 1;
  while (wide < 2 * n_ - 1)
    wide *= 2;
  inner_ = std::make_unique<const FftPlan>(wide);
  int64_t square = 0; // j^2 mod 2 n
  for (int64_t j = 0; j < n_; ++j) {
    chirp_.push_back(root(square, 2 * n_));
    square = (square + 2 * j + 1) % (2 * n_);
  }
  filter_.resize(static_cast<size_t>(wide));
  for (int64_t j = 0; j < n_; ++j) {
    const Complex c = chirp_[static_cast<size_t>(j)];
    const Complex scaled{c.re / static_cast<double>(wide), -c.im / static_cast<double>(wide)};
    filter_[static_cast<size_t>(j)] = scaled;
    filter_[static_cast<size_t>((wide - j) % wide)] = scaled;
  }
  std::vector<Complex> scratch(static_cast<size_t>(inner_->scratch_elements()));
  inner_->run(filter_.data(), scratch.data(), false);
}

int64_t FftPlan::scratch_elements() const {
  return inner_ ? inner_->length() + inner_->scratch_elements() : n_;
}

void FftPlan::run(Complex *x, Complex *scratch, bool inverse) const {
  const auto conjugate = [&] {
    for (int64_t j = 0; inverse && j < n_; ++j)
      x[j].im = -x[j].im;
  };
  conjugate();
  forward(x, scratch);
  conjugate();
}

void FftPlan::forward(Complex *x, Complex *scratch) const {
  if (n_ > 1)
    inner_ ? by_convolution(x, scratch) : by_radices(x, scratch);
}

void FftPlan::by_radices(Complex *x, Complex *scratch) const {
  Complex *from = x, *to = scratch;
  int64_t length = n_, stride = 1;
  for (const int64_t r : radices_) {
    switch (r) {
    case 2: pass<2>(from, to, r, length, stride, roots_.data(), n_); break;
    case 3: pass<3>(from, to, r, length, stride, roots_.data(), n_); break;
    case 4: pass<4>(from, to, r, length, stride, roots_.data(), n_); break;
    default: pass<0>(from, to, r, length, stride, roots_.data(), n_);
    }
    std::swap(from, to);
    length /= r;
    stride *= r;
  }
  if (from != x)
    std::copy_n(from, n_, x);
}

void FftPlan::by_convolution(Complex *x, Complex *scratch) const {
  const int64_t wide = inner_->length();
  Complex *const y = scratch, *const inner_scratch = scratch + wide;
  for (int64_t j = 0; j < n_; ++j)
    y[j] = x[j] * chirp_[static_cast<size_t>(j)];
  std::fill(y + n_, y + wide, Complex{});
  inner_->run(y, inner_scratch, false);
  for (int64_t j = 0; j < wide; ++j)
    y[j] = y[j] * filter_[static_cast<size_t>(j)];
  inner_->run(y, inner_scratch, true);
  for (int64_t j = 0; j < n_; ++j)
    x[j] = y[j] * chirp_[static_cast<size_t>(j)];
}

} // namespace tw::kernels::ref
