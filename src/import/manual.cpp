// SPDX-License-Identifier: Apache-2.0
// Where device-local code begins and ends: sdy.manual_computation, and GSPMD's calls between the full and the shard's shape.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "import/body.hpp"
#include "import/shardings.hpp"

namespace tw::import {

using annotation::Annotation;
using annotation::AxisRef;
using annotation::DimAnnotation;
using annotation::MeshDecl;
using annotation::ShardingAnnotation;
using annotation::TileAssignment;

namespace {

constexpr std::string_view kGspmdMesh = "devices"; // a name for the mesh that tile assignments count through

// The axes that cut each dimension, of those that are manual. Others must stand behind them: they divide what is local.
Result<std::vector<MeshAxes>> manual_dims(const ShardingAnnotation &s, const DeviceLocal &local,
                                          const std::vector<std::string> &manual) {
  std::vector<MeshAxes> dims;
  for (const DimAnnotation &dim : s.dims) {
    MeshAxes &axes = dims.emplace_back();
    bool free_before = false;
    for (const AxisRef &ref : dim.axes) {
      if (std::ranges::find(manual, ref.name) == manual.end()) {
        free_before = true;
        continue;
      }
      if (free_before)
        return fail(
            Code::invalid_argument, "TW-113",
            fmt::format("the sharding {}: an axis that is not manual stands before one that is", s.text));
      const auto found = local.axes_of(ref);
      TW_ASSERT(found.has_value()); // use_mesh cut the axes as these shardings ask
      axes.insert(axes.end(), found->begin(), found->end());
    }
  }
  return dims;
}

// What a sharding says of the axes that stay free.
ShardingAnnotation free_part(ShardingAnnotation s, const std::vector<std::string> &manual) {
  const auto is_manual = [&](const AxisRef &ref) {
    return std::ranges::find(manual, ref.name) != manual.end();
  };
  for (DimAnnotation &dim : s.dims)
    std::erase_if(dim.axes, is_manual);
  std::erase_if(s.replicated, is_manual);
  return s;
}

// The axes of a GSPMD sharding. Its device list is a shape of numbers too, whose dimensions are runs of the mesh's axes; where one begins or
// ends inside an axis, the axis is cut there when the text is read again.
Result<std::vector<MeshAxes>> tile_dims(const ShardingAnnotation &s, const DeviceLocal &local, size_t rank) {
  if (!s.assignment) {
    if (s.kind == ShardingAnnotation::Kind::axes && !s.constrains())
      return std::vector<MeshAxes>(rank);
    return fail(Code::unimplemented, "TW-113",
                fmt::format("the sharding {} of a value that device-local code takes or gives", s.text));
  }
  const TileAssignment &a = *s.assignment;
  const auto other_order = [&] {
    return fail(Code::unimplemented, "TW-113",
                fmt::format("the sharding {} counts its devices in another order than the first one of this "
                            "device-local code",
                            s.text));
  };
  std::vector<MeshAxes> runs(a.iota.size()); // of each dimension of the device list
  int64_t behind = 1;
  for (size_t i = a.iota.size(); i-- > 0;) {
    auto run = local.axes_between(behind, behind * a.iota[i]);
    if (!run)
      return other_order();
    runs[i] = std::move(*run);
    behind *= a.iota[i];
  }
  MeshAxes order; // in which tiles count them
  for (size_t i = 0; i < runs.size(); ++i) {
    const MeshAxes &run = runs[a.transpose.empty() ? i : static_cast<size_t>(a.transpose[i])];
    order.insert(order.end(), run.begin(), run.end());
  }
  std::vector<MeshAxes> dims;
  auto next = order.begin();
  for (size_t d = 0; d + a.subgroups < a.tiles.size(); ++d) {
    MeshAxes &axes = dims.emplace_back();
    for (int64_t left = a.tiles[d]; left > 1;) {
      if (next == order.end() || (left % local.axis_sizes()[*next] != 0 && !local.cut_axis(*next, left)))
        return other_order();
      left /= std::min(left, local.axis_sizes()[*next]);
      axes.push_back(*next++);
    }
  }
  return dims;
}

} // namespace

// The dimensions in front of a value are its devices: each is tiled by its axis. What is local is whole on the other manual axes, and open
// to those that stay free.
void BodyReader::annotate_local(graph::ValueId v, const OpText &op, int32_t priority) {
  const MeshAxes axes = c_.local.axes_of(v);
  if (!c_.local.has_axes() || (free_axes_ && axes.empty()))
    return;
  ShardingAnnotation s;
  const size_t rank = c_.builder.type_of(v).rank();
  if (c_.local.mesh_name() == kGspmdMesh) {
    const auto sizes = c_.local.axis_sizes();
    TileAssignment a;
    a.iota.assign(sizes.begin(), sizes.end());
    int64_t rest = 1;
    for (const size_t axis : axes) {
      a.tiles.push_back(sizes[axis]);
      a.transpose.push_back(static_cast<int64_t>(axis));
    }
    a.tiles.resize(rank, 1);
    for (size_t axis = 0; axis < sizes.size(); ++axis)
      if (std::ranges::find(axes, axis) == axes.end()) {
        a.transpose.push_back(static_cast<int64_t>(axis));
        rest *= sizes[axis];
      }
    if (rest > 1) {
      a.tiles.push_back(rest);
      a.subgroups = 1;
    }
    s.kind = ShardingAnnotation::Kind::tiles;
    s.assignment = std::move(a);
  } else {
    s.mesh = c_.local.mesh_name();
    for (const size_t axis : axes)
      s.dims.push_back({{c_.local.axis_ref(axis)}, false, priority});
    for (const size_t axis : c_.local.manual())
      if (std::ranges::find(axes, axis) == axes.end())
        s.replicated.push_back(c_.local.axis_ref(axis));
    s.dims.resize(rank, {{}, free_axes_, -1});
  }
  s.text = op.name;
  c_.annotations.all.push_back({Annotation::At::value, v, std::move(s), {s_.file(), op.line, op.column}});
}

// What is equal along an axis and tiled by it afterwards is cut where it lies.
Result<graph::ValueId> BodyReader::leave_local(graph::ValueId v, std::span<const MeshAxes> dims,
                                               const MeshAxes &manual, const OpText &op) {
  TW_ASSIGN(const graph::ValueId spread, c_.local.spread(v, dims, manual));
  if (!std::ranges::includes(c_.local.axes_of(v), c_.local.axes_of(spread)))
    annotate_local(spread, op, 0);
  return c_.local.leave(spread, dims, manual);
}

// sdy.manual_computation(%a, ..) in_shardings=[..] out_shardings=[..] manual_axes={"x"} (%arg1: T, ..) { .. } : (T, ..) -> U
bool BodyReader::form_manual_computation(OpText &op) {
  Inlined head;
  if (!read_inlined_head(op, head))
    return false;
  const std::vector<ShardingAnnotation> &in = head.in, &out = head.out;
  const std::vector<Argument> &arguments = head.arguments;
  if (in.size() != op.operands.size() || arguments.size() != op.operands.size())
    return s_.fail("TW-110", op.at,
                   fmt::format("{}: {} operands, {} shardings, {} arguments", op.name, op.operands.size(),
                               in.size(), arguments.size()));
  MeshAxes manual;
  if (!enter_mesh(op, head, manual))
    return false;

  const size_t mark = scope_->mark();
  std::string outer = inner_prefix(op, {});
  prefix_.swap(outer);
  c_.local.at(c_.builder.location({op.line, op.column, op.loc.best()}));
  std::vector<graph::ValueId> entered, results;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const graph::TensorType &whole = c_.type_of(op.operands[i]);
    if (in[i].dims.size() != whole.rank())
      return s_.fail(
          "TW-107", op.operand_at[i],
          fmt::format("a sharding of {} dimensions for {}", in[i].dims.size(), graph::to_text(whole)));
    auto dims = manual_dims(in[i], c_.local, head.manual);
    auto value = dims ? c_.local.enter(op.operands[i], *dims) : fail(std::move(dims.error()));
    if (!value)
      return s_.adopt(std::move(value.error()), op.operand_at[i]);
    if (const graph::TypeId type = c_.local.type(*value); type != arguments[i].type)
      return s_.fail("TW-110", arguments[i].at,
                     fmt::format("the argument %{} is {}, but a device's part of operand {} is {}",
                                 arguments[i].name,
                                 graph::to_text(c_.builder.graph().type_at(arguments[i].type)), i,
                                 graph::to_text(c_.builder.graph().type_at(type))));
    entered.push_back(*value);
  }
  MeshAxes all = c_.local.manual();
  all.insert(all.end(), manual.begin(), manual.end());
  const bool outer_free = std::exchange(free_axes_, all.size() < c_.local.axis_sizes().size());
  MeshAxes outer_manual = c_.local.set_manual(std::move(all));
  for (size_t i = 0; i < entered.size(); ++i) {
    if (!free_axes_)
      annotate_local(entered[i], op, 0);
    else if (!constrain(entered[i], free_part(in[i], head.manual), op))
      return false;
    if (!define(arguments[i].name, {&entered[i], 1}, arguments[i].at))
      return false;
  }
  if (!read_block() || !s_.expect('}', "after device-local code"))
    return false;
  scope_->rewind(mark);
  prefix_.swap(outer);
  if (yields_.size() != out.size())
    return s_.fail(
        "TW-110", op.at,
        fmt::format("{}: {} values are returned for {} shardings", op.name, yields_.size(), out.size()));
  std::vector<graph::ValueId> local = yields_;
  const std::vector<const char *> local_at = yields_at_;
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t rank = c_.type_of(local[i]).rank();
    if (out[i].dims.size() != rank)
      return s_.fail("TW-107", local_at[i],
                     fmt::format("a sharding of {} dimensions for a value of {}", out[i].dims.size(), rank));
    const ShardingAnnotation free = free_part(out[i], head.manual);
    if (free.constrains() && !constrain(local[i], free, op))
      return false;
    auto dims = manual_dims(out[i], c_.local, head.manual);
    auto value = dims ? leave_local(local[i], *dims, manual, op) : fail(std::move(dims.error()));
    if (!value)
      return s_.adopt(std::move(value.error()), local_at[i]);
    results.push_back(*value);
  }
  free_axes_ = outer_free;
  c_.local.set_manual(std::move(outer_manual));
  return read_inlined_tail(op) && bind_local(op, results);
}

