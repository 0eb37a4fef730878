// SPDX-License-Identifier: Apache-2.0
// How devices exchange data. A communicator prepares each collective once; a prepared one runs many times without
// allocating. Two things happen in it: boxes are copied from where they lie to where they are needed, and partial values
// are combined in rank order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"
#include "graph/types.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::comm {

// One array goes from one distributed type to another on the same mesh.
struct Transfer {
  const sharding::Mesh &mesh;
  const graph::TensorType &type; // global
  const sharding::Sharding &src;
  const sharding::Sharding &dst;
};

// Arrays of one shape that several devices hold in part, as an op that reduces them together by a region leaves them: the region folds the
// parts, in ascending order of `rank`. Devices whose rank is negative have nothing to add.
struct Fold {
  const sharding::Mesh &mesh;
  std::span<const graph::TensorType> types; // global; the region's element types
  const sharding::Sharding &src;
  const sharding::Sharding &dst;
  const graph::Graph &graph;
  graph::RegionId region;
  std::span<const int64_t> rank; // by mesh position
};

// A prepared transfer. The devices fall into *groups* between which nothing moves: a group may run as soon as all of its
// members are ready, whatever the others do. A group's work is cut into parts that write disjoint memory, fixed by the
// shapes alone, so any worker may run any part and results have the same bits.
class Collective {
public:
  virtual ~Collective() = default;

  size_t num_groups() const { return groups_.size(); }
  std::span<const int64_t> members(size_t group) const { return groups_[group]; } // mesh positions, ascending
  size_t group_of(int64_t position) const { return group_of_[static_cast<size_t>(position)]; }

  // The target tile may lie in the source tile's memory on every device.
  virtual bool may_run_in_place() const { return false; }
  virtual int64_t parts(size_t group) const = 0;
  // `src` and `dst` hold the tiles: of the first array by mesh position, then of the next. Only those of the group are looked at.
  virtual void run(size_t group, int64_t part, std::span<const void *const> src,
                   std::span<void *const> dst) const = 0;

protected:
  std::vector<std::vector<int64_t>> groups_;
  std::vector<size_t> group_of_;
};

class Communicator {
public:
  virtual ~Communicator() = default;
  virtual const char *name() const = 0;
  // Arrays on one mesh that move together.
  virtual Result<std::unique_ptr<Collective>> prepare(std::span<const Transfer> transfers) = 0;
  virtual Result<std::unique_ptr<Collective>> prepare(const Fold &fold) = 0;
};

} // namespace tw::comm
