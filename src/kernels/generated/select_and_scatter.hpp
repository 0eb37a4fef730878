// SPDX-License-Identifier: Apache-2.0
// Source of select_and_scatter, the gradient of pooling: each window over an array selects one of its
// elements, and its source is combined into the result there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "kernels/generated/region_fold.hpp"
#include "ops/window.hpp"

namespace tw::kernels::generated {

// Parts of arrays that a device holds. All have one element type, which is that of the regions.
struct SelectAndScatter {
  struct Dim {
    ops::SlidingWindow window;   // without dilations
    int64_t whole;               // of the array
    int64_t array, array_extent; // where the parts begin, and how long they are
    int64_t source, source_extent;
    int64_t result, result_extent;
  };
  std::vector<Dim> dims;
  ScalarRegion select, scatter;
};

// Operands: the array, the source and the initial value. Each element of the result looks at the windows that
// reach it in row-major order, and takes the sources of those that select it, as the reference does.
Result<Source> select_and_scatter_source(const SelectAndScatter &request, const std::string &entry);

} // namespace tw::kernels::generated
