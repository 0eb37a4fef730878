// SPDX-License-Identifier: Apache-2.0
// Integers that constants and iotas decide: the row numbers with which a gather walks along with its array,
// the constant place that a slice is written to. Where they are known, so is which devices they concern.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/graph.hpp"

namespace tw::ops {

// offset + step * (the index along dimension `dim`); one number where that is -1.
struct IndexPattern {
  int64_t offset = 0, step = 0;
  int dim = -1;
  bool operator==(const IndexPattern &) const = default;
};

// Which part of an array of integers is asked for: what stands at place `at` of dimension `dim`; all of it
// where that is -1.
struct IndexComponent {
  int dim = -1;
  int64_t at = 0;
};
// Nothing where more than constants and iotas decide, or what they make has no such form.
std::optional<IndexPattern> index_pattern(const graph::Graph &graph, graph::ValueId v,
                                          IndexComponent component = {});

} // namespace tw::ops
