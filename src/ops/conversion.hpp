// SPDX-License-Identifier: Apache-2.0
// One value as another element type, as stablehlo.convert defines it: floats round to nearest even once,
// floats to integers saturate, integers wrap, anything but zero is true, complex numbers lose their imaginary
// part.
#pragma once

#include "ops/element.hpp"

namespace tw::ops {

// An integer as a double that rounds to any narrower float as the integer itself would: 53 bits, the last one
// sticky.
template <class V> double rounded_to_odd(V value) {
  uint64_t magnitude = value < 0 ? uint64_t(0) - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  if (const int excess = std::bit_width(magnitude) - 53; excess > 0) {
    const uint64_t lost = magnitude & ((uint64_t(1) << excess) - 1);
    magnitude = (magnitude >> excess | (lost != 0 ? 1 : 0)) << excess;
  }
  const auto exact = static_cast<double>(magnitude);
  return value < 0 ? -exact : exact;
}

// Of these pairs: any from f64, and any where neither is an 8-bit float or narrower than a byte.
template <class E, class R> typename R::Storage converted(typename E::Value value) {
  using V = typename E::Value;
  using W = typename R::Value;
  if constexpr (is_complex_value<W>) {
    if constexpr (is_complex_value<V>)
      return R::store(W(value));
    else
      return R::store(W(static_cast<typename W::value_type>(value)));
  } else if constexpr (is_complex_value<V>) { // the imaginary part is dropped, whatever comes out
    using Part = Element<E::dtype == DType::c64 ? DType::f32 : DType::f64>;
    return converted<Part, R>(value.real());
  } else if constexpr (std::is_same_v<W, bool>) {
    return R::store(value != V(0));
  } else if constexpr (is_int_value<W> && std::is_floating_point_v<V>) {
    return R::store(saturate<R>(value));
  } else if constexpr (requires { R::format; } && std::is_same_v<V, double>) {
    return static_cast<typename R::Storage>(encode(R::format, value));
  } else if constexpr (requires { R::format; } && is_int_value<V> && sizeof(V) >= 4) {
    return static_cast<typename R::Storage>(encode(R::format, rounded_to_odd(value)));
  } else {
    return R::store(static_cast<W>(value));
  }
}

} // namespace tw::ops
