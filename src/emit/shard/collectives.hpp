// SPDX-License-Identifier: Apache-2.0
// The collectives of MLIR's shard dialect. A permute is shifts along the axes of the grid, one after the
// other, or one message from each device to another.
#pragma once

#include "emit/stablehlo/collectives.hpp"

namespace tw::emit::shard {

class GridCollectives : public stablehlo::Collectives {
public:
  using Local = stablehlo::Local;
  using DeviceText = stablehlo::DeviceText;
  using MeshAxes = stablehlo::MeshAxes;
  using Collectives::Collectives;

  std::string module_attributes() const override { return {}; }
  std::string header() const override;
  Local device_number(DeviceText &text) const override;
  bool combines(sharding::Reduction kind, graph::DType dtype) const override;
  Local all_reduce(DeviceText &text, const Local &value, const MeshAxes &axes,
                   sharding::Reduction kind) const override;
  Local reduce_scatter(DeviceText &text, const Local &value, const MeshAxes &axes, sharding::Reduction kind,
                       size_t dim) const override;
  Local all_gather(DeviceText &text, const Local &value, const MeshAxes &axes, size_t dim) const override;
  Local all_to_all(DeviceText &text, const Local &value, const MeshAxes &axes, size_t split,
                   size_t concat) const override;
  std::optional<Local> all_slice(DeviceText &text, const Local &value, const MeshAxes &axes,
                                 size_t dim) const override;
  bool takes_halos() const override { return true; }
  Local update_halo(DeviceText &text, const Local &value, std::span<const Halo> halos) const override;
  // How many places further along each axis, around its end.
  Route route(int64_t source, int64_t target) const override;
  int64_t hops(const Route &route) const override;
  bool takes_pairs() const override { return true; }
  // By shifts where there is a route, else by a send and a receive.
  Local permute(DeviceText &text, const Local &value, const Route &route,
                const std::vector<std::vector<int64_t>> &pairs) const override;

private:
  Local send(DeviceText &text, const Local &value, const std::vector<std::vector<int64_t>> &pairs) const;
  // `%1 = shard.NAME %0 on @mesh grid_axes = [0] REST : T -> U`
  Local collective(DeviceText &text, std::string_view name, const Local &value, const MeshAxes &axes,
                   std::string_view rest, graph::TensorType type) const;
};

} // namespace tw::emit::shard
