// SPDX-License-Identifier: Apache-2.0
// Operations on the bits of elements.
#include <bit>

#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/scalar.hpp"

namespace tw::kernels::ref::bitwise_reference {
namespace {

// The bits of an element without those that sign extension added.
template <class E> uint64_t bits_of(typename E::Value v) {
  return static_cast<uint64_t>(v) & (~uint64_t(0) >> (64 - E::bits));
}

struct Not {
  static constexpr TypeSet takes = kInts | kBool;
  template <class V> static V apply(V x) {
    if constexpr (std::is_same_v<V, bool>)
      return !x;
    else
      return static_cast<V>(~x);
  }
};

struct PopulationCount {
  static constexpr TypeSet takes = kInts;
  template <class E> static typename E::Value apply_as(typename E::Value x) {
    return static_cast<typename E::Value>(std::popcount(bits_of<E>(x)));
  }
};

struct CountLeadingZeros {
  static constexpr TypeSet takes = kInts;
  template <class E> static typename E::Value apply_as(typename E::Value x) {
    return static_cast<typename E::Value>(std::countl_zero(bits_of<E>(x)) - (64 - E::bits));
  }
};

// A shift by the width or more, or by a negative amount, shifts everything out.
struct ShiftLeft {
  static constexpr TypeSet takes = kInts;
  template <class E> static typename E::Value apply_as(typename E::Value x, typename E::Value by) {
    const uint64_t n = bits_of<E>(by);
    return n >= E::bits ? typename E::Value(0) : static_cast<typename E::Value>(bits_of<E>(x) << n);
  }
};

struct ShiftRightLogical {
  static constexpr TypeSet takes = kInts;
  template <class E> static typename E::Value apply_as(typename E::Value x, typename E::Value by) {
    const uint64_t n = bits_of<E>(by);
    return n >= E::bits ? typename E::Value(0) : static_cast<typename E::Value>(bits_of<E>(x) >> n);
  }
};

struct ShiftRightArithmetic {
  static constexpr TypeSet takes = kInts;
  template <class E> static typename E::Value apply_as(typename E::Value x, typename E::Value by) {
    const auto value = static_cast<int64_t>(bits_of<E>(x) << (64 - E::bits)) >>
                       (64 - E::bits); // sign-extended, unsigned types too
    const uint64_t n = std::min<uint64_t>(bits_of<E>(by), E::bits - 1);
    return static_cast<typename E::Value>(value >> n);
  }
};

} // namespace

References references() {
  static const Reference all[] = {
      binary<scalar::And>("stablehlo.and"),
      unary<CountLeadingZeros>("stablehlo.count_leading_zeros"),
      unary<Not>("stablehlo.not"),
      binary<scalar::Or>("stablehlo.or"),
      unary<PopulationCount>("stablehlo.popcnt"),
      binary<ShiftLeft>("stablehlo.shift_left"),
      binary<ShiftRightArithmetic>("stablehlo.shift_right_arithmetic"),
      binary<ShiftRightLogical>("stablehlo.shift_right_logical"),
      binary<scalar::Xor>("stablehlo.xor"),
  };
  return all;
}

} // namespace tw::kernels::ref::bitwise_reference
