// SPDX-License-Identifier: Apache-2.0
// What the passes of the lowering share: the plan that they read, the program that they make, and the tables
// between them. Distributed types are interned, so that a program costs what its distinct types cost,
// whatever the number of devices.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/flat_map.hpp"
#include "base/hash.hpp"
#include "base/id_set.hpp"
#include "base/interner.hpp"
#include "partition/plan.hpp"
#include "spmd/program.hpp"

namespace tw::spmd {

// The types that one node must be given and makes, and the axes over which it leaves partial values.
struct NodeTypes {
  std::vector<ShardingId> operands, results;
  sharding::AxisSet reduce_axes = {};
  bool operator==(const NodeTypes &) const = default;
};

struct NodeTypesHash {
  size_t operator()(const NodeTypes &types) const {
    return Hasher(types.reduce_axes.bits())
        .add(std::span(types.operands))
        .add(std::span(types.results))
        .value();
  }
};

// How a partial value is reduced.
struct ReductionPath {
  std::vector<ShardingId> steps; // the types through which it goes
  bool kept_partial = false;     // other uses take it as it was made
};

// Ops that are made in each of some layouts, when it is wanted, and not as their nodes are.
using MadeAgain = std::unordered_map<graph::OpId, std::vector<ShardingId>>;

// The part of a program that is lowered again, because its plan changed there (kept_lowering.hpp).
struct Scope {
  IdSet nodes; // derive_types, gather_picks, join_slices, defer_sums: whose types are found anew
  std::vector<partition::NodeId> reached; // defer_sums: others that theirs depend on
  IdSet values;                           // place_reductions, emit: whose moves are
  std::map<graph::RegionId, std::vector<graph::OpId>>
      ops; // emit: who makes or reads them, and control flow around these

  // What was another one before, the last one last.
  std::vector<std::pair<partition::NodeId, uint32_t>> types_before;
  std::vector<std::pair<uint32_t, std::optional<ShardingId>>> result_types_before;
  std::vector<std::pair<partition::NodeId, bool>> may_be_partial_before;
};

// What defer_sums was asked before, and answered.
struct DeferredBefore;

class Lowering {
public:
  explicit Lowering(const partition::Plan &plan, Options options = {},
                    std::set<graph::OpId> crossing_ops = {});

  const partition::Plan &plan;
  const Options options;
  const graph::Graph &graph;
  const sharding::Mesh &mesh;
  std::shared_ptr<Program> program;

  // Loops of the program in which something moves along an axis of steps or threads: what they carry is whole
  // along these. outline_loop_crossings finds them, and where it finds others than it was given, the lowering
  // begins again with them.
  std::set<graph::OpId> crossing_ops;

  // Null: everything is lowered.
  Scope *scope = nullptr;
  bool has_in_scope(graph::ValueId v) const { return scope == nullptr || scope->values.contains(v); }

  // --- what the passes find, in their order ---
  std::vector<bool> live;                              // mark_live: ops that a result or a side effect needs
  std::vector<uint32_t> types_of;                      // derive_types: per node, into `types`
  Interner<NodeTypes, NodeTypesHash> types;            //
  std::vector<std::optional<ShardingId>> result_types; // the layouts asked for the program's results
  std::vector<bool>
      may_be_partial; // defer_sums: nodes whose results are partial over some axis, or could be, were some operands so
  std::shared_ptr<DeferredBefore> deferred_before;                   //
  std::unordered_map<graph::ValueId, ReductionPath> reduction_paths; // place_reductions
  std::map<graph::OpId, graph::OpId> given_halos;                // arguments with halos, and which op says so
  std::unordered_map<ShardingId, ShardingId> tiles_without_halo; // with_halo: of those with their halos

  MadeAgain made_again; // make_again

  // --- distributed types ---
  // In canonical form: the simplest split rules, no axis of size 1.
  ShardingId intern(sharding::Sharding s, const graph::TensorType &type);
  const sharding::Sharding &sharding(ShardingId id) const { return shardings_[id]; }
  std::vector<sharding::Sharding> shardings() const { return {shardings_.begin(), shardings_.end()}; }
  // Whether every device has its tile of one layout in its tile of another.
  bool lies_in(graph::TypeId type, ShardingId inner, ShardingId outer) const;
  // How an array of some type moves from one layout to another; `number`: that of the type.
  const redistribute::Move &move(graph::TypeId number, const graph::TensorType &type, ShardingId src,
                                 ShardingId dst) {
    return program->moves_->find({number, src, dst}, mesh, type, sharding(src), sharding(dst));
  }
  const redistribute::Move &move(graph::TypeId type, ShardingId src, ShardingId dst) {
    return move(type, graph.type_at(type), src, dst);
  }
  const redistribute::Summary &summary(graph::TypeId type, ShardingId src, ShardingId dst) {
    return move(type, src, dst).summary();
  }

