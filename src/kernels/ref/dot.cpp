// SPDX-License-Identifier: Apache-2.0
// Contractions of two arrays as sums of products in one order.
#include <algorithm>

#include "kernels/ref/convert.hpp"
#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/scalar.hpp"
#include "ops/dot_sides.hpp"

namespace tw::kernels::ref::dot_reference {
namespace {

// Each element of the result sums its products in row-major order of the contracting dimensions, whatever the
// piece.
template <class V>
void multiply_accumulate(const V *lhs, const V *rhs, V *out, int64_t batch, int64_t rows, int64_t inner,
                         int64_t cols) {
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t i = 0; i < rows; ++i) {
      V *sums = out + (b * rows + i) * cols;
      std::fill(sums, sums + cols, V(0));
      for (int64_t k = 0; k < inner; ++k) {
        const V a = lhs[(b * rows + i) * inner + k];
        const V *row = rhs + (b * inner + k) * cols;
        TW_INDEPENDENT_LOOP
        for (int64_t j = 0; j < cols; ++j)
          sums[j] = scalar::Add::apply(sums[j], scalar::Multiply::apply(a, row[j]));
      }
    }
}

std::vector<int64_t> joined(std::span<const int64_t> a, std::span<const int64_t> b,
                            std::span<const int64_t> c) {
  std::vector<int64_t> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

Status reference(const KernelArgs &args) {
  const DotSide lhs = dot_side(args.op, 0), rhs = dot_side(args.op, 1);
  const Buffer &out = args.results[0];
  auto extents = [](const Buffer &piece, std::span<const int64_t> dims) {
    int64_t n = 1;
    for (int64_t d : dims)
      n *= piece.extent[static_cast<size_t>(d)];
    return n;
  };
  const int64_t batch = extents(args.operands[0], lhs.batch), rows = extents(args.operands[0], lhs.free);
  const int64_t inner = extents(args.operands[0], lhs.contracting),
                cols = extents(args.operands[1], rhs.free);
  const DType type = sum_type(out.dtype);
  const std::vector<std::byte> a =
      packed(args.operands[0], joined(lhs.batch, lhs.free, lhs.contracting), type);
  const std::vector<std::byte> b =
      packed(args.operands[1], joined(rhs.batch, rhs.contracting, rhs.free), type);
  std::vector<std::byte> sums(static_cast<size_t>(out.elements()) * graph::byte_size(type));
  visit_dtype(type, [&]<class E>(E) {
    using V = typename E::Storage;
    if constexpr (std::is_same_v<V, typename E::Value>)
      multiply_accumulate(reinterpret_cast<const V *>(a.data()), reinterpret_cast<const V *>(b.data()),
                          reinterpret_cast<V *>(sums.data()), batch, rows, inner, cols);
    else if constexpr (E::dtype == DType::i1)
      multiply_accumulate(reinterpret_cast<const bool *>(a.data()), reinterpret_cast<const bool *>(b.data()),
                          reinterpret_cast<bool *>(sums.data()), batch, rows, inner, cols);
  });
  const void *in = sums.data();
  convert_block(type, out.dtype)(&in, out.data, out.elements());
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.dot_general", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::dot_reference
