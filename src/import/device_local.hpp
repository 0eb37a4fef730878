// SPDX-License-Identifier: Apache-2.0
// Device-local code (manual regions) as code of the whole program. A value that differs between devices
// becomes one array with a dimension in front for each mesh axis along which it differs; ops carry these
// dimensions along, and collectives become reductions, transposes and reshapes of them. Tiled by these axes
// the program is the author's again; on any other mesh it still computes the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "annotation/annotations.hpp"
#include "base/status.hpp"
#include "import/findings.hpp"
#include "ops/builder.hpp"
#include "sharding/sharding.hpp"

namespace tw::import {

// Axes of the mesh in hand, by number, major to minor.
using MeshAxes = std::vector<size_t>;

// A name for the mesh that GSPMD's tile assignments count through.
inline constexpr std::string_view kGspmdMesh = "devices";

// Ids of the devices that work together, equally many a group; -1 where a group has fewer.
using DeviceGroups = std::vector<std::vector<int64_t>>;

class DeviceLocal {
public:
  DeviceLocal(graph::GraphBuilder &builder, Findings &findings) : b_(builder), findings_(findings) {}

  // The mesh over which the code to come is local, its axes cut into these parts. Devices count by
  // `device_ids`, or in order. An error inside code that is local over another mesh, or over coarser axes.
  Status use_mesh(const annotation::MeshDecl &mesh, std::span<const annotation::AxisRef> parts = {});
  // The axes to which the code to come is local, all together; answers with those before.
  MeshAxes set_manual(MeshAxes axes) { return std::exchange(manual_, std::move(axes)); }
  const MeshAxes &manual() const { return manual_; }
  bool is_manual(std::string_view name) const; // any part of this axis
  // Arguments and results have a dimension in front for each axis of this mesh, so none of them is cut.
  void keep_axes() { fixed_ = true; }
  // A mesh of replicas, each of so many partitions. In other meshes there is one replica.
  Status use_processes(int64_t replicas, int64_t partitions);
  // Processes are no mesh of the module's: nothing is tiled by them.
  bool has_axes() const { return has_mesh() && !processes_; }
  int64_t num_replicas() const { return replicas_; }
  int64_t num_partitions() const { return std::ssize(positions_) / replicas_; }
  bool has_mesh() const { return !sizes_.empty(); }
  std::span<const int64_t> axis_sizes() const { return sizes_; }
  const annotation::AxisRef &axis_ref(size_t axis) const { return refs_[axis]; }
  // Devices in rows of a list, `iota`, as axes of a mesh: cut where other lists of the text cut them too.
  std::vector<std::pair<std::string, int64_t>> cut_devices(std::span<const int64_t> iota) const;
  // The axes that count from `from` devices to `to`, both products of what stands behind; nothing where no
  // axes do so. Cuts them for the next reading where that helps.
  std::optional<MeshAxes> axes_between(int64_t from, int64_t to) const;
  // Cuts an axis into `parts` parts for the next reading; false where it does not divide.
  bool cut_axis(size_t axis, int64_t parts) const;
  // The axes that make up an axis of the mesh, or a part of one; nothing where one of them would have to be
  // cut.
  std::optional<MeshAxes> axes_of(const annotation::AxisRef &ref) const;
  const std::string &mesh_name() const { return mesh_; }
  uint64_t every_axis() const { return (uint64_t{1} << sizes_.size()) - 1; } // as a set of bits
  // Locations of the ops that are added from here on.
  void at(graph::LocId loc) { loc_ = loc; }

  // What device-local text calls the type of a value.
  graph::TypeId type(graph::ValueId v) const {
    if (values_.empty())
      return b_.graph().value(v).type;
    const auto known = values_.find(v);
    return known == values_.end() ? b_.graph().value(v).type : known->second.type;
  }
  // Whether devices may hold different values.
  bool differs(graph::ValueId v) const { return values_.contains(v); }
  bool any_differs(std::span<const graph::ValueId> values) const {
    if (!values_.empty()) // as in most programs
      for (const graph::ValueId v : values)
        if (differs(v))
          return true;
    return false;
  }
  // The axes in front of a value, ascending.
  MeshAxes axes_of(graph::ValueId v) const;

  // A value of the code around as every device's part of it: dimension d is cut along dims[d]. And back: of
  // `manual`, axes that `dims` does not name hold equal values, the first stands for all.
  Result<graph::ValueId> enter(graph::ValueId whole, std::span<const MeshAxes> dims);
  Result<graph::ValueId> leave(graph::ValueId local, std::span<const MeshAxes> dims, const MeshAxes &manual);
  // A value of which the device at coordinate 0 of these axes holds all, and the others zeros; and the sum of
  // what the devices along them hold.
  Result<graph::ValueId> as_addends(graph::ValueId v, const MeshAxes &axes);
  Result<graph::ValueId> add_up(graph::ValueId v, const MeshAxes &axes);
  // What `leave` begins with: the value with just the axes of `dims` in front, of all manual ones.
  Result<graph::ValueId> spread(graph::ValueId local, std::span<const MeshAxes> dims, const MeshAxes &manual);

