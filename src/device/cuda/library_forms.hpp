// SPDX-License-Identifier: Apache-2.0
// What libraries of CUDA other than cuBLASLt are asked for, in words that both sides of plugin.hpp have. All
// strides and steps are in elements unless they say bytes; arrays are dense and row-major unless strides say
// otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

enum { TW_CUDA_MOST_ARRAYS = 8 };

enum tw_cuda_type : int32_t {
  TW_CUDA_F64,
  TW_CUDA_F32,
  TW_CUDA_F16,
  TW_CUDA_BF16,
  TW_CUDA_F8E4M3FN,
  TW_CUDA_F8E5M2,
  TW_CUDA_S8,
  TW_CUDA_S32,
  TW_CUDA_C64,
  TW_CUDA_C128
};

// How the bits of an element are ordered. Floats have a sign, an exponent and a mantissa; `infinity` and
// `nan` are the codes of those.
enum tw_cuda_order : int32_t { TW_CUDA_UNSIGNED, TW_CUDA_SIGNED, TW_CUDA_FLOAT };
struct tw_cuda_key {
  tw_cuda_order order;
  int32_t bytes; // 1, 2, 4 or 8
  uint64_t infinity, nan;
  int32_t descending;
  int32_t one_zero; // -0 and 0 are equal
  int32_t one_nan;  // all NaN are equal, and come after everything in ascending order
};

// Lines of an array: element i of line l is at l / step * step * length + l % step + i * step.
struct tw_cuda_lines {
  int64_t length, step, count;
};

// Arrays of the same extents, whose lines are put in the order of the keys in one of them; of equal keys the
// first comes first. Results have the first `keep` elements of each line. `gives_places`: one array is
// sorted, and the second result says from where in the line each element came (s32).
struct tw_cuda_sort_form {
  tw_cuda_key key;
  tw_cuda_lines lines;
  int64_t keep;
  int32_t key_array, arrays, gives_places;
  int32_t element_bytes[TW_CUDA_MOST_ARRAYS];
};

enum tw_cuda_combine : int32_t {
  TW_CUDA_ADD,
  TW_CUDA_MULTIPLY,
  TW_CUDA_MAXIMUM,
  TW_CUDA_MINIMUM,
  TW_CUDA_AND,
  TW_CUDA_OR,
  TW_CUDA_XOR
};

// Lines are accumulated from their beginning, or from their end. Operand 1 is the initial value, which counts
// once, and once more for each element that is still to come: so windows fold that reach out of the array.
// `in_order`: one element after the other, by one thread for each line; else in any order, which changes
// nothing where no sum is rounded.
struct tw_cuda_scan_form {
  tw_cuda_combine combine;
  tw_cuda_key key; // how elements are ordered, by their bits
  tw_cuda_lines lines;
  int32_t backwards, in_order;
};

// Images, or what else has channels: dimensions are batch, channels, and `spatial` more.
struct tw_cuda_tensor {
  int64_t extents[5], strides[5];
};

// A convolution without flipping is what StableHLO calls one: result[p] = sum of image[p stride + t dilation
// - low] taps[t]. Forward: `taps` has the channels of the result and those of a group of the image. Backward:
// the image is what a forward one would give, and the result what it would take, so windows have steps in
// the result. `taps` then has the channels of the image and those of a group of the result.
struct tw_cuda_convolution_form {
  tw_cuda_type type;
  int32_t spatial; // 2 or 3
  int32_t backward, flipped;
  int64_t stride[3], dilation[3], low[3], high[3];
  tw_cuda_tensor image, taps, result;
  int64_t image_begin; // the image's first element
  // As many convolutions, each so many elements behind the one before.
  int64_t count, image_step, taps_step, result_step;
};

// Transforms of the last `rank` dimensions, `count` of them. `lengths` are those of the transforms: a real
// end has them, a complex end of RFFT and IRFFT has half of the last one, and one more.
enum tw_cuda_transform : int32_t { TW_CUDA_FFT, TW_CUDA_IFFT, TW_CUDA_RFFT, TW_CUDA_IRFFT };
struct tw_cuda_fft_form {
  tw_cuda_transform kind;
  int32_t wide; // double precision
  int32_t rank;
  int64_t lengths[3];
  int64_t count;
};

// `count` matrices of n x n, in f32, f64, c64 or c128: a = l l^H, or a = u^H u.
struct tw_cuda_cholesky_form {
  tw_cuda_type type;
  int32_t lower;
  int64_t n, count;
};

// op(a) x = b, or x op(a) = b; b and x are of rows x columns.
struct tw_cuda_solve_form {
  tw_cuda_type type;
  int32_t left, lower, unit_diagonal, transposed, conjugated;
  int64_t rows, columns, count;
};
