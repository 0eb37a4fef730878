// SPDX-License-Identifier: Apache-2.0
// Collectives of device-local code: their groups of devices become axes of the mesh.
#include "import/dialects/stablehlo/ops.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "import/implied.hpp"
#include "import/local_code.hpp"

namespace tw::import {

namespace {

// The attribute that names the dimension at work.
constexpr std::pair<std::string_view, std::string_view> kDimensions[] = {
    {"stablehlo.all_gather", "all_gather_dim"},
    {"stablehlo.all_to_all", "split_dimension"},
    {"stablehlo.reduce_scatter", "scatter_dimension"},
};

constexpr int64_t kMaxIds = 1 << 20;

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

// A table of whole numbers: dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>.
bool read_id_table(Reader &r, const OpText &op, std::string_view name, std::vector<int64_t> &ids,
                   size_t &width) {
  const AttrText *attr = op.find_attr(name);
  width = 0;
  if (attr == nullptr)
    return r.s.fail("TW-105", op.at, fmt::format("{}: the attribute {} is missing", op.name, name));
  graph::AttrValue value;
  if (!r.c.attributes.read(ops::AttrKind::constant, *attr, value))
    return false;
  const graph::Constant &table = r.c.builder.graph().constant(std::get<graph::ConstantId>(value));
  const graph::TensorType &type = r.c.builder.graph().type_at(table.type);
  if (type.rank() != 2 || type.dtype != graph::DType::s64)
    return r.s.fail(
        "TW-105", attr->raw.data(),
        fmt::format("{}: {} is {}, and a table of i64 is expected", op.name, name, graph::to_text(type)));
  if (type.elements() > kMaxIds)
    return r.s.fail("TW-105", attr->raw.data(),
                    fmt::format("{}: {} of more than {} devices", op.name, name, kMaxIds));
  width = static_cast<size_t>(type.dims[1]);
  ids.resize(static_cast<size_t>(type.elements()));
  for (size_t i = 0; i < ids.size(); ++i)
    std::memcpy(&ids[i], table.bytes->data() + (table.splat ? 0 : i * sizeof(int64_t)), sizeof(int64_t));
  return true;
}

bool read_dimension(Reader &r, const OpText &op, std::string_view name, size_t rank, size_t &dim) {
  const AttrText *attr = op.find_attr(name);
  graph::AttrValue value;
  if (attr == nullptr)
    return r.s.fail("TW-105", op.at, fmt::format("{}: the attribute {} is missing", op.name, name));
  if (!r.c.attributes.read(ops::AttrKind::integer, *attr, value))
    return false;
  const int64_t d = std::get<int64_t>(value);
  if (d < 0 || d >= static_cast<int64_t>(rank))
    return r.s.fail("TW-105", attr->raw.data(),
                    fmt::format("{}: {} is {}, and the operand has {} dimensions", op.name, name, d, rank));
  dim = static_cast<size_t>(d);
  return true;
}

// Whether ids that stand for replicas are those of the devices: the module is for partitions, does not say
// how many replicas there are, and names more than one.
bool numbers_devices(const Reader &r, std::span<const int64_t> ids) {
  const bool fits = std::ranges::all_of(ids, [&](int64_t id) { return id < r.c.local.num_partitions(); });
  return r.c.replicas < 0 && r.c.local.num_replicas() == 1 && fits &&
         std::ranges::any_of(ids, [](int64_t id) { return id > 0; });
}

// Which devices work together. Replicas are numbered before partitions: device = replica * partitions +
// partition.
bool read_groups(Reader &r, const OpText &op, DeviceGroups &groups) {
  std::vector<int64_t> ids;
  size_t width = 0;
  if (!read_id_table(r, op, "replica_groups", ids, width))
    return false;
  const int64_t replicas = r.c.local.num_replicas(), partitions = r.c.local.num_partitions();
  const bool channel = has_channel(op);
  const bool among_partitions =
      channel && (op.name == "stablehlo.all_to_all" || op.name == "stablehlo.collective_broadcast");
  const bool global =
      op.find_attr("use_global_device_ids") != nullptr || (!among_partitions && numbers_devices(r, ids));
  if (ids.empty()) {
    width = static_cast<size_t>(global ? replicas * partitions : among_partitions ? partitions : replicas);
    for (size_t id = 0; id < width; ++id)
      ids.push_back(static_cast<int64_t>(id));
  }
  const int64_t end = global ? replicas * partitions : among_partitions ? partitions : replicas;
  for (const int64_t id : ids)
    if (id < -1 || id >= end)
      return r.s.fail("TW-113", op.at,
                      fmt::format("{}: a group names {} {}, and there are {}", op.name,
                                  global             ? "device"
                                  : among_partitions ? "partition"
                                                     : "replica",
                                  id, end));
  for (size_t first = 0; first < ids.size(); first += width) {
    const std::span<const int64_t> group(ids.data() + first, width);
    if (global) {
      groups.emplace_back(group.begin(), group.end());
      continue;
    }
    // One group of devices for each replica or partition that the group does not speak of, or one for all
    // partitions.
    const bool together = channel && !among_partitions;
    const int64_t others = among_partitions ? replicas : partitions;
    for (int64_t other = 0; other < others; ++other) {
      if (!together || other == 0)
        groups.emplace_back();
      for (const int64_t id : group)
        groups.back().push_back(id < 0             ? -1
                                : among_partitions ? other * partitions + id
                                                   : id * partitions + other);
    }
  }
  if (auto status = r.c.local.check(groups); !status)
    return r.s.adopt(std::move(status.error()), op.at);
  return true;
}

// Pairs of replicas hold for each partition, pairs of partitions for each replica.
std::vector<int64_t> among_devices(Reader &r, const OpText &op, const std::vector<int64_t> &pairs) {
  const int64_t replicas = r.c.local.num_replicas(), partitions = r.c.local.num_partitions();
  const bool channel = has_channel(op);
  if (!channel && numbers_devices(r, pairs))
    return pairs;
  std::vector<int64_t> devices;
  for (int64_t other = 0; other < (channel ? replicas : partitions); ++other)
    for (const int64_t id : pairs)
      devices.push_back(channel ? other * partitions + id : id * partitions + other);
  return devices;
}

// Outside manual regions a program is one replica, one partition.
bool lower_device_id(Reader &r, OpText &op) {
  Implied implied(r.c, op);
  const graph::ValueId zero = implied.number({graph::DType::u32, {}}, 0);
  return implied.ok() && r.stand_for(op, {zero});
}

// A collective stands in device-local code, or in the program of one device.
bool find_devices(Reader &r, const OpText &op) {
  if (!r.c.local.has_mesh() && r.c.partitions > 1)
    r.c.findings.enter_partition(r.c.partitions);
  if (!r.c.local.has_mesh() && r.c.partitions == 1 && r.c.replicas > 1)
    return r.s.fail(
        "TW-113", op.at,
        fmt::format("{}: this is the code of one device (mhlo.num_replicas = {}), whose arguments "
                    "are tiles: read the program that it was made of",
                    op.name, r.c.replicas));
  if (!r.c.local.has_mesh() && r.c.partitions == 1) // of a program for one device: groups have one member
    if (auto known = r.c.local.use_processes(1, 1); !known)
      return r.s.adopt(std::move(known.error()), op.at);
  return r.c.local.has_mesh() ||
         r.s.fail("TW-113", op.at,
                  fmt::format("{} stands outside device-local code: it belongs into sdy.manual_computation, "
                              "or between SPMDFullToShardShape and SPMDShardToFullShape",
                              op.name));
}

// The root of the i-th value that is broadcast, of a list of them.
bool read_root(Reader &r, const OpText &op, size_t i, graph::ValueId &root) {
  Implied implied(r.c, op);
  const auto n = static_cast<int64_t>(i);
  const graph::DType index = r.c.type_of(op.operands.back()).dtype;
  root = implied.add("stablehlo.slice", {op.operands.back()},
                     {{"start_indices", std::vector<int64_t>{n}},
                      {"limit_indices", std::vector<int64_t>{n + 1}},
                      {"strides", std::vector<int64_t>{1}}});
  root = implied.add("stablehlo.reshape", {root}, {}, graph::TensorType{index, {}});
  return implied.ok();
}

} // namespace

bool lower_collective(Reader &r, OpText &op) {
  if (!r.emitter.check_operand_types(op) || !find_devices(r, op))
    return false;
  const bool reduces = op.name == "stablehlo.all_reduce" || op.name == "stablehlo.reduce_scatter";
  if (op.operands.empty() || op.regions.size() != (reduces ? 1 : 0))
    return r.s.fail(
        "TW-110", op.at,
        fmt::format("{}: {} operands and {} regions", op.name, op.operands.size(), op.regions.size()));
  const bool permutes = op.name == "stablehlo.collective_permute",
             broadcasts = op.name == "stablehlo.collective_broadcast";
  DeviceGroups groups;
  std::vector<int64_t> pairs;
  size_t width = 0;
  if (permutes ? !read_id_table(r, op, "source_target_pairs", pairs, width) : !read_groups(r, op, groups))
    return false;
  if (permutes && width != 2)
    return r.s.fail("TW-105", op.at, fmt::format("{}: pairs of {} devices", op.name, width));
  if (permutes)
    pairs = among_devices(r, op, pairs);

  r.c.local.at(r.c.builder.location({op.line, op.column, op.loc.best()}));
  const bool rooted = broadcasts && op.find_attr("has_dynamic_root") != nullptr;
  const std::vector<int64_t> first_members(groups.size(), 0);
  const graph::OpId first = next_op(r);
  std::vector<graph::ValueId> results;
  for (size_t i = 0; i + (rooted ? 1 : 0) < op.operands.size(); ++i) {
    const graph::ValueId v = op.operands[i];
    annotate_local(r, v, op, 0); // first, so that what is reduced is a sum over devices
    const size_t rank = r.c.type_of(v).rank();
    size_t dim = 0, other = 0;
    for (const auto &[name, attr] : kDimensions)
      if (name == op.name && !read_dimension(r, op, attr, rank, dim))
        return false;
    if (op.name == "stablehlo.all_to_all" && !read_dimension(r, op, "concat_dimension", rank, other))
      return false;
    graph::ValueId root = graph::kNone;
    if (rooted && !read_root(r, op, i, root))
      return false;
    const auto region = [&] { return i == 0 ? op.regions[0] : r.c.local.copy_region(op.regions[0]); };
    auto made = op.name == "stablehlo.all_gather"       ? r.c.local.all_gather(v, groups, dim)
                : op.name == "stablehlo.all_reduce"     ? r.c.local.all_reduce(v, groups, region())
                : op.name == "stablehlo.reduce_scatter" ? r.c.local.reduce_scatter(v, groups, dim, region())
                : op.name == "stablehlo.all_to_all"     ? r.c.local.all_to_all(v, groups, dim, other)
                : permutes                              ? r.c.local.permute(v, pairs)
                : rooted                                ? r.c.local.broadcast(v, groups, root)
                                                        : r.c.local.broadcast(v, groups, first_members);
    if (!made)
      return r.s.adopt(std::move(made.error()), op.at);
    annotate_local(r, *made, op, 1);
    results.push_back(*made);
  }
  state_moves(r, first);
  return bind_local(r, op, results);
}

// A device's numbers inside device-local code; outside there is one program.
bool lower_device_number(Reader &r, OpText &op) {
  if (!r.c.local.has_mesh() || r.c.local.num_replicas() * r.c.local.num_partitions() == 1)
    return lower_device_id(r, op);
  r.c.local.at(r.c.builder.location({op.line, op.column, op.loc.best()}));
  const bool partition = op.name == "stablehlo.partition_id";
  auto made = r.c.local.number(
      graph::DType::u32, partition ? [](int64_t id, int64_t partitions) { return id % partitions; }
                                   : [](int64_t id, int64_t partitions) { return id / partitions; });
  if (!made)
    return r.s.adopt(std::move(made.error()), op.at);
  return bind_local(r, op, {&*made, 1});
}

} // namespace tw::import
