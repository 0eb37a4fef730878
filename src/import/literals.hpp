// SPDX-License-Identifier: Apache-2.0
// Array literals in MLIR text: dense<...>, hex bytes, bit patterns, dense_resource<...>, array<i64: ...>.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

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

  // What `dense_resource<bytes_N>` stands for: the elements as they lie in an artifact.
  void define_numbers(const std::vector<std::string_view> &numbers) { numbers_ = &numbers; }

  // `dense<...> : type` or `dense_resource<...> : type` at the cursor. `elided` is set where the exporter
  // left the numbers out: zeros stand in.
  bool parse(graph::Constant &constant, bool &elided);

private:
  bool parse_elements(std::string_view body, const graph::TensorType &type, graph::Constant &constant);
  bool parse_hex(std::string_view digits, const char *at, const graph::TensorType &type,
                 graph::Constant &constant);
  bool parse_bytes(std::shared_ptr<std::vector<std::byte>> bytes, const char *at,
                   const graph::TensorType &type, graph::Constant &constant);
  // The number of what stands for elements of an artifact.
  std::optional<size_t> find_numbers(std::string_view key) const;

  Scanner &s_;
  TypeParser &types_;
  graph::GraphBuilder &b_;
  std::unordered_map<std::string_view, std::string_view> resources_;
  const std::vector<std::string_view> *numbers_ = nullptr;
};

} // namespace tw::import
