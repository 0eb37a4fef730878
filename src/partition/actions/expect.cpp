// SPDX-License-Identifier: Apache-2.0
// `expect all_reduce over model == 2`, `expect no all_gather`, `expect peak < 16GiB`,
// `expect received < 1GiB`, `expect time < 40ms on a100-80g`, `expect no conflict`: what must hold of the
// plan and the lowered program.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "base/suggest.hpp"
#include "partition/spec.hpp"
#include "sharding/parts.hpp"
#include "system/system.hpp"

namespace tw::partition::expect_action {

namespace {

constexpr std::array<std::string_view, 10> kKinds = {"all_gather",     "all_reduce", "all_to_all", "conflict",
                                                     "exchange",       "peak",       "permute",    "received",
                                                     "reduce_scatter", "time"};
constexpr std::array<std::string_view, 6> kComparisons = {"==", "!=", "<=", ">=", "<", ">"};

struct Token {
  std::string text;
  uint32_t column;
};

// Words, numbers and comparisons; commas and blanks only separate.
std::vector<Token> tokens(const Statement &statement) {
  std::vector<Token> all;
  const size_t begin = statement.pos.column - 1 + statement.action.size(),
               end = statement.pos.column - 1 + statement.text.size();
  const auto kind = [](char c) {
    return c == ' ' || c == '\t' || c == ',' ? 0 : c == '=' || c == '!' || c == '<' || c == '>' ? 1 : 2;
  };
  char quote = '\0';
  int last = 0;
  for (size_t i = begin; i < end; ++i) {
    const char c = (*statement.line)[i];
    if (quote != '\0' ? c == quote : c == '"' || c == '\'') {
      quote = quote != '\0' ? '\0' : c;
      if (quote != '\0')
        all.emplace_back().column = static_cast<uint32_t>(i + 2);
      last = 2;
      continue;
    }
    const int now = quote != '\0' ? 2 : kind(c);
    if (now != 0) {
      if (now != last)
        all.emplace_back().column = static_cast<uint32_t>(i + 1);
      all.back().text += c;
    }
    last = now;
  }
  return all;
}

// What the amount of a kind is of; the unit of a time is in nanoseconds, in which expectations count.
enum class Measure { count, bytes, time };
Measure measure_of(std::string_view kind) {
  return kind == "time"                         ? Measure::time
         : kind == "peak" || kind == "received" ? Measure::bytes
                                                : Measure::count;
}

std::optional<double> unit_of(Measure measure, std::string_view unit) {
  return measure == Measure::bytes  ? bytes_in(unit)
         : measure == Measure::time ? nanoseconds_in(unit)
                                    : std::nullopt;
}

// "16GiB", "12", "1.5MB", "40ms"
std::optional<int64_t> parse_amount(std::string_view text, Measure measure) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0)
    return std::nullopt;
  if (const std::string_view unit = text.substr(static_cast<size_t>(end - text.data())); !unit.empty()) {
    const auto factor = unit_of(measure, unit);
    if (!factor)
      return std::nullopt;
    value *= *factor;
  } else if (measure == Measure::time) {
    return std::nullopt;
  }
  if (value > 9e18 || (measure == Measure::count && value != std::floor(value)))
    return std::nullopt;
  return static_cast<int64_t>(value);
}

Status apply(Plan &plan, const Statement &statement, const Names &) {
  const std::vector<Token> words = tokens(statement);
  size_t at = 0;
  const auto text = [&] { return at < words.size() ? std::string_view(words[at].text) : std::string_view(); };
  const auto error = [&](const char *id, std::string message) {
    const uint32_t end = statement.pos.column + static_cast<uint32_t>(statement.text.size());
    return fail(statement.error(Code::invalid_argument, id, std::move(message),
                                at < words.size() ? words[at].column : end));
  };
  Expectation e;
  e.action = {statement.text, statement.pos};
  const bool none = text() == "no";
  at += none;
  e.kind = text();
  if (std::ranges::find(kKinds, e.kind) == kKinds.end()) {
    const std::vector<std::string> known(kKinds.begin(), kKinds.end());
    return error("TW-401", fmt::format("expected one of {}, found '{}'{}", fmt::join(kKinds, ", "), e.kind,
                                       nearest_text(e.kind, known, 1)));
  }
  const Measure measure = measure_of(e.kind);
  const bool counts = measure == Measure::count, moves = counts && e.kind != "conflict";
  ++at;
  if (moves && text() == "over") {
    for (++at; at < words.size() && std::ranges::find(kComparisons, text()) == kComparisons.end(); ++at) {
      // An axis may yet be cut by a wave.
      const auto find = [&]() -> Status {
        TW_ASSIGN(const sharding::Mesh mesh, sharding::with_parts(plan.mesh(), text()));
        TW_TRY(find_axes(mesh, text()));
        return {};
      };
      if (auto found = find(); !found)
        return fail(statement.error(std::move(found.error()), words[at].column));
      e.over.emplace_back(text());
    }
    if (e.over.empty())
      return error("TW-401", "expected the name of an axis");
  }
  if (none && counts) {
    e.comparison = "==";
  } else {
    if (none || std::ranges::find(kComparisons, text()) == kComparisons.end())
      return error("TW-401", fmt::format("expected {}", fmt::join(kComparisons, ", ")));
    e.comparison = text();
    ++at;
    std::string amount(text());
    const bool apart =
        at + 1 < words.size() && unit_of(measure, words[at + 1].text); // "1.05 MB", of a report
    if (apart)
      amount += words[at + 1].text;
    const auto value = parse_amount(amount, measure);
    if (!value)
      return error("TW-401", measure == Measure::bytes  ? "expected a size such as 16GiB"
                             : measure == Measure::time ? "expected a time such as 40ms"
                                                        : "expected a count");
    e.value = *value;
    at += apart ? 2 : 1;
  }
  if ((e.kind == "peak" || measure == Measure::time) && text() == "on") {
    ++at;
    if (auto system = system::load(std::string(text())); !system)
      return fail(statement.error(std::move(system.error()), at < words.size() ? words[at].column : 0));
    e.system = text();
    ++at;
  } else if (measure == Measure::time) {
    return error("TW-401", "expected 'on' and a system, as in: expect time < 40ms on a100-80g");
  }
  if (at < words.size())
    return error("TW-401", fmt::format("expected nothing more, found '{}'", text()));
  plan.expect(std::move(e));
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"expect",
                                "expect [no] COLLECTIVE [over AXES] [== COUNT] | expect peak|received < SIZE "
                                "[on SYSTEM] | expect time < "
                                "40ms on SYSTEM | expect no conflict",
                                "States what must hold of the plan and of the lowered program.", apply};
  return action;
}

} // namespace tw::partition::expect_action
