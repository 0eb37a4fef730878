// SPDX-License-Identifier: Apache-2.0
// Array types in MLIR text, each spelling read once and remembered.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "graph/id_table.hpp"
#include "import/scanner.hpp"

namespace tw::import {

class TypeParser {
public:
  TypeParser(Scanner &scanner, graph::GraphBuilder &builder) : s_(scanner), b_(builder) {}

  // `!name = type` lines of the text.
  void define_alias(std::string_view name, Cursor definition) { aliases_.emplace(name, definition); }

  // Loops whose ranges may stand for dimensions of a tile: %rx32xf32. Such a dimension is read as 1.
  using Ranges = std::vector<std::pair<std::string_view, uint32_t>>;
  void set_ranges(const Ranges *ranges) { ranges_ = ranges; }

  bool parse(graph::TypeId &type); // an array, a single number or a token
  // In the body of an op that computes all its elements at once a single number is an array: answers with the
  // shape of those before.
  graph::Shape set_elements(graph::Shape shape) { return std::exchange(elements_, std::move(shape)); }
  const graph::Shape &elements() const { return elements_; }
  // Also a tuple, in lists of types and function types too: an id that only `elements` understands.
  bool parse_any(graph::TypeId &type);
  bool parse_list(std::vector<graph::TypeId> &types); // T, U, ... ; at least one
  // (T, U) -> V  or  (T) -> (U, V)  or, as chlo prints it, T, U -> V.
  bool parse_function(std::vector<graph::TypeId> &inputs, std::vector<graph::TypeId> &outputs);
  bool parse_outputs(std::vector<graph::TypeId> &outputs); // what follows ->
  bool parse_inputs(std::vector<graph::TypeId> &inputs);   // (T, U)

  bool has_tuples() const { return !tuples_.empty(); } // whether any was met
  static bool is_tuple(graph::TypeId type) { return type >= kTuples && type != graph::kNone; }
  std::span<const graph::TypeId> elements(graph::TypeId tuple) const { return tuples_[tuple - kTuples]; }
  // Tuples replaced by their elements, these by theirs.
  std::vector<graph::TypeId> flat(std::span<const graph::TypeId> types) const;

private:
  static constexpr graph::TypeId kTuples = 1u << 31;
  bool parse_tensor(graph::TypeId &type);
  bool parse_tuple(graph::TypeId &type);
  bool parse_dims(graph::TensorType &type);
  const char *behind_range(const char *at) const;
  bool parse_element(graph::TensorType &type);
  bool check_size(const graph::TensorType &type, const char *at);

  Scanner &s_;
  graph::GraphBuilder &b_;
  std::unordered_map<std::string_view, Cursor> aliases_;
  std::vector<std::vector<graph::TypeId>> tuples_; // by id
  const Ranges *ranges_ = nullptr;
  uint32_t alias_depth_ = 0, tuple_depth_ = 0;
  graph::Shape elements_; // of what is written as a single number
  graph::IdTable seen_;
  struct Spelling {
    std::string_view text;
    graph::TypeId type;
  };
  std::vector<Spelling> spellings_; // by seen_ id
};

} // namespace tw::import
