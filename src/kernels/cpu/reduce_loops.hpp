// SPDX-License-Identifier: Apache-2.0
// The inner loops of reductions for one element type and kind, compiled for the widest instruction set the
// machine has. Narrow floats accumulate in f32. The order of every fold is fixed here and depends on the
// number of folded elements only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/types.hpp"
#include "sharding/sharding.hpp"

namespace tw::kernels::cpu {

struct ReduceLoops {
  static constexpr int64_t kColumns = 1024; // accumulators of one call, at most

  int64_t accumulator_size = 0; // bytes; 0: this type and kind have no loops
  // Accumulators from one initial value of the element type.
  void (*start)(const void *init, void *acc, int64_t n) = nullptr;
  // acc[c] = row0[c] + row1[c] + ... one after the other; the rows are `columns` contiguous elements at base
  // + offsets[r] elements.
  void (*fold_rows)(const void *base, const int64_t *offsets, int64_t rows, int64_t columns,
                    void *acc) = nullptr;
  // *acc = the fold of n > 0 contiguous elements: some lanes side by side, then the lanes pairwise.
  void (*fold_run)(const void *x, int64_t n, void *acc) = nullptr;
  // total[i] += acc[i]
  void (*combine)(void *total, const void *acc, int64_t n) = nullptr;
  // Accumulators to elements.
  void (*finish)(const void *acc, void *out, int64_t n) = nullptr;
};

ReduceLoops reduce_loops(graph::DType dtype, sharding::Reduction kind);

} // namespace tw::kernels::cpu
