// SPDX-License-Identifier: Apache-2.0
// Patterns over names.
#include "base/pattern.hpp"

namespace tw {

bool is_glob(std::string_view pattern) { return pattern.find_first_of("*?") != std::string_view::npos; }

bool glob_match(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0;
  size_t star = std::string_view::npos, retry = 0; // the last `*`, and where the text goes on behind it
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string dotted(std::string_view name) {
  std::string text;
  bool between = false; // parts of the name
  for (const char c : name) {
    const bool mark = c == '[' || c == ']' || c == '\'' || c == '"';
    if (mark || c == '.') {
      between = true;
      continue;
    }
    if (between && !text.empty())
      text += '.';
    between = false;
    text += c;
  }
  return text;
}

bool names_match(std::string_view pattern, std::string_view name) {
  return glob_match(pattern, name) || glob_match(dotted(pattern), dotted(name));
}

} // namespace tw
