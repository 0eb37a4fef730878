// SPDX-License-Identifier: Apache-2.0
// Words for dimensions to a factor rule.
#include "ops/opaque_rule.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/trim.hpp"
#include "ops/rule_text.hpp"

namespace tw::ops {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kLeading = "..."; // and what its dimensions are called
constexpr std::array<std::string_view, 8> kLeadingWords = {"...0", "...1", "...2", "...3",
                                                           "...4", "...5", "...6", "...7"};

std::vector<Words> words_of(std::string_view text) {
  std::vector<Words> values;
  if (trim(text).empty())
    return values;
  for (size_t end = 0; end != text.npos;) {
    end = text.find(',');
    std::string_view value = trim(text.substr(0, end));
    Words &words = values.emplace_back();
    while (!value.empty()) {
      const size_t stop = std::min(value.find_first_of(kBlanks), value.size());
      words.push_back(value.substr(0, stop));
      value = trim(value.substr(stop));
    }
    if (end != text.npos)
      text.remove_prefix(end + 1);
  }
  return values;
}

tl::unexpected<Error> wrong_rule(std::string_view text, std::string why) {
  return fail(Code::invalid_argument, "TW-230", fmt::format("rule \"{}\": {}", text, why));
}

// "'h' stands twice in operand 1"
Status check_once(std::string_view text, const char *what, const std::vector<Words> &values) {
  for (size_t v = 0; v < values.size(); ++v)
    for (const std::string_view word : values[v])
      if (word != "*" && std::ranges::count(values[v], word) > 1)
        return wrong_rule(text, fmt::format("'{}' stands twice in {} {}", word, what, v));
  return {};
}

// Puts words for the dimensions that `...` stands for.
Status expand(std::string_view text, std::vector<Words> &values,
              std::span<const graph::TensorType *const> types, std::optional<size_t> &leading) {
  for (size_t v = 0; v < std::min(values.size(), types.size()); ++v) {
    Words &words = values[v];
    const auto at = std::ranges::find(words, kLeading);
    const size_t named = words.size() - 1, rank = types[v]->rank();
    if (at == words.end() || rank < named)
      continue; // the check of ranks says so
    const size_t here = rank - named, before = leading.value_or(here);
    if (before != here)
      return wrong_rule(text, fmt::format("'...' stands for {} and {} dimensions", before, here));
    if (here > kLeadingWords.size())
      return wrong_rule(
          text, fmt::format("'...' stands for {} dimensions, at most {}", here, kLeadingWords.size()));
    leading = here;
    const auto gap = words.erase(at);
    words.insert(gap, kLeadingWords.begin(), kLeadingWords.begin() + static_cast<ptrdiff_t>(*leading));
  }
  return {};
}

// One name for each dimension of each value.
Status check(std::string_view text, const char *what, const std::vector<Words> &values,
             std::span<const graph::TensorType *const> types) {
  if (values.size() != types.size())
    return wrong_rule(text, fmt::format("names {} {}s, the call has {}", values.size(), what, types.size()));
  for (size_t v = 0; v < values.size(); ++v) {
    if (values[v].size() != types[v]->rank())
      return wrong_rule(text, fmt::format("names {} dimensions of {} {}, {}", values[v].size(), what, v,
                                          graph::to_short_text(*types[v])));
  }
  return check_once(text, what, values);
}

struct Sides {
  std::vector<Words> operands, results;
};

Result<Sides> sides_of(std::string_view text) {
  const size_t arrow = text.find("->");
  if (arrow == text.npos)
    return wrong_rule(text, "expected operands and results, as in \"b s h, h -> b s h\"");
  return Sides{words_of(text.substr(0, arrow)), words_of(text.substr(arrow + 2))};
}

} // namespace

bool makes_arrays(const OpView &call) {
  return std::ranges::any_of(
      call.results, [](const graph::TensorType *type) { return type->dtype != graph::DType::token; });
}

Status check_rule_text(std::string_view text) {
  TW_ASSIGN(const Sides sides, sides_of(text));
  TW_TRY(check_once(text, "operand", sides.operands));
  return check_once(text, "result", sides.results);
}

Result<Rule> parse_opaque_rule(std::string_view text, const OpView &call) {
  TW_ASSIGN(Sides sides, sides_of(text));
  std::vector<Words> &operands = sides.operands, &results = sides.results;
  std::optional<size_t> leading;
  TW_TRY(expand(text, operands, call.operands, leading));
  TW_TRY(expand(text, results, call.results, leading));
  TW_TRY(check(text, "operand", operands, call.operands));
  TW_TRY(check(text, "result", results, call.results));

  RuleBuilder rule(call);
  struct Named {
    std::string_view word;
    FactorId factor;
    int64_t size;
  };
  std::vector<Named> named;
  for (const Words &words : makes_arrays(call) ? results : operands)
    for (const std::string_view word : words)
      if (named.size() > 180)
        return wrong_rule(text, "names more dimensions than a rule holds");
      else if (word != "*" && std::ranges::find(named, word, &Named::word) == named.end())
        named.push_back({word, 0, -1});
  // Sizes must agree before factors are made of them.
  const auto measure = [&](const std::vector<Words> &values,
                           std::span<const graph::TensorType *const> types) -> Status {
    for (size_t v = 0; v < values.size(); ++v)
      for (size_t d = 0; d < values[v].size(); ++d)
        if (const auto n = std::ranges::find(named, values[v][d], &Named::word); n != named.end()) {
          if (n->size >= 0 && n->size != types[v]->dims[d])
            return wrong_rule(text, fmt::format("'{}' is {} and {}", n->word, n->size, types[v]->dims[d]));
          n->size = types[v]->dims[d];
        }
    return {};
  };
  TW_TRY(measure(results, call.results));
  TW_TRY(measure(operands, call.operands));
  for (Named &n : named)
    n.factor = rule.pass(n.size);
  for (size_t v = 0; v < operands.size(); ++v)
    for (size_t d = 0; d < operands[v].size(); ++d)
      if (const auto n = std::ranges::find(named, operands[v][d], &Named::word); n != named.end())
        rule.in(v, d, n->factor);
      else
        rule.whole_in(v, d, call.operands[v]->dims[d]);
  for (size_t v = 0; v < results.size(); ++v)
    for (size_t d = 0; d < results[v].size(); ++d)
      if (const auto n = std::ranges::find(named, results[v][d], &Named::word); n != named.end())
        rule.out(v, d, n->factor);
      else
        rule.whole_out(v, d, call.results[v]->dims[d]);
  return rule.build();
}

} // namespace tw::ops
