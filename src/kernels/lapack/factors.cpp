// SPDX-License-Identifier: Apache-2.0
// Factors of matrices, what is solved with them, and products of reflectors.
#include <algorithm>

#include "kernels/lapack/routines.hpp"

namespace tw::kernels::lapack {
namespace {

using ops::LapackRoutine;

template <class T> int potrf(const Job &job) {
  const Numbers with(job);
  const char uplo = with.character("uplo");
  const int n = with.of('n'), lda = with.rows('n');
  int info = 0;
  call_fortran(job.routine, &uplo, &n, with.array<T>(1), &lda, &info, kOneCharacter);
  return info;
}

template <class T> int trsm(const Job &job) {
  const Numbers with(job);
  const char side = with.character("side"), uplo = with.character("uplo"), trans = with.character("trans_x"),
             diag = with.character("diag");
  const int m = with.of('m'), n = with.of('n'), lda = with.rows('a'), ldb = with.rows('m');
  const T one(1);
  call_fortran(job.routine, &side, &uplo, &trans, &diag, &m, &n, &one,
               static_cast<const T *>(with.array<T>(0)), &lda, with.array<T>(2), &ldb, kOneCharacter,
               kOneCharacter, kOneCharacter, kOneCharacter);
  return 0;
}

template <class T> int getrf(const Job &job) {
  const Numbers with(job);
  const int m = with.of('m'), n = with.of('n'), lda = with.rows('m');
  int info = 0;
  call_fortran(job.routine, &m, &n, with.array<T>(1), &lda, with.array<int>(2), &info);
  return info;
}

template <class T> int geqrf(const Job &job) {
  const Numbers with(job);
  const int m = with.of('m'), n = with.of('n'), lda = with.rows('m');
  const int lwork = static_cast<int>(job.size.work);
  int info = 0;
  call_fortran(job.routine, &m, &n, with.array<T>(1), &lda, with.array<T>(2), static_cast<T *>(job.work),
               &lwork, &info);
  return info;
}

template <class T> int geqp3(const Job &job) {
  const Numbers with(job);
  const int m = with.of('m'), n = with.of('n'), lda = with.rows('m');
  const int lwork = static_cast<int>(job.size.work);
  int info = 0;
  auto *work = static_cast<T *>(job.work);
  if constexpr (is_complex<T>)
    call_fortran(job.routine, &m, &n, with.array<T>(2), &lda, with.array<int>(3), with.array<T>(4), work,
                 &lwork, static_cast<Real<T> *>(job.rwork), &info);
  else
    call_fortran(job.routine, &m, &n, with.array<T>(2), &lda, with.array<int>(3), with.array<T>(4), work,
                 &lwork, &info);
  return info;
}

template <class T> int orgqr(const Job &job) {
  const Numbers with(job);
  const int m = with.of('m'), n = with.of('n'), k = with.of('t'), lda = with.rows('m');
  const int lwork = static_cast<int>(job.size.work);
  int info = 0;
  call_fortran(job.routine, &m, &n, &k, with.array<T>(2), &lda, with.array<T>(1), static_cast<T *>(job.work),
               &lwork, &info);
  return info;
}

template <class T> int ormqr(const Job &job) {
  const Numbers with(job);
  const char side = with.number("left") != 0 ? 'L' : 'R', trans = with.number("transpose") == 0 ? 'N'
                                                                  : is_complex<T>               ? 'C'
                                                                                                : 'T';
  const int m = with.of('m'), n = with.of('n'), k = with.of('t'), lda = with.rows('s'), ldc = with.rows('m');
  const int lwork = static_cast<int>(job.size.work);
  int info = 0;
  call_fortran(job.routine, &side, &trans, &m, &n, &k, with.array<T>(0), &lda, with.array<T>(1),
               with.array<T>(3), &ldc, static_cast<T *>(job.work), &lwork, &info, kOneCharacter,
               kOneCharacter);
  return info;
}

// JAX's diagonals are as long as the matrix: that below begins with an element that is not there.
template <class T> int gtsv(const Job &job) {
  const Numbers with(job);
  const int n = with.of('n'), r = with.of('r'), ldb = with.rows('n');
  int info = 0;
  call_fortran(job.routine, &n, &r, with.array<T>(4) + (n > 0 ? 1 : 0), with.array<T>(5), with.array<T>(6),
               with.array<T>(7), &ldb, &info);
  return info;
}

Workspace pivoted(const ops::LapackCall &call) { return {0, 2 * call.size('n'), 0, 0}; }

} // namespace

const Routine &factor_routine(LapackRoutine routine) {
  static constexpr Routine kPotrf{TW_FOR_ELEMENTS(potrf), no_workspace, false, "0-"},
      kTrsm{TW_FOR_ELEMENTS(trsm), no_workspace, false, "1"},
      kGetrf{TW_FOR_ELEMENTS(getrf), no_workspace, false, "0--"},
      kGeqrf{TW_FOR_ELEMENTS(geqrf), no_workspace, true, "0-"},
      kGeqp3{TW_FOR_ELEMENTS(geqp3), pivoted, true, "01-"},
      kOrgqr{TW_FOR_ELEMENTS(orgqr), no_workspace, true, "0"},
      kOrmqr{TW_FOR_ELEMENTS(ormqr), no_workspace, true, "2"},
      kGtsv{TW_FOR_ELEMENTS(gtsv), no_workspace, false, "0123-"};
  switch (routine) {
  case LapackRoutine::potrf: return kPotrf;
  case LapackRoutine::trsm: return kTrsm;
  case LapackRoutine::getrf: return kGetrf;
  case LapackRoutine::geqrf: return kGeqrf;
  case LapackRoutine::geqp3: return kGeqp3;
  case LapackRoutine::orgqr: return kOrgqr;
  case LapackRoutine::ormqr: return kOrmqr;
  default: return kGtsv;
  }
}

} // namespace tw::kernels::lapack
