// SPDX-License-Identifier: Apache-2.0
// Decides how partial values are reduced for the uses that want them combined: scattered over the axes along
// which all of these want them tiled in the same way, reduced to every device over the others. Where they
// share no tiles they may still be scattered for one of the uses, and moved from there for the others, if
// that moves less.
#include <algorithm>

#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using sharding::AxisId;
using sharding::DimSharding;
using sharding::Partial;
using sharding::Reduction;
using sharding::Sharding;

bool is_wanted_partial(const Lowering &lowering, const partition::Port &reader) {
  return !lowering.is_result(reader.node) &&
         !lowering.sharding(lowering.node(reader.node).operands[reader.index]).partial.empty();
}

// The layouts in which the users of a value want it combined; uses that take any layout are left out.
std::vector<ShardingId> wanted_layouts(const Lowering &lowering, graph::ValueId v) {
  const partition::NodeId pin = lowering.plan.pin_of(v);
  if (pin != graph::kNone)
    return {lowering.node(pin).operands[0]};
  std::vector<ShardingId> wanted;
  const auto add = [&](ShardingId id) {
    if (wanted.empty() || wanted.back() != id)
      wanted.push_back(id);
  };
  lowering.plan.flow().each_reader(v, [&](const partition::Port &reader) {
    if (!lowering.is_live(reader.node) || is_wanted_partial(lowering, reader))
      return;
    if (!lowering.is_result(reader.node))
      add(lowering.node(reader.node).operands[reader.index]);
    else if (const auto asked = lowering.result_types[lowering.signature_index(reader.node)])
      add(*asked);
  });
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

// Tiles with halos are made from tiles without.
DimSharding without_halo(DimSharding dim) {
  if (dim.rule.kind == sharding::SplitRule::Kind::spans)
    dim.rule = {};
  return dim;
}

// The dimension as the users want it, cut back to the axes that the maker tiles followed by partial ones; the
// maker's where they disagree.
DimSharding scattered_dim(const Lowering &lowering, const Sharding &made, size_t d,
                          std::span<const ShardingId> wanted) {
  const DimSharding &from = made.dims[d];
  const DimSharding first = without_halo(lowering.sharding(wanted[0]).dims[d]);
  const auto is_partial = [&](AxisId axis) {
    return std::ranges::count(made.partial, axis, &Partial::axis) != 0;
  };
  if (first.axes.size() <= from.axes.size() ||
      !std::equal(from.axes.begin(), from.axes.end(), first.axes.begin()))
    return from;
  size_t end = from.axes.size();
  while (end < first.axes.size() && is_partial(first.axes[end]))
    ++end;
  for (const ShardingId id : wanted) {
    const DimSharding other = without_halo(lowering.sharding(id).dims[d]);
    const auto [at, ignored] = std::ranges::mismatch(first.axes, other.axes);
    end = std::min(end, static_cast<size_t>(at - first.axes.begin()));
    if (!(other.rule == first.rule))
      end = 0;
  }
  if (end <= from.axes.size())
    return from;
  DimSharding result{{first.axes.begin(), first.axes.begin() + static_cast<ptrdiff_t>(end)}, first.rule};
  if (end < first.axes.size() && first.rule.kind != sharding::SplitRule::Kind::balanced)
    result.rule = {}; // the wanted cuts are those of more tiles
  return result;
}

// Without the partial values over some axes.
Sharding without(Sharding s, std::span<const AxisId> axes) {
  std::erase_if(s.partial,
                [&](const Partial &partial) { return std::ranges::count(axes, partial.axis) != 0; });
  return s;
}

std::vector<AxisId> axes_over_which(std::span<const Partial> partial) {
  std::vector<AxisId> axes;
  for (const Partial &p : partial)
    axes.push_back(p.axis);
  return axes;
}

} // namespace

bool by_region(const Sharding &s) {
  return std::ranges::count(s.partial, Reduction::region, &Partial::kind) != 0;
}

