// SPDX-License-Identifier: Apache-2.0
// Combining functions per reduction kind and element type.
#include "kernels/ref/combiner.hpp"

#include <utility>

#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/scalar.hpp"

namespace tw::kernels::ref {
namespace {

using sharding::Reduction;

template <class S> void pick_block(const void *const *in, void *out, int64_t n) {
  const auto *a = static_cast<const S *>(in[0]), *b = static_cast<const S *>(in[1]);
  auto *y = static_cast<S *>(out);
  TW_INDEPENDENT_LOOP
  for (int64_t i = 0; i < n; ++i)
    y[i] = static_cast<S>(a[i] | b[i]);
}

void pick_16_bytes(const void *const *in, void *out, int64_t n) { pick_block<uint64_t>(in, out, 2 * n); }

// Values are rounded to the type after every step, as they are where two are combined.
template <class F, class E, size_t... Other>
void fold_values(const void *const *in, void *out, int64_t n, std::index_sequence<Other...>) {
  using S = typename E::Storage;
  const auto *first = static_cast<const S *>(in[0]);
  const S *const others[] = {static_cast<const S *>(in[Other + 1])...};
  auto *y = static_cast<S *>(out);
  TW_INDEPENDENT_LOOP
  for (int64_t i = 0; i < n; ++i) {
    S value = first[i];
    ((value = E::store(static_cast<typename E::Value>(F::apply(E::load(value), E::load(others[Other][i]))))),
     ...);
    y[i] = value;
  }
}

template <class F, class E, size_t Count> void fold_block(const void *const *in, void *out, int64_t n) {
  fold_values<F, E>(in, out, n, std::make_index_sequence<Count - 1>());
}

template <class E> void add_zero_block(const void *const *in, void *out, int64_t n) {
  using S = typename E::Storage;
  using V = typename E::Value;
  const auto *x = static_cast<const S *>(in[0]);
  auto *y = static_cast<S *>(out);
  TW_INDEPENDENT_LOOP
  for (int64_t i = 0; i < n; ++i)
    y[i] = E::store(static_cast<V>(scalar::Add::apply(E::load(x[i]), V(0))));
}

// Of f16 the compiler makes no vectors for more than two.
constexpr TypeSet kFolded = {DType::f64, DType::f32, DType::bf16, DType::s32, DType::i1};

template <class F> Combiner combiner_by(DType dtype) {
  Combiner all{elementwise::block_for<F, 2>(dtype)};
  visit_dtype(dtype, [&]<class E>(E) {
    if constexpr (F::takes.has(E::dtype) && kFolded.has(E::dtype)) {
      all.four = wide<fold_block<F, E, 4>>();
      all.eight = wide<fold_block<F, E, 8>>();
    }
  });
  return all;
}

BlockFn pick_of_size(size_t size) {
  switch (size) {
  case 1: return pick_block<uint8_t>;
  case 2: return pick_block<uint16_t>;
  case 4: return pick_block<uint32_t>;
  case 8: return pick_block<uint64_t>;
  default: return pick_16_bytes;
  }
}

} // namespace

Combiner combiner(Reduction kind, DType dtype) {
  switch (kind) {
  case Reduction::sum: {
    Combiner sums = combiner_by<scalar::Add>(dtype);
    visit_dtype(dtype, [&]<class E>(E) {
      if constexpr (scalar::Add::takes.has(E::dtype))
        sums.add_zero = wide<add_zero_block<E>>();
    });
    return sums;
  }
  case Reduction::prod: return combiner_by<scalar::Multiply>(dtype);
  case Reduction::max: return graph::is_complex(dtype) ? Combiner() : combiner_by<scalar::Maximum>(dtype);
  case Reduction::min: return graph::is_complex(dtype) ? Combiner() : combiner_by<scalar::Minimum>(dtype);
  case Reduction::land: return combiner_by<scalar::And>(dtype);
  case Reduction::lor: return combiner_by<scalar::Or>(dtype);
  case Reduction::lxor: return combiner_by<scalar::Xor>(dtype);
  case Reduction::pick: return {pick_of_size(graph::byte_size(dtype))};
  case Reduction::raw:
  case Reduction::region: return {};
  }
  return {};
}

BlockFn combine_block(Reduction kind, DType dtype) { return combiner(kind, dtype).two; }

} // namespace tw::kernels::ref
