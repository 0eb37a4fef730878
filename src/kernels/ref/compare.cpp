// SPDX-License-Identifier: Apache-2.0
// Relations between elements, by value or by the total order of floats.
#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/scalar.hpp"
#include "ops/attributes.hpp"

namespace tw::kernels::ref::compare_reference {
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

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.compare", nullptr, block},
  };
  return all;
}

} // namespace tw::kernels::ref::compare_reference
