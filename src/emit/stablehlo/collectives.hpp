// SPDX-License-Identifier: Apache-2.0
// The collectives of a module that every device runs, as the exchanges of a program need them: each dialect
// of collectives says them in its own words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emit/stablehlo/device_text.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::emit::stablehlo {

using MeshAxes = std::vector<sharding::AxisId>;

// Groups are the devices that differ along some axes only, in the order of the tiles that these make.
class Collectives {
public:
  explicit Collectives(const sharding::Mesh &mesh) : mesh_(mesh) {}
  virtual ~Collectives() = default;
  const sharding::Mesh &mesh() const { return mesh_; }
  int64_t group_size(const MeshAxes &axes) const;

  virtual std::string module_attributes() const = 0; // "mhlo.num_replicas = 8 : i32"
  virtual std::string header() const = 0;            // lines in front of the function
  // The number of the device that runs, an i32.
  virtual Local device_number(DeviceText &text) const = 0;

  // Whether a collective combines values so; otherwise they are gathered and folded.
  virtual bool combines(sharding::Reduction kind, graph::DType dtype) const = 0;
  virtual Local all_reduce(DeviceText &text, const Local &value, const MeshAxes &axes,
                           sharding::Reduction kind) const = 0;
  virtual Local reduce_scatter(DeviceText &text, const Local &value, const MeshAxes &axes,
                               sharding::Reduction kind, size_t dim) const = 0;
  virtual Local all_gather(DeviceText &text, const Local &value, const MeshAxes &axes, size_t dim) const = 0;
  virtual Local all_to_all(DeviceText &text, const Local &value, const MeshAxes &axes, size_t split,
                           size_t concat) const = 0;
  // Each device keeps its part of a dimension that divides; nothing where there is no such collective.
  virtual std::optional<Local> all_slice(DeviceText &text, const Local &value, const MeshAxes &axes,
                                         size_t dim) const = 0;
  // Cells around the tile of a dimension that is cut along these axes.
  struct Halo {
    size_t dim;
    MeshAxes axes;
    int64_t before, after;
  };
  // A collective that fills such cells from the tiles around, over any number of tiles, corners too; zeros
  // around the array. All tiles have the size of what the value has between its halos.
  virtual bool takes_halos() const { return false; }
  virtual Local update_halo(DeviceText &, const Local &value, std::span<const Halo>) const {
    TW_ASSERT(takes_halos());
    return value;
  }
  // Boxes of one route go together: of those no device sends two, or receives two, in one permute.
  using Route = std::vector<int64_t>;
  virtual Route route(int64_t source, int64_t target) const = 0;
  virtual int64_t hops(const Route &) const { return 1; } // how often an element is sent on its way
  // Whether a permute takes pairs without a common route too: its route is then empty.
  virtual bool takes_pairs() const { return false; }
  virtual Local permute(DeviceText &text, const Local &value, const Route &route,
                        const std::vector<std::vector<int64_t>> &pairs) const = 0;

protected:
  // The type when one dimension has so many times as many elements, or so many times fewer.
  static graph::TensorType larger(graph::TensorType type, size_t dim, int64_t times) {
    type.dims[dim] *= times;
    return type;
  }
  static graph::TensorType smaller(graph::TensorType type, size_t dim, int64_t times) {
    type.dims[dim] /= times;
    return type;
  }

private:
  const sharding::Mesh &mesh_;
};

// StableHLO's, for XLA: a replica a device.
class ReplicaCollectives : public Collectives {
public:
  using Collectives::Collectives;
  std::string module_attributes() const override;
  std::string header() const override { return {}; }
  Local device_number(DeviceText &text) const override;
  bool combines(sharding::Reduction kind, graph::DType dtype) const override;
  Local all_reduce(DeviceText &text, const Local &value, const MeshAxes &axes,
                   sharding::Reduction kind) const override;
  Local reduce_scatter(DeviceText &text, const Local &value, const MeshAxes &axes, sharding::Reduction kind,
                       size_t dim) const override;
  Local all_gather(DeviceText &text, const Local &value, const MeshAxes &axes, size_t dim) const override;
  Local all_to_all(DeviceText &text, const Local &value, const MeshAxes &axes, size_t split,
                   size_t concat) const override;
  std::optional<Local> all_slice(DeviceText &, const Local &, const MeshAxes &, size_t) const override {
    return std::nullopt;
  }
  Route route(int64_t, int64_t) const override { return {}; }
  Local permute(DeviceText &text, const Local &value, const Route &route,
                const std::vector<std::vector<int64_t>> &pairs) const override;

private:
  std::string groups_text(const MeshAxes &axes) const;
};

} // namespace tw::emit::stablehlo
