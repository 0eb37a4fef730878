// SPDX-License-Identifier: Apache-2.0
// Adds up the bytes of a program's values.
#include "graph/limits.hpp"

#include "base/saturating.hpp"
#include "graph/graph.hpp"

namespace tw::graph {

Status check_total_size(const Graph &graph) {
  int64_t bytes = 0;
  for (const Value &value : graph.values())
    bytes = saturating_add(bytes, graph.type_at(value.type).bytes());
  for (const OpId result : graph.results())
    bytes = saturating_add(bytes, graph.type(graph.operands(result)[0]).bytes());
  if (bytes <= kMaxBytes)
    return {};
  return fail(Code::invalid_argument, "TW-221",
              "the values of this program have more than 2^62 bytes together");
}

} // namespace tw::graph
