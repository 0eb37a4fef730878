// SPDX-License-Identifier: Apache-2.0
// Attributes of ops in StableHLO's generic form: from the slots of a schema to `dimension = 0 : i64`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "graph/graph.hpp"
#include "ops/op_def.hpp"

namespace tw::emit::stablehlo {

struct Dictionaries {
  std::string properties; // "dimension = 0 : i64", empty where there are none
  std::string others;     // " {axis = 1 : i32}": what no schema knows, of a custom_call, and what is ours
};

Dictionaries dictionaries(const graph::Graph &graph, const ops::OpDef &def, const graph::Attrs &attrs);
// "sdy.sharding = ..": one more of `others`.
void add_attribute(Dictionaries &said, std::string_view attribute);

// "array<i64: 1, 2>"
std::string array_text(std::span<const int64_t> list);

} // namespace tw::emit::stablehlo
