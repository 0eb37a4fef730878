// SPDX-License-Identifier: Apache-2.0
// Sorts, top_k and cumulative reductions in the words of libtilewright_cub.so. Functions of an op and its
// tiles alone.
#pragma once

#include <optional>

#include "device/cuda/library_forms.hpp"
#include "kernels/kernel.hpp"

namespace tw::device::cuda {

// Null: the element type has no bits in order, the comparator looks at more than one key, or there is nothing
// to sort or too much.
std::optional<tw_cuda_sort_form> sort_form(const kernels::Request &request);

// Null: no cumulative reduction, or one of floats whose sums would be rounded in another order than the
// host's. Those are made line by line, one element after the other, and taken where there are many lines.
std::optional<tw_cuda_scan_form> scan_form(const kernels::Request &request);

} // namespace tw::device::cuda
