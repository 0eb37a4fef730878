// SPDX-License-Identifier: Apache-2.0
// Shortest paths over all layouts that somebody makes, needs, or reduces partial values through.
#include "search/distances.hpp"

#include <algorithm>
#include <array>

namespace tw::search {

using sharding::Sharding;
using spmd::ShardingId;

void Distances::add(ShardingId layout) {
  if (place_.try_emplace(layout, static_cast<uint32_t>(layouts_.size())).second)
    layouts_.push_back(layout);
}

void Distances::close() {
  const size_t made = layouts_.size();
  for (size_t i = 0; i < made; ++i) // what lowering goes through
    for (size_t j = 0; j < made; ++j)
      if (is_partial(layouts_[i]) && !is_partial(layouts_[j])) {
        const std::array wanted{layouts_[j]};
        for (const ShardingId step : spmd::closing_steps(lowering_, layouts_[i], type_, wanted))
          add(step);
      }
  const size_t n = layouts_.size();
  costs_.assign(n * n, solve::kNever);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (i == j || is_cut_alike(layouts_[i], layouts_[j]))
        at(i, j) = 0;
      else if (can_move(layouts_[i], layouts_[j]))
        at(i, j) = static_cast<double>(terms_.move_time(type_, lowering_.sharding(layouts_[i]),
                                                        lowering_.sharding(layouts_[j]),
                                                        lowering_.summary(type_, layouts_[i], layouts_[j])));
  for (size_t k = 0; k < n; ++k)
    for (size_t i = 0; i < n; ++i)
      if (const double first = at(i, k); first < solve::kNever)
        for (size_t j = 0; j < n; ++j)
          at(i, j) = std::min(at(i, j), first + at(k, j));
}

double Distances::to_combined(ShardingId from) const {
  double least = solve::kNever;
  for (const ShardingId to : layouts_)
    if (!is_partial(to))
      least = std::min(least, of(from, to));
  return least;
}

// Tiled over the same axes, though at other places: a plan may have both cut alike.
bool Distances::is_cut_alike(ShardingId one, ShardingId other) const {
  const Sharding &a = lowering_.sharding(one), &b = lowering_.sharding(other);
  const auto alike = [](const sharding::DimSharding &x, const sharding::DimSharding &y) {
    constexpr auto kHalo = sharding::SplitRule::Kind::spans;
    return x == y || (x.axes == y.axes && x.rule.kind != kHalo && y.rule.kind != kHalo);
  };
  return a.partial == b.partial && std::ranges::equal(a.dims, b.dims, alike);
}

bool Distances::can_move(ShardingId from, ShardingId to) const {
  const auto is_halo = [](const sharding::DimSharding &d) {
    return d.rule.kind == sharding::SplitRule::Kind::spans;
  };
  if (std::ranges::any_of(lowering_.sharding(from).dims, is_halo) && !lowering_.lies_in(type_, to, from))
    return false; // lowering takes from tiles that overlap only what lies in them (spmd/emit_values.cpp)
  const auto &has = lowering_.sharding(from).partial;
  return std::ranges::all_of(lowering_.sharding(to).partial,
                             [&](const sharding::Partial &p) { return std::ranges::count(has, p) != 0; });
}

} // namespace tw::search
