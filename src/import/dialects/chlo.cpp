// SPDX-License-Identifier: Apache-2.0
// CHLO: functions that broadcast as NumPy does, and those with attributes of their own.
#include <optional>

#include <fmt/format.h>

#include "import/implied.hpp"
#include "import/reader.hpp"
#include "ops/registry.hpp"

namespace tw::import::chlo_dialect {

using graph::ValueId;

namespace {

// chlo.broadcast_add and its like: the shorter operand gets dimensions in front, or where
// broadcast_dimensions says, and sizes 1 stretch.
bool lower_broadcasting(Reader &r, OpText &op) {
  static constexpr std::string_view kPrefix = "chlo.broadcast_";
  const std::string_view name = op.name.substr(kPrefix.size());
  std::optional<graph::OpCode> code;
  for (const std::string_view dialect : {"stablehlo.", "chlo."})
    if (!code)
      code = ops::find_op(fmt::format("{}{}", dialect, name));
  if (!r.emitter.check_operand_types(op))
    return false;
  if (!code)
    return r.fail_unknown(op.name, op.at);
  graph::Shape to; // right-aligned, as NumPy does
  for (const ValueId v : op.operands) {
    const graph::Shape &dims = r.c.type_of(v).dims;
    if (dims.size() > to.size())
      to.insert(to.begin(), dims.size() - to.size(), 1);
    for (size_t d = 0; d < dims.size(); ++d)
      if (int64_t &n = to[to.size() - dims.size() + d]; n == 1)
        n = dims[d];
  }
  std::vector<int64_t> given;
  if (const AttrText *attr = op.find_attr("broadcast_dimensions");
      attr && !r.c.attributes.read_ints(attr->raw, given))
    return false;
  std::erase_if(op.attrs, [](const AttrText &a) { return a.name == "broadcast_dimensions"; });
  Implied implied(r.c, op);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const graph::TensorType type = r.c.type_of(op.operands[i]);
    const bool clamp_bound = name == "clamp" && i != 1 && type.rank() == 0;
    if (type.dims == to || clamp_bound)
      continue;
    const auto rank = static_cast<int64_t>(to.size()), own = static_cast<int64_t>(type.rank());
    const bool stated = static_cast<int64_t>(given.size()) == own && own < rank;
    op.operands[i] = implied.broadcast(op.operands[i], stated ? given : numbers(rank - own, rank), to);
    if (!implied.ok())
      return false;
    op.operand_types[i] = r.c.builder.graph().value(op.operands[i]).type;
  }
  op.code = *code;
  op.name = ops::op_def(op.code).name;
  return r.emit(op);
}

// chlo.constant_like: a number in the shape of an array.
bool lower_constant_like(Reader &r, OpText &op) {
  double value = 0;
  if (!r.emitter.check_operand_types(op) || !r.read_attr(op, "value", value))
    return false;
  if (op.operands.size() != 1)
    return r.s.fail("TW-110", op.at, fmt::format("{} takes 1 operand, has {}", op.name, op.operands.size()));
  Implied implied(r.c, op);
  const graph::TensorType type = r.c.type_of(op.operands[0]);
  const ValueId result = implied.number(type, value);
  return implied.ok() && r.stand_for(op, {result});
}

// MHLO's topk may ask for the least elements.
bool lower_top_k(Reader &r, OpText &op) {
  if (const AttrText *largest = op.find_attr("largest")) {
    int64_t value = 0;
    if (!r.c.attributes.read_int(largest->raw, value))
      return false;
    if (value == 0)
      return r.unsupported(
          op.at, fmt::format("{} with largest = false: negate its operand and its result", op.name));
    std::erase_if(op.attrs, [](const AttrText &a) { return a.name == "largest"; });
  }
  return r.emit(op);
}

constexpr Syntax kSyntax[] = {
    {"chlo.constant_like", form_default, lower_constant_like},
    {"chlo.top_k", form_default, lower_top_k},
};

constexpr Alias kAliases[] = {{"chlo.tan", "stablehlo.tan"}};

// chlo.broadcast_add and its like: the name says which op it is of.
const Syntax *find_broadcasting(std::string_view name) {
  static constexpr Syntax kBroadcasting = {{}, form_default, lower_broadcasting};
  return name.starts_with("chlo.broadcast_") ? &kBroadcasting : nullptr;
}

} // namespace

Dialect dialect() { return {.syntax = kSyntax, .aliases = kAliases, .find_family = find_broadcasting}; }

} // namespace tw::import::chlo_dialect
