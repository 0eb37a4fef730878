// SPDX-License-Identifier: Apache-2.0
// A lower bound of a model, and choices that follow from how it was reached: sequential tree-reweighted
// message passing (Kolmogorov, PAMI 2006). Time is linear in the tables of all edges, for each round.
#pragma once

#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "solve/flat.hpp"
#include "solve/model.hpp"

namespace tw::solve {

// What variables told each other so far. Costs of variables may change between passes: any messages bound
// any.
class Messages {
public:
  // Where `stop` ends that, passes answer nothing.
  Messages(const Model &model, const Flat &flat, const std::function<bool()> &stop = {});

  // Once through all variables and back. Costs as in Flat. No choices cost less than what it answers: -kNever
  // where `stop` ended it.
  Cost pass(const std::vector<Cost> &costs, const std::function<bool()> &stop = {});
  // One variable after the other, with those before it decided, and the others as far as they told.
  void decide(const std::vector<Cost> &costs, std::vector<uint32_t> &choices);
  // What a variable's choices cost, with all that was told to it; until the next call.
  std::span<Cost> gather(uint32_t v, const std::vector<Cost> &costs);

  const std::vector<Cost> &told() const { return values_; }
  std::vector<Cost> take_told() { return std::move(values_); } // this is of no more use
  void set_told(std::vector<Cost> told) { values_ = std::move(told); }

private:
  // A compact table, from both sides.
  struct Sides {
    const Table *table; // the model's, where that is compact, else of compact_
    std::vector<Cost> turned;
    bool is_plain; // choices have places of their own
  };
  std::span<Cost> told(uint32_t e, uint32_t v);
  Cost tell(uint32_t e, uint32_t v, std::span<const Cost> known, Cost share);
  Cost share_of(uint32_t v) const;

  const Model &model_;
  const Flat &flat_;
  std::deque<Table> compact_;
  std::vector<Sides> tables_;
  std::vector<std::vector<uint32_t>> earlier_, later_; // edges, by variable
  std::vector<size_t> to_first_, to_second_;           // by edge, into values_
  std::vector<Cost> values_;                           // what edges told, by choice
  std::vector<Cost> known_, offers_, least_;
};

struct Bounded {
  Cost bound = 0;                // no choices cost less
  std::vector<uint32_t> choices; // the best that were seen; empty where all that were seen are not allowed
  Cost cost = kNever;            // of these
  int rounds = 0;
  std::vector<Cost> told; // at the end, by edge, first of its first variable's choices, then of its second's
};

struct Rounds {
  int most = 200;
  Cost gap = 1e-9;                 // enough: (cost - bound) / cost
  int patience = 20;               // rounds in which the bound may grow by less than
  Cost growth = 1e-5;              // this part of itself altogether
  std::function<bool()> stop = {}; // asked often
};

// `told`: before the first round, as Bounded has it; empty: nothing was.
Bounded pass_messages(const Model &model, const Rounds &rounds = {}, std::vector<Cost> told = {});

} // namespace tw::solve
