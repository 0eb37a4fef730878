// SPDX-License-Identifier: Apache-2.0
// Ops that are another op with fewer operands or older attributes, or nothing at all.
#include "import/dialects/stablehlo/ops.hpp"

#include <fmt/format.h>

#include "import/calls.hpp"
#include "ops/registry.hpp"

namespace tw::import {

namespace {

// Ops with a shape as last operand, and what they are where the result's shape is static.
constexpr Alias kStatic[] = {
    {"stablehlo.dynamic_broadcast_in_dim", "stablehlo.broadcast_in_dim"},
    {"stablehlo.dynamic_iota", "stablehlo.iota"},
    {"stablehlo.dynamic_reshape", "stablehlo.reshape"},
};

} // namespace

// Unless we know a composite by name, it is its decomposition.
bool lower_composite(Reader &r, OpText &op) {
  const AttrText *decomposition = op.find_attr("decomposition");
  if (!decomposition || decomposition->raw.empty())
    return r.s.fail("TW-105", op.at, "stablehlo.composite: the attribute decomposition is missing");
  if (const AttrText *name = op.find_attr("name"))
    r.c.notes.add(Note::Kind::ignored,
                  fmt::format("composite \"{}\": imported as its decomposition", plain_text(name->raw)),
                  op.at);
  return inline_function(r, op, decomposition->raw, decomposition->raw.data());
}

// The deprecated dot contracts the last dimension of its left operand with the first of its right one.
bool lower_dot(Reader &r, OpText &op) {
  if (op.operands.size() != 2)
    return r.s.fail("TW-110", op.at,
                    fmt::format("stablehlo.dot takes 2 operands, has {}", op.operands.size()));
  const auto rank = static_cast<int64_t>(r.c.type_of(op.operands[0]).rank());
  op.lists[0].assign(1, rank - 1);
  op.lists[1].assign(1, 0);
  op.attrs.push_back({"lhs_contracting_dimensions", std::string_view(op.at, 0), &op.lists[0]});
  op.attrs.push_back({"rhs_contracting_dimensions", std::string_view(op.at, 0), &op.lists[1]});
  op.name = "stablehlo.dot_general";
  op.code = *ops::find_op(op.name);
  return r.emit(op);
}

bool lower_identity(Reader &r, OpText &op) {
  r.c.notes.add(Note::Kind::ignored, op.name, op.at);
  return pass_through(r, op);
}

// Ops that draw from a hidden state draw from different streams.
bool lower_rng(Reader &r, OpText &op) {
  op.lists[0].assign(1, r.rngs++);
  if (op.find_attr("stream") == nullptr) // a program that we printed says which
    op.attrs.push_back({"stream", std::string_view(op.at, 0), &op.lists[0]});
  return r.emit(op);
}

// The result's type is static here, so the operand that gives its shape says nothing new.
bool lower_static(Reader &r, OpText &op) {
  if (!r.emitter.check_operand_types(op))
    return false;
  if (op.operands.empty() || op.result_types.size() != 1)
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: expected a shape as last operand and one result", op.name));
  op.operands.pop_back();
  op.operand_types.pop_back();
  for (const Alias &form : kStatic)
    if (form.written == op.name)
      op.code = *ops::find_op(form.name);
  op.name = ops::op_def(op.code).name;
  return r.emit(op);
}

bool lower_tuple(Reader &r, OpText &op) {
  if (op.tuple_results.size() != 1)
    return r.s.fail("TW-110", op.at, fmt::format("{} gives one tuple", op.name));
  return r.emitter.check_operand_types(op) && r.stand_for(op, op.operands);
}

bool lower_tuple_element(Reader &r, OpText &op) {
  int64_t index = 0;
  if (!r.emitter.check_operand_types(op) || !r.read_attr(op, "index", index))
    return false;
  if (op.tuple_operands.size() != 1)
    return r.s.fail("TW-110", op.at, fmt::format("{} takes one tuple", op.name));
  const auto elements = r.c.types.elements(op.tuple_operands[0]);
  if (index < 0 || index >= static_cast<int64_t>(elements.size()))
    return r.s.fail("TW-105", op.at,
                    fmt::format("{}: a tuple of {} has no element {}", op.name, elements.size(), index));
  const auto at = static_cast<size_t>(index);
  const size_t first = r.c.types.flat(elements.first(at)).size(),
               count = r.c.types.flat(elements.subspan(at, 1)).size();
  const auto begin = op.operands.begin() + static_cast<ptrdiff_t>(first);
  return r.stand_for(op, {begin, begin + static_cast<ptrdiff_t>(count)});
}

} // namespace tw::import
