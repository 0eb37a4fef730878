// SPDX-License-Identifier: Apache-2.0
// A search as somebody else's: who learns to choose decides step by step, sees what the plan costs then, and
// takes steps back. One thread at a time; clones share the space and nothing that changes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/driver.hpp"
#include "search/engine.hpp"
#include "search/observation.hpp"
#include "search/space.hpp"

namespace tw::search {

class Environment {
public:
  // Which actions leave no room for which, from the beginning on: those of action a are
  // actions[offsets[a]..offsets[a + 1]).
  struct Conflicts {
    std::vector<uint32_t> offsets, actions;
  };

  // The cap is that of a price; 0: none. `most_known`: of how many sequences it keeps what they led to.
  static Result<std::unique_ptr<Environment>> create(std::shared_ptr<const Space> space, int64_t cap_bytes,
                                                     size_t most_known = size_t{1} << 16);
  // Another one that has taken the same steps.
  Result<std::unique_ptr<Environment>> clone() const;

  const Space &space() const { return *setup_.space; }
  const Observation &observation() const { return *setup_.observation; }
  int64_t cap_bytes() const { return setup_.cap_bytes; }
  Result<Conflicts> conflicts() const;

  // Actions are the decisions of the space, by their places there, and behind them `stop`.
  size_t num_actions() const { return space().decisions.size() + 1; }
  uint32_t stop() const { return static_cast<uint32_t>(space().decisions.size()); }
  const Sequence &actions() const { return actions_; } // that were taken
  bool is_over() const { return !actions_.empty() && actions_.back() == stop(); }

  // The reward: ln(cost before / cost behind), so that those of an episode add up to what all of it saves. An
  // error where nothing would change, which then does not.
  Result<double> step(uint32_t action);
  Status undo(size_t steps);
  // To what a sequence leads to, from what it begins alike with. After an error all is as before.
  Status restore(std::span<const uint32_t> actions);

  // By action: 1 where a step may be taken. One that makes what cannot be lowered, or cuts unevenly where
  // that is not wanted, is known to do so when it was tried.
  Status mask(std::span<uint8_t> to);
  void observe(std::span<float> to) const; // Observation::num_floats()
  const cost::Price &price() const { return now().price; }
  double cost() const; // seconds, with what is paid for memory that is not there

  // The steps behind each other, without `stop`.
  Result<std::vector<Engine::Step>> engine_steps();

private:
  // What a sequence of actions led to: who comes again finds it.
  struct Known {
    cost::Price price;
    Layouts layouts;
    std::vector<bool> mask; // of decisions; none: nobody has asked
  };

  struct Setup { // clones have the same
    std::shared_ptr<const Space> space;
    std::shared_ptr<const Observation> observation;
    int64_t cap_bytes;
    size_t most_known;
  };

  explicit Environment(Setup setup);
  static Result<std::unique_ptr<Environment>> create(const Setup &setup);
  const Known &now() const { return known_[path_.back()]; }
  Result<uint32_t> look(uint32_t action);
  Result<std::vector<bool> *> decisions_mask();
  // An engine is taken while it works, and put back when that has come to an end. One that ran out of memory
  // is not, and then another one is made.
  Result<std::unique_ptr<Engine>> take_engine();
  Result<std::unique_ptr<Engine>> engine_here();
  void forget();

  const Setup setup_;
  std::unique_ptr<Engine> engine_; // may be null; goes where a step leads that is not known
  Sequence actions_;
  std::vector<uint32_t> path_; // into known_: the beginning, and what each action led to
  std::vector<Known> known_;
  std::unordered_map<uint64_t, uint32_t> behind_; // by place in known_ and action
};

} // namespace tw::search
