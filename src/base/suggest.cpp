// SPDX-License-Identifier: Apache-2.0
// Optimal string alignment distance, in three rows.
#include "base/suggest.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
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

namespace {

// What turns `part` into the nearest stretch of `text`: of "w1" nothing, in "p['layers'][0]['w1']".
size_t distance_within(std::string_view part, std::string_view text) {
  std::vector<size_t> row(part.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  size_t least = row.back();
  for (const char c : text) {
    size_t diagonal = std::exchange(row[0], 0); // a stretch may begin anywhere
    for (size_t i = 1; i <= part.size(); ++i) {
      const size_t replaced = diagonal + (part[i - 1] == c ? 0 : 1);
      diagonal = std::exchange(row[i], std::min({replaced, row[i] + 1, row[i - 1] + 1}));
    }
    least = std::min(least, row.back());
  }
  return least;
}

// The sum over the pieces between wildcards; none where too little of them is there.
std::optional<size_t> distance_of_pieces(std::string_view pattern, std::string_view text) {
  size_t length = 0, distance = 0;
  while (!pattern.empty()) {
    const size_t end = std::min(pattern.find_first_of("*?"), pattern.size());
    if (end != 0) {
      length += end;
      distance += distance_within(pattern.substr(0, end), text);
    }
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
  }
  return length >= 2 && distance <= length / 3 ? std::optional(distance) : std::nullopt;
}

// 'X' is near to 'x'.
std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char &c : lower)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

} // namespace

std::vector<std::string> nearest_names(std::string_view given, std::span<const std::string> known,
                                       size_t count) {
  constexpr size_t kShown = 200; // a name, not a document
  const std::string name = lower_case(given.substr(0, kShown));
  std::vector<std::tuple<size_t, size_t, size_t>> found; // distance, that of the whole, position
  for (size_t i = 0; i < known.size(); ++i) {
    const std::string other = lower_case(known[i]);
    const size_t limit = std::max(name.size(), other.size()) / 2;
    const size_t whole = edit_distance(name, other, limit);
    const auto within = distance_of_pieces(name, other);
    if (whole <= limit || within)
      found.emplace_back(std::min(whole, within ? *within + 1 : whole), whole, i);
  }
  std::ranges::sort(found);
  std::vector<std::string> names;
  for (const auto &[distance, whole, i] : found)
    if (names.size() < count && std::ranges::find(names, known[i]) == names.end())
      names.push_back(known[i]);
  return names;
}

std::string nearest_text(std::string_view name, std::span<const std::string> known, size_t count) {
  const auto names = nearest_names(name, known, count);
  return names.empty() ? std::string() : fmt::format("; nearest: '{}'", fmt::join(names, "', '"));
}

} // namespace tw
