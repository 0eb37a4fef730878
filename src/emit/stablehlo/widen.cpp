// SPDX-License-Identifier: Apache-2.0
// Tiles of one size stand in a larger buffer, whose cells around the tile one collective fills, corners too.
// Where tiles differ in size, what a smaller one has behind its end would stand between it and the next. So
// only edges are exchanged, dimension after dimension: the first and last cells of each tile side by side.
#include "emit/stablehlo/widen.hpp"

#include <algorithm>

#include "ops/strided.hpp"

namespace tw::emit::stablehlo {

using graph::Shape;
using graph::TensorType;
using sharding::DimSharding;
using sharding::Sharding;

namespace {

// The same place on every device.
Starts everywhere(const Tiles &tiles, const std::vector<int64_t> &start) {
  return Starts(tiles.starts.size(), start);
}

} // namespace

std::optional<Halos::Dim> Halos::find_dim(Dim found, const Tiles &have, const Tiles &needed) {
  const size_t d = found.at;
  int64_t smallest = have.extent[d];
  for (size_t p = 0; p < have.starts.size(); ++p) {
    const int64_t begin = have.starts[p][d], end = begin + have.sizes[p][d];
    smallest = std::min(smallest, have.sizes[p][d]);
    if (std::ranges::count(needed.sizes[p], 0) != 0)
      continue;
    found.before = std::max(found.before, begin - needed.starts[p][d]);
    found.after = std::max(found.after, needed.starts[p][d] + needed.sizes[p][d] - end);
  }
  if (have.extent[d] == 0 || (!found.even && smallest < std::max(found.before, found.after)))
    return std::nullopt;
  return found;
}

std::optional<Halos> find_halos(const Collectives &say, const TensorType &tile, const TensorType &global,
                                const Sharding &from, const Sharding &to, const Sharding &needed) {
  if (!say.takes_halos())
    return std::nullopt;
  Halos halos;
  halos.tile_ = tile;
  halos.have_ = tiles_of(from, global, say.mesh());
  halos.want_ = tiles_of(to, global, say.mesh());
  halos.needed_ = tiles_of(needed, global, say.mesh());
  for (size_t d = 0; d < to.dims.size(); ++d) {
    if (!is_window(to.dims[d]) || to.dims[d] == from.dims[d])
      continue;
    if (is_window(from.dims[d]) || from.dims[d].axes != to.dims[d].axes)
      return std::nullopt;
    const auto dim = Halos::find_dim({d, from.dims[d].axes, global.dims[d], 0, 0, halos.have_.even(d)},
                                     halos.have_, halos.needed_);
    if (!dim)
      return std::nullopt;
    halos.dims_.push_back(*dim);
  }
  return halos.dims_.empty() ? std::nullopt : std::optional(std::move(halos));
}

std::vector<size_t> Halos::dims() const {
  std::vector<size_t> all;
  for (const Dim &dim : dims_)
    all.push_back(dim.at);
  return all;
}

int64_t Halos::moved() const {
  int64_t most = 0;
  for (size_t p = 0; p < have_.starts.size(); ++p)
    most = std::max(most, moved(p));
  return most;
}

// Around the array there is nobody who sends.
int64_t Halos::moved(size_t device) const {
  Shape wide = tile_.dims, all = tile_.dims; // what comes from others, and what is stored
  const auto sent = [&](const Dim &dim) {
    const int64_t begin = have_.starts[device][dim.at], end = begin + have_.sizes[device][dim.at];
    return std::min(dim.before, begin) + std::min(dim.after, dim.size - end);
  };
  for (const Dim &dim : dims_)
    if (dim.even) {
      wide[dim.at] += sent(dim);
      all[dim.at] += dim.before + dim.after;
    }
  int64_t elements = ops::product(wide) - tile_.elements();
  for (const Dim &dim : dims_)
    if (!dim.even) {
      const int64_t stored = all[dim.at];
      all[dim.at] = sent(dim);
      elements += ops::product(all);
      all[dim.at] = stored + dim.before + dim.after;
    }
  return elements;
}

// All dimensions whose tiles have one size, at once.
Local Halos::take_all(DeviceText &text, const Local &value) const {
  std::vector<Collectives::Halo> halos;
  TensorType wide = value.type;
  std::vector<int64_t> begin(wide.rank());
  for (const Dim &dim : dims_)
    if (dim.even && !dim.empty()) {
      halos.push_back({dim.at, dim.axes, dim.before, dim.after});
      wide.dims[dim.at] += dim.before + dim.after;
      begin[dim.at] = dim.before;
    }
  if (halos.empty())
    return value;
  const Local buffer = text.update(text.zeros(wide), value, everywhere(have_, begin));
  return text.collectives().update_halo(text, buffer, halos);
}

// One dimension: a row of cells for what comes, the first cells of the tile, its last, cells for what comes.
Local Halos::take_edges(DeviceText &text, const Local &value, const Dim &dim) const {
  const size_t d = dim.at, rank = value.type.rank();
  const auto at = [&](int64_t start) {
    std::vector<int64_t> starts(rank);
    starts[d] = start;
    return everywhere(have_, starts);
  };
  const auto of_width = [&](int64_t width) {
    Shape extent = value.type.dims;
    extent[d] = width;
    return extent;
  };
  const int64_t width = dim.before + dim.after;
  Starts last = at(0), behind = at(0);
  for (size_t p = 0; p < last.size(); ++p) {
    last[p][d] = have_.sizes[p][d] - dim.before;
    behind[p][d] = have_.sizes[p][d] + dim.before;
  }
  Local edges = text.zeros({value.type.dtype, of_width(2 * width)});
  if (dim.after != 0)
    edges = text.update(edges, text.slice(value, at(0), of_width(dim.after)), at(dim.before));
  if (dim.before != 0)
    edges = text.update(edges, text.slice(value, last, of_width(dim.before)), at(width));
  const Collectives::Halo halo{d, dim.axes, dim.before, dim.after};
  edges = text.collectives().update_halo(text, edges, {&halo, 1});
  Local made = text.zeros({value.type.dtype, of_width(value.type.dims[d] + width)});
  made = text.update(made, value, at(dim.before));
  if (dim.before != 0)
    made = text.update(made, text.slice(edges, at(0), of_width(dim.before)), at(0));
  if (dim.after != 0)
    made = text.update(made, text.slice(edges, at(width + dim.before), of_width(dim.after)), behind);
  return made;
}

// The windows, of which a value with all halos holds what means something.
Local Halos::cut_windows(DeviceText &text, const Local &value) const {
  std::vector<int64_t> low(value.type.rank());
  Shape extent = value.type.dims;
  Starts starts = everywhere(have_, low);
  for (const Dim &dim : dims_) {
    const size_t d = dim.at;
    extent[d] = want_.extent[d];
    for (size_t p = 0; p < starts.size(); ++p)
      if (std::ranges::count(needed_.sizes[p], 0) == 0) {
        starts[p][d] = want_.starts[p][d] - have_.starts[p][d] + dim.before;
        low[d] = std::max(low[d], -starts[p][d]);
      }
    for (auto &start : starts)
      start[d] += low[d];
  }
  TensorType wide = value.type;
  for (size_t d = 0; d < low.size(); ++d)
    wide.dims[d] += low[d];
  const Local all = wide == value.type ? value : text.update(text.zeros(wide), value, everywhere(have_, low));
  return text.slice(all, starts, extent);
}

Local Halos::take(DeviceText &text, const Local &value) const {
  Local made = take_all(text, value);
  for (const Dim &dim : dims_)
    if (!dim.even && !dim.empty())
      made = take_edges(text, made, dim);
  return cut_windows(text, made);
}

} // namespace tw::emit::stablehlo
