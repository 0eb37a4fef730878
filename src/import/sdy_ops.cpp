// SPDX-License-Identifier: Apache-2.0
// Shardy's ops that compute nothing and say how values are sharded: constraints, barriers, groups, edges, and its collectives, which outside
// device-local code leave the value as it is and say how it is held afterwards.
#include <algorithm>

#include <fmt/format.h>

#include "import/body.hpp"
#include "import/shardings.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using annotation::Annotation;
using annotation::ShardingAnnotation;

namespace {

// Names of the attribute of an op that holds its sharding, and of that which holds the axes it works along.
constexpr std::string_view kShardings[] = {"sharding", "out_sharding", "to_sharding"};
constexpr std::string_view kAxes[] = {"axes", "reduction_axes", "reduce_scatter_axes"};

template <class Names> const AttrText *find_any(const OpText &op, const Names &names) {
  const auto at = std::ranges::find_if(
      op.attrs, [&](const AttrText &attr) { return std::ranges::find(names, attr.name) != std::end(names); });
  return at == op.attrs.end() ? nullptr : &*at;
}

} // namespace

// sdy.sharding_constraint %x <@mesh, [..]> : T
bool BodyReader::form_sharding_constraint(OpText &op) {
  std::string_view sharding;
  if (!read_operands(op) || !s_.skip_term(sharding))
    return false;
  op.attrs.push_back({"sharding", sharding, nullptr});
  return read_attr_dict(op) && read_types(op);
}

// sdy.all_gather [{}, {"x"}] %x out_sharding=<@mesh, [..]> : T, sdy.all_reduce {"x"} %x .., sdy.all_to_all [{"x"}: 0->1] %x ..,
// once {"x"} 0->1 %x, sdy.data_flow_edge %x sharding=<@mesh, [..]> : T, sdy.propagation_barrier %x allowed_direction=FORWARD : T
bool BodyReader::form_held(OpText &op) {
  const char *start = s_.here();
  while (s_.peek() == '[' || s_.peek() == '{') {
    std::string_view skipped;
    if (!s_.skip_term(skipped))
      return false;
    op.attrs.push_back({"axes", {start, static_cast<size_t>(s_.cursor().at - start)}, nullptr});
  }
  int64_t dim = 0;
  if (is_digit(s_.peek()) && (!s_.integer(dim) || !s_.expect("->", "between dimensions") || !s_.integer(dim)))
    return false;
  if (!read_operands(op))
    return false;
  while (is_word_start(s_.peek()))
    if (!read_pretty_attr(op))
      return false;
  return read_attr_dict(op) && read_types(op);
}

// A constraint is a value of its own, so that it holds where it was written and nowhere else.
bool BodyReader::hold(OpText &op, const AttrText &sharding) {
  op.attrs.assign(1, sharding);
  op.name = "stablehlo.optimization_barrier";
  op.code = *ops::find_op(op.name);
  return emit(op);
}

bool BodyReader::lower_sharding_constraint(OpText &op) {
  const AttrText *given = find_any(op, kShardings);
  for (const AttrText &attr : op.attrs)
    if (given == nullptr && Emitter::is_sharding(attr.name))
      given = &attr;
  if (given == nullptr || given->raw.empty())
    return s_.fail("TW-107", op.at, fmt::format("{}: the attribute sharding is missing", op.name));
  AttrText sharding = *given;
  if (!Emitter::is_sharding(sharding.name))
    sharding.name = "sdy.sharding";
  if (op.name == "sdy.sharding_constraint" && op.operands.size() == 1 &&
      c_.type_of(op.operands[0]).rank() == 0) {
    ShardingAnnotation
        said; // of a single element, as in the region of a reduction: nothing, unless it is partial
    std::string_view raw = sharding.raw;
    if (!c_.attributes.resolve(raw) || !read_one_sharding(raw, said))
      return false;
    if (said.dims.empty() && said.unreduced.empty())
      return pass_through(op);
  }
  return hold(op, sharding);
}

