// SPDX-License-Identifier: Apache-2.0
// Text tables that fit a width: columns as wide as their cells, the patient ones shortened with an ellipsis
// when the line is too long.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tw {

// Characters as a terminal shows them: bytes that do not continue a UTF-8 sequence.
size_t shown_width(std::string_view text);

class Table {
public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
    size_t shrink_to = 0;  // may be shortened down to this many characters; 0 = never
    bool keep_end = false; // what tells cells apart stands at their end: shorten at the front
    bool spare = false;    // left out before columns that are not patient are cut
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells); // names from outside may be among them
  bool empty() const { return rows_.empty(); }
  // Two spaces before every column; columns without any text are left out, lines end without blanks.
  std::string text(size_t width) const;

private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

} // namespace tw
