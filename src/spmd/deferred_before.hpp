// SPDX-License-Identifier: Apache-2.0
// What defer_sums was asked before, and answered; and the tables that it needs while it works.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/flat_map.hpp"
#include "base/interner.hpp"
#include "spmd/min_cut.hpp"
#include "spmd/program.hpp"

namespace tw::spmd {

// Ops that are to be looked at, in their order: more may come behind the one that was taken last.
class OpQueue {
public:
  void begin(size_t num_ops) {
    words_.resize(num_ops / 64 + 1, 0);
    at_ = 0;
  }
  void add(graph::OpId op) { words_[op / 64] |= uint64_t{1} << op % 64; }
  // kNone where there is no more.
  graph::OpId take() {
    while (at_ < words_.size() && words_[at_] == 0)
      ++at_;
    if (at_ == words_.size())
      return graph::kNone;
    const auto bit = static_cast<graph::OpId>(std::countr_zero(words_[at_]));
    words_[at_] &= words_[at_] - 1;
    return static_cast<graph::OpId>(at_ * 64) + bit;
  }

private:
  std::vector<uint64_t> words_;
  size_t at_ = 0;
};

// By whatever it depends on, in numbers.
using Question = std::array<uint64_t, 3>;
struct QuestionHash {
  size_t operator()(const Question &question) const { return Hasher().add(std::span(question)).value(); }
};

// A program has as many partial values as it has layers, and plans come by the thousand: what is asked of
// each is found once for all of its type and layout, and tables are flat and stay.
struct DeferredBefore {
  struct OfAxis {
    FlatMap<ShardingId> layouts;            // of a type and layout: without the axis; kNone: there is none
    FlatMap<int64_t> bytes;                 // of a type and such a layout
    Interner<Question, QuestionHash> asked; // types of a node, and what of it is partial
    std::vector<uint32_t> deferred;         // its types then
  };
  std::vector<OfAxis> of_axis;
  Interner<Question, QuestionHash> rules; // a rule, which operands are partial, and how
  std::vector<bool> linear;
  // While an axis is looked at: into its partial values, kNone for others.
  std::vector<uint32_t> of_value, of_node;
  OpQueue queue;
  MinCut cut;
};

} // namespace tw::spmd
