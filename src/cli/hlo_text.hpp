// SPDX-License-Identifier: Apache-2.0
// The pieces of a line of HLO text: types, lists of numbers, groups of partitions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tw::cli {

constexpr int64_t kMostDevices = 1 << 20; // that HLO text is read for

struct Shape {
  std::string dtype;
  std::vector<int64_t> dims;
};

// The part between two texts; nothing where the first is not there.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after);

std::vector<int64_t> numbers_in(std::string_view text);

// Where the bracket that opens at the beginning of a text closes, and one further.
size_t closing(std::string_view text);

// "f32[8,256]{1,0}", or a tuple of such.
std::vector<Shape> shapes_in(std::string_view text);

// Sizes come from outside: a product of them is no int64_t.
double bytes_of(const Shape &shape);

// {{0,1},{2,3}}, or [2,4]<=[8], or [4,2]<=[2,4]T(1,0): so many groups of consecutive numbers of a transposed
// grid. Nothing where it is none of these, or names more than kMostDevices.
std::vector<std::vector<int64_t>> groups_in(std::string_view text);

} // namespace tw::cli
