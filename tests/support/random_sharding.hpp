// SPDX-License-Identifier: Apache-2.0
// Random meshes, split rules and shardings for property tests; every draw comes from the seed alone.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::test {

using Random = std::mt19937_64;

inline int64_t draw(Random &random, int64_t low, int64_t high) { // both ends included
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

// 1 to 4 axes, at most `max_devices` devices; sizes are primes, powers of two, 1, anything.
inline sharding::Mesh random_mesh(Random &random, int64_t max_devices) {
  std::vector<sharding::Axis> axes;
  int64_t devices = 1;
  const int64_t count = draw(random, 1, 4);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t size = draw(random, 1, std::max<int64_t>(1, std::min<int64_t>(8, max_devices / devices)));
    devices *= size;
    axes.push_back({std::string(1, static_cast<char>('a' + i)), size, "", 1});
  }
  return *sharding::Mesh::create(std::move(axes));
}

inline sharding::SplitRule random_rule(Random &random, int64_t n, int64_t tiles) {
  sharding::SplitRule rule;
  rule.kind = static_cast<sharding::SplitRule::Kind>(draw(random, 0, 2));
  if (draw(random, 0, 2) == 0 && n > 0) { // some block size that divides
    std::vector<int64_t> divisors;
    for (int64_t u = 1; u <= n; ++u)
      if (n % u == 0)
        divisors.push_back(u);
    rule.unit = divisors[static_cast<size_t>(draw(random, 0, static_cast<int64_t>(divisors.size()) - 1))];
  }
  if (rule.kind == sharding::SplitRule::Kind::cuts) {
    std::vector<int64_t> cuts{0, n / rule.unit};
    for (int64_t i = 1; i < tiles; ++i)
      cuts.push_back(draw(random, 0, n / rule.unit));
    std::ranges::sort(cuts);
    rule.cuts = std::make_shared<const std::vector<int64_t>>(std::move(cuts));
  }
  return rule;
}

// Each axis tiles some dimension, stacks (where asked) or replicates.
inline sharding::Sharding random_sharding(Random &random, std::span<const int64_t> shape,
                                          const sharding::Mesh &mesh, bool partial = false,
                                          sharding::Reduction kind = sharding::Reduction::sum) {
  auto result = sharding::Sharding::replicated(shape.size());
  std::vector<sharding::AxisId> axes(mesh.num_axes());
  for (size_t a = 0; a < axes.size(); ++a)
    axes[a] = static_cast<sharding::AxisId>(a);
  std::ranges::shuffle(axes, random);
  for (const auto a : axes) {
    const int64_t choice = draw(random, 0, static_cast<int64_t>(shape.size()) + (partial ? 1 : 0));
    if (choice < static_cast<int64_t>(shape.size()))
      result.dims[static_cast<size_t>(choice)].axes.push_back(a);
    else if (choice > static_cast<int64_t>(shape.size()))
      result.partial.push_back({a, kind});
  }
  std::ranges::sort(result.partial, {}, &sharding::Partial::axis);
  for (size_t d = 0; d < shape.size(); ++d)
    if (!result.dims[d].axes.empty())
      result.dims[d].rule = random_rule(random, shape[d], num_tiles(result.dims[d], mesh));
  return result;
}

inline std::vector<int64_t> random_shape(Random &random, int64_t max_rank, int64_t max_dim) {
  std::vector<int64_t> shape(static_cast<size_t>(draw(random, 0, max_rank)));
  for (auto &n : shape)
    n = draw(random, 0, max_dim);
  return shape;
}

} // namespace tw::test
