// SPDX-License-Identifier: Apache-2.0
// Graphs as StableHLO text that the importer and JAX read. Every op stands in MLIR's generic form,
// `"stablehlo.add"(%0, %1) : (T, T) -> T`, so that the registry alone says how: no op has a form of its own.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace tw::emit::stablehlo {

// A statement of one operand and one result, without their names: `shard.shard` and `to %s : tensor<8xf32>`.
struct Passage {
  std::string op, rest;
};

// What is said of a program besides its ops: shardings, above all.
struct Notes {
  std::string module_attributes; // "mhlo.num_replicas = 8 : i32"
  std::string header;            // lines in front of the function: "  sdy.mesh @mesh = <["x"=2]>\n"
  std::vector<std::string> arguments, results; // one each, or none at all: "sdy.sharding = .."; may be empty
  std::unordered_map<graph::OpId, std::string> ops; // attributes of an op: "sdy.sharding = .."
  std::unordered_map<graph::OpId, Passage> instead; // statements that stand for ops of one operand
  std::string definitions;                          // lines in front of the ops of the function
  std::unordered_map<graph::ValueId, Passage> made; // what all who read a value read instead
  // What single operands read instead, and which of these an op, or a result, takes for an operand.
  std::unordered_map<graph::ValueId, std::vector<Passage>> used;
  std::map<std::pair<graph::OpId, uint32_t>, size_t> taken;
  // Of `used`, by value and place in its list: what stands at the head of a region, not behind the value.
  std::map<graph::RegionId, std::vector<std::pair<graph::ValueId, size_t>>> inside;
  // By region and number, what a region yields in the place of a value: what stands at its end for that, or
  // one of `used`.
  std::map<std::pair<graph::RegionId, uint32_t>, Passage> yields;
  std::map<std::pair<graph::RegionId, uint32_t>, size_t> yielded;
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
  const std::string &operand_name(graph::OpId op, uint32_t i) const;
  std::string fresh_name();

  void write_op(graph::OpId op, size_t depth, std::string &text);
  // The passages of a value that was just made.
  void write_passages(graph::ValueId v, size_t depth, std::string &text);
  // "({ ^bb0(..): .. }, { .. })" of an op, behind a blank; nothing where it has none.
  std::string regions_text(graph::OpId op, size_t depth);
  // One statement of any op. `properties` is "dimension = 0 : i64", `regions` with what else stands there,
  // `types` "(T, T) -> T".
  static std::string statement(std::string_view results, std::string_view op, std::string_view operands,
                               std::string_view properties, std::string_view regions, std::string_view types);

private:
  // Writes a statement; answers with the name of its result.
  std::string write_passage(const Passage &passage, std::string_view operand, size_t depth,
                            std::string &text);
  bool stands_inside(graph::ValueId v, size_t place) const;
  void write_inside(graph::RegionId region, size_t depth, std::string &text);
  void write_region(graph::RegionId region, size_t depth, std::string &text);
  // The names of what a region yields.
  std::string write_yields(graph::RegionId region, size_t depth, std::string &text);
  std::string types(std::span<const graph::ValueId> values) const;

  const graph::Graph &graph_;
  const Notes *notes_;
  std::vector<std::string> names_;                                    // by value
  std::unordered_map<graph::ValueId, std::vector<std::string>> used_; // names of its passages for operands
  uint32_t next_ = 0;
};

} // namespace tw::emit::stablehlo
