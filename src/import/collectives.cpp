// SPDX-License-Identifier: Apache-2.0
// Collectives of device-local code: their groups of devices become axes of the mesh.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "import/body.hpp"

namespace tw::import {

namespace {

// The attribute that names the dimension at work.
constexpr std::pair<std::string_view, std::string_view> kDimensions[] = {
    {"stablehlo.all_gather", "all_gather_dim"},
    {"stablehlo.all_to_all", "split_dimension"},
    {"stablehlo.reduce_scatter", "scatter_dimension"},
};

// Whether a channel_handle has a number: the collective is among partitions, not among replicas.
bool has_channel(const OpText &op) {
  const AttrText *attr = op.find_attr("channel_handle");
  if (attr == nullptr)
    attr = op.find_attr("channel_id");
  if (attr == nullptr)
    return false;
  const size_t digit = attr->raw.find_first_of("0123456789");
  return digit != std::string_view::npos && attr->raw[digit] != '0';
}

} // namespace

// A table of whole numbers: dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>.
bool BodyReader::read_id_table(const OpText &op, std::string_view name, std::vector<int64_t> &ids,
                               size_t &width) {
  const AttrText *attr = op.find_attr(name);
  width = 0;
  if (attr == nullptr)
    return s_.fail("TW-105", op.at, fmt::format("{}: the attribute {} is missing", op.name, name));
  graph::AttrValue value;
  if (!c_.attributes.read(ops::AttrKind::constant, *attr, value))
    return false;
  const graph::Constant &table = c_.builder.graph().constant(std::get<graph::ConstantId>(value));
  const graph::TensorType &type = c_.builder.graph().type_at(table.type);
  if (type.rank() != 2 || type.dtype != graph::DType::s64)
    return s_.fail(
        "TW-105", attr->raw.data(),
        fmt::format("{}: {} is {}, and a table of i64 is expected", op.name, name, graph::to_text(type)));
  width = static_cast<size_t>(type.dims[1]);
  ids.resize(static_cast<size_t>(type.elements()));
  for (size_t i = 0; i < ids.size(); ++i)
    std::memcpy(&ids[i], table.bytes->data() + (table.splat ? 0 : i * sizeof(int64_t)), sizeof(int64_t));
  return true;
}

bool BodyReader::read_dimension(const OpText &op, std::string_view name, size_t rank, size_t &dim) {
  const AttrText *attr = op.find_attr(name);
  graph::AttrValue value;
  if (attr == nullptr)
    return s_.fail("TW-105", op.at, fmt::format("{}: the attribute {} is missing", op.name, name));
  if (!c_.attributes.read(ops::AttrKind::integer, *attr, value))
    return false;
  const int64_t d = std::get<int64_t>(value);
  if (d < 0 || d >= static_cast<int64_t>(rank))
    return s_.fail("TW-105", attr->raw.data(),
                   fmt::format("{}: {} is {}, and the operand has {} dimensions", op.name, name, d, rank));
  dim = static_cast<size_t>(d);
  return true;
}

bool BodyReader::lower_collective(OpText &op) {
  if (!emitter_.check_operand_types(op))
    return false;
  if (!c_.local.has_mesh())
    return s_.fail(
        "TW-113", op.at,
        fmt::format("{} stands outside device-local code: it belongs into sdy.manual_computation, or "
                    "between SPMDFullToShardShape and SPMDShardToFullShape",
                    op.name));
  const bool reduces = op.name == "stablehlo.all_reduce" || op.name == "stablehlo.reduce_scatter";
  if (op.operands.empty() || op.regions.size() != (reduces ? 1 : 0))
    return s_.fail(
        "TW-110", op.at,
        fmt::format("{}: {} operands and {} regions", op.name, op.operands.size(), op.regions.size()));
  std::vector<int64_t> ids;
  size_t width = 0;
  MeshAxes axes;
  const bool permutes = op.name == "stablehlo.collective_permute";
  if (!read_id_table(op, permutes ? "source_target_pairs" : "replica_groups", ids, width))
    return false;
  const bool by_replica = op.name != "stablehlo.collective_broadcast" && op.name != "stablehlo.all_to_all" &&
                          !permutes && op.find_attr("use_global_device_ids") == nullptr;
  if (permutes && width != 2)
    return s_.fail("TW-105", op.at, fmt::format("{}: pairs of {} devices", op.name, width));
  if (!has_channel(op) && op.find_attr("use_global_device_ids") == nullptr) {
    // Among replicas, of which there is one.
    if (ids.size() > (permutes ? 2u : 1u) || std::ranges::any_of(ids, [](int64_t id) { return id != 0; }))
      return s_.fail(
          "TW-113", op.at,
          fmt::format("{} among replicas: one replica of the program runs, give it a channel", op.name));
    ids.clear();
    if (permutes)
      return s_.fail("TW-113", op.at, "stablehlo.collective_permute among replicas is not supported");
  } else if (!permutes) {
    if (by_replica)
      ids.clear(); // groups of the one replica hold all its partitions
    auto found = c_.local.axes_of_groups(ids, width);
    if (!found)
      return s_.adopt(std::move(found.error()), op.at);
    axes = std::move(*found);
  }

  c_.local.at(c_.builder.location({op.line, op.column, op.loc.best()}));
  std::vector<graph::ValueId> results;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const graph::ValueId v = op.operands[i];
    annotate_local(v, op, 0); // first, so that what is reduced is a sum over devices
    const size_t rank = c_.type_of(v).rank();
    size_t dim = 0, other = 0;
    for (const auto &[name, attr] : kDimensions)
      if (name == op.name && !read_dimension(op, attr, rank, dim))
        return false;
    if (op.name == "stablehlo.all_to_all" && !read_dimension(op, "concat_dimension", rank, other))
      return false;
    const auto region = [&] { return i == 0 ? op.regions[0] : c_.local.copy_region(op.regions[0]); };
    auto made = op.name == "stablehlo.all_gather"       ? c_.local.all_gather(v, axes, dim)
                : op.name == "stablehlo.all_reduce"     ? c_.local.all_reduce(v, axes, region())
                : op.name == "stablehlo.reduce_scatter" ? c_.local.reduce_scatter(v, axes, dim, region())
                : op.name == "stablehlo.all_to_all"     ? c_.local.all_to_all(v, axes, dim, other)
                : permutes                              ? c_.local.permute(v, ids)
                                                        : c_.local.broadcast(v, axes);
    if (!made)
      return s_.adopt(std::move(made.error()), op.at);
    annotate_local(*made, op, 1);
    results.push_back(*made);
  }
  return bind_local(op, results);
}

// The device's number inside device-local code; outside there is one program.
bool BodyReader::lower_partition_id(OpText &op) {
  if (manual_depth_ == 0 && !c_.local.has_mesh())
    return lower_device_id(op);
  c_.local.at(c_.builder.location({op.line, op.column, op.loc.best()}));
  auto made = c_.local.partition_id();
  if (!made)
    return s_.adopt(std::move(made.error()), op.at);
  return bind_local(op, {&*made, 1});
}

} // namespace tw::import
