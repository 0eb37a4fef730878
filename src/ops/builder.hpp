// SPDX-License-Identifier: Apache-2.0
// Builds graphs with checks: attributes against the schema, shapes inferred, errors that name op, operand and
// sizes.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "ops/op_def.hpp"

namespace tw::ops {

using NamedAttr = std::pair<std::string_view, graph::AttrValue>;

// Checks names, kinds and presence against the schema and sorts values into slots.
Result<graph::Attrs> check_attrs(const OpDef &def, std::span<const NamedAttr> attrs);

// Adds one op with inferred result types; returns its id. `stated` (may be empty) are the result types a text
// claims: they must fit. Errors carry the op's name; the caller adds the position.
Result<graph::OpId> add(graph::GraphBuilder &b, graph::OpCode code, std::span<const graph::ValueId> operands,
                        graph::Attrs attrs, std::span<const graph::TypeId> stated = {}, graph::LocId loc = 0,
                        std::span<const graph::RegionId> regions = {});

// The result types of such an op, checked the same way; nothing is added. For ops of which only the types
// exist.
Result<std::vector<graph::TypeId>> infer_types(graph::GraphBuilder &b, graph::OpCode code,
                                               std::span<const graph::TypeId> operands,
                                               const graph::Attrs &attrs,
                                               std::span<const graph::TypeId> stated = {},
                                               std::span<const graph::RegionId> regions = {});

// The entry signature.
graph::OpId add_argument(graph::GraphBuilder &b, const graph::TensorType &type, std::string_view name,
                         graph::LocId loc = 0, int32_t alias = -1, std::string_view memory_kind = {});
graph::OpId add_result(graph::GraphBuilder &b, graph::ValueId value, std::string_view name,
                       graph::LocId loc = 0, std::string_view memory_kind = {});

// Re-checks every op of a graph: structure, schema, and inferred against stored types.
Status verify(const graph::Graph &graph);

} // namespace tw::ops
