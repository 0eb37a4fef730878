// SPDX-License-Identifier: Apache-2.0
// compare: EQ, NE, GE, GT, LE or LT of elements, by value or by total order of floats.
#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/elementwise.hpp"
#include "ops/scalar.hpp"

namespace tw::ops::compare_ops {
namespace {

struct Equal {
  template <class V> static bool holds(V a, V b) { return a == b; }
};
struct NotEqual {
  template <class V> static bool holds(V a, V b) { return a != b; }
};
struct GreaterEqual {
  template <class V> static bool holds(V a, V b) { return a >= b; }
};
struct Greater {
  template <class V> static bool holds(V a, V b) { return a > b; }
};
struct LessEqual {
  template <class V> static bool holds(V a, V b) { return a <= b; }
};
struct Less {
  template <class V> static bool holds(V a, V b) { return a < b; }
};

template <class How> struct ByValue {
  static constexpr TypeSet takes = kAll;
  template <class E> using Result = Element<DType::i1>;
  template <class V> static bool apply(V a, V b) {
    if constexpr (!is_complex_value<V> || std::is_same_v<How, Equal> || std::is_same_v<How, NotEqual>)
      return How::holds(a, b);
    else // ordered by real, then imaginary part; infer refuses it, so only EQ and NE are ever asked
      return a.real() == b.real() ? How::holds(a.imag(), b.imag()) : How::holds(a.real(), b.real());
  }
};

template <class How> struct ByTotalOrder {
  static constexpr TypeSet takes = kFloats;
  template <class E> using Result = Element<DType::i1>;
  template <class V> static bool apply(V a, V b) {
    return How::holds(scalar::total_order(a), scalar::total_order(b));
  }
};

template <template <class> class Order> BlockFn block_in_order(std::string_view direction, DType dtype) {
  using elementwise::block_for;
  if (direction == "EQ")
    return block_for<Order<Equal>, 2>(dtype);
  if (direction == "NE")
    return block_for<Order<NotEqual>, 2>(dtype);
  if (direction == "GE")
    return block_for<Order<GreaterEqual>, 2>(dtype);
  if (direction == "GT")
    return block_for<Order<Greater>, 2>(dtype);
  if (direction == "LE")
    return block_for<Order<LessEqual>, 2>(dtype);
  return direction == "LT" ? block_for<Order<Less>, 2>(dtype) : nullptr;
}

BlockFn block(const OpView &op) {
  const std::string_view direction = op.string(slot::compare::comparison_direction);
  const DType dtype = op.operands[0]->dtype;
  if (op.string(slot::compare::compare_type) == "TOTALORDER" && graph::is_float(dtype))
    return block_in_order<ByTotalOrder>(direction, dtype);
  return block_in_order<ByValue>(direction, dtype);
}

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
  def.reference = [](const KernelArgs &args) { return run_block(args, block(args.op)); };
  def.block = block;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {compare()};
  return defs;
}

} // namespace tw::ops::compare_ops
