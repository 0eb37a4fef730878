// SPDX-License-Identifier: Apache-2.0
// The tiles of some dimensions on one device after the other, the last axis fastest: from one to the next,
// which of them it is follows without counting anew.
#pragma once

#include <span>
#include <vector>

#include "redistribute/received.hpp"
#include "sharding/mesh.hpp"

namespace tw::redistribute {

class TileWalk {
public:
  struct Cut {
    const sharding::SplitRule *rule;
    int64_t tiles;
    std::span<const sharding::AxisId> axes; // those that make them
  };

  // Over all places along some axes.
  TileWalk(sharding::AxisSet axes, const sharding::Mesh &mesh) : set_(axes), mesh_(mesh) {
    for (const sharding::AxisId axis : axes)
      axes_.push_back({mesh.size(axis), 0});
  }
  // A dimension of this size; before the first step.
  void add(int64_t n, const Cut &source, const Cut &target) {
    Dim dim;
    dim.source = tiles_of(n, source);
    const bool alike = source.tiles == target.tiles && *source.rule == *target.rule;
    dim.target = alike ? dim.source : tiles_of(n, target);
    for (const sharding::AxisId axis : set_) {
      dim.source_strides.push_back(stride_of(axis, source.axes));
      dim.target_strides.push_back(stride_of(axis, target.axes));
    }
    dims_.push_back(std::move(dim));
  }

  TileElements elements() const {
    TileElements e;
    for (const Dim &d : dims_)
      e.add(d.source[static_cast<size_t>(d.source_at)], d.target[static_cast<size_t>(d.target_at)]);
    return e;
  }
  // False behind the last device.
  bool next() {
    for (size_t a = axes_.size(); a-- > 0;) {
      const bool goes_on = ++axes_[a].at < axes_[a].size;
      const int64_t step = goes_on ? 1 : 1 - axes_[a].size;
      for (Dim &d : dims_) {
        d.source_at += step * d.source_strides[a];
        d.target_at += step * d.target_strides[a];
      }
      if (goes_on)
        return true;
      axes_[a].at = 0;
    }
    return false;
  }

private:
  struct Axis {
    int64_t size, at;
  };
  struct Dim {
    std::vector<sharding::Interval> source, target;
    std::vector<int64_t> source_strides, target_strides; // by axis
    int64_t source_at = 0, target_at = 0;
  };

  static std::vector<sharding::Interval> tiles_of(int64_t n, const Cut &cut) {
    std::vector<sharding::Interval> all;
    all.reserve(static_cast<size_t>(cut.tiles));
    for (int64_t t = 0; t < cut.tiles; ++t)
      all.push_back(tile(*cut.rule, n, cut.tiles, t));
    return all;
  }
  // How many tiles further one step along the axis is.
  int64_t stride_of(sharding::AxisId axis, std::span<const sharding::AxisId> outer_first) const {
    int64_t stride = 1;
    for (size_t i = outer_first.size(); i-- > 0; stride *= mesh_.size(outer_first[i]))
      if (outer_first[i] == axis)
        return stride;
    return 0;
  }

  sharding::AxisSet set_;
  const sharding::Mesh &mesh_;
  std::vector<Axis> axes_;
  std::vector<Dim> dims_;
};

} // namespace tw::redistribute
