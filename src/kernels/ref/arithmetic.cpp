// SPDX-License-Identifier: Apache-2.0
// Arithmetic on elements, as it is done on the host.
#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/scalar.hpp"

namespace tw::kernels::ref::arithmetic_reference {
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

} // namespace

References references() {
  static const Reference all[] = {
      unary<Abs>("stablehlo.abs"),
      binary<scalar::Add>("stablehlo.add"),
      binary<Divide>("stablehlo.divide"),
      binary<scalar::Maximum>("stablehlo.maximum"),
      binary<scalar::Minimum>("stablehlo.minimum"),
      binary<scalar::Multiply>("stablehlo.multiply"),
      unary<Negate>("stablehlo.negate"),
      binary<Remainder>("stablehlo.remainder"),
      unary<Sign>("stablehlo.sign"),
      binary<Subtract>("stablehlo.subtract"),
  };
  return all;
}

} // namespace tw::kernels::ref::arithmetic_reference
