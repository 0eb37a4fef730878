// SPDX-License-Identifier: Apache-2.0
// A module as a tree of its ops, from the text of one that a printer made: ops in MLIR's generic form, inside
// of functions that may stand in their own. Nothing of an attribute or a type is read yet.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "import/attributes.hpp"

namespace tw::emit::artifact {

using Attributes = std::vector<import::AttrText>;

struct TextOp;
struct TextRegion {
  std::vector<uint32_t> arguments; // values
  std::vector<TextOp> ops;
};
struct TextOp {
  std::string_view name; // "stablehlo.add"
  uint32_t line = 0;
  std::vector<uint32_t> operands, results; // values
  Attributes attributes;                   // properties first
  std::vector<TextRegion> regions;
};

struct ModuleText {
  std::string_view name; // as written, without @; empty: it has none
  Attributes attributes;
  std::vector<TextOp> ops;
  std::vector<std::string_view> types; // of all values
  std::deque<std::string> made;        // texts that stand nowhere else
};

// `text` outlives the result.
Result<ModuleText> read_module(std::string_view text);

// The types of "T, U".
Result<std::vector<std::string_view>> split_types(std::string_view text);
// Of "(T, U) -> V" and "(T, U) -> (V, W)".
struct FunctionTypes {
  std::vector<std::string_view> inputs, outputs;
};
Result<FunctionTypes> split_function_type(std::string_view text);

} // namespace tw::emit::artifact
