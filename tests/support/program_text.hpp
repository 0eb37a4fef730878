// SPDX-License-Identifier: Apache-2.0
// All that was imported of a program as lines of text, but where it stood in its file: what two ways to read
// one program must agree in.
#pragma once

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/emitter.hpp"
#include "import/import.hpp"
#include "ops/registry.hpp"

namespace tw::test {

// Of an attribute that is there and no constant.
inline std::string plain_attribute(const graph::AttrValue &value) {
  if (const auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  if (const auto *real = std::get_if<double>(&value))
    return fmt::format("{}", *real);
  if (const auto *text = std::get_if<std::string>(&value))
    return *text;
  return fmt::format("[{}]", fmt::join(std::get<std::vector<int64_t>>(value), ","));
}

namespace program_text_detail {

inline std::string of_attribute(const graph::Graph &g, const graph::AttrValue &value) {
  if (const auto *constant = std::get_if<graph::ConstantId>(&value)) {
    const graph::Constant &c = g.constant(*constant);
    size_t hash = 0;
    for (const std::byte b : *c.bytes)
      hash = hash * 131 + static_cast<size_t>(b);
    return fmt::format("{} {} bytes {:x}", c.splat ? "splat" : "dense", c.bytes->size(), hash);
  }
  return plain_attribute(value);
}

inline void append_region(const graph::Graph &g, graph::RegionId id, const std::string &indent,
                          bool locations, std::string &out) {
  for (const graph::OpId op : g.region(id).ops) {
    const ops::OpDef &def = ops::op_def(g.op(op).code);
    out += indent;
    for (uint32_t i = 0; i < g.op(op).num_results; ++i)
      out += fmt::format("{} : {}, ", g.value_name(g.result(op, i)), graph::to_text(g.type(g.result(op, i))));
    out += def.name;
    for (const graph::ValueId v : g.operands(op))
      out += " " + g.value_name(v);
    for (size_t i = 0; i < g.attrs(op).size(); ++i)
      if (g.attrs(op)[i].index() != 0 && !import::says_nothing(def.attrs[i], g.attrs(op)[i]))
        out += fmt::format(" {}={}", def.attrs[i].name, of_attribute(g, g.attrs(op)[i]));
    if (const std::string where = g.location_text(op); locations && g.location(op).text != graph::kNone)
      out += " at " + where;
    out += "\n";
    for (uint32_t i = 0; i < g.op(op).num_regions; ++i) {
      const graph::Region &region = g.region(g.op(op).first_region + i);
      out += indent + " {";
      for (const graph::ValueId v : region.args)
        out += fmt::format(" {}:{}", g.value_name(v), graph::to_text(g.type(v)));
      out += "\n";
      append_region(g, g.op(op).first_region + i, indent + "  ", locations, out);
      out += indent + " }";
      for (const graph::ValueId v : region.yields)
        out += " " + g.value_name(v);
      out += "\n";
    }
  }
}

inline std::string of_axes(const std::vector<annotation::AxisRef> &axes) {
  std::string text;
  for (const annotation::AxisRef &axis : axes)
    text += fmt::format(" {}:({}){}", axis.name, axis.pre, axis.size);
  return text;
}

} // namespace program_text_detail

inline std::string program_text(const import::Imported &imported, bool locations) {
  using namespace program_text_detail;
  const graph::Graph &g = *imported.graph;
  std::string out = fmt::format("program {}\n", g.module_name());
  append_region(g, 0, "", locations, out);
  for (const annotation::MeshDecl &mesh : imported.annotations.meshes) {
    out += fmt::format("mesh {} devices [{}]:", mesh.name, fmt::join(mesh.device_ids, ","));
    for (const auto &[axis, size] : mesh.axes)
      out += fmt::format(" {}={}", axis, size);
    out += "\n";
  }
  for (const annotation::Annotation &a : imported.annotations.all) {
    const annotation::ShardingAnnotation &s = a.sharding;
    out += fmt::format("sharding {} {} kind {} mesh {} text {} replicated{} unreduced{} device {}",
                       static_cast<int>(a.at), a.index, static_cast<int>(s.kind), s.mesh, s.text,
                       of_axes(s.replicated), of_axes(s.unreduced), s.device);
    for (const annotation::DimAnnotation &dim : s.dims)
      out += fmt::format(" [{}{} p{}]", of_axes(dim.axes), dim.open ? " ?" : "", dim.priority);
    out += "\n";
  }
  for (const annotation::GroupMember &member : imported.annotations.members)
    out += fmt::format("group {} {}\n", member.group, g.value_name(member.value));
  for (const annotation::PropagationBarrier &barrier : imported.annotations.barriers)
    out += fmt::format("barrier {} {} {}\n", g.value_name(barrier.value), barrier.forward, barrier.backward);
  for (const annotation::StatedRule &rule : imported.annotations.rules)
    out += fmt::format("rule {} {}\n", rule.op, rule.text);
  for (const annotation::StatedMoves &moves : imported.annotations.moves)
    out += fmt::format("moves {} {}\n", moves.first, moves.end);
  for (const annotation::LeftOut &left : imported.annotations.left_out)
    out += fmt::format("left out {}\n", left.text);
  for (const import::Note &note : imported.notes)
    out += fmt::format("note {} ({})\n", note.text, note.count);
  return out;
}

} // namespace tw::test
