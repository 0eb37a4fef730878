// SPDX-License-Identifier: Apache-2.0
// Names that a caller gives to the arguments of a program: one a line for arguments 0, 1, 2, ..; a blank line
// keeps the name that the text gives. Blanks around a name are not part of it. No two arguments may have one
// name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"

namespace tw::import {

// N of "argN", which always means the argument at that place and so is no name of another one.
std::optional<size_t> place_of(std::string_view name);

class ArgumentNames {
public:
  // Keeps views of the text.
  static Result<ArgumentNames> parse(std::string_view text, std::string file);

  // "" where the line is blank or missing.
  std::string_view of(uint32_t argument) const {
    return argument < lines_.size() ? lines_[argument] : std::string_view();
  }
  // Of a graph whose arguments have these names: no name is left over, and none is that of an argument that
  // kept its own.
  Status check(const graph::Graph &graph) const;

private:
  Error error(size_t line, std::string message) const;

  std::string file_;
  std::vector<std::string_view> lines_;
};

} // namespace tw::import
