// SPDX-License-Identifier: Apache-2.0
// Transformed dimensions are never tiled, so a tile is some blocks one after the other.
#include "device/cuda/fft_form.hpp"

#include "ops/attributes.hpp"

namespace tw::device::cuda {

std::optional<tw_cuda_fft_form> fft_form(const kernels::Request &r) {
  const std::string_view kind = r.op.string(ops::slot::fft::fft_type);
  const auto lengths = r.op.ints(ops::slot::fft::fft_length);
  if (r.operands[0].elements() == 0 || r.results[0].elements() == 0 || lengths.empty() || lengths.size() > 3)
    return std::nullopt;
  tw_cuda_fft_form form = {};
  form.kind = kind == "FFT"    ? TW_CUDA_FFT
              : kind == "IFFT" ? TW_CUDA_IFFT
              : kind == "RFFT" ? TW_CUDA_RFFT
                               : TW_CUDA_IRFFT;
  const graph::DType dtype = r.operands[0].dtype;
  form.wide = dtype == graph::DType::f64 || dtype == graph::DType::c128;
  int64_t block = 1;
  for (const int64_t length : lengths) {
    form.lengths[form.rank++] = length;
    block *= length;
  }
  // Of the real end, or of both.
  form.count = (form.kind == TW_CUDA_RFFT ? r.operands[0] : r.results[0]).elements() / block;
  return form;
}

} // namespace tw::device::cuda
