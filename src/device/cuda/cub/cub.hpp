// SPDX-License-Identifier: Apache-2.0
// Between the plug-in and libtilewright_cub.so, which nvcc compiles: sorts and scans by CUB, and short loops
// over elements that other libraries need around their work. Functions put work into a stream of the current
// context, and answer a cudaError_t, 0 where all is well.
#pragma once

#include "device/cuda/library_forms.hpp"

#define TW_CUB_VERSION 1
#define TW_CUB_SYMBOL "tw_cub_table"

struct tw_cub_functions {
  int32_t version;
  int32_t cub; // of CUB: 200800 is 2.8.0
  const char *(*error_text)(int32_t error);
  int32_t (*sort_bytes)(const tw_cuda_sort_form *form, size_t *out_workspace);
  int32_t (*sort)(const tw_cuda_sort_form *form, const void *const *operands, void *const *results,
                  void *workspace, size_t bytes, void *stream);
  int32_t (*scan_bytes)(const tw_cuda_scan_form *form, size_t *out_workspace);
  int32_t (*scan)(const tw_cuda_scan_form *form, const void *const *operands, void *const *results,
                  void *workspace, size_t bytes, void *stream);
  // Reals of 4 or 8 bytes, times a factor.
  int32_t (*scale)(void *reals, int32_t bytes, int64_t n, double factor, void *stream);
  // Where each of n matrices begins.
  int32_t (*point)(const void *first, int64_t step_bytes, int64_t n, void **out, void *stream);
  // Of matrices that were factored in place: zeros in the other triangle, NaN where `info` is not 0 or the
  // diagonal says that the matrix was not positive definite.
  int32_t (*finish_cholesky)(const tw_cuda_cholesky_form *form, void *factors, int32_t *info, void *stream);
};