  // One value of each device, by id, as one; and back.
  Result<graph::ValueId> stack(std::span<const graph::ValueId> values);
  Result<graph::ValueId> of_device(graph::ValueId v, int64_t id);

  // An op of which some operand differs between devices; `stated` are local types. Answers with the op that
  // gives its results.
  Result<graph::OpId> add(graph::OpCode code, std::span<const graph::ValueId> operands,
                          const graph::Attrs &attrs, std::span<const graph::TypeId> stated,
                          std::span<const graph::RegionId> regions);

  // What is known of a call of foreign code that this has added, in Shardy's notation; `stated` of what one
  // device does, "" for nothing.
  std::string rule_of_call(graph::OpId call, std::string stated) const;

  // --- control flow: what a loop carries and a branch gives ---
  // Whether code with these operands may hold values that differ.
  bool is_inside(std::span<const graph::ValueId> operands) const {
    return has_mesh() && (!manual_.empty() || any_differs(operands));
  }
  // The axes in front of the index-th value that the op at a place of the text carries, as a set of bits:
  // those along which it differs where it begins, so that what is equal on all devices may count turns, or
  // decide about the next one. Where a turn makes it differ along others `carry` notes that down, and the
  // text is read again.
  uint64_t carried_axes(graph::ValueId v, const char *at, size_t index) const;
  graph::TypeId type_with(graph::TypeId local, uint64_t axes);
  // The argument of a region, of such a type.
  void declare(graph::ValueId argument, graph::TypeId local, uint64_t axes);
  Result<graph::ValueId> carry(graph::ValueId v, uint64_t axes, const char *at, size_t index);
  // A while, if or case whose regions carry values so; `operands` as their text has them, `carried` of the
  // results.
  Result<graph::OpId> add_control(graph::OpCode code, std::span<const graph::ValueId> operands,
                                  std::span<const uint64_t> carried, std::span<const graph::TypeId> results,
                                  std::span<const graph::RegionId> regions, const char *at);
  // What a device gets of the branch that its own predicate or index picks.
  Result<std::vector<graph::ValueId>> choose(graph::ValueId decision,
                                             std::span<const std::vector<graph::ValueId>> branches);

  // --- collectives: each device's result follows from the values of its group's members, in their order ---
  Status check(const DeviceGroups &groups) const;
  Result<graph::ValueId> all_gather(graph::ValueId v, const DeviceGroups &groups, size_t dim);
  // `region` folds two scalars and belongs to the op that this adds.
  Result<graph::ValueId> all_reduce(graph::ValueId v, DeviceGroups groups, graph::RegionId region);
  Result<graph::ValueId> reduce_scatter(graph::ValueId v, const DeviceGroups &groups, size_t dim,
                                        graph::RegionId region);
  Result<graph::ValueId> all_to_all(graph::ValueId v, const DeviceGroups &groups, size_t split_dim,
                                    size_t concat_dim);
  // The value of the member that has this number in its group, one number a group, or the number `root` (a
  // scalar); devices in no group get zeros.
  Result<graph::ValueId> broadcast(graph::ValueId v, const DeviceGroups &groups,
                                   std::span<const int64_t> roots);
  Result<graph::ValueId> broadcast(graph::ValueId v, const DeviceGroups &groups, graph::ValueId root);
  // To the member that has this number in its group, and zeros to all others; from this member, a part to
  // each. Nothing moves between others.
  Result<graph::ValueId> gather_to(graph::ValueId v, const DeviceGroups &groups,
                                   std::span<const int64_t> roots, size_t dim);
  Result<graph::ValueId> reduce_to(graph::ValueId v, const DeviceGroups &groups,
                                   std::span<const int64_t> roots, sharding::Reduction kind);
  Result<graph::ValueId> scatter_from(graph::ValueId v, const DeviceGroups &groups,
                                      std::span<const int64_t> roots, size_t dim);
  // Each member's own part of what it holds: no data moves.
  Result<graph::ValueId> all_slice(graph::ValueId v, const DeviceGroups &groups, size_t dim);
  // Pairs of source and target device, one after the other; a device that is no target gets zeros.
  Result<graph::ValueId> permute(graph::ValueId v, std::span<const int64_t> pairs);
  // The cells around the tile of a dimension: the array is cut along these axes.
  struct LocalHalo {
    size_t dim;
    MeshAxes axes; // major to minor
    int64_t before, after;
  };
  // Takes these cells from the tiles around, over any number of hops, corners too; zeros around the array.
  Result<graph::ValueId> update_halos(graph::ValueId v, std::span<const LocalHalo> halos);
  // Groups along axes: these, in the order in which members count. Along parts of axes: nothing yet, and the
  // axes are cut for the next reading.
  std::optional<MeshAxes> axes_of(const DeviceGroups &groups) const;
  // A number of each device: f(its id).
  Result<graph::ValueId> number(graph::DType dtype, int64_t (*of)(int64_t id, int64_t partitions));
  // The same by a list: the numbers of all devices, by id. And back, where constants and such numbers decide
  // a scalar.
  Result<graph::ValueId> numbers(graph::DType dtype, std::span<const int64_t> of_devices);
  std::optional<std::vector<int64_t>> known_numbers(graph::ValueId v) const;
  // Another region that folds as this one does, where it is a known reduction; else the region itself.
  graph::RegionId copy_region(graph::RegionId region);

private:
  struct Local {
    graph::TypeId type; // as the text has it
    uint64_t axes;      // dimensions in front
  };
  struct Call; // an op on its way through add
  // How an op carries dimensions in front.
  static Status (DeviceLocal::*way_of(const ops::OpDef &def))(Call &);