namespace {

// The steps where what these uses want alike is scattered first, so that the rest has less to reduce.
std::vector<ShardingId> steps_for(Lowering &lowering, const Sharding &made, const graph::TensorType &type,
                                  std::span<const ShardingId> wanted) {
  std::vector<ShardingId> result;
  const auto step = [&](const Sharding &to) { result.push_back(lowering.intern(to, type)); };
  Sharding at = made;
  if (!wanted.empty()) {
    std::vector<AxisId> scattered;
    for (size_t d = 0; d < made.dims.size(); ++d) {
      DimSharding dim = scattered_dim(lowering, made, d, wanted);
      scattered.insert(scattered.end(), dim.axes.begin() + static_cast<ptrdiff_t>(made.dims[d].axes.size()),
                       dim.axes.end());
      at.dims[d] = std::move(dim);
    }
    if (!scattered.empty()) {
      at = without(std::move(at), scattered);
      step(at);
    }
  }
  while (!at.partial.empty()) { // one kind of reduction at a time
    std::vector<AxisId> axes;
    for (const Partial &partial : at.partial)
      if (partial.kind == at.partial[0].kind)
        axes.push_back(partial.axis);
    at = without(std::move(at), axes);
    step(at);
  }
  return result;
}

// Where a use wants tiles over axes over which these steps reduce to every device: what is scattered over
// them along some dimension moves from there, which may be less.
void add_scattered(Lowering &lowering, ShardingId made, const graph::TensorType &type,
                   std::span<const ShardingId> steps, std::span<const ShardingId> wanted,
                   std::vector<std::vector<ShardingId>> &others) {
  const ShardingId before = steps.size() < 2 ? made : steps[steps.size() - 2];
  const Sharding from = lowering.sharding(before), to = lowering.sharding(steps.back()); // copies
  if (std::ranges::any_of(from.dims, [](const DimSharding &dim) {
        return dim.rule.kind == sharding::SplitRule::Kind::spans;
      }))
    return; // from tiles that overlap nothing moves
  std::vector<AxisId> reduced;
  for (const Partial &partial : from.partial)
    if (from.dims == to.dims && std::ranges::any_of(wanted, [&](ShardingId id) {
          return std::ranges::any_of(lowering.sharding(id).dims, [&](const DimSharding &dim) {
            return std::ranges::count(dim.axes, partial.axis) != 0;
          });
        }))
      reduced.push_back(partial.axis);
  for (size_t d = 0; d < from.dims.size() && !reduced.empty(); ++d) {
    Sharding scattered = without(from, reduced);
    DimSharding &dim = scattered.dims[d];
    dim.axes.insert(dim.axes.end(), reduced.begin(), reduced.end());
    int64_t tiles = 1;
    for (const AxisId axis : dim.axes)
      tiles *= lowering.mesh.size(axis);
    if (!(dim.rule == sharding::SplitRule{}) || type.dims[d] % tiles != 0)
      continue;
    std::vector<ShardingId> &other = others.emplace_back(steps.begin(), steps.end() - 1);
    other.push_back(lowering.intern(scattered, type));
    if (!scattered.partial.empty())
      other.push_back(lowering.intern(without(scattered, axes_over_which(scattered.partial)), type));
  }
}

// What a device receives in the mean on these steps, and where each use then gets its layout.
double bytes_of(Lowering &lowering, graph::TypeId type, ShardingId made, std::span<const ShardingId> steps,
                std::span<const ShardingId> wanted) {
  double bytes = 0;
  for (const ShardingId to : steps) {
    bytes += lowering.summary(type, made, to).bytes_received_mean;
    made = to;
  }
  for (const ShardingId to : wanted)
    bytes += lowering.summary(type, made, to).bytes_received_mean;
  return bytes;
}

} // namespace

std::vector<ShardingId> closing_steps(Lowering &lowering, ShardingId made_id, graph::TypeId type_id,
                                      std::span<const ShardingId> asked) {
  // Of ways that move equally much the first is taken: not by ids, which depend on what was lowered before.
  std::vector<ShardingId> wanted(asked.begin(), asked.end());
  if (wanted.size() > 1)
    std::ranges::sort(wanted, {},
                      [&](ShardingId id) { return to_text(lowering.sharding(id), lowering.mesh); });
  const Sharding made = lowering.sharding(made_id); // a copy: more types come
  const graph::TensorType &type = lowering.graph.type_at(type_id);
  const bool one_kind =
      std::ranges::all_of(made.partial, [&](const Partial &s) { return s.kind == made.partial[0].kind; });
  if (made.partial.empty() || !one_kind || by_region(made) || !lowering.does("scatter_sums"))
    return steps_for(lowering, made, type, {});
  std::vector<ShardingId> best = steps_for(lowering, made, type, wanted);
  const auto over_loop = [&](const Partial &s) { return lowering.mesh.is_loop(s.axis); };
  if (std::ranges::any_of(made.partial, over_loop)) // what is added up over steps moves nowhere
    return best;
  std::vector<std::vector<ShardingId>> others;
  for (size_t i = 0; i < wanted.size() && wanted.size() > 1; ++i)
    others.push_back(steps_for(lowering, made, type, std::span(wanted).subspan(i, 1)));
  add_scattered(lowering, made_id, type, best, wanted, others);
  if (others.empty())
    return best;
  double least = bytes_of(lowering, type_id, made_id, best, wanted);
  for (std::vector<ShardingId> &steps : others) {
    const double bytes = bytes_of(lowering, type_id, made_id, steps, wanted);
    if (bytes < least * (1 - 1e-9)) {
      least = bytes;
      best = std::move(steps);
    }
  }
  return best;
}

namespace {

void close(Lowering &lowering, partition::NodeId n, uint32_t result) {
  const graph::ValueId v = lowering.plan.made(n, result);
  const ShardingId made = lowering.node(n).results[result];
  bool combined = false, partial = false;
  if (!lowering.sharding(made).partial.empty())
    lowering.plan.flow().each_reader(v, [&](const partition::Port &reader) {
      if (lowering.is_live(reader.node))
        (is_wanted_partial(lowering, reader) ? partial : combined) = true;
    });
  if (combined || by_region(lowering.sharding(made))) // what a region combines, it combines together
    lowering.reduction_paths[v] = {
        closing_steps(lowering, made, lowering.graph.value(v).type, wanted_layouts(lowering, v)), partial};
}

bool leaves_partial(const Lowering &lowering, partition::NodeId n) {
  return n != graph::kNone && lowering.types_of[n] != graph::kNone && lowering.is_live(n) &&
         !lowering.node(n).reduce_axes.empty();
}

} // namespace

Status place_reductions(Lowering &lowering) {
  const partition::Plan &plan = lowering.plan;
  if (lowering.scope) {
    lowering.scope->values.each([&](graph::ValueId v) {
      lowering.reduction_paths.erase(v);
      if (const auto [n, result] = plan.flow().maker(v); leaves_partial(lowering, n))
        close(lowering, n, result);
    });
    return {};
  }
  for (partition::NodeId n = 0; n < plan.num_nodes(); ++n)
    if (leaves_partial(lowering, n))
      for (uint32_t i = 0; i < plan.num_made(n); ++i)
        close(lowering, n, i);
  return {};
}

} // namespace tw::spmd
