// SPDX-License-Identifier: Apache-2.0
// Calls of single routines of LAPACK on one matrix, whose arrays lie column by column.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "ops/lapack_calls.hpp"

namespace tw::kernels::lapack {

// What a routine takes besides its arrays, in elements: of the matrices, of the real numbers of their
// precision, and integers.
struct Workspace {
  int64_t work = 0, rwork = 0, iwork = 0;
  int64_t own = 0; // of the matrices, which we use and LAPACK does not
};

struct Job {
  const ops::LapackCall *call = nullptr;
  void *routine = nullptr;
  std::array<void *, 10> arrays{}; // of operands, then of results, which begin as `begins_as` says
  Workspace size;
  void *work = nullptr, *rwork = nullptr, *own = nullptr;
  int *iwork = nullptr;
};

struct Routine {
  // For f32, f64, c64 and c128. Answers LAPACK's info; where size.work is -1 it writes how much it wants to
  // the first element of `work`, and touches nothing else.
  std::array<int (*)(const Job &), 4> run;
  // All but what `run` answers itself.
  Workspace (*workspace)(const ops::LapackCall &call) = nullptr;
  bool asks_for_work = true; // whether it takes `work` and answers how much
  // A character for each result: the operand whose array it takes over, or `-`.
  const char *begins_as = "";
  // Whether a matrix with NaN or infinities is left alone, with NaN for results and info -4: LAPACK may not
  // come to an end, or ends the process.
  bool needs_finite = false;
  bool is_in_library = true; // else it is our own
};

const Routine &factor_routine(ops::LapackRoutine routine); // factors, and what is done with them
const Routine &eigen_routine(ops::LapackRoutine routine);  // eigenvalues, singular values, what goes before
const Routine &perturbed_routine();                        // tridiagonal_solve_perturbed
const Routine &routine_of(ops::LapackRoutine routine);

// --- what both files need ---

template <class T> struct RealOf { using Type = T; };
template <class R> struct RealOf<std::complex<R>> { using Type = R; };
template <class T> using Real = typename RealOf<T>::Type;
template <class T> inline constexpr bool is_complex = !std::is_same_v<T, Real<T>>;

// Fortran takes everything by pointer, and lengths of characters behind all arguments.
template <class... Arguments> void call_fortran(void *routine, Arguments... arguments) {
  reinterpret_cast<void (*)(Arguments...)>(routine)(arguments...);
}
constexpr size_t kOneCharacter = 1;

inline Workspace no_workspace(const ops::LapackCall &) { return {}; }

// The sizes and characters of a job as Fortran takes them.
struct Numbers {
  explicit Numbers(const Job &job) : job_(job) {}
  int of(char letter) const { return static_cast<int>(job_.call->size(letter)); }
  int rows(char letter) const { return std::max(of(letter), 1); } // a leading dimension
  char character(const char *name) const { return static_cast<char>(job_.call->attribute(name)); }
  int number(const char *name) const { return static_cast<int>(job_.call->attribute(name)); }
  template <class T> T *array(size_t v) const { return static_cast<T *>(job_.arrays[v]); }

private:
  const Job &job_;
};

#define TW_FOR_ELEMENTS(function)                                                                            \
  { function<float>, function<double>, function<std::complex<float>>, function<std::complex<double>> }

} // namespace tw::kernels::lapack