  // The axes of a mesh and their sizes, and how many devices that is.
  struct Axes {
    std::vector<annotation::AxisRef> refs;
    std::vector<int64_t> sizes;
    int64_t devices = 1;
  };
  Result<Axes> cut(const annotation::MeshDecl &mesh, std::span<const annotation::AxisRef> parts) const;
  static uint64_t bits_of(const MeshAxes &axes);
  static std::vector<int64_t> count_from(size_t first, size_t n);
  uint64_t mask(graph::ValueId v) const {
    const auto known = values_.find(v);
    return known == values_.end() ? 0 : known->second.axes;
  }
  graph::Shape local_dims(graph::ValueId v) const { return b_.graph().type_at(type(v)).dims; }
  graph::Shape front(uint64_t axes) const;
  static size_t place(uint64_t axes, size_t axis); // of an axis among them
  graph::ValueId keep(graph::ValueId v, graph::Shape local_dims, uint64_t axes);

  Result<graph::OpId> make(std::string_view op, std::span<const graph::ValueId> operands,
                           std::span<const ops::NamedAttr> attrs, const graph::Shape *dims = nullptr,
                           std::span<const graph::RegionId> regions = {});
  Result<graph::ValueId> value(std::string_view op, std::span<const graph::ValueId> operands,
                               std::span<const ops::NamedAttr> attrs, const graph::Shape *dims = nullptr,
                               std::span<const graph::RegionId> regions = {});
  Result<graph::ValueId> reshape(graph::ValueId v, const graph::Shape &dims);
  Result<graph::ValueId> transpose(graph::ValueId v, const std::vector<int64_t> &permutation);
  Result<graph::ValueId> expand(graph::ValueId v, uint64_t axes); // with all these axes in front
  Result<graph::ValueId> member_of(graph::ValueId v, const MeshAxes &axes, int64_t number);
  Result<graph::ValueId> first_of(graph::ValueId v, uint64_t axes, const std::vector<int64_t> &at = {});
  Result<graph::ValueId> reduce(graph::ValueId v, uint64_t axes, graph::RegionId region);
  graph::RegionId combiner(graph::TypeId scalar, sharding::Reduction kind);
  Result<graph::ValueId> gather_axes(graph::ValueId v, const MeshAxes &axes, size_t dim);
  Result<graph::ValueId> exchange_axes(graph::ValueId v, const MeshAxes &axes, size_t split_dim,
                                       size_t concat_dim);
  // From which device each takes something, by position, -1 for none; where the devices have parts,
  // position * parts + part. Answers with the axes along which these stand elsewhere, and the rows of the
  // devices along these alone, numbered so, row-major.
  struct Rows {
    MeshAxes axes;
    std::vector<int64_t> from;
  };
  Rows rows_of(const std::vector<int64_t> &from, int64_t parts) const;
  std::vector<int64_t> positions_along(const MeshAxes &axes) const;
  // A value with some of its axes as one dimension, and how the dimensions came to stand there.
  struct Merged {
    graph::ValueId value;
    size_t at;
    uint64_t axes; // all of them
    std::vector<int64_t> order;
  };
  Result<Merged> merge_axes(graph::ValueId v, const MeshAxes &axes);
  Result<graph::ValueId> split_axes(graph::ValueId v, const Merged &merged, const MeshAxes &axes,
                                    const graph::Shape &local);
  Result<graph::ValueId> slice_rows(graph::ValueId v, size_t at, int64_t first, const graph::Shape &dims);
  Result<graph::ValueId> merge_parts(const Merged &merged, size_t rank);
  // What each device takes from another one, by id, -1 for `fill`; `of_parts`: one of the parts of local
  // dimension 0, which goes, by id * parts + part.
  Result<graph::ValueId> take(graph::ValueId v, std::span<const int64_t> from, std::vector<std::byte> fill,
                              bool of_parts = false);
  // Any groups: what the members of a device's group hold, or of its parts in local dimension 0 the device's
  // own one, in a new local dimension 0; `fill` for members that are not there.
  Result<graph::ValueId> members(graph::ValueId v, const DeviceGroups &groups,
                                 const std::vector<std::byte> &fill, bool of_parts = false);
  Result<graph::ValueId> fold_members(graph::ValueId members, graph::RegionId region);
  Result<graph::ValueId> pick_local(graph::ValueId v, const DeviceGroups &table);
  std::vector<int64_t> numbers_in(const DeviceGroups &groups) const;
  std::vector<int64_t> from_members(const DeviceGroups &groups, std::span<const int64_t> roots,
                                    size_t member) const;
  Result<graph::ValueId> scatter_parts(graph::ValueId parts, const DeviceGroups &groups,
                                       std::span<const int64_t> roots, size_t dim);
  // Local ops.
  Result<graph::ValueId> local(std::string_view op, std::span<const graph::ValueId> operands,
                               std::span<const ops::NamedAttr> attrs, const graph::Shape *dims = nullptr,
                               std::span<const graph::RegionId> regions = {});
  Result<graph::ValueId> slice_local(graph::ValueId v, size_t dim, int64_t begin, int64_t end);
  Result<graph::ValueId> reshape_local(graph::ValueId v, const graph::Shape &dims);
  Result<graph::ValueId> add_dim(graph::ValueId v);
  Result<graph::ValueId> cut_members(graph::ValueId v, int64_t parts, size_t dim);
  Result<graph::ValueId> merge_members(graph::ValueId v, size_t dim);
  Status divides(graph::ValueId v, size_t dim, const DeviceGroups &groups) const;
  // A local dimension cut into tiles along axes: the reshaped value, which of its dimensions come in front,
  // the local dims that are left, and where the tiles' dimensions stand.
  struct Cut {
    graph::ValueId value;
    std::vector<int64_t> front;
    graph::Shape local;
    size_t at;
  };
  Result<Cut> cut_dim(graph::ValueId v, const MeshAxes &axes, size_t dim);
  // Dimension `dim` of local dims becomes axes in front.
  Result<graph::ValueId> scatter_dim(graph::ValueId v, const MeshAxes &axes, size_t dim);
  Result<graph::ValueId> constant(graph::DType dtype, graph::Shape dims, std::vector<std::byte> bytes,
                                  bool splat);
  static std::vector<std::byte> zero_of(graph::DType dtype);
  std::optional<std::vector<std::byte>> identity_of(graph::RegionId region, graph::DType dtype) const;

