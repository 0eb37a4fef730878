// SPDX-License-Identifier: Apache-2.0
// What a step is: something that every device runs at its place in the order, and what it reads and makes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.hpp"
#include "runtime/layout.hpp"
#include "sharding/mesh.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

// Where a value lies: in its own storage, or inside another's.
struct View {
  spmd::ValueRef root;
  std::vector<int64_t> offset; // elements per device; empty: 0 everywhere
};

// How a fused step reads one value: per dimension of the step's iteration space the dimension of the value,
// or -1 where the value does not vary.
struct FusedRead {
  spmd::ValueRef value;
  std::vector<int> dims;
  bool constant = false; // of a splat or an iota: no array (constant_reads.hpp)
  // The value is partial along this axis: what the devices along it hold is combined in their order, and zero
  // added where that is due.
  std::optional<sharding::AxisId> combined = std::nullopt;
  bool from_zero = false;
  // How many arrays are read for it, and on which device each.
  int64_t parts(const sharding::Mesh &mesh) const { return combined ? mesh.size(*combined) : 1; }
  Position position(const sharding::Mesh &mesh, Position own, int64_t part) const {
    return combined ? Position(own + (part - mesh.coordinate(own, *combined)) * mesh.stride(*combined)) : own;
  }
  bool is_identity() const {
    for (size_t k = 0; k < dims.size(); ++k)
      if (dims[k] != static_cast<int>(k))
        return false;
    return true;
  }
  bool operator==(const FusedRead &) const = default;
};

struct Step {
  enum class Kind : uint8_t {
    kernel,
    fused,
    chain,   // its members, some rows after the other
    product, // its members by one kernel: a product, and the group that alone reads what that makes
    collective,
    await,      // until a collective that has begun is over
    assign,     // copies each operand to the result of the same number, all at once
    jump,       // goes on at the target that its operand chooses, or at the only one
    loop_begin, // begins a loop over `axis`
    loop_end,   // ends it: goes on at the only target with the next step, or behind the last one
    accumulate, // puts what its operand is at one step into its result; of threads, when all of them are over
  };
  Kind kind;
  std::vector<uint32_t> instrs;        // one, or the members of a fused step in program order
  std::vector<spmd::ValueRef> results; // stored values

  // kernel, collective: the values read
  std::vector<spmd::ValueRef> operands;

  // fused
  LayoutId space = 0;
  std::vector<FusedRead> reads;
  std::vector<std::vector<uint32_t>> args; // per member: reads (0 .. reads-1), or reads + member

  // jump, loop_end: steps; as ops::chosen_branch counts
  std::vector<uint32_t> targets;

  sharding::AxisId axis = 0;     // loop_begin, loop_end; accumulate: that of the threads
  bool threads = false;          // accumulate: its operand is what all threads have made, one after the other
  sharding::AxisSet around = {}; // axes of the loops around it

  // collective: the step at which it has to be over, where that is not the next; await: the collective
  uint32_t awaited = graph::kNone;

  std::vector<uint32_t> again = {}; // fused: members that are another step's, made again here
  // chain: what members read of each other is nowhere else, unless it is a result too. Its space has one
  // element a row, its operands are what they read besides, its reads are constants and what devices combine.
  // Of a member: how many leading dimensions of what it works on count the rows.
  // product: its operands are the product's, then what the group reads besides.
  std::vector<Step> members = {};
  size_t row_dims = 0;

  // Visits the values that it reads; of a constant no array is needed.
  template <class Visit> void each_read(Visit &&visit) const {
    for (const spmd::ValueRef v : operands)
      visit(v);
    for (const FusedRead &read : reads)
      if (!read.constant)
        visit(read.value);
  }

  // Whether it is ever run there: outside of a loop only its first step and thread are.
  bool runs_at(const sharding::Mesh &mesh, Position position) const {
    return mesh.without(position, mesh.loop_axes() - around) == position;
  }
};

// The steps that begin and end a loop over an axis.
struct AxisLoop {
  sharding::AxisId axis;
  uint32_t first, last;
};

// Steps that run again and again: from the first of the condition, by the first of the body, to the jump that
// goes back.
struct Loop {
  uint32_t first, body, last;
};

// An argument and the result that takes its place, by number and by value.
struct Donation {
  uint32_t argument, result;
  spmd::ValueRef given, made;
};

} // namespace tw::runtime
