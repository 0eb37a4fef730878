// SPDX-License-Identifier: Apache-2.0
// Orders that are those of unsigned integers: comparators that look at one key, recognised, and keys as
// integers, so that sorting needs to call nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "graph/graph.hpp"
#include "ops/element.hpp"
#include "ops/op_def.hpp"

namespace tw::ops {

struct SortOrder {
  size_t operand = 0; // which of the arrays sorted together holds the key
  bool descending = false;
  bool one_zero = false; // -0 and 0 are equal
  bool one_nan = false;  // all NaN are equal and come after everything; else by sign and bits
};

// The order that a comparator region means, where it is `compare LT|GT` of one operand's two elements, also
// after making zeros or NaN one as JAX does. Nothing for other regions. Where numbers are compared as FLOAT,
// no order holds among NaN; here they come last.
std::optional<SortOrder> sort_order_of(const graph::Graph &graph, graph::RegionId region);

// The dimension that a sort puts in order, which may be counted from the end.
size_t sorted_dimension(const OpView &op);

// Element types that have such keys.
inline constexpr TypeSet kSortKeys = kFloats | kInts | kBool;

template <class E> using SortKey = std::conditional_t<sizeof(typename E::Value) == 8, uint64_t, uint32_t>;

// A value as an integer of the same order.
template <class E> SortKey<E> sort_key(typename E::Value value, const SortOrder &order) {
  using V = typename E::Value;
  using Key = SortKey<E>;
  constexpr Key kSign = Key(1) << (sizeof(Key) * 8 - 1);
  Key key = 0;
  if constexpr (std::is_floating_point_v<V>) {
    if (order.one_nan && value != value)
      value = std::numeric_limits<V>::quiet_NaN();
    if (order.one_zero && value == 0)
      value = 0;
    const Key bits = std::bit_cast<Key>(value);
    key = bits & kSign ? ~bits : bits | kSign;
  } else if constexpr (std::is_signed_v<V>) {
    key = static_cast<Key>(static_cast<std::make_signed_t<Key>>(value)) ^ kSign;
  } else {
    key = static_cast<Key>(value);
  }
  return order.descending ? static_cast<Key>(~key) : key;
}

} // namespace tw::ops