// What is reduced along axes was a sum over them before.
bool BodyReader::lower_held_sum(OpText &op) {
  const AttrText *axes = find_any(op, kAxes), *given = find_any(op, kShardings);
  if (axes != nullptr && given != nullptr && op.operands.size() == 1 && !c_.local.differs(op.operands[0])) {
    ShardingAnnotation after, before;
    std::string_view raw = given->raw, list = axes->raw;
    if (!c_.attributes.resolve(raw) || !c_.attributes.resolve(list) || !read_one_sharding(raw, after) ||
        !read_axis_list(s_, list, before.unreduced))
      return false;
    before.mesh = after.mesh;
    before.text = fmt::format("{} {}", op.name, axes->raw);
    const graph::TensorType &type = c_.builder.type_of(op.operands[0]);
    before.dims.assign(type.rank(), {{}, true, -1});
    if (!check_axes(s_, *c_.annotations.find_mesh(before.mesh), before.unreduced, axes->raw.data()) ||
        (!before.unreduced.empty() &&
         !emitter_.annotate(Annotation::At::value, op.operands[0], std::move(before), type, axes->raw.data(),
                            {s_.file(), op.line, op.column})))
      return false;
  }
  return lower_sharding_constraint(op);
}

bool BodyReader::read_one_sharding(std::string_view raw, ShardingAnnotation &sharding) {
  std::vector<ShardingAnnotation> all;
  if (!parse_sharding_attribute(s_, raw, c_.annotations.meshes, all))
    return false;
  if (all.size() != 1)
    return s_.fail("TW-107", raw.data(), fmt::format("{} shardings for one value", all.size()));
  sharding = std::move(all[0]);
  return true;
}

// The edge joins what a loop or branch passes on, which is one variable here anyway: its sharding is that of the operand.
bool BodyReader::lower_data_flow_edge(OpText &op) {
  if (const AttrText *attr = find_any(op, kShardings); attr != nullptr && op.operands.size() == 1) {
    ShardingAnnotation sharding;
    std::string_view raw = attr->raw;
    if (!c_.attributes.resolve(raw) || !read_one_sharding(raw, sharding) ||
        !emitter_.annotate(Annotation::At::value, op.operands[0], std::move(sharding),
                           c_.builder.type_of(op.operands[0]), attr->raw.data(),
                           {s_.file(), op.line, op.column}))
      return false;
  }
  return pass_through(op);
}

// "FORWARD" of FORWARD, #sdy<propagation_direction FORWARD>, or 1 : i32.
bool BodyReader::lower_propagation_barrier(OpText &op) {
  const AttrText *attr = op.find_attr("allowed_direction");
  if (attr == nullptr || op.operands.size() != 1)
    return s_.fail("TW-105", op.at,
                   fmt::format("{} takes one operand, and the attribute allowed_direction", op.name));
  const std::string direction = plain_text(attr->raw);
  const bool forward = direction == "FORWARD" || direction.starts_with("1"),
             backward = direction == "BACKWARD" || direction.starts_with("2"),
             none = direction == "NONE" || direction.starts_with("0");
  if (!forward && !backward && !none)
    return s_.fail("TW-105", attr->raw.data(),
                   fmt::format("{}: allowed_direction is {}, and NONE, FORWARD or BACKWARD is expected",
                               op.name, direction));
  std::erase_if(op.attrs, [](const AttrText &a) { return a.name == "allowed_direction"; });
  op.name = "stablehlo.optimization_barrier";
  op.code = *ops::find_op(op.name);
  graph::OpId id = 0;
  if (!emitter_.add(op, id))
    return false;
  const graph::ValueId value = c_.builder.graph().result(id);
  c_.annotations.barriers.push_back({value, forward, backward, {s_.file(), op.line, op.column}});
  return bind_op(op, id);
}

// sdy.sharding_group %x group_id=21 : T
bool BodyReader::lower_sharding_group(OpText &op) {
  int64_t id = 0;
  if (op.operands.size() != 1 || !read_attr(op, "group_id", id))
    return s_.failed() ? false : s_.fail("TW-110", op.at, fmt::format("{} takes one operand", op.name));
  op.result_types.clear();
  if (!emitter_.check_operand_types(op) || !bind_results(op, {}))
    return false;
  return emitter_.join_group(fmt::format("{}", id), op.operands[0], op.at, {s_.file(), op.line, op.column});
}

} // namespace tw::import
