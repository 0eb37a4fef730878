// SPDX-License-Identifier: Apache-2.0
// Cholesky and triangular solves in the words of cuSOLVER and cuBLAS. Functions of an op and its tiles alone.
#pragma once

#include <optional>

#include "device/cuda/library_forms.hpp"
#include "kernels/kernel.hpp"

namespace tw::device::cuda {

// Null: other element types than f32, f64, c64 and c128, matrices that are too large for an int, or none.
std::optional<tw_cuda_cholesky_form> cholesky_form(const kernels::Request &request);
std::optional<tw_cuda_solve_form> solve_form(const kernels::Request &request);

} // namespace tw::device::cuda
