// SPDX-License-Identifier: Apache-2.0
// Patterns over names, and the nearest names.
#include "cli/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tw::cli {

bool matches(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0;
  size_t star = std::string_view::npos,
         retry = 0; // the last `*`, and where the name goes on after what it took
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({substituted, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row[b.size()];
}

} // namespace

std::vector<std::string> nearest(const std::string &written, const std::vector<std::string> &names,
                                 size_t most) {
  const std::string_view shown = std::string_view(written).substr(0, 200); // a name, not a document
  std::vector<std::pair<size_t, const std::string *>> ranked;
  for (const auto &name : names) {
    const size_t distance = edit_distance(shown, name);
    if (distance < shown.size() && distance <= std::max<size_t>(2, shown.size() / 2))
      ranked.emplace_back(distance, &name);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (size_t i = 0; i < std::min(most, ranked.size()); ++i)
    out.push_back(*ranked[i].second);
  return out;
}

} // namespace tw::cli
