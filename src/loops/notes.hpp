// SPDX-License-Identifier: Apache-2.0
// What a text says of loops in attributes, where they do not stand in it:
// `partir.nest = [tile 0 "batch" by 16/3, any "model"]` of arguments, results and variables, written and
// read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loops/derive.hpp"

namespace tw::loops {

// The items of a list in brackets: "a", "b by [0,5]".
std::vector<std::string_view> items(std::string_view list);

// Which way layouts pass between the maker of a value and its pin: "forward".
std::string_view direction_name(partition::Direction direction);
std::optional<partition::Direction> find_direction(std::string_view name);

// Of an array that has one loop a dimension.
std::string nest_text(const Plan &plan, NodeId n);
Result<std::vector<DimLoop>> read_nest(Plan &plan, NodeId n, std::string_view text, const SourcePos &pos);

// How a result is handed out, where that is neither as it is made nor as the argument that it overwrites:
// `partir.layout = "[{batch}, {}]"` or its loops; empty where a reader finds it.
std::string layout_text(const Plan &plan, uint32_t result);

// "partir.nest = [[], [tile 0 "batch"]]": of the variables of a while, if or case, the one that decides
// first; empty where they have none.
std::string variables_text(const Plan &plan, graph::OpId op);

} // namespace tw::loops
