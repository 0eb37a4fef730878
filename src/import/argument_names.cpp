// SPDX-License-Identifier: Apache-2.0
// Reads names line by line and refuses those by which an argument could not be told from another.
#include "import/argument_names.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "base/check_utf8.hpp"
#include "base/trim.hpp"

namespace tw::import {
namespace {

// Names are looked up without their '%'.
std::string_view bare(std::string_view name) { return name.substr(name.starts_with('%')); }

std::optional<size_t> index_in(std::string_view digits) {
  size_t index = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (digits.empty() || problem != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return index;
}

} // namespace

std::optional<size_t> place_of(std::string_view name) {
  return name.starts_with("arg") ? index_in(name.substr(3)) : std::nullopt;
}

Error ArgumentNames::error(size_t line, std::string message) const {
  return Error(Code::invalid_argument, "TW-114", std::move(message))
      .at({file_, static_cast<uint32_t>(line + 1), 1})
      .note(fmt::format("{}\n^", lines_[line]));
}

Result<ArgumentNames> ArgumentNames::parse(std::string_view text, std::string file) {
  ArgumentNames names;
  TW_TRY(check_utf8(text, "the names of arguments", file));
  names.file_ = std::move(file);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    names.lines_.push_back(trim(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!names.lines_.empty() && names.lines_.back().empty())
    names.lines_.pop_back();

  std::unordered_map<std::string_view, size_t> seen;
  for (size_t line = 0; line < names.lines_.size(); ++line) {
    const std::string_view name = bare(names.lines_[line]);
    if (names.lines_[line].empty())
      continue;
    if (name.empty() || index_in(name))
      return fail(names.error(
          line, fmt::format("'{}' is no name: a number stands for an argument's place", names.lines_[line])));
    if (const auto index = place_of(name); index && *index != line)
      return fail(names.error(
          line, fmt::format("'{}' always names argument {}, this is argument {}", name, *index, line)));
    if (const auto [first, is_new] = seen.emplace(name, line); !is_new)
      return fail(names.error(
          line, fmt::format("the name '{}' is given twice, first on line {}", name, first->second + 1)));
  }
  return names;
}

Status ArgumentNames::check(const graph::Graph &graph) const {
  const size_t count = graph.arguments().size();
  for (size_t line = count; line < lines_.size(); ++line)
    if (!lines_[line].empty())
      return fail(
          error(line, fmt::format("a name for argument {}, but the program has {} arguments", line, count)));
  std::unordered_map<std::string, size_t> given;
  for (size_t i = 0; i < lines_.size(); ++i)
    if (!lines_[i].empty())
      given.emplace(bare(lines_[i]), i);
  for (size_t i = 0; i < count && !given.empty(); ++i)
    if (of(static_cast<uint32_t>(i)).empty())
      if (const auto same = given.find(std::string(bare(graph.argument_name(i)))); same != given.end())
        return fail(error(same->second, fmt::format("the name '{}' is that of argument {}, which keeps it",
                                                    same->first, i)));
  return {};
}

} // namespace tw::import
