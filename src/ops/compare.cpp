// SPDX-License-Identifier: Apache-2.0
// compare: EQ, NE, GE, GT, LE or LT of elements, by value or by total order of floats.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/elementwise.hpp"
#include "ops/expression.hpp"

namespace tw::ops::compare_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  TW_ASSIGN(graph::TensorType type, infer_same_operands(op, kAll));
  const std::string_view direction = op.string(slot::compare::comparison_direction);
  constexpr std::string_view known[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  if (std::find(std::begin(known), std::end(known), direction) == std::end(known))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("comparison_direction is `{}`, expected EQ, NE, GE, GT, LE or LT", direction));
  if (graph::is_complex(type.dtype) && direction != "EQ" && direction != "NE")
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("complex operands compare by EQ or NE only, not {}", direction));
  constexpr std::string_view types[] = {"", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
  const std::string_view how = op.string(slot::compare::compare_type);
  if (std::find(std::begin(types), std::end(types), how) == std::end(types))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("compare_type is `{}`, expected FLOAT, TOTALORDER, SIGNED or UNSIGNED", how));
  type.dtype = DType::i1;
  return std::vector<graph::TensorType>{std::move(type)};
}

OpDef compare() {
  OpDef def{"stablehlo.compare",
            "Whether elements stand in the given relation. Spec: compare.",
            2,
            2,
            1,
            {{"comparison_direction", AttrKind::string, true, "EQ, NE, GE, GT, LE or LT"},
             {"compare_type", AttrKind::string, false,
              "FLOAT, TOTALORDER, SIGNED or UNSIGNED; follows from the operands if absent"}},
            kElementwise};
  def.flags |= kCheap | kChooses;
  def.kind = OpKind::compare;
  def.infer = infer;
  def.rule = elementwise_rule;
  return def;
}

// Unsigned integers in the order of the floats that they are the bits of: negative ones count down.
Scalar total_order_scalar(Scalar x) {
  const DType bits = x.dtype() == DType::f64 ? DType::u64 : DType::u32;
  const Scalar code = recast(x, bits), last = like(code, bits == DType::u64 ? 63 : 31);
  ScalarBuilder &b = x.builder();
  const Scalar sign = b.make(ScalarOp::shift_left, bits, {like(code, 1), last});
  return code ^ (b.make(ScalarOp::shift_right_arithmetic, bits, {code, last}) | sign);
}

Expression compare_scalar(const OpView &op) {
  ScalarBuilder b(op);
  Scalar x = b.wide(0), y = b.wide(1);
  if (op.string(slot::compare::compare_type) == "TOTALORDER" && graph::is_float(x.dtype())) {
    x = total_order_scalar(x);
    y = total_order_scalar(y);
  }
  const std::string_view direction = op.string(slot::compare::comparison_direction);
  const auto compared = [&](ScalarOp how, Scalar left, Scalar right) {
    return std::move(b).result(b.make(how, DType::i1, {left, right}));
  };
  if (direction == "EQ" || direction == "NE")
    return compared(direction == "EQ" ? ScalarOp::equal : ScalarOp::not_equal, x, y);
  const ScalarOp how = direction[1] == 'T' ? ScalarOp::less : ScalarOp::less_equal;
  return direction[0] == 'L' ? compared(how, x, y) : compared(how, y, x);
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {compare()};
  static const std::vector<OpDef> expressed = with_scalars(defs, {{"stablehlo.compare", compare_scalar}});
  return expressed;
}

} // namespace tw::ops::compare_ops
