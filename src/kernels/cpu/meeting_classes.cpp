// SPDX-License-Identifier: Apache-2.0
// Sorts places by how far they stand from an element.
#include "kernels/cpu/meeting_classes.hpp"

#include <map>
#include <numeric>
#include <utility>

namespace tw::kernels::cpu {

std::vector<MeetingClass> classes_of(const ops::SlidingWindow &w, int64_t places) {
  const int64_t common = std::gcd(w.base_dilation, w.dilation);
  std::map<int64_t, MeetingClass> classes; // by how far a place stands from an element
  for (int64_t p = 0; p < places; ++p) {
    const int64_t at = p * w.stride - w.low,
                  rest = (at % w.base_dilation + w.base_dilation) % w.base_dilation;
    const auto [found, fresh] = classes.try_emplace(rest);
    MeetingClass &c = found->second;
    const auto position = [&](int64_t t) { return (w.reversed ? w.size - 1 - t : t) * w.dilation; };
    if (fresh) {
      c.tap_step = w.base_dilation / common;
      c.step = (w.reversed ? -w.dilation : w.dilation) / common;
      while (c.first_tap < w.size && (position(c.first_tap) + rest) % w.base_dilation != 0)
        ++c.first_tap;
      c.taps = c.first_tap < w.size ? (w.size - 1 - c.first_tap) / c.tap_step + 1 : 0;
    }
    c.places.push_back(p);
    c.first.push_back((at + position(c.first_tap)) / w.base_dilation);
  }
  std::vector<MeetingClass> list;
  for (auto &[rest, c] : classes)
    list.push_back(std::move(c));
  return list;
}

} // namespace tw::kernels::cpu
