// SPDX-License-Identifier: Apache-2.0
// Register tiles of a product of rows and a panel.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/panel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "kernels/cpu/panel.hpp"

HWY_BEFORE_NAMESPACE();
namespace tw::kernels::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Floats are fused; integers wrap, as unsigned.
template <class V> HWY_INLINE V multiply_add(V x, V y, V sum) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>())
    return hn::MulAdd(x, y, sum);
  else
    return hn::Add(hn::Mul(x, y), sum);
}

// Chains of multiply-adds in vector registers.
template <class T, int64_t Rows>
HWY_INLINE void chains(const void *const *rows, int64_t k, const T *HWY_RESTRICT panel, T *HWY_RESTRICT c,
                       bool on) {
  constexpr int64_t kColumns = kPanelBytes / static_cast<int64_t>(sizeof(T));
  const hn::CappedTag<T, static_cast<size_t>(kColumns)> d;
  constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  constexpr int64_t kVectors = kColumns / kLanes;
  const T *a[Rows];
  for (int64_t r = 0; r < Rows; ++r)
    a[r] = static_cast<const T *>(rows[r]);
  hn::Vec<decltype(d)> sum[Rows][kVectors];
  for (int64_t r = 0; r < Rows; ++r)
    for (int64_t v = 0; v < kVectors; ++v)
      sum[r][v] = on ? hn::LoadU(d, c + r * kColumns + v * kLanes) : hn::Zero(d);
  for (int64_t i = 0; i < k; ++i)
    for (int64_t r = 0; r < Rows; ++r) {
      const auto x = hn::Set(d, a[r][i]);
      for (int64_t v = 0; v < kVectors; ++v)
        sum[r][v] = multiply_add(x, hn::LoadU(d, panel + i * kColumns + v * kLanes), sum[r][v]);
    }
  for (int64_t r = 0; r < Rows; ++r)
    for (int64_t v = 0; v < kVectors; ++v)
      hn::StoreU(sum[r][v], d, c + r * kColumns + v * kLanes);
}

// As many accumulators as registers hold.
constexpr int64_t kRows = HWY_TARGET <= HWY_AVX3 ? 8 : 2;

template <class T>
void panel_of(const void *const *from, int64_t rows, int64_t k, const void *panel_data, void *c_data,
              bool on) {
  constexpr int64_t kColumns = kPanelBytes / static_cast<int64_t>(sizeof(T));
  const auto *panel = static_cast<const T *>(panel_data);
  auto *c = static_cast<T *>(c_data);
  const auto tile = [&]<int64_t R>(std::integral_constant<int64_t, R>, int64_t r) {
    chains<T, R>(from + r, k, panel, c + r * kColumns, on);
  };
  int64_t r = 0;
  for (; r + kRows <= rows; r += kRows)
    tile(std::integral_constant<int64_t, kRows>(), r);
  for (; r < rows; ++r)
    tile(std::integral_constant<int64_t, 1>(), r);
}

void multiply_panel(graph::DType dtype, const void *const *rows, int64_t count, int64_t k, const void *panel,
                    void *c, bool on) {
  switch (dtype) {
  case graph::DType::f32: return panel_of<float>(rows, count, k, panel, c, on);
  case graph::DType::f64: return panel_of<double>(rows, count, k, panel, c, on);
  case graph::DType::s32: return panel_of<uint32_t>(rows, count, k, panel, c, on);
  default: return panel_of<uint64_t>(rows, count, k, panel, c, on);
  }
}

} // namespace
} // namespace tw::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tw::kernels::cpu {
namespace {
HWY_EXPORT(multiply_panel);
}
void multiply_panel(graph::DType dtype, const void *const *rows, int64_t count, int64_t k, const void *panel,
                    void *c, bool on) {
  HWY_DYNAMIC_DISPATCH(multiply_panel)(dtype, rows, count, k, panel, c, on);
}

void multiply_panel(graph::DType dtype, const void *a, int64_t count, int64_t k, const void *panel, void *c) {
  constexpr int64_t kAtOnce = 64;
  const auto size = static_cast<int64_t>(graph::byte_size(dtype));
  std::array<const void *, kAtOnce> rows;
  for (int64_t first = 0; first < count; first += kAtOnce) {
    const int64_t n = std::min(kAtOnce, count - first);
    for (int64_t r = 0; r < n; ++r)
      rows[static_cast<size_t>(r)] = static_cast<const std::byte *>(a) + (first + r) * k * size;
    multiply_panel(dtype, rows.data(), n, k, panel, static_cast<std::byte *>(c) + first * kPanelBytes, false);
  }
}
} // namespace tw::kernels::cpu
#endif
