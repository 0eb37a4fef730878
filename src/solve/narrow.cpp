// SPDX-License-Identifier: Apache-2.0
// A choice looks as good as what it costs with all that was told to its variable.
#include "solve/narrow.hpp"

#include <algorithm>
#include <numeric>

#include "solve/flat.hpp"

namespace tw::solve {

std::vector<uint32_t> Narrowed::expand(std::span<const uint32_t> choices) const {
  std::vector<uint32_t> all;
  all.reserve(choices.size());
  for (size_t v = 0; v < choices.size(); ++v)
    all.push_back(kept[v][choices[v]]);
  return all;
}

Narrowed narrow(const Model &model, const Bounded &bounded, size_t most) {
  const Flat flat(model);
  std::vector<Cost> sums = flat.costs;
  auto told = bounded.told.begin();
  for (const Edge &e : model.edges)
    for (const uint32_t v : {e.first, e.second})
      for (Cost &sum : flat.of(sums, v))
        sum += *told++;
  Narrowed narrowed;
  std::vector<uint32_t> order;
  for (uint32_t v = 0; v < model.costs.size(); ++v) {
    const std::span<Cost> of = flat.of(sums, v);
    if (!bounded.choices.empty())
      of[bounded.choices[v]] = -kNever; // it stays
    order.resize(of.size());
    std::iota(order.begin(), order.end(), 0);
    const auto keep = order.begin() + static_cast<ptrdiff_t>(std::min(most, order.size()));
    std::ranges::partial_sort(order, keep, {},
                              [&](uint32_t choice) { return std::pair(of[choice], choice); });
    order.erase(keep, order.end());
    std::ranges::sort(order);
    auto &costs = narrowed.model.costs.emplace_back();
    for (const uint32_t choice : order)
      costs.push_back(model.costs[v][choice]);
    narrowed.kept.push_back(order);
  }
  for (const Edge &e : model.edges) {
    const Table &table = model.tables[e.table];
    const auto &rows = narrowed.kept[e.first], &columns = narrowed.kept[e.second];
    Table few{static_cast<uint32_t>(rows.size()), static_cast<uint32_t>(columns.size()), {}};
    few.costs.reserve(rows.size() * columns.size());
    for (const uint32_t row : rows)
      for (const uint32_t column : columns)
        few.costs.push_back(table.at(row, column));
    narrowed.model.edges.push_back({e.first, e.second, static_cast<uint32_t>(narrowed.model.tables.size())});
    narrowed.model.tables.push_back(std::move(few));
  }
  return narrowed;
}

} // namespace tw::solve
