// SPDX-License-Identifier: Apache-2.0
// Tridiagonal systems that may be singular, which LAPACK has no single routine for: elimination with row
// exchanges, in which a pivot that is next to nothing is replaced by the least that counts as something.
#include <cmath>
#include <limits>

#include "kernels/lapack/routines.hpp"

namespace tw::kernels::lapack {
namespace {

template <class T> Real<T> largest_of(const T *lower, const T *diagonal, const T *upper, int64_t n) {
  Real<T> largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::abs(diagonal[i]));
    if (i > 0)
      largest = std::max({largest, std::abs(lower[i]), std::abs(upper[i - 1])});
  }
  return largest;
}

template <class T> T at_least(T pivot, Real<T> least) {
  const Real<T> size = std::abs(pivot);
  return size >= least ? pivot : size == 0 ? T(least) : pivot * (least / size); // NaN stays
}

template <class T> int solve_perturbed(const Job &job) {
  const int64_t n = job.call->size('n'), columns = job.call->size('r');
  const T *lower = static_cast<const T *>(job.arrays[0]), *diagonal = static_cast<const T *>(job.arrays[1]),
          *upper = static_cast<const T *>(job.arrays[2]);
  T *x = static_cast<T *>(job.arrays[4]); // begins as the right-hand sides, column by column
  // Row i of the triangle: its pivot and what stands right of it.
  T *pivot = static_cast<T *>(job.own), *first = pivot + n, *second = first + n;
  const Real<T> largest = largest_of(lower, diagonal, upper, n);
  const Real<T> least = std::numeric_limits<Real<T>>::epsilon() * (largest > 0 ? largest : Real<T>(1));
  for (int64_t i = 0; i < n; ++i) {
    if (i == 0) {
      pivot[0] = diagonal[0];
      first[0] = upper[0];
    }
    second[i] = 0;
    if (i + 1 == n) {
      pivot[i] = at_least(pivot[i], least);
      break;
    }
    const bool exchanged = std::abs(lower[i + 1]) > std::abs(pivot[i]);
    const T above = exchanged ? pivot[i] : lower[i + 1]; // of the row that is cleared, over the diagonal
    T next = diagonal[i + 1], right = i + 2 < n ? upper[i + 1] : T(0);
    if (exchanged) {
      pivot[i] = lower[i + 1];
      std::swap(first[i], next);
      second[i] = right;
      right = 0;
    }
    pivot[i] = at_least(pivot[i], least);
    const T factor = above / pivot[i];
    pivot[i + 1] = next - factor * first[i];
    first[i + 1] = right - factor * second[i];
    for (int64_t c = 0; c < columns; ++c) {
      T *b = x + c * n;
      if (exchanged)
        std::swap(b[i], b[i + 1]);
      b[i + 1] -= factor * b[i];
    }
  }
  for (int64_t c = 0; c < columns; ++c)
    for (int64_t i = n; i-- > 0;) {
      T *b = x + c * n + i;
      if (i + 1 < n)
        *b -= first[i] * b[1];
      if (i + 2 < n)
        *b -= second[i] * b[2];
      *b /= pivot[i];
    }
  return 0;
}

Workspace three_diagonals(const ops::LapackCall &call) { return {0, 0, 0, 3 * call.size('n')}; }

} // namespace

const Routine &perturbed_routine() {
  static constexpr Routine kPerturbed{
      TW_FOR_ELEMENTS(solve_perturbed), three_diagonals, false, "3", false, false};
  return kPerturbed;
}

} // namespace tw::kernels::lapack
