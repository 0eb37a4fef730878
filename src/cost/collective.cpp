// SPDX-License-Identifier: Apache-2.0
// Prices a collective axis by axis, in the cheapest order.
#include "cost/collective.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "cost/work.hpp"

namespace tw::cost {
namespace {

using redistribute::Kind;
using system::Link;

double steps(const Leg &leg) {
  const auto n = static_cast<uint64_t>(leg.devices);
  return leg.link->topology == Link::Topology::switched ? std::bit_width(n - 1) : static_cast<double>(n - 1);
}

// Each device sends its part of `bytes` on to the others: all_gather, and reduce_scatter the other way round.
double spread(const Leg &leg, double bytes, double rounds = 1) {
  const auto n = static_cast<double>(leg.devices);
  return leg.link->base_s +
         rounds * (steps(leg) * leg.link->step_s + bytes * (n - 1) / n / leg.link->bytes_per_s);
}

// Axis after axis, in this order; what is gathered grows, and what is reduced shrinks.
double in_order(Kind kind, std::span<const Leg> legs, double bytes) {
  double seconds = 0;
  if (kind == Kind::all_to_all) {
    for (const Leg &leg : legs)
      bytes /= static_cast<double>(leg.devices); // what a device holds
    for (const Leg &leg : legs)
      seconds += spread(leg, bytes);
    return seconds;
  }
  for (const Leg &leg : legs) {
    const bool last = &leg == &legs.back();
    if (kind == Kind::all_reduce && !last) {
      seconds += spread(leg, bytes) * 2; // scattered here, gathered on the way back
    } else {
      seconds += spread(leg, bytes, kind == Kind::all_reduce ? 2 : 1);
    }
    bytes /= static_cast<double>(leg.devices);
  }
  return seconds;
}

} // namespace

double collective_seconds(Kind kind, std::span<const Leg> given, double bytes) {
  std::vector<Leg> legs;
  std::ranges::copy_if(given, std::back_inserter(legs), [](const Leg &leg) { return leg.devices > 1; });
  if (legs.empty() || kind == Kind::copy)
    return 0;
  if (kind == Kind::permute || kind == Kind::exchange) {
    double slowest = 0;
    for (const Leg &leg : legs)
      slowest = std::max(slowest, leg.link->base_s + leg.link->step_s + bytes / leg.link->bytes_per_s);
    return slowest;
  }
  double best = std::numeric_limits<double>::infinity();
  const auto same_switch = [&](const Leg &leg) {
    return leg.link == legs[0].link && leg.link->topology == Link::Topology::switched;
  };
  if (std::ranges::all_of(legs, same_switch)) {
    Leg all{legs[0].link, 1};
    for (const Leg &leg : legs)
      all.devices *= leg.devices;
    best = in_order(kind, {&all, 1}, bytes);
  }
  if (kind == Kind::all_reduce) { // the whole array along each
    double each = 0;
    for (const Leg &leg : legs)
      each += spread(leg, bytes, 2);
    best = std::min(best, each);
  }
  // Of two neighbours in an order the faster one goes first: what is left after it is less, whatever its
  // size. Only the last leg of an all_reduce differs, whose base counts once.
  std::ranges::sort(legs, std::greater(), [](const Leg &leg) { return leg.link->bytes_per_s; });
  best = std::min(best, in_order(kind, legs, bytes));
  if (kind == Kind::all_reduce)
    for (size_t last = 0; last + 1 < legs.size(); ++last) {
      std::vector<Leg> order = legs;
      std::rotate(order.begin() + static_cast<ptrdiff_t>(last),
                  order.begin() + static_cast<ptrdiff_t>(last) + 1, order.end());
      best = std::min(best, in_order(kind, order, bytes));
    }
  return best;
}

double stage_seconds(const Stage &stage) {
  if (stage.bytes == 0 || stage.links.empty())
    return 0;
  double seconds = stage.slowest ? 0 : std::numeric_limits<double>::infinity();
  for (const Link *link : stage.links) {
    const double over =
        static_cast<double>(std::max<int64_t>(stage.steps, 1)) * (link->base_s + link->step_s) +
        static_cast<double>(stage.bytes) / link->bytes_per_s;
    seconds = stage.slowest ? std::max(seconds, over) : std::min(seconds, over);
  }
  return seconds;
}

double staged_seconds(std::span<const Stage> stages, bool at_once) {
  double slowest = 0, sum = 0;
  for (const Stage &stage : stages) {
    const double seconds = stage_seconds(stage);
    slowest = std::max(slowest, seconds);
    sum += seconds;
  }
  return at_once ? slowest : sum;
}

Status check_axes(const sharding::Mesh &mesh, const system::System &system) {
  std::vector<std::string> axes;
  for (const auto &axis : mesh.axes())
    if (axis.kind == sharding::AxisKind::device && axis.size > 1)
      axes.push_back(axis.name);
  return system::check_axes(system, axes);
}

std::vector<Leg> legs_of(const redistribute::Summary &move, const sharding::Mesh &mesh,
                         const system::System &system) {
  std::vector<Leg> legs;
  for (const sharding::AxisId axis : move.axes)
    legs.push_back({system.find_link(mesh.axis(axis).name), mesh.size(axis)});
  return legs;
}

double moving_seconds(const redistribute::Summary &move, const sharding::Mesh &mesh,
                      const system::System &system, sharding::AxisSet whole, double bytes) {
  const std::vector<Leg> legs = legs_of(move, mesh, system);
  if (!system.device.shared_memory)
    return collective_seconds(move.kind, legs, bytes);
  sharding::AxisSet over;
  for (const sharding::AxisId axis : move.axes)
    over.add(axis);
  const bool written_once = move.kind == Kind::all_reduce && (over - whole).empty();
  const bool reduces = move.kind == Kind::all_reduce || move.kind == Kind::reduce_scatter;
  return collective_seconds(written_once ? Kind::reduce_scatter : move.kind, legs,
                            bytes * turns_of(mesh, system, reduces ? whole - over : whole));
}

double collective_bytes(const redistribute::Summary &move, const sharding::Mesh &mesh, double held,
                        double wanted) {
  switch (move.kind) {
  case Kind::copy: return 0;
  case Kind::all_gather:
  case Kind::all_reduce: return wanted;
  case Kind::reduce_scatter: return held;
  case Kind::all_to_all:
    for (const sharding::AxisId axis : move.axes)
      held *= static_cast<double>(mesh.size(axis));
    return held;
  case Kind::permute:
  case Kind::exchange: break;
  }
  return static_cast<double>(move.bytes_received_max);
}

} // namespace tw::cost
