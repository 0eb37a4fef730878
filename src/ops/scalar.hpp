// SPDX-License-Identifier: Apache-2.0
// The scalar functions that also combine partial values of reductions. Their bits are commutative and, except
// for rounding sums and products, associative: a split maximum equals a whole one to the last bit.
#pragma once

#include "ops/element.hpp"

namespace tw::ops::scalar {

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

// Floats as integers in total order: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN, the order of the bits as sign and magnitude.
template <class V> auto total_order(V v) {
  using Int = std::conditional_t<sizeof(V) == 4, int32_t, int64_t>;
  const Int bits = std::bit_cast<Int>(v);
  return bits < 0 ? static_cast<Int>(bits ^ std::numeric_limits<Int>::max()) : bits;
}

// What maximum and minimum make of operands one or both of which are NaN: that one, or the bits of both, or-ed. So NaN combine in any order,
// and with an identity, to the same bits.
template <class V> V either_nan(V a, V b) {
  const V both = std::bit_cast<V>(std::bit_cast<Bits<V>>(a) | std::bit_cast<Bits<V>>(b));
  const V first = b != b ? both : a;
  return a != a ? first : b;
}

// `number` is `apply` where no operand is NaN, for half the work.
struct Maximum {
  static constexpr TypeSet takes = kAll;
  template <class V>
  requires std::is_floating_point_v<V>
  static V number(V a, V b) {
    // Equal values differ at most in a zero's sign: and-ing the bits prefers +0.
    const V equal = std::bit_cast<V>(std::bit_cast<Bits<V>>(a) & std::bit_cast<Bits<V>>(b));
    const V larger = a > b ? a : b;
    return a == b ? equal : larger;
  }
  template <class V> static V apply(V a, V b) {
    if constexpr (std::is_floating_point_v<V>)
      return a != a || b != b ? either_nan(a, b) : number(a, b);
    else if constexpr (is_complex_value<V>)
      return a.real() > b.real() || (a.real() == b.real() && a.imag() > b.imag()) ? a : b;
    else
      return a > b ? a : b;
  }
};

struct Minimum {
  static constexpr TypeSet takes = kAll;
  template <class V>
  requires std::is_floating_point_v<V>
  static V number(V a, V b) {
    const V equal = std::bit_cast<V>(std::bit_cast<Bits<V>>(a) | std::bit_cast<Bits<V>>(b));
    const V smaller = a < b ? a : b;
    return a == b ? equal : smaller;
  }
  template <class V> static V apply(V a, V b) {
    if constexpr (std::is_floating_point_v<V>)
      return a != a || b != b ? either_nan(a, b) : number(a, b);
    else if constexpr (is_complex_value<V>)
      return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag()) ? a : b;
    else
      return a < b ? a : b;
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

} // namespace tw::ops::scalar
