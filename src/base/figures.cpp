// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
#include "base/figures.hpp"

#include <cmath>
#include <iterator>
#include <utility>

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

std::optional<double> bytes_in(std::string_view unit) {
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"B", 1},     {"kB", 1e3},      {"KB", 1e3},      {"MB", 1e6},      {"GB", 1e9},
      {"TB", 1e12}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1024.0 * (1 << 30)}};
  for (const auto &[name, bytes] : kUnits)
    if (name == unit)
      return bytes;
  return std::nullopt;
}

std::optional<double> nanoseconds_in(std::string_view unit) {
  constexpr std::pair<std::string_view, double> kUnits[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  for (const auto &[name, nanoseconds] : kUnits)
    if (name == unit)
      return nanoseconds;
  return std::nullopt;
}

std::string time_text(double seconds) {
  if (seconds >= 1)
    return fmt::format("{:.3g} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} us", seconds * 1e6);
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
