// SPDX-License-Identifier: Apache-2.0
// Where slices of an array begin, where constants and iotas decide it. Then they lie under windows, as those
// of slice and concatenate do, and reading or writing them moves only what another device holds.
#pragma once

#include <optional>
#include <vector>

#include "ops/index_pattern.hpp"

namespace tw::ops {

// Per dimension of operand 0, by an index along the slices (the result of a gather, the updates of a
// scatter). As the op takes it: moved so that slices fit, or unknown where a scatter leaves some out.
using KnownStarts = std::vector<std::optional<IndexPattern>>;

// Of dynamic_slice, dynamic_update_slice, gather and scatter; empty where nothing is known, and for other
// ops.
KnownStarts known_starts(const graph::Graph &graph, graph::OpId op);

} // namespace tw::ops
