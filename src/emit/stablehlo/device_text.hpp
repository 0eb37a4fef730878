// SPDX-License-Identifier: Apache-2.0
// Statements of a module that every device runs, as it is being written: values with their local types, and
// small ops on them. Where devices differ, a table with an entry for each is read at the number of the device
// that runs.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emit/stablehlo/graph_text.hpp"
#include "graph/graph.hpp"
#include "sharding/sharding.hpp"

namespace tw::emit::stablehlo {

struct Local {
  std::string name; // "%3"
  graph::TensorType type;
  bool is_clamped = false; // made by a dynamic_slice of the program, whose start may be out of range
};

using Starts = std::vector<std::vector<int64_t>>; // by device, an index a dimension

class Collectives;

class DeviceText {
public:
  DeviceText(const graph::Graph &graph, const Collectives &collectives)
      : writer_(graph), collectives_(collectives) {}

  StatementWriter &writer() { return writer_; }
  const Collectives &collectives() const { return collectives_; }
  std::string take_text() { return std::move(text_); }

  // One result. `properties` are a list: "dimension = 0 : i64".
  Local op(std::string_view name, std::span<const Local> operands, std::string_view properties,
           graph::TensorType type, std::string_view regions = {});
  Local op(std::string_view name, std::initializer_list<Local> operands, std::string_view properties,
           graph::TensorType type, std::string_view regions = {}) {
    return op(name, std::span(operands.begin(), operands.size()), properties, std::move(type), regions);
  }
  // Any number of results.
  std::vector<Local> ops(std::string_view name, std::span<const Local> operands, std::string_view properties,
                         std::span<const graph::TensorType> types, std::string_view regions = {});
  // Without results: the end of a block.
  void end(std::string_view name, std::span<const Local> operands);
  // A statement as it stands.
  void line(std::string_view statement);
  // The region that combines two numbers, "{ ^bb0(..): .. }".
  std::string combiner(sharding::Reduction kind, graph::DType dtype);
  std::string &text() { return text_; }

  Local splat(std::span<const std::byte> element, const graph::TensorType &type);
  Local zeros(const graph::TensorType &type);
  // Scalars that each device looks up: an i32, an i1.
  Local lookup(const std::vector<int64_t> &by_device);
  Local decide(const std::vector<bool> &by_device);
  Local broadcast(const Local &scalar, const graph::Shape &dims);
  Local select(const Local &predicate, const Local &yes, const Local &no); // the predicate a scalar
  Local reshape(const Local &value, graph::Shape dims);
  // What reaches beyond the end is made of zeros, and left out.
  Local slice(const Local &value, const Starts &starts, const graph::Shape &extent);
  Local update(const Local &value, const Local &piece, const Starts &starts);
  // The first so many elements of each dimension, by device; the others are those of the filler.
  Local first_of(const Local &value, const Starts &sizes, const Local &filler);

  // Regions of control flow: what is written next is their text. Tables that a region has looked up are gone
  // behind it.
  void open_region(std::span<const Local> arguments, bool is_branch = false);
  std::string close_region();
  Local fresh(graph::TensorType type) { return {writer_.fresh_name(), std::move(type)}; }
  size_t depth() const { return 2 + regions_.size() * 2; }
  bool in_branch() const; // which data may choose

private:
  std::vector<Local> indices(const Starts &starts);
  Local enlarge(const Local &value, const Starts &starts, const graph::Shape &extent);
  Local device_number();

  struct Open {
    std::string outer; // the text around the region
    std::map<std::string, Local> known;
    bool is_branch;
  };
  StatementWriter writer_;
  const Collectives &collectives_;
  std::string text_;
  std::vector<Open> regions_;
  std::map<std::string, Local> known_; // what was looked up, by its table
};

std::string types_text(std::span<const Local> values);

} // namespace tw::emit::stablehlo
