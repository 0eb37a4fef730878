// SPDX-License-Identifier: Apache-2.0
// What differs between two plans: their reports beside each other.
#pragma once

#include <string>
#include <vector>

#include "base/table.hpp"
#include "cli/json.hpp"

namespace tw::cli {

// One of two plans: where it is from, and its report as `tw plan --json` prints it (with "estimate" where a
// system was given). What XLA made has collectives alone.
struct Side {
  std::string name;
  Json report;
  bool is_hlo = false;
};

// {"before", "after", "arguments", "results", "collectives", "counts", "executed", "bytes_received",
// "peak_bytes", "time_ms", "conflicts", "same"}; lists have what differs.
Json difference_of(const Side &before, const Side &after);
// The same as tables, the answer last: it has no title. Arguments and results of repeated layers are one row
// unless `all_rows` are asked for.
struct DifferenceTable {
  std::string title;
  std::vector<Table::Column> columns;
  std::vector<std::vector<std::string>> rows; // names from outside may be among them
};
std::vector<DifferenceTable> tables_of(const Json &difference, bool all_rows);
// As text, the first rows of each unless all are asked for.
std::string difference_text(const Json &difference, size_t width, bool all_rows);
// Which of "bytes", "collectives", "peak" are worse after than before.
std::vector<std::string> worse_in(const Json &difference);

} // namespace tw::cli
