// SPDX-License-Identifier: Apache-2.0
// A plan under search, with its price: decisions come and go, and what they cost is known at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

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
    partition::Plan::Stamp before;
  };

  static Result<std::unique_ptr<Engine>> create(std::shared_ptr<const Space> space);

  // Decides these, one after the other, waves behind each; what begins as before is left as it is.
  void go_to(std::span<const Decision> decisions);
  std::span<const Step> steps() const { return steps_; }
  const cost::Price &price() const { return price_->price(); }
  const partition::Plan &plan() const { return plan_; }

  // Whether a decision would put something behind these. Without waves and prices: one that may be made can
  // still make what cannot be lowered, or cut another argument unevenly.
  bool may(const Decision &decision);
  // Why the last decision put nothing, if it did not.
  const std::optional<Error> &refused() const { return refused_; }

private:
  explicit Engine(std::shared_ptr<const Space> space)
      : space_(std::move(space)), plan_(*space_->plan), root_(plan_.stamp()) {}
  Status start();
  void start_again();
  void apply(const Decision &decision);
  void undo();
  // What these, which have changed, cost now.
  Status price_again(std::span<const partition::NodeId> changed);
  // None of these that is an argument is in tiles of more than one size.
  bool is_even(std::span<const partition::NodeId> nodes) const;
  uint64_t hash_of(partition::NodeId n) const;

  std::shared_ptr<const Space> space_;
  partition::Plan plan_;
  const partition::Plan::Stamp root_;
  std::unique_ptr<cost::PlanPrice> price_;
  std::vector<uint64_t> hashes_; // by node, of its nest
  std::vector<Step> steps_;
  std::optional<Error> refused_;
};

} // namespace tw::search
