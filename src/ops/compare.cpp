// SPDX-License-Identifier: Apache-2.0
// compare: EQ, NE, GE, GT, LE or LT of elements, by value or by total order of floats.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/elementwise.hpp"

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

} // namespace

OpFamily family() {
  static const OpDef defs[] = {compare()};
  return defs;
}

} // namespace tw::ops::compare_ops
