// SPDX-License-Identifier: Apache-2.0
// sdy: meshes, and ops that compute nothing and say how values are sharded: constraints, barriers, groups,
// edges, and its collectives, which outside device-local code leave the value as it is and say how it is held
// afterwards. sdy/ has the computations that are read in place.
#include "import/dialects/sdy/ops.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "import/calls.hpp"
#include "import/index.hpp"
#include "import/shardings.hpp"
#include "ops/registry.hpp"

namespace tw::import::sdy_dialect {

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

// sdy.sharding_constraint %x <@mesh, [..]> : T
bool form_sharding_constraint(Reader &r, OpText &op) {
  std::string_view sharding;
  if (!r.read_operands(op) || !r.s.skip_term(sharding))
    return false;
  op.attrs.push_back({"sharding", sharding, nullptr});
  return r.read_attr_dict(op) && r.read_types(op);
}

// sdy.all_gather [{}, {"x"}] %x out_sharding=<@mesh, [..]> : T, sdy.all_reduce {"x"} %x .., sdy.all_to_all
// [{"x"}: 0->1] %x .., once {"x"} 0->1 %x, sdy.data_flow_edge %x sharding=<@mesh, [..]> : T,
// sdy.propagation_barrier %x allowed_direction=FORWARD : T
bool form_held(Reader &r, OpText &op) {
  const char *start = r.s.here();
  while (r.s.peek() == '[' || r.s.peek() == '{') {
    std::string_view skipped;
    if (!r.s.skip_term(skipped))
      return false;
    op.attrs.push_back({"axes", {start, static_cast<size_t>(r.s.cursor().at - start)}, nullptr});
  }
  int64_t dim = 0;
  if (is_digit(r.s.peek()) &&
      (!r.s.integer(dim) || !r.s.expect("->", "between dimensions") || !r.s.integer(dim)))
    return false;
  if (!r.read_operands(op))
    return false;
  while (is_word_start(r.s.peek()))
    if (!r.read_pretty_attr(op))
      return false;
  return r.read_attr_dict(op) && r.read_types(op);
}

// A constraint is a value of its own, so that it holds where it was written and nowhere else.
bool hold(Reader &r, OpText &op, const AttrText &sharding) {
  op.attrs.assign(1, sharding);
  op.name = "stablehlo.optimization_barrier";
  op.code = *ops::find_op(op.name);
  return r.emit(op);
}

bool read_one_sharding(Reader &r, std::string_view raw, ShardingAnnotation &sharding) {
  std::vector<ShardingAnnotation> all;
  if (!parse_sharding_attribute(r.s, raw, r.c.annotations.meshes, all))
    return false;
  if (all.size() != 1)
    return r.s.fail("TW-107", raw.data(), fmt::format("{} shardings for one value", all.size()));
  sharding = std::move(all[0]);
  return true;
}

// What is reduced along axes was a sum over them before.
bool lower_held_sum(Reader &r, OpText &op) {
  const AttrText *axes = find_any(op, kAxes), *given = find_any(op, kShardings);
  if (axes != nullptr && given != nullptr && op.operands.size() == 1 && !r.c.local.differs(op.operands[0])) {
    ShardingAnnotation after, before;
    std::string_view raw = given->raw, list = axes->raw;
    if (!r.c.attributes.resolve(raw) || !r.c.attributes.resolve(list) || !read_one_sharding(r, raw, after) ||
        !read_axis_list(r.s, list, before.unreduced))
      return false;
    before.mesh = after.mesh;
    before.text = fmt::format("{} {}", op.name, axes->raw);
    const graph::TensorType &type = r.c.builder.type_of(op.operands[0]);
    before.dims.assign(type.rank(), {{}, true, -1});
    if (!check_axes(r.s, *r.c.annotations.find_mesh(before.mesh), before.unreduced, axes->raw.data()) ||
        (!before.unreduced.empty() &&
         !r.emitter.annotate(Annotation::At::value, op.operands[0], std::move(before), type, axes->raw.data(),
                             {r.s.file(), op.line, op.column})))
      return false;
  }
  return lower_sharding_constraint(r, op);
}

// The edge joins what a loop or branch passes on, which is one variable here anyway: its sharding is that of
// the operand.
bool lower_data_flow_edge(Reader &r, OpText &op) {
  if (const AttrText *attr = find_any(op, kShardings); attr != nullptr && op.operands.size() == 1) {
    ShardingAnnotation sharding;
    std::string_view raw = attr->raw;
    if (!r.c.attributes.resolve(raw) || !read_one_sharding(r, raw, sharding) ||
        !r.emitter.annotate(Annotation::At::value, op.operands[0], std::move(sharding),
                            r.c.builder.type_of(op.operands[0]), attr->raw.data(),
                            {r.s.file(), op.line, op.column}))
      return false;
  }
  return pass_through(r, op);
}

// @mesh = <["x"=2]> {attributes}
bool read_pretty_mesh(ModuleIndex &index) {
  Scanner &s = index.scanner();
  std::string_view name;
  if (!s.symbol(name) || !s.expect('=', "after the name of a mesh"))
    return false;
  s.here();
  index.meshes.push_back({name, s.cursor(), parse_mesh});
  std::string_view value, attributes;
  return s.skip_term(value) && (s.peek() != '{' || s.skip_term(attributes)) && index.skip_location();
}

// "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
bool read_generic_mesh(ModuleIndex &index) {
  Scanner &s = index.scanner();
  std::vector<AttrText> attrs;
  const char *at = s.here();
  if (!s.expect('(', "after \"sdy.mesh\"") || !s.expect(')', "after \"sdy.mesh\"("))
    return false;
  if (s.accept('<') && !(parse_dict(s, attrs) && s.expect('>', "after properties")))
    return false;
  if (s.peek() == '{' && !parse_dict(s, attrs))
    return false;
  std::string_view name, value;
  for (const AttrText &attr : attrs) {
    if (attr.name == "sym_name")
      name = unquoted(attr.raw);
    else if (attr.name == "mesh")
      value = attr.raw;
  }
  const size_t open = value.find('<');
  if (name.empty() || open == std::string_view::npos)
    return s.fail("TW-106", at, "\"sdy.mesh\" needs the attributes sym_name and mesh");
  Cursor cursor = s.cursor();
  cursor.at = value.data() + open;
  index.meshes.push_back({name, cursor, parse_mesh});
  std::string_view types, results;
  return s.expect(':', "before the type of \"sdy.mesh\"") && s.skip_term(types) &&
         s.expect("->", "in a function type") && s.skip_term(results) && index.skip_location();
}

bool read_mesh(ModuleIndex &index, bool generic) {
  return generic ? read_generic_mesh(index) : read_pretty_mesh(index);
}

constexpr Syntax kSyntax[] = {
    {"sdy.all_gather", form_held, lower_sharding_constraint},
    {"sdy.all_reduce", form_held, lower_held_sum},
    {"sdy.all_slice", form_held, lower_sharding_constraint},
    {"sdy.all_to_all", form_held, lower_sharding_constraint},
    {"sdy.collective_permute", form_held, lower_sharding_constraint},
    {"sdy.data_flow_edge", form_held, lower_data_flow_edge},
    {"sdy.func_data_flow_edge", form_held, lower_data_flow_edge},
    {"sdy.manual_computation", form_manual_computation, lower_inlined, true, true},
    {"sdy.named_computation", form_named_computation, lower_inlined, true, true},
    {"sdy.propagation_barrier", form_default, lower_propagation_barrier},
    {"sdy.reduce_scatter", form_held, lower_held_sum},
    {"sdy.replicated_to_unreduced", form_held, lower_sharding_constraint},
    {"sdy.sharded_to_unreduced", form_held, lower_sharding_constraint},
    {"sdy.sharding_constraint", form_sharding_constraint, lower_sharding_constraint},
    {"sdy.sharding_group", form_default, lower_sharding_group},
};

constexpr Alias kAliases[] = {{"sdy.constant", "stablehlo.constant"},
                              {"sdy.reshard", "sdy.sharding_constraint"},
                              {"sdy.return", "func.return"}};

constexpr Definition kDefinitions[] = {{"sdy.mesh", read_mesh}};

} // namespace

