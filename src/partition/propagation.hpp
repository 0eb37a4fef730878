// SPDX-License-Identifier: Apache-2.0
// Evidence: what the decision of one node says about its neighbour. Propagation runs on it, `explain` answers
// from it.
#pragma once

#include <vector>

#include "partition/plan.hpp"

namespace tw::partition {

// Why a neighbour's decision is no candidate, or that it is one.
enum class Verdict : uint8_t {
  candidate,
  nothing, // the axis does not reach the dimension between them, or that dimension has no factor
  whole,   // the factor that it reaches must stay whole
  uneven,  // a reshape would cut inside blocks that stay together
  strided, // a tile inside a reshaped dimension would not be contiguous
};

struct Evidence {
  Verdict verdict = Verdict::nothing;
  Candidate candidate{kNoFactor, 0, graph::kNone};
};

// An edge between nodes; slots count the operands of a node's rule first, then its results.
struct Neighbour {
  NodeId node;
  uint32_t own_slot;
  uint32_t slot; // the neighbour's
};

// Waves over one plan.
class Propagation {
public:
  explicit Propagation(Plan &plan) : plan_(plan) {}

  void run(Mode mode);

  // What neighbour `from` (through its slot and dimension) says about `to` on an axis that `from` has
  // decided.
  Evidence project(NodeId from, uint32_t from_slot, NodeId to, uint32_t to_slot, sharding::AxisId axis);
  // Everything the decided neighbours of a node say about an axis: operands first, then users.
  std::vector<Evidence> evidence(NodeId n, sharding::AxisId axis);
  std::vector<Neighbour> neighbours(NodeId n);
  // Whether every operand that carries a reduced factor is tiled on it, or a source.
  bool gate_open(NodeId n, sharding::AxisId axis, ops::FactorId factor);

private:
  struct Blocked {
    NodeId node;
    Conflict::Kind kind;
  };
  // What a node heard so far about the axis being run; valid where `epoch` is the current one.
  struct Heard {
    uint32_t epoch = 0;
    uint32_t wave = 0;
    SplitId split = 0;
    NodeId source = 0;
    uint16_t tactic = 0;
    ops::FactorId factor = kNoFactor;
    bool tie = false;
  };

  struct Decision {
    NodeId node;
    NestEntry entry;
  };

  bool run_axis(sharding::AxisId axis, const std::vector<NodeId> &seeds, const std::vector<NodeId> &retry,
                Mode mode);
  Evidence project(NodeId from, const NestEntry &e, uint32_t from_slot, NodeId to, uint32_t to_slot);
  void push(NodeId n, const NestEntry &e);
  bool decided(NodeId n) const { return (decided_[n >> 6] >> (n & 63) & 1) != 0; }
  void prefetch(NodeId n) const;
  void offer(NodeId to, const Evidence &e, uint16_t tactic);
  template <class Wants, class Skip, class Visit>
  void each_edge(NodeId n, Wants wants, Skip skip, Visit visit) const;
  void record(Conflict::Kind kind, NodeId n, sharding::AxisId axis);

  Plan &plan_;
  std::vector<Heard> heard_;
  std::vector<uint64_t> decided_; // a bit per node for the axis being run: the whole of it stays in cache
  std::vector<NodeId> touched_;
  std::vector<Blocked> blocked_;
  uint32_t epoch_ = 0, wave_ = 0;
};

} // namespace tw::partition
