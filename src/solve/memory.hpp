// SPDX-License-Identifier: Apache-2.0
// What choices need at each point, kept while they change, and what memory costs where it has a price.
#pragma once

#include "solve/problem.hpp"
#include "solve/sweep.hpp"

namespace tw::solve {

class Memory {
public:
  Memory(const Problem &problem, const Flat &flat);

  size_t points() const { return limits_.size(); }
  std::span<const Cost> limits() const { return limits_; }

  // Adds to costs, as in Flat, what the uses of some variables cost at a price for each point.
  void charge(std::span<const Cost> prices, std::span<const uint32_t> variables, std::vector<Cost> &costs);
  void charge(std::span<const Cost> prices, std::vector<Cost> &costs); // of all

  // usage += what these variables need with `after` less what they needed with `before`.
  void change(std::span<const uint32_t> variables, std::span<const uint32_t> before,
              std::span<const uint32_t> after, std::vector<Cost> &usage);

  bool fits(std::span<const Cost> usage) const;

private:
  void sum_up(std::span<const Cost> prices);
  void charge(uint32_t v, std::vector<Cost> &costs) const;
  struct Piece {
    uint32_t begin, end;
    const Cost *amounts;
  };
  const Flat &flat_;
  std::span<const Cost> limits_;
  std::vector<std::vector<Piece>> pieces_; // by variable
  std::vector<Cost> sums_;
};

} // namespace tw::solve