  // --- nodes ---
  const ops::Variables &variables() const { return plan.flow().variables(); }
  bool is_live(partition::NodeId n) const { return live[plan.op_of(n)]; }
  const NodeTypes &node(partition::NodeId n) const { return types[types_of[n]]; }
  void set_types(partition::NodeId n, NodeTypes of_node) { set_types(n, types.intern(std::move(of_node))); }
  void set_types(partition::NodeId n, uint32_t id) { set(types_of, n, id, &Scope::types_before); }
  void ask_result(uint32_t result, std::optional<ShardingId> layout) {
    set(result_types, result, layout, &Scope::result_types_before);
  }
  void set_may_be_partial(partition::NodeId n, bool may) {
    set(may_be_partial, n, may, &Scope::may_be_partial_before);
  }
  // The results whose layouts a node may have a say in: it is their op, makes their values, or is an argument
  // that they overwrite. Pins must be there.
  std::span<const uint32_t> results_at(partition::NodeId n) const {
    return std::span(results_).subspan(results_begin_[n], results_begin_[n + 1] - results_begin_[n]);
  }
  void find_results_at();
  bool is_argument(graph::OpId op) const { return graph.op(op).code == argument_code_; }
  bool is_result(partition::NodeId n) const { return plan.is_op(n) && graph.op(n).code == result_code_; }
  bool is_source(graph::ValueId v) const {
    return graph.value(v).def != graph::kNone && plan.is_source(graph.value(v).def);
  }
  // Which argument or result of the program an op of the signature is.
  uint32_t signature_index(graph::OpId op) const { return signature_index_.at(op); }

  // Whether something that may be left out by name is to be done.
  bool does(std::string_view name) const { return std::ranges::count(options.without, name) == 0; }

  // Whether a value may lie in some layout as long as a loop runs (Options::hoist_limit).
  bool may_be_kept(graph::ValueId v, ShardingId type) const;

  // Hands the types over to the program.
  std::shared_ptr<const Program> finish();

private:
  friend Status derive_types(Lowering &lowering);
  template <class Table, class Value, class Log>
  void set(Table &table, uint32_t at, const Value &value, Log log) {
    if (table[at] == value)
      return;
    if (scope != nullptr)
      (scope->*log).emplace_back(at, table[at]);
    table[at] = value;
  }
  struct ShardingHash {
    size_t operator()(const sharding::Sharding &s) const { return sharding::hash_value(s); }
  };

  graph::OpCode argument_code_, result_code_;
  std::unordered_map<graph::OpId, uint32_t> signature_index_;
  Interner<sharding::Sharding, ShardingHash> shardings_;
  // All that the types of a node depend on has a number, and what comes to it leads to another one.
  uint32_t key_with(uint32_t key, uint32_t more) {
    const auto [next, fresh] = next_key_.try_emplace(uint64_t{key} << 32 | more);
    if (fresh) {
      next = static_cast<uint32_t>(types_of_key_.size());
      types_of_key_.push_back(graph::kNone);
    }
    return next;
  }
  uint32_t key_without_nest(partition::NodeId n);
  FlatMap<uint32_t> next_key_;
  std::vector<uint32_t> types_of_key_{graph::kNone}; // kNone: nobody has asked
  std::vector<uint32_t> keys_without_nest_;          // by node, likewise
  std::vector<graph::OpId> overwritten_;          // per result the argument in whose place the caller gets it
  std::vector<uint32_t> results_begin_, results_; // of find_results_at, by node
};

// Appends an instruction with its operands and results, copies of graph values from `first_origin` on;
// answers with the first result.
ValueRef append(Program &program, Instr instr, std::span<const ValueRef> operands,
                graph::ValueId first_origin, std::span<const ShardingId> results);

// How often each collective runs: only `times` and `unknown_trips`.
void count_runs(const Program &program, Statistics &statistics);
// Appends to the program's collectives one whose instruction is the next; answers with its index.
uint32_t add_collective(Program &program, Collective collective);
// Leaves the lowering an empty program; the one that it had can be asked for its types.
Program take_program(Lowering &lowering);
// The axes over which data moves, a bit each.
sharding::AxisSet axes_of(const redistribute::Summary &s);

// The passes in front of `end`, null for all.
Status run_passes(Lowering &lowering, Status (*end)(Lowering &));

// The tiles of a value with what lies around them as far as a keep_halo says; as they are where they have no
// halos.
ShardingId with_halo(Lowering &lowering, graph::ValueId v, ShardingId tiles, graph::OpId keep_halo);
// What a keep_halo says of each dimension of such tiles.
sharding::Halos halos_around(const Lowering &lowering, ShardingId tiles, graph::OpId keep_halo);
// Whether an op picks something out of an array that is tiled along it, in a loop or at a known place
// (gather_picks).
bool may_bring_picks(const Lowering &lowering, partition::NodeId n);
// Whether an op may join slices (join_slices).
bool joins_slices(const graph::Graph &graph, graph::OpId op);
// The types of an op that makes its result in another layout, with tiles over the same axes, out of operands
// that are as much wider; nothing where they do not follow.
std::optional<NodeTypes> made_in(Lowering &lowering, graph::OpId op, ShardingId type);
// In which layout an operand of an op without windows must be for the result to have some layout; nothing
// where the rule cannot say.
std::optional<ShardingId> operand_type(Lowering &lowering, graph::OpId op, uint32_t operand,
                                       ShardingId result);
// Whether a node is a loop variable that no turn changes.
bool hands_on(const partition::Plan &plan, partition::NodeId n);
// Whether a region combines the partial values of a type: then all results of an op are combined together,
// read or not.
bool by_region(const sharding::Sharding &s);
// The types through which a partial value is reduced for uses that want it in some layouts: those that are
// tiled in the same way by all of these have it scattered over the axes.
std::vector<ShardingId> closing_steps(Lowering &lowering, ShardingId made, graph::TypeId type,
                                      std::span<const ShardingId> wanted);

// The axes over which there are loops, outer ones first: steps around threads, else as in the mesh.
std::vector<sharding::AxisId> loop_order(const sharding::Mesh &mesh);

// The passes, in the order of pass_list.inc.
#define TW_PASS(name, kind) Status name(Lowering &lowering);
#define TW_CHOICE(name)
#include "spmd/pass_list.inc"
#undef TW_PASS
#undef TW_CHOICE

} // namespace tw::spmd
