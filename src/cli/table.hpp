// SPDX-License-Identifier: Apache-2.0
// Tables for people: aligned columns no wider than the terminal; the widest text column gives way first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tw::cli {

enum class Align { left, right };

class Table {
public:
  struct Column {
    std::string head;
    Align align = Align::left;
    bool keep_end = false; // of a name what it ends in tells it from others
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  // Each line indented by two spaces; cells that must give way end in "..", or begin with it.
  std::string text(size_t width) const;

private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Columns that a UTF-8 text takes (one a code point).
size_t display_width(std::string_view text);

std::string human_bytes(int64_t bytes); // "1.5 MB" (10^6)
std::string human_count(double count);  // "1.50 G"
std::string human_figure(double value); // "0", "3.2e-07"

} // namespace tw::cli
