// SPDX-License-Identifier: Apache-2.0
// What an op's text says of shardings: annotations of its results, members of groups, a rule of its own.
#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "import/emitter.hpp"
#include "import/shardings.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using annotation::Annotation;
using annotation::AxisRef;
using annotation::DimAnnotation;
using annotation::GroupMember;
using annotation::ShardingAnnotation;

bool Emitter::read_shardings(const AttrText &attr, std::vector<ShardingAnnotation> &shardings) {
  if (attr.raw != last_raw_ || attr.name != last_name_) {
    last_shardings_.clear();
    last_raw_.clear();
    if (!parse_shardings(attr, last_shardings_))
      return false;
    last_name_ = attr.name;
    last_raw_ = attr.raw;
  }
  if (attr.name == "mhlo.sharding") // stands in place of others
    shardings.clear();
  shardings.insert(shardings.end(), last_shardings_.begin(), last_shardings_.end());
  return true;
}

bool Emitter::parse_shardings(const AttrText &attr, std::vector<ShardingAnnotation> &shardings) {
  std::string_view raw = attr.raw;
  if (attr.name == "sdy.sharding")
    return c_.attributes.resolve(raw) && parse_sharding_attribute(s_, raw, c_.annotations.meshes, shardings);
  if (attr.name == "xla.sdy.sharding")
    return parse_carried_shardings(s_, raw, c_.annotations.meshes, shardings);
  auto parsed = parse_gspmd(plain_text(raw));
  if (!parsed)
    return s_.adopt(std::move(parsed.error()), raw.data());
  shardings = std::move(*parsed);
  return true;
}

bool Emitter::annotate(Annotation::At at, uint32_t index, ShardingAnnotation sharding,
                       const graph::TensorType &type, const char *text, SourcePos pos) {
  const bool by_tiles =
      sharding.assignment && sharding.assignment->tiles.size() < sharding.assignment->subgroups;
  const size_t dims = sharding.assignment ? sharding.assignment->tiles.size() - sharding.assignment->subgroups
                                          : sharding.dims.size();
  if (sharding.dims.empty() && !sharding.assignment) // {replicated}
    sharding.dims.resize(type.rank());
  else if (by_tiles || (dims != type.rank() && sharding.kind != ShardingAnnotation::Kind::maximal))
    return s_.fail("TW-107", text,
                   fmt::format("a sharding of {} dimensions for {}", dims, graph::to_text(type)));
  if (!sharding.groups.empty()) {
    const graph::Graph &g = c_.builder.graph();
    const graph::ValueId value = at == Annotation::At::argument ? g.result(g.arguments()[index])
                                 : at == Annotation::At::result ? g.operands(g.results()[index])[0]
                                                                : index;
    for (const std::string &group : sharding.groups)
      if (!join_group(group, value, text, pos))
        return false;
  }
  if (sharding.unknown)
    return true;
  if (at == Annotation::At::value && c_.local.differs(index))
    return annotate_local(index, std::move(sharding), text, std::move(pos));
  c_.annotations.all.push_back({at, index, std::move(sharding), std::move(pos)});
  return true;
}

// In device-local code shardings are over axes that stay free; the dimensions in front of a value keep
// theirs.
bool Emitter::annotate_local(graph::ValueId v, ShardingAnnotation s, const char *text, SourcePos pos) {
  const auto is_manual = [&](const AxisRef &ref) { return c_.local.is_manual(ref.name); };
  std::string_view why;
  if (s.kind != ShardingAnnotation::Kind::axes || s.assignment)
    why = "it counts devices, and here each speaks for itself";
  else if (!s.mesh.empty() && s.mesh != c_.local.mesh_name())
    why = "it is over another mesh than the code around it";
  for (const DimAnnotation &dim : s.dims)
    if (std::ranges::any_of(dim.axes, is_manual))
      why = "the code around it is local to an axis that it names";
  if (!why.empty()) {
    c_.leave_out(fmt::format("sharding {} inside device-local code: {}", s.text, why), text);
    return true;
  }
  std::erase_if(s.replicated, is_manual);
  std::vector<DimAnnotation> front;
  const MeshAxes axes = c_.local.axes_of(v);
  for (const size_t axis : c_.local.manual())
    if (std::ranges::find(axes, axis) == axes.end())
      s.replicated.push_back(c_.local.axis_ref(axis));
  for (const size_t axis : axes)
    front.push_back({{c_.local.axis_ref(axis)}, false, 0});
  s.dims.insert(s.dims.begin(), front.begin(), front.end());
  s.mesh = c_.local.mesh_name();
  c_.annotations.all.push_back({Annotation::At::value, v, std::move(s), std::move(pos)});
  return true;
}

bool Emitter::join_group(std::string group, graph::ValueId value, const char *text, SourcePos pos) {
  const graph::Graph &g = c_.builder.graph();
  for (const GroupMember &member : c_.annotations.members)
    if (member.group == group && g.type(member.value).dims != g.type(value).dims)
      return s_.fail("TW-107", text,
                     fmt::format("{} joins sharding group {}, whose members are {}",
                                 graph::to_text(g.type(value)), group, graph::to_text(g.type(member.value))));
  c_.annotations.members.push_back({std::move(group), value, std::move(pos)});
  return true;
}

bool Emitter::read_rule(RuleText &rule) {
  std::string_view raw = std::exchange(stated_rule_, {});
  if (!c_.attributes.resolve(raw))
    return false;
  const size_t open = raw.find('<'), close = raw.rfind('>');
  if (!raw.starts_with("#sdy.op_sharding_rule") || open == raw.npos || close == raw.npos)
    return s_.fail("TW-107", raw.data(), "expected #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>");
  rule = {std::string(raw.substr(open + 1, close - open - 1)), raw.data()};
  return true;
}

bool Emitter::state_rule(const OpText &op, graph::OpId id, RuleText rule) {
  const ops::OpViewHolder holder(c_.builder.graph(), id);
  if (auto fits = ops::parse_sharding_rule(rule.text, holder.view(), nullptr); !fits)
    return s_.adopt(std::move(fits.error()), rule.at);
  c_.annotations.rules.push_back({id, std::move(rule.text), {s_.file(), op.line, op.column}});
  return true;
}

bool Emitter::annotate_results(const OpText &op, graph::OpId id) {
  if (RuleText rule; !stated_rule_.empty() && (!read_rule(rule) || !state_rule(op, id, std::move(rule))))
    return false;
  if (shardings_.empty())
    return true;
  const graph::Op made = c_.builder.graph().op(id);
  const std::vector<AttrText> attrs = shardings_;
  for (const AttrText &attr : attrs) {
    std::vector<ShardingAnnotation> shardings;
    if (!read_shardings(attr, shardings))
      return false;
    if (shardings.size() != made.num_results) {
      if (made.num_results == 0) {
        c_.leave_out(fmt::format("sharding {} of {}, which makes no value", shardings[0].text, op.name),
                     attr.raw.data());
        continue;
      }
      return s_.fail(
          "TW-107", attr.raw.data(),
          fmt::format("{}: {} shardings for {} results", op.name, shardings.size(), made.num_results));
    }
    for (uint32_t i = 0; i < made.num_results; ++i)
      if (!annotate(Annotation::At::value, made.first_result + i, std::move(shardings[i]),
                    c_.type_of(made.first_result + i), attr.raw.data(), {s_.file(), op.line, op.column}))
        return false;
  }
  return true;
}

} // namespace tw::import
