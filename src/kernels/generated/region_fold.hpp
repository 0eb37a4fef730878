// SPDX-License-Identifier: Apache-2.0
// Source of reductions by a region that is no known reduction, such as that of argmax: several arrays folded
// together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "kernels/generated/group.hpp"
#include "ops/op_def.hpp"

namespace tw::kernels::generated {

// A region of scalar ops: nodes over its arguments (0 .. arguments-1, then nodes), and what it yields.
struct ScalarRegion {
  std::vector<graph::DType> arguments;
  std::vector<GroupNode> nodes;
  std::vector<uint32_t> yields;
};
// An error names the first op that is not elementwise, or a value from outside that is no scalar constant.
Result<ScalarRegion> scalar_region(const graph::Graph &graph, graph::RegionId region);
// Statements that compute it for arguments of these names, each value declared as "n..": what it yields.
Result<std::vector<std::string>> region_text(const ScalarRegion &region, std::vector<std::string> arguments,
                                             std::string &text, std::vector<std::string> &functions);

struct RegionFold {
  ScalarRegion region;              // of arrays' running values, then of arrays' elements
  std::vector<graph::DType> dtypes; // of the arrays; the region's may be wider
  std::vector<int64_t> extent;      // of each, dense row-major
  std::vector<int64_t> dims;        // those that are folded
  bool from_first = false;          // the first element takes the place of the initial value
};
// Operands are the arrays, then their initial values; results as many. Each result folds its elements one by
// one in row-major order, as the reference does.
Result<Source> region_fold_source(const RegionFold &fold, const std::string &entry);

} // namespace tw::kernels::generated
