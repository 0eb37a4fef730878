// SPDX-License-Identifier: Apache-2.0
// What the steps of whole programs take on GPU 0, beside what the GPU could do.
#pragma once

#include <cstdint>

#include "bench/table.hpp"

namespace tw::bench {

// Seconds that a square product of bf16 takes as the step of a program.
double product_in_program(int64_t size);
// Rates of fused elementwise ops, reductions and exchanges, beside that of a copy (bytes read and written).
void passes_over_memory(double copy_bytes_per_second, Table &rows);
// A training step of width 2048 in bf16, beside the sum of its products.
void transformer_step(Table &rows);

} // namespace tw::bench
