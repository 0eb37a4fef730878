// SPDX-License-Identifier: Apache-2.0
// Tables without what is there already: choices of one variable that make no difference to the other.
#pragma once

#include "solve/model.hpp"

namespace tw::solve {

// The same table, with each row and each column stored once.
Table compact(const Table &table);
// With an entry for each pair of choices.
Table spread(const Table &table);
// Columns as rows, of what is stored.
std::vector<Cost> turn(const Table &table);

} // namespace tw::solve
