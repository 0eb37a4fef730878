// SPDX-License-Identifier: Apache-2.0
// sdy.manual_computation: where device-local code begins and ends.
#include "import/dialects/sdy/ops.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "import/calls.hpp"
#include "import/local_code.hpp"

namespace tw::import {

using annotation::AxisRef;
using annotation::DimAnnotation;
using annotation::MeshDecl;
using annotation::ShardingAnnotation;

namespace {

// The axes that cut each dimension, of those that are manual. Others must stand behind them: they divide what
// is local.
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

// The axes along which devices hold addends, of those that are manual.
MeshAxes manual_unreduced(const ShardingAnnotation &s, const DeviceLocal &local,
                          const std::vector<std::string> &manual) {
  MeshAxes axes;
  for (const AxisRef &ref : s.unreduced)
    if (std::ranges::find(manual, ref.name) != manual.end())
      if (const auto found = local.axes_of(ref)) // use_mesh cut the axes as these shardings ask
        axes.insert(axes.end(), found->begin(), found->end());
  return axes;
}

// What a sharding says of the axes that stay free.
ShardingAnnotation free_part(ShardingAnnotation s, const std::vector<std::string> &manual) {
  const auto is_manual = [&](const AxisRef &ref) {
    return std::ranges::find(manual, ref.name) != manual.end();
  };
  for (DimAnnotation &dim : s.dims)
    std::erase_if(dim.axes, is_manual);
  std::erase_if(s.replicated, is_manual);
  std::erase_if(s.unreduced, is_manual);
  return s;
}

// The mesh of a manual computation, its axes cut into the parts that the shardings name; `manual`: those to
// which it is local.
bool enter_mesh(Reader &r, const OpText &op, const ManualHead &head, MeshAxes &manual) {
  const auto all = {&head.in, &head.out};
  const MeshDecl *mesh = nullptr;
  std::vector<AxisRef> parts;
  for (const auto *list : all)
    for (const ShardingAnnotation &s : *list) {
      const MeshDecl &named = *r.c.annotations.find_mesh(s.mesh);
      if (mesh != nullptr && mesh->name != named.name && !named.axes.empty() && !mesh->axes.empty())
        return r.s.fail(
            "TW-113", op.at,
            fmt::format("{}: shardings over two meshes, @{} and @{}", op.name, mesh->name, s.mesh));
      if (mesh == nullptr || mesh->axes.empty())
        mesh = &named;
      for (const DimAnnotation &dim : s.dims)
        for (const AxisRef &ref : dim.axes)
          if (std::ranges::find(head.manual, ref.name) != head.manual.end())
            parts.push_back(ref);
      for (const AxisRef &ref : s.unreduced)
        if (std::ranges::find(head.manual, ref.name) != head.manual.end())
          parts.push_back(ref);
    }
  if (mesh == nullptr || (mesh->axes.empty() && head.manual.empty()))
    return true;
  if (auto known = r.c.local.use_mesh(*mesh, parts); !known)
    return r.s.adopt(std::move(known.error()), op.at);
  for (const std::string &name : head.manual) {
    const MeshAxes axes = *r.c.local.axes_of(AxisRef{name, 1, 0});
    if (axes.empty())
      return r.s.fail("TW-113", op.at,
                      fmt::format("{}: the mesh @{} has no axis \"{}\"", op.name, mesh->name, name));
    if (r.c.local.is_manual(name))
      return r.s.fail(
          "TW-113", op.at,
          fmt::format("{}: the code around it is local to the axis \"{}\" already", op.name, name));
    manual.insert(manual.end(), axes.begin(), axes.end());
  }
  std::ranges::sort(manual);
  return true;
}

} // namespace

bool enter_manual(Reader &r, const OpText &op, const ManualHead &head,
                  std::span<const graph::ValueId> operands, std::span<const char *const> at,
                  ManualCode &code) {
  const std::vector<ShardingAnnotation> &in = head.in;
  if (in.size() != operands.size())
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} operands, {} shardings", op.name, operands.size(), in.size()));
  if (!enter_mesh(r, op, head, code.manual))
    return false;
  r.c.local.at(r.c.builder.location({op.line, op.column, op.loc.best()}));
  code.values.clear();
  for (size_t i = 0; i < operands.size(); ++i) {
    const graph::TensorType &whole = r.c.type_of(operands[i]);
    if (in[i].dims.size() != whole.rank())
      return r.s.fail(
          "TW-107", at[i],
          fmt::format("a sharding of {} dimensions for {}", in[i].dims.size(), graph::to_text(whole)));
    auto dims = manual_dims(in[i], r.c.local, head.manual);
    auto value = dims ? r.c.local.enter(operands[i], *dims) : fail(std::move(dims.error()));
    if (const MeshAxes addends = manual_unreduced(in[i], r.c.local, head.manual); value && !addends.empty())
      value = r.c.local.as_addends(*value, addends);
    if (!value)
      return r.s.adopt(std::move(value.error()), at[i]);
    code.values.push_back(*value);
  }
  MeshAxes all = r.c.local.manual();
  all.insert(all.end(), code.manual.begin(), code.manual.end());
  code.outer_free = std::exchange(r.free_axes, all.size() < r.c.local.axis_sizes().size());
  code.outer_manual = r.c.local.set_manual(std::move(all));
  for (size_t i = 0; i < code.values.size(); ++i)
    if (!r.free_axes)
      annotate_local(r, code.values[i], op, 0);
    else if (!constrain(r, code.values[i], free_part(in[i], head.manual), op))
      return false;
  return true;
}

