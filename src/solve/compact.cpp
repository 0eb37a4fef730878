// SPDX-License-Identifier: Apache-2.0
// Rows are compared by their hashes first.
#include "solve/compact.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "base/hash.hpp"

namespace tw::solve {
namespace {

// Which of `count` runs of `size` costs are equal; answers with the first of each.
std::vector<uint32_t> find_equal(const std::vector<Cost> &costs, uint32_t count, uint32_t size,
                                 std::vector<uint32_t> &place) {
  std::unordered_multimap<uint64_t, uint32_t> known; // by hash, the first run
  std::vector<uint32_t> firsts;
  for (uint32_t i = 0; i < count; ++i) {
    const Cost *const run = costs.data() + size_t{i} * size;
    Hasher hash(size);
    for (uint32_t j = 0; j < size; ++j)
      hash.add(std::bit_cast<uint64_t>(run[j]));
    auto same = static_cast<uint32_t>(firsts.size());
    const auto [begin, end] = known.equal_range(hash.value());
    for (auto at = begin; at != end && same == firsts.size(); ++at)
      if (std::equal(run, run + size, costs.data() + size_t{at->second} * size))
        same = place[at->second];
    if (same == firsts.size()) {
      known.emplace(hash.value(), i);
      firsts.push_back(i);
    }
    place.push_back(same);
  }
  return firsts;
}

// By choice, where its row is stored now; `of`: where it was.
std::vector<uint32_t> places(const std::vector<uint32_t> &of, const std::vector<uint32_t> &now) {
  if (of.empty())
    return now;
  std::vector<uint32_t> by_choice;
  for (const uint32_t place : of)
    by_choice.push_back(now[place]);
  return by_choice;
}

} // namespace

std::vector<Cost> turn(const Table &table) {
  std::vector<Cost> turned(table.costs.size());
  for (uint32_t i = 0; i < table.rows; ++i)
    for (uint32_t j = 0; j < table.columns; ++j)
      turned[size_t{j} * table.rows + i] = table.costs[size_t{i} * table.columns + j];
  return turned;
}

Table compact(const Table &table) {
  std::vector<uint32_t> row_of, column_of;
  const std::vector<uint32_t> rows = find_equal(table.costs, table.rows, table.columns, row_of);
  const std::vector<uint32_t> columns = find_equal(turn(table), table.columns, table.rows, column_of);
  Table made{static_cast<uint32_t>(rows.size()),
             static_cast<uint32_t>(columns.size()),
             {},
             places(table.row_of, row_of),
             places(table.column_of, column_of)};
  made.costs.reserve(rows.size() * columns.size());
  for (const uint32_t row : rows)
    for (const uint32_t column : columns)
      made.costs.push_back(table.costs[size_t{row} * table.columns + column]);
  return made;
}

Table spread(const Table &table) {
  if (table.row_of.empty())
    return table;
  Table made{static_cast<uint32_t>(table.row_of.size()), static_cast<uint32_t>(table.column_of.size()), {}};
  made.costs.reserve(table.row_of.size() * table.column_of.size());
  for (uint32_t row = 0; row < made.rows; ++row)
    for (uint32_t column = 0; column < made.columns; ++column)
      made.costs.push_back(table.at(row, column));
  return made;
}

} // namespace tw::solve
