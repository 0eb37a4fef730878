// SPDX-License-Identifier: Apache-2.0
// loc(...) of arguments and ops: the source file and line where there is one, else the scope's name.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "graph/graph.hpp"
#include "import/scanner.hpp"

namespace tw::import {

constexpr uint32_t kMaxLocationDepth = 64; // of locations in locations

class LocationReader {
public:
  using Aliases = std::unordered_map<std::string_view, Cursor>;
  LocationReader(Scanner &scanner, graph::GraphBuilder &builder, const Aliases &aliases)
      : s_(scanner), b_(builder), aliases_(aliases) {}

  // What a location says, as entries of the name pool; kNone where it says nothing of the kind.
  struct Text {
    uint32_t name = graph::kNone; // loc("params['wq']")
    uint32_t file = graph::kNone; // "model.py:12"
    uint32_t best() const { return file != graph::kNone ? file : name; }
  };
  // `loc(...)` at the cursor, if there is one.
  bool read_optional(Text &text) { return !s_.looking_at("loc") || read(text); }

private:
  bool read(Text &text);
  bool read_body(Text &text, uint32_t depth);
  bool read_string(Text &text, uint32_t depth);
  bool read_fused(Text &text, uint32_t depth);
  bool read_alias(Text &text, uint32_t depth);

  Scanner &s_;
  graph::GraphBuilder &b_;
  const Aliases &aliases_;
  std::unordered_map<std::string_view, Text> known_;
};

} // namespace tw::import
