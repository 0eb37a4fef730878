// SPDX-License-Identifier: Apache-2.0
// Seconds of a collective, by the closed forms of docs/estimate.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "redistribute/exchange.hpp"
#include "system/system.hpp"

namespace tw::cost {

// A mesh axis on the way of a collective: its link, and how many devices stand along it.
struct Leg {
  const system::Link *link;
  int64_t devices;
};

// `bytes`: of the whole array, gathered, or to be reduced; of an all_to_all what the group holds; of a
// permute or an exchange what the busiest device receives. Nothing moves along an axis of one device. Over
// several axes: axis by axis in the cheapest order, or at once where they are one group of one switch; the
// cheaper counts.
double collective_seconds(redistribute::Kind kind, std::span<const Leg> legs, double bytes);

// One level of a collective that was planned for levels: what the busiest device, or group, receives there.
struct Stage {
  std::vector<const system::Link *> links = {}; // on which it may go
  bool slowest = false;                         // the slowest of them counts, else the fastest
  int64_t steps = 1, bytes = 0;
};
double stage_seconds(const Stage &stage);
// Straight from the holders all levels at once, of which the slowest counts; else one after the other, each
// as often as the plan has steps over it. Without bytes, or links, a level takes no time.
double staged_seconds(std::span<const Stage> stages, bool at_once);

// An axis of devices of the mesh that the system does not know, or one that it misspells.
Status check_axes(const sharding::Mesh &mesh, const system::System &system);
// The axes on the way of a move.
std::vector<Leg> legs_of(const redistribute::Summary &move, const sharding::Mesh &mesh,
                         const system::System &system);
// A collective of these bytes, where devices share their memory along the axes along which what it makes is
// whole (`whole`): one of them makes it for all, and a sum that all of them get is written once. Devices that
// take turns to compute take turns to move.
double moving_seconds(const redistribute::Summary &move, const sharding::Mesh &mesh,
                      const system::System &system, sharding::AxisSet whole, double bytes);
// The bytes that collective_seconds asks for, of one array: `held` and `wanted` are its largest tiles before
// and after.
double collective_bytes(const redistribute::Summary &move, const sharding::Mesh &mesh, double held,
                        double wanted);

} // namespace tw::cost
