// SPDX-License-Identifier: Apache-2.0
// Optimal string alignment distance, in three rows.
#include "base/suggest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw {

size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit)
    return limit + 1;
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    size_t least = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit)
      return limit + 1;
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known,
                                       size_t count) {
  std::vector<std::pair<size_t, size_t>> found; // distance, position
  for (size_t i = 0; i < known.size(); ++i) {
    const size_t limit = std::max(name.size(), known[i].size()) / 2;
    if (const size_t distance = edit_distance(name, known[i], limit); distance <= limit)
      found.emplace_back(distance, i);
  }
  std::ranges::sort(found);
  std::vector<std::string> names;
  for (const auto &[distance, i] : found)
    if (names.size() < count && std::ranges::find(names, known[i]) == names.end())
      names.push_back(known[i]);
  return names;
}

std::string nearest_text(std::string_view name, std::span<const std::string> known, size_t count) {
  const auto names = nearest_names(name, known, count);
  return names.empty() ? std::string() : fmt::format("; nearest: '{}'", fmt::join(names, "', '"));
}

} // namespace tw
