// SPDX-License-Identifier: Apache-2.0
// The inner loop of our own matrix product: some rows times a panel of a few columns, for the widest
// instruction set the machine has. Every element is one chain over k in order, so its bits do not depend on
// which rows and columns are computed together.
#pragma once

#include <cstdint>

#include "graph/types.hpp"

namespace tw::kernels::cpu {

constexpr int64_t kPanelBytes = 128; // of a row of a panel

// c (count x panel) = rows (count x k, each where its pointer says) * panel (k x panel, row-major), all of
// one type: f32, f64, s32 or s64. With `on`, c is where the chains go on.
void multiply_panel(graph::DType dtype, const void *const *rows, int64_t count, int64_t k, const void *panel,
                    void *c, bool on);
// The same from the beginning of the chains, with the rows one behind the other.
void multiply_panel(graph::DType dtype, const void *a, int64_t count, int64_t k, const void *panel, void *c);

} // namespace tw::kernels::cpu
