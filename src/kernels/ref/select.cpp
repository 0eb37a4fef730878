// SPDX-License-Identifier: Apache-2.0
// Elements chosen by a predicate, or kept between bounds.
#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/scalar.hpp"

namespace tw::kernels::ref::select_reference {
namespace {

template <class S> void select_block(const void *const *in, void *out, int64_t n) {
  const auto *pred = static_cast<const uint8_t *>(in[0]);
  const auto *a = static_cast<const S *>(in[1]), *b = static_cast<const S *>(in[2]);
  auto *y = static_cast<S *>(out);
  TW_INDEPENDENT_LOOP
  for (int64_t i = 0; i < n; ++i) {
    const S p = a[i], q = b[i];
    y[i] = pred[i] ? p : q;
  }
}

struct Bytes16 {
  uint64_t low, high;
};

// Values only move, so the size of an element is all that matters.
BlockFn select_fn(const OpView &op) {
  switch (graph::byte_size(op.operands[1]->dtype)) {
  case 1: return select_block<uint8_t>;
  case 2: return select_block<uint16_t>;
  case 4: return wide<select_block<uint32_t>>();
  case 8: return wide<select_block<uint64_t>>();
  default: return select_block<Bytes16>;
  }
}

template <class E> void clamp_block(const void *const *in, void *out, int64_t n) {
  static const BlockFn maximum = elementwise::block_for<scalar::Maximum, 2>(E::dtype);
  static const BlockFn minimum = elementwise::block_for<scalar::Minimum, 2>(E::dtype);
  using S = typename E::Storage;
  const auto *low = static_cast<const S *>(in[0]), *x = static_cast<const S *>(in[1]),
             *high = static_cast<const S *>(in[2]);
  S raised[elementwise::kChunk];
  for (int64_t from = 0; from < n; from += elementwise::kChunk) {
    const int64_t m = std::min(elementwise::kChunk, n - from);
    const void *first[] = {x + from, low + from}, *second[] = {raised, high + from};
    maximum(first, raised, m);
    minimum(second, static_cast<S *>(out) + from, m);
  }
}

BlockFn clamp_fn(const OpView &op) {
  return visit_dtype(op.operands[1]->dtype, []<class E>(E) -> BlockFn { return clamp_block<E>; });
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.clamp", nullptr, clamp_fn},
      {"stablehlo.select", nullptr, select_fn},
  };
  return all;
}

} // namespace tw::kernels::ref::select_reference
