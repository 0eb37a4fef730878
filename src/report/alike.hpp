// SPDX-License-Identifier: Apache-2.0
// Rows that say the same: arguments of repeated layers, collectives that differ in what they move alone.
// Tables and pages show them as one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/facts.hpp"

namespace tw::report {

struct Alike {
  std::string name;              // "params['layer*']['wq']", "arg3..arg9"; of one row its own
  std::vector<uint32_t> members; // ascending
};

// Those whose names differ in one number, and whose types, layouts and causes are equal; in the order of
// their first ones.
std::vector<Alike> alike_values(const std::vector<ValueFacts> &values);
// Those of one kind, type, op and cause; the name is that of the first one's value.
std::vector<Alike> alike_collectives(const std::vector<CollectiveFacts> &collectives);

// All rows, the first one of each group before the others: where not each can be told, each group is.
std::vector<uint32_t> firsts_first(const std::vector<Alike> &groups);

} // namespace tw::report
