// SPDX-License-Identifier: Apache-2.0
// One axis of the mesh becomes two, major and minor, in everything that a plan says: a nest that runs the
// axis over a factor runs both parts over it, one inside the other, so no tile changes. From then on each
// part may go another way: a reshape that splits a tiled dimension gives the major part to the one dimension
// and the minor part to the other.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "partition/plan.hpp"
#include "partition/projection.hpp"
#include "sharding/parts.hpp"

namespace tw::partition {

using sharding::AxisId;
using sharding::SplitRule;

namespace {

// Where an axis stands once the one at `split` is two; of that one the major part.
AxisId moved(AxisId axis, AxisId split) { return axis > split ? static_cast<AxisId>(axis + 1) : axis; }

void move_axes(sharding::Sharding &layout, AxisId split) {
  for (sharding::DimSharding &dim : layout.dims) {
    std::vector<AxisId> axes;
    for (const AxisId a : dim.axes) {
      axes.push_back(moved(a, split));
      if (a == split)
        axes.push_back(static_cast<AxisId>(a + 1));
    }
    dim.axes = std::move(axes);
  }
}

// The tiles of a factor that the loops of a nest outside an axis make.
int64_t tiles_outside(std::span<const NestEntry> nest, AxisId axis, ops::FactorId factor,
                      const sharding::Mesh &mesh) {
  int64_t tiles = 1;
  for (const NestEntry &outer : nest) {
    if (outer.axis == axis)
      break;
    if (outer.factor == factor)
      tiles *= mesh.size(outer.axis);
  }
  return tiles;
}

} // namespace

bool Plan::is_anonymous(AxisId axis) const {
  return std::ranges::find(anonymous_, axis, &AnonymousAxis::axis) != anonymous_.end();
}

// The cuts that the major part makes of a factor, of those of the whole axis and the loops outside it.
SplitId Plan::coarsen(NodeId n, ops::FactorId factor, SplitId split, int64_t tiles, int64_t minor) {
  return split == 0
             ? 0
             : intern_split(partition::coarsen(splits_[split], flat_rule(n).size(factor), tiles, minor));
}

// What is undecided over the axis is so over both of its parts.
void Plan::refine_conflicts(AxisId axis, int64_t minor) {
  // A way has the cuts of the nest as it was when it was offered, which an action may have changed since.
  const auto tiles_of_way = [&](NodeId n, const Candidate &way) {
    const SplitRule &rule = splits_[way.split];
    return rule.kind == SplitRule::Kind::cuts
               ? static_cast<int64_t>(rule.cuts->size()) - 1
               : tiles_outside(nest(n), axis, way.factor, mesh_) * mesh_.size(axis) * minor;
  };
  std::vector<Conflict> refined;
  for (Conflict &c : conflicts_) {
    const bool both = c.axis == axis;
    c.axis = moved(c.axis, axis);
    refined.push_back(std::move(c));
    if (!both)
      continue;
    Conflict inner = refined.back();
    inner.axis = static_cast<AxisId>(axis + 1);
    for (Candidate &candidate : refined.back().candidates)
      if (candidate.factor != kAny)
        candidate.split = coarsen(inner.node, candidate.factor, candidate.split,
                                  tiles_of_way(inner.node, candidate), minor);
    refined.push_back(std::move(inner));
  }
  conflicts_ = std::move(refined);
  conflict_kinds_.clear();
  for (const Conflict &c : conflicts_)
    conflict_kinds_[conflict_key(c.node, c.axis)] |=
        static_cast<uint8_t>(1u << static_cast<unsigned>(c.kind));
}

Status Plan::refine(AxisId axis, int64_t major) {
  TW_ASSERT(axis < mesh_.num_axes() && !is_anonymous(axis));
  const int64_t minor = mesh_.size(axis) / major;
  const std::array<int64_t, 2> parts{major, minor};
  TW_ASSIGN(sharding::Mesh mesh, mesh_.refine(axis, parts));
  refined_.push_back({axis, mesh_, conflicts_, conflict_kinds_, result_layouts_, anonymous_, materialised_});
  mesh_ = std::move(mesh);
  nests_.split_axis(axis, [&](NodeId n, size_t depth) {
    const NestEntry whole = nest(n)[depth];
    if (whole.factor == kAny)
      return whole.split;
    const int64_t outside = tiles_outside(nest(n).first(depth), axis, whole.factor, mesh_);
    return coarsen(n, whole.factor, whole.split, outside * mesh_.size(axis) * minor, minor);
  });
  refine_conflicts(axis, minor);
  for (ResultLayout &asked : result_layouts_)
    move_axes(asked.layout, axis);
  for (AnonymousAxis &known : anonymous_)
    known.axis = moved(known.axis, axis);
  std::unordered_set<uint64_t> materialised;
  for (const uint64_t key : materialised_) {
    const auto of = static_cast<AxisId>(key & 0xff);
    materialised.insert((key & ~uint64_t{0xff}) | moved(of, axis));
    if (of == axis)
      materialised.insert((key & ~uint64_t{0xff}) | (axis + 1u));
  }
  materialised_ = std::move(materialised);
  log_.push_back(kLogRefined);
  return {};
}

// All that came later is undone already, so every nest has both parts or neither.
void Plan::undo_refine() {
  Refined was = std::move(refined_.back());
  refined_.pop_back();
  nests_.join_axes(was.axis);
  mesh_ = std::move(was.mesh);
  conflicts_ = std::move(was.conflicts);
  conflict_kinds_ = std::move(was.conflict_kinds);
  result_layouts_ = std::move(was.result_layouts);
  anonymous_ = std::move(was.anonymous);
  materialised_ = std::move(was.materialised);
}

Status Plan::begin_part(std::string_view name, int64_t pre) {
  TW_ASSIGN(const auto cut, sharding::cut_for_part(mesh_, name, pre));
  if (!cut)
    return {};
  if (is_anonymous(cut->axis))
    return fail(Code::invalid_argument, "TW-403",
                fmt::format("axis '{}' is made by a range, and has no parts", name));
  return refine(cut->axis, cut->major);
}

} // namespace tw::partition
