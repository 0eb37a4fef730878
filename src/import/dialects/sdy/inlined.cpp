// SPDX-License-Identifier: Apache-2.0
// Bodies that are read in place, in the pretty and in the generic form.
#include "import/dialects/sdy/ops.hpp"

#include "import/shardings.hpp"

namespace tw::import {

using annotation::ShardingAnnotation;

namespace {

// in_shardings=[<@mesh, [{"x"}]>, ..]
bool read_sharding_list(Reader &r, std::string_view name, std::vector<ShardingAnnotation> &shardings) {
  if (!r.s.expect(name, "before shardings") || !r.s.expect('=', "before shardings") ||
      !r.s.expect('[', "before shardings"))
    return false;
  if (r.s.accept(']'))
    return true;
  do {
    if (!parse_sharding(r.s, r.c.annotations.meshes, shardings.emplace_back()))
      return false;
  } while (r.s.accept(','));
  return r.s.expect(']', "after shardings");
}

// What the attributes of the generic form say.
bool read_attributes(Reader &r, OpText &op, Inlined &head) {
  for (const AttrText &attr : op.attrs) {
    std::string_view raw = attr.raw;
    if (!r.c.attributes.resolve(raw))
      return false;
    if (attr.name == "name")
      head.name = plain_text(raw);
    else if (attr.name == "manual_axes" && !read_names(r.s, raw, head.manual))
      return false;
    else if (attr.name == "in_shardings" &&
             !parse_sharding_attribute(r.s, raw, r.c.annotations.meshes, head.in))
      return false;
    else if (attr.name == "out_shardings" &&
             !parse_sharding_attribute(r.s, raw, r.c.annotations.meshes, head.out))
      return false;
  }
  op.attrs.clear();
  return true;
}

} // namespace

// <"name">(%a, ..) in_shardings=[..] out_shardings=[..] manual_axes={"x"} (%arg1: T, ..) {, or
// (%a, ..) <{in_shardings = .., manual_axes = .., name = ".."}> ({ ^bb0(%arg1: T, ..):
bool read_inlined_head(Reader &r, OpText &op, Inlined &head) {
  if (op.record != nullptr)
    return read_attributes(r, op, head) && r.begin_region(op, head.arguments);
  std::string_view text;
  if (!op.generic && r.s.accept('<')) {
    if (!r.s.string(text) || !r.s.expect('>', "after a computation's name"))
      return false;
    head.name = unescape_name(text);
  }
  if (!r.s.expect('(', "before the operands") || !r.read_operands(op) ||
      !r.s.expect(')', "after the operands"))
    return false;
  if (!op.generic) {
    if ((r.s.looking_at("in_shardings") && !read_sharding_list(r, "in_shardings", head.in)) ||
        (r.s.looking_at("out_shardings") && !read_sharding_list(r, "out_shardings", head.out)))
      return false;
    if (r.s.accept("manual_axes") && (!r.s.expect('=', "after manual_axes") || !r.s.skip_term(text) ||
                                      !read_names(r.s, text, head.manual)))
      return false;
    return (r.s.peek() != '(' || r.read_block_arguments(head.arguments, false)) &&
           r.s.expect('{', "before a body");
  }
  if (r.s.accept('<') && !(parse_dict(r.s, op.attrs) && r.s.expect('>', "after properties")))
    return false;
  if (!read_attributes(r, op, head))
    return false;
  if (!r.s.expect('(', "before a body") || !r.s.expect('{', "before a body"))
    return false;
  if (!r.s.accept('^'))
    return true;
  if (r.s.suffix().empty())
    return r.s.fail_here("the name of a block", {});
  return (r.s.peek() != '(' || r.read_block_arguments(head.arguments, false)) &&
         r.s.expect(':', "after the header of a block");
}

bool read_inlined_tail(Reader &r, OpText &op) {
  if (op.record != nullptr)
    return r.emitter.check_operand_types(op);
  if (op.generic && !r.s.expect(')', "after a body"))
    return false;
  return r.read_attr_dict(op) && r.read_types(op) && r.emitter.check_operand_types(op);
}

// The form has done it all.
bool lower_inlined(Reader &, OpText &) { return true; }

} // namespace tw::import
