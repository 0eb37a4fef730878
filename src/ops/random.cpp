// SPDX-License-Identifier: Apache-2.0
// rng and rng_bit_generator: random numbers as a function of where in the whole array they stand, so that a
// tile holds the same numbers as that part of the unpartitioned array.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/op_def.hpp"
#include "ops/random_draw.hpp"

namespace tw::ops::random_ops {
namespace {

// --- rng_bit_generator ---

bool is_threefry(const OpView &op) {
  return op.string(slot::rng_bit_generator::rng_algorithm) == "THREE_FRY";
}

Result<std::vector<graph::TensorType>> infer_bits(const OpView &op) {
  const graph::TensorType &state = *op.operands[0];
  const std::string_view algorithm = op.string(slot::rng_bit_generator::rng_algorithm);
  if (algorithm != "DEFAULT" && algorithm != "THREE_FRY" && algorithm != "PHILOX")
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("rng_algorithm is `{}`, expected DEFAULT, THREE_FRY or PHILOX", algorithm));
  const bool fits = state.rank() == 1 && state.dtype == DType::u64 &&
                    (state.dims[0] == 2 || (state.dims[0] == 3 && !is_threefry(op)));
  if (!fits)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0, the state of {}, is {}: expected ui64[2]{}", algorithm,
                            graph::to_short_text(state), is_threefry(op) ? "" : " or ui64[3]"));
  if (op.results.size() != 2)
    return fail(Code::invalid_argument, "TW-246",
                "the result types must be stated: the operands do not say what is wanted");
  const graph::TensorType &out = *op.results[1];
  if (!(kInts | kFloats).has(out.dtype))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("does not give result 1 of element type {}", graph::name(out.dtype)));
  return std::vector<graph::TensorType>{state, out};
}

Rule bits_rule(const OpView &op) {
  RuleBuilder rule(op);
  const FactorId state = rule.whole(op.operands[0]->dims[0]);
  rule.in(0, 0, state).out(0, 0, state);
  for (size_t d = 0; d < op.results[1]->rank(); ++d)
    rule.out(1, d, rule.pass(op.results[1]->dims[d]));
  return rule.build();
}

OpDef rng_bit_generator() {
  OpDef def{
      "stablehlo.rng_bit_generator",
      "Random bits from a state, and the state after them. Spec: rng_bit_generator.",
      1,
      1,
      2,
      {{"rng_algorithm", AttrKind::string, true,
        "THREE_FRY or PHILOX; DEFAULT is PHILOX, as on XLA's CPUs and GPUs", AttrDims::none, "algorithm"}}};
  def.flags |= kOwnTypes;
  def.kind = OpKind::random_bits;
  def.infer = infer_bits;
  def.rule = bits_rule;
  def.mark_placed = [](const OpView &, const Rule &rule, std::vector<bool> &placed) {
    for (const auto &dims : rule.results)
      mark_all(dims, placed);
  };
  def.rule_text = "([n])->([n],[i,j]) n:whole";
  return def;
}

// --- rng ---

Result<std::vector<graph::TensorType>> infer_rng(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246",
                "the result type must be stated: the operands do not say it");
  const std::string_view distribution = op.string(slot::rng::rng_distribution);
  if (distribution != "UNIFORM" && distribution != "NORMAL")
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("rng_distribution is `{}`, expected UNIFORM or NORMAL", distribution));
  if (!(distribution == "NORMAL" ? kFloats : kFloats | kInts | kBool).has(op.results[0]->dtype))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("{} numbers of element type {} are not drawn", distribution,
                            graph::name(op.results[0]->dtype)));
  for (size_t v : {size_t(0), size_t(1)})
    if (op.operands[v]->rank() != 0 || op.operands[v]->dtype != op.results[0]->dtype)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand {} is {}: expected a scalar {}", v,
                              graph::to_short_text(*op.operands[v]), graph::name(op.results[0]->dtype)));
  const graph::TensorType &shape = *op.operands[2];
  if (shape.rank() != 1 || !graph::is_int(shape.dtype) ||
      shape.dims[0] != static_cast<int64_t>(op.results[0]->rank()))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 2, the shape of {}, is {}: expected {} integers",
                            graph::to_short_text(*op.results[0]), graph::to_short_text(shape),
                            op.results[0]->rank()));
  return std::vector<graph::TensorType>{*op.results[0]};
}

