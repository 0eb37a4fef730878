// SPDX-License-Identifier: Apache-2.0
// The inner loop of our own matrix product: some rows times a panel of a few columns, for the widest instruction set the machine has.
// Every element is one chain over k in order, so its bits do not depend on which rows and columns are computed together.
#pragma once

#include <cstdint>

#include "graph/types.hpp"

namespace tw::kernels::cpu {

constexpr int64_t kPanelBytes = 128; // of a row of a panel

// c (rows x panel) = a (rows x k, row-major) * panel (k x panel, row-major), all of one type: f32, f64, s32 or s64. With `on`, c is where
// the chains go on.
void multiply_panel(graph::DType dtype, const void *a, int64_t rows, int64_t k, const void *panel, void *c,
                    bool on = false);

} // namespace tw::kernels::cpu
