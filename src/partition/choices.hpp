// SPDX-License-Identifier: Apache-2.0
// Choices by bytes. Where evidence is tied or neighbours want different things, waves run again with another
// way taken, and the way stays that moves less. The result depends on graph and actions alone: ways are tried
// in an order that does not know how ops are numbered, and as many as the size of the graph allows.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "partition/propagation.hpp"

namespace tw::partition {

class Choices {
public:
  Choices(Plan &plan, const Waves &how);

  // Waves, until no way that was tried moves less.
  void run();

  // Runs something in which waves run, as often as it answers. Under `cheapest` waves do not know what comes
  // later: where they run several times it is run again under each other policy, and what moves least stays.
  // `last` says whether it will be run again; `shown`: somebody watches the last run.
  using Run = std::function<Result<size_t>(bool last)>;
  static Status least_of_policies(Plan &plan, bool shown, const Run &run);

private:
  // How waves run for this propagation.
  struct Way {
    std::optional<Policy> policy = {}; // another one than the plan's
    bool by_levels = true;
    std::vector<ActionId> first = {}; // actions that are heard before all others
    std::vector<Choice> chosen = {};  // by node, then axis
    // Axes that are two from the start on, one after the other, and the places of their major parts.
    std::vector<std::pair<sharding::AxisId, int64_t>> parts = {};
  };
  // What nodes which do the same may have in place of what they have over an axis: a loop that they were
  // offered, or kAny in place of a split sum; `further`, a loop that nobody offered. Or a choice for them is
  // taken back.
  struct Offer {
    enum class Kind : uint8_t { offered, taken_back, unasked } kind = Kind::offered;
    std::vector<Choice> nodes = {};
    int64_t elements = 0;    // of the largest array there
    uint64_t key = 0;        // numbering means nothing to it
    double turns_a_byte = 0; // what it may cost more than others
  };
  struct Found {
    void add(Offer::Kind kind, const Choice &choice, int64_t elements, uint64_t key, double turns_a_byte);
    std::map<uint64_t, Offer> by_key;
  };
  struct Cost {
    Moves::Moved moved;
    double work; // of a device, in turns of loops
  };

  static int64_t tries_for(const Plan &plan);
  void go_to(const Way &way);
  void run_waves(const Way &way);
  // Puts chosen loops that nobody offers; whether there were any.
  bool place(const Way &way, Choice::When when);
  NestEntry *own(NodeId n, sharding::AxisId axis) const;
  bool is_decided(NodeId n, sharding::AxisId axis) const {
    return axis < decided_.size() && decided_[axis].contains(n);
  }
  // A placed loop follows from what stands next to it, so that it leads back to an action.
  void give_causes();
  void give_causes(sharding::AxisId axis);
  // Runs waves this way; whether they move less than those of the best way, which this one is then. Devices
  // may do so many more turns of loops for each byte less.
  bool improves(const Way &way, double turns_a_byte = 0);
  bool is_paid_for(const Cost &now, double turns_a_byte) const;
  // All that was counted is counted anew, by all passes (`whole`) or without some. False where that cannot
  // be.
  bool count_anew(bool whole);
  std::optional<Cost> cost();
  double work() const;
  // Where waves made two axes of one, these are two from the start on. False where more moves then, and all
  // is as it was.
  bool keep_axes();
  bool has_new_axes() const { return plan_.refined_.size() != refined_ + best_.parts.size(); }
  void go_to_best();
  bool count_best(); // there; false where it cannot be counted
  std::vector<Offer> offers();
  void add_offers(NodeId n, sharding::AxisId axis, Propagation &waves, Found &found);
  void add_unasked(NodeId n, sharding::AxisId axis, Found &found);
  void try_offers();
  // Tries each group of actions that say the same before all others; whether that moved less (orders.cpp).
  bool try_orders(bool by_levels);
  std::vector<std::vector<ActionId>> actions_alike() const;
  bool is_undecided(); // a node was offered another loop than it has
  // Tries again from the best way on, by the count of all passes.
  void try_whole();

  // What `cheapest` does when `shardy` is done (look_further.cpp).
  void look_further();
  void try_wishes();
  std::optional<Plan> without(sharding::AxisId axis) const;

  Plan &plan_;
  const Waves how_;
  const Plan::Stamp start_;
  const size_t refined_;          // at the start, of the plan
  std::vector<NodeBits> decided_; // at the start, with the parts of the way, by axis
  std::vector<uint64_t> alike_;
  std::vector<std::vector<ActionId>>
      actions_;   // that speak for the first time, those together that say the same
  int64_t tries_; // still to be had
  Way best_;
  Cost least_{};
  std::optional<Cost> first_; // what more work is paid by, where `cheapest` looks further
  bool is_best_ = true;       // the plan is as the best way leaves it
  bool is_whole_ = false;     // moves_ counts by all passes
  std::unique_ptr<Moves> moves_;
  sharding::Mesh counted_mesh_;                 // of moves_
  std::vector<std::vector<NestEntry>> counted_; // the nests that moves_ knows
};

} // namespace tw::partition
