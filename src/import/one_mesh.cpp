// SPDX-License-Identifier: Apache-2.0
// One mesh for all annotations: GSPMD's device orders, and Shardy's other meshes, said by (parts of) the axes
// of a single one. All of them number the same devices, so an axis is a run of digits of a device's number:
// it begins and ends at a cut, and axes that have all cuts say everything.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "import/shardings.hpp"

namespace tw::import {

using annotation::Annotations;
using annotation::AxisRef;
using annotation::DimAnnotation;
using annotation::MeshDecl;
using annotation::ShardingAnnotation;
using annotation::TileAssignment;

namespace {

constexpr int64_t kMostListed = int64_t{1} << 20; // devices that are looked at one by one

int64_t product(const std::vector<int64_t> &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

// An explicit device list that counts through its tiles with a fixed stride a dimension is an iota, reshaped
// and transposed.
bool find_iota(TileAssignment &a) {
  if (!a.iota.empty())
    return true;
  const size_t n = a.devices.size();
  for (int64_t device : a.devices)
    if (device < 0 || device >= static_cast<int64_t>(n))
      return false;
  if (a.devices[0] != 0)
    return false;
  std::vector<int64_t> strides(a.tiles.size(), 0);
  size_t inner = n;
  for (size_t i = 0; i < a.tiles.size(); ++i) {
    inner /= static_cast<size_t>(a.tiles[i]);
    if (a.tiles[i] > 1)
      strides[i] = a.devices[inner] - a.devices[0];
  }
  for (size_t flat = 0; flat < n; ++flat) {
    int64_t device = a.devices[0];
    size_t rest = flat;
    for (size_t i = a.tiles.size(); i-- > 0; rest /= static_cast<size_t>(a.tiles[i]))
      device += strides[i] * static_cast<int64_t>(rest % static_cast<size_t>(a.tiles[i]));
    if (device != a.devices[flat])
      return false;
  }
  std::vector<size_t> order(a.tiles.size()); // tile dimensions, largest stride first
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return strides[x] > strides[y]; });
  int64_t expected = 1;
  for (size_t i = order.size(); i-- > 0;) {
    if (a.tiles[order[i]] > 1 && strides[order[i]] != expected)
      return false;
    expected *= a.tiles[order[i]];
  }
  a.transpose.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    a.iota.push_back(a.tiles[order[i]]);
    a.transpose[order[i]] = static_cast<int64_t>(i);
  }
  return true;
}

// A run of devices' digits: the axis part of this size that `pre` devices' worth of more major axes precede.
struct Piece {
  int64_t pre, size;
};

// The pieces that each tile dimension takes, major to minor; nothing where a tile count cuts across the
// device order.
std::optional<std::vector<std::vector<Piece>>> pieces_of(const TileAssignment &a) {
  std::vector<Piece> axes; // in transposed order
  for (size_t j = 0; j < a.iota.size(); ++j) {
    const auto k = a.transpose.empty() ? j : static_cast<size_t>(a.transpose[j]);
    axes.push_back({std::accumulate(a.iota.begin(), a.iota.begin() + static_cast<ptrdiff_t>(k), int64_t{1},
                                    std::multiplies<>()),
                    a.iota[k]});
  }
  std::vector<std::vector<Piece>> dims;
  size_t next = 0;
  for (int64_t need : a.tiles) {
    auto &pieces = dims.emplace_back();
    while (need > 1) {
      if (axes[next].size == 1) {
        ++next;
        continue;
      }
      Piece &axis = axes[next];
      const int64_t take = need % axis.size == 0 ? axis.size : axis.size % need == 0 ? need : 0;
      if (take == 0)
        return std::nullopt;
      pieces.push_back({axis.pre, take});
      axis = {axis.pre * take, axis.size / take};
      need /= take;
    }
  }
  return dims;
}

using Pieces = std::vector<Piece>;

int64_t size_of(const Pieces &pieces) {
  int64_t size = 1;
  for (const Piece &piece : pieces)
    size *= piece.size;
  return size;
}

// The part (pre)size of what the pieces make up together; nothing where it cuts across them.
std::optional<Pieces> part_of(const Pieces &pieces, int64_t pre, int64_t size) {
  Pieces part;
  int64_t before = 1;
  const int64_t end = pre * size;
  for (const Piece &piece : pieces) {
    const int64_t begin = std::max(before, pre), stop = std::min(before * piece.size, end);
    if (begin < stop) {
      if (begin % before != 0 || stop % begin != 0 || (before * piece.size) % stop != 0)
        return std::nullopt;
      part.push_back({piece.pre * (begin / before), stop / begin});
    }
    before *= piece.size;
  }
  return size_of(part) == size ? std::optional(part) : std::nullopt;
}

