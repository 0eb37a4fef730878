// SPDX-License-Identifier: Apache-2.0
// What each op becomes: mostly itself, else another op, a value that is there already, or nothing.
#include <algorithm>

#include <fmt/format.h>

#include "import/body.hpp"
#include "ops/registry.hpp"

namespace tw::import {
namespace {

// Spellings of one op by different dialects and ages.
struct Alias {
  std::string_view written, name;
};
constexpr Alias kAliases[] = {
    {"arith.constant", "stablehlo.constant"},
    {"call", "func.call"},
    {"return", "func.return"},
    {"sdy.constant", "stablehlo.constant"},
    {"sdy.reshard", "sdy.sharding_constraint"},
    {"sdy.return", "func.return"},
    {"stablehlo.return", "func.return"},
};

// custom_calls that mark a value and compute nothing.
constexpr std::string_view kMarkers[] = {"tt.mark_argument", "tt.sharding_constraint"};
// custom_calls that switch between the whole program's and one device's view.
constexpr std::string_view kManual[] = {"SPMDFullToShardShape", "SPMDShardToFullShape"};

template <class List> bool contains(const List &list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// Ops with a shape as last operand, and what they are where the result's shape is static.
constexpr Alias kStatic[] = {
    {"stablehlo.dynamic_broadcast_in_dim", "stablehlo.broadcast_in_dim"},
    {"stablehlo.dynamic_iota", "stablehlo.iota"},
    {"stablehlo.dynamic_reshape", "stablehlo.reshape"},
};

constexpr graph::OpCode kNoCode = static_cast<graph::OpCode>(-1);

} // namespace

std::span<const BodyReader::Syntax> BodyReader::syntax() {
  using B = BodyReader;
  static constexpr Syntax kSyntax[] = {
      {"check.expect_almost_eq_const", &B::form_expect_const, &B::lower_expect_const},
      {"check.expect_eq_const", &B::form_expect_const, &B::lower_expect_const},
      {"func.call", &B::form_call, &B::lower_call},
      {"func.return", &B::form_return, &B::lower_return},
      {"sdy.propagation_barrier", &B::form_default, &B::lower_identity},
      {"sdy.sharding_constraint", &B::form_sharding_constraint, &B::lower_sharding_constraint},
      {"sdy.sharding_group", &B::form_default, &B::lower_nothing},
      {"stablehlo.compare", &B::form_compare, &B::lower_op},
      {"stablehlo.composite", &B::form_composite, &B::lower_composite},
      {"stablehlo.constant", &B::form_constant, &B::lower_op},
      {"stablehlo.convolution", &B::form_convolution, &B::lower_convolution},
      {"stablehlo.custom_call", &B::form_custom_call, &B::lower_custom_call},
      {"stablehlo.dot", &B::form_default, &B::lower_dot},
      {"stablehlo.dynamic_broadcast_in_dim", &B::form_default, &B::lower_static},
      {"stablehlo.dynamic_iota", &B::form_default, &B::lower_static},
      {"stablehlo.dynamic_reshape", &B::form_default, &B::lower_static},
      {"stablehlo.reduce", &B::form_reduce, &B::lower_op},
      {"stablehlo.slice", &B::form_slice, &B::lower_op},
      {"stablehlo.while", &B::form_while, &B::lower_op},
  };
  return kSyntax;
}

BodyReader::Kind BodyReader::resolve(std::string_view written) {
  std::string name(written);
  if (written.starts_with("mhlo."))
    name = fmt::format("stablehlo.{}", written.substr(5));
  for (const Alias &alias : kAliases)
    if (alias.written == name)
      name = alias.name;
  Kind kind{{}, kNoCode, false, &BodyReader::form_default, &BodyReader::lower_op};
  if (const auto code = ops::find_op(name); code && name != "func.argument" && name != "func.result") {
    kind.code = *code;
    kind.registered = true;
    kind.name = ops::op_def(*code).name;
  }
  for (const Syntax &row : syntax())
    if (row.name == name) {
      kind.form = row.form;
      kind.lower = row.lower;
      // Ops that become something else need no entry of their own.
      if (row.lower != &BodyReader::lower_op && row.lower != &BodyReader::lower_custom_call)
        kind.name = row.name;
    }
  return kind;
}

bool BodyReader::emit(OpText &op) {
  graph::OpId id = 0;
  if (!emitter_.add(op, id))
    return false;
  const uint32_t count = c_.builder.graph().op(id).num_results;
  if (op.results.empty())
    return true;
  if (op.results.size() == 1 && count == 1 && op.results[0].count == 1) { // nearly always
    const graph::ValueId value = c_.builder.graph().result(id);
    name_value(value, op.results[0].name, 0, 1);
    return define(op.results[0].name, {&value, 1}, op.results[0].at);
  }
  std::vector<graph::ValueId> values(count);
  for (uint32_t i = 0; i < count; ++i)
    values[i] = c_.builder.graph().result(id, i);
  if (!bind_results(op, values))
    return false;
  uint32_t next = 0;
  for (const OpText::Result &result : op.results)
    for (uint32_t i = 0; i < result.count; ++i)
      name_value(values[next++], result.name, i, result.count);
  return true;
}

bool BodyReader::lower_op(OpText &op) { return emit(op); }

bool BodyReader::lower_return(OpText &op) {
  if (!emitter_.check_operand_types(op) || !bind_results(op, {}))
    return false;
  yields_ = op.operands;
  yields_at_ = op.operand_at;
  ended_ = true;
  return true;
}

// The results are the operands.
bool BodyReader::pass_through(OpText &op) {
  return emitter_.check_operand_types(op) &&
         (op.result_types == op.operand_types ||
          s_.fail("TW-110", op.at, fmt::format("{}: operand and result types differ", op.name))) &&
         bind_results(op, op.operands);
}

bool BodyReader::lower_identity(OpText &op) {
  c_.notes.add(Note::Kind::ignored, op.name, op.at);
  return pass_through(op);
}

bool BodyReader::lower_nothing(OpText &op) {
  c_.notes.add(Note::Kind::ignored, op.name, op.at);
  return true;
}

// A constraint is a value of its own, so that it holds where it was written and nowhere else.
bool BodyReader::lower_sharding_constraint(OpText &op) {
  AttrText sharding;
  for (const AttrText &attr : op.attrs)
    if (attr.name == "sharding")
      sharding = {"sdy.sharding", attr.raw, nullptr};
    else if (Emitter::is_sharding(attr.name))
      sharding = attr;
  if (sharding.raw.empty())
    return s_.fail("TW-107", op.at, fmt::format("{}: the attribute sharding is missing", op.name));
  op.attrs.assign(1, sharding);
  op.name = "stablehlo.optimization_barrier";
  op.code = *ops::find_op(op.name);
  return emit(op);
}

bool BodyReader::lower_custom_call(OpText &op) {
  const AttrText *attr = op.find_attr("call_target_name");
  if (!attr || attr->raw.empty())
    return s_.fail("TW-105", op.at, "stablehlo.custom_call: the attribute call_target_name is missing");
  const std::string target = plain_text(attr->raw);
  if (target == "Sharding")
    return lower_sharding_constraint(op);
  if (contains(kManual, target))
    return fail_unknown(attr->raw, attr->raw.data());
  if (contains(kMarkers, target)) {
    c_.notes.add(Note::Kind::ignored, fmt::format("custom_call @{}: its operand stands for it", target),
                 op.at);
    return pass_through(op);
  }
  // Some ops come as calls: check.expect_close, chlo's functions.
  if (const auto code = ops::find_op(target); code && *code != op.code) {
    op.code = *code;
    op.name = ops::op_def(*code).name;
    std::erase_if(op.attrs, [](const AttrText &a) {
      return a.name == "call_target_name" || a.name == "has_side_effect" || a.name == "api_version" ||
             a.name == "backend_config";
    });
    return emit(op);
  }
  c_.notes.add(Note::Kind::opaque, fmt::format("custom_call @{}: its rule and kernel are not known", target),
               op.at);
  return emit(op);
}

// check.expect_eq_const %x, dense<..> is check.expect_eq of %x and a constant.
bool BodyReader::lower_expect_const(OpText &op) {
  const std::string_view name = op.name.substr(0, op.name.size() - std::string_view("_const").size());
  const AttrText *value = op.find_attr("value");
  if (!value || op.operand_types.size() != 1 || op.operands.size() != 1)
    return s_.fail("TW-105", op.at, fmt::format("{} takes one operand and a value", op.name));
  OpText literal;
  literal.name = "stablehlo.constant";
  literal.code = *ops::find_op(literal.name);
  literal.at = op.at;
  literal.line = op.line;
  literal.column = op.column;
  literal.attrs.push_back(*value);
  literal.result_types = op.operand_types;
  graph::OpId id = 0;
  if (!emitter_.add(literal, id))
    return false;
  op.operands.push_back(c_.builder.graph().result(id));
  op.operand_at.push_back(value->raw.data());
  op.operand_types.push_back(op.operand_types[0]);
  std::erase_if(op.attrs, [](const AttrText &a) { return a.name == "value"; });
  op.code = *ops::find_op(name);
  op.name = ops::op_def(op.code).name;
  return emit(op);
}

// The result's type is static here, so the operand that gives its shape says nothing new.
bool BodyReader::lower_static(OpText &op) {
  if (!emitter_.check_operand_types(op))
    return false;
  if (op.operands.empty() || op.result_types.size() != 1)
    return s_.fail("TW-110", op.at,
                   fmt::format("{}: expected a shape as last operand and one result", op.name));
  op.operands.pop_back();
  op.operand_types.pop_back();
  for (const Alias &form : kStatic)
    if (form.written == op.name)
      op.code = *ops::find_op(form.name);
  op.name = ops::op_def(op.code).name;
  return emit(op);
}

// The deprecated dot contracts the last dimension of its left operand with the first of its right one.
bool BodyReader::lower_dot(OpText &op) {
  if (op.operands.size() != 2)
    return s_.fail("TW-110", op.at,
                   fmt::format("stablehlo.dot takes 2 operands, has {}", op.operands.size()));
  const auto rank = static_cast<int64_t>(c_.builder.type_of(op.operands[0]).rank());
  op.lists[0].assign(1, rank - 1);
  op.lists[1].assign(1, 0);
  op.attrs.push_back({"lhs_contracting_dimensions", std::string_view(op.at, 0), &op.lists[0]});
  op.attrs.push_back({"rhs_contracting_dimensions", std::string_view(op.at, 0), &op.lists[1]});
  op.name = "stablehlo.dot_general";
  op.code = *ops::find_op(op.name);
  return emit(op);
}

} // namespace tw::import
