// SPDX-License-Identifier: Apache-2.0
// A convolution in the words of cuDNN. A function of the op and its tiles alone; no operand is copied.
#pragma once

#include <optional>

#include "device/cuda/library_forms.hpp"
#include "kernels/kernel.hpp"

namespace tw::device::cuda {

// Null: element types that cuDNN does not convolve this way, more than three spatial dimensions, images and
// results both with gaps, or windows that lie beside everything.
std::optional<tw_cuda_convolution_form> convolution_form(const kernels::Request &request);

} // namespace tw::device::cuda
