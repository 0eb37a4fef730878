// SPDX-License-Identifier: Apache-2.0
// The scalar functions that also combine partial values of reductions. Their bits are commutative and, except
// for rounding sums and products, associative: a split maximum equals a whole one to the last bit.
#pragma once

#include "kernels/ref/references.hpp"
#include "ops/element.hpp"

namespace tw::kernels::ref::scalar {

struct Add {
  static constexpr TypeSet takes = kAll;
  template <class V> static V apply(V a, V b) {
    if constexpr (std::is_same_v<V, bool>)
      return a || b;
    else if constexpr (is_int_value<V>)
      return static_cast<V>(widen(a) + widen(b));
    else
      return a + b;
  }
};

struct Multiply {
  static constexpr TypeSet takes = kAll;
  template <class V> static V apply(V a, V b) {
    if constexpr (std::is_same_v<V, bool>)
      return a && b;
    else if constexpr (is_int_value<V>)
      return static_cast<V>(widen(a) * widen(b));
    else
      return a * b;
  }
};

// The unsigned integer of a float's width.
template <class V> using Bits = std::conditional_t<sizeof(V) == 4, uint32_t, uint64_t>;

// Floats as integers in total order: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN, the order of the bits as
// sign and magnitude.
template <class V> auto total_order(V v) {
  using Int = std::conditional_t<sizeof(V) == 4, int32_t, int64_t>;
  const Int bits = std::bit_cast<Int>(v);
  return bits < 0 ? static_cast<Int>(bits ^ std::numeric_limits<Int>::max()) : bits;
}

// Of two floats that are ordered, one twice or both zeros: their bits and-ed prefer +0, or-ed -0. NaN beside
// anything is one NaN, whatever its bits were, so that neither order nor number of operands matters.
struct Maximum {
  static constexpr TypeSet takes = kAll;
  template <class V> static V apply(V a, V b) {
    if constexpr (std::is_floating_point_v<V>) {
      const V larger = a > b ? a : b, same = b > a ? b : a;
      const V number = std::bit_cast<V>(std::bit_cast<Bits<V>>(larger) & std::bit_cast<Bits<V>>(same));
      return std::isunordered(a, b) ? std::numeric_limits<V>::quiet_NaN() : number;
    } else if constexpr (is_complex_value<V>) {
      return a.real() > b.real() || (a.real() == b.real() && a.imag() > b.imag()) ? a : b;
    } else {
      return a > b ? a : b;
    }
  }
};

struct Minimum {
  static constexpr TypeSet takes = kAll;
  template <class V> static V apply(V a, V b) {
    if constexpr (std::is_floating_point_v<V>) {
      const V smaller = a < b ? a : b, same = b < a ? b : a;
      const V number = std::bit_cast<V>(std::bit_cast<Bits<V>>(smaller) | std::bit_cast<Bits<V>>(same));
      return std::isunordered(a, b) ? std::numeric_limits<V>::quiet_NaN() : number;
    } else if constexpr (is_complex_value<V>) {
      return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag()) ? a : b;
    } else {
      return a < b ? a : b;
    }
  }
};

struct And {
  static constexpr TypeSet takes = kInts | kBool;
  template <class V> static V apply(V a, V b) { return static_cast<V>(a & b); }
};
struct Or {
  static constexpr TypeSet takes = kInts | kBool;
  template <class V> static V apply(V a, V b) { return static_cast<V>(a | b); }
};
struct Xor {
  static constexpr TypeSet takes = kInts | kBool;
  template <class V> static V apply(V a, V b) { return static_cast<V>(a ^ b); }
};

} // namespace tw::kernels::ref::scalar
