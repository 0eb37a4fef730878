// SPDX-License-Identifier: Apache-2.0
// tosa: elementwise ops that stretch dimensions of size 1, products, and other shapes.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/implied.hpp"
#include "import/local_code.hpp"
#include "ops/registry.hpp"

namespace tw::import::tosa_dialect {

using graph::TensorType;
using graph::ValueId;

namespace {

bool begin(Reader &r, const OpText &op, size_t least, size_t most) {
  if (op.operands.size() < least || op.operands.size() > most || op.result_types.size() != 1)
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} operands and {} results are not what it takes and gives", op.name,
                                op.operands.size(), op.result_types.size()));
  return r.emitter.check_operand_types(op);
}

TensorType result_type(Reader &r, const OpText &op) {
  return r.c.builder.graph().type_at(op.result_types[0]);
}

// Sizes 1 stretch to those of the result; both have its rank.
ValueId stretch(Implied &implied, ValueId v, const graph::Shape &to) {
  const graph::Shape dims = implied.type(v).dims;
  if (dims == to || dims.size() != to.size())
    return v;
  std::vector<int64_t> kept;
  graph::Shape small;
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d] == to[d]) {
      kept.push_back(static_cast<int64_t>(d));
      small.push_back(dims[d]);
    } else if (dims[d] != 1) {
      return v; // the op says what is wrong
    }
  return implied.broadcast(
      implied.add("stablehlo.reshape", {v}, {}, TensorType{implied.type(v).dtype, small}), kept, to);
}

constexpr std::pair<std::string_view, std::string_view> kElementwise[] = {
    {"tosa.add", "stablehlo.add"},         {"tosa.sigmoid", "stablehlo.logistic"},
    {"tosa.sub", "stablehlo.subtract"},    {"tosa.tanh", "stablehlo.tanh"},
    {"tosa.maximum", "stablehlo.maximum"}, {"tosa.minimum", "stablehlo.minimum"},
    {"tosa.negate", "stablehlo.negate"},   {"tosa.exp", "stablehlo.exponential"},
    {"tosa.abs", "stablehlo.abs"}};

bool lower_elementwise(Reader &r, OpText &op) {
  const auto *row =
      std::ranges::find(kElementwise, op.name, &std::pair<std::string_view, std::string_view>::first);
  const size_t operands = ops::op_def(*ops::find_op(row->second)).min_operands;
  if (!begin(r, op, operands, operands))
    return false;
  Implied implied(r.c, op);
  for (ValueId &v : op.operands)
    v = stretch(implied, v, result_type(r, op).dims);
  return bind_implied(r, op, implied, implied.add(row->second, op.operands));
}

// The shift of a product of whole numbers, an operand or an attribute, must be 0.
bool lower_mul(Reader &r, OpText &op) {
  if (!begin(r, op, 2, 3))
    return false;
  int64_t shift = 0;
  if (const AttrText *attr = op.find_attr("shift");
      attr != nullptr && !r.c.attributes.read_int(attr->raw, shift))
    return false;
  if (op.operands.size() == 3) {
    const auto known = fold_integers(r.c.builder.graph(), op.operands[2]);
    shift = known && known->size() == 1 ? (*known)[0] : -1;
    op.operands.pop_back();
  }
  if (shift != 0)
    return r.unsupported(op.at, "tosa.mul with a shift that is not the constant 0");
  Implied implied(r.c, op);
  for (ValueId &v : op.operands)
    v = stretch(implied, v, result_type(r, op).dims);
  return bind_implied(r, op, implied, implied.add("stablehlo.multiply", op.operands));
}

// Batches of matrices; zero points must be 0.
bool lower_matmul(Reader &r, OpText &op) {
  if (!begin(r, op, 2, 4))
    return false;
  for (size_t i = 2; i < op.operands.size(); ++i)
    if (const auto known = fold_integers(r.c.builder.graph(), op.operands[i]);
        graph::is_int(r.c.type_of(op.operands[i]).dtype) &&
        (!known || known->size() != 1 || (*known)[0] != 0))
      return r.unsupported(op.operand_at[i], "tosa.matmul with zero points");
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
bool form_reshape(Reader &r, OpText &op) {
  if (op.generic)
    return r.read_generic(op);
  if (!r.read_operands(op) || !r.read_attr_dict(op) || !r.s.expect(':', "before the type of an op"))
    return false;
  std::string_view skipped;
  if (r.s.accept('(')) {
    do {
      if (r.s.accept("!tosa.shape")) {
        if (!r.s.skip_term(skipped))
          return false;
        op.operand_types.push_back(r.c.local.type(op.operands.back()));
      } else if (!r.c.types.parse(op.operand_types.emplace_back())) {
        return false;
      }
    } while (r.s.accept(','));
    if (!r.s.expect(')', "after the operand types"))
      return false;
  } else if (!r.c.types.parse(op.operand_types.emplace_back())) {
    return false;
  }
  return r.s.expect("->", "between types") && r.c.types.parse(op.result_types.emplace_back());
}

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
    {"tosa.matmul", form_default, lower_matmul},         {"tosa.mul", form_default, lower_mul},
    {"tosa.reshape", form_reshape, lower_reshape, true}, {"tosa.transpose", form_default, lower_transpose},
};

const Syntax *find_elementwise(std::string_view name) {
  static constexpr Syntax kShared = {{}, form_default, lower_elementwise};
  return std::ranges::find(kElementwise, name, &std::pair<std::string_view, std::string_view>::first) !=
                 std::end(kElementwise)
             ? &kShared
             : nullptr;
}

} // namespace

Dialect dialect() { return {.syntax = kSyntax, .find_family = find_elementwise}; }

} // namespace tw::import::tosa_dialect
