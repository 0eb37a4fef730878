// SPDX-License-Identifier: Apache-2.0
// Halos of device-local code. The tiles of all devices become the array that they make up, and the tiles with
// what lies around them are cut out of that: where the array lies in these tiles, that is one exchange.
#include <algorithm>

#include "import/device_local.hpp"

namespace tw::import {

using graph::Shape;
using graph::ValueId;

Result<ValueId> DeviceLocal::update_halos(ValueId v, std::span<const LocalHalo> halos) {
  const Shape local = local_dims(v);
  std::vector<int64_t> begin(local.size(), 0), end(local.begin(), local.end());
  for (const LocalHalo &halo : halos) {
    begin[halo.dim] = halo.before;
    end[halo.dim] -= halo.after;
  }
  const std::vector<ops::NamedAttr> cut{
      {"start_indices", begin}, {"limit_indices", end}, {"strides", std::vector<int64_t>(local.size(), 1)}};
  TW_ASSIGN(ValueId whole, differs(v) ? this->local("stablehlo.slice", {&v, 1}, cut)
                                      : value("stablehlo.slice", {&v, 1}, cut));
  for (const LocalHalo &halo : halos) {
    TW_ASSIGN(whole, gather_axes(whole, halo.axes, halo.dim));
  }

  const uint64_t stay = mask(whole);
  const auto in_front = static_cast<int64_t>(front(stay).size());
  std::vector<LocalHalo> sorted(halos.begin(), halos.end());
  std::ranges::sort(sorted, {}, &LocalHalo::dim);
  std::vector<int64_t> dims, tiles, before, after;
  MeshAxes cut_axes; // in the order in which the result has them in front
  for (const LocalHalo &halo : sorted) {
    dims.push_back(in_front + static_cast<int64_t>(halo.dim));
    tiles.push_back(1);
    for (const size_t axis : halo.axes) {
      tiles.back() *= sizes_[axis];
      cut_axes.push_back(axis);
    }
    before.push_back(halo.before);
    after.push_back(halo.after);
  }
  const std::vector<ops::NamedAttr> attrs{
      {"dimensions", dims}, {"tiles", tiles}, {"before", before}, {"after", after}};
  TW_ASSIGN(const ValueId tiled, value("shard.halo_tiles", {&whole, 1}, attrs));

  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (stay >> axis & 1)
      cut_axes.push_back(axis);
  Shape split;
  for (const size_t axis : cut_axes)
    split.push_back(sizes_[axis]);
  split.insert(split.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId apart, reshape(tiled, split));
  std::vector<int64_t> order = count_from(0, cut_axes.size());
  std::ranges::sort(order, {}, [&](int64_t i) { return cut_axes[static_cast<size_t>(i)]; });
  for (const int64_t d : count_from(cut_axes.size(), local.size()))
    order.push_back(d);
  TW_ASSIGN(const ValueId made, transpose(apart, order));
  return keep(made, local, bits_of(cut_axes));
}

} // namespace tw::import
