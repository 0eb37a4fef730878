// SPDX-License-Identifier: Apache-2.0
// Moves a value from one layout to another by the collectives of a text.
#pragma once

#include <algorithm>

#include "emit/stablehlo/device_text.hpp"
#include "sharding/halo.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::emit::stablehlo {

// Where the tile of each device begins, and how much it holds. All are stored alike, in as much as the
// largest takes: what a smaller one has at the end means nothing.
struct Tiles {
  Starts starts, sizes;
  graph::Shape extent;

  bool even(size_t d) const {
    return std::ranges::all_of(sizes, [&](const auto &size) { return size[d] == extent[d]; });
  }
};
Tiles tiles_of(const sharding::Sharding &s, const graph::TensorType &global, const sharding::Mesh &mesh);
// With halos, which begin before the array and end behind it at its border.
Tiles tiles_of(const sharding::Distribution &layout, const graph::TensorType &global,
               const sharding::Mesh &mesh);
// Of a tile that a device has the part that another one covers, in its place; zeros around.
Local cut_out(DeviceText &text, const Local &value, const Tiles &have, const Tiles &want);

// Tiles of windows in one size, where the border of the array clips them.
sharding::Sharding even_windows(sharding::Sharding s, const graph::TensorType &global,
                                const sharding::Mesh &mesh);

// Partial values are combined by reduce_scatter and all_reduce; then whole dimensions move by all_to_all and
// all_gather, and what lies around tiles by update_halo; whatever is none of these goes in rounds of a
// permute. Of `to` only what `needed` has means something: windows of one size have more at the border of the
// array.
Local exchange(DeviceText &text, const Local &value, const graph::TensorType &global,
               const sharding::Sharding &from, const sharding::Sharding &to,
               const sharding::Sharding &needed);

} // namespace tw::emit::stablehlo
