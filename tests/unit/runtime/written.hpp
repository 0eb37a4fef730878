// SPDX-License-Identifier: Apache-2.0
// What several processes have written into outputs of their own, each its part. `Told`: of a process, with
// the bytes of its outputs.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tw::test {

constexpr char kUnwritten = static_cast<char>(0xa5);

// What all have written, where they do not differ.
template <class Told> std::string together(const std::vector<Told> &told) {
  std::string whole = told[0].bytes;
  for (const Told &of : told)
    for (size_t i = 0; i < whole.size(); ++i) {
      const bool one = whole[i] == kUnwritten || of.bytes[i] == kUnwritten || whole[i] == of.bytes[i];
      CHECK(one);
      whole[i] = whole[i] == kUnwritten ? of.bytes[i] : whole[i];
    }
  return whole;
}

template <class Told> bool untouched(const Told &told) {
  return std::ranges::all_of(told.bytes, [](char c) { return c == kUnwritten; });
}

} // namespace tw::test