// The mesh of a manual computation, its axes cut into the parts that the shardings name; `manual`: those to which it is local.
bool BodyReader::enter_mesh(const OpText &op, const Inlined &head, MeshAxes &manual) {
  const auto all = {&head.in, &head.out};
  const MeshDecl *mesh = nullptr;
  std::vector<AxisRef> parts;
  for (const auto *list : all)
    for (const ShardingAnnotation &s : *list) {
      const MeshDecl &named = *c_.annotations.find_mesh(s.mesh);
      if (mesh != nullptr && mesh->name != named.name && !named.axes.empty() && !mesh->axes.empty())
        return s_.fail(
            "TW-113", op.at,
            fmt::format("{}: shardings over two meshes, @{} and @{}", op.name, mesh->name, s.mesh));
      if (mesh == nullptr || mesh->axes.empty())
        mesh = &named;
      for (const DimAnnotation &dim : s.dims)
        for (const AxisRef &ref : dim.axes)
          if (std::ranges::find(head.manual, ref.name) != head.manual.end())
            parts.push_back(ref);
    }
  if (mesh == nullptr || (mesh->axes.empty() && head.manual.empty()))
    return true;
  if (auto known = c_.local.use_mesh(*mesh, parts); !known)
    return s_.adopt(std::move(known.error()), op.at);
  for (const std::string &name : head.manual) {
    const MeshAxes axes = *c_.local.axes_of(AxisRef{name, 1, 0});
    if (axes.empty())
      return s_.fail("TW-113", op.at,
                     fmt::format("{}: the mesh @{} has no axis \"{}\"", op.name, mesh->name, name));
    if (c_.local.is_manual(name))
      return s_.fail(
          "TW-113", op.at,
          fmt::format("{}: the code around it is local to the axis \"{}\" already", op.name, name));
    manual.insert(manual.end(), axes.begin(), axes.end());
  }
  std::ranges::sort(manual);
  return true;
}

