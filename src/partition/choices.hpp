// SPDX-License-Identifier: Apache-2.0
// Choices by bytes. Where evidence is tied or neighbours want different things, waves run again with another
// way taken, and the way stays that moves less. The result depends on graph and actions alone: ways are tried
// in an order that does not know how ops are numbered, and as many as the size of the graph allows.
#pragma once

#include <memory>
#include <vector>

#include "partition/propagation.hpp"

namespace tw::partition {

class Choices {
public:
  Choices(Plan &plan, const Waves &how);

  // Waves, until no way that was tried moves less.
  void run();

private:
  // How waves run for this propagation.
  struct Way {
    std::optional<Policy> policy = {}; // another one than the plan's
    bool by_levels = true;
    std::vector<ActionId> first = {}; // actions that are heard before all others
    std::vector<Choice> chosen = {};
  };
  // A loop that nodes which do the same were offered and do not have; kAny in place of a split sum.
  struct Offer {
    std::vector<Choice> nodes;
    int64_t elements = 0;    // of the largest array there
    uint64_t key = 0;        // numbering means nothing to it
    double turns_a_byte = 0; // what it may cost more than others
  };
  struct Cost {
    Moves::Bytes bytes;
    double work; // of a device, in turns of loops
  };

  void run_waves(const Way &way);
  // Runs waves this way; whether they move less than those of the best way, which this one is then. Devices
  // may do so many more turns of loops for each byte less.
  bool improves(const Way &way, double turns_a_byte = 0);
  std::optional<Cost> cost();
  double work() const;
  // Where waves made two axes of one, these are two from the start on. False where more moves then, and all
  // is as it was.
  bool keep_axes();
  void go_to_best();
  std::vector<std::vector<ActionId>> actions_alike() const;
  std::vector<Offer> offers();
  void try_orders();
  void try_offers();
  // Tries again from the best way on, by the count of all passes: none moves more than it did, and of
  // `cheapest` no more than `conservative`.
  void try_whole();

  Plan &plan_;
  const Waves how_;
  Plan::Stamp start_;
  size_t refined_;                         // at the start, of the plan
  std::vector<sharding::AxisSet> decided_; // at the start: per node its axes
  std::vector<uint64_t> alike_;
  std::vector<std::vector<ActionId>>
      actions_;   // that speak for the first time, those together that say the same
  int64_t tries_; // still to be had
  Way best_;
  Cost least_{};
  bool is_best_ = true; // the plan is as the best way leaves it
  bool is_whole_ = false; // moves_ counts by all passes
  std::unique_ptr<Moves> moves_;
  sharding::Mesh counted_mesh_;                 // of moves_
  std::vector<std::vector<NestEntry>> counted_; // the nests that moves_ knows
};

} // namespace tw::partition
