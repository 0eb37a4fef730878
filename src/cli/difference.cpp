// SPDX-License-Identifier: Apache-2.0
// Compares two reports.
#include "cli/difference.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"

namespace tw::cli {

namespace {

using Align = Table::Align;
constexpr size_t kFirstRows = 12; // of a table that is not asked for whole

std::string text_in(const Json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// Arguments or results that are not alike, by name: {"name", "before", "after"}, where a side that lacks one
// has null.
Json changed_values(const Json &before, const Json &after) {
  std::map<std::string, const Json *> there;
  for (const Json &value : after)
    there.emplace(text_in(value.at("name")), &value);
  const auto told = [](const Json &value) {
    return Json{{"type", value.at("type")}, {"sharding", value.at("sharding")}, {"bytes", value.at("bytes")}};
  };
  Json changed = Json::array();
  for (const Json &value : before) {
    const auto other = there.find(text_in(value.at("name")));
    if (other == there.end()) {
      changed.push_back({{"name", value.at("name")}, {"before", told(value)}, {"after", nullptr}});
      continue;
    }
    if (told(value) != told(*other->second))
      changed.push_back(
          {{"name", value.at("name")}, {"before", told(value)}, {"after", told(*other->second)}});
    there.erase(other);
  }
  for (const Json &value : after) // in their order
    if (there.contains(text_in(value.at("name"))))
      changed.push_back({{"name", value.at("name")}, {"before", nullptr}, {"after", told(value)}});
  return changed;
}

// Collectives that are alike, and how many there are. Between a plan and XLA's program types are those of a
// device, and nobody knows which value is which.
struct AlikeMoves {
  std::string kind, over, type;
  int64_t count[2] = {0, 0}, executed[2] = {0, 0}, bytes[2] = {0, 0};
  std::string example[2]; // what the first one is for
};

std::vector<AlikeMoves> rows_of(const Side &before, const Side &after) {
  std::vector<AlikeMoves> rows;
  std::map<std::string, size_t> found;
  const bool by_device = before.is_hlo || after.is_hlo;
  for (const size_t s : {0, 1})
    for (const Json &c : (s == 0 ? before : after).report.at("collectives")) {
      std::vector<std::string> axes;
      for (const Json &axis : c.at("axes"))
        axes.push_back(text_in(axis));
      std::string kind = text_in(c.at("kind")), type = text_in(c.at(by_device ? "local_type" : "type"));
      if (const std::string how =
              c.contains("reduction") && c.at("reduction").is_string() ? text_in(c.at("reduction")) : "";
          !how.empty())
        kind += " " + how;
      const std::string over = fmt::format("{}", fmt::join(axes, ","));
      const auto [at, is_new] = found.emplace(fmt::format("{}\n{}\n{}", kind, over, type), rows.size());
      if (is_new)
        rows.push_back({.kind = kind, .over = over, .type = type, .example = {}});
      AlikeMoves &row = rows[at->second];
      const auto times = c.at("times").get<int64_t>();
      ++row.count[s];
      row.executed[s] += times;
      row.bytes[s] += times * c.at("bytes_received").get<int64_t>();
      if (row.example[s].empty())
        row.example[s] = c.contains("value") ? text_in(c.at("value")) : text_in(c.at("op"));
    }
  return rows;
}

Json row_json(const AlikeMoves &row) {
  const auto side = [&](size_t s) {
    return Json{{"count", row.count[s]}, {"executed", row.executed[s]}, {"bytes_received", row.bytes[s]}};
  };
  return {{"kind", row.kind},  {"over", row.over}, {"type", row.type},
          {"before", side(0)}, {"after", side(1)}, {"example", row.example[row.count[0] > 0 ? 0 : 1]}};
}

Json both(const Json &before, const Json &after) { return {{"before", before}, {"after", after}}; }

Json estimated(const Side &side) {
  return side.report.contains("estimate") ? side.report.at("estimate").at("time_ms").at("overlapped")
                                          : Json();
}

int64_t sum(const Json &counts) {
  int64_t all = 0;
  for (const auto &[kind, count] : counts.items())
    all += count.get<int64_t>();
  return all;
}

std::string percent(double before, double after) {
  if (before == after)
    return "the same";
  if (before == 0)
    return "new";
  return fmt::format("{:+.{}f} %", (after / before - 1) * 100, std::abs(after / before - 1) < 0.1 ? 1 : 0);
}

std::string sharding_text(const Json &side) {
  return side.is_null() ? "" : fmt::format("{} {}", text_in(side.at("type")), text_in(side.at("sharding")));
}

// "params['layer*']['wq']": names of repeated layers differ in their numbers.
std::string without_numbers(const std::string &name) {
  std::string made;
  for (const char c : name)
    if (c < '0' || c > '9')
      made += c;
    else if (made.empty() || made.back() != '*')
      made += '*';
  return made;
}

// Names from outside stand in cells as they are.
DifferenceTable values_table(const Json &changed, const char *title, bool all) {
  struct Values {
    const Json *first;
    size_t count = 0;
  };
  std::vector<Values> rows;
  std::map<std::string, size_t> found;
  for (const Json &value : changed) {
    const std::string name = text_in(value.at("name"));
    const std::string key = all ? name
                                : fmt::format("{}\n{}\n{}", without_numbers(name), value.at("before").dump(),
                                              value.at("after").dump());
    const auto [at, is_new] = found.emplace(key, rows.size());
    if (is_new)
      rows.push_back({&value});
    ++rows[at->second].count;
  }
  DifferenceTable table{fmt::format("{}s", title),
                        {{title, Align::left, 12, true},
                         {"", Align::right},
                         {"before", Align::left, 16},
                         {"after", Align::left, 16},
                         {"bytes", Align::right}},
                        {}};
  for (const Values &alike : rows) {
    const Json &row = *alike.first;
    const auto bytes = [&](const char *side) {
      return row.at(side).is_null() ? std::string("-") : bytes_text(row.at(side).at("bytes").get<int64_t>());
    };
    const bool same_type = !row.at("before").is_null() && !row.at("after").is_null() &&
                           row.at("before").at("type") == row.at("after").at("type");
    const std::string name = text_in(row.at("name"));
    table.rows.push_back(
        {alike.count > 1 ? without_numbers(name) : name,
         alike.count > 1 ? fmt::format("x{}", alike.count) : "", sharding_text(row.at("before")),
         same_type ? text_in(row.at("after").at("sharding")) : sharding_text(row.at("after")),
         fmt::format("{} -> {}", bytes("before"), bytes("after"))});
  }
  return table;
}

DifferenceTable collectives_table(const Json &rows) {
  DifferenceTable table{"collectives",
                        {{"", Align::right},
                         {"collective"},
                         {"over"},
                         {"type"},
                         {"count"},
                         {"received"},
                         {"for", Align::left, 8}},
                        {}};
  for (const Json &row : rows) {
    const auto of = [&](const char *side, const char *what) { return row.at(side).at(what).get<int64_t>(); };
    const int64_t more = of("after", "executed") - of("before", "executed");
    table.rows.push_back({more == 0 ? "" : fmt::format("{:+}", more), text_in(row.at("kind")),
                          text_in(row.at("over")), text_in(row.at("type")),
                          fmt::format("{} -> {}", of("before", "executed"), of("after", "executed")),
                          fmt::format("{} -> {}", bytes_text(of("before", "bytes_received")),
                                      bytes_text(of("after", "bytes_received"))),
                          text_in(row.at("example"))});
  }
  return table;
}

DifferenceTable sums_table(const Json &d) {
  DifferenceTable table{
      "", {{""}, {"before", Align::right}, {"after", Align::right}, {"", Align::right}}, {}};
  const auto add = [&](const char *what, const Json &pair, const auto &said) {
    const Json &a = pair.at("before"), &b = pair.at("after");
    if (a.is_null() && b.is_null())
      return;
    table.rows.push_back({what, a.is_null() ? "-" : said(a), b.is_null() ? "-" : said(b),
                          a.is_null() || b.is_null() ? "" : percent(a.get<double>(), b.get<double>())});
  };
  const auto plain = [](const Json &value) { return text_in(value); };
  const auto bytes = [](const Json &value) { return bytes_text(value.get<int64_t>()); };
  add("collectives", both(sum(d.at("executed").at("before")), sum(d.at("executed").at("after"))), plain);
  add("received", d.at("bytes_received"), bytes);
  add("peak", d.at("peak_bytes"), bytes);
  add("time", d.at("time_ms"), [](const Json &value) { return time_text(value.get<double>() / 1e3); });
  add("conflicts", d.at("conflicts"), plain);
  return table;
}

} // namespace

Json difference_of(const Side &before, const Side &after) {
  const Json &a = before.report, &b = after.report;
  const bool hlo = before.is_hlo || after.is_hlo;
  Json json{{"schema", 1}, {"before", before.name}, {"after", after.name}};
  const auto values = [&](const char *key) {
    return hlo ? Json::array() : changed_values(a.at(key), b.at(key));
  };
  json["arguments"] = values("arguments");
  json["results"] = values("results");
  json["collectives"] = Json::array();
  bool same = json["arguments"].empty() && json["results"].empty();
  std::vector<AlikeMoves> rows = rows_of(before, after);
  std::erase_if(rows, [](const AlikeMoves &row) {
    return row.executed[0] == row.executed[1] && row.bytes[0] == row.bytes[1];
  });
  std::ranges::stable_sort(rows, std::ranges::greater(),
                           [](const AlikeMoves &row) { return std::abs(row.bytes[1] - row.bytes[0]); });
  for (const AlikeMoves &row : rows)
    json["collectives"].push_back(row_json(row));
  for (const char *key : {"counts", "executed"})
    json[key] = both(a.at(key), b.at(key));
  json["bytes_received"] = both(a.at("bytes_received").at("max"), b.at("bytes_received").at("max"));
  const auto number = [](const Side &side, const char *key) {
    return side.report.contains(key) ? side.report.at(key) : Json();
  };
  json["peak_bytes"] = both(number(before, "peak_bytes"), number(after, "peak_bytes"));
  json["time_ms"] = both(estimated(before), estimated(after));
  const auto conflicts = [](const Side &side) {
    return side.report.contains("conflicts") ? Json(side.report.at("conflicts").size()) : Json();
  };
  json["conflicts"] = both(conflicts(before), conflicts(after));
  same = same && rows.empty() && (hlo || json["peak_bytes"]["before"] == json["peak_bytes"]["after"]);
  json["same"] = same;
  return json;
}

std::vector<DifferenceTable> tables_of(const Json &d, bool all) {
  return {values_table(d.at("arguments"), "argument", all), values_table(d.at("results"), "result", all),
          collectives_table(d.at("collectives")), sums_table(d)};
}

std::string difference_text(const Json &d, size_t width, bool all) {
  std::string text =
      fmt::format("before  {}\nafter   {}\n\n", text_in(d.at("before")), text_in(d.at("after")));
  for (const DifferenceTable &table : tables_of(d, all)) {
    if (table.rows.empty())
      continue;
    const size_t shown = all ? table.rows.size() : std::min(table.rows.size(), kFirstRows);
    Table made(table.columns);
    for (size_t i = 0; i < shown; ++i)
      made.add(table.rows[i]);
    if (!table.title.empty())
      text += table.title + "\n";
    text += made.text(width);
    if (shown < table.rows.size())
      text += fmt::format("  .. and {} more (--all)\n", table.rows.size() - shown);
    if (!table.title.empty())
      text += "\n";
  }
  if (d.at("same").get<bool>())
    text += "\nnothing differs\n";
  return text;
}

std::vector<std::string> worse_in(const Json &d) {
  std::vector<std::string> worse;
  const auto grows = [](const Json &pair) {
    return pair.at("before").is_number() && pair.at("after").is_number() &&
           pair.at("after").get<double>() > pair.at("before").get<double>();
  };
  if (grows(d.at("bytes_received")))
    worse.emplace_back("bytes");
  if (sum(d.at("executed").at("after")) > sum(d.at("executed").at("before")))
    worse.emplace_back("collectives");
  if (grows(d.at("peak_bytes")))
    worse.emplace_back("peak");
  if (grows(d.at("time_ms")))
    worse.emplace_back("time");
  return worse;
}

} // namespace tw::cli
