// SPDX-License-Identifier: Apache-2.0
// Eigenvalues, singular values, and the forms of matrices that go before them.
#include <algorithm>

#include "kernels/lapack/routines.hpp"

namespace tw::kernels::lapack {
namespace {

using ops::LapackCall;
using ops::LapackRoutine;

template <class T> int gesdd(const Job &job) {
  const Numbers with(job);
  const char mode = with.character("mode");
  const int m = with.of('m'), n = with.of('n'), lda = with.rows('m'), ldu = with.rows('m'),
            ldv = with.rows('v');
  const int lwork = static_cast<int>(job.size.work);
  int info = 0;
  auto *work = static_cast<T *>(job.work);
  const auto call = [&](auto... behind_work) {
    call_fortran(job.routine, &mode, &m, &n, with.array<T>(1), &lda, with.array<Real<T>>(2), with.array<T>(3),
                 &ldu, with.array<T>(4), &ldv, work, &lwork, behind_work..., job.iwork, &info, kOneCharacter);
  };
  if constexpr (is_complex<T>)
    call(static_cast<Real<T> *>(job.rwork));
  else
    call();
  return info;
}

template <class T> int gesvd(const Job &job) {
  const Numbers with(job);
  const char mode = with.character("mode");
  const int m = with.of('m'), n = with.of('n'), lda = with.rows('m'), ldu = with.rows('m'),
            ldv = with.rows('v');
  const int lwork = static_cast<int>(job.size.work);
  int info = 0;
  auto *work = static_cast<T *>(job.work);
  const auto call = [&](auto... behind_work) {
    call_fortran(job.routine, &mode, &mode, &m, &n, with.array<T>(1), &lda, with.array<Real<T>>(2),
                 with.array<T>(3), &ldu, with.array<T>(4), &ldv, work, &lwork, behind_work..., &info,
                 kOneCharacter, kOneCharacter);
  };
  if constexpr (is_complex<T>)
    call(static_cast<Real<T> *>(job.rwork));
  else
    call();
  return info;
}

// Of either kind of matrix, symmetric or Hermitian.
template <class T> int syevd(const Job &job) {
  const Numbers with(job);
  const char mode = with.character("mode"), uplo = with.character("uplo");
  const int n = with.of('n'), lda = with.rows('n');
  const int lwork = static_cast<int>(job.size.work), lrwork = static_cast<int>(job.size.rwork),
            liwork = static_cast<int>(job.size.iwork);
  int info = 0;
  const auto call = [&](auto... behind_work) {
    call_fortran(job.routine, &mode, &uplo, &n, with.array<T>(1), &lda, with.array<Real<T>>(2),
                 static_cast<T *>(job.work), &lwork, behind_work..., job.iwork, &liwork, &info, kOneCharacter,
                 kOneCharacter);
  };
  if constexpr (is_complex<T>)
    call(static_cast<Real<T> *>(job.rwork), &lrwork);
  else
    call();
  return info;
}

// Eigenvectors of real matrices come as real columns: of a conjugate pair as its real and its imaginary part.
template <class R> void unpack(int n, const R *imaginary, const R *packed, std::complex<R> *vectors) {
  for (int j = 0; j < n; ++j) {
    const R *real_part = packed + static_cast<int64_t>(j) * n, *imag_part = real_part + n;
    std::complex<R> *vector = vectors + static_cast<int64_t>(j) * n;
    const bool is_pair = j + 1 < n && imaginary[j] != 0 && !std::isnan(imaginary[j]);
    for (int i = 0; i < n; ++i) {
      vector[i] = {real_part[i], is_pair ? imag_part[i] : R(0)};
      if (is_pair)
        vector[n + i] = std::conj(vector[i]);
    }
    j += is_pair;
  }
}

template <class T> int geev(const Job &job) {
  const Numbers with(job);
  const char left = with.character("compute_left"), right = with.character("compute_right");
  const int n = with.of('n'), lda = with.rows('n');
  const int lwork = static_cast<int>(job.size.work);
  int info = 0;
  auto *work = static_cast<T *>(job.work);
  if constexpr (is_complex<T>) {
    call_fortran(job.routine, &left, &right, &n, with.array<T>(0), &lda, with.array<T>(1), with.array<T>(2),
                 &lda, with.array<T>(3), &lda, work, &lwork, static_cast<Real<T> *>(job.rwork), &info,
                 kOneCharacter, kOneCharacter);
  } else {
    auto *lefts = static_cast<T *>(job.own), *rights = lefts + static_cast<int64_t>(n) * n;
    call_fortran(job.routine, &left, &right, &n, with.array<T>(0), &lda, with.array<T>(1), with.array<T>(2),
                 lefts, &lda, rights, &lda, work, &lwork, &info, kOneCharacter, kOneCharacter);
    if (lwork >= 0 && info == 0 && left == 'V')
      unpack(n, with.array<T>(2), lefts, with.array<std::complex<T>>(3));
    if (lwork >= 0 && info == 0 && right == 'V')
      unpack(n, with.array<T>(2), rights, with.array<std::complex<T>>(4));
  }
  return info;
}

// No order of eigenvalues is asked for, so nothing selects them.
template <class T> int gees(const Job &job) {
  const Numbers with(job);
  const char mode = with.character("mode"), sort = with.character("sort");
  const int n = with.of('n'), lda = with.rows('n');
  const int lwork = static_cast<int>(job.size.work);
  int info = 0;
  int no_flags = 0;
  auto *work = static_cast<T *>(job.work);
  void (*select)() = nullptr;
  if constexpr (is_complex<T>)
    call_fortran(job.routine, &mode, &sort, select, &n, with.array<T>(1), &lda, with.array<int>(4),
                 with.array<T>(3), with.array<T>(2), &lda, work, &lwork, static_cast<Real<T> *>(job.rwork),
                 &no_flags, &info, kOneCharacter, kOneCharacter);
  else
    call_fortran(job.routine, &mode, &sort, select, &n, with.array<T>(1), &lda, with.array<int>(5),
                 with.array<T>(3), with.array<T>(4), with.array<T>(2), &lda, work, &lwork, &no_flags, &info,
                 kOneCharacter, kOneCharacter);
  return info;
}

template <class T> int gehrd(const Job &job) {
  const Numbers with(job);
  const int n = with.of('n'), low = with.number("low"), high = with.number("high"), lda = with.rows('n');
  const int lwork = static_cast<int>(job.size.work);
  int info = 0;
  call_fortran(job.routine, &n, &low, &high, with.array<T>(1), &lda, with.array<T>(2),
               static_cast<T *>(job.work), &lwork, &info);
  return info;
}

template <class T> int sytrd(const Job &job) {
  const Numbers with(job);
  const char uplo = with.character("uplo");
  const int n = with.of('n'), lda = with.rows('n');
  const int lwork = static_cast<int>(job.size.work);
  int info = 0;
  call_fortran(job.routine, &uplo, &n, with.array<T>(1), &lda, with.array<Real<T>>(2), with.array<Real<T>>(3),
               with.array<T>(4), static_cast<T *>(job.work), &lwork, &info, kOneCharacter);
  return info;
}

// --- memory, as LAPACK's manual has it ---

Workspace for_gesdd(const LapackCall &call) {
  const int64_t least = std::min(call.size('m'), call.size('n')),
                most = std::max(call.size('m'), call.size('n'));
  const int64_t real = call.attribute("mode") == 'N' ? 7 * least
                                                     : std::max(5 * least * least + 5 * least,
                                                                2 * most * least + 2 * least * least + least);
  return {0, real, 8 * least, 0};
}

Workspace for_gesvd(const LapackCall &call) {
  return {0, 5 * std::min(call.size('m'), call.size('n')), 0, 0};
}

Workspace for_syevd(const LapackCall &call) {
  const int64_t n = call.size('n');
  const bool vectors = call.attribute("mode") == 'V';
  const int64_t integers = vectors ? 3 + 5 * n : 1;
  if (call.is_complex())
    return {std::max<int64_t>(vectors ? 2 * n + n * n : n + 1, 1), vectors ? 1 + 5 * n + 2 * n * n : n + 1,
            integers, 0};
  return {vectors ? 1 + 6 * n + 2 * n * n : 2 * n + 1, 0, integers, 0};
}

Workspace for_geev(const LapackCall &call) {
  const int64_t n = call.size('n');
  return {0, 2 * n, 0, call.is_complex() ? 0 : 2 * n * n};
}

Workspace for_gees(const LapackCall &call) { return {0, call.size('n'), 0, 0}; }

} // namespace

const Routine &eigen_routine(LapackRoutine routine) {
  static constexpr Routine kGesdd{TW_FOR_ELEMENTS(gesdd), for_gesdd, true, "0----", true},
      kGesvd{TW_FOR_ELEMENTS(gesvd), for_gesvd, true, "0----", true},
      kSyevd{TW_FOR_ELEMENTS(syevd), for_syevd, false, "0--", true},
      kGeev{TW_FOR_ELEMENTS(geev), for_geev, true, "-----", true},
      kGees{TW_FOR_ELEMENTS(gees), for_gees, true, "0-----", true},
      kGehrd{TW_FOR_ELEMENTS(gehrd), no_workspace, true, "0--"},
      kSytrd{TW_FOR_ELEMENTS(sytrd), no_workspace, true, "0----"};
  switch (routine) {
  case LapackRoutine::gesdd: return kGesdd;
  case LapackRoutine::gesvd: return kGesvd;
  case LapackRoutine::syevd: return kSyevd;
  case LapackRoutine::geev: return kGeev;
  case LapackRoutine::gees: return kGees;
  case LapackRoutine::gehrd: return kGehrd;
  default: return kSytrd;
  }
}

} // namespace tw::kernels::lapack
