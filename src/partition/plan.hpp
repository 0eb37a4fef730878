// SPDX-License-Identifier: Apache-2.0
// A plan: graph + mesh + one loop nest per op. A nest is an ordered list of (mesh axis, factor), outer to
// inner; slices, tiles, sums, distributed types and collectives are all derived from the nests, so a choice
// costs bytes and undoing it is a pop.
//
// Nodes are the graph's ops, followed by the *variables* of its control flow and barriers, which stand for
// these, and by *pins*: virtual identity ops that an action on an intermediate value places between the
// value's producer and all of its users (the dumb-tile of the PartIR slides, PartIR's atomic). One pin may
// hold several values: then they all have one layout.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"
#include "ops/registry.hpp"
#include "partition/action.hpp"
#include "partition/action_set.hpp"
#include "partition/adjacency.hpp"
#include "partition/flat_rule.hpp"
#include "partition/moves.hpp"
#include "partition/names.hpp"
#include "partition/nests.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::partition {

// What propagation does where evidence leaves a choice. One engine, four ways (policy.hpp):
enum class Policy : uint8_t {
  conservative, // a tie stays undecided and is reported
  shardy,       // cheap ops go first, level by level; of several ways the one that moves the fewest bytes
  cheapest,     // as shardy, but for bytes alone: without levels; some actions first, where less moves then
  explicit_     // forward only, as in JAX's explicit mode: what neither is stated nor follows is an error
};

enum class Mode : uint8_t {
  propagate,       // forms a sum only where every operand that carries the factor is tiled already
  infer_propagate, // one tiled operand is enough; the others are tiled by inference
};

// Which way layouts pass between the maker of a pinned value and its pin.
enum class Direction : uint8_t { both, forward, backward, none };

struct Candidate {
  ops::FactorId factor;
  SplitId split;
  NodeId source; // the neighbour that offered it
};

// Why an axis was not given to a node. Conflicts are not errors: they are reported and left undecided.
// conflicts.hpp describes them.
struct Conflict {
  enum class Kind : uint8_t {
    tie,  // two candidates at the same distance
    gate, // `propagate`: not every operand that carries the reduced factor is tiled; infer-propagate would go
          // on
    uneven,  // a reshape would cut inside blocks that stay together
    strided, // a tile inside a reshaped dimension would not be contiguous
    mismatch, // decided, and a neighbour is tiled another way: the value between them moves (disagreements.hpp)
    illegal, // what a neighbour offers must stay whole here
  };
  Kind kind;
  sharding::AxisId axis;
  ActionId action; // of the first candidate
  NodeId node;
  std::vector<Candidate> candidates;
};

// `expect all_reduce over model == 2`: checked after lowering.
struct Expectation {
  std::string kind; // "all_reduce", .., "conflict"; "peak", "received", which are in bytes; "time"
  std::vector<std::string> over; // axis names; empty = any
  std::string comparison;        // "==", "!=", "<=", ">=", "<", ">"
  int64_t value = 0;             // a count, bytes, or nanoseconds
  std::string system = {};       // of a time, and of a peak on it: system::load
  Action action;
};

class Plan {
public:
  // `known` says how calls of foreign code may be split; it fits the graph.
  Plan(std::shared_ptr<const graph::Graph> graph, sharding::Mesh mesh,
       std::vector<ops::OpaqueRule> known = {});

  const graph::Graph &graph() const { return *graph_; }
  const std::shared_ptr<const graph::Graph> &graph_ptr() const { return graph_; }
  const sharding::Mesh &mesh() const { return mesh_; }
  const ops::RuleTable &rules() const { return *rules_; }
  const std::shared_ptr<const ops::RuleTable> &rules_ptr() const { return rules_; }
  const Names &names() const { return *names_; }

