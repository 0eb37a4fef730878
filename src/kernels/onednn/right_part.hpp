// SPDX-License-Identifier: Apache-2.0
// Some rows and columns of a right matrix, and how they get to a product: packed as oneDNN would, while they
// are in the cache, or copied.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "kernels/onednn/product.hpp"

namespace tw::kernels::onednn {

struct RightPart {
  std::shared_ptr<const Product> product; // null: oneDNN has none
  Packing copy;                           // none: it is read where it lies

  // `shape` is that of the product with the part; `stride`: elements from row to row of the matrix that it is
  // part of, or from column to column.
  static RightPart create(ProductShape shape, int64_t stride, bool packs) {
    shape.rhs_stride = stride;
    shape.rhs_packed = packs;
    if (packs)
      if (std::shared_ptr<const Product> packed = Product::create(shape))
        return {packed, packed->packing()};
    shape.rhs_packed = false;
    const std::array extents{shape.rhs_transposed ? shape.n : shape.k,
                             shape.rhs_transposed ? shape.k : shape.n};
    const auto size = static_cast<int64_t>(graph::byte_size(shape.operand));
    return {Product::create(shape),
            {1, cpu::CopyPlan(extents, std::array{stride, int64_t{1}}, std::array{extents[1], int64_t{1}},
                              size, cpu::CopyPlan::Stream::never)}};
  }
  bool is_known() const { return product != nullptr && product->is_known(); }
};

} // namespace tw::kernels::onednn
