// SPDX-License-Identifier: Apache-2.0
// The program as an immutable SSA graph of n-d array ops: flat arrays with 32-bit ids, interned types and
// attributes, regions for control flow and combiners. Partitioning only annotates it; nobody rewrites it.
//
// The entry function's arguments are ops of kind `func.argument` (no operand, one result) and its results ops
// of kind `func.result` (one operand, no result), so that whatever holds for "an op" holds for them too.
// Calls are inlined by the importer.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.hpp"
#include "graph/types.hpp"

namespace tw::graph {

using OpId = uint32_t;
using ValueId = uint32_t;
using TypeId = uint32_t;
using RegionId = uint32_t;
using AttrsId = uint32_t;
using LocId = uint32_t;
using OpCode = uint16_t; // index into the op registry (ops/registry.hpp)
constexpr uint32_t kNone = UINT32_MAX;

// A literal array held by the graph; `splat` holds one element. Bytes are little-endian in storage order,
// row-major.
struct Constant {
  TypeId type = kNone;
  bool splat = false;
  std::shared_ptr<const std::vector<std::byte>> bytes;
};
struct ConstantId {
  uint32_t id;
  bool operator==(const ConstantId &) const = default;
};

// One attribute value. What an attribute means, and its position in Attrs, is fixed by the op's schema
// (ops/op_def.hpp).
using AttrValue =
    std::variant<std::monostate, int64_t, double, std::string, std::vector<int64_t>, ConstantId>;
using Attrs = std::vector<AttrValue>; // one per schema slot; monostate where absent

struct Op {
  OpCode code = 0;
  uint16_t num_results = 0;
  uint32_t num_operands = 0;
  uint32_t first_operand = 0; // into Graph::operands
  ValueId first_result = 0;   // results are consecutive values
  AttrsId attrs = 0;
  LocId loc = 0;
  RegionId first_region = kNone; // regions are consecutive
  uint32_t num_regions = 0;
  RegionId parent = 0; // the region that holds this op; 0 is the entry function's body
};

struct Value {
  OpId def = kNone;        // kNone for a region's argument
  uint32_t index = 0;      // which result of def, or which argument of the region
  RegionId region = kNone; // the region whose argument this is
  TypeId type = kNone;
  uint32_t name = kNone; // into the name pool; kNone = see Graph::value_name
};

struct Region {
  OpId parent = kNone; // the op that owns it; kNone for region 0
  std::vector<ValueId> args;
  std::vector<OpId> ops;       // in order
  std::vector<ValueId> yields; // operands of the terminator of a combiner or control-flow region
};

// Where an op came from: position in the imported text, and the loc("...") it carried, if any.
struct Location {
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t text = kNone; // into the name pool: "model.py:12" or a scope name
  bool operator==(const Location &) const = default;
};

// A use of a value: operand `operand` of op `op`.
struct Use {
  OpId op;
  uint32_t operand;
};

class Graph {
public:
  std::string_view module_name() const { return module_name_; }
  std::string_view file() const { return file_; }

  std::span<const Op> ops() const { return ops_; }
  const Op &op(OpId id) const { return ops_[id]; }
  std::span<const Value> values() const { return values_; }
  const Value &value(ValueId id) const { return values_[id]; }
  const Region &region(RegionId id) const { return regions_[id]; }
  size_t num_regions() const { return regions_.size(); }

  std::span<const ValueId> operands(OpId id) const {
    return {operands_.data() + ops_[id].first_operand, ops_[id].num_operands};
  }
  ValueId result(OpId id, uint32_t i = 0) const { return ops_[id].first_result + i; }
  // The region in which a value is made: its op's, or the one whose argument it is.
  RegionId region_of(ValueId v) const {
    return values_[v].def == kNone ? values_[v].region : ops_[values_[v].def].parent;
  }
  const TensorType &type(ValueId v) const { return types_[values_[v].type]; }
  const TensorType &type_at(TypeId t) const { return types_[t]; }
  size_t num_types() const { return types_.size(); }
  const Attrs &attrs(OpId id) const { return attrs_[ops_[id].attrs]; }
  const Attrs &attrs_at(AttrsId id) const { return attrs_[id]; }
  const Constant &constant(ConstantId c) const { return constants_[c.id]; }
  std::span<const Use> uses(ValueId v) const {
    return {uses_.data() + use_begin_[v], use_begin_[v + 1] - use_begin_[v]};
  }

