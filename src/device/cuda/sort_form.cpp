// SPDX-License-Identifier: Apache-2.0
// Says which bits order elements, and where lines lie.
#include "device/cuda/sort_form.hpp"

#include <algorithm>
#include <limits>

#include "kernels/scan.hpp"
#include "ops/attributes.hpp"
#include "ops/reduction.hpp"
#include "ops/sort_order.hpp"

namespace tw::device::cuda {
namespace {

using graph::DType;
using sharding::Reduction;

// What CUB counts is an int.
constexpr int64_t kMostElements = std::numeric_limits<int32_t>::max();
// One thread for each line: as many as make it worth while; short lines are so in any number.
constexpr int64_t kManyLines = 2048, kEnoughLines = 256, kShortLine = 64;

std::optional<tw_cuda_key> key_of(DType dtype) {
  const auto bytes = static_cast<int32_t>(graph::byte_size(dtype));
  switch (dtype) {
  case DType::i1:
  case DType::u8:
  case DType::u16:
  case DType::u32:
  case DType::u64: return tw_cuda_key{TW_CUDA_UNSIGNED, bytes, 0, 0, 0, 0, 0};
  case DType::s8:
  case DType::s16:
  case DType::s32:
  case DType::s64: return tw_cuda_key{TW_CUDA_SIGNED, bytes, 0, 0, 0, 0, 0};
  case DType::f16: return tw_cuda_key{TW_CUDA_FLOAT, bytes, 0x7c00, 0x7e00, 0, 0, 0};
  case DType::bf16: return tw_cuda_key{TW_CUDA_FLOAT, bytes, 0x7f80, 0x7fc0, 0, 0, 0};
  case DType::f32: return tw_cuda_key{TW_CUDA_FLOAT, bytes, 0x7f800000, 0x7fc00000, 0, 0, 0};
  case DType::f64: return tw_cuda_key{TW_CUDA_FLOAT, bytes, 0x7ff0000000000000, 0x7ff8000000000000, 0, 0, 0};
  default: return std::nullopt;
  }
}

tw_cuda_lines lines_of(const kernels::Tile &tile, size_t along) {
  tw_cuda_lines lines{tile.extent[along], 1, 0};
  for (size_t d = along + 1; d < tile.extent.size(); ++d)
    lines.step *= tile.extent[d];
  lines.count = lines.length == 0 ? 0 : tile.elements() / lines.length;
  return lines;
}

std::optional<tw_cuda_combine> combine_of(Reduction kind, DType dtype) {
  switch (kind) {
  case Reduction::sum: return dtype == DType::i1 ? TW_CUDA_OR : TW_CUDA_ADD;
  case Reduction::prod: return dtype == DType::i1 ? TW_CUDA_AND : TW_CUDA_MULTIPLY;
  case Reduction::max: return TW_CUDA_MAXIMUM;
  case Reduction::min: return TW_CUDA_MINIMUM;
  case Reduction::land: return TW_CUDA_AND;
  case Reduction::lor: return TW_CUDA_OR;
  case Reduction::lxor: return TW_CUDA_XOR;
  default: return std::nullopt;
  }
}

} // namespace

std::optional<tw_cuda_sort_form> sort_form(const kernels::Request &r) {
  const bool top_k = r.def.kind == ops::OpKind::top_k;
  std::optional<ops::SortOrder> order = ops::SortOrder{};
  if (top_k)
    order->descending = true;
  else
    order = ops::sort_order_of(r.op.graph, r.op.regions[0]);
  if (!order || r.operands.size() > TW_CUDA_MOST_ARRAYS)
    return std::nullopt;
  const kernels::Tile &tile = r.operands[order->operand];
  auto key = key_of(tile.dtype);
  const int64_t n = tile.elements();
  if (!key || n == 0 || n > kMostElements)
    return std::nullopt;
  key->descending = order->descending;
  key->one_zero = order->one_zero;
  key->one_nan = order->one_nan;
  const size_t along = top_k ? tile.extent.size() - 1 : ops::sorted_dimension(r.op);
  tw_cuda_sort_form form{*key,
                         lines_of(tile, along),
                         r.results[0].extent[along],
                         static_cast<int32_t>(order->operand),
                         static_cast<int32_t>(r.operands.size()),
                         top_k,
                         {}};
  if (form.keep == 0)
    return std::nullopt;
  for (size_t a = 0; a < r.operands.size(); ++a)
    form.element_bytes[a] = static_cast<int32_t>(graph::byte_size(r.operands[a].dtype));
  return form;
}

std::optional<tw_cuda_scan_form> scan_form(const kernels::Request &r) {
  if (r.results.size() != 1 || !r.use_init || r.operands[0].dtype != r.results[0].dtype ||
      r.operands[1].dtype != r.results[0].dtype)
    return std::nullopt;
  const DType dtype = r.operands[0].dtype;
  const auto kind = ops::reduction_of(r.op.graph, r.op.regions[0]);
  const auto combine = kind ? combine_of(*kind, dtype) : std::nullopt;
  const auto scan = kernels::scan_of(r);
  const auto key = key_of(dtype);
  const int64_t n = r.operands[0].elements();
  if (!combine || !scan || !key || n == 0 || n > kMostElements)
    return std::nullopt;
  tw_cuda_scan_form form{*combine, *key, lines_of(r.operands[0], scan->along), scan->backwards, 0};
  const bool short_lines = form.lines.length <= kShortLine;
  form.in_order = form.lines.count >= kManyLines || short_lines;
  if (key->order == TW_CUDA_FLOAT && (combine == TW_CUDA_ADD || combine == TW_CUDA_MULTIPLY)) {
    if (key->bytes < 4 || (form.lines.count < kEnoughLines && !short_lines))
      return std::nullopt;
    form.in_order = 1;
  }
  return form;
}

} // namespace tw::device::cuda
