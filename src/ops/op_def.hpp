// SPDX-License-Identifier: Apache-2.0
// What the registry knows of an op, whatever computes it: its schema, shape and dtype rule, factor rule,
// cost, traits and documentation. A new op is one OpDef in one file of this folder, one line in op_list.inc,
// one golden case. How the host computes it stands in kernels/ref.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"
#include "ops/known_starts.hpp"
#include "ops/rule.hpp"
#include "sharding/sharding.hpp"

namespace tw::ops {

class Expression;

enum class AttrKind : uint8_t { integer, real, string, ints, constant, boolean /* an int64 0 or 1 */ };

// What an attribute says of dimensions. Whoever puts the same dimensions in front of all operands and results
// (kBatches) changes it so that the op does for each index of them what it did before.
enum class AttrDims : uint8_t {
  none,
  named,   // dimensions by number, one or a list: they move back
  paired,  // a list that partners dimensions: they move back, and those in front are partners, first
  zeros,   // one entry a dimension: 0 for those in front
  ones,    // the same, 1
  extents, // the same, their size
};

// One attribute of a schema; its index in OpDef::attrs is its slot in graph::Attrs.
struct AttrSpec {
  const char *name;
  AttrKind kind;
  bool required;
  const char *doc;
  AttrDims dims = AttrDims::none;
  const char *written = nullptr; // its name in pretty forms, where that is another: "dims"
  // One entry a dimension of operand 0, up to where it is taken: all of the dimension is all of a tile.
  bool taken = false;
};

// Everything an op's functions may look at: attributes, operand and result types, regions. Never values.
struct OpView {
  const graph::Graph &graph;
  const graph::Attrs &attrs;
  std::span<const graph::TensorType *const> operands;
  // While inferring: the types that a text or caller states, or empty. Ops whose result type is no function
  // of their operands (reshape, convert, iota, custom_call) take it from here.
  std::span<const graph::TensorType *const> results;
  std::span<const graph::RegionId> regions;

