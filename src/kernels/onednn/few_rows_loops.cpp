// SPDX-License-Identifier: Apache-2.0
// Some steps of all chains of a vector of columns at a time, so that sums are loaded and stored once for
// those.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/onednn/few_rows_loops.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <hwy/highway.h>

#include <array>
#include <utility>

#include "kernels/onednn/few_rows_loops.hpp"

HWY_BEFORE_NAMESPACE();
namespace tw::kernels::onednn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::CappedTag<float, 16> kFloat;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(kFloat));

template <size_t Rows, size_t... Steps>
HWY_INLINE void extend(const float *HWY_RESTRICT a, int64_t a_stride, const float *HWY_RESTRICT b,
                       int64_t b_stride, float *HWY_RESTRICT sums, int64_t sums_stride, int64_t columns,
                       std::index_sequence<Steps...>) {
  const auto step = [&](int64_t c, const auto &load, const auto &store) {
    const hn::Vec<decltype(kFloat)> x[] = {load(b + static_cast<int64_t>(Steps) * b_stride + c)...};
    for (size_t r = 0; r < Rows; ++r) {
      const float *row = a + static_cast<int64_t>(r) * a_stride;
      float *at = sums + static_cast<int64_t>(r) * sums_stride + c;
      auto sum = load(at);
      ((sum = hn::MulAdd(hn::Set(kFloat, row[Steps]), x[Steps], sum)), ...);
      store(sum, at);
    }
  };
  int64_t c = 0;
  for (; c + kLanes <= columns; c += kLanes)
    step(
        c, [](const float *p) { return hn::LoadU(kFloat, p); },
        [](auto v, float *p) { hn::StoreU(v, kFloat, p); });
  if (c < columns) {
    const auto mask = hn::FirstN(kFloat, static_cast<size_t>(columns - c));
    step(
        c, [&](const float *p) { return hn::MaskedLoad(mask, kFloat, p); },
        [&](auto v, float *p) { hn::BlendedStore(v, mask, kFloat, p); });
  }
}

template <size_t Rows>
void extend_rows(const float *a, int64_t a_stride, const float *b, int64_t b_stride, int64_t depth,
                 float *sums, int64_t sums_stride, int64_t columns) {
  constexpr int64_t kSteps = 8;
  int64_t i = 0;
  for (; i + kSteps <= depth; i += kSteps)
    extend<Rows>(a + i, a_stride, b + i * b_stride, b_stride, sums, sums_stride, columns,
                 std::make_index_sequence<kSteps>());
  for (; i < depth; ++i)
    extend<Rows>(a + i, a_stride, b + i * b_stride, b_stride, sums, sums_stride, columns,
                 std::make_index_sequence<1>());
}

using Extend = void (*)(const float *, int64_t, const float *, int64_t, int64_t, float *, int64_t, int64_t);

template <size_t... Rows>
constexpr std::array<Extend, sizeof...(Rows)> by_rows(std::index_sequence<Rows...>) {
  return {extend_rows<Rows + 1>...};
}

void extend_chains(const float *a, int64_t a_stride, int64_t rows, const float *b, int64_t b_stride,
                   int64_t depth, float *sums, int64_t sums_stride, int64_t columns) {
  static constexpr auto kExtend = by_rows(std::make_index_sequence<kRowsAtOnce>());
  kExtend[static_cast<size_t>(rows - 1)](a, a_stride, b, b_stride, depth, sums, sums_stride, columns);
}

void end_chains(float *HWY_RESTRICT sums, float *HWY_RESTRICT to, int64_t columns, bool first) {
  for (int64_t c = 0; c < columns; ++c) {
    to[c] = first ? sums[c] : to[c] + sums[c];
    sums[c] = 0;
  }
}

} // namespace
} // namespace tw::kernels::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tw::kernels::onednn {
namespace {
HWY_EXPORT(extend_chains);
HWY_EXPORT(end_chains);
} // namespace
void extend_chains(const float *a, int64_t a_stride, int64_t rows, const float *b, int64_t b_stride,
                   int64_t depth, float *sums, int64_t sums_stride, int64_t columns) {
  HWY_DYNAMIC_DISPATCH(extend_chains)(a, a_stride, rows, b, b_stride, depth, sums, sums_stride, columns);
}
void end_chains(float *sums, float *to, int64_t columns, bool first) {
  HWY_DYNAMIC_DISPATCH(end_chains)(sums, to, columns, first);
}
} // namespace tw::kernels::onednn
#endif
