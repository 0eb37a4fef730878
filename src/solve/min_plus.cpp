// SPDX-License-Identifier: Apache-2.0
// As many columns at once as the machine's registers hold, all rows of these one after the other. The least
// of several sums is the same in any order, and products and sums are rounded each, so every machine gets the
// same bits.
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

// Calls `each` with a tag of vectors and the place of each one, until all n elements are taken: whole vectors
// first, then ever shorter ones.
template <class Each> HWY_INLINE void for_vectors(size_t n, Each &&each) {
  size_t at = 0;
  const auto take = [&](auto lanes) {
    for (const size_t width = hn::Lanes(lanes); at + width <= n; at += width)
      each(lanes, at);
  };
  take(Lanes());
  take(hn::CappedTag<Cost, 4>());
  take(hn::CappedTag<Cost, 2>());
  take(hn::CappedTag<Cost, 1>());
}

// Of kVectors vectors of columns.
template <size_t kVectors, class Tag>
HWY_INLINE void take_columns(Tag lanes, const Cost *HWY_RESTRICT costs, const Cost *HWY_RESTRICT offers,
                             size_t rows, size_t columns, Cost *HWY_RESTRICT least) {
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
  const Lanes lanes;
  const size_t width = hn::Lanes(lanes);
  size_t column = 0;
  for (; column + 4 * width <= columns; column += 4 * width)
    take_columns<4>(lanes, costs + column, offers, rows, columns, least + column);
  for (; column + 2 * width <= columns; column += 2 * width)
    take_columns<2>(lanes, costs + column, offers, rows, columns, least + column);
  if (columns - column > width) { // one vector, and the last ones once more
    take_columns<1>(lanes, costs + column, offers, rows, columns, least + column);
    column += width;
  }
  if (column == columns)
    return;
  if (columns >= width) {
    column = columns - width;
    take_columns<1>(lanes, costs + column, offers, rows, columns, least + column);
    return;
  }
  for_vectors(columns, [&](auto some, size_t at) {
    take_columns<1>(some, costs + at, offers, rows, columns, least + at);
  });
}

void add_to(Cost *HWY_RESTRICT sum, const Cost *HWY_RESTRICT more, size_t n) {
  for_vectors(n, [&](auto lanes, size_t at) {
    hn::StoreU(hn::Add(hn::LoadU(lanes, sum + at), hn::LoadU(lanes, more + at)), lanes, sum + at);
  });
}

void offer(const Cost *HWY_RESTRICT known, const Cost *HWY_RESTRICT heard, Cost share, size_t n,
           Cost *HWY_RESTRICT offers) {
  for_vectors(n, [&](auto lanes, size_t at) {
    const auto never = hn::Set(lanes, kNever);
    const auto all = hn::LoadU(lanes, known + at);
    const auto part = hn::Sub(hn::Mul(hn::Set(lanes, share), all), hn::LoadU(lanes, heard + at));
    hn::StoreU(hn::IfThenElse(hn::Lt(all, never), part, never), lanes, offers + at);
  });
}

void take_off(Cost *HWY_RESTRICT values, Cost least, size_t n) {
  for_vectors(n, [&](auto lanes, size_t at) {
    hn::StoreU(hn::Sub(hn::LoadU(lanes, values + at), hn::Set(lanes, least)), lanes, values + at);
  });
}

Cost least_of(const Cost *values, size_t n) {
  Cost least = kNever;
  for_vectors(n, [&](auto lanes, size_t at) {
    least = std::min(least, hn::GetLane(hn::MinOfLanes(lanes, hn::LoadU(lanes, values + at))));
  });
  return least;
}

} // namespace
} // namespace tw::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tw::solve {

HWY_EXPORT(min_plus);
HWY_EXPORT(add_to);
HWY_EXPORT(offer);
HWY_EXPORT(take_off);
HWY_EXPORT(least_of);

void min_plus(const Cost *costs, const Cost *offers, size_t rows, size_t columns, Cost *least) {
  HWY_DYNAMIC_DISPATCH(min_plus)(costs, offers, rows, columns, least);
}
void add_to(std::span<Cost> sum, std::span<const Cost> more) {
  HWY_DYNAMIC_DISPATCH(add_to)(sum.data(), more.data(), sum.size());
}
void offer(std::span<const Cost> known, std::span<const Cost> heard, Cost share, std::span<Cost> offers) {
  HWY_DYNAMIC_DISPATCH(offer)(known.data(), heard.data(), share, known.size(), offers.data());
}
void take_off(std::span<Cost> values, Cost least) {
  HWY_DYNAMIC_DISPATCH(take_off)(values.data(), least, values.size());
}
Cost least_of(std::span<const Cost> values) {
  return HWY_DYNAMIC_DISPATCH(least_of)(values.data(), values.size());
}

} // namespace tw::solve
#endif
