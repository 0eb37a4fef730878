// SPDX-License-Identifier: Apache-2.0
// Matrices are never tiled, so a tile is some of them one after the other.
#include "device/cuda/linear_form.hpp"

#include <limits>

#include "ops/attributes.hpp"

namespace tw::device::cuda {
namespace {

using graph::DType;

std::optional<tw_cuda_type> field_type(DType dtype) {
  switch (dtype) {
  case DType::f64: return TW_CUDA_F64;
  case DType::f32: return TW_CUDA_F32;
  case DType::c64: return TW_CUDA_C64;
  case DType::c128: return TW_CUDA_C128;
  default: return std::nullopt;
  }
}

bool fits(int64_t n) { return n <= std::numeric_limits<int32_t>::max(); }

} // namespace

std::optional<tw_cuda_cholesky_form> cholesky_form(const kernels::Request &r) {
  const auto type = field_type(r.results[0].dtype);
  const int64_t elements = r.results[0].elements(), n = r.results[0].extent.back();
  if (!type || elements == 0 || !fits(n) || !fits(elements / (n * n)))
    return std::nullopt;
  return tw_cuda_cholesky_form{*type, r.op.integer(ops::slot::cholesky::lower) != 0, n, elements / (n * n)};
}

std::optional<tw_cuda_solve_form> solve_form(const kernels::Request &r) {
  namespace slot = ops::slot::triangular_solve;
  const auto type = field_type(r.results[0].dtype);
  const auto &extent = r.results[0].extent;
  const int64_t elements = r.results[0].elements(), rows = extent[extent.size() - 2], columns = extent.back();
  if (!type || elements == 0 || !fits(rows) || !fits(columns) || !fits(elements / (rows * columns)))
    return std::nullopt;
  const std::string_view transpose = r.op.string(slot::transpose_a);
  return tw_cuda_solve_form{*type,
                            r.op.integer(slot::left_side) != 0,
                            r.op.integer(slot::lower) != 0,
                            r.op.integer(slot::unit_diagonal) != 0,
                            transpose != "NO_TRANSPOSE",
                            transpose == "ADJOINT",
                            rows,
                            columns,
                            elements / (rows * columns)};
}

} // namespace tw::device::cuda
