// SPDX-License-Identifier: Apache-2.0
// What a picture of a sharding shows, before it is laid out: the dimensions that are cut, the tiles of each,
// and who holds which. Where there are too many tiles the middle ones are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/types.hpp"
#include "sharding/halo.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::picture {

using sharding::AxisId;
using sharding::Interval;
using sharding::Position;

// One array over a mesh. The layout is that of the devices: boxes are sharding::box_of.
struct Subject {
  const sharding::Mesh &mesh; // with the parts of axes that the layout names
  std::span<const int64_t> shape;
  const sharding::Distribution &layout;
  std::string name = {};                      // of the array; "": none
  graph::DType dtype = graph::DType::invalid; // invalid: not known
};

// A dimension that is shown. Shown tiles are not empty and ascend.
struct Side {
  size_t dim = 0;
  int64_t size = 0;
  std::vector<AxisId> axes = {};   // major to minor, those of one place left out
  int64_t tiles = 1;               // all of them
  std::vector<int64_t> shown = {}; // which; where they skip some, the picture has a break
  std::vector<Interval> core = {}; // of each: the tile,
  std::vector<Interval> held = {}; // and with what is kept around it
  int64_t low = 0, high = 0;       // what shown tiles hold lies between
  bool even = true;                // all tiles have the same size
  bool halo = false;               // some tile has more around it
  bool overlap = false;            // tiles themselves overlap
  bool breaks_before(size_t place) const { return place > 0 && shown[place] != shown[place - 1] + 1; }
  bool breaks_behind() const { return shown.size() == 1 && tiles > 1; }
};

struct Tile {
  std::vector<size_t> at = {};                   // place in each side
  std::vector<int64_t> offset = {}, extent = {}; // what is held, in all dimensions of the array
  std::vector<Position> positions = {}; // who holds it, ascending; of many the first ones and the last
  int64_t holders = 0;                  // how many positions these are
  int64_t devices = 0;                  // and how many devices
};

struct Tiles {
  std::vector<Side> sides = {};    // in the order of dimensions; the last two are rows and columns
  std::vector<Tile> tiles = {};    // row-major over the sides; none: the array has no elements
  std::vector<AxisId> copies = {}; // axes along which devices hold the same
  std::vector<sharding::Partial> partial = {}; // axes along which they hold what is still to be combined
  int64_t num_copies = 1, num_partial = 1;
  std::vector<int64_t> idle = {}; // ids of devices that hold nothing, ascending
  bool folded = false;            // some tiles are left out
};

Tiles tiles_of(const Subject &subject);

// Ids of the devices at positions, each once, ascending.
std::vector<int64_t> devices_at(const sharding::Mesh &mesh, std::span<const Position> positions);

} // namespace tw::picture
