// SPDX-License-Identifier: Apache-2.0
// How a range is spelled: `range<k>` counts the tiles (PartIR slides, 2021), `range<n,w>` gives extent and
// width (earlier PartIR slides).
//
// A width is a number, `16/3` (16 elements in 3 balanced tiles), either of them `*79` (tiles of whole blocks
// of 79), or explicit cuts `[0,5,9,16]`. Seed 001's form says it only where it is not the balanced one:
// `range<4 by 5>`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.hpp"
#include "sharding/sharding.hpp"

namespace tw::sharding {

enum class Style : uint8_t { counts, extents }; // of the 2021 PartIR slides, of the earlier ones

// One loop's cut of a dimension of `size` elements: into `tiles` each of the `before` tiles that loops around
// it make.
struct RangeCut {
  int64_t size = 0;
  int64_t before = 1;
  int64_t tiles = 1;
  SplitRule rule; // of the dimension over before * tiles
};

std::string width_text(const RangeCut &cut);
// The rule that a width says, in its simplest spelling; `cut.rule` is not looked at.
Result<SplitRule> parse_width(std::string_view text, const RangeCut &cut);

// What a range type says; what it does not is empty.
struct Range {
  int64_t tiles = 0; // PartIR slides, 2021
  std::string extent, width;
  bool operator==(const Range &) const = default;
};
Range make_range(const RangeCut &cut, Style style);
std::string text_of(const Range &range); // "range<16,8>"
// Takes what stands between < and >.
Result<Range> parse_range(std::string_view inside);
// How many tiles a range makes, where it says so by itself; 0 where only the axis knows.
int64_t count_tiles(const Range &range);
// How a range of another dimension cuts this one: as it says where the extent is the same, balanced
// elsewhere.
SplitRule rule_in(const Range &range, RangeCut cut);
// The same, and an error where the range is of another extent.
Result<SplitRule> checked_rule_in(const Range &range, const RangeCut &cut);

} // namespace tw::sharding
