// SPDX-License-Identifier: Apache-2.0
// One op, one move, one value at a time.
#include "cost/terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/saturating.hpp"
#include "cost/collective.hpp"
#include "cost/work.hpp"
#include "ops/registry.hpp"
#include "ops/trip_count.hpp"
#include "ops/variables.hpp"

namespace tw::cost {

using graph::OpId;
using graph::RegionId;
using graph::ValueId;
using ops::OpKind;
using sharding::Sharding;

Picoseconds picoseconds(double seconds) {
  constexpr double kMost = 9e18; // what a sum of some hundred may still have room for is not counted closer
  return static_cast<Picoseconds>(std::llround(std::min(seconds * 1e12, kMost)));
}

Terms::Terms(const graph::Graph &graph, const ops::RuleTable &rules, const sharding::Mesh &mesh,
             const system::System &system)
    : graph_(graph), rules_(rules), mesh_(mesh), system_(system), place_(graph.ops().size(), 0),
      end_(graph.ops().size(), 0), times_(graph.ops().size(), 1), inner_(graph.values().size(), false) {
  sources_ = ops::find_sources(graph);
  number(0, 1);
  find_inner();
}

void Terms::number(RegionId region, int64_t times) {
  for (const OpId op : graph_.region(region).ops) {
    place_[op] = num_places_++;
    times_[op] = times;
    const graph::Op &of = graph_.op(op);
    if ((ops::op_def(of.code).flags & ops::kControlFlow) != 0) {
      const bool loop = ops::is_loop(graph_, op);
      const int64_t turns =
          loop ? ops::trip_count(graph_, op).value_or(system_.trip_count) : 1; // of its condition one more
      for (uint32_t r = 0; r < of.num_regions; ++r)
        number(of.first_region + r, saturating_mul(times, loop && r == 0 ? turns + 1 : turns));
      end_[op] = num_places_++;
    } else {
      end_[op] = place_[op];
    }
  }
}

bool Terms::is_counted(OpId op) const {
  const ops::OpDef &def = ops::op_def(graph_.op(op).code);
  return !sources_[op] && !ops::is_signature(def) && !ops::is_joint_barrier(graph_, op) &&
         (def.flags & ops::kControlFlow) == 0;
}

// Whether one step does both: the maker element by element, or by repeating elements, as the reader goes over
// them.
bool Terms::joins(OpId maker, OpId reader) const {
  const ops::OpDef &from = ops::op_def(graph_.op(maker).code), &to = ops::op_def(graph_.op(reader).code);
  const bool passes = (from.flags & ops::kElementwise) != 0 || from.kind == OpKind::broadcast;
  const bool takes = (to.flags & ops::kElementwise) != 0 || to.kind == OpKind::reduce;
  return (to.flags & ops::kRename) != 0 || (passes && takes);
}

void Terms::find_inner() {
  std::vector<uint32_t> readers(graph_.values().size(), 0);
  std::vector<bool> apart(graph_.values().size(), false); // some reader stores it
  for (OpId op = 0; op < graph_.ops().size(); ++op)
    for (const ValueId v : graph_.operands(op)) {
      ++readers[v];
      const OpId maker = graph_.value(v).def;
      if (maker == graph::kNone || !is_counted(maker) || graph_.op(maker).parent != graph_.op(op).parent ||
          !joins(maker, op))
        apart[v] = true;
    }
  for (RegionId r = 0; r < graph_.num_regions(); ++r)
    for (const ValueId v : graph_.region(r).yields)
      apart[v] = true;
  for (ValueId v = 0; v < inner_.size(); ++v) {
    const OpId maker = graph_.value(v).def;
    if (maker == graph::kNone || apart[v])
      continue;
    const ops::OpDef &def = ops::op_def(graph_.op(maker).code);
    inner_[v] = readers[v] == 1 || def.kind == OpKind::broadcast || (def.flags & ops::kCheap) != 0;
  }
}

// Whether it takes what it needs out of whatever tile holds that.
bool Terms::takes_parts(OpId op) const {
  return std::ranges::any_of(rules_.rule(op).windows,
                             [](const ops::Window &w) { return w.terms.size() == 1 && !w.exact; });
}

// Axes that tile none of the layouts, nor leave sums in them.
sharding::AxisSet Terms::whole_along(std::initializer_list<std::span<const Sharding *const>> layouts) const {
  sharding::AxisSet whole;
  if (system_.device.shared_memory) // else nobody asks
    for (const sharding::AxisId axis : sharding::AxisSet::first(mesh_.num_axes()))
      if (std::ranges::none_of(layouts, [&](const auto &some) {
            return std::ranges::any_of(
                some, [&](const Sharding *s) { return s->uses(axis) || s->find_partial(axis) != nullptr; });
          }))
        whole.add(axis);
  return whole;
}

Picoseconds Terms::op_time(OpId op, std::span<const Sharding *const> operands,
                           std::span<const Sharding *const> results, int64_t parts) const {
  const graph::Op &of = graph_.op(op);
  if (of.num_results == 0 || (ops::op_def(of.code).flags & ops::kRename) != 0) // the same elements, seen anew
    return 0;
  const graph::TensorType &made = graph_.type(graph_.result(op));
  const double share = static_cast<double>(largest_tile_elements(*results[0], made.dims, mesh_)) /
                       static_cast<double>(std::max<int64_t>(made.elements(), 1)) /
                       static_cast<double>(parts);
  Work work;
  add_operations(work, graph_, op, share, system_, [&](size_t operand, int64_t dim) {
    const graph::TensorType &type = graph_.type(graph_.operands(op)[operand]);
    return largest_tile(*operands[operand], type.dims, mesh_)[static_cast<size_t>(dim)];
  });
  const double said = ops::op_cost(graph_, op).bytes_read;
  double whole = 0, read = 0, stored = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    const ValueId v = graph_.operands(op)[i];
    whole += static_cast<double>(graph_.type(v).bytes());
    if (is_inner(v))
      continue;
    stored += static_cast<double>(graph_.type(v).bytes());
    read += static_cast<double>(tile_bytes(graph_.value(v).type, *operands[i]));
  }
  work.bytes = said < whole || takes_parts(op) ? std::min(stored, said) * share : read;
  bool stores = false;
  for (uint32_t i = 0; i < of.num_results; ++i)
    if (const ValueId v = graph_.result(op, i); !is_inner(v)) {
      work.bytes += static_cast<double>(tile_bytes(graph_.value(v).type, *results[i]));
      stores = true;
    }
  bool by_memory = false;
  const double all = seconds(work, system_, by_memory) - (stores ? 0 : system_.device.launch_s);
  return picoseconds(all * turns_of(mesh_, system_, whole_along({operands, results})));
}

