// SPDX-License-Identifier: Apache-2.0
// Problems for the search of collective sequences: read from the paper's notation, and every answer walked
// through device by device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "redistribute/sequence.hpp"
#include "support/random_sharding.hpp"
#include "support/table_file.hpp"
#include "support/unit.hpp"

namespace tw::test {

using redistribute::CutStep;
using redistribute::Kind;
using redistribute::OpSet;
using redistribute::Sequence;
using redistribute::Tilings;

// "{a:2,b:2}": names and sizes, major to minor.
struct NamedMesh {
  std::vector<std::string> names;
  std::vector<int64_t> sizes;
};

inline NamedMesh parse_mesh(const std::string &text) {
  NamedMesh mesh;
  std::istringstream in(text.substr(1, text.size() - 2));
  for (std::string axis; std::getline(in, axis, ',');) {
    mesh.names.push_back(axis.substr(0, axis.find(':')));
    mesh.sizes.push_back(std::stoll(axis.substr(axis.find(':') + 1)));
  }
  return mesh;
}

// One end of a problem: tiles per dimension, and which tile each device has.
struct Tiling {
  std::vector<int64_t> shape, shards;
  std::vector<int32_t> tiles;
};

// The tiling over a mesh whose axes cut the dimensions; axes of a dimension minor to major.
inline Tiling tiling(const std::vector<int64_t> &shape, const std::vector<std::vector<size_t>> &axes,
                     const std::vector<int64_t> &mesh) {
  Tiling t{shape, std::vector<int64_t>(shape.size(), 1), {}};
  int64_t devices = 1;
  for (const int64_t n : mesh)
    devices *= n;
  t.tiles.assign(static_cast<size_t>(devices) * shape.size(), 0);
  for (size_t dim = 0; dim < shape.size(); ++dim)
    for (const size_t axis : axes[dim]) {
      int64_t minor = 1;
      for (size_t a = axis + 1; a < mesh.size(); ++a)
        minor *= mesh[a];
      for (int64_t d = 0; d < devices; ++d)
        t.tiles[static_cast<size_t>(d) * shape.size() + dim] +=
            static_cast<int32_t>(t.shards[dim] * (d / minor % mesh[axis]));
      t.shards[dim] *= mesh[axis];
    }
  return t;
}

// "[4{a,b}16,24]": local size, axes minor to major, global size.
inline Tiling parse_type(const std::string &text, const NamedMesh &mesh) {
  std::vector<int64_t> shape;
  std::vector<std::vector<size_t>> axes;
  for (size_t at = 1; at < text.size() && text[at] != ']';) {
    size_t used = 0;
    int64_t size = std::stoll(text.substr(at), &used);
    at += used;
    axes.emplace_back();
    if (text[at] == '{') {
      const size_t end = text.find('}', at);
      std::istringstream in(text.substr(at + 1, end - at - 1));
      for (std::string axis; std::getline(in, axis, ',');)
        axes.back().push_back(static_cast<size_t>(std::ranges::find(mesh.names, axis) - mesh.names.begin()));
      size = std::stoll(text.substr(end + 1), &used);
      at = end + 1 + used;
    }
    shape.push_back(size);
    at += text[at] == ',';
  }
  return tiling(shape, axes, mesh.sizes);
}

inline Tilings problem(const Tiling &src, const Tiling &dst, std::vector<int64_t> mesh) {
  return {src.shape, std::move(mesh), src.shards, dst.shards, src.tiles, dst.tiles};
}

inline int64_t tile_size(const Tilings &t, const std::vector<int64_t> &shards) {
  int64_t size = 1;
  for (size_t dim = 0; dim < shards.size(); ++dim)
    size *= (t.shape[dim] + shards[dim] - 1) / shards[dim];
  return size;
}

// The paper's bound.
inline int64_t largest_end(const Tilings &t) {
  return std::max(tile_size(t, t.src_shards), tile_size(t, t.dst_shards));
}

// Every axis of the mesh cuts some dimension, or none.
inline Tiling random_tiling(Random &random, const std::vector<int64_t> &shape,
                            const std::vector<int64_t> &mesh) {
  std::vector<size_t> order(mesh.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::shuffle(order, random);
  std::vector<std::vector<size_t>> axes(shape.size());
  for (const size_t axis : order)
    if (const auto dim = static_cast<size_t>(draw(random, 0, static_cast<int64_t>(shape.size())));
        dim < shape.size())
      axes[dim].push_back(axis);
  return tiling(shape, axes, mesh);
}

// Gives the devices another order.
inline void reorder(Random &random, Tiling &t, size_t devices) {
  const size_t rank = t.shape.size();
  std::vector<size_t> order(devices);
  for (size_t i = 0; i < devices; ++i)
    order[i] = i;
  std::ranges::shuffle(order, random);
  const std::vector<int32_t> tiles = t.tiles;
  for (size_t d = 0; d < devices; ++d)
    for (size_t dim = 0; dim < rank; ++dim)
      t.tiles[d * rank + dim] = tiles[order[d] * rank + dim];
}

struct ExpectedCase {
  std::string line;
  Tilings tilings;
  int64_t scalar = 0, vector = 0, scalar_weak = 0, vector_weak = 0, fused = 0, arrive_max = 0;
};

// The cases of tests/unit/redistribute/expected/<name>.txt; its head says what the columns are.
inline std::vector<ExpectedCase> expected_cases(const std::string &name) {
  std::vector<ExpectedCase> cases;
  for (const auto &[line, fields] :
       read_table(source_path("tests/unit/redistribute/expected/" + name + ".txt"))) {
    const NamedMesh mesh = parse_mesh(fields[0]);
    cases.push_back({line, problem(parse_type(fields[1], mesh), parse_type(fields[2], mesh), mesh.sizes),
                     std::stoll(fields[3]), std::stoll(fields[4]), std::stoll(fields[5]),
                     std::stoll(fields[6]), std::stoll(fields[7]), std::stoll(fields[8])});
  }
  return cases;
}

// Walks through a sequence by the definitions of its ops; what is wrong with it, or nothing.
inline std::string replay(const Tilings &t, const Sequence &s, OpSet ops, int64_t cap) {
  const size_t rank = t.shape.size(), devices = static_cast<size_t>(t.devices());
  std::vector<int64_t> shards = t.src_shards;
  std::vector<int32_t> tiles = t.src_tiles;
  int64_t cost = 0;
  size_t permutations = 0;
  using Key = std::vector<int32_t>;
  for (const CutStep &c : s.steps) {
    int64_t grown = 1, shrunk = 1, growing = 0, shrinking = 0;
    for (size_t dim = 0; dim < rank; ++dim) {
      if (c.up[dim] < 1 || c.down[dim] < 1 || shards[dim] % c.up[dim] != 0 ||
          shards[dim] / c.up[dim] * c.down[dim] != c.shards[dim] || (c.up[dim] > 1 && c.down[dim] > 1))
        return "factors and tiles do not fit";
      grown *= c.up[dim];
      shrunk *= c.down[dim];
      growing += c.up[dim] > 1;
      shrinking += c.down[dim] > 1;
    }
    const bool kind = c.kind == Kind::copy         ? grown == 1 && shrunk > 1
                      : c.kind == Kind::all_gather ? grown > 1 && shrunk == 1
                      : c.kind == Kind::all_to_all ? grown > 1 && grown == shrunk
                      : c.kind == Kind::permute    ? grown == 1 && shrunk == 1
                                                   : false;
    if (!kind)
      return "kind and factors do not fit";
    if (ops == OpSet::scalar && c.kind != Kind::copy && (growing > 1 || shrinking > 1))
      return "several dimensions at once";
    permutations += c.kind == Kind::permute;
    if (tile_size(t, c.shards) > cap)
      return "a tile is too large";
    if (c.kind != Kind::copy)
      cost += tile_size(t, c.shards);
    if (c.tiles.size() != devices * rank)
      return "no tile for every device";

    // Balance, over all tiles that there are; and per coarse tile, whose devices must be the same before and
    // after.
    int64_t all = 1;
    for (const int64_t n : c.shards)
      all *= n;
    std::map<Key, size_t> held;
    std::map<Key, std::map<Key, size_t>> before, after;
    for (size_t d = 0; d < devices; ++d) {
      Key now(c.tiles.begin() + static_cast<std::ptrdiff_t>(d * rank),
              c.tiles.begin() + static_cast<std::ptrdiff_t>((d + 1) * rank));
      Key old(tiles.begin() + static_cast<std::ptrdiff_t>(d * rank),
              tiles.begin() + static_cast<std::ptrdiff_t>((d + 1) * rank));
      ++held[now];
      Key coarse_now(rank), coarse_old(rank);
      for (size_t dim = 0; dim < rank; ++dim) {
        if (now[dim] < 0 || now[dim] >= c.shards[dim])
          return "a tile that does not exist";
        coarse_now[dim] = now[dim] / static_cast<int32_t>(c.down[dim]);
        coarse_old[dim] = old[dim] / static_cast<int32_t>(c.up[dim]);
      }
      if (c.kind != Kind::permute && coarse_now != coarse_old)
        return "a device leaves what its group holds";
      ++before[coarse_old][old];
      ++after[coarse_now][now];
    }
    if (held.size() != static_cast<size_t>(all))
      return "a tile is lost";
    for (const auto &[tile, holders] : held)
      if (holders * held.size() != devices)
        return "tiles are not held equally often";
    // Groups of `up` devices exist exactly where each coarse tile's parts are held equally often before;
    // after is balanced, too.
    for (const auto &[coarse, parts] : before) {
      if (parts.size() != static_cast<size_t>(grown) && c.kind != Kind::permute)
        return "a part of what a group gathers is missing";
      for (const auto &[part, holders] : parts)
        if (holders != parts.begin()->second)
          return "no groups";
    }
    shards = c.shards;
    tiles = c.tiles;
  }
  if (shards != t.dst_shards || tiles != t.dst_tiles)
    return "does not end at the target";
  if (cost != s.cost)
    return "costs " + std::to_string(cost) + ", says " + std::to_string(s.cost);
  if (permutations > 1)
    return "more than one permutation";
  return "";
}

} // namespace tw::test
