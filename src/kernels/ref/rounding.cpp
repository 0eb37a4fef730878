// SPDX-License-Identifier: Apache-2.0
// Floats rounded to whole numbers, and finite ones told.
#include "kernels/ref/elementwise.hpp"

namespace tw::kernels::ref::rounding_reference {
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

References references() {
  static const Reference all[] = {
      unary<Ceil>("stablehlo.ceil"),
      unary<Floor>("stablehlo.floor"),
      unary<IsFinite>("stablehlo.is_finite"),
      unary<RoundAwayFromZero>("stablehlo.round_nearest_afz"),
      unary<RoundToEven>("stablehlo.round_nearest_even"),
  };
  return all;
}

} // namespace tw::kernels::ref::rounding_reference