  // Numbers that are known (device_local_numbers.cpp).
  static constexpr size_t kMostFolded = 1 << 16; // devices
  Result<graph::ValueId> numbers_along(graph::DType dtype, uint64_t axes, std::vector<std::byte> bytes,
                                       const graph::Shape &local = {});
  std::optional<std::vector<std::byte>> elements_of(graph::ValueId v, uint64_t axes) const;
  Result<graph::ValueId> fold(const Call &call);
  Result<graph::ValueId> look_up(const Call &call);

  Result<std::vector<graph::ValueId>> starts_with_front(std::span<const graph::ValueId> starts,
                                                        int64_t in_front);
  Status elementwise(Call &);
  Status batched(Call &);
  Status each_device(Call &);
  Status reduce(Call &);
  Status pad(Call &);
  Status dynamic_slice(Call &);
  Status dynamic_update_slice(Call &);
  Status same(Call &);
  Status foreign(Call &);
  Status convolution(Call &);
  Status windows(Call &);
  Status reduce_from_own(Call &);
  Status pad_with_own(Call &);
  Status update_at_own(Call &);
  Result<graph::ValueId> index_of(std::span<const graph::ValueId> starts, uint64_t axes);
  Result<graph::ValueId> fold_front(graph::ValueId v, size_t dim, int64_t outer);
  Result<graph::ValueId> unfold_front(graph::ValueId v, uint64_t axes, size_t dim, int64_t outer);

  graph::GraphBuilder &b_;
  Findings &findings_;
  std::string mesh_;
  std::vector<annotation::AxisRef> refs_;
  std::vector<int64_t> sizes_, strides_, positions_; // of axes; positions_ by device id
  std::vector<int64_t> device_ids_;                  // as declared
  MeshAxes manual_;
  std::unordered_map<graph::ValueId, Local> values_;
  int64_t replicas_ = 1;
  bool processes_ = false, fixed_ = false;
  graph::LocId loc_ = 0;
};

} // namespace tw::import
