// SPDX-License-Identifier: Apache-2.0
// tosa: products of matrices, constants and bounds. What computes element by element stands in
// tosa/arithmetic.cpp, what moves elements in tosa/shapes.cpp.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/dialects/tosa/ops.hpp"
#include "import/local_code.hpp"
#include "ops/registry.hpp"

namespace tw::import::tosa_dialect {

using graph::TensorType;
using graph::ValueId;
using namespace tosa;

namespace {

// Batches of matrices; zero points must be 0.
bool lower_matmul(Reader &r, OpText &op) {
  if (!begin(r, op, 2, 4))
    return false;
  if (!check_zero_points(r, op, 2))
    return false;
  Implied implied(r.c, op);
  std::vector<ValueId> operands;
  for (size_t i = 0; i < 2; ++i)
    operands.push_back(implied.convert(op.operands[i], result_type(r, op).dtype));
  return bind_implied(r, op, implied,
                      implied.add("stablehlo.dot_general", operands,
                                  {{"lhs_batching_dimensions", std::vector<int64_t>{0}},
                                   {"rhs_batching_dimensions", std::vector<int64_t>{0}},
                                   {"lhs_contracting_dimensions", std::vector<int64_t>{2}},
                                   {"rhs_contracting_dimensions", std::vector<int64_t>{1}}}));
}

// tosa.const_shape: a shape is an array of whole numbers here.
bool form_const(Reader &r, OpText &op) {
  if (op.generic || r.s.peek() == '(')
    return r.read_generic(op);
  if (!r.read_attr_dict(op) || !r.s.expect(':', "before the type of a constant"))
    return false;
  if (r.s.accept('(') && (!r.s.expect(')', "after no operands") || !r.s.expect("->", "before a result")))
    return false;
  if (!r.s.accept("!tosa.shape"))
    return r.c.types.parse(op.result_types.emplace_back());
  std::string_view rank;
  return r.s.skip_term(rank);
}

bool lower_const(Reader &r, OpText &op) {
  const AttrText *value = op.find_attr("values");
  if (value == nullptr)
    value = op.find_attr("value");
  if (value == nullptr)
    return r.s.fail("TW-105", op.at, fmt::format("{}: its values are missing", op.name));
  AttrText literal = *value;
  literal.name = "value";
  op.attrs.assign(1, literal);
  op.name = "stablehlo.constant";
  op.code = *ops::find_op(op.name);
  return r.emit(op);
}

// Its shape, an operand or an attribute, is that of its result.
bool lower_reshape(Reader &r, OpText &op) {
  if (!begin(r, op, 1, 2))
    return false;
  Implied implied(r.c, op);
  return bind_implied(r, op, implied,
                      implied.add("stablehlo.reshape", {op.operands[0]}, {}, result_type(r, op)));
}

// perms is an attribute, or a constant operand in older texts.
bool lower_transpose(Reader &r, OpText &op) {
  std::vector<int64_t> permutation;
  if (!begin(r, op, 1, 2))
    return false;
  if (const AttrText *attr = op.find_attr("perms")) {
    if (!r.c.attributes.read_ints(attr->raw, permutation))
      return false;
  } else if (op.operands.size() == 2) {
    const auto known = fold_integers(r.c.builder.graph(), op.operands[1]);
    if (!known)
      return r.s.fail("TW-105", op.operand_at[1], "tosa.transpose: constants must decide its permutation");
    permutation = *known;
  } else {
    return r.s.fail("TW-105", op.at, "tosa.transpose: perms is missing");
  }
  Implied implied(r.c, op);
  return bind_implied(r, op, implied,
                      implied.add("stablehlo.transpose", {op.operands[0]}, {{"permutation", permutation}}));
}

// The attributes of either age: min_val and max_val, or min_fp, max_fp, min_int, max_int.
bool lower_clamp(Reader &r, OpText &op) {
  if (!begin(r, op, 1, 1))
    return false;
  const TensorType type = result_type(r, op);
  double bounds[2] = {};
  for (size_t i = 0; i < 2; ++i) {
    const std::string side = i == 0 ? "min" : "max";
    const std::string old_name = side + (graph::is_float(type.dtype) ? "_fp" : "_int");
    const bool has_old = op.find_attr(old_name) != nullptr;
    const std::string name = has_old ? old_name : side + "_val";
    int64_t whole = 0;
    if (graph::is_float(type.dtype) ? !r.read_attr(op, name, bounds[i]) : !r.read_attr(op, name, whole))
      return false;
    if (!graph::is_float(type.dtype))
      bounds[i] = static_cast<double>(whole);
  }
  Implied implied(r.c, op);
  const ValueId low = implied.number({type.dtype, {}}, bounds[0]),
                high = implied.number({type.dtype, {}}, bounds[1]);
  return bind_implied(r, op, implied, implied.add("stablehlo.clamp", {low, op.operands[0], high}));
}

constexpr Syntax kSyntax[] = {
    {"tosa.clamp", form_default, lower_clamp},           {"tosa.const", form_const, lower_const, true},
    {"tosa.const_shape", form_const, lower_const, true}, {"tosa.matmul", form_default, lower_matmul},
    {"tosa.reshape", form_shaped, lower_reshape, true},  {"tosa.transpose", form_default, lower_transpose},
};

const Syntax *find_op(std::string_view name) {
  const Syntax *row = find_arithmetic(name);
  return row != nullptr ? row : find_shape_op(name);
}

} // namespace

Dialect dialect() { return {.syntax = kSyntax, .find_family = find_op}; }

} // namespace tw::import::tosa_dialect
