// SPDX-License-Identifier: Apache-2.0
// A plan under search, with its price: decisions come and go, and what they cost is known at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/flat_map.hpp"
#include "base/interner.hpp"
#include "base/status.hpp"
#include "cost/price.hpp"
#include "partition/plan.hpp"
#include "search/space.hpp"

namespace tw::search {

// What a decision puts into a plan of the space's program, as far as that is open.
std::vector<Line> lines_of(const partition::Plan &plan, const Space &space, const Decision &decision);
// An error where nothing could be put there, into such a plan.
Status put(partition::Plan &plan, const Space &space, const Line &line);
// Whether something has been put there before.
bool is_decided(const partition::Plan &plan, const Space &space, const Line &line);

class Engine {
public:
  struct Step {
    Decision decision;
    std::vector<Line>
        lines; // that it put there; none: nothing was left to decide, or what it makes cannot be lowered
    std::vector<Line> follow; // of the first of all: what groups have on its axis now
    cost::Price price;        // behind it
    // Equal where all nests and their tiles are, however they came about, and hardly ever otherwise.
    uint64_t state;
  };

  // `most_known`: of how many decisions it keeps what they led to.
  static Result<std::unique_ptr<Engine>> create(std::shared_ptr<const Space> space,
                                                size_t most_known = size_t{1} << 16);

  // Decides these, one after the other, waves behind each. Where it has been before, and the same was decided
  // there, it is known what comes; the plan follows as soon as somebody asks what is not known.
  void go_to(std::span<const Decision> decisions);
  std::span<const Step> steps() const { return steps_; }
  const cost::Price &price() const { return steps_.empty() ? root_price_ : steps_.back().price; }
  const partition::Plan &plan(); // behind these steps

  // Whether a decision would put something behind these. Without waves and prices: one that may be made can
  // still make what cannot be lowered, or cut another argument unevenly.
  bool may(const Decision &decision);
  // Why the last decision put nothing; null where it did not.
  const Error *refused() const;

private:
  // What a decision led to, where it was made: `to` is the place behind it, the same one where it put
  // nothing.
  struct Known {
    Step step;
    std::optional<Error> refused;
    uint32_t to;
  };
  // A place is 0, where nothing is decided, or one more than the number in known_ of what led there.
  struct Applied { // to the plan
    uint32_t place;
    partition::Plan::Stamp before;
  };

  Engine(std::shared_ptr<const Space> space, size_t most_known)
      : space_(std::move(space)), most_known_(most_known), plan_(*space_->plan), root_(plan_.stamp()) {}
  Status start();
  void start_again(uint32_t place);
  uint32_t look(uint32_t place, const Decision &decision); // into known_
  Known find(uint32_t place, const Decision &decision);
  void bring_plan(uint32_t place);
  // Puts a decision into the plan; nothing where it is as it was before.
  std::optional<std::vector<partition::NodeId>> apply(const Decision &decision, std::vector<Line> &lines,
                                                      std::optional<Error> &why);
  void undo();
  void forget();
  // What these, which have changed, cost now.
  Status price_again(std::span<const partition::NodeId> changed);
  // None of these that is an argument is in tiles of more than one size.
  bool is_even(std::span<const partition::NodeId> nodes) const;
  uint64_t hash_of(partition::NodeId n) const;

  struct DecisionHash {
    size_t operator()(const Decision &d) const {
      return Hasher(uint64_t{d.index} << 32 | uint64_t{d.dim} << 16 | d.axis).add(d.kind).value();
    }
  };

  std::shared_ptr<const Space> space_;
  const size_t most_known_;
  partition::Plan plan_;
  const partition::Plan::Stamp root_;
  cost::Price root_price_;
  std::unique_ptr<cost::PlanPrice> price_;
  std::vector<uint64_t> hashes_; // by node, of its nest
  std::vector<Applied> applied_; // where the plan is
  std::vector<Step> steps_;      // where the engine is, and for each of these into known_
  std::vector<uint32_t> taken_;  //
  std::vector<Known> known_;
  std::vector<uint32_t> parents_; // by place
  Interner<Decision, DecisionHash> decisions_;
  FlatMap<uint32_t> behind_; // by place and decision, into known_
};

} // namespace tw::search
