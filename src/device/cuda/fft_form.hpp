// SPDX-License-Identifier: Apache-2.0
// A Fourier transform in the words of cuFFT. A function of the op and its tiles alone.
#pragma once

#include <optional>

#include "device/cuda/library_forms.hpp"
#include "kernels/kernel.hpp"

namespace tw::device::cuda {

// Null: nothing to transform.
std::optional<tw_cuda_fft_form> fft_form(const kernels::Request &request);

} // namespace tw::device::cuda
