// SPDX-License-Identifier: Apache-2.0
// Devices work together along axes of the grid, so no group is written out.
#include "emit/shard/collectives.hpp"

#include <fmt/format.h>

#include "emit/shard/words.hpp"
#include "loops/spelling.hpp"

namespace tw::emit::shard {

using graph::DType;
using graph::TensorType;
using sharding::AxisId;
using sharding::Position;
using sharding::Reduction;
using stablehlo::Local;

namespace {

std::string_view reduction_name(Reduction kind) {
  switch (kind) {
  case Reduction::sum: return "sum";
  case Reduction::prod: return "product";
  case Reduction::max: return "max";
  case Reduction::min: return "min";
  case Reduction::land: return "bitwise_and";
  case Reduction::lor: return "bitwise_or";
  case Reduction::lxor: return "bitwise_xor";
  case Reduction::raw:
  case Reduction::pick:
  case Reduction::region: break;
  }
  return {};
}

} // namespace

std::string GridCollectives::header() const { return grid_text(mesh()); }

Local GridCollectives::collective(DeviceText &text, std::string_view name, const Local &value,
                                  const MeshAxes &axes, std::string_view rest, TensorType type) const {
  Local made = text.fresh(std::move(type));
  text.line(fmt::format("{} = shard.{} {} on @{} grid_axes = {} {} : {} -> {}", made.name, name, value.name,
                        loops::name_or_quoted(grid_name(mesh())), axes_text(axes), rest,
                        graph::to_text(value.type), graph::to_text(made.type)));
  return made;
}

Local GridCollectives::device_number(DeviceText &text) const {
  const std::string index = text.writer().fresh_name();
  text.line(fmt::format("{} = shard.process_linear_index on @{} : index", index,
                        loops::name_or_quoted(grid_name(mesh()))));
  Local number = text.fresh({DType::s32, {}});
  const std::string scalar = text.writer().fresh_name();
  text.line(fmt::format("{} = arith.index_cast {} : index to i32", scalar, index));
  text.line(fmt::format("{} = tensor.from_elements {} : tensor<i32>", number.name, scalar));
  return number;
}

bool GridCollectives::combines(Reduction kind, DType) const { return !reduction_name(kind).empty(); }

Local GridCollectives::all_reduce(DeviceText &text, const Local &value, const MeshAxes &axes,
                                  Reduction kind) const {
  return collective(text, "all_reduce", value, axes, fmt::format("reduction = <{}>", reduction_name(kind)),
                    value.type);
}

Local GridCollectives::reduce_scatter(DeviceText &text, const Local &value, const MeshAxes &axes,
                                      Reduction kind, size_t dim) const {
  return collective(text, "reduce_scatter", value, axes,
                    fmt::format("reduction = <{}> scatter_axis = {}", reduction_name(kind), dim),
                    smaller(value.type, dim, group_size(axes)));
}

Local GridCollectives::all_gather(DeviceText &text, const Local &value, const MeshAxes &axes,
                                  size_t dim) const {
  return collective(text, "all_gather", value, axes, fmt::format("gather_axis = {}", dim),
                    larger(value.type, dim, group_size(axes)));
}

Local GridCollectives::all_to_all(DeviceText &text, const Local &value, const MeshAxes &axes, size_t split,
                                  size_t concat) const {
  const int64_t size = group_size(axes);
  return collective(text, "all_to_all", value, axes,
                    fmt::format("split_axis = {} concat_axis = {}", split, concat),
                    larger(smaller(value.type, split, size), concat, size));
}

std::optional<Local> GridCollectives::all_slice(DeviceText &text, const Local &value, const MeshAxes &axes,
                                                size_t dim) const {
  return collective(text, "all_slice", value, axes, fmt::format("slice_axis = {}", dim),
                    smaller(value.type, dim, group_size(axes)));
}

GridCollectives::Route GridCollectives::route(int64_t source, int64_t target) const {
  Route places;
  for (size_t i = 0; i < mesh().num_axes(); ++i) {
    const auto a = static_cast<AxisId>(i);
    const int64_t n = mesh().size(a);
    places.push_back((mesh().coordinate(Position(target), a) - mesh().coordinate(Position(source), a) + n) %
                     n);
  }
  return places;
}

// A shift by an offset takes from the device so many places further on.
Local GridCollectives::permute(DeviceText &text, const Local &value, const Route &route,
                               const std::vector<std::vector<int64_t>> &) const {
  Local moved = value;
  for (size_t i = 0; i < route.size(); ++i)
    if (const auto a = static_cast<AxisId>(i); route[i] != 0)
      moved = collective(text, "shift", moved, {a},
                         fmt::format("shift_axis = {} offset = {} rotate", i, mesh().size(a) - route[i]),
                         moved.type);
  return moved;
}

} // namespace tw::emit::shard
