// SPDX-License-Identifier: Apache-2.0
// Halos: cells around every tile of a dimension that hold what lies there in the array. How an array is cut
// is its Sharding; what devices keep around their tiles stands beside it, dimension by dimension.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::sharding {

// What stands around the array itself: zeros where it ends, or what lies at its other end where it wraps.
enum class Border : uint8_t { zero, wrap };

// So many cells before a tile and after it, at the border of the array too, and around empty tiles. A tile is
// then seen in unrolled coordinates: its interval may begin below 0 and end behind n. Where the dimension
// wraps, coordinate c is element c modulo n.
struct Halo {
  int64_t before = 0, after = 0;
  Border border = Border::zero;
  bool empty() const { return before == 0 && after == 0; }
  bool wraps() const { return border == Border::wrap; }
  bool operator==(const Halo &) const = default;
};
constexpr int64_t kMaxHalo = int64_t{1} << 40;

using Halos = std::vector<Halo>; // one per dimension, or none at all where all are empty
inline Halo halo_of(const Halos &halos, size_t d) { return halos.empty() ? Halo{} : halos[d]; }

struct Distribution {
  Sharding sharding;
  Halos halos;
  bool operator==(const Distribution &) const = default;
};

// Of a dimension of n elements, what a mesh position holds: its tile and the halo around it.
Interval interval_of(const DimSharding &dim, const Halo &halo, int64_t n, const Mesh &mesh,
                     Position position);
// The element that a coordinate of such an interval stands for; -1: none, around an array that ends.
int64_t element_at(const Halo &halo, int64_t n, int64_t coordinate);
// The elements that coordinates of such an interval stand for, each once: disjoint intervals of 0..n,
// ascending.
std::vector<Interval> elements_of(const Halo &halo, int64_t n, Interval held);

Box box_of(const Distribution &s, std::span<const int64_t> shape, const Mesh &mesh, Position position);
std::vector<int64_t> largest_tile(const Sharding &s, const Halos &halos, std::span<const int64_t> shape,
                                  const Mesh &mesh);

// Well-formed: sizes are not negative, no more than kMaxHalo, and of tiles that a rule makes: a dimension has
// halos or explicit cuts (MLIR's shard dialect). The rule of the dimension alone, over n elements, is
// verified too.
Status verify(const DimSharding &dim, const Halo &halo, int64_t n, const Mesh &mesh, size_t d);
Status verify(const Sharding &s, const Halos &halos, std::span<const int64_t> shape, const Mesh &mesh);

// `[{a}:halo=[1,1], {b}:ceil:halo=[2,0]:wrap] +model`: the text of a sharding, and `halo=[BEFORE,AFTER]`
// behind a rule. Where the shape is known, rules and halos that do not fit it are errors that say at which
// character.
std::string to_text(const Sharding &s, const Halos &halos, const Mesh &mesh);
Result<Distribution> parse_distribution(std::string_view text, const Mesh &mesh,
                                        std::optional<std::span<const int64_t>> shape = std::nullopt);

} // namespace tw::sharding