  // --- nests ---
  size_t num_nodes() const { return nests_.num_nodes(); }
  const DataFlow &flow() const { return *flow_; }
  bool is_op(NodeId n) const { return n < num_ops_; }
  bool is_pin(NodeId n) const { return n >= roles_.size(); }
  bool is_variable(NodeId n) const { return !is_op(n) && !is_pin(n); }
  const ops::Variable &variable(NodeId n) const { return flow_->variables().all()[n - graph_->ops().size()]; }
  std::span<const graph::ValueId> pinned(NodeId pin) const { return pins_[pin - roles_.size()].values; }
  graph::ValueId pinned_value(NodeId pin) const { return pinned(pin)[0]; }
  // What a node reads and makes, in the order of its rule. The ops that variables stand for read and make
  // nothing.
  std::span<const graph::ValueId> reads(NodeId n) const { return is_pin(n) ? pinned(n) : flow_->reads(n); }
  uint32_t num_made(NodeId n) const {
    return is_pin(n) ? static_cast<uint32_t>(pinned(n).size()) : flow_->num_made(n);
  }
  graph::ValueId made(NodeId n, uint32_t i) const { return is_pin(n) ? pinned(n)[i] : flow_->made(n, i); }
  // The op that a node is or stands for: of a variable its while, if, case or barrier, of a pin the maker of
  // its value.
  graph::OpId op_of(NodeId n) const;
  // Whether a node has loops of its own: not what is inside a combiner, and not what variables stand for.
  bool takes_part(NodeId n) const { return is_pin(n) || (roles_[n] & kInnerRole) == 0; }
  std::span<const NestEntry> nest(NodeId n) const { return nests_.of(n); }
  // Null: nothing is decided for this axis.
  const NestEntry *entry(NodeId n, sharding::AxisId a) const { return nests_.entry(n, a); }
  const ops::Rule &rule(NodeId n) const; // a pin has one pass factor per dimension
  // The node that users of a value see: its pin, else what makes it; kNone for the argument of a combiner.
  NodeId source(graph::ValueId v) const;
  // The pin of a value, kNone where it has none.
  NodeId pin_of(graph::ValueId v) const;
  const sharding::SplitRule &split(SplitId id) const { return splits_[id]; }
  // An op that is made again wherever it is used (constant, iota, what is computed from them alone): it takes
  // no axis and gives none.
  bool is_source(NodeId n) const { return !is_pin(n) && (roles_[n] & kSourceRole) != 0; }

  // Distributed types, derived. What a node makes (partial where it leaves partial values), and what it must
  // be given.
  sharding::Sharding result_sharding(NodeId n, uint32_t result) const;
  sharding::Sharding operand_sharding(NodeId n, uint32_t operand) const;
  // As they would be, had the node this nest.
  sharding::Sharding result_sharding(NodeId n, uint32_t result, std::span<const NestEntry> nest) const;
  sharding::Sharding operand_sharding(NodeId n, uint32_t operand, std::span<const NestEntry> nest) const;
  // What one axis of a node's nest does to an operand or result: nothing where the array is whole on it, or
  // partial, or under a window.
  struct Cut {
    uint32_t dim;
    int64_t before;           // tiles that other axes make of the dimension before this one cuts each of them
    sharding::SplitRule rule; // of the dimension over all tiles so far
    bool operator==(const Cut &) const = default;
  };
  std::optional<Cut> operand_cut(NodeId n, uint32_t operand, sharding::AxisId axis) const;
  std::optional<Cut> result_cut(NodeId n, uint32_t result, sharding::AxisId axis) const;

