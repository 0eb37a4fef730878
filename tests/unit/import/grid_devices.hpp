// SPDX-License-Identifier: Apache-2.0
// Devices of a grid, by definition: what each holds, and what every collective of the shard dialect makes of
// that. The tests of the dialect compare with it; nothing here asks the importer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::test {

using Ints = std::vector<int64_t>;

inline int64_t product(const Ints &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

// An array of one device.
struct TextPiece {
  Ints dims, at;
  int64_t &operator()(const Ints &index) { return at[place(index)]; }
  int64_t operator()(const Ints &index) const { return at[place(index)]; }

private:
  size_t place(const Ints &index) const {
    int64_t place = 0;
    for (size_t d = 0; d < dims.size(); ++d)
      place = place * dims[d] + index[d];
    return static_cast<size_t>(place);
  }
};

template <class Value> TextPiece make_piece(Ints dims, Value value) {
  TextPiece piece{std::move(dims), {}};
  piece.at.resize(static_cast<size_t>(product(piece.dims)));
  Ints index(piece.dims.size(), 0);
  for (int64_t &x : piece.at) {
    x = value(index);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < piece.dims[d])
        break;
      index[d] = 0;
    }
  }
  return piece;
}

using Pieces = std::vector<TextPiece>; // by device, row-major

struct Devices {
  Ints sizes;

  int64_t count() const { return product(sizes); }
  Ints coordinates(int64_t device) const {
    Ints at(sizes.size());
    for (size_t axis = sizes.size(); axis-- > 0; device /= sizes[axis])
      at[axis] = device % sizes[axis];
    return at;
  }
  int64_t number(const Ints &at) const {
    int64_t device = 0;
    for (size_t axis = 0; axis < sizes.size(); ++axis)
      device = device * sizes[axis] + at[axis];
    return device;
  }
  int64_t group_size(const Ints &axes) const {
    int64_t size = 1;
    for (const int64_t axis : axes)
      size *= sizes[static_cast<size_t>(axis)];
    return size;
  }
  // The member of the device's group at these coordinates along the axes.
  int64_t member(int64_t device, const Ints &axes, const Ints &at) const {
    Ints place = coordinates(device);
    for (size_t i = 0; i < axes.size(); ++i)
      place[static_cast<size_t>(axes[i])] = at[i];
    return number(place);
  }
  // All members, ordered by the axes, outer to inner; and which of them a device is.
  Ints group(int64_t device, const Ints &axes) const {
    Ints members;
    for (int64_t n = 0; n < group_size(axes); ++n) {
      Ints at(axes.size());
      int64_t rest = n;
      for (size_t i = axes.size(); i-- > 0; rest /= sizes[static_cast<size_t>(axes[i])])
        at[i] = rest % sizes[static_cast<size_t>(axes[i])];
      members.push_back(member(device, axes, at));
    }
    return members;
  }
  int64_t number_in_group(int64_t device, const Ints &axes) const {
    const Ints members = group(device, axes);
    return std::ranges::find(members, device) - members.begin();
  }
};

inline TextPiece part_of(const TextPiece &piece, size_t dim, int64_t number, int64_t parts) {
  Ints dims = piece.dims;
  dims[dim] /= parts;
  return make_piece(dims, [&](Ints index) {
    index[dim] += number * dims[dim];
    return piece(index);
  });
}

inline TextPiece join_parts(const Pieces &parts, size_t dim) {
  Ints dims = parts[0].dims;
  const int64_t width = dims[dim];
  dims[dim] *= std::ssize(parts);
  return make_piece(dims, [&](Ints index) {
    const auto number = static_cast<size_t>(index[dim] / width);
    index[dim] %= width;
    return parts[number](index);
  });
}

inline TextPiece zeros_of(Ints dims) {
  return make_piece(std::move(dims), [](const Ints &) { return 0; });
}

using Fold = std::function<int64_t(int64_t, int64_t)>;
inline TextPiece fold(const Pieces &pieces, const Fold &function) {
  TextPiece all = pieces[0];
  for (size_t i = 1; i < pieces.size(); ++i)
    for (size_t k = 0; k < all.at.size(); ++k)
      all.at[k] = function(all.at[k], pieces[i].at[k]);
  return all;
}

// What each device gets of what the members of its group hold.
template <class Make>
Pieces for_each_device(const Devices &devices, const Pieces &pieces, const Ints &axes, Make make) {
  Pieces made;
  for (int64_t device = 0; device < devices.count(); ++device) {
    Pieces members;
    for (const int64_t member : devices.group(device, axes))
      members.push_back(pieces[static_cast<size_t>(member)]);
    made.push_back(make(members, devices.number_in_group(device, axes), device));
  }
  return made;
}

// The cells of the array that all tiles make up together, seen from one of them: its halo and what lies
// there.
inline TextPiece with_halo(const Devices &devices, const Pieces &pieces, int64_t device,
                       const std::vector<Ints> &split_axes, const Ints &halos) {
  const TextPiece &own = pieces[static_cast<size_t>(device)];
  std::vector<std::pair<int64_t, int64_t>> halo(own.dims.size(), {0, 0});
  size_t next = 0;
  for (size_t d = 0; d < split_axes.size() && next < halos.size(); ++d)
    if (!split_axes[d].empty()) {
      halo[d] = {halos[next], halos[next + 1]};
      next += 2;
    }
  return make_piece(own.dims, [&](Ints index) -> int64_t {
    int64_t holder = device;
    for (size_t d = 0; d < index.size(); ++d) {
      if (halo[d] == std::pair<int64_t, int64_t>(0, 0))
        continue;
      const int64_t core = own.dims[d] - halo[d].first - halo[d].second;
      const int64_t tiles = devices.group_size(split_axes[d]);
      const int64_t cell = devices.number_in_group(device, split_axes[d]) * core + index[d] - halo[d].first;
      if (cell < 0 || cell >= tiles * core)
        return 0;
      holder = devices.group(holder, split_axes[d])[static_cast<size_t>(cell / core)];
      index[d] = halo[d].first + cell % core;
    }
    return pieces[static_cast<size_t>(holder)](index);
  });
}

} // namespace tw::test
