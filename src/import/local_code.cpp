// SPDX-License-Identifier: Apache-2.0
// Annotations of what differs between devices, and the names of results that may.
#include "import/local_code.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tw::import {

using annotation::Annotation;
using annotation::ShardingAnnotation;
using annotation::TileAssignment;

// The dimensions in front of a value are its devices: each is tiled by its axis. What is local is whole on
// the other manual axes, and open to those that stay free.
void annotate_local(Reader &r, graph::ValueId v, const OpText &op, int32_t priority) {
  const MeshAxes axes = r.c.local.axes_of(v);
  if (!r.c.local.has_axes() || (r.free_axes && axes.empty()))
    return;
  ShardingAnnotation s;
  const size_t rank = r.c.builder.type_of(v).rank();
  if (r.c.local.mesh_name() == kGspmdMesh) {
    const auto sizes = r.c.local.axis_sizes();
    TileAssignment a;
    a.iota.assign(sizes.begin(), sizes.end());
    int64_t rest = 1;
    for (const size_t axis : axes) {
      a.tiles.push_back(sizes[axis]);
      a.transpose.push_back(static_cast<int64_t>(axis));
    }
    a.tiles.resize(rank, 1);
    for (size_t axis = 0; axis < sizes.size(); ++axis)
      if (std::ranges::find(axes, axis) == axes.end()) {
        a.transpose.push_back(static_cast<int64_t>(axis));
        rest *= sizes[axis];
      }
    if (rest > 1) {
      a.tiles.push_back(rest);
      a.subgroups = 1;
    }
    s.kind = ShardingAnnotation::Kind::tiles;
    s.assignment = std::move(a);
  } else {
    s.mesh = r.c.local.mesh_name();
    for (const size_t axis : axes)
      s.dims.push_back({{r.c.local.axis_ref(axis)}, false, priority});
    for (const size_t axis : r.c.local.manual())
      if (std::ranges::find(axes, axis) == axes.end())
        s.replicated.push_back(r.c.local.axis_ref(axis));
    s.dims.resize(rank, {{}, r.free_axes, -1});
  }
  s.text = op.name;
  r.c.annotations.all.push_back({Annotation::At::value, v, std::move(s), {r.s.file(), op.line, op.column}});
}

graph::OpId next_op(const Reader &r) { return static_cast<graph::OpId>(r.c.builder.graph().ops().size()); }

void state_moves(Reader &r, graph::OpId first) {
  if (const graph::OpId end = next_op(r); first < end)
    r.c.annotations.moves.push_back({first, end});
}

// What is equal along an axis and tiled by it afterwards is cut where it lies.
Result<graph::ValueId> leave_local(Reader &r, graph::ValueId v, std::span<const MeshAxes> dims,
                                   const MeshAxes &manual, const OpText &op) {
  const graph::OpId first = next_op(r);
  TW_ASSIGN(const graph::ValueId spread, r.c.local.spread(v, dims, manual));
  // What leaves is tiled so, even where all that came in is whole, and devices differ by their numbers alone.
  if (!r.c.local.axes_of(spread).empty())
    annotate_local(r, spread, op, 0);
  auto made = r.c.local.leave(spread, dims, manual);
  state_moves(r, first);
  return made;
}

// Results with the types that the text states, in local terms where they differ between devices.
bool bind_local(Reader &r, OpText &op, std::span<const graph::ValueId> values) {
  if (op.result_types.size() != values.size())
    return r.s.fail(
        "TW-110", op.at,
        fmt::format("{}: {} results, but types for {}", op.name, values.size(), op.result_types.size()));
  for (size_t i = 0; i < values.size(); ++i)
    if (const graph::TypeId type = r.c.local.type(values[i]); type != op.result_types[i])
      return r.s.fail("TW-110", op.at,
                      fmt::format("{}: result {} is {}, but {} is stated", op.name, i,
                                  graph::to_text(r.c.builder.graph().type_at(type)),
                                  graph::to_text(r.c.builder.graph().type_at(op.result_types[i]))));
  if (!r.bind_results(op, values))
    return false;
  size_t next = 0;
  for (const OpText::Result &result : op.results)
    for (uint32_t i = 0; i < result.count; ++i)
      r.name_value(values[next++], result.name, i, result.count);
  return true;
}

bool bind_implied(Reader &r, OpText &op, Implied &implied, graph::ValueId made) {
  return implied.ok() && bind_local(r, op, {&made, 1});
}

} // namespace tw::import