  // --- building, in order; one caller at a time ---
  // Replaces the empty mesh of a plan for which none was given; an error where axes exist that are not the
  // same.
  Status set_mesh(const sharding::Mesh &mesh);
  // What is known of a custom_call by its target, or of one op; an error where no call has it, the text does
  // not fit one, or one is tiled already.
  Status set_opaque_rule(ops::OpaqueRule rule);
  std::span<const ops::OpaqueRule> opaque_rules() const { return opaque_rules_; }
  ActionId begin_action(Action action);
  // Puts (axis, factor) at the end of a node's nest, decided by the current action; an error where a nest
  // rule is broken: the axis is there already, the factor must stay whole or is not reached contiguously.
  // `rule` cuts the factor over all of its axes, this one included; none: what the earlier axes' rule makes
  // of it, balanced where there is none.
  Status set(NodeId n, sharding::AxisId axis, ops::FactorId factor,
             const sharding::SplitRule *rule = nullptr);
  // The pin of a value, made when there is none; it starts with the layout in which the value is made.
  NodeId pin(graph::ValueId v);
  // One pin for values of equal dimensions, none of which has one: whatever tiles one of them tiles all of
  // them alike.
  NodeId pin_together(std::vector<graph::ValueId> values);
  // Which way layouts pass between the maker of a value and its pin, which is made when there is none.
  void set_direction(graph::ValueId v, Direction direction);
  // As they were set; the last one of a value counts.
  std::span<const std::pair<graph::ValueId, Direction>> directions() const { return directions_; }
  // A factor of a node that takes no further axis by propagation.
  void close(NodeId n, ops::FactorId factor);
  bool is_closed(NodeId n, ops::FactorId factor) const {
    return !closed_.empty() && closed_.contains(closed_key(n, factor));
  }
  SplitId intern_split(sharding::SplitRule rule);
  // An anonymous axis: `arg-tile`'s range<n,w> of ceil(n/w) intervals, or `dumb-tile`'s range<k> (n = k, w =
  // 0). The same range is the same axis; `instance` tells apart the nested ones of a value that carries it
  // already.
  Result<sharding::AxisId> anonymous_axis(int64_t n, int64_t w, uint32_t instance = 0);
  // The axis becomes two, of `major` places and the rest, named as parts of it; nests that have it have both,
  // one inside the other, so no tile changes. Axes behind it are counted one further. Not for anonymous axes.
  Status refine(sharding::AxisId axis, int64_t major);
  // Refines the axis of this name where a part of it is to begin behind `pre` places; nothing where one does,
  // or there is no such axis.
  Status begin_part(std::string_view name, int64_t pre);
  bool is_anonymous(sharding::AxisId axis) const;
  // A named axis of steps or threads (`serial`, `threads`).
  Result<sharding::AxisId> add_axis(std::string name, int64_t size, sharding::AxisKind kind);
  // --- rewrites (rewrites.hpp); logged and undone like all else ---
  // Takes the loop over an axis off a node, wherever in its nest it stands; an error where there is none, or
  // one inside it cuts its tiles.
  Status take_off(NodeId n, sharding::AxisId axis);
  // Puts a loop over an axis, all of whose turns do the same, around a node and the loops of its nest from
  // this depth on.
  Status repeat(NodeId n, size_t depth, sharding::AxisId axis);
  // A value is made whole at the end of its loop over an axis, though some who read it could go on in that
  // loop; or is not, as at first.
  void set_materialised(graph::ValueId v, sharding::AxisId axis, bool materialised);
  bool is_materialised(graph::ValueId v, sharding::AxisId axis) const {
    return !materialised_.empty() && materialised_.contains(uint64_t{v} << 8 | axis);
  }
  bool is_materialised(graph::ValueId v) const; // over some axis

  // How choices are made from here on; set before the first action. Where nobody says how to count bytes, the
  // largest array has its way.
  void set_policy(Policy policy, CountMoves count_moves = nullptr) {
    policy_ = policy;
    count_moves_ = std::move(count_moves);
  }
  Policy policy() const { return policy_; }
  // Runs waves until nothing changes. The result depends only on graph and actions, never on numbering. What
  // `silent` actions put somewhere stays there and is no evidence for others; that of `heard` ones is from
  // now on, though it was there when waves last ran.
  void propagate(Mode mode, const ActionSet &silent = {}, const ActionSet &heard = {});
  void expect(Expectation e);
  // func.result layouts asked by `shard(result=..)`: no evidence for anybody, the result moves at the end
  // where it must.
  void pin_result_layout(size_t result, sharding::Sharding layout);
  // The layout so asked, null where none was; and the action that asked for it.
  const sharding::Sharding *result_layout(size_t result) const;
  std::optional<ActionId> result_action(size_t result) const;
  bool has_fixed_layout(NodeId n) const { return n < roles_.size() && (roles_[n] & kFixedRole) != 0; }

  // --- undo ---
  using Stamp = size_t;
  Stamp stamp() const { return log_.size(); }
  void undo_to(Stamp s); // forgets every nest entry, pin, axis, conflict and action made since
  // The nodes whose nests or asked-for layouts are others since then, ascending, so that what follows the
  // plan can go on, or go back where that is undone; nothing where nodes, axes or rules are others too.
  std::optional<std::vector<NodeId>> changed_since(Stamp s) const;

