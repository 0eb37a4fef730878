// SPDX-License-Identifier: Apache-2.0
// Patterns over names, and the nearest names.
#include "cli/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
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

// What turns one into the other, or where `within` into the nearest stretch of the other.
size_t edit_distance(std::string_view a, std::string_view b, bool within) {
  std::vector<size_t> row(a.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  size_t least = row.back();
  for (size_t j = 1; j <= b.size(); ++j) {
    size_t diagonal = std::exchange(row[0], within ? 0 : j);
    for (size_t i = 1; i <= a.size(); ++i) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[i], std::min({replaced, row[i] + 1, row[i - 1] + 1}));
    }
    least = std::min(least, row.back());
  }
  return within ? least : row.back();
}

// Of the pieces between the wildcards of a pattern, within a name; none where too little of them is there.
std::optional<size_t> distance_of_pieces(std::string_view pattern, std::string_view name) {
  size_t length = 0, distance = 0;
  while (!pattern.empty()) {
    const size_t end = std::min(pattern.find_first_of("*?"), pattern.size());
    length += end;
    distance += edit_distance(pattern.substr(0, end), name, true);
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
  }
  return length >= 2 && distance <= length / 3 ? std::optional(distance) : std::nullopt;
}

} // namespace

std::vector<std::string> nearest(const std::string &written, const std::vector<std::string> &names,
                                 size_t most) {
  const std::string_view shown = std::string_view(written).substr(0, 200); // a name, not a document
  std::vector<std::pair<std::pair<size_t, size_t>, const std::string *>>
      ranked; // by distance, then that of the whole
  for (const auto &name : names) {
    const size_t whole = edit_distance(shown, name, false);
    const auto within = distance_of_pieces(shown, name);
    if ((whole < shown.size() && whole <= std::max<size_t>(2, shown.size() / 2)) || within)
      ranked.emplace_back(std::pair(std::min(whole, within ? *within + 1 : whole), whole), &name);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (size_t i = 0; i < std::min(most, ranked.size()); ++i)
    out.push_back(*ranked[i].second);
  return out;
}

} // namespace tw::cli
