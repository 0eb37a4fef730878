// SPDX-License-Identifier: Apache-2.0
// A set of axes of one mesh.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace tw::sharding {

using AxisId = uint8_t; // position of an axis in its mesh; a mesh has at most 64
constexpr size_t kMaxAxes = 64;

class AxisSet {
public:
  constexpr AxisSet() = default;
  constexpr explicit AxisSet(AxisId axis) : bits_(uint64_t{1} << axis) {}
  // The first `count` axes of a mesh.
  static constexpr AxisSet first(size_t count) {
    return from_bits(count >= kMaxAxes ? ~uint64_t{0} : (uint64_t{1} << count) - 1);
  }
  static constexpr AxisSet from_bits(uint64_t bits) { // bit a: axis a
    AxisSet set;
    set.bits_ = bits;
    return set;
  }
  constexpr uint64_t bits() const { return bits_; }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr size_t size() const { return static_cast<size_t>(std::popcount(bits_)); }
  constexpr bool contains(size_t axis) const { return (bits_ >> axis & 1) != 0; }
  constexpr bool intersects(AxisSet other) const { return (bits_ & other.bits_) != 0; }
  constexpr AxisId front() const {
    return static_cast<AxisId>(std::countr_zero(bits_));
  } // of a set that is not empty

  constexpr void add(AxisId axis) { bits_ |= uint64_t{1} << axis; }
  constexpr void remove(AxisId axis) { bits_ &= ~(uint64_t{1} << axis); }
  constexpr AxisSet &operator|=(AxisSet other) { return bits_ |= other.bits_, *this; }
  constexpr AxisSet &operator&=(AxisSet other) { return bits_ &= other.bits_, *this; }
  constexpr AxisSet &operator-=(AxisSet other) { return bits_ &= ~other.bits_, *this; }
  friend constexpr AxisSet operator|(AxisSet a, AxisSet b) { return a |= b; }
  friend constexpr AxisSet operator&(AxisSet a, AxisSet b) { return a &= b; }
  friend constexpr AxisSet operator-(AxisSet a, AxisSet b) { return a -= b; } // those that b lacks
  constexpr bool operator==(const AxisSet &) const = default;
  constexpr auto operator<=>(const AxisSet &) const = default;

  // Visits the axes in ascending order.
  class Iterator {
  public:
    using value_type = AxisId;
    using difference_type = std::ptrdiff_t;
    constexpr Iterator() = default;
    constexpr explicit Iterator(uint64_t rest) : rest_(rest) {}
    constexpr AxisId operator*() const { return static_cast<AxisId>(std::countr_zero(rest_)); }
    constexpr Iterator &operator++() { return rest_ &= rest_ - 1, *this; }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    constexpr bool operator==(const Iterator &) const = default;

  private:
    uint64_t rest_ = 0;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(); }

private:
  uint64_t bits_ = 0;
};

} // namespace tw::sharding
