// SPDX-License-Identifier: Apache-2.0
// Best choices of many variables at once, exactly, while a few others keep theirs: variables are
// eliminated one after the other, and one whose elimination would make too large a table is held as it
// is.
#pragma once

#include "solve/flat.hpp"
#include "solve/model.hpp"
#include "solve/random.hpp"

namespace tw::solve {

class Sweep {
public:
  // Of a model whose tables have an entry for each pair of choices, and which outlives this.
  Sweep(const Model &model, const Flat &flat);

  // Takes `free` in an order in which no table has more than `most` costs; what that needs held is drawn.
  void plan(std::span<const uint32_t> free, size_t most, Random &random);
  // Those that the plan does not hold.
  std::span<const uint32_t> order() const { return order_; }

  // Least costs of the plan's variables, given `choices` of all others and `costs` as in Flat.
  void run(const std::vector<Cost> &costs, std::vector<uint32_t> &choices);

  // What `after` costs more than `before`, where only these variables may differ; without prices.
  Cost difference(std::span<const uint32_t> variables, std::span<const uint32_t> before,
                  std::span<const uint32_t> after) const;

  struct Near {
    uint32_t other;
    const Cost *costs; // rows of other's choices
  };
  std::span<const Near> near(uint32_t v) const { return near_[v]; }

private:
  struct Factor {
    const Cost *costs;
    std::vector<uint32_t> strides; // by variable of the scope
  };
  void gather(const std::vector<Cost> &costs, std::span<const uint32_t> choices);
  void find_factors(uint32_t place);
  void combine(uint32_t place);

  const Flat &flat_;
  std::vector<std::vector<Cost>> turned_;     // tables
  std::vector<std::vector<Near>> near_;       // by variable
  std::vector<uint32_t> order_, place_;       // place_: in the order, by variable; kHeld otherwise
  std::vector<std::vector<uint32_t>> scopes_; // by place: what the table is over, the last eliminated first
  std::vector<std::vector<uint32_t>> heard_;  // by place: places whose tables come in
  std::vector<std::vector<Cost>> told_;       // by place: the tables
  std::vector<std::vector<Factor>> factors_;  // by place
  std::vector<Cost> own_;                     // as in Flat, with what held ones add
};

} // namespace tw::solve
