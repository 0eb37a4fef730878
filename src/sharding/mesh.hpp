// SPDX-License-Identifier: Apache-2.0
// The mesh: named axes over devices, row-major (the first axis is the slowest). `batch=2,model=4` puts device
// 5 at batch 1, model 1.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "sharding/axis_set.hpp"
#include "sharding/position.hpp"

namespace tw::sharding {

constexpr int64_t kMaxDevices = 1 << 16;
constexpr int64_t kMostThreads = 64; // of a threads axis: they are combined at once

// What the places along an axis are: devices; steps, one after the other on one device; threads, at once and
// in the memory of one device.
enum class AxisKind : uint8_t { device, serial, threads };
std::string_view name(AxisKind kind);

// One axis. Where an annotation uses a sub-axis `"c":(2)4` of c=8, the mesh is *refined*: c becomes c:(1)2,
// c:(2)4, adjacent and major to minor, so that everywhere else an axis is a whole axis. `parent` and `pre`
// remember this for printing.
struct Axis {
  std::string name; // "model", or "c:(2)4" for a part of c
  int64_t size = 1;
  std::string parent; // the axis as the user named it ("c"); equal to name for a whole axis
  int64_t pre = 1;    // product of the more major parts of the same parent
  AxisKind kind = AxisKind::device;
};

class Mesh {
public:
  Mesh() = default;

  // Parses "data=2,model=4", or {"data": 2, "model": 4}; errors name the offending part. "" is the mesh of
  // one device.
  static Result<Mesh> parse(std::string_view text);
  static Result<Mesh> create(std::vector<Axis> axes, std::vector<int64_t> device_ids = {});

  size_t num_axes() const { return axes_.size(); }
  const Axis &axis(AxisId a) const { return axes_[a]; }
  std::span<const Axis> axes() const { return axes_; }
  int64_t size(AxisId a) const { return axes_[a].size; }
  int64_t num_devices() const { return num_devices_; }
  // Places of all axes together, those of steps and threads included: a *position* is a device at one step of
  // each of its loops, in one thread.
  int64_t num_positions() const { return num_positions_; }
  // The axes that are no device axes and have more than one place.
  AxisSet loop_axes() const { return loop_axes_; }
  // Those of one kind.
  AxisSet loop_axes(AxisKind kind) const;
  bool is_loop(AxisId a) const { return loop_axes_.contains(a); }
  // The position of the same device at the first step of these axes; and which device it is, counted over the
  // device axes.
  Position without(Position position, AxisSet axes) const;
  DeviceIndex device_of(Position position) const;
  std::optional<AxisId> find(std::string_view name) const;

  // Coordinate of a mesh position along one axis, and back.
  int64_t coordinate(Position position, AxisId a) const { return (position / strides_[a]) % axes_[a].size; }
  int64_t stride(AxisId a) const { return strides_[a]; }
  // Which device stands at a mesh position (identity unless device_ids were given: any distinct ids).
  int64_t device_id(Position position) const {
    return device_ids_.empty() ? position : device_ids_[static_cast<size_t>(position)];
  }
  std::span<const int64_t> device_ids() const { return device_ids_; }

  // The same devices with axis `a` split into parts of these sizes (major to minor, product = its size).
  Result<Mesh> refine(AxisId a, std::span<const int64_t> parts) const;
  // The same mesh with one more (innermost) axis.
  Result<Mesh> with_axis(std::string name, int64_t size, AxisKind kind = AxisKind::device) const;
  // The same axes, of which these have one place only.
  Mesh collapsed(AxisSet axes) const;

  std::string text() const; // "data=2,model=4,serial(micro=4)", parts of an axis merged
  bool operator==(const Mesh &other) const;

private:
  std::vector<Axis> axes_;
  std::vector<int64_t> strides_;
  std::vector<int64_t> device_ids_;
  int64_t num_devices_ = 1;
  int64_t num_positions_ = 1;
  AxisSet loop_axes_;
};

} // namespace tw::sharding
