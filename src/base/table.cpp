// SPDX-License-Identifier: Apache-2.0
// Lays out text tables.
#include "base/table.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace tw {
namespace {

constexpr std::string_view kEllipsis = "…";

std::string shorten(std::string_view text, size_t width, bool keep_end) {
  const size_t whole = shown_width(text);
  if (whole <= width)
    return std::string(text);
  if (keep_end) {
    size_t begin = 0;
    for (size_t dropped = 0; dropped < whole - width + 1; ++dropped)
      do
        ++begin;
      while ((text[begin] & 0xc0) == 0x80);
    return std::string(kEllipsis).append(text.substr(begin));
  }
  size_t bytes = 0, shown = 0;
  while (bytes < text.size() && shown + 1 < width) {
    do
      ++bytes;
    while (bytes < text.size() && (text[bytes] & 0xc0) == 0x80);
    ++shown;
  }
  return std::string(text.substr(0, bytes)).append(kEllipsis);
}

} // namespace

size_t shown_width(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

void Table::add(std::vector<std::string> cells) {
  for (std::string &cell : cells)
    cell = shown(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::text(size_t width) const {
  std::vector<size_t> widths;
  size_t total = 0;
  for (size_t c = 0; c < columns_.size(); ++c) {
    size_t w = 0;
    for (const auto &row : rows_)
      w = std::max(w, shown_width(row[c]));
    if (w != 0 || rows_.empty())
      w = std::max(w, shown_width(columns_[c].title));
    widths.push_back(w);
    total += w == 0 ? 0 : w + 2;
  }
  const auto least = [&](size_t c) {
    return columns_[c].shrink_to == 0 ? widths[c] : std::min(widths[c], columns_[c].shrink_to);
  };
  size_t at_least = 0;
  for (size_t c = 0; c < columns_.size(); ++c)
    at_least += widths[c] == 0 ? 0 : least(c) + 2;
  for (size_t c = 0; c < columns_.size() && at_least > width; ++c)
    if (columns_[c].spare && widths[c] != 0) {
      at_least -= least(c) + 2;
      total -= widths[c] + 2;
      widths[c] = 0;
    }
  while (total > width) { // take from the widest column that may give
    size_t widest = columns_.size();
    for (size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].shrink_to && widths[c] > columns_[c].shrink_to &&
          (widest == columns_.size() || widths[c] > widths[widest]))
        widest = c;
    // Then further, then the others, and figures last.
    constexpr size_t kLeast = 5, kBare = 3;
    const auto may_give = [&](size_t c, int round) {
      const bool patient = columns_[c].shrink_to != 0 && !columns_[c].keep_end,
                 figures = columns_[c].align == Align::right;
      return round == 0   ? patient && widths[c] > kLeast
             : round == 1 ? !figures && widths[c] > kBare
                          : figures && widths[c] > kBare;
    };
    for (int round = 0; round < 3 && widest == columns_.size(); ++round)
      for (size_t c = 0; c < columns_.size(); ++c)
        if (may_give(c, round) && (widest == columns_.size() || widths[c] > widths[widest]))
          widest = c;
    if (widest == columns_.size())
      break;
    --widths[widest];
    --total;
  }

  std::string out;
  const auto line = [&](const auto &cell_of) {
    std::string l;
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (widths[c] == 0)
        continue;
      const std::string cell = shorten(cell_of(c), widths[c], columns_[c].keep_end);
      const std::string pad(widths[c] - shown_width(cell), ' ');
      l += "  ";
      l += columns_[c].align == Align::right ? pad + cell : cell + pad;
    }
    l.erase(l.find_last_not_of(' ') + 1);
    out += l + "\n";
  };
  line([&](size_t c) -> const std::string & { return columns_[c].title; });
  for (const auto &row : rows_)
    line([&](size_t c) -> const std::string & { return row[c]; });
  return out;
}

} // namespace tw
