// SPDX-License-Identifier: Apache-2.0
// Groups of replicas are written out, device by device.
#include "emit/stablehlo/collectives.hpp"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::emit::stablehlo {

using graph::DType;
using graph::TensorType;
using sharding::Reduction;

namespace {

// dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
std::string matrix_text(const std::vector<std::vector<int64_t>> &rows) {
  std::vector<std::string> all;
  for (const auto &row : rows)
    all.push_back(fmt::format("[{}]", fmt::join(row, ", ")));
  return fmt::format("dense<[{}]> : tensor<{}x{}xi64>", fmt::join(all, ", "), rows.size(), rows[0].size());
}

} // namespace

int64_t Collectives::group_size(const MeshAxes &axes) const {
  int64_t n = 1;
  for (const sharding::AxisId a : axes)
    n *= mesh_.size(a);
  return n;
}

std::string ReplicaCollectives::module_attributes() const {
  return fmt::format("mhlo.num_partitions = 1 : i32, mhlo.num_replicas = {} : i32", mesh().num_devices());
}

Local ReplicaCollectives::device_number(DeviceText &text) const {
  const Local number = text.op("stablehlo.replica_id", {}, "", {DType::u32, {}});
  return text.op("stablehlo.convert", {number}, "", {DType::s32, {}});
}

std::string ReplicaCollectives::groups_text(const MeshAxes &axes) const {
  std::map<int64_t, std::vector<int64_t>> all; // by the member at coordinate 0
  for (sharding::Position p; p < mesh().num_devices(); ++p) {
    int64_t first = p, index = 0;
    for (const sharding::AxisId a : axes) {
      first -= mesh().coordinate(p, a) * mesh().stride(a);
      index = index * mesh().size(a) + mesh().coordinate(p, a);
    }
    auto &group = all[first];
    group.resize(static_cast<size_t>(group_size(axes)));
    group[static_cast<size_t>(index)] = p;
  }
  std::vector<std::vector<int64_t>> rows;
  for (auto &[first, group] : all)
    rows.push_back(std::move(group));
  return fmt::format("replica_groups = {}", matrix_text(rows));
}

// What XLA combines on the way.
bool ReplicaCollectives::combines(Reduction kind, DType dtype) const {
  return kind == Reduction::sum || kind == Reduction::prod || kind == Reduction::max ||
         kind == Reduction::min || (dtype == DType::i1 && kind != Reduction::lxor);
}

Local ReplicaCollectives::all_reduce(DeviceText &text, const Local &value, const MeshAxes &axes,
                                     Reduction kind) const {
  return text.op("stablehlo.all_reduce", {value}, groups_text(axes), value.type,
                 fmt::format(" ({})", text.combiner(kind, value.type.dtype)));
}

Local ReplicaCollectives::reduce_scatter(DeviceText &text, const Local &value, const MeshAxes &axes,
                                         Reduction kind, size_t dim) const {
  return text.op("stablehlo.reduce_scatter", {value},
                 fmt::format("{}, scatter_dimension = {} : i64", groups_text(axes), dim),
                 smaller(value.type, dim, group_size(axes)),
                 fmt::format(" ({})", text.combiner(kind, value.type.dtype)));
}

Local ReplicaCollectives::all_gather(DeviceText &text, const Local &value, const MeshAxes &axes,
                                     size_t dim) const {
  return text.op("stablehlo.all_gather", {value},
                 fmt::format("all_gather_dim = {} : i64, {}", dim, groups_text(axes)),
                 larger(value.type, dim, group_size(axes)));
}

Local ReplicaCollectives::all_to_all(DeviceText &text, const Local &value, const MeshAxes &axes, size_t split,
                                     size_t concat) const {
  const int64_t size = group_size(axes);
  return text.op(
      "stablehlo.all_to_all", {value},
      fmt::format("split_dimension = {} : i64, concat_dimension = {} : i64, split_count = {} : i64, {}",
                  split, concat, size, groups_text(axes)),
      larger(smaller(value.type, split, size), concat, size));
}

Local ReplicaCollectives::permute(DeviceText &text, const Local &value, const Route &,
                                  const std::vector<std::vector<int64_t>> &pairs) const {
  return text.op("stablehlo.collective_permute", {value},
                 fmt::format("source_target_pairs = {}", matrix_text(pairs)), value.type);
}

} // namespace tw::emit::stablehlo