bool leave_manual(Reader &r, const OpText &op, const ManualHead &head, std::span<const graph::ValueId> given,
                  std::span<const char *const> at, ManualCode &code) {
  const std::vector<ShardingAnnotation> &out = head.out;
  if (given.size() != out.size())
    return r.s.fail(
        "TW-110", op.at,
        fmt::format("{}: {} values are returned for {} shardings", op.name, given.size(), out.size()));
  std::vector<graph::ValueId> local(given.begin(), given.end());
  code.values.clear();
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t rank = r.c.type_of(local[i]).rank();
    if (out[i].dims.size() != rank)
      return r.s.fail("TW-107", at[i],
                      fmt::format("a sharding of {} dimensions for a value of {}", out[i].dims.size(), rank));
    const ShardingAnnotation free = free_part(out[i], head.manual);
    if (free.constrains() && !constrain(r, local[i], free, op))
      return false;
    if (const MeshAxes addends = manual_unreduced(out[i], r.c.local, head.manual); !addends.empty()) {
      auto sum = r.c.local.add_up(local[i], addends);
      if (!sum)
        return r.s.adopt(std::move(sum.error()), at[i]);
      local[i] = *sum;
    }
    auto dims = manual_dims(out[i], r.c.local, head.manual);
    auto value = dims ? leave_local(r, local[i], *dims, code.manual, op) : fail(std::move(dims.error()));
    if (!value)
      return r.s.adopt(std::move(value.error()), at[i]);
    code.values.push_back(*value);
  }
  r.free_axes = code.outer_free;
  r.c.local.set_manual(std::move(code.outer_manual));
  return true;
}

// sdy.manual_computation(%a, ..) in_shardings=[..] out_shardings=[..] manual_axes={"x"} (%arg1: T, ..) { .. }
// : (T, ..) -> U
bool form_manual_computation(Reader &r, OpText &op) {
  Inlined head;
  if (!read_inlined_head(r, op, head))
    return false;
  const std::vector<Argument> &arguments = head.arguments;
  if (head.in.size() != op.operands.size() || arguments.size() != op.operands.size())
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} operands, {} shardings, {} arguments", op.name, op.operands.size(),
                                head.in.size(), arguments.size()));
  const size_t mark = r.scope->mark();
  std::string outer = r.inner_prefix(op, {});
  r.prefix.swap(outer);
  ManualCode code;
  if (!enter_manual(r, op, head, op.operands, op.operand_at, code))
    return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (const graph::TypeId type = r.c.local.type(code.values[i]); type != arguments[i].type)
      return r.s.fail("TW-110", arguments[i].at,
                      fmt::format("the argument %{} is {}, but a device's part of operand {} is {}",
                                  arguments[i].name,
                                  graph::to_text(r.c.builder.graph().type_at(arguments[i].type)), i,
                                  graph::to_text(r.c.builder.graph().type_at(type))));
    if (!r.define(arguments[i], {&code.values[i], 1}))
      return false;
  }
  if (!r.read_block() || !r.end_region("after device-local code"))
    return false;
  r.scope->rewind(mark);
  r.prefix.swap(outer);
  const std::vector<graph::ValueId> yields = r.yields;
  const std::vector<const char *> yields_at = r.yields_at;
  return leave_manual(r, op, head, yields, yields_at, code) && read_inlined_tail(r, op) &&
         bind_local(r, op, code.values);
}

} // namespace tw::import
