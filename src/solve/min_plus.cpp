// SPDX-License-Identifier: Apache-2.0
// As many columns at once as the machine's registers hold, all rows of these one after the other. The least
// of several sums is the same in any order, so every machine gets the same bits.
#include "solve/min_plus.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solve/min_plus.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tw::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::ScalableTag<Cost>;

// Of kVectors vectors of columns.
template <size_t kVectors>
HWY_INLINE void take_columns(const Cost *HWY_RESTRICT costs, const Cost *HWY_RESTRICT offers, size_t rows,
                             size_t columns, Cost *HWY_RESTRICT least) {
  const Lanes lanes;
  const size_t width = hn::Lanes(lanes);
  const auto never = hn::Set(lanes, kNever);
  auto a = never, b = never, c = never, d = never;
  for (size_t row = 0; row < rows; ++row, costs += columns) {
    const auto offer = hn::Set(lanes, offers[row]);
    a = hn::Min(a, hn::Add(offer, hn::LoadU(lanes, costs)));
    if constexpr (kVectors > 1)
      b = hn::Min(b, hn::Add(offer, hn::LoadU(lanes, costs + width)));
    if constexpr (kVectors > 2) {
      c = hn::Min(c, hn::Add(offer, hn::LoadU(lanes, costs + 2 * width)));
      d = hn::Min(d, hn::Add(offer, hn::LoadU(lanes, costs + 3 * width)));
    }
  }
  hn::StoreU(a, lanes, least);
  if constexpr (kVectors > 1)
    hn::StoreU(b, lanes, least + width);
  if constexpr (kVectors > 2) {
    hn::StoreU(c, lanes, least + 2 * width);
    hn::StoreU(d, lanes, least + 3 * width);
  }
}

void min_plus(const Cost *HWY_RESTRICT costs, const Cost *HWY_RESTRICT offers, size_t rows, size_t columns,
              Cost *HWY_RESTRICT least) {
  const size_t width = hn::Lanes(Lanes());
  size_t column = 0;
  for (; column + 4 * width <= columns; column += 4 * width)
    take_columns<4>(costs + column, offers, rows, columns, least + column);
  for (; column + 2 * width <= columns; column += 2 * width)
    take_columns<2>(costs + column, offers, rows, columns, least + column);
  for (; column + width <= columns; column += width)
    take_columns<1>(costs + column, offers, rows, columns, least + column);
  if (column == columns)
    return;
  if (columns >= width) { // the last ones once more
    column = columns - width;
    take_columns<1>(costs + column, offers, rows, columns, least + column);
    return;
  }
  std::fill(least, least + columns, kNever);
  for (size_t row = 0; row < rows; ++row, costs += columns)
    for (size_t c = 0; c < columns; ++c)
      least[c] = std::min(least[c], offers[row] + costs[c]);
}

} // namespace
} // namespace tw::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tw::solve {

HWY_EXPORT(min_plus);

void min_plus(const Cost *costs, const Cost *offers, size_t rows, size_t columns, Cost *least) {
  HWY_DYNAMIC_DISPATCH(min_plus)(costs, offers, rows, columns, least);
}

} // namespace tw::solve
#endif
