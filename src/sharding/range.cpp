// SPDX-License-Identifier: Apache-2.0
// Split rules as widths, and back.
#include "sharding/range.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/trim.hpp"

namespace tw::sharding {

namespace {

std::string ratio(int64_t n, int64_t d) {
  return n % d == 0 ? fmt::format("{}", n / d) : fmt::format("{}/{}", n, d);
}

// Whether so many tiles of one width hold all elements.
bool covers(int64_t width, const RangeCut &cut) {
  return width > 0 && cut.size / width + (cut.size % width != 0 ? 1 : 0) <= cut.before * cut.tiles;
}

// Tiles of one width, the last ones shorter or empty.
SplitRule multiples(int64_t width, const RangeCut &cut) {
  const int64_t all = cut.before * cut.tiles;
  std::vector<int64_t> cuts;
  for (int64_t t = 0, at = 0; t <= all; ++t) {
    cuts.push_back(at);
    at = width > cut.size - at ? cut.size : at + width;
  }
  cuts.back() = cut.size;
  return {SplitRule::Kind::cuts, 1, std::make_shared<const std::vector<int64_t>>(std::move(cuts))};
}

bool take_number(std::string_view &text, int64_t &value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0)
    return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool take(std::string_view &text, char c) {
  if (!text.starts_with(c))
    return false;
  text.remove_prefix(1);
  return true;
}

} // namespace

std::string width_text(const RangeCut &cut) {
  const int64_t all = cut.before * cut.tiles;
  const SplitRule &rule = cut.rule;
  const std::string unit = rule.unit == 1 ? "" : fmt::format("*{}", rule.unit);
  if (rule.kind == SplitRule::Kind::balanced)
    return ratio(cut.size / rule.unit, all) + unit;
  const int64_t width = tile(rule, cut.size, all, 0).size();
  if (covers(width, cut) && normalise(multiples(width, cut), cut.size, all) == rule)
    return fmt::format("{}", width);
  std::vector<int64_t> cuts;
  for (int64_t t = 0; t < all; ++t)
    cuts.push_back(tile(rule, cut.size, all, t).begin);
  cuts.push_back(cut.size);
  return fmt::format("[{}]", fmt::join(cuts, ","));
}

Result<SplitRule> parse_width(std::string_view text, const RangeCut &cut) {
  const std::string_view written = text;
  const int64_t all = cut.before * cut.tiles;
  const auto wrong = [&](std::string expected) {
    return fail(Code::invalid_argument, "TW-422",
                fmt::format("the width {} does not cut {} elements into {}: expected {}", written, cut.size,
                            all, std::move(expected)));
  };
  SplitRule rule;
  if (take(text, '[')) {
    std::vector<int64_t> cuts;
    do {
      while (take(text, ' '))
        continue;
      int64_t at = 0;
      if (!take_number(text, at))
        return wrong("cuts such as [0,5,9,16]");
      cuts.push_back(at);
    } while (take(text, ','));
    if (!take(text, ']') || !text.empty() || static_cast<int64_t>(cuts.size()) != all + 1 ||
        cuts.front() != 0 || cuts.back() != cut.size || !std::ranges::is_sorted(cuts))
      return wrong(fmt::format("{} ascending cuts from 0 to {}", all + 1, cut.size));
    rule = {SplitRule::Kind::cuts, 1, std::make_shared<const std::vector<int64_t>>(std::move(cuts))};
    return normalise(std::move(rule), cut.size, all);
  }
  int64_t width = 0, over = 1;
  if (!take_number(text, width))
    return wrong("a width such as 8 or 16/3");
  const bool balanced = take(text, '/');
  if (balanced && !take_number(text, over))
    return wrong("a width such as 16/3");
  if (take(text, '*') && !(take_number(text, rule.unit) && rule.unit > 0 && cut.size % rule.unit == 0))
    return wrong("blocks that divide the dimension");
  if (!text.empty())
    return wrong("a width such as 8, 16/3 or 33/4*79");
  const int64_t blocks = cut.size / rule.unit;
  if (ratio(blocks, all) == (balanced ? fmt::format("{}/{}", width, over) : fmt::format("{}", width)))
    return normalise(std::move(rule), cut.size, all);
  if (balanced || rule.unit != 1 || !covers(width, cut))
    return wrong(ratio(blocks, all));
  return normalise(multiples(width, cut), cut.size, all);
}

Range make_range(const RangeCut &cut, Style style) {
  if (style == Style::extents)
    return {0, ratio(cut.size, cut.before), width_text(cut)};
  return {cut.tiles, "", cut.rule == SplitRule{} ? "" : width_text(cut)};
}

std::string text_of(const Range &range) {
  if (!range.extent.empty())
    return fmt::format("range<{},{}>", range.extent, range.width);
  return range.width.empty() ? fmt::format("range<{}>", range.tiles)
                             : fmt::format("range<{} by {}>", range.tiles, range.width);
}

Result<Range> parse_range(std::string_view inside) {
  const std::string_view written = inside;
  Range range;
  if (const size_t comma = inside.find(','); comma != std::string_view::npos && inside.find(" by ") > comma) {
    std::string_view extent = trim(inside.substr(0, comma));
    range.extent = extent;
    range.width = trim(inside.substr(comma + 1));
    int64_t n = 0, over = 1;
    if (!take_number(extent, n) || (take(extent, '/') && !take_number(extent, over)) || !extent.empty() ||
        over < 1 || range.width.empty())
      return fail(
          Code::invalid_argument, "TW-420",
          fmt::format("expected an extent and a width such as range<16,8>, found range<{}>", written));
    return range;
  }
  const size_t by = inside.find(" by ");
  std::string_view count = trim(inside.substr(0, by));
  if (by != std::string_view::npos)
    range.width = trim(inside.substr(by + 4));
  if (!take_number(count, range.tiles) || !count.empty() || range.tiles < 1 ||
      (by != std::string_view::npos && range.width.empty()))
    return fail(Code::invalid_argument, "TW-420",
                fmt::format("expected range<k> or range<n,w>, found range<{}>", written));
  return range;
}

int64_t count_tiles(const Range &range) {
  if (range.extent.empty())
    return range.tiles;
  std::string_view extent = range.extent, width = range.width;
  int64_t n = 0, over = 1, w = 0, parts = 1;
  take_number(extent, n);
  if (take(extent, '/'))
    take_number(extent, over);
  if (take(width, '['))
    return std::ranges::count(width, ',');
  if (!take_number(width, w))
    return 0;
  if (take(width, '/')) // n/over elements in tiles of w/parts
    return take_number(width, parts) && parts % over == 0 ? parts / over : 0;
  return over != 1 || w < 1 ? 0 : n / w + (n % w != 0 ? 1 : 0);
}

Result<SplitRule> checked_rule_in(const Range &range, const RangeCut &cut) {
  if (!range.extent.empty() && range.extent != ratio(cut.size, cut.before))
    return fail(Code::invalid_argument, "TW-422",
                fmt::format("a {} cuts {} elements, the dimension has {}", text_of(range), range.extent,
                            ratio(cut.size, cut.before)));
  return range.width.empty() ? SplitRule{} : parse_width(range.width, cut);
}

SplitRule rule_in(const Range &range, RangeCut cut) {
  return checked_rule_in(range, cut).value_or(SplitRule{});
}

} // namespace tw::sharding
