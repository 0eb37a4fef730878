// SPDX-License-Identifier: Apache-2.0
// Tables of expected values: a row a line, fields between '|', heads and remarks behind '#'.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tw::test {

struct TableRow {
  std::string line;
  std::vector<std::string> fields;
};

inline std::vector<TableRow> read_table(const std::string &path) {
  std::vector<TableRow> rows;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    TableRow row{line, {}};
    std::istringstream columns(line);
    for (std::string field; std::getline(columns, field, '|');)
      row.fields.push_back(field);
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace tw::test
