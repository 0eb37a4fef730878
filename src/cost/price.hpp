// SPDX-License-Identifier: Apache-2.0
// What the program of a plan costs on a machine, kept while the plan changes: a change costs what it reaches.
// One thing after the other, without placing anything and without forming steps: estimate.hpp does both for a
// program that is there. Policies and searches compare plans by it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/flat_map.hpp"
#include "base/status.hpp"
#include "cost/peak_tree.hpp"
#include "cost/terms.hpp"
#include "cost/value_terms.hpp"
#include "spmd/kept_lowering.hpp"
#include "system/system.hpp"

namespace tw::cost {

struct Price {
  Picoseconds computing = 0, moving = 0; // of the device that has most of each op; one run
  int64_t received = 0;                  // bytes, of all devices together
  int64_t peak = 0;                      // bytes, of a device that has the largest tile of everything
  Picoseconds time() const { return computing + moving; }
  bool operator==(const Price &) const = default;
};

// Ops that stand for several, one behind the other, and count as many times (search/few_layers.hpp).
struct Repeats {
  std::vector<int64_t> count;     // by op
  std::vector<graph::OpId> again; // by op: what makes the same behind the last of those; kNone: nothing does
  std::vector<graph::OpId> most;  // by op: of those that do the same in other layers, which counts most
};

// Of a program that `spmd::lower` made with counted_options.
Price price_of(const spmd::Program &program, const system::System &system);

class PlanPrice {
public:
  // Of a plan and a system that outlive this, and so do repeats, for plans without axes of steps or threads.
  // The plan's mesh and pins stay as they are; an error where it cannot be lowered, or the system lacks one
  // of its axes.
  static Result<std::unique_ptr<PlanPrice>> create(const partition::Plan &plan, const system::System &system,
                                                   const spmd::Options &options = {},
                                                   const Repeats *repeats = nullptr);

  // The nests of these nodes have changed. After an error this is of no more use.
  Status update(std::span<const partition::NodeId> changed);
  // Takes back the last update that was not taken back, as the plan was.
  void undo();
  // Updates up to here will not be taken back.
  void keep();
  // What price_of says of the program that is lowered now; with repeats, of what it stands for, and a peak of
  // which only the highest places are right.
  const Price &price() const { return price_; }
  // Whether devices receive some of a value.
  bool moves(graph::ValueId v) const { return value_terms_[values_[v]].received > 0; }
  // No plan of the program takes less on the devices of the mesh: each op is shared among all of them, and
  // nothing moves.
  Picoseconds least_time() const;
  // How much is kept of what was met before, in words of 4 bytes; for tests.
  void set_most_words(size_t most) { value_terms_.set_most_words(most); }

private:
  // What there was before an update.
  struct Before {
    Price price;
    spmd::KeptLowering::Stamp lowering;
    size_t computing, values; // of those that it changed, in the tables below
  };
  // What a value adds, while it is counted.
  struct Fresh {
    Picoseconds moving = 0;
    int64_t received = 0;
    std::vector<Held> held;
  };

  PlanPrice(const partition::Plan &plan, const system::System &system,
            std::unique_ptr<spmd::KeptLowering> kept, const Repeats *repeats, bool gather_per_use);
  Status collect();
  void collect_nodes();
  // Those that were met like this before; the others are in unknown_.
  void collect_known();
  void collect_lowered();
  void set(graph::ValueId v, ValueTerms::Id id);
  void forget();
  // How often an op is there, and how many of a value lie there at once when one does to this place.
  int64_t count(graph::OpId op) const { return repeats_ == nullptr ? 1 : repeats_->count[op]; }
  int64_t count_moves(graph::OpId maker, graph::OpId reader) const;
  int64_t count_held(graph::ValueId v, Place first, Place last) const;
  // What was worked out once for all that are alike: an op in some types, a move, a tile.
  Picoseconds op_time(graph::OpId op);
  struct MoveTerms {
    Picoseconds time;
    int64_t received;
  };
  const MoveTerms &move_terms(graph::TypeId type, spmd::ShardingId from, spmd::ShardingId to);
  int64_t tile_bytes(graph::TypeId type, spmd::ShardingId layout);

  const partition::Plan &plan_;
  const system::System &system_;
  const Repeats *const repeats_;
  const bool gather_per_use_;
  std::unique_ptr<spmd::KeptLowering> kept_;
  Terms terms_;
  ValueTerms value_terms_;
  std::vector<Picoseconds> computing_; // by op
  std::vector<ValueTerms::Id> values_; // by value
  std::vector<graph::OpId> op_at_;     // by place, where there are repeats
  std::vector<uint32_t> kinds_;        // by op: equal where only layouts can make a difference
  FlatMap<Picoseconds> op_times_;      // by kind and types
  std::map<std::array<uint32_t, 3>, MoveTerms> moves_; // by type and layouts
  FlatMap<int64_t> tiles_;                             // by type and layout
  IdSet unknown_;
  std::vector<Fresh> fresh_; // by value
  std::vector<uint32_t> key_;
  std::vector<Before> before_; // the last update last
  std::vector<std::pair<graph::OpId, Picoseconds>> computing_before_;
  std::vector<std::pair<graph::ValueId, ValueTerms::Id>> values_before_;
  PeakTree tree_;
  Price price_;
};

} // namespace tw::cost
