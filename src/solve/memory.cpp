// SPDX-License-Identifier: Apache-2.0
// Prices and usage change often, and choices of few variables at a time: sums over points are made once
// for all.
#include "solve/memory.hpp"

#include <algorithm>

namespace tw::solve {

Memory::Memory(const Problem &problem, const Flat &flat)
    : flat_(flat), limits_(problem.limits), pieces_(problem.uses.size()), sums_(problem.limits.size() + 1) {
  for (size_t v = 0; v < pieces_.size(); ++v)
    for (const Use &use : problem.uses[v])
      pieces_[v].push_back({use.begin, use.end, use.amounts.data()});
}

void Memory::sum_up(std::span<const Cost> prices) {
  sums_[0] = 0;
  for (size_t p = 0; p < prices.size(); ++p)
    sums_[p + 1] = sums_[p] + prices[p];
}
void Memory::charge(uint32_t v, std::vector<Cost> &costs) const {
  const std::span<Cost> own = flat_.of(costs, v);
  for (const Piece &piece : pieces_[v]) {
    const Cost price = sums_[piece.end] - sums_[piece.begin];
    if (price != 0)
      for (size_t k = 0; k < own.size(); ++k)
        own[k] += price * piece.amounts[k];
  }
}
void Memory::charge(std::span<const Cost> prices, std::span<const uint32_t> variables,
                    std::vector<Cost> &costs) {
  sum_up(prices);
  for (const uint32_t v : variables)
    charge(v, costs);
}
void Memory::charge(std::span<const Cost> prices, std::vector<Cost> &costs) {
  sum_up(prices);
  for (uint32_t v = 0; v < pieces_.size(); ++v)
    charge(v, costs);
}

void Memory::change(std::span<const uint32_t> variables, std::span<const uint32_t> before,
                    std::span<const uint32_t> after, std::vector<Cost> &usage) {
  std::ranges::fill(sums_, 0);
  for (const uint32_t v : variables) {
    const uint32_t old = before[v], now = after[v];
    if (old == now)
      continue;
    for (const Piece &piece : pieces_[v]) {
      const Cost more = piece.amounts[now] - piece.amounts[old];
      sums_[piece.begin] += more;
      sums_[piece.end] -= more;
    }
  }
  Cost sum = 0;
  for (size_t p = 0; p < usage.size(); ++p)
    usage[p] += sum += sums_[p];
}

bool Memory::fits(std::span<const Cost> usage) const {
  for (size_t p = 0; p < usage.size(); ++p)
    if (usage[p] > limits_[p])
      return false;
  return true;
}

} // namespace tw::solve