// Results with the types that the text states, in local terms where they differ between devices.
bool BodyReader::bind_local(OpText &op, std::span<const graph::ValueId> values) {
  if (op.result_types.size() != values.size())
    return s_.fail(
        "TW-110", op.at,
        fmt::format("{}: {} results, but types for {}", op.name, values.size(), op.result_types.size()));
  for (size_t i = 0; i < values.size(); ++i)
    if (const graph::TypeId type = c_.local.type(values[i]); type != op.result_types[i])
      return s_.fail("TW-110", op.at,
                     fmt::format("{}: result {} is {}, but {} is stated", op.name, i,
                                 graph::to_text(c_.builder.graph().type_at(type)),
                                 graph::to_text(c_.builder.graph().type_at(op.result_types[i]))));
  if (!bind_results(op, values))
    return false;
  size_t next = 0;
  for (const OpText::Result &result : op.results)
    for (uint32_t i = 0; i < result.count; ++i)
      name_value(values[next++], result.name, i, result.count);
  return true;
}

// @SPMDFullToShardShape: the operand's sharding, which a call of @Sharding gave it, says how.
bool BodyReader::lower_full_to_shard(OpText &op) {
  if (!emitter_.check_operand_types(op))
    return false;
  if (op.operands.size() != 1)
    return s_.fail("TW-110", op.at, "SPMDFullToShardShape takes one operand");
  const auto &all = c_.annotations.all;
  const auto given = std::find_if(all.rbegin(), all.rend(), [&](const Annotation &a) {
    return a.at == Annotation::At::value && a.index == op.operands[0];
  });
  if (given == all.rend())
    return s_.fail("TW-113", op.at, "SPMDFullToShardShape of a value that no call of @Sharding has sharded");
  if (given->sharding.assignment && c_.local.mesh_name() != kGspmdMesh) {
    const MeshDecl mesh{std::string(kGspmdMesh), c_.local.cut_devices(given->sharding.assignment->iota), {}};
    if (mesh.axes.empty())
      return s_.fail(
          "TW-113", op.at,
          fmt::format("the sharding {}: device-local code needs devices in an order such as <=[4,2]",
                      given->sharding.text));
    if (auto known = c_.local.use_mesh(mesh); !known)
      return s_.adopt(std::move(known.error()), op.at);
  }
  c_.local.at(c_.builder.location({op.line, op.column, op.loc.best()}));
  auto dims = tile_dims(given->sharding, c_.local, c_.builder.type_of(op.operands[0]).rank());
  auto value = dims ? c_.local.enter(op.operands[0], *dims) : fail(std::move(dims.error()));
  if (!value)
    return s_.adopt(std::move(value.error()), op.at);
  annotate_local(*value, op, 0);
  return bind_local(op, {&*value, 1});
}

