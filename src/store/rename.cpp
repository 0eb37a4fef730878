// SPDX-License-Identifier: Apache-2.0
// Names of arrays by rules with stars.
#include "store/rename.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/suggest.hpp"

namespace tw::store {

namespace {

struct Rule {
  std::string_view from, to;
  uint32_t line;
  bool used = false;
};

// What the stars stand for, the first as little as it can be; none where the name does not fit.
std::optional<std::vector<std::string_view>> match(std::string_view pattern, std::string_view name) {
  std::vector<std::string_view> texts; // between the stars
  for (;;) {
    const size_t star = pattern.find('*');
    texts.push_back(pattern.substr(0, star));
    if (star == std::string_view::npos)
      break;
    pattern.remove_prefix(star + 1);
  }
  if (!name.starts_with(texts.front()))
    return std::nullopt;
  if (texts.size() == 1)
    return name == texts.front() ? std::optional(std::vector<std::string_view>()) : std::nullopt;
  name.remove_prefix(texts.front().size());
  std::vector<std::string_view> stars;
  for (size_t i = 1; i + 1 < texts.size(); ++i) {
    const size_t at = name.find(texts[i]);
    if (at == std::string_view::npos)
      return std::nullopt;
    stars.push_back(name.substr(0, at));
    name.remove_prefix(at + texts[i].size());
  }
  if (!name.ends_with(texts.back()))
    return std::nullopt;
  stars.push_back(name.substr(0, name.size() - texts.back().size()));
  return stars;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  for (;;) {
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
      return words;
    const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

Result<std::vector<Rule>> read_rules(std::string_view text, const std::string &file) {
  std::vector<Rule> rules;
  for (uint32_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const auto words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty())
      continue;
    if (words.size() != 2)
      return fail(Error(Code::invalid_argument, "TW-907",
                        fmt::format("{} words; a line is FROM TO, two names", words.size()))
                      .at({file, number, 1}));
    const auto stars = [](std::string_view word) { return std::ranges::count(word, '*'); };
    if (words[1] != "-" && stars(words[1]) > stars(words[0]))
      return fail(Error(Code::invalid_argument, "TW-907",
                        fmt::format("'{}' has {} stars and '{}' only {}: nothing stands for the others",
                                    words[1], stars(words[1]), words[0], stars(words[0])))
                      .at({file, number, 1}));
    rules.push_back({words[0], words[1], number});
  }
  return rules;
}

} // namespace

Status rename_arrays(Set &set, std::string_view text, const std::string &file) {
  TW_ASSIGN(auto rules, read_rules(text, file));
  std::vector<std::string> known;
  std::unordered_map<std::string, std::string> taken; // new name: the old one
  std::vector<size_t> left_out;
  for (size_t a = 0; a < set.arrays().size(); ++a) {
    const std::string old = known.emplace_back(set.arrays()[a].name);
    std::string name = old;
    bool is_left_out = false;
    for (Rule &rule : rules) {
      const auto stars = match(rule.from, old);
      if (!stars)
        continue;
      rule.used = true;
      is_left_out = rule.to == "-";
      name.clear();
      size_t next = 0;
      for (const char c : rule.to)
        name += c == '*' ? std::string((*stars)[next++]) : std::string(1, c);
      break;
    }
    if (is_left_out) {
      left_out.push_back(a);
      continue;
    }
    if (const auto [other, is_new] = taken.emplace(name, old); !is_new)
      return fail(
          Code::invalid_argument, "TW-907",
          fmt::format("{}: arrays '{}' and '{}' would both be called '{}'", file, other->second, old, name));
    set.rename(a, std::move(name));
  }
  for (const Rule &rule : rules)
    if (!rule.used)
      return fail(Error(Code::not_found, "TW-907",
                        fmt::format("no array is called '{}', or an earlier line has it{}", rule.from,
                                    nearest_text(rule.from, known)))
                      .at({file, rule.line, 1}));
  for (size_t i = left_out.size(); i-- > 0;)
    set.remove(left_out[i]);
  return {};
}

} // namespace tw::store