  // Attribute access by slot; the schema check has run, so required ones are there and have their kind.
  bool has(size_t slot) const { return slot < attrs.size() && attrs[slot].index() != 0; }
  int64_t integer(size_t slot, int64_t fallback = 0) const {
    return has(slot) ? std::get<int64_t>(attrs[slot]) : fallback;
  }
  double real(size_t slot, double fallback = 0) const {
    return has(slot) ? std::get<double>(attrs[slot]) : fallback;
  }
  std::string_view string(size_t slot) const {
    return has(slot) ? std::string_view(std::get<std::string>(attrs[slot])) : std::string_view();
  }
  std::span<const int64_t> ints(size_t slot) const {
    return has(slot) ? std::span<const int64_t>(std::get<std::vector<int64_t>>(attrs[slot]))
                     : std::span<const int64_t>();
  }
};

struct Cost {
  double flops = 0; // of the unpartitioned op
  double bytes_read = 0;
  double bytes_written = 0;
};

// Traits: what other folders want to know of an op without knowing its name. A new op states those that it
// has.
enum OpFlags : uint32_t {
  // Result element = f(operand elements at the same index). An operand of rank 0 beside a result of higher
  // rank (select's pred, clamp's bounds) stands for every index.
  kElementwise = 1u << 0,
  // No array operand: constant, iota; made again wherever it is used, in whatever tile is asked.
  kSource = 1u << 1,
  kCommutative = 1u << 2,
  kSideEffect = 1u << 3,  // may not be removed or repeated
  kRename = 1u << 4,      // result has the operand's bytes in the same order (reshape, optimization_barrier)
  kOpaque = 1u << 5,      // custom_call without a kernel
  kControlFlow = 1u << 6, // its regions are bodies, whose ops run one by one: see variables.hpp
  // The result is the first operand with a part replaced; kernels work where that operand lies, too.
  kUpdate = 1u << 7,
  // Elementwise, and no dearer than reading the result from memory: fused steps may make it again.
  kCheap = 1u << 8,
  // Of sources it is a source: made again wherever it is used, at no cost that counts.
  kSourceOfSources = 1u << 9,
  // Only compares elements and chooses among them: nothing is rounded.
  kChooses = 1u << 10,
  // Elements pass in another order or shape. Where shardings settle, such ops go first, like elementwise
  // ones.
  kPassThrough = 1u << 11,
  // The result on a tile does not depend on where the tile lies, so devices may share a kernel. Elementwise
  // ops need not say so.
  kPlaceless = 1u << 12,
  // Element types are part of what it computes: a program in wider types leaves them as they are.
  kOwnTypes = 1u << 13,
  // Dimensions put in front of all operands and results count independent runs, once AttrDims have been
  // followed.
  kBatches = 1u << 14,
  // Each result element is an element of operand 0: `rearranges` says which (ops/rearrange.hpp).
  kRearranges = 1u << 15,
};

// What an op is to those who read its attributes, write it in a form of its own, make it, or have a kernel
// for it. An op that nobody treats specially is `other`.
enum class OpKind : uint8_t {
  other,
  argument, // of the program
  result,
  barrier,
  broadcast,
  cholesky,
  compare,
  concatenate,
  conditional,
  constant,
  convolution,
  custom_call,
  dot,
  dynamic_slice,
  dynamic_update_slice,
  fft,
  gather,
  iota,
  loop,
  map,
  pad,
  random_bits,
  random_numbers,
  reduce,
  reduce_window,
  reshape,
  scatter,
  select_and_scatter,
  slice,
  sort,
  top_k,
  transpose,
  triangular_solve,
};

// Where the elements along one dimension of a result come from: index i of it is begin + i * step of the
// operand's dimension `dim`; all are the same element where that is -1.
struct ElementRead {
  int dim = -1;
  int64_t begin = 0, step = 1;
};

struct OpDef {
  const char *name;               // "stablehlo.add"
  const char *doc;                // one sentence, then the specification's section name
  int min_operands, max_operands; // max -1 = any number
  int num_results;                // -1 = as many as infer says
  std::vector<AttrSpec> attrs;
  uint32_t flags = 0;
  int num_regions = 0; // -1 = any number
  OpKind kind = OpKind::other;

  // Result types from operand types and attributes, or an error naming the operands, dimensions and sizes
  // that do not fit. The message does not repeat the op's name; the caller adds name and position.
  Result<std::vector<graph::TensorType>> (*infer)(const OpView &op) = nullptr;
  // Checks result types that a text states. Null: they must equal infer's.
  Status (*check)(const OpView &op) = nullptr;
  Rule (*rule)(const OpView &op) = nullptr;
  // The same where it is known at which places slices begin; null: they change nothing.
  Rule (*rule_at)(const OpView &op, const KnownStarts &starts) = nullptr;
  Cost (*cost)(const OpView &op) =
      nullptr; // null: one flop per result element, bytes of operands and results
  // kRearranges only: per dimension of the result.
  std::vector<ElementRead> (*rearranges)(const OpView &op) = nullptr;
  // Whether combining by `kind` what the op makes of partial operands gives what it makes of the combined
  // ones, where exactly the operands of a set are partial (a bit each) and the others the same everywhere;
  // init operands enter once, as in a split reduction. Null: never.
  bool (*linear)(const OpView &op, uint64_t partial, sharding::Reduction kind) = nullptr;
  // Marks the factors whose tiles must know where they lie, besides those that the rule tells (windows,
  // pick). Null: none.
  void (*mark_placed)(const OpView &op, const Rule &rule, std::vector<bool> &placed) = nullptr;
  // The rule of a typical instance for `tw ops`, "([b,i,k],[b,k,j])->([b,i,j]) k:sum". Null: elementwise, or
  // an op without factors.
  const char *rule_text = nullptr;
  // kElementwise only: what it makes of one element of each operand (ops/expression.hpp).
  Expression (*scalar)(const OpView &op) = nullptr;
};

// What one file of this folder registers: `OpFamily NAME_ops::family()` for the line TW_OP_FAMILY(NAME).
using OpFamily = std::span<const OpDef>;

} // namespace tw::ops