// The cuts of the one mesh. They divide each other in turn, else no axes have them all.
class Cuts {
public:
  bool add(const std::vector<Pieces> &lists) {
    std::set<int64_t> more = cuts_;
    for (const Pieces &pieces : lists)
      for (const Piece &piece : pieces)
        more.insert({piece.pre, piece.pre * piece.size});
    for (auto next = more.begin(), last = next++; next != more.end(); last = next++)
      if (*next % *last != 0)
        return false;
    cuts_ = std::move(more);
    return true;
  }
  // Calls visit(begin, end) for each axis or part between neighbouring cuts.
  template <class Visit> void each_interval(Visit visit) const {
    for (auto next = cuts_.begin(), last = next++; next != cuts_.end(); last = next++)
      visit(*last, *next);
  }

private:
  std::set<int64_t> cuts_{1};
};

class OneMesh {
public:
  OneMesh(Annotations &annotations, const Refuse &refuse) : annotations_(annotations), refuse_(refuse) {
    if (const MeshDecl *declared = annotations.declared_mesh()) {
      mesh_ = *declared;
      is_declared_ = true;
      count_positions();
    }
  }

  void run() {
    if (is_declared_ && devices_ == 0)
      return; // its device ids are no devices: an error once a plan is made
    std::vector<size_t> not_said;
    for (size_t i = 0; i < annotations_.all.size(); ++i)
      if (!take(annotations_.all[i].sharding))
        not_said.push_back(i);
    if (!is_declared_ && devices_ != 0)
      make_axes();
    for (const Found &found : found_)
      write(found);
    for (; !not_said.empty(); not_said.pop_back()) {
      const auto at = annotations_.all.begin() + static_cast<ptrdiff_t>(not_said.back());
      refuse_(*at, fmt::format("the axes of mesh @{} are no parts of those of @{}", at->sharding.mesh,
                               mesh_.name));
      annotations_.all.erase(at);
    }
  }

private:
  // An annotation of another mesh, or without one, with the digits that each of its lists of axes takes.
  struct Found {
    ShardingAnnotation *sharding;
    std::vector<Pieces> dims;
    Pieces replicated, unreduced;
  };

  void count_positions() {
    std::vector<int64_t> sizes;
    int64_t devices = 1;
    for (const auto &[name, size] : mesh_.axes) {
      if (__builtin_mul_overflow(devices, size, &devices) || devices > kMostListed)
        return;
      cuts_.add({{{devices / size, size}}});
    }
    if (mesh_.device_ids.empty() || (std::ssize(mesh_.device_ids) == devices && number(mesh_.device_ids)))
      devices_ = devices;
  }

  // The digits that each dimension of a device order takes, in the one mesh's numbering.
  std::optional<std::vector<Pieces>> locate(TileAssignment a) {
    const int64_t count = product(a.tiles);
    if (devices_ != 0 && count != devices_)
      return std::nullopt;
    if (!renumber(a, count))
      return std::nullopt;
    if (!find_iota(a)) { // the mesh may still be one whose devices stand in this order
      if (is_declared_ || devices_ != 0 || !number(a.devices))
        return std::nullopt;
      mesh_.device_ids = a.devices;
      a.iota = a.tiles;
      a.devices.clear();
    }
    auto pieces = pieces_of(a);
    if (pieces && !cuts_.add(*pieces))
      return std::nullopt;
    if (pieces)
      devices_ = count;
    return pieces;
  }

  // An order of devices as one of positions.
  bool renumber(TileAssignment &a, int64_t count) const {
    if (position_.empty())
      return true;
    a.devices = a.device_list();
    a.iota.clear();
    for (int64_t &device : a.devices) {
      if (device < 0 || device >= count)
        return false;
      device = position_[static_cast<size_t>(device)];
    }
    return true;
  }

  // The positions of devices that are listed in their order; false where some is missing.
  bool number(const std::vector<int64_t> &devices) {
    std::vector<int64_t> position(devices.size(), -1);
    for (size_t i = 0; i < devices.size(); ++i) {
      const int64_t id = devices[i];
      if (id < 0 || id >= std::ssize(devices) || position[static_cast<size_t>(id)] >= 0)
        return false;
      position[static_cast<size_t>(id)] = static_cast<int64_t>(i);
    }
    position_ = std::move(position);
    return true;
  }

