// SPDX-License-Identifier: Apache-2.0
// Finds names by index, range, spelling and glob; where nothing is found, says what is near.
#include "partition/names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/pattern.hpp"
#include "base/suggest.hpp"
#include "ops/variables.hpp"

namespace tw::partition {

using graph::ValueId;

namespace {

std::string_view bare(std::string_view name) { return name.starts_with('%') ? name.substr(1) : name; }

// Whether a glob may match a name that begins with `stem`: up to its first wildcard it says the same.
bool may_begin_with(std::string_view glob, std::string_view stem) {
  const size_t literal = std::min(glob.find_first_of("*?"), stem.size());
  return glob.substr(0, literal) == stem.substr(0, literal);
}

// Whether a glob matches `stem`N.
bool matches_numbered(std::string_view glob, std::string_view stem, size_t index) {
  std::array<char, 32> text;
  char *const digits = std::ranges::copy(stem, text.begin()).out;
  const char *const end = std::to_chars(digits, text.data() + text.size(), index).ptr;
  return glob_match(glob, {text.data(), static_cast<size_t>(end - text.data())});
}

// The places of "3..10", both included; nothing where that is no range.
std::optional<std::pair<size_t, size_t>> parse_range(std::string_view text) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos)
    return std::nullopt;
  const auto first = parse_index(text.substr(0, dots)), last = parse_index(text.substr(dots + 2));
  return first && last ? std::optional(std::pair(*first, *last)) : std::nullopt;
}

// The places of the names that are this one, or match this glob, when both are written in dots.
std::vector<size_t> match_dotted(std::string_view wanted, const std::vector<std::string> &names) {
  std::vector<size_t> found;
  if (wanted.find_first_of(".[") == std::string_view::npos)
    return found;
  const std::string in_dots = dotted(wanted);
  for (size_t i = 0; i < names.size(); ++i)
    if (glob_match(in_dots, dotted(bare(names[i]))))
      found.push_back(i);
  return found;
}

// What is near to a name that is none, else the names that there are.
std::string near_or_known(std::string_view wanted, const std::vector<std::string> &names) {
  constexpr size_t kShown = 8;
  if (const std::string near = nearest_text(wanted, names); !near.empty() || names.empty())
    return near;
  const std::span<const std::string> shown(names.data(), std::min(kShown, names.size()));
  return fmt::format("; there {} {}{}", names.size() == 1 ? "is" : "are", fmt::join(shown, ", "),
                     shown.size() < names.size() ? ", .." : "");
}

// Over a list of names of which `stem`N is always one.
Result<std::vector<size_t>> match(std::string_view what, std::string_view stem, std::string_view pattern,
                                  const std::vector<std::string> &names) {
  const auto out_of_range = [&](size_t index) {
    return fail(Code::out_of_range, "TW-402",
                fmt::format("there is no {} {}: the program has {}", what, index, names.size()));
  };
  if (const auto index = parse_index(pattern)) {
    if (*index >= names.size())
      return out_of_range(*index);
    return std::vector<size_t>{*index};
  }
  if (const auto range = parse_range(pattern)) {
    const auto [first, last] = *range;
    if (last >= names.size())
      return out_of_range(last);
    if (first > last)
      return fail(Code::invalid_argument, "TW-402", fmt::format("the range {} is empty", pattern));
    std::vector<size_t> all(last - first + 1);
    std::iota(all.begin(), all.end(), first);
    return all;
  }
  const std::string_view wanted = bare(pattern);
  if (wanted.starts_with(stem)) // a place, whatever others are called
    if (const auto index = parse_index(wanted.substr(stem.size())); index && *index < names.size())
      return std::vector<size_t>{*index};
  std::vector<size_t> found;
  for (size_t i = 0; i < names.size(); ++i)
    if (bare(names[i]) == wanted)
      found.push_back(i);
  if (found.empty())
    found = match_dotted(wanted, names);
  if (is_glob(wanted)) {
    const bool numbered = may_begin_with(wanted, stem);
    for (size_t i = 0; i < names.size(); ++i)
      if (glob_match(wanted, bare(names[i])) || (numbered && matches_numbered(wanted, stem, i)))
        found.push_back(i);
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  if (found.empty())
    return fail(Code::not_found, "TW-402",
                fmt::format("no {} is called '{}'{}", what, pattern, near_or_known(wanted, names)));
  return found;
}

} // namespace

