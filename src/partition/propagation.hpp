// SPDX-License-Identifier: Apache-2.0
// Evidence: what the decision of one node says about its neighbour. Propagation runs on it, `explain` answers
// from it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "partition/plan.hpp"

namespace tw::partition {

struct FactorPlace;

// Why a neighbour's decision is no candidate, or that it is one.
enum class Verdict : uint8_t {
  candidate,
  nothing, // the axis does not reach the dimension between them, or that dimension has no factor
  whole,   // the factor that it reaches must stay whole, or takes no further axis
  uneven,  // a reshape would cut inside blocks that stay together
  strided, // a tile inside a reshaped dimension would not be contiguous
};

struct Evidence {
  Verdict verdict = Verdict::nothing;
  Candidate candidate{kNoFactor, 0, graph::kNone};
  // Where the axis does not fit (uneven): a major part of it that does, by its places; 0 where none does.
  int64_t part = 0;
};

// A loop that a node is to have as soon as somebody offers it, on any level, and no other over the axis.
// `at_once`: it has it before the waves, though nobody offers it; `at_last`: behind them, if nobody did.
struct Choice {
  enum class When : uint8_t { offered, at_once, at_last };
  NodeId node;
  sharding::AxisId axis;
  ops::FactorId factor;
  When when = When::offered;
  bool operator==(const Choice &) const = default;
};

// How waves run: what the actions of `silent` put somewhere is no evidence, what those of `heard` put there
// is from now on, though it was there before (Plan::propagate).
struct Waves {
  Mode mode = Mode::infer_propagate;
  ActionSet silent = {}, heard = {};
  std::optional<Policy> policy = {};     // another one than the plan's
  bool by_levels = true;                 // of the policy; else all ops hear from the start
  std::vector<Choice> chosen = {};       // by node, then axis
  Direction direction = Direction::both; // forward: users hear of makers, and makers of nobody
};

// The same once an axis is two: both parts go where it was to go.
std::vector<Choice> of_parts(const std::vector<Choice> &chosen, sharding::AxisId axis);

// Waves over one plan.
class Propagation {
public:
  explicit Propagation(Plan &plan, const Waves &how = {});

  void run();

  // The plan as its actions alone leave it: no loop that followed from another node, and no conflict.
  static Plan stated(const Plan &plan);

  // What neighbour `from` (through its slot and dimension) says about `to` on an axis that `from` has
  // decided.
  Evidence project(NodeId from, uint32_t from_slot, NodeId to, uint32_t to_slot, sharding::AxisId axis);
  // Everything the decided neighbours of a node say about an axis: operands first, then users.
  std::vector<Evidence> evidence(NodeId n, sharding::AxisId axis);
  std::vector<Neighbour> neighbours(NodeId n);
  // Whether every operand that carries a reduced factor is tiled on it, or a source.
  bool gate_open(NodeId n, sharding::AxisId axis, ops::FactorId factor);

private:
  static constexpr uint8_t kInnermost = 255; // behind all loops of a nest
  struct Blocked {
    NodeId node;
    Conflict::Kind kind;
  };
  // What a node heard so far about the axis being run.
  struct Heard {
    NodeId node;
    uint32_t wave;
    SplitId split;
    NodeId source;
    ActionId action;
    ops::FactorId factor;
    bool tie;
    uint8_t depth; // in the node's nest
  };
  struct Decision {
    NodeId node;
    NestEntry entry;
    uint8_t depth = kInnermost;
  };
  // A decided node of the wave, and a neighbour to whom it has something to say.
  struct Offer {
    uint32_t decision; // into frontier_
    Neighbour to;      // as its own slots count
  };

