// SPDX-License-Identifier: Apache-2.0
// A plan: graph + mesh + one loop nest per op. A nest is an ordered list of (mesh axis, factor), outer to inner; slices, tiles, sums,
// distributed types and collectives are all derived from the nests, so a choice costs bytes and undoing it is a pop.
//
// Nodes are the graph's ops, followed by *pins*: virtual identity ops that an action on an intermediate value places between the value's
// producer and all of its users (the seeds' dumb-tile, PartIR's atomic).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"
#include "ops/registry.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::partition {

using NodeId = uint32_t;      // < graph.ops().size(): an op; above: a pin
using SplitId = uint16_t;     // into Plan's table of split rules; 0 = balanced
constexpr ops::FactorId kAny = 254; // kept whole on this axis on purpose; stops propagation

struct NestEntry {
  sharding::AxisId axis;
  ops::FactorId factor; // of the node's rule, or kAny
  SplitId split = 0;    // how the factor is cut on this axis
  uint16_t tactic = 0;  // which tactic decided it (0: annotations of the module)
  NodeId cause = graph::kNone; // the neighbour whose decision was the evidence; kNone: an action put it here
};

enum class Mode : uint8_t {
  propagate,       // forms a sum only where every operand that carries the factor is tiled already
  infer_propagate, // one tiled operand is enough; the others are tiled by inference
};

// One step applied to the plan: a line of a spec, an annotation of the module, or a call through the API.
struct Tactic {
  std::string text;     // as written
  SourcePos pos;        // "spec.txt:3"
};

struct Candidate {
  ops::FactorId factor;
  SplitId split;
  NodeId source;        // the neighbour that offered it
};

// Why an axis was not given to a node. Conflicts are not errors: they are reported and left undecided.
struct Conflict {
  enum class Kind : uint8_t {
    tie,     // two candidates at the same distance
    illegal, // the factor may not be split so: already used axis, whole factor, reduction gate, uneven block
    strided, // a tile inside a reshaped dimension would not be contiguous
  };
  Kind kind;
  NodeId node;
  sharding::AxisId axis;
  uint16_t tactic;
  std::vector<Candidate> candidates;
  std::string reason;   // one line for people
};

// `expect all_reduce over model == 2`: checked after lowering.
struct Expectation {
  std::string kind;                 // "all_reduce", ..., or "peak"
  std::vector<std::string> over;    // axis names; empty = any
  std::string comparison;           // "==", "!=", "<=", ">=", "<", ">"
  int64_t value = 0;                // a count, or bytes for "peak"
  Tactic tactic;
};

class Plan {
public:
  Plan(std::shared_ptr<const graph::Graph> graph, sharding::Mesh mesh);

  const graph::Graph &graph() const { return *graph_; }
  const std::shared_ptr<const graph::Graph> &graph_ptr() const { return graph_; }
  const sharding::Mesh &mesh() const { return mesh_; }
  const ops::RuleTable &rules() const { return *rules_; }

  // --- nests ---
  size_t num_nodes() const { return num_nodes_; }
  bool is_pin(NodeId n) const { return n >= graph_->ops().size(); }
  graph::ValueId pinned_value(NodeId pin) const;
  std::span<const NestEntry> nest(NodeId n) const;
  const NestEntry *entry(NodeId n, sharding::AxisId a) const; // null: nothing decided for this axis
  const ops::Rule &rule(NodeId n) const;                      // a pin has one pass factor per dimension
  // The node that users of a value see: its pin, else its defining op.
  NodeId source(graph::ValueId v) const;
  const sharding::SplitRule &split(SplitId id) const;

  // Distributed types, derived. What a node makes (stacked where it leaves partial values), and what it must be given.
  sharding::Sharding result_sharding(NodeId n, uint32_t result) const;
  sharding::Sharding operand_sharding(NodeId n, uint32_t operand) const;

  // --- building, in order; one caller at a time ---
  uint16_t begin_tactic(Tactic tactic);
  // Puts (axis, factor) at the end of a node's nest; an error where a nest rule is broken (axis nested twice, whole factor, size).
  Status set(NodeId n, sharding::AxisId axis, ops::FactorId factor, SplitId split);
  // The pin of a value, made when there is none.
  NodeId pin(graph::ValueId v);
  SplitId intern_split(sharding::SplitRule rule);
  // Adds an anonymous axis (`arg-tile`) or returns the one made before for the same range<n,w>.
  Result<sharding::AxisId> anonymous_axis(int64_t n, int64_t w);
  // Runs waves until nothing changes. The result depends only on graph and actions, never on numbering.
  void propagate(Mode mode);
  void expect(Expectation e) { expectations_.push_back(std::move(e)); }
  // func.result layouts asked by `shard(result=..)`: no evidence for anybody, the result moves at the end where it must.
  void pin_result_layout(size_t result, sharding::Sharding layout);

  // --- undo ---
  using Stamp = size_t;
  Stamp stamp() const;
  void undo_to(Stamp s); // forgets every nest entry, pin, conflict and tactic made since

  // --- looking ---
  std::span<const Tactic> tactics() const { return tactics_; }
  std::span<const Conflict> conflicts() const { return conflicts_; }
  std::span<const Expectation> expectations() const { return expectations_; }
  size_t memory_bytes() const;

private:
  friend class Propagation;
  std::shared_ptr<const graph::Graph> graph_;
  sharding::Mesh mesh_;
  std::shared_ptr<const ops::RuleTable> rules_;
  size_t num_nodes_ = 0;
  std::vector<Tactic> tactics_;
  std::vector<Conflict> conflicts_;
  std::vector<Expectation> expectations_;
  // ... owned by src/partition: nests, pins, log
};

} // namespace tw::partition