Dialect dialect() { return {.syntax = kSyntax, .aliases = kAliases, .definitions = kDefinitions}; }

} // namespace tw::import::sdy_dialect

namespace tw::import {

// "FORWARD" of FORWARD, #sdy<propagation_direction FORWARD>, or 1 : i32.
bool lower_propagation_barrier(Reader &r, OpText &op) {
  const AttrText *attr = op.find_attr("allowed_direction");
  if (attr == nullptr || op.operands.size() != 1)
    return r.s.fail("TW-105", op.at,
                    fmt::format("{} takes one operand, and the attribute allowed_direction", op.name));
  const std::string direction = plain_text(attr->raw);
  const bool forward = direction == "FORWARD" || direction.starts_with("1"),
             backward = direction == "BACKWARD" || direction.starts_with("2"),
             none = direction == "NONE" || direction.starts_with("0");
  if (!forward && !backward && !none)
    return r.s.fail("TW-105", attr->raw.data(),
                    fmt::format("{}: allowed_direction is {}, and NONE, FORWARD or BACKWARD is expected",
                                op.name, direction));
  std::erase_if(op.attrs, [](const AttrText &a) { return a.name == "allowed_direction"; });
  op.name = "stablehlo.optimization_barrier";
  op.code = *ops::find_op(op.name);
  graph::OpId id = 0;
  if (!r.emitter.add(op, id))
    return false;
  const graph::ValueId value = r.c.builder.graph().result(id);
  r.c.annotations.barriers.push_back({value, forward, backward, {r.s.file(), op.line, op.column}});
  return r.bind_op(op, id);
}

// sdy.sharding_group %x group_id=21 : T
bool lower_sharding_group(Reader &r, OpText &op) {
  int64_t id = 0;
  if (op.operands.size() != 1 || !r.read_attr(op, "group_id", id))
    return r.s.failed() ? false : r.s.fail("TW-110", op.at, fmt::format("{} takes one operand", op.name));
  op.result_types.clear();
  if (!r.emitter.check_operand_types(op) || !r.bind_results(op, {}))
    return false;
  return r.emitter.join_group(fmt::format("{}", id), op.operands[0], op.at, {r.s.file(), op.line, op.column});
}

bool lower_sharding_constraint(Reader &r, OpText &op) {
  using namespace sdy_dialect;
  const AttrText *given = find_any(op, kShardings);
  for (const AttrText &attr : op.attrs)
    if (given == nullptr && Emitter::is_sharding(attr.name))
      given = &attr;
  if (given == nullptr || given->raw.empty())
    return r.s.fail("TW-107", op.at, fmt::format("{}: the attribute sharding is missing", op.name));
  AttrText sharding = *given;
  if (!Emitter::is_sharding(sharding.name))
    sharding.name = "sdy.sharding";
  if (op.name == "sdy.sharding_constraint" && op.operands.size() == 1 &&
      r.c.type_of(op.operands[0]).rank() == 0 && r.loops.region != 0) {
    annotation::ShardingAnnotation
        said; // of a single element in the region of a reduction: nothing, unless it is partial
    std::string_view raw = sharding.raw;
    if (!r.c.attributes.resolve(raw) || !read_one_sharding(r, raw, said))
      return false;
    if (said.dims.empty() && said.unreduced.empty())
      return pass_through(r, op);
  }
  return hold(r, op, sharding);
}

} // namespace tw::import
