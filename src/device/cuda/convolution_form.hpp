// SPDX-License-Identifier: Apache-2.0
// A convolution in the words of cuDNN. A function of the op and its tiles alone; of the operands at most the
// taps are copied.
#pragma once

#include <optional>

#include "device/cuda/library_forms.hpp"
#include "kernels/box_moves.hpp"

namespace tw::device::cuda {

struct ConvolutionForm {
  tw_cuda_convolution_form form; // its taps are packed
  // What packs operand 1, where it does not lie so. The library's engines take the taps as packed, outer
  // channels first and inner ones second or last, and do not look at other strides, nor refuse them.
  std::optional<kernels::BoxMove> packing = std::nullopt;
};

// Null: element types that cuDNN does not convolve this way, more than three spatial dimensions, images and
// results both with gaps, or windows that lie beside everything.
std::optional<ConvolutionForm> convolution_form(const kernels::Request &request);

} // namespace tw::device::cuda
