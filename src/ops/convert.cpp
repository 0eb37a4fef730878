// SPDX-License-Identifier: Apache-2.0
// convert, reduce_precision and bitcast_convert: element types changed by value, by precision, by bits.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/elementwise.hpp"
#include "ops/expression.hpp"
#include "ops/linear.hpp"

namespace tw::ops::convert_ops {
namespace {

Result<std::vector<graph::TensorType>> infer_convert(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246",
                "the result type must be stated: the operand does not say it");
  const graph::TensorType &from = *op.operands[0], &to = *op.results[0];
  if (from.dims != to.dims)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 is {} but the result is {}: shapes differ", graph::to_short_text(from),
                            graph::to_short_text(to)));
  return std::vector<graph::TensorType>{to};
}

// Sums pass where every float has the same value in the wider type; rounding each summand is not rounding the
// sum.
bool convert_is_linear(const OpView &op, uint64_t partial, sharding::Reduction kind) {
  const DType from = op.operands[0]->dtype, to = op.results[0]->dtype;
  return graph::is_float(from) && (to == DType::f64 || (to == DType::f32 && from != DType::f64)) &&
         linear::sums<0b1>(op, partial, kind);
}

OpDef convert() {
  OpDef def{"stablehlo.convert", "Elements as another type, by value. Spec: convert.", 1, 1, 1, {},
            kElementwise};
  def.flags |= kCheap | kSourceOfSources;
  def.infer = infer_convert;
  def.rule = elementwise_rule;
  def.linear = convert_is_linear;
  return def;
}

Result<std::vector<graph::TensorType>> infer_reduce_precision(const OpView &op) {
  const int64_t e = op.integer(slot::reduce_precision::exponent_bits),
                m = op.integer(slot::reduce_precision::mantissa_bits);
  if (e < 1 || e > 32 || m < 0 || m > 64)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("exponent_bits is {} and mantissa_bits {}: at least one exponent bit, and no "
                            "more than a float has",
                            e, m));
  TW_ASSIGN(graph::TensorType type, infer_same_operands(op, kFloats));
  return std::vector<graph::TensorType>{std::move(type)};
}

OpDef reduce_precision() {
  OpDef def{"stablehlo.reduce_precision",
            "Rounded to fewer exponent and mantissa bits, type unchanged. Spec: reduce_precision.",
            1,
            1,
            1,
            {{"exponent_bits", AttrKind::integer, true, "exponent bits kept"},
             {"mantissa_bits", AttrKind::integer, true, "mantissa bits kept"}},
            kBatches};
  def.infer = infer_reduce_precision;
  def.rule = elementwise_rule;
  return def;
}

// A narrower type brings one more, minor dimension; a wider one takes it away.
Result<std::vector<graph::TensorType>> infer_bitcast(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246",
                "the result type must be stated: the operand does not say it");
  const graph::TensorType &from = *op.operands[0], &to = *op.results[0];
  const int wide = element_bits(from.dtype), narrow = element_bits(to.dtype);
  graph::Shape expected = from.dims;
  bool fits = wide > 0 && narrow > 0 && std::max(wide, narrow) % std::min(wide, narrow) == 0;
  if (fits && wide > narrow) {
    expected.push_back(wide / narrow);
  } else if (fits && wide < narrow) {
    fits = !expected.empty() && expected.back() == narrow / wide;
    if (fits)
      expected.pop_back();
  }
  if (!fits || to.dims != expected)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 is {}, {} bits an element, and cannot become {}, {} bits an element",
                            graph::to_short_text(from), wide, graph::to_short_text(to), narrow));
  return std::vector<graph::TensorType>{to};
}

Rule bitcast_rule(const OpView &op) {
  RuleBuilder rule(op);
  const graph::TensorType &from = *op.operands[0], &to = *op.results[0];
  const size_t shared = std::min(from.rank(), to.rank());
  for (size_t d = 0; d < shared; ++d) {
    const FactorId f = rule.pass(from.dims[d]);
    rule.in(0, d, f).out(0, d, f);
  }
  if (from.rank() > shared)
    rule.whole_in(0, shared, from.dims[shared]);
  if (to.rank() > shared)
    rule.whole_out(0, shared, to.dims[shared]);
  return rule.build();
}

OpDef bitcast_convert() {
  OpDef def{"stablehlo.bitcast_convert",
            "The same bits as elements of another type. Spec: bitcast_convert.",
            1,
            1,
            1,
            {},
            kRename};
  def.flags |= kOwnTypes | kBatches;
  def.infer = infer_bitcast;
  def.rule = bitcast_rule;
  def.cost = [](const OpView &) { return Cost{}; };
  return def;
}

Expression convert_scalar(const OpView &op) {
  ScalarBuilder b(op);
  return std::move(b).result(b.operand(0));
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {bitcast_convert(), convert(), reduce_precision()};
  static const std::vector<OpDef> expressed = with_scalars(defs, {{"stablehlo.convert", convert_scalar}});
  return expressed;
}

} // namespace tw::ops::convert_ops
