// SPDX-License-Identifier: Apache-2.0
// A lower bound of a model, and choices that follow from how it was reached: sequential tree-reweighted
// message passing (Kolmogorov, PAMI 2006). Time is linear in the tables of all edges, for each round.
#pragma once

#include <functional>
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
  void set_told(const std::vector<Cost> &told) { values_ = told; }

private:
  // A table without rows and columns that are there already: choices of one variable that make no difference
  // to the other.
  struct Compact {
    explicit Compact(const Table &table);
    std::vector<uint32_t> row_of, column_of; // by choice
    uint32_t rows = 0, columns = 0;
    bool is_plain = false;           // nothing was there already: choices have places of their own
    std::vector<Cost> costs, turned; // by row, by column
  };
  std::span<Cost> told(uint32_t e, uint32_t v);
  Cost tell(uint32_t e, uint32_t v, std::span<const Cost> known, Cost share);
  Cost share_of(uint32_t v) const;

  const Model &model_;
  const Flat &flat_;
  std::vector<Compact> tables_;
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
  std::vector<Cost> told = {};     // before the first one, as Bounded has it; none: nothing
};

Bounded pass_messages(const Model &model, const Rounds &rounds = {});

} // namespace tw::solve
