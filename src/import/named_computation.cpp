// SPDX-License-Identifier: Apache-2.0
// Bodies that are read in place, in the pretty and in the generic form, and the simpler of them: sdy.named_computation, a part of the program
// with a name, whose shardings are constraints on what goes in and comes out.
#include <fmt/format.h>

#include "import/body.hpp"
#include "import/shardings.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using annotation::Annotation;
using annotation::ShardingAnnotation;

// in_shardings=[<@mesh, [{"x"}]>, ..]
bool BodyReader::read_sharding_list(std::string_view name, std::vector<ShardingAnnotation> &shardings) {
  if (!s_.expect(name, "before shardings") || !s_.expect('=', "before shardings") ||
      !s_.expect('[', "before shardings"))
    return false;
  if (s_.accept(']'))
    return true;
  do {
    if (!parse_sharding(s_, c_.annotations.meshes, shardings.emplace_back()))
      return false;
  } while (s_.accept(','));
  return s_.expect(']', "after shardings");
}

// The strings of {"a", "b"}, or of #sdy<manual_axes{"a", "b"}>.
bool BodyReader::read_quoted_list(std::string_view raw, std::vector<std::string> &names) {
  const Cursor back = s_.cursor();
  for (size_t quote = raw.find('"'); quote != std::string_view::npos;) {
    std::string_view name;
    s_.seek({raw.data() + quote, back.line, raw.data()});
    if (!s_.string(name))
      return false;
    names.push_back(unescape(name));
    quote = raw.find('"', static_cast<size_t>(s_.cursor().at - raw.data()));
  }
  s_.seek(back);
  return true;
}

// <"name">(%a, ..) in_shardings=[..] out_shardings=[..] manual_axes={"x"} (%arg1: T, ..) {, or
// (%a, ..) <{in_shardings = .., manual_axes = .., name = ".."}> ({ ^bb0(%arg1: T, ..):
bool BodyReader::read_inlined_head(OpText &op, Inlined &head) {
  std::string_view text;
  if (!op.generic && s_.accept('<')) {
    if (!s_.string(text) || !s_.expect('>', "after a computation's name"))
      return false;
    head.name = unescape(text);
  }
  if (!s_.expect('(', "before the operands") || !read_operands(op) || !s_.expect(')', "after the operands"))
    return false;
  if (!op.generic) {
    if ((s_.looking_at("in_shardings") && !read_sharding_list("in_shardings", head.in)) ||
        (s_.looking_at("out_shardings") && !read_sharding_list("out_shardings", head.out)))
      return false;
    if (s_.accept("manual_axes") &&
        (!s_.expect('=', "after manual_axes") || !s_.skip_term(text) || !read_quoted_list(text, head.manual)))
      return false;
    return (s_.peek() != '(' || read_block_arguments(head.arguments, false)) &&
           s_.expect('{', "before a body");
  }
  if (s_.accept('<') && !(parse_dict(s_, op.attrs) && s_.expect('>', "after properties")))
    return false;
  for (const AttrText &attr : op.attrs) {
    std::string_view raw = attr.raw;
    if (!c_.attributes.resolve(raw))
      return false;
    if (attr.name == "name")
      head.name = plain_text(raw);
    else if (attr.name == "manual_axes" && !read_quoted_list(raw, head.manual))
      return false;
    else if (attr.name == "in_shardings" &&
             !parse_sharding_attribute(s_, raw, c_.annotations.meshes, head.in))
      return false;
    else if (attr.name == "out_shardings" &&
             !parse_sharding_attribute(s_, raw, c_.annotations.meshes, head.out))
      return false;
  }
  op.attrs.clear();
  if (!s_.expect('(', "before a body") || !s_.expect('{', "before a body"))
    return false;
  if (!s_.accept('^'))
    return true;
  if (s_.suffix().empty())
    return s_.fail_here("the name of a block", {});
  return (s_.peek() != '(' || read_block_arguments(head.arguments, false)) &&
         s_.expect(':', "after the header of a block");
}

bool BodyReader::read_inlined_tail(OpText &op) {
  if (op.generic && !s_.expect(')', "after a body"))
    return false;
  return read_attr_dict(op) && read_types(op) && emitter_.check_operand_types(op);
}

// The form has done it all.
bool BodyReader::lower_inlined(OpText &) { return true; }

// A value of its own that stands for `v` and carries the sharding.
bool BodyReader::constrain(graph::ValueId &v, ShardingAnnotation sharding, const OpText &op) {
  const graph::LocId loc = c_.builder.location({op.line, op.column, op.loc.best()});
  const graph::OpCode code = *ops::find_op("stablehlo.optimization_barrier");
  c_.local.at(loc);
  const graph::TypeId type = c_.local.type(v);
  auto barrier = c_.local.differs(v) ? c_.local.add(code, {&v, 1}, {}, {&type, 1}, {})
                                     : ops::add(c_.builder, code, {&v, 1}, {}, {}, loc);
  if (!barrier)
    return s_.adopt(std::move(barrier.error()), op.at);
  v = c_.builder.graph().result(*barrier);
  return emitter_.annotate(Annotation::At::value, v, std::move(sharding), c_.type_of(v), op.at,
                           {s_.file(), op.line, op.column});
}

// sdy.named_computation<"name">(%a, ..) [in_shardings=[..]] [out_shardings=[..]] (%arg1: T, ..) { .. } : (T, ..) -> U
bool BodyReader::form_named_computation(OpText &op) {
  Inlined head;
  if (!read_inlined_head(op, head))
    return false;
  if (head.arguments.size() != op.operands.size() ||
      (!head.in.empty() && head.in.size() != head.arguments.size()))
    return s_.fail("TW-110", op.at,
                   fmt::format("{}: {} operands, {} arguments, {} shardings", op.name, op.operands.size(),
                               head.arguments.size(), head.in.size()));
  const std::vector<graph::ValueId> operands = op.operands;
  const size_t mark = scope_->mark();
  std::string outer = inner_prefix(op, {});
  prefix_.swap(outer);
  for (size_t i = 0; i < head.arguments.size(); ++i) {
    graph::ValueId v = operands[i];
    if (const graph::TypeId type = c_.local.type(v); type != head.arguments[i].type)
      return s_.fail("TW-110", head.arguments[i].at,
                     fmt::format("the argument %{} is {}, but operand {} is {}", head.arguments[i].name,
                                 graph::to_text(c_.builder.graph().type_at(head.arguments[i].type)), i,
                                 graph::to_text(c_.builder.graph().type_at(type))));
    const bool token = c_.type_of(v).dtype == graph::DType::token;
    if ((!head.in.empty() && !token && !constrain(v, std::move(head.in[i]), op)) ||
        !define(head.arguments[i].name, {&v, 1}, head.arguments[i].at))
      return false;
  }
  if (!read_block() || !s_.expect('}', "after a body"))
    return false;
  scope_->rewind(mark);
  prefix_.swap(outer);
  std::vector<graph::ValueId> results = yields_;
  if (!head.out.empty() && head.out.size() != results.size())
    return s_.fail(
        "TW-110", op.at,
        fmt::format("{}: {} values are returned for {} shardings", op.name, results.size(), head.out.size()));
  for (size_t i = 0; i < head.out.size(); ++i)
    if (c_.type_of(results[i]).dtype != graph::DType::token &&
        !constrain(results[i], std::move(head.out[i]), op))
      return false;
  return read_inlined_tail(op) && constrain_results(op, results) && bind_local(op, results);
}

} // namespace tw::import
