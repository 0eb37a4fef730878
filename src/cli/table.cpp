// SPDX-License-Identifier: Apache-2.0
// Tables for people.
#include "cli/table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tw::cli {

namespace {

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::string shortened(const std::string &text, size_t width, bool keep_end) {
  const size_t whole = display_width(text);
  if (whole <= width)
    return text;
  if (keep_end) {
    size_t begin = 0;
    for (size_t dropped = 0; dropped < whole - (width - 2); ++dropped)
      do
        ++begin;
      while (begin < text.size() && !starts_code_point(text[begin]));
    return ".." + text.substr(begin);
  }
  std::string out;
  size_t taken = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (starts_code_point(text[i]) && ++taken + 2 > width)
      break;
    out += text[i];
  }
  return out + "..";
}

} // namespace

size_t display_width(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

std::string Table::text(size_t width) const {
  constexpr size_t gap = 2, least = 8;
  std::vector<size_t> widths;
  for (const auto &column : columns_)
    widths.push_back(display_width(column.head));
  for (const auto &row : rows_)
    for (size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], display_width(row[c]));
  const auto total = [&] {
    size_t sum = 0;
    for (const size_t w : widths)
      sum += w + gap;
    return sum;
  };
  while (total() > width) {
    size_t widest = columns_.size();
    for (size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].align == Align::left && widths[c] > least &&
          (widest == columns_.size() || widths[c] > widths[widest]))
        widest = c;
    if (widest == columns_.size()) // then all that is left, figures last
      for (const Align align : {Align::left, Align::right})
        for (size_t c = 0; c < columns_.size() && widest == columns_.size(); ++c)
          if (columns_[c].align == align && widths[c] > 3)
            widest = c;
    if (widest == columns_.size())
      break;
    --widths[widest];
  }
  std::string out;
  const auto line = [&](const auto &cell_of) {
    std::string text;
    for (size_t c = 0; c < columns_.size(); ++c) {
      const std::string cell = shortened(cell_of(c), widths[c], columns_[c].keep_end);
      const std::string pad(widths[c] - std::min(widths[c], display_width(cell)), ' ');
      text += std::string(gap, ' ') + (columns_[c].align == Align::left ? cell + pad : pad + cell);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  line([&](size_t c) { return columns_[c].head; });
  for (const auto &row : rows_)
    line([&](size_t c) { return c < row.size() ? row[c] : std::string(); });
  return out;
}

std::string human_bytes(int64_t bytes) {
  static constexpr const char *units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(units); ++unit)
    value /= 1000;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", value, units[unit]);
}

std::string human_count(double count) {
  static constexpr const char *units[] = {"", " k", " M", " G", " T", " P"};
  size_t unit = 0;
  for (; count >= 1000 && unit + 1 < std::size(units); ++unit)
    count /= 1000;
  return unit == 0 ? fmt::format("{:.0f}", count) : fmt::format("{:.2f}{}", count, units[unit]);
}

std::string human_figure(double value) {
  if (value == 0)
    return "0";
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : fmt::format("{}", value);
}

} // namespace tw::cli
