// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
#include "base/figures.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace tw {
namespace {

// Divides by 1000 until fewer than four digits stand before the point; how often.
template <size_t n> const char *scale(double &value, const char *const (&units)[n]) {
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < n; ++unit)
    value /= 1000;
  return units[unit];
}

} // namespace

std::string bytes_text(double bytes) {
  const bool few = bytes < 1000;
  const char *unit = scale(bytes, {"B", "kB", "MB", "GB", "TB", "PB"});
  return few ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, unit);
}

std::string count_text(double count) {
  const bool few = count < 1000;
  const char *unit = scale(count, {"", "k", "M", "G", "T", "P"});
  return few ? fmt::format("{:.0f}", count) : fmt::format("{:.2f} {}", count, unit);
}

std::string figure_text(double value) {
  if (value == 0)
    return "0";
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : fmt::format("{}", value);
}

} // namespace tw