Picoseconds Terms::least_op_time(OpId op) const {
  const graph::Op &of = graph_.op(op);
  if (of.num_results == 0 || (ops::op_def(of.code).flags & ops::kRename) != 0)
    return 0;
  const auto most = [](const system::Ladder &ladder) {
    double best = ladder.points.empty() ? 1 : 0;
    for (const auto &[size, part] : ladder.points)
      best = std::max(best, part);
    return best;
  };
  const double share = 1 / static_cast<double>(mesh_.num_devices());
  const ops::Cost cost = ops::op_cost(graph_, op);
  const ops::OpDef &def = ops::op_def(of.code);
  const ops::OpKind kind = def.kind;
  const bool product = kind == OpKind::dot || kind == OpKind::convolution;
  const graph::DType type =
      graph_.type(of.num_operands == 0 ? graph_.result(op) : graph_.operands(op)[0]).dtype;
  double reached = reached_of(def, system_);
  if (product) {
    reached = most(system_.matmul);
    for (const auto &[name, ladder] : system_.matmul_of)
      reached = std::max(reached, most(ladder));
  }
  double read = 0, made = 0;
  bool stores = false;
  for (const ValueId v : graph_.operands(op))
    if (!is_inner(v))
      read += static_cast<double>(graph_.type(v).bytes());
  for (uint32_t i = 0; i < of.num_results; ++i)
    if (const ValueId v = graph_.result(op, i); !is_inner(v)) {
      made += static_cast<double>(graph_.type(v).bytes());
      stores = true;
    }
  const double bytes = (std::min(read, cost.bytes_read) + made) * share;
  const double parts = std::max(cost.flops * share / (system_.flops_of(type) * reached),
                                bytes / (system_.device.hbm_bytes_per_s * most(system_.hbm)));
  const auto every = sharding::AxisSet::first(mesh_.num_axes());
  return picoseconds(parts * turns_of(mesh_, system_, {}) +
                     (stores ? system_.device.launch_s : 0) * turns_of(mesh_, system_, every));
}

Picoseconds Terms::move_time(graph::TypeId type, const Sharding &from, const Sharding &to,
                             const redistribute::Summary &summary) const {
  const auto held = static_cast<double>(tile_bytes(type, from)),
             wanted = static_cast<double>(tile_bytes(type, to));
  const sharding::AxisSet whole = whole_along({std::array{&to}});
  if (summary.kind == redistribute::Kind::copy) { // of a tile that is there
    bool by_memory = false;
    return picoseconds(seconds({.bytes = 2 * wanted}, system_, by_memory) * turns_of(mesh_, system_, whole));
  }
  return picoseconds(
      moving_seconds(summary, mesh_, system_, whole, collective_bytes(summary, mesh_, held, wanted)));
}

int64_t Terms::tile_bytes(graph::TypeId type, const Sharding &s) const {
  const graph::TensorType &of = graph_.type_at(type);
  return largest_tile_elements(s, of.dims, mesh_) * static_cast<int64_t>(graph::byte_size(of.dtype));
}

Place Terms::last(RegionId made_in, RegionId read_in, Place read_at) const {
  for (RegionId in = read_in; in != made_in && in != 0;) {
    const OpId owner = graph_.region(in).parent;
    read_at = end_[owner];
    in = graph_.op(owner).parent;
  }
  return read_at;
}

} // namespace tw::cost
