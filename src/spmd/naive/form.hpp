// SPDX-License-Identifier: Apache-2.0
// PartIR:SPMD as the PartIR slides lower to it, one visible step after another: global tensors are
// distributed, ops run on the pieces in `spmd`, and what they make is put together again, until the fusions
// leave nothing but redistributions between distributed tensors.
//
//   %x/1 = distribute(%x) : dist_tensor<["B":range<2>],[32,8]>                   whole on every device
//   %0 = spmd(%x/1, %y/1) ["B"] (%B:range<2>, %a0:tensor<32x8xf32>, %a1:tensor<8x16xf32>) {
//     yield stablehlo.dot_general(slice 0 %a0[%B], %a1)
//   } : dist_tensor<[stacked "B":range<2>],[16,16]>                              a piece a device
//   %0/1 = tile_stacked_tensor 0 (%0) : dist_tensor<["B":range<2>],[32{0},16]>   the pieces are tiles
//   %0/2 = undistribute(%0/1) : tensor<32x16xf32>
//
// An op that runs whole on every device is an spmd too. Constants, and what is computed from them alone, are
// written inside the bodies that use them. The direct path (place_reductions) must find the same program:
// tests compare them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spmd/lowering.hpp"

namespace tw::spmd::naive {

enum class Kind : uint8_t {
  argument, // of the program: `index`
  distribute,
  spmd,         // of op `node`: pieces
  tile_stacked, // of pieces the tiles of an array
  reduce,       // partial values combined, scattered where the result has more tiles than the operand
  undistribute,
  redistribute,
  marker, // of the while, if or case that `node` stands for, `index` as in spmd::InstrKind::region
  result, // of the program: `index`
};

struct Value {
  graph::ValueId origin;
  ShardingId type = graph::kNone; // kNone: a global tensor
  uint32_t def;
};

struct Statement {
  Kind kind;
  partition::NodeId node;              // marker: the condition's variable
  std::vector<ValueRef> operands = {}; // spmd: kNone where the body makes it from constants
  std::vector<ShardingId> tiles =
      {}; // spmd: what the body takes of each operand, by slices where that is of another type
  std::vector<ValueRef> results = {};
  uint32_t index = 0;
  bool asked = false; // distribute, result: an action or a signature wants this layout, whatever uses it
};

class Form {
public:
  explicit Form(Lowering &from) : lowering(from) {}

  Lowering &lowering; // where types are interned
  std::vector<Statement> statements;
  std::vector<Value> values;

  // Appends a statement and its results.
  ValueRef add(Statement statement, graph::ValueId origin, ShardingId type);
  const Value &value(ValueRef v) const { return values[v]; }
  const Statement &maker(ValueRef v) const { return statements[values[v].def]; }
  // The statements that read each value, one entry a use.
  std::vector<std::vector<uint32_t>> find_users() const;
  // Has all users of a value read an earlier one instead.
  void replace(const std::vector<std::vector<uint32_t>> &users, ValueRef v, ValueRef by);
  // Drops what nobody reads.
  void sweep();
};

// The passes, in the order of pass_list.inc.
#define TW_NAIVE_PASS(name) void name(Form &form);
#include "spmd/naive/pass_list.inc"
#undef TW_NAIVE_PASS

enum class Spelling : uint8_t { counts, intervals, paper };
std::string to_text(const Form &form, Spelling spelling);
// listing.cpp: what is left after all passes, without regions.
bool is_listing(const Form &form);
std::string to_listing(const Form &form);

std::vector<std::string_view> passes();
// A plan's program as it stands after a pass, of passes().
Result<std::string> text_after(const partition::Plan &plan, const Options &options, std::string_view pass,
                               Spelling spelling);

// All passes, and what they found as the tables from which `emit` writes the program.
Status run(Lowering &lowering);

} // namespace tw::spmd::naive