  // --- looking ---
  std::span<const Action> actions() const { return actions_; }
  std::span<const Conflict> conflicts() const {
    return conflicts_;
  } // as met; conflicts.hpp selects those that still stand
  std::span<const Expectation> expectations() const { return expectations_; }
  size_t memory_bytes() const;
  // Equal in everything that undo restores.
  bool same_state(const Plan &other) const;

private:
  friend class Choices;
  friend class Propagation;

  enum Role : uint8_t {
    kSourceRole = 1, // made again at each use
    kInnerRole = 2,  // inside a combiner, whose owner speaks for it; or an op for which variables stand
    kFixedRole = 4,  // a result whose layout the caller fixed
  };
  struct Pin {
    std::vector<graph::ValueId> values;
    uint32_t rule; // into pin_rules_
  };
  // Of a pin or variable: all that it reads and makes is one array.
  struct IdentityRule {
    ops::Rule rule;
    FlatRule flat;
    graph::TypeId type;
    size_t reads, makes;
  };
  struct VariableRules {
    std::vector<IdentityRule> rules;
    std::vector<uint32_t> of; // per variable
  };
  struct ResultLayout {
    size_t result;
    sharding::Sharding layout;
    ActionId action;
    bool operator==(const ResultLayout &) const = default;
  };
  // What undo pops. A number below kLogBase is the node whose nest grew by one.
  static constexpr uint32_t kLogBase = 0xfffffff0;
  enum Log : uint32_t {
    kLogPin = kLogBase,
    kLogAction,
    kLogConflict,
    kLogExpectation,
    kLogLayout,
    kLogMesh,
    kLogAxisName,
    kLogPropagated,
    kLogRules,
    kLogClosed,
    kLogDirection,
    kLogEdit,
    kLogMaterialised,
    kLogRefined
  };
  // A loop that was put somewhere into a nest, or taken out of it.
  struct Edit {
    NodeId node;
    uint8_t depth;
    bool put_in;
    NestEntry entry;
    bool operator==(const Edit &) const = default;
  };

  const FlatRule &flat_rule(NodeId n) const {
    if (is_op(n))
      return (*flat_rules_)[rules_->rule_id(n)];
    return identity_rule(n).flat;
  }
  const IdentityRule &identity_rule(NodeId n) const {
    return is_pin(n) ? *pin_rules_[pins_[n - roles_.size()].rule]
                     : variable_rules_->rules[variable_rules_->of[n - num_ops_]];
  }
  // These ask for memory before it is needed: what `append` writes, what `flat_rule` reads, and in two steps
  // the edges of a node.
  void prefetch_nest(NodeId n, sharding::AxisId axis) const { nests_.prefetch(n, axis); }
  void prefetch_rule(NodeId n) const {
    if (is_op(n))
      rules_->prefetch(n);
  }
  void prefetch_place(NodeId n) const {
    if (!is_pin(n))
      adjacency_->prefetch_place(n);
  }
  void prefetch_edges(NodeId n) const {
    if (!is_pin(n))
      adjacency_->prefetch(n);
  }
  bool decided(NodeId n, sharding::AxisId a) const { return nests_.is_decided(n, a); }
  // A loop over this factor leaves sums, which may be scattered.
  bool is_scattered(NodeId n, ops::FactorId factor) const {
    return factor != kAny && flat_rule(n).kind(factor) == ops::FactorKind::reduce &&
           !flat_rule(n).folds(factor);
  }
  Direction direction(graph::ValueId v) const;
  static uint64_t closed_key(NodeId n, ops::FactorId factor) { return uint64_t{n} << 8 | factor; }
  static IdentityRule make_identity(const graph::Graph &graph, graph::TypeId type, size_t reads,
                                    size_t makes);
  void make_variables();
  void append(NodeId n, const NestEntry &e);
  void insert(NodeId n, size_t depth, const NestEntry &e);
  void change(const Edit &edit); // without the log
  Status check_room(NodeId n, sharding::AxisId axis, ops::FactorId factor) const;
  // False where the factors before `factor` in some dimension are not covered by the node's axes, or one
  // behind it is split.
  bool contiguous(NodeId n, ops::FactorId factor) const;
  int64_t tiles_of(NodeId n, ops::FactorId factor) const;
  SplitId last_split(NodeId n, ops::FactorId factor) const; // of all its axes together
  // Cut into single elements, one a tile: then the next more minor factor may be split and tiles stay
  // contiguous.
  bool covered(NodeId n, ops::FactorId factor) const;
  // What one axis of a node does to one dimension of an operand or result.
  struct AxisCut {
    int64_t before;           // tiles that the axes outside it make of the dimension
    bool major;               // it cuts the most major factor
    sharding::SplitRule rule; // of the dimension over all tiles so far
  };
  std::optional<AxisCut> axis_cut(NodeId n, uint32_t slot, uint32_t dim, sharding::AxisId axis) const;
  std::optional<Cut> cut(NodeId n, uint32_t slot, sharding::AxisId axis) const;
  sharding::Sharding layout(NodeId n, uint32_t slot, size_t rank, std::span<const NestEntry> nest) const;
  // A dimension under a window: the tiles that the node's axes make of it, halos included.
  sharding::DimSharding window_layout(NodeId n, const ops::Window &window,
                                      std::span<const NestEntry> nest) const;
  void record(Conflict c);
  static uint64_t conflict_key(NodeId n, sharding::AxisId a) { return uint64_t{n} << 8 | a; }
  void refine_conflicts(sharding::AxisId axis, int64_t minor);
  SplitId coarsen(NodeId n, ops::FactorId factor, SplitId split, int64_t tiles, int64_t minor);
  void undo_refine();
  void set_rules(); // as the graph and opaque_rules_ say
  std::vector<NodeId> find_turning() const;

