// SPDX-License-Identifier: Apache-2.0
// `expect all_reduce over model == 2`, `expect no all_gather`, `expect peak < 16GiB`: what must hold of the
// lowered program.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.hpp"
#include "partition/spec.hpp"
#include "sharding/parts.hpp"

namespace tw::partition::expect_action {

namespace {

constexpr std::array<std::string_view, 7> kKinds = {"all_gather", "all_reduce", "all_to_all",    "exchange",
                                                    "peak",       "permute",    "reduce_scatter"};
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
  bool quoted = false;
  int last = 0;
  for (size_t i = begin; i < end; ++i) {
    const char c = (*statement.line)[i];
    if (c == '"') {
      quoted = !quoted;
      if (quoted)
        all.emplace_back().column = static_cast<uint32_t>(i + 2);
      last = 2;
      continue;
    }
    const int now = quoted ? 2 : kind(c);
    if (now != 0) {
      if (now != last)
        all.emplace_back().column = static_cast<uint32_t>(i + 1);
      all.back().text += c;
    }
    last = now;
  }
  return all;
}

// "16GiB", "12", "1.5MB"
std::optional<int64_t> parse_amount(std::string_view text, bool bytes) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0)
    return std::nullopt;
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  constexpr std::array<std::pair<std::string_view, double>, 9> units = {
      {{"B", 1},
       {"KB", 1e3},
       {"MB", 1e6},
       {"GB", 1e9},
       {"TB", 1e12},
       {"KiB", 1024.0},
       {"MiB", 1024.0 * 1024},
       {"GiB", 1024.0 * 1024 * 1024},
       {"TiB", 1024.0 * 1024 * 1024 * 1024}}};
  if (!unit.empty()) {
    const auto found = std::ranges::find(units, unit, [](const auto &u) { return u.first; });
    if (!bytes || found == units.end())
      return std::nullopt;
    value *= found->second;
  }
  if (value > 9e18 || (!bytes && value != std::floor(value)))
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
  const bool peak = e.kind == "peak";
  ++at;
  if (!peak && text() == "over") {
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
  if (none && !peak) {
    e.comparison = "==";
  } else {
    if (none || std::ranges::find(kComparisons, text()) == kComparisons.end())
      return error("TW-401", fmt::format("expected {}", fmt::join(kComparisons, ", ")));
    e.comparison = text();
    ++at;
    const auto value = parse_amount(text(), peak);
    if (!value)
      return error("TW-401", peak ? "expected a size such as 16GiB" : "expected a count");
    e.value = *value;
    ++at;
  }
  if (at < words.size())
    return error("TW-401", fmt::format("expected nothing more, found '{}'", text()));
  plan.expect(std::move(e));
  return {};
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"expect",
                                "expect [no] COLLECTIVE [over AXES] [== COUNT] | expect peak < SIZE",
                                "States what must hold of the lowered program.", apply};
  return action;
}

} // namespace tw::partition::expect_action
