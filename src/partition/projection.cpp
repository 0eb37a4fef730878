// SPDX-License-Identifier: Apache-2.0
// Scales split rules between factors and dimensions. Balanced and ceil keep their kind where they can, so
// that further axes nest in them as they would have in the factor; anything else becomes explicit cuts.
#include "partition/projection.hpp"

#include <memory>
#include <vector>

namespace tw::partition {

using sharding::SplitRule;

namespace {

bool is_plain(const SplitRule &rule) { return rule.kind == SplitRule::Kind::balanced && rule.unit == 1; }

SplitRule make_cuts(std::vector<int64_t> offsets) {
  return {SplitRule::Kind::cuts, 1, std::make_shared<const std::vector<int64_t>>(std::move(offsets))};
}

} // namespace

SplitRule to_dimension(const SplitRule &factor, const FactorPlace &place, int64_t tiles) {
  if (is_plain(factor) && (place.minor == 1 || place.size % tiles == 0))
    return {};
  const int64_t n = place.elements(), all = place.major * tiles;
  if (factor.kind == SplitRule::Kind::balanced || (factor.kind == SplitRule::Kind::ceil && place.major == 1))
    return sharding::normalise({factor.kind, factor.unit * place.minor, nullptr}, n, all);
  std::vector<int64_t> offsets;
  offsets.reserve(static_cast<size_t>(all) + 1);
  for (int64_t row = 0; row < place.major; ++row)
    for (int64_t t = 0; t < tiles; ++t)
      offsets.push_back((row * place.size + sharding::tile(factor, place.size, tiles, t).begin) *
                        place.minor);
  offsets.push_back(n);
  return sharding::normalise(make_cuts(std::move(offsets)), n, all);
}

SplitRule rescaled(const SplitRule &rule, int64_t from, int64_t to, int64_t tiles) {
  if (is_plain(rule) || from == 0)
    return {};
  if (rule.kind == SplitRule::Kind::ceil && rule.unit == 1)
    return sharding::normalise(rule, to, tiles);
  std::vector<int64_t> offsets;
  for (int64_t t = 0; t < tiles; ++t)
    offsets.push_back(static_cast<int64_t>(static_cast<double>(sharding::tile(rule, from, tiles, t).begin) *
                                           static_cast<double>(to) / static_cast<double>(from)));
  offsets.push_back(to);
  return sharding::normalise(make_cuts(std::move(offsets)), to, tiles);
}

SplitRule coarsen(const SplitRule &rule, int64_t n, int64_t F, int64_t inner) {
  TW_ASSERT(rule.kind != SplitRule::Kind::spans && F % inner == 0);
  if (inner == 1)
    return rule;
  if (rule.kind == SplitRule::Kind::balanced) // whose tiles nest
    return sharding::normalise(rule, n, F / inner);
  std::vector<int64_t> cuts{0};
  for (int64_t t = inner - 1; t < F; t += inner)
    cuts.push_back(sharding::tile(rule, n, F, t).end);
  return sharding::normalise(make_cuts(std::move(cuts)), n, F / inner);
}

std::optional<SplitRule> to_factor(const SplitRule &dimension, const FactorPlace &place, int64_t tiles) {
  if (is_plain(dimension) && (place.minor == 1 || place.size % tiles == 0))
    return SplitRule{};
  const int64_t n = place.elements(), all = place.major * tiles;
  const bool keeps_kind = dimension.kind == SplitRule::Kind::balanced ||
                          (dimension.kind == SplitRule::Kind::ceil && place.major == 1);
  if (keeps_kind && dimension.unit % place.minor == 0 && place.size % (dimension.unit / place.minor) == 0)
    return sharding::normalise({dimension.kind, dimension.unit / place.minor, nullptr}, place.size, tiles);
  // The same cuts in every row of the more major factors, each on a whole block.
  std::vector<int64_t> offsets;
  offsets.reserve(static_cast<size_t>(tiles) + 1);
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t begin = sharding::tile(dimension, n, all, t).begin;
    if (begin % place.minor != 0)
      return std::nullopt;
    offsets.push_back(begin / place.minor);
  }
  offsets.push_back(place.size);
  for (int64_t row = 0; row < place.major; ++row)
    for (int64_t t = 0; t < tiles; ++t)
      if (sharding::tile(dimension, n, all, row * tiles + t).begin !=
          (row * place.size + offsets[static_cast<size_t>(t)]) * place.minor)
        return std::nullopt;
  if (sharding::tile(dimension, n, all, all - 1).end != n)
    return std::nullopt;
  return sharding::normalise(make_cuts(std::move(offsets)), place.size, tiles);
}

} // namespace tw::partition