// @SPMDShardToFullShape: its own sharding says how the parts make a whole.
bool BodyReader::lower_shard_to_full(OpText &op) {
  if (!emitter_.check_operand_types(op))
    return false;
  if (op.operands.size() != 1)
    return s_.fail("TW-110", op.at, "SPMDShardToFullShape takes one operand");
  std::vector<ShardingAnnotation> shardings;
  for (const AttrText &attr : op.attrs)
    if (Emitter::is_sharding(attr.name) && !emitter_.read_shardings(attr, shardings))
      return false;
  if (shardings.size() != 1)
    return s_.fail("TW-107", op.at, "SPMDShardToFullShape needs one sharding");
  c_.local.at(c_.builder.location({op.line, op.column, op.loc.best()}));
  const size_t rank = c_.type_of(op.operands[0]).rank();
  auto dims = tile_dims(shardings[0], c_.local, rank);
  if (dims && dims->size() != rank)
    return s_.fail("TW-107", op.at,
                   fmt::format("a sharding of {} dimensions for a value of {}", dims->size(), rank));
  MeshAxes all(c_.local.axis_sizes().size());
  std::iota(all.begin(), all.end(), size_t{0});
  auto value = dims ? leave_local(op.operands[0], *dims, all, op) : fail(std::move(dims.error()));
  if (!value)
    return s_.adopt(std::move(value.error()), op.at);
  return bind_local(op, {&*value, 1});
}

} // namespace tw::import
