// SPDX-License-Identifier: Apache-2.0
// The tables of a difference between tags; it needs no script.
#include "cli/difference_page.hpp"

#include <fmt/format.h>

#include "base/markup.hpp"
#include "cli/difference.hpp"

namespace tw::cli {

namespace {

constexpr const char *kStyle = R"(
:root { color-scheme: light dark; --text: #1d1f21; --muted: #5b6167; --line: #e2e2dd; --bg: #fdfdfc; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e9e9e6; --muted: #a6abb1; --line: #2e3237; --bg: #131517; }
}
body { margin: 0 auto; max-width: 1180px; padding: 40px 24px 80px; background: var(--bg); color: var(--text);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 25px; letter-spacing: -0.01em; margin: 0 0 8px; }
h2 { font-size: 18px; margin: 40px 0 8px; text-transform: capitalize; }
p { color: var(--muted); margin: 2px 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 5px 16px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--muted); font-weight: 500; }
td { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px;
  unicode-bidi: isolate; overflow-wrap: anywhere; }
.right { text-align: right; white-space: nowrap; }
)";

std::string html_of(const DifferenceTable &table) {
  std::string html = "<div class=\"wide\"><table>\n<thead><tr>";
  const auto cell = [&](const char *tag, size_t column, const std::string &text) {
    const bool right = table.columns[column].align == Table::Align::right;
    html += fmt::format("<{}{}>{}</{}>", tag, right ? " class=\"right\"" : "", as_markup(text), tag);
  };
  for (size_t c = 0; c < table.columns.size(); ++c)
    cell("th", c, table.columns[c].title);
  html += "</tr></thead>\n<tbody>\n";
  for (const auto &row : table.rows) {
    html += "<tr>";
    for (size_t c = 0; c < row.size(); ++c)
      cell("td", c, row[c]);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

} // namespace

std::string difference_page(const Json &difference) {
  const auto side = [&](const char *key) { return as_markup(difference.at(key).get<std::string>()); };
  std::vector<DifferenceTable> tables = tables_of(difference, false);
  const DifferenceTable sums = std::move(tables.back());
  tables.pop_back();
  std::string body = fmt::format("<h1>{}</h1>\n<p>Before: {}</p>\n<p>After: {}</p>\n",
                                 difference.at("same").get<bool>() ? "Nothing differs" : "What differs",
                                 side("before"), side("after"));
  body += html_of(sums);
  for (const DifferenceTable &table : tables)
    if (!table.rows.empty())
      body += fmt::format("<h2>{}</h2>\n{}", table.title, html_of(table));
  return fmt::format("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                     "'unsafe-inline'\">\n<title>{} to {} · "
                     "tilewright</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n"
                     "</html>\n",
                     side("before"), side("after"), kStyle, body);
}

} // namespace tw::cli
