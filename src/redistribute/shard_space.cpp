// SPDX-License-Identifier: Apache-2.0
// Lists the tilings in lexicographic order.
#include "redistribute/shard_space.hpp"

#include <algorithm>

namespace tw::redistribute {

namespace {

std::vector<int64_t> shards_of(const Layout &layout) {
  std::vector<int64_t> shards;
  for (const sharding::DimSharding &dim : layout.sharding.dims)
    shards.push_back(num_tiles(dim, layout.mesh));
  return shards;
}

int64_t product_of(std::span<const int64_t> values) {
  int64_t product = std::ranges::count(values, 0) != 0 ? 0 : 1;
  for (size_t i = 0; i < values.size() && product != 0; ++i)
    product *= values[i];
  return product;
}

} // namespace

ShardSpace::ShardSpace(const Problem &problem, bool scalar) : rank_(problem.rank()), scalar_(scalar) {
  const graph::Shape &shape = problem.type().dims;
  const auto devices = static_cast<int64_t>(problem.num_devices());
  const std::vector<int64_t> src = shards_of(problem.src()), dst = shards_of(problem.dst());
  std::vector<std::vector<int64_t>> choices(rank_); // tiles of a dimension, ascending
  for (size_t i = 0; i < rank_; ++i)
    for (int64_t f = 1; f <= devices; ++f)
      if (devices % f == 0 && (shape[i] % f == 0 || shape[i] % src[i] != 0 || shape[i] % dst[i] != 0))
        choices[i].push_back(f);
  std::vector<int64_t> now(rank_, 1), largest(rank_);
  for (bool more = true; more;) {
    if (elements_.size() == kMaxStates) {
      shards_.clear();
      elements_.clear();
      return;
    }
    shards_.insert(shards_.end(), now.begin(), now.end());
    for (size_t i = 0; i < rank_; ++i)
      largest[i] = shape[i] / now[i] + (shape[i] % now[i] != 0 ? 1 : 0);
    elements_.push_back(product_of(largest));
    // The next list: the last dimension that can be cut finer is, those behind it are whole again.
    more = false;
    for (size_t i = rank_; i-- > 0 && !more;) {
      const int64_t left = devices / product_of({now.data(), i});
      const auto finer =
          std::ranges::find_if(choices[i], [&](int64_t f) { return f > now[i] && left % f == 0; });
      more = finer != choices[i].end();
      now[i] = more ? *finer : 1;
    }
  }
}

size_t ShardSpace::find(const Layout &layout) const { return find(shards_of(layout)); }

size_t ShardSpace::find(std::span<const int64_t> wanted) const {
  if (wanted.size() != rank_)
    return kNone;
  size_t low = 0, high = size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (std::ranges::lexicographical_compare(shards(middle), wanted))
      low = middle + 1;
    else
      high = middle;
  }
  return low < size() && std::ranges::equal(shards(low), wanted) ? low : kNone;
}

std::optional<Kind> ShardSpace::op(size_t from, size_t to) const {
  const auto a = shards(from), b = shards(to);
  int coarser = 0, finer = 0;
  int64_t grow = 1, shrink = 1;
  for (size_t i = 0; i < rank_; ++i) {
    if (a[i] == b[i])
      continue;
    if (b[i] % a[i] == 0) {
      ++finer;
      shrink *= b[i] / a[i];
    } else if (a[i] % b[i] == 0) {
      ++coarser;
      grow *= a[i] / b[i];
    } else {
      return std::nullopt;
    }
  }
  if (coarser == 0)
    return finer == 0 ? std::nullopt : std::optional(Kind::copy);
  if (scalar_ && (coarser > 1 || finer > 1))
    return std::nullopt;
  if (finer == 0)
    return Kind::all_gather;
  return grow == shrink ? std::optional(Kind::all_to_all) : std::nullopt;
}

} // namespace tw::redistribute
