// SPDX-License-Identifier: Apache-2.0
// Array literals in MLIR text: dense<...>, hex bytes, bit patterns, dense_resource<...>, array<i64: ...>.
#pragma once

#include <string_view>
#include <unordered_map>

#include "graph/graph.hpp"
#include "import/scanner.hpp"
#include "import/types.hpp"

namespace tw::import {

class LiteralParser {
public:
  LiteralParser(Scanner &scanner, TypeParser &types, graph::GraphBuilder &builder)
      : s_(scanner), types_(types), b_(builder) {}

  // A blob of the resource section at the end of the text: "0x" and hex digits.
  void define_resource(std::string_view key, std::string_view hex) { resources_.emplace(key, hex); }

  // `dense<...> : type` or `dense_resource<...> : type` at the cursor. `elided` is set where the exporter
  // left the numbers out: zeros stand in.
  bool parse(graph::Constant &constant, bool &elided);

private:
  bool parse_elements(std::string_view body, const graph::TensorType &type, graph::Constant &constant);
  bool parse_hex(std::string_view digits, const char *at, const graph::TensorType &type,
                 graph::Constant &constant);

  Scanner &s_;
  TypeParser &types_;
  graph::GraphBuilder &b_;
  std::unordered_map<std::string_view, std::string_view> resources_;
};

} // namespace tw::import
