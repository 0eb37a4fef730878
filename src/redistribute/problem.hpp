// SPDX-License-Identifier: Apache-2.0
// What a redistribution is asked to do: one array, how it lies over its devices before, and how after. The
// two layouts may stand on one mesh, on two over the same devices, or on devices that only overlap or are
// disjoint. Tiles are computed when they are asked for, so a problem is as light as the types that it holds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "graph/types.hpp"
#include "sharding/halo.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::redistribute {

// A sharding means something on its mesh; Mesh::device_id says which device stands at each position.
struct Layout {
  sharding::Mesh mesh;
  sharding::Sharding sharding;
  sharding::Halos halos = {};

  sharding::Halo halo(size_t d) const { return halo_of(halos, d); }
};

// Devices are counted 0, 1, .. in the order of their ids, over both meshes together. Everywhere in this
// folder a *device* is that index.
using Device = int32_t;
using sharding::Position;

class Problem {
public:
  // Both layouts are verified over the type's shape. Axes partial in the target must be partial with the same
  // kind in the source, on the same mesh; the others of the source are combined and must share one kind,
  // which is not `raw`. A scalar becomes an array of one element.
  //
  // `lost` are ids of devices of the source that are gone, with what they held; then tiles have no halos and
  // values are not partial. They count as devices where the target has them: anew, and without anything.
  static Result<Problem> create(graph::TensorType type, Layout src, Layout dst,
                                std::vector<int64_t> lost = {});
  // What a program moves on its mesh: for redistribute::Move, which is made once, and for who verifies a
  // program. Its types are verified already, and are not looked at again. Device d is position d, each step
  // and thread one of its own. Tiles may overlap or leave elements out (spans), and may combine by a region.
  static Problem within(const sharding::Mesh &mesh, graph::TensorType type, sharding::Sharding src,
                        sharding::Sharding dst);

  const graph::TensorType &type() const { return type_; }
  const Layout &src() const { return src_; }
  const Layout &dst() const { return dst_; }
  size_t rank() const { return type_.rank(); }
  int64_t item_size() const { return static_cast<int64_t>(graph::byte_size(type_.dtype)); }

  size_t num_devices() const { return num_devices_; }
  std::vector<int64_t> device_ids() const; // ascending
  int64_t device_id(Device d) const { return ids_.empty() ? d : ids_[static_cast<size_t>(d)]; }
  Device find_device(int64_t id) const; // -1 where it is in neither mesh
  // Where a device stands in a mesh; -1 where it does not.
  Position src_position(Device d) const { return at(src_position_, d); }
  Position dst_position(Device d) const { return at(dst_position_, d); }
  // -1 where that device is lost.
  Device src_device(Position position) const { return at(src_device_, position); }
  Device dst_device(Position position) const { return at(dst_device_, position); }
  // Ascending.
  std::span<const int64_t> lost() const { return lost_; }
  bool has_halos() const { return !src_.halos.empty() || !dst_.halos.empty(); }
  // Whether tiles of a layout may overlap or leave elements out.
  bool has_spans() const;
  // Whether a coordinate c of dimension d stands for element c modulo its size.
  bool wraps(size_t d) const { return src_.halo(d).wraps() || dst_.halo(d).wraps(); }
  // Both layouts on one mesh with one order of devices, of which none is lost.
  bool same_mesh() const { return same_mesh_; }
  // How the source's partial values combine; raw where nothing is combined. The axes over which they do,
  // ascending.
  sharding::Reduction reduction() const { return reduction_; }
  std::span<const sharding::AxisId> combined() const { return combined_; }
  // How many values each element is combined of; 1 where none are.
  int64_t num_terms() const;

  // What a device holds before and must hold after, halos included; all extents 0 where it is not in that
  // mesh.
  sharding::Box src_box(Device d) const { return src_box_at(src_position(d)); }
  sharding::Box dst_box(Device d) const;
  // The source tile of a position, lost or not.
  sharding::Box src_box_at(Position position) const;
  // The same, written to `rank` offsets and extents.
  void src_tile(Device d, std::span<int64_t> offset, std::span<int64_t> extent) const;
  void dst_tile(Device d, std::span<int64_t> offset, std::span<int64_t> extent) const;

private:
  template <class From, class To> static To at(const std::vector<To> &table, From i) {
    return table.empty() ? To(i) : table[static_cast<size_t>(i)];
  }
  void make_scalar_an_array();
  void find_combined();
  void number_devices();

  graph::TensorType type_;
  Layout src_, dst_;
  size_t num_devices_ = 0;
  // Empty where each device has the number of its position in both meshes.
  std::vector<int64_t> ids_;
  std::vector<int64_t> lost_;
  std::vector<Position> src_position_, dst_position_;
  std::vector<Device> src_device_, dst_device_;
  std::vector<sharding::AxisId> combined_;
  sharding::Reduction reduction_ = sharding::Reduction::raw;
  bool same_mesh_ = false;
};

} // namespace tw::redistribute
