// SPDX-License-Identifier: Apache-2.0
// Choices that cost something by themselves and in pairs: of each variable one is taken, so that the sum is
// least. Searches over plans and instances of the IOPDDL contest are such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tw::solve {

using Cost = double;
inline constexpr Cost kNever = std::numeric_limits<Cost>::infinity(); // what must not be taken

// Of two variables together, rows of the first one's choices. Edges may share it.
struct Table {
  uint32_t rows = 0, columns = 0; // that are stored
  std::vector<Cost> costs;
  // Where choices share rows and columns (compact.hpp), which each has; else both are empty.
  std::vector<uint32_t> row_of = {}, column_of = {};
  Cost at(uint32_t first, uint32_t second) const { // choices
    return row_of.empty() ? costs[size_t{first} * columns + second]
                          : costs[size_t{row_of[first]} * columns + column_of[second]];
  }
};

struct Edge {
  uint32_t first, second; // two variables
  uint32_t table;         // first's choices in rows
};

struct Model {
  std::vector<std::vector<Cost>> costs; // by variable, of each of its choices; at least one
  std::vector<Table> tables;
  std::vector<Edge> edges;

  Cost cost_of(std::span<const uint32_t> choices) const {
    Cost sum = 0;
    for (size_t v = 0; v < costs.size(); ++v)
      sum += costs[v][choices[v]];
    for (const Edge &e : edges)
      sum += tables[e.table].at(choices[e.first], choices[e.second]);
    return sum;
  }
};

} // namespace tw::solve
