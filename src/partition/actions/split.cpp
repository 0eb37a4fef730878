// SPDX-License-Identifier: Apache-2.0
// `split(arg=x, dim=0, axis="data", rule=ceil)`: tiles like `tile`, and says where the cuts lie where the
// size does not divide.
#include <charconv>

#include <fmt/format.h>

#include "partition/spec.hpp"

namespace tw::partition::split_action {

namespace {

using sharding::SplitRule;

// "[0,5,9,16]"
std::optional<std::vector<int64_t>> parse_cuts(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    return std::nullopt;
  std::vector<int64_t> cuts;
  const char *at = text.data() + 1, *const end = text.data() + text.size() - 1;
  while (at < end) {
    while (at < end && *at == ' ')
      ++at;
    int64_t cut = 0;
    const auto [next, error] = std::from_chars(at, end, cut);
    if (error != std::errc())
      return std::nullopt;
    cuts.push_back(cut);
    at = next;
    while (at < end && *at == ' ')
      ++at;
    if (at < end && *at++ != ',')
      return std::nullopt;
  }
  return cuts;
}

Result<SplitRule> read_rule(Reader &reader, const Statement &statement) {
  TW_ASSIGN(const Argument given, reader.one_of("rule|cuts"));
  std::string_view text = given.text;
  if (given.key == "rule") {
    if (text == "balanced")
      return SplitRule{};
    if (text == "ceil")
      return SplitRule{SplitRule::Kind::ceil, 1, nullptr};
    if (text.starts_with("cuts="))
      text.remove_prefix(5);
  }
  auto cuts = parse_cuts(text);
  if (!cuts || cuts->empty())
    return fail(statement.error(
        Code::invalid_argument, "TW-401",
        fmt::format("a split rule is balanced, ceil or cuts=[0,5,9,16], not '{}'", given.text),
        given.column));
  return SplitRule{SplitRule::Kind::cuts, 1, std::make_shared<const std::vector<int64_t>>(std::move(*cuts))};
}

Status apply(Plan &plan, const Statement &statement, const Names &names) {
  Reader reader(statement, {kTargets, "dim", "axis", "rule|cuts"});
  TW_ASSIGN(const std::vector<Place> places, read_places(reader, statement, names, plan, kTargets));
  TW_ASSIGN(const std::vector<sharding::AxisId> axes, read_axes(reader, statement, plan));
  TW_ASSIGN(const SplitRule rule, read_rule(reader, statement));
  TW_TRY(reader.finish());
  for (const auto &[target, dim] : places)
    TW_TRY(tile(plan, target, dim, axes, &rule));
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{
      "split", "split(arg=|value=|result=NAME, dim=N|largest, axis=\"NAME\", rule=balanced|ceil|cuts=[..])",
      "Tiles one dimension along a mesh axis with cuts where the rule says.", apply};
  return action;
}

} // namespace tw::partition::split_action
