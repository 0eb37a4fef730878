// SPDX-License-Identifier: Apache-2.0
// The inner loops of products of a few rows, compiled for the widest instruction set the machine has.
#pragma once

#include <cstdint>

namespace tw::kernels::onednn {

constexpr int64_t kRowsAtOnce = 8; // at most

// sums[r][c] = a[r][0] b[0][c] + a[r][1] b[1][c] + ... on top of what is there: one chain of fused
// multiply-adds. Rows of a, b and sums begin `a_stride`, `b_stride` and `sums_stride` elements apart.
void extend_chains(const float *a, int64_t a_stride, int64_t rows, const float *b, int64_t b_stride,
                   int64_t depth, float *sums, int64_t sums_stride, int64_t columns);

// to[c] = sums[c], or to[c] + sums[c]; and sums[c] = 0.
void end_chains(float *sums, float *to, int64_t columns, bool first);

} // namespace tw::kernels::onednn
