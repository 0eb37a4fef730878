// SPDX-License-Identifier: Apache-2.0
// Arithmetic on elements: add, subtract, multiply, divide, remainder, maximum, minimum, negate, abs, sign.
#include "ops/elementwise.hpp"
#include "ops/linear.hpp"
#include "ops/scalar.hpp"

namespace tw::ops::arithmetic_ops {
namespace {

struct Subtract {
  static constexpr TypeSet takes = kNumbers;
  template <class V> static V apply(V a, V b) {
    if constexpr (is_int_value<V>)
      return static_cast<V>(widen(a) - widen(b));
    else
      return a - b;
  }
};

// Division by zero gives all ones, and the least integer by -1 itself, as on the machines that XLA runs on.
struct Divide {
  static constexpr TypeSet takes = kNumbers;
  template <class V> static V apply(V a, V b) {
    if constexpr (is_int_value<V>) {
      if (b == 0)
        return static_cast<V>(~Wide<V>(0));
      if constexpr (std::is_signed_v<V>)
        if (b == -1)
          return static_cast<V>(Wide<V>(0) - widen(a));
      return static_cast<V>(a / b);
    } else {
      return a / b;
    }
  }
};

// The remainder has the dividend's sign; a remainder by zero is the dividend.
struct Remainder {
  static constexpr TypeSet takes = kFloats | kInts;
  template <class V> static V apply(V a, V b) {
    if constexpr (is_int_value<V>) {
      if (b == 0)
        return a;
      if constexpr (std::is_signed_v<V>)
        if (b == -1)
          return V(0);
      return static_cast<V>(a % b);
    } else {
      return std::fmod(a, b);
    }
  }
};

struct Negate {
  static constexpr TypeSet takes = kNumbers;
  template <class V> static V apply(V x) {
    if constexpr (is_int_value<V>)
      return static_cast<V>(Wide<V>(0) - widen(x));
    else
      return -x;
  }
};

struct Abs {
  static constexpr TypeSet takes = kFloats | kSignedInts | kComplex;
  template <class E>
  using Result = Element<E::dtype == DType::c64    ? DType::f32
                         : E::dtype == DType::c128 ? DType::f64
                                                   : E::dtype>;
  template <class V> static auto apply(V x) {
    if constexpr (is_int_value<V>)
      return static_cast<V>(x < 0 ? Wide<V>(0) - widen(x) : widen(x));
    else if constexpr (is_complex_value<V>)
      return std::hypot(x.real(), x.imag());
    else
      return std::fabs(x);
  }
};

struct Sign {
  static constexpr TypeSet takes = kFloats | kSignedInts | kComplex;
  template <class V> static V apply(V x) {
    if constexpr (is_complex_value<V>) {
      const auto magnitude = std::hypot(x.real(), x.imag());
      return magnitude == 0 ? V(0) : x / magnitude;
    } else if constexpr (is_int_value<V>) {
      return static_cast<V>((x > 0) - (x < 0));
    } else {
      return x > 0 ? V(1) : x < 0 ? V(-1) : x; // keeps zeros and NaN
    }
  }
};

// Quotients of integers are cut, which no sum survives; complex ones by zero are not what their parts add up
// to.
bool divide_is_linear(const OpView &op, uint64_t partial, sharding::Reduction kind) {
  return graph::is_float(op.operands[0]->dtype) && linear::sums<0b01>(op, partial, kind);
}

// Sums of partial factors' products are no products of sums; products of products are.
bool multiply_is_linear(const OpView &op, uint64_t partial, sharding::Reduction kind) {
  return linear::product(op, partial, kind) || linear::combines<sharding::Reduction::prod>(op, partial, kind);
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {
      unary<Abs>("stablehlo.abs", "Absolute value, of a complex number its magnitude. Spec: abs.", kCheap),
      linear::with(binary<scalar::Add>("stablehlo.add", "Sum of two arrays; booleans by or. Spec: add.",
                                       kCommutative | kCheap),
                   linear::sums<0b11>),
      linear::with(binary<Divide>("stablehlo.divide",
                                  "Quotient of two arrays; of integers cut towards zero. Spec: divide."),
                   divide_is_linear),
      linear::with(binary<scalar::Maximum>("stablehlo.maximum",
                                           "The larger element; NaN wins. Spec: maximum.",
                                           kCommutative | kCheap | kChooses),
                   linear::combines<sharding::Reduction::max>),
      linear::with(binary<scalar::Minimum>("stablehlo.minimum",
                                           "The smaller element; NaN wins. Spec: minimum.",
                                           kCommutative | kCheap | kChooses),
                   linear::combines<sharding::Reduction::min>),
      linear::with(binary<scalar::Multiply>("stablehlo.multiply",
                                            "Product of two arrays; booleans by and. Spec: multiply.",
                                            kCommutative | kCheap),
                   multiply_is_linear),
      linear::with(unary<Negate>("stablehlo.negate", "Negation; integers wrap. Spec: negate.", kCheap),
                   linear::sums<0b1>),
      binary<Remainder>("stablehlo.remainder",
                        "Remainder of a division, with the dividend's sign. Spec: remainder."),
      unary<Sign>("stablehlo.sign", "-1, 0 or 1 by sign; of a complex number its direction. Spec: sign.",
                  kCheap),
      linear::with(
          binary<Subtract>("stablehlo.subtract", "Difference of two arrays. Spec: subtract.", kCheap),
          linear::sums<0b11>),
  };
  return defs;
}

} // namespace tw::ops::arithmetic_ops
