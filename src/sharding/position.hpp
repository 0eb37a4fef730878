// SPDX-License-Identifier: Apache-2.0
// Numbers of places in a mesh, each a type of its own: no count becomes a position, and no device's number
// is taken for a position, unless that is written out.
#pragma once

#include <compare>
#include <cstdint>

namespace tw::sharding {

// A place of a mesh: its index over all axes, those of steps and threads included, row-major. Reads as that
// index.
class Position {
public:
  constexpr Position() = default;
  constexpr explicit Position(int64_t index) : index_(index) {}
  constexpr operator int64_t() const { return index_; }
  constexpr Position &operator++() { return ++index_, *this; }

private:
  int64_t index_ = 0;
};

constexpr Position kNoPosition{-1}; // negative

// A device of a mesh: its index over the device axes, row-major. The positions of a device are its steps and
// threads.
class DeviceIndex {
public:
  constexpr DeviceIndex() = default;
  constexpr explicit DeviceIndex(int64_t index) : index_(index) {}
  constexpr int64_t index() const { return index_; }
  constexpr auto operator<=>(const DeviceIndex &) const = default;

private:
  int64_t index_ = 0;
};

} // namespace tw::sharding
