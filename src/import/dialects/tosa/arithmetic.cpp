// SPDX-License-Identifier: Apache-2.0
// tosa's ops that compute element by element, where dimensions of size 1 stretch, and that fold a dimension.
#include "import/dialects/tosa/ops.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "import/dialects/linalg/ops.hpp"
#include "import/local_code.hpp"
#include "ops/registry.hpp"

namespace tw::import::tosa {

using graph::TensorType;
using graph::ValueId;

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

bool check_zero_points(Reader &r, const OpText &op, size_t first) {
  for (size_t i = first; i < op.operands.size(); ++i)
    if (const auto known = fold_integers(r.c.builder.graph(), op.operands[i]);
        graph::is_int(r.c.type_of(op.operands[i]).dtype) &&
        (!known || known->size() != 1 || (*known)[0] != 0))
      return r.unsupported(op.operand_at[i], fmt::format("{} with zero points", op.name));
  return true;
}

namespace {

struct Row {
  std::string_view written, op;
};
constexpr Row kElementwise[] = {
    {"tosa.abs", "stablehlo.abs"},
    {"tosa.add", "stablehlo.add"},
    {"tosa.bitwise_and", "stablehlo.and"},
    {"tosa.bitwise_not", "stablehlo.not"},
    {"tosa.bitwise_or", "stablehlo.or"},
    {"tosa.bitwise_xor", "stablehlo.xor"},
    {"tosa.ceil", "stablehlo.ceil"},
    {"tosa.clz", "stablehlo.count_leading_zeros"},
    {"tosa.cos", "stablehlo.cosine"},
    {"tosa.erf", "chlo.erf"},
    {"tosa.exp", "stablehlo.exponential"},
    {"tosa.floor", "stablehlo.floor"},
    {"tosa.intdiv", "stablehlo.divide"},
    {"tosa.log", "stablehlo.log"},
    {"tosa.logical_and", "stablehlo.and"},
    {"tosa.logical_left_shift", "stablehlo.shift_left"},
    {"tosa.logical_not", "stablehlo.not"},
    {"tosa.logical_or", "stablehlo.or"},
    {"tosa.logical_right_shift", "stablehlo.shift_right_logical"},
    {"tosa.logical_xor", "stablehlo.xor"},
    {"tosa.maximum", "stablehlo.maximum"},
    {"tosa.minimum", "stablehlo.minimum"},
    {"tosa.negate", "stablehlo.negate"},
    {"tosa.pow", "stablehlo.power"},
    {"tosa.rsqrt", "stablehlo.rsqrt"},
    {"tosa.select", "stablehlo.select"},
    {"tosa.sigmoid", "stablehlo.logistic"},
    {"tosa.sin", "stablehlo.sine"},
    {"tosa.sub", "stablehlo.subtract"},
    {"tosa.tanh", "stablehlo.tanh"},
};
constexpr Row kCompared[] = {{"tosa.equal", "EQ"}, {"tosa.greater", "GT"}, {"tosa.greater_equal", "GE"}};
struct Fold {
  std::string_view written;
  sharding::Reduction kind;
};
constexpr Fold kFolds[] = {
    {"tosa.reduce_all", sharding::Reduction::land},  {"tosa.reduce_any", sharding::Reduction::lor},
    {"tosa.reduce_max", sharding::Reduction::max},   {"tosa.reduce_min", sharding::Reduction::min},
    {"tosa.reduce_prod", sharding::Reduction::prod}, {"tosa.reduce_product", sharding::Reduction::prod},
    {"tosa.reduce_sum", sharding::Reduction::sum}};

const Row *find(std::span<const Row> rows, std::string_view name) {
  const auto row = std::ranges::find(rows, name, &Row::written);
  return row == rows.end() ? nullptr : &*row;
}

// Maxima and minima may be asked to leave NaN out.
bool check_nan_mode(Reader &r, const OpText &op) {
  const AttrText *mode = op.find_attr("nan_mode");
  return mode == nullptr || mode->raw.find("IGNORE") == std::string_view::npos ||
         r.unsupported(mode->raw.data(), fmt::format("{} that leaves NaN out", op.name));
}

bool lower_elementwise(Reader &r, OpText &op) {
  const std::string_view made = find(kElementwise, op.name)->op;
  const auto operands = static_cast<size_t>(ops::op_def(*ops::find_op(made)).min_operands);
  const size_t zero_points = op.name == "tosa.negate" ? 2 : 0;
  if (!begin(r, op, operands, operands + zero_points) || !check_zero_points(r, op, operands) ||
      !check_nan_mode(r, op))
    return false;
  op.operands.resize(operands);
  Implied implied(r.c, op);
  for (ValueId &v : op.operands)
    v = stretch(implied, v, result_type(r, op).dims);
  return bind_implied(r, op, implied, implied.add(made, op.operands));
}

bool lower_compared(Reader &r, OpText &op) {
  if (!begin(r, op, 2, 2))
    return false;
  Implied implied(r.c, op);
  for (ValueId &v : op.operands)
    v = stretch(implied, v, result_type(r, op).dims);
  return bind_implied(r, op, implied,
                      implied.add("stablehlo.compare", op.operands,
                                  {{"comparison_direction", std::string(find(kCompared, op.name)->op)}}));
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

bool lower_reciprocal(Reader &r, OpText &op) {
  if (!begin(r, op, 1, 1))
    return false;
  Implied implied(r.c, op);
  const ValueId one = implied.number(result_type(r, op), 1);
  return bind_implied(r, op, implied, implied.add("stablehlo.divide", {one, op.operands[0]}));
}

// Floats become the nearest whole number, ties to even, within the type's bounds.
bool lower_cast(Reader &r, OpText &op) {
  if (!begin(r, op, 1, 1))
    return false;
  Implied implied(r.c, op);
  const graph::DType from = r.c.type_of(op.operands[0]).dtype, to = result_type(r, op).dtype;
  ValueId v = op.operands[0];
  if (graph::is_float(from) && graph::is_int(to))
    v = implied.add("stablehlo.round_nearest_even", {v});
  return bind_implied(r, op, implied, implied.convert(v, to));
}

// The folded dimension stays, with size 1.
bool lower_fold(Reader &r, OpText &op) {
  int64_t axis = 0;
  if (!begin(r, op, 1, 1) || !check_nan_mode(r, op) || !r.read_attr(op, "axis", axis))
    return false;
  ValueId v = op.operands[0];
  if (const size_t rank = r.c.type_of(v).rank(); axis < 0 || axis >= static_cast<int64_t>(rank))
    return r.s.fail("TW-105", op.at,
                    fmt::format("{}: axis is {}, and the operand has {} dimensions", op.name, axis, rank));
  Implied implied(r.c, op);
  return linalg::reduce(r, op, implied, std::ranges::find(kFolds, op.name, &Fold::written)->kind, {axis},
                        v) &&
         bind_implied(r, op, implied, implied.add("stablehlo.reshape", {v}, {}, result_type(r, op)));
}

bool lower_identity(Reader &r, OpText &op) {
  return begin(r, op, 1, 1) && bind_local(r, op, {op.operands.data(), 1});
}

} // namespace

const Syntax *find_arithmetic(std::string_view name) {
  static constexpr Syntax kShared = {{}, form_default, lower_elementwise},
                          kCompare = {{}, form_default, lower_compared},
                          kFolding = {{}, form_default, lower_fold};
  static constexpr Syntax kOwn[] = {{"tosa.cast", form_default, lower_cast},
                                    {"tosa.identity", form_default, lower_identity},
                                    {"tosa.mul", form_default, lower_mul},
                                    {"tosa.reciprocal", form_default, lower_reciprocal}};
  if (find(kElementwise, name) != nullptr)
    return &kShared;
  if (find(kCompared, name) != nullptr)
    return &kCompare;
  if (std::ranges::find(kFolds, name, &Fold::written) != std::end(kFolds))
    return &kFolding;
  const auto own = std::ranges::find(kOwn, name, &Syntax::name);
  return own == std::end(kOwn) ? nullptr : &*own;
}

} // namespace tw::import::tosa