  bool take(ShardingAnnotation &s) {
    if (s.kind == ShardingAnnotation::Kind::tiles) {
      if (auto dims = locate(*s.assignment))
        found_.push_back({&s, std::move(*dims), {}, {}});
      return true; // those that are not found keep their device order: a mesh that a caller gives may have it
    }
    if (s.kind != ShardingAnnotation::Kind::axes || s.mesh.empty() || s.mesh == mesh_.name)
      return true;
    const MeshDecl &other = *annotations_.find_mesh(s.mesh);
    if (other.axes.empty()) { // names no axis
      s.mesh = mesh_.name;
      return true;
    }
    TileAssignment order;
    for (const auto &[name, size] : other.axes)
      order.tiles.push_back(size);
    if (product(order.tiles) > kMostListed)
      return false;
    if (other.device_ids.empty())
      order.iota = order.tiles;
    else if (std::ssize(other.device_ids) == product(order.tiles))
      order.devices = other.device_ids;
    else
      return false;
    const auto axes = locate(order);
    if (!axes)
      return false;
    Found found{&s, {}, {}, {}};
    const auto translate = [&](const std::vector<AxisRef> &refs, Pieces &pieces) {
      for (const AxisRef &ref : refs) {
        size_t axis = 0;
        while (other.axes[axis].first != ref.name)
          ++axis;
        const auto part =
            ref.size == 0 ? std::optional((*axes)[axis]) : part_of((*axes)[axis], ref.pre, ref.size);
        if (!part || !cuts_.add({*part}))
          return false;
        pieces.insert(pieces.end(), part->begin(), part->end());
      }
      return true;
    };
    for (const DimAnnotation &dim : s.dims)
      if (!translate(dim.axes, found.dims.emplace_back()))
        return false;
    if (!translate(s.replicated, found.replicated) || !translate(s.unreduced, found.unreduced))
      return false;
    found_.push_back(std::move(found));
    return true;
  }

  // Where there is none yet: an axis between any two cuts.
  void make_axes() {
    mesh_.name = "gspmd";
    cuts_.add({{{1, devices_}}});
    cuts_.each_interval([&](int64_t begin, int64_t end) {
      mesh_.axes.emplace_back(fmt::format("axis{}", mesh_.axes.size()), end / begin);
    });
    annotations_.meshes.push_back(mesh_);
  }

  std::vector<AxisRef> axes_of(const Pieces &pieces) const {
    std::vector<AxisRef> refs;
    for (const Piece &piece : pieces) {
      int64_t begin = 1;
      for (const auto &[name, size] : mesh_.axes) {
        const int64_t from = std::max(begin, piece.pre), to = std::min(begin * size, piece.pre * piece.size);
        if (from < to)
          refs.push_back(from == begin && to == begin * size ? AxisRef{name, 1, 0}
                                                             : AxisRef{name, from / begin, to / from});
        begin *= size;
      }
    }
    return refs;
  }

  void write(const Found &found) const {
    ShardingAnnotation &s = *found.sharding;
    s.mesh = mesh_.name;
    s.replicated = axes_of(found.replicated);
    s.unreduced = axes_of(found.unreduced);
    if (s.kind == ShardingAnnotation::Kind::tiles) {
      s.kind = ShardingAnnotation::Kind::axes;
      const size_t rank = found.dims.size() - s.assignment->subgroups;
      s.dims.resize(rank);
      for (size_t g = 0; g < s.assignment->subgroups; ++g)
        if (s.assignment->unreduced >> g & 1)
          s.unreduced = axes_of(found.dims[rank + g]);
    }
    for (size_t d = 0; d < s.dims.size(); ++d)
      s.dims[d].axes = axes_of(found.dims[d]);
  }

  Annotations &annotations_;
  const Refuse &refuse_;
  MeshDecl mesh_;
  bool is_declared_ = false;
  int64_t devices_ = 0;           // 0: not known yet
  std::vector<int64_t> position_; // of each device in the mesh; empty: in order
  Cuts cuts_;
  std::vector<Found> found_;
};

} // namespace

void bring_to_one_mesh(Annotations &annotations, const Refuse &refuse) { OneMesh(annotations, refuse).run(); }

} // namespace tw::import