  std::shared_ptr<const graph::Graph> graph_;
  NodeId num_ops_;
  sharding::Mesh mesh_;
  std::shared_ptr<const ops::RuleTable> rules_;
  std::shared_ptr<const std::vector<FlatRule>> flat_rules_; // by rule id
  // Ops that have both loops that must stay whole and others: the last resort of propagation (turn.cpp).
  std::shared_ptr<const std::vector<NodeId>> turning_;
  std::shared_ptr<const DataFlow> flow_;
  std::shared_ptr<const VariableRules> variable_rules_;
  std::vector<ops::OpaqueRule> opaque_rules_;
  std::vector<std::vector<ops::OpaqueRule>> earlier_rules_; // before each change, for undo
  std::shared_ptr<const Adjacency> adjacency_;
  std::shared_ptr<const Names> names_;
  std::vector<uint8_t> roles_; // per op and variable
  std::vector<Action> actions_;
  std::vector<Conflict> conflicts_;
  std::unordered_map<uint64_t, uint8_t> conflict_kinds_; // (node, axis) -> bit per kind recorded
  std::vector<Expectation> expectations_;

  Nests nests_;
  std::vector<Pin> pins_;
  std::unordered_set<uint64_t> closed_;
  std::vector<uint64_t> closed_order_;                                       // for undo
  std::vector<std::pair<graph::ValueId, Direction>> directions_;             // as they were set
  std::unordered_map<graph::ValueId, std::vector<Direction>> directions_of_; // the last one counts
  std::vector<Edit> edits_;
  std::unordered_set<uint64_t> materialised_;
  std::vector<uint64_t> apart_order_; // each turns one over; for undo
  Policy policy_ = Policy::conservative;
  CountMoves count_moves_ = nullptr;
  std::vector<std::shared_ptr<const IdentityRule>> pin_rules_;
  std::unordered_map<graph::ValueId, NodeId> pin_of_;
  std::vector<sharding::SplitRule> splits_;
  struct AnonymousAxis {
    int64_t n, w;
    uint32_t instance;
    sharding::AxisId axis;
  };
  std::vector<AnonymousAxis> anonymous_;
  std::vector<sharding::Mesh> earlier_meshes_; // for undo
  const ResultLayout *find_result_layout(size_t result) const;
  std::vector<ResultLayout> result_layouts_; // the last one of a result counts
  std::vector<uint32_t> log_;
  std::vector<size_t> propagated_; // log sizes at which waves last ended
  // What an axis was before it became two, for undo; nests need no copy.
  struct Refined {
    sharding::AxisId axis;
    sharding::Mesh mesh;
    std::vector<Conflict> conflicts;
    std::unordered_map<uint64_t, uint8_t> conflict_kinds;
    std::vector<ResultLayout> result_layouts;
    std::vector<AnonymousAxis> anonymous;
    std::unordered_set<uint64_t> materialised;
  };
  std::vector<Refined> refined_;
};

} // namespace tw::partition