  // The entry function, in order: func.argument ops and func.result ops.
  std::span<const OpId> arguments() const { return arguments_; }
  std::span<const OpId> results() const { return results_; }
  // Stable names: "arg3" always works; the best one known is given here ("params['wq']", "arg3", "out0").
  std::string argument_name(size_t i) const;
  std::string result_name(size_t i) const;
  // Which result an argument may be overwritten by (tf.aliasing_output / jax.buffer_donor), or -1; -2 where
  // it is donated without a partner.
  int32_t alias_of_argument(size_t i) const { return aliases_[i]; }

  // "%12", or "%0.%84" for op %84 of the function called at %0, "%3.1.%a" in a region of %3
  // (name_prefix.hpp); without a name "%<id>" there. All names differ.
  std::string value_name(ValueId v) const;
  std::string_view name_at(uint32_t name) const {
    return std::string_view(name_text_).substr(name_begin_[name], name_begin_[name + 1] - name_begin_[name]);
  }
  Location location(OpId id) const { return locations_[ops_[id].loc]; }
  std::string location_text(OpId id) const; // "model.py:12" or "file.mlir:40:5"; "" when nothing is known

  size_t memory_bytes() const;

private:
  friend class GraphBuilder;
  std::string module_name_, file_;
  std::vector<Op> ops_;
  std::vector<Value> values_;
  std::vector<ValueId> operands_;
  std::vector<Region> regions_;
  std::vector<TensorType> types_;
  std::vector<Attrs> attrs_;
  std::vector<Constant> constants_;
  std::vector<Location> locations_;
  std::string name_text_; // every name, one after the other
  std::vector<uint32_t> name_begin_;
  std::vector<OpId> arguments_, results_;
  std::vector<uint32_t> argument_names_, result_names_; // into names_, kNone where unnamed
  std::vector<int32_t> aliases_;
  std::vector<Use> uses_;
  std::vector<uint32_t> use_begin_;
};

// Appends ops to a graph being built. It trusts its caller with types (ops/builder.hpp infers and checks
// them); ids stay valid in the finished graph. Single-threaded; `finish` builds the use lists and freezes.
class GraphBuilder {
public:
  GraphBuilder(std::string module_name, std::string file);
  // Goes on behind a finished graph, whose ids stay.
  explicit GraphBuilder(const Graph &from);
  ~GraphBuilder();

  // How much will be added, where that is known.
  void reserve(size_t ops, size_t values, size_t operands);

  TypeId type(const TensorType &t); // interned
  AttrsId attrs(Attrs a);           // interned
  ConstantId constant(Constant c);
  uint32_t name(std::string_view text); // interned, unless a value's ("%..")
  LocId location(Location loc);

  const Graph &graph() const { return *graph_; } // what was built so far (no use lists yet)
  const TensorType &type_of(ValueId v) const { return graph_->type(v); }

  // Regions: open one for the op added next (add_op takes the regions closed since), or add into the entry
  // body (region 0). The id of a region is final once the op that owns it was added: Op::first_region tells
  // it.
  RegionId open_region(std::span<const TypeId> arg_types);
  void close_region(std::vector<ValueId> yields);

  struct NewOp {
    OpCode code;
    std::span<const ValueId> operands;
    std::span<const TypeId> results;
    AttrsId attrs;
    LocId loc = 0;
    std::span<const RegionId> regions = {}; // closed regions that this op owns, in order
  };
  OpId add_op(const NewOp &op);
  void set_value_name(ValueId v, uint32_t name);

  // Entry signature. The codes of func.argument and func.result come from the registry.
  OpId add_argument(OpCode argument_code, TypeId type, AttrsId attrs, uint32_t name, LocId loc = 0,
                    int32_t alias = -1);
  OpId add_result(OpCode result_code, ValueId value, AttrsId attrs, uint32_t name, LocId loc = 0);

  std::shared_ptr<const Graph> finish();

private:
  struct Impl;
  RegionId gather_regions(std::span<const RegionId> regions);
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<Impl> impl_;
};

// Structural well-formedness: every operand defined before its use and visible from its region, ids in range,
// use lists agree.
Status verify_structure(const Graph &graph);

} // namespace tw::graph
