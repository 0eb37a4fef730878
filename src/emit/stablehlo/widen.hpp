// SPDX-License-Identifier: Apache-2.0
// Tiles that get what lies around them, by collectives that take halos.
#pragma once

#include <optional>
#include <vector>

#include "emit/stablehlo/collectives.hpp"
#include "emit/stablehlo/exchange.hpp"

namespace tw::emit::stablehlo {

// Whether a dimension has intervals that may overlap for its tiles.
inline bool is_window(const sharding::DimSharding &dim) {
  return dim.rule.kind == sharding::SplitRule::Kind::spans;
}

class Halos {
public:
  std::vector<size_t> dims() const;
  // Elements that the busiest device receives.
  int64_t moved() const;
  Local take(DeviceText &text, const Local &value) const;

private:
  friend std::optional<Halos> find_halos(const Collectives &say, const graph::TensorType &tile,
                                         const graph::TensorType &global, const sharding::Sharding &from,
                                         const sharding::Sharding &to, const sharding::Sharding &needed);
  struct Dim {
    size_t at;
    MeshAxes axes;
    int64_t size; // of the whole dimension
    int64_t before, after;
    bool even; // all tiles are as large as the largest
    bool empty() const { return before == 0 && after == 0; }
  };
  static std::optional<Dim> find_dim(Dim found, const Tiles &have, const Tiles &needed);
  int64_t moved(size_t device) const;
  Local take_all(DeviceText &text, const Local &value) const;
  Local take_edges(DeviceText &text, const Local &value, const Dim &dim) const;
  Local cut_windows(DeviceText &text, const Local &value) const;

  std::vector<Dim> dims_;
  graph::TensorType tile_;
  Tiles have_, want_, needed_;
};

// Nothing where there is no such collective, where no dimension goes from tiles to windows along the same
// axes, or where what is needed lies beyond the next tile and tiles differ in size.
std::optional<Halos> find_halos(const Collectives &say, const graph::TensorType &tile,
                                const graph::TensorType &global, const sharding::Sharding &from,
                                const sharding::Sharding &to, const sharding::Sharding &needed);

} // namespace tw::emit::stablehlo
