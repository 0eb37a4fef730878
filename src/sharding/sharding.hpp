// SPDX-License-Identifier: Apache-2.0
// Distributed types: how one array lies over a mesh. Per dimension an ordered axis list (major to minor) and
// a split rule; beside them the axes over which the array is *partial* (partial values still to be reduced).
// Every other axis replicates.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "sharding/mesh.hpp"

namespace tw::sharding {

// How partial values combine. `raw`: pieces side by side, not reduced (the 2021 PartIR slides' stacked
// tensor). `pick`: at most one piece is not all-zero bits, the others are; combining is the bitwise or of the
// storage, which keeps every bit (also -0.0 and NaN payloads). `region`: by the region of the op that makes
// them, all of its results together.
enum class Reduction : uint8_t { raw, sum, max, min, prod, land, lor, lxor, pick, region };
std::string_view name(Reduction r);
Result<Reduction> parse_reduction(std::string_view text);

// Where the cuts of a dimension of n elements over F tiles lie, counted in blocks of `unit` elements (unit
// divides n; it is > 1 where a reshape keeps whole blocks together, e.g. 33x79 -> 2607 with the 33 tiled).
//   balanced: tile t of F is [floor(t*n/F), floor((t+1)*n/F)): nests under axis factoring; the default
//   ceil:     width ceil(n/F), the last shorter, trailing ones may be empty (JAX, XLA, torch)
//   cuts:     explicit offsets, F+1 of them, from 0 to n
//   spans:    explicit tiles, the F pairs of begin and end in `cuts`; they may overlap and leave elements
//             out. What an op needs where it is cut along a sliding window: a tile and its halo. A target of
//             redistribution; a source of local slices only.
struct SplitRule {
  enum class Kind : uint8_t { balanced, ceil, cuts, spans };
  Kind kind = Kind::balanced;
  int64_t unit = 1;
  std::shared_ptr<const std::vector<int64_t>> cuts; // kinds cuts and spans only

  bool operator==(const SplitRule &o) const;
};

struct Interval {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t size() const { return end - begin; }
  bool operator==(const Interval &) const = default;
};

// Tile t of F over n elements.
Interval tile(const SplitRule &rule, int64_t n, int64_t F, int64_t t);
// The same cuts in the simplest spelling: rules that give equal tiles become equal objects (all become
// balanced where n/unit divides).
SplitRule normalise(SplitRule rule, int64_t n, int64_t F);
// The tiles given; where they cut the dimension without overlap, the simplest rule that does so.
SplitRule make_spans(std::span<const Interval> tiles, int64_t n);
// The rule of the same dimension when `inner` more tiles are cut out of each of the F: balanced and ceil stay
// what they are, cuts are refined.
SplitRule refine(const SplitRule &rule, int64_t n, int64_t F, int64_t inner);

struct DimSharding {
  std::vector<AxisId> axes; // major to minor
  SplitRule rule;
  bool operator==(const DimSharding &) const = default;
};

struct Partial {
  AxisId axis;
  Reduction kind;
  bool operator==(const Partial &) const = default;
};

// The distributed part of a type; meaningful with a mesh and a global shape. Each axis occurs at most once in
// all of it.
struct Sharding {
  std::vector<DimSharding> dims; // one per array dimension
  std::vector<Partial> partial;  // sorted by axis

  static Sharding replicated(size_t rank) { return Sharding{std::vector<DimSharding>(rank), {}}; }
  bool is_replicated() const;
  bool uses(AxisId a) const;
  const Partial *find_partial(AxisId a) const; // null: not partial over it
  AxisSet partial_axes() const;
  bool operator==(const Sharding &) const = default;
};
size_t hash_value(const Sharding &s);

// What a device holds: offset and extent per dimension.
struct Box {
  std::vector<int64_t> offset;
  std::vector<int64_t> extent;

  static Box whole(std::span<const int64_t> shape);
  size_t rank() const { return offset.size(); }
  int64_t elements() const;
  bool empty() const { return elements() == 0; }
  bool contains(const Box &inner) const;
  bool operator==(const Box &) const = default;
};
Box intersect(const Box &a, const Box &b); // extents 0 where they do not meet

// Product of the axis sizes of one dimension: its number of tiles; and which of them a mesh position holds.
int64_t num_tiles(const DimSharding &dim, const Mesh &mesh);
int64_t tile_index(const DimSharding &dim, const Mesh &mesh, Position position);
Box box_of(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh, Position position);
// The largest tile over all positions, per dimension (without visiting the devices).
std::vector<int64_t> largest_tile(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh);
int64_t largest_tile_elements(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh);

// Well-formed over this mesh and shape: ranks agree, axes exist and occur once, cuts ascend from 0 to n with
// F+1 entries, unit divides.
Status verify(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh);

// `[{a,b}, {}, {c:(2)4}:ceil] +model +max:a`. Parsing takes the same text; sub-axes must be axes of the
// (refined) mesh.
std::string to_text(const Sharding &s, const Mesh &mesh);
Result<Sharding> parse_sharding(std::string_view text, const Mesh &mesh);

} // namespace tw::sharding