bool is_pattern(std::string_view text) { return is_glob(text) || parse_range(text); }

std::optional<size_t> parse_index(std::string_view text) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

const std::vector<std::string> &Names::argument_names() const {
  std::call_once(arguments_made_, [this] {
    for (size_t i = 0; i < graph_.arguments().size(); ++i)
      arguments_.emplace_back(graph_.argument_name(i));
  });
  return arguments_;
}

Result<std::vector<size_t>> Names::arguments(std::string_view pattern) const {
  auto found = match("argument", "arg", pattern, argument_names());
  if (!found && pattern.starts_with('%')) // by its name in the text, where it has a better one too
    for (size_t i = 0; i < graph_.arguments().size(); ++i)
      if (graph_.value_name(graph_.result(graph_.arguments()[i])) == pattern)
        return std::vector<size_t>{i};
  if (found || found.error().code() != Code::not_found || is_glob(pattern))
    return found;
  for (const auto &[key, is_one] :
       {std::pair("result", results(pattern).has_value()), std::pair("value", values(pattern).has_value())})
    if (is_one)
      return fail(
          Code::not_found, "TW-402",
          fmt::format("no argument is called '{}', but a {} is: write {}={}", pattern, key, key, pattern));
  return found;
}

Result<std::vector<size_t>> Names::results(std::string_view pattern) const {
  std::call_once(results_made_, [this] {
    for (size_t i = 0; i < graph_.results().size(); ++i)
      results_.emplace_back(graph_.result_name(i));
  });
  return match("result", "out", pattern, results_);
}

// The table holds names as they are written: what a text calls %x as "%x", the argument x as "x".
Result<std::vector<ValueId>> Names::values(std::string_view pattern) const {
  std::call_once(values_made_, [this] {
    const auto argument = [this](size_t i) { return graph_.result(graph_.arguments()[i]); };
    const ops::Variables variables(graph_);
    for (ValueId v = 0; v < graph_.values().size(); ++v)
      if (variables.is_body(graph_.region_of(v)))
        values_.emplace(fmt::format("%{}", bare(graph_.value_name(v))), v);
    for (size_t i = 0; i < graph_.arguments().size(); ++i)
      values_.emplace(fmt::format("arg{}", i), argument(i));
    for (size_t i = graph_.arguments().size(); i-- > 0;)
      values_.emplace(std::string(bare(graph_.argument_name(i))), argument(i));
  });
  const std::string wanted(bare(pattern)), in_text = "%" + wanted;
  const bool as_in_text = pattern.starts_with('%');
  for (const std::string *name : {as_in_text ? &in_text : &wanted, as_in_text ? &wanted : &in_text})
    if (const auto found = values_.find(*name); found != values_.end())
      return std::vector<ValueId>{found->second};
  // %12/1 is %12 in its second layout, in the text of a device-local program.
  const size_t slash = std::min(in_text.rfind('/'), in_text.size());
  if (as_in_text && slash < in_text.size() && parse_index(std::string_view(in_text).substr(slash + 1)))
    if (const auto found = values_.find(in_text.substr(0, slash)); found != values_.end())
      return std::vector<ValueId>{found->second};
  std::vector<ValueId> found;
  if (!as_in_text)
    for (const size_t i : match_dotted(wanted, argument_names()))
      found.push_back(graph_.result(graph_.arguments()[i]));
  if (is_glob(wanted))
    for (const auto &[name, v] : values_)
      if (glob_match(wanted, bare(name)))
        found.push_back(v);
  if (found.empty()) {
    std::vector<std::string> known = argument_names(), in_texts;
    for (size_t i = 0; i < graph_.results().size(); ++i)
      known.push_back(graph_.result_name(i));
    for (const auto &[name, v] : values_)
      if (name.starts_with('%') && as_in_text)
        in_texts.push_back(name);
      else if (name.starts_with('%') && !parse_index(bare(name))) // numbers are near to any letter
        in_texts.emplace_back(bare(name));
    std::ranges::sort(in_texts);
    std::string near = as_in_text ? "" : nearest_text(wanted, known);
    if (near.empty())
      near = nearest_text(as_in_text ? in_text : wanted, in_texts);
    if (near.empty())
      near = near_or_known(wanted, argument_names());
    return fail(Code::not_found, "TW-402", fmt::format("no value is called '{}'{}", pattern, near));
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

} // namespace tw::partition