  struct Seed { // a node that has decided an axis since waves last ended
    sharding::AxisId axis;
    NodeId node;
  };
  struct News {
    std::vector<Seed> seeds;
    std::vector<NodeId> changed;
  };
  News find_news() const;
  // An axis that does not fit where a major part of it does: of the parts asked for, that of the largest
  // array, then the smallest.
  struct Part {
    int64_t elements, places;
  };
  void run_level(std::vector<sharding::AxisId> &order, std::vector<Seed> &seeds,
                 const std::vector<NodeId> &changed);
  // True where something was decided. It ends at once where parts were asked for, and all that it did is to
  // be undone then.
  bool run_axis(sharding::AxisId axis, const std::vector<NodeId> &seeds, const std::vector<NodeId> &retry);
  Evidence project(NodeId from, const NestEntry &e, uint32_t from_slot, NodeId to, uint32_t to_slot);
  Evidence fit(NodeId from, const NestEntry &e, uint32_t from_slot, uint8_t dim, NodeId to, uint32_t to_slot,
               const FactorPlace &place, int64_t tiles, Evidence evidence);
  // The last resort (turn.cpp): which of some nodes run an axis over a free loop, as nobody offers them
  // anything but what must stay whole.
  std::optional<ops::FactorId> free_loop(NodeId n, uint32_t operand, sharding::AxisId axis) const;
  std::optional<NestEntry> turned(NodeId n, sharding::AxisId axis);
  std::vector<Seed> turn(std::span<const NodeId> nodes, sharding::AxisId axis);
  bool refine(size_t at, std::vector<sharding::AxisId> &order, std::vector<Seed> &seeds);
  void ask_for_part(NodeId n, int64_t places);
  bool passes(NodeId from, uint32_t from_slot, NodeId to, uint32_t to_slot) const;
  void push(uint32_t decision);
  void make_offers();
  // What some readers of a sum want, said to the others.
  void share_sums(sharding::AxisId axis);
  void commit();
  // Whether an action put this loop there, one of those that are not heard yet.
  bool is_silent(const NestEntry &e) const { return e.cause == graph::kNone && silent_.contains(e.action); }
  // Where in a node's nest a loop over the axis belongs.
  uint8_t depth_for(NodeId n, sharding::AxisId axis, const Candidate &c) const;
  void offer(NodeId to, sharding::AxisId axis, const Evidence &e, ActionId action);
  Heard *heard(NodeId n);
  template <class Wants, class Skip, class Visit>
  void each_edge(NodeId n, Wants wants, Skip skip, Visit visit) const;
  // Whether a node may take this: it was chosen, or the policy lets it on the present level; if not, it may
  // on a later one.
  bool allowed(NodeId n, uint32_t own_slot, sharding::AxisId axis, ops::FactorId factor);
  // Of candidates that differ, the one that comes with the largest array, then the first operand or result;
  // none where that decides nothing.
  std::optional<Candidate> largest(NodeId n, sharding::AxisId axis);
  // How the policy decides a tie, if it does: under `shardy` by the largest, under `explicit` by what was
  // stated of the node's result.
  std::optional<Candidate> settle(NodeId n, sharding::AxisId axis);
  std::optional<Candidate> stated(NodeId n, sharding::AxisId axis);
  bool lost_candidate(const Conflict &c) const;
  void record(Conflict::Kind kind, NodeId n, sharding::AxisId axis);

  Plan &plan_;
  const Policy policy_;
  const Mode mode_;
  const ActionSet silent_, heard_actions_;
  const Direction direction_;
  const int first_level_;
  std::vector<uint8_t> settled_; // how many loops each node had before the waves
  int level_;                    // of the policy
  std::vector<NodeId> deferred_; // may take something on a later level
  std::vector<bool> near_pin_;   // per op and variable, where there are pins
  // All that was heard about the axis being run, and where in it a node is, if anywhere.
  std::vector<Heard> heard_;
  std::vector<uint32_t> heard_at_;
  std::vector<NodeId>
      sums_; // such nodes, since a reader of them or they themselves decided; some several times
  std::vector<Decision> frontier_; // of the wave before
  std::vector<Offer> offers_;      // of this wave
  std::vector<uint32_t> touched_;  // in this wave, into heard_
  std::vector<Blocked> blocked_;
  std::optional<Part> part_;
  std::vector<Choice> chosen_;
  bool refines_ = true; // until the mesh has as many axes as it can
  // An axis that cuts what others cut outside it comes after them, as long as they may still come.
  bool waits_ = false, waited_ = false;
  uint32_t wave_ = 0;
};

} // namespace tw::partition