// Every element is drawn on its own.
Rule rng_rule(const OpView &op) {
  RuleBuilder rule(op);
  rule.whole_in(2, 0, op.operands[2]->dims[0]);
  for (size_t d = 0; d < op.results[0]->rank(); ++d)
    rule.out(0, d, rule.pass(op.results[0]->dims[d]));
  return rule.build();
}

OpDef rng() {
  OpDef def{
      "stablehlo.rng",
      "Random numbers from a hidden state: ours is the op's place in the program, so every run gives the "
      "same. Spec: rng.",
      3,
      3,
      1,
      {{"rng_distribution", AttrKind::string, true,
        "UNIFORM (operands: least, bound) or NORMAL (mean, deviation)", AttrDims::none, "distribution"},
       {"stream", AttrKind::integer, false, "which stream of numbers; the importer counts the ops"}}};
  def.flags |= kOwnTypes;
  def.kind = OpKind::random_numbers;
  def.infer = infer_rng;
  def.rule = rng_rule;
  def.mark_placed = [](const OpView &, const Rule &rule, std::vector<bool> &placed) {
    mark_all(rule.results[0], placed);
  };
  def.rule_text = "([],[],[n])->([i,j]) n:whole";
  return def;
}

// The functions of the normal distribution, of f64.
constexpr ScalarFunction kLog{"stablehlo.log", "log", 1, 1}, kCosine{"stablehlo.cosine", "cos", 2, 2};

// In [0, 1), 53 random bits.
Scalar fraction_of(ScalarBuilder &b, uint32_t word) {
  const Scalar bits = b.operand(word);
  return convert(b.make(ScalarOp::shift_right_logical, DType::u64, {bits, like(bits, 11)}), DType::f64) *
         b.literal(DType::f64, 0x1p-53);
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {rng(), rng_bit_generator()};
  return defs;
}

} // namespace tw::ops::random_ops

namespace tw::ops {

// As `draw` does.
Expression drawn_number(DType dtype, bool normal) {
  using namespace random_ops;
  ScalarBuilder b({dtype, dtype, DType::u64, DType::u64}, dtype);
  const Scalar first = b.wide(0), second = b.wide(1);
  if (dtype == DType::i1) {
    const Scalar bits = b.operand(2), odd = convert(bits & like(bits, 1), DType::i1);
    return std::move(b).result(select(equal(first, second), first, odd));
  }
  if (graph::is_int(dtype)) { // from the first up to, not including, the second
    const Scalar bits = b.operand(2), from = convert(first, DType::u64),
                 range = convert(second, DType::u64) - from;
    const Scalar drawn = b.make(ScalarOp::remainder, DType::u64, {bits, range});
    return std::move(b).result(from + select(less(first, second), drawn, like(drawn, 0)));
  }
  const Scalar x = convert(first, DType::f64), y = convert(second, DType::f64), part = fraction_of(b, 2);
  Scalar v = x + part * (y - x);
  if (normal) { // Box and Muller's; 1 - part is in (0, 1]
    const Scalar radius =
        one_of(ScalarOp::square_root, like(x, -2) * b.call(kLog, DType::f64, {like(x, 1) - part}));
    v = x + y * radius * b.call(kCosine, DType::f64, {like(x, 2 * M_PI) * fraction_of(b, 3)});
  }
  return std::move(b).result(convert(v, wide_type(dtype)));
}

} // namespace tw::ops
