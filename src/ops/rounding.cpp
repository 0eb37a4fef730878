// SPDX-License-Identifier: Apache-2.0
// Rounding floats to whole numbers, and telling finite ones.
#include "ops/elementwise.hpp"

namespace tw::ops::rounding_ops {
namespace {

struct Ceil {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V x) { return std::ceil(x); }
};
struct Floor {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V x) { return std::floor(x); }
};
struct RoundAwayFromZero {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V x) { return std::round(x); }
};
struct RoundToEven {
  static constexpr TypeSet takes = kFloats;
  template <class V> static V apply(V x) { return std::nearbyint(x); }
};
struct IsFinite {
  static constexpr TypeSet takes = kFloats;
  template <class E> using Result = Element<DType::i1>;
  template <class V> static bool apply(V x) { return x - x == V(0); }
};

} // namespace

OpFamily family() {
  static const OpDef defs[] = {
      unary<Ceil>("stablehlo.ceil", "The least whole number not below. Spec: ceil."),
      unary<Floor>("stablehlo.floor", "The greatest whole number not above. Spec: floor."),
      unary<IsFinite>("stablehlo.is_finite", "Whether neither infinite nor NaN. Spec: is_finite."),
      unary<RoundAwayFromZero>("stablehlo.round_nearest_afz",
                               "Nearest whole number, ties away from zero. Spec: round_nearest_afz."),
      unary<RoundToEven>("stablehlo.round_nearest_even",
                         "Nearest whole number, ties to the even one. Spec: round_nearest_even."),
  };
  return defs;
}

} // namespace tw::ops::rounding_ops
