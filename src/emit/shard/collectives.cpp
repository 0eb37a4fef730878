// SPDX-License-Identifier: Apache-2.0
// Devices work together along axes of the grid, so no group is written out.
#include "emit/shard/collectives.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

Local GridCollectives::update_halo(DeviceText &text, const Local &value, std::span<const Halo> halos) const {
  std::vector<std::string> split;
  std::vector<int64_t> sizes;
  for (const Halo &halo : halos) { // in the order of dimensions
    split.resize(halo.dim + 1, "[]");
    split.back() = axes_text(halo.axes);
    sizes.insert(sizes.end(), {halo.before, halo.after});
  }
  Local made = text.fresh(value.type);
  text.line(fmt::format("{} = shard.update_halo {} on @{} split_axes = [{}] halo_sizes = [{}] : {}",
                        made.name, value.name, loops::name_or_quoted(grid_name(mesh())),
                        fmt::join(split, ", "), fmt::join(sizes, ", "), graph::to_text(value.type)));
  return made;
}

int64_t GridCollectives::hops(const Route &route) const {
  return route.empty() ? 1 : std::ssize(route) - std::ranges::count(route, 0);
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

// All devices run the same lines, so each sends one message and receives one. Those that no pair names as
// sender send, to itself or to whom no other one sends, what nobody reads.
Local GridCollectives::send(DeviceText &text, const Local &value,
                            const std::vector<std::vector<int64_t>> &pairs) const {
  const auto n = static_cast<size_t>(mesh().num_devices());
  constexpr int64_t kFree = -1;
  std::vector<int64_t> to(n, kFree), from(n, kFree);
  const auto pair = [&](int64_t source, int64_t target) {
    to[static_cast<size_t>(source)] = target;
    from[static_cast<size_t>(target)] = source;
  };
  for (const auto &ends : pairs)
    pair(ends[0], ends[1]);
  for (size_t p = 0; p < n; ++p)
    if (to[p] == kFree && from[p] == kFree)
      pair(static_cast<int64_t>(p), static_cast<int64_t>(p));
  for (size_t p = 0; p < n; ++p)
    if (to[p] == kFree)
      pair(static_cast<int64_t>(p), std::ranges::find(from, kFree) - from.begin());

  MeshAxes along; // that messages go along
  for (size_t i = 0; i < mesh().num_axes(); ++i) {
    const auto a = static_cast<AxisId>(i);
    for (size_t p = 0; p < n; ++p)
      if (mesh().coordinate(Position(static_cast<int64_t>(p)), a) != mesh().coordinate(Position(to[p]), a)) {
        along.push_back(a);
        break;
      }
  }
  const auto say = [&](std::string_view op, const Local &sent, std::string_view end,
                       const std::vector<int64_t> &partners) {
    std::vector<std::string> coordinates;
    for (const AxisId a : along) {
      std::vector<int64_t> by_device;
      for (const int64_t partner : partners)
        by_device.push_back(mesh().coordinate(Position(partner), a));
      const Local number = text.lookup(by_device);
      const std::string scalar = text.writer().fresh_name(), index = text.writer().fresh_name();
      text.line(
          fmt::format("{} = tensor.extract {}[] : {}", scalar, number.name, graph::to_text(number.type)));
      text.line(fmt::format("{} = arith.index_cast {} : i32 to index", index, scalar));
      coordinates.push_back(index);
    }
    Local made = text.fresh(value.type);
    std::string types = graph::to_text(value.type);
    for (size_t i = 0; i < coordinates.size(); ++i)
      types += ", index";
    text.line(fmt::format("{} = shard.{} {} on @{} grid_axes = {} {} = [{}] : ({}) -> {}", made.name, op,
                          sent.name, loops::name_or_quoted(grid_name(mesh())), axes_text(along), end,
                          fmt::join(coordinates, ", "), types, graph::to_text(value.type)));
    return made;
  };
  return say("recv", say("send", value, "destination", to), "source", from);
}

// A shift by an offset takes from the device so many places further on.
Local GridCollectives::permute(DeviceText &text, const Local &value, const Route &route,
                               const std::vector<std::vector<int64_t>> &pairs) const {
  if (route.empty())
    return send(text, value, pairs);
  Local moved = value;
  for (size_t i = 0; i < route.size(); ++i)
    if (const auto a = static_cast<AxisId>(i); route[i] != 0)
      moved = collective(text, "shift", moved, {a},
                         fmt::format("shift_axis = {} offset = {} rotate", i, mesh().size(a) - route[i]),
                         moved.type);
  return moved;
}

} // namespace tw::emit::shard
