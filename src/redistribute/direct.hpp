// SPDX-License-Identifier: Apache-2.0
// The direct exchange: every device gets each missing byte from one holder, in one step, straight into place.
// No plan moves fewer bytes to any device. Closed form: one device's part costs nothing that grows with the
// number of devices.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "redistribute/exchange.hpp"
#include "redistribute/plan.hpp"

namespace tw::redistribute {

// Pieces of one or more receivers, flat. Sources are positions in the source mesh.
struct PieceList {
  std::vector<int64_t> bounds; // per piece: rank offsets, rank extents
  std::vector<uint32_t> first_source{0};
  std::vector<Position> sources;

  size_t size() const { return first_source.size() - 1; }
  void clear() {
    bounds.clear();
    first_source.assign(1, 0);
    sources.clear();
  }
};

class DirectExchange {
public:
  // What is named of a piece of partial values: all devices that hold them, or the first.
  enum class Sources : uint8_t { all, first };
  explicit DirectExchange(const Problem &p, Sources sources = Sources::all); // keeps a reference

  // Appends what the device at `dst_position` of the target mesh needs, where it stands at `src_position` of
  // the source mesh (-1: nowhere). The pieces cover its target tile exactly once. What it holds itself it
  // takes from itself. On one mesh the rest comes from a nearest holder, where near means: the outermost axis
  // along which the two stand apart is as far inside as possible; equally near holders take turns over the
  // takers of a piece. Between two meshes all holders are equally near.
  void append(Position dst_position, Position src_position, PieceList &out);
  // The same of a part of the array that is not empty, an interval of each dimension, of tiles without their
  // halos.
  void append(std::span<const sharding::Interval> wanted, Position dst_position, Position src_position,
              PieceList &out);

  // Appends to `key` what decides from whom the device takes, with `boxes` also what it takes. Devices of one
  // key take from the same devices. Returns how many pieces it takes at most; 0: none.
  int64_t find_givers(Position dst_position, Position src_position, bool boxes, std::vector<int64_t> &key);
  // The positions of a piece's values, relative to the first.
  const std::vector<int64_t> &terms() const { return terms_; }
  // Whether holders depend on who takes, where several are equally near.
  bool takes_turns() const { return takes_turns_; }

private:
  // An axis of the source mesh: its stride there, its size.
  struct Digit {
    sharding::AxisId axis;
    int64_t size, stride;
  };
  // Part of one source tile along one dimension; the holder's position relative to the receiver's, and the
  // outermost axis along which they stand apart.
  struct Segment {
    int64_t begin, end, shift;
    unsigned apart;
  };
  struct Dim {
    std::vector<Digit> digits; // of the source, minor first
    int64_t tiles = 1;
    std::vector<Segment> segments;
  };

  bool find_wanted(Position dst_position); // false: nothing
  bool slices_own(size_t d) const;         // every device takes of its own tile
  void find_segments(size_t d, sharding::Interval wanted, int64_t stand);
  int64_t nearest(int64_t holder, unsigned apart, int64_t receiver) const;
  int64_t any(int64_t holder, Position dst_position) const;

  const sharding::Mesh &src_mesh_, &dst_mesh_;
  const graph::Shape &shape_;
  const sharding::Sharding &src_, &dst_;
  bool one_mesh_;
  std::vector<Dim> dims_;
  std::vector<Digit> takers_;   // axes that only the source tiles, outermost first
  std::vector<Digit> turns_;    // axes along which holders of one tile differ, outermost first
  std::vector<Digit> combined_; // partial axes that are reduced, outermost first
  std::vector<int64_t> terms_;  // of the holder at combined coordinates 0, relative to it, in rank order
  Sources sources_;
  std::vector<Digit> kept_; // axes along which a holder stands where the taker does
  bool takes_turns_ = false;
  std::vector<size_t> at_; // scratch: the segment of each dimension
  std::vector<sharding::Interval> wanted_;
};

// The whole exchange as one step from buffer 0 to buffer 1.
Step direct_step(const Problem &problem);
// The same without a name (describe); with `receives`, what some devices receive.
Step direct_pieces(const Problem &problem, const std::function<bool(Device)> &receives = nullptr);
// The plan of which that is the only step; it is not written down before it is read.
Plan direct_plan(std::shared_ptr<const Problem> problem, Placement before, Placement after);
// One device's part of it.
PieceList direct_part(const Problem &problem, Device device);

} // namespace tw::redistribute
