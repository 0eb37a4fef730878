// SPDX-License-Identifier: Apache-2.0
// Graphs as StableHLO text that the importer and JAX read. Every op stands in MLIR's generic form,
// `"stablehlo.add"(%0, %1) : (T, T) -> T`, so that the registry alone says how: no op has a form of its own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"

namespace tw::emit::stablehlo {

// What is said of a program besides its ops: shardings, above all.
struct Notes {
  std::string module_attributes; // "mhlo.num_replicas = 8 : i32"
  std::string header;            // lines in front of the function: "  sdy.mesh @mesh = <["x"=2]>\n"
  std::vector<std::string> arguments, results; // one each, or none at all: "sdy.sharding = .."; may be empty
  std::unordered_map<graph::OpId, std::string> ops; // attributes of an op: "sdy.sharding = .."
};

// One module with one function @main.
std::string to_text(const graph::Graph &graph, const Notes &notes = {});

// Statements of ops and regions of a graph, in a text that somebody else puts together.
class StatementWriter {
public:
  explicit StatementWriter(const graph::Graph &graph, const Notes *notes = nullptr)
      : graph_(graph), notes_(notes), names_(graph.values().size()) {}

  void set_name(graph::ValueId v, std::string name) { names_[v] = std::move(name); }
  const std::string &name(graph::ValueId v) const { return names_[v]; }
  std::string fresh_name();

  void write_op(graph::OpId op, size_t depth, std::string &text);
  // "({ ^bb0(..): .. }, { .. })" of an op, behind a blank; nothing where it has none.
  std::string regions_text(graph::OpId op, size_t depth);
  // One statement of any op. `properties` is "dimension = 0 : i64", `regions` with what else stands there,
  // `types` "(T, T) -> T".
  static std::string statement(std::string_view results, std::string_view op, std::string_view operands,
                               std::string_view properties, std::string_view regions, std::string_view types);

private:
  void write_region(graph::RegionId region, size_t depth, std::string &text);
  std::string list(std::span<const graph::ValueId> values) const;
  std::string types(std::span<const graph::ValueId> values) const;

  const graph::Graph &graph_;
  const Notes *notes_;
  std::vector<std::string> names_; // by value
  uint32_t next_ = 0;
};

} // namespace tw::emit::stablehlo
