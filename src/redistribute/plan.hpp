// SPDX-License-Identifier: Apache-2.0
// A redistribution plan: a list of exchange steps. In each, every device receives pieces of one buffer's tile
// from tiles that other devices hold. The executor, the checker and the cost model know only this; kinds are
// names for people.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redistribute/exchange.hpp"
#include "redistribute/problem.hpp"

namespace tw::redistribute {

// The tile of every device in one buffer, flat: rank offsets, then rank extents. A device without a tile has
// extents 0.
class Placement {
public:
  Placement() = default;
  Placement(size_t rank, size_t devices) : rank_(rank), devices_(devices), bounds_(2 * rank * devices, 0) {}

  size_t rank() const { return rank_; }
  size_t num_devices() const { return devices_; }
  std::span<const int64_t> offset(Device d) const { return {bounds_.data() + at(d), rank_}; }
  std::span<const int64_t> extent(Device d) const { return {bounds_.data() + at(d) + rank_, rank_}; }
  std::span<int64_t> offset(Device d) { return {bounds_.data() + at(d), rank_}; }
  std::span<int64_t> extent(Device d) { return {bounds_.data() + at(d) + rank_, rank_}; }
  int64_t elements(Device d) const;
  int64_t largest() const; // elements of the largest tile
  sharding::Box box(Device d) const;
  void set(Device d, const sharding::Box &box);
  // Makes a tile the smallest box around itself, where it has elements, and another box.
  void enclose(Device d, std::span<const int64_t> offset, std::span<const int64_t> extent);
  // The same tiles as an image has them.
  Placement seen_from(std::span<const int64_t> shift) const;
  bool operator==(const Placement &) const = default;

private:
  size_t at(Device d) const { return static_cast<size_t>(d) * 2 * rank_; }
  size_t rank_ = 0, devices_ = 0;
  std::vector<int64_t> bounds_;
};

// The tiles before and after, halos included.
Placement source_tiles(const Problem &problem);
Placement target_tiles(const Problem &problem);

// Where a piece comes from: the tile of a device in one of the plan's buffers.
struct Source {
  Device device;
  uint32_t buffer;
  bool operator==(const Source &) const = default;
};

// What is said of a step without its pieces.
struct StepHead {
  Kind kind = Kind::exchange;
  std::string axes;    // over which data moves, "a,b"; empty where no axes say it
  int64_t group = 1;   // devices that exchange among themselves, at most
  uint32_t target = 0; // the buffer it writes
  uint32_t level = 0;  // of the topology that the step crosses, 0 the outermost
  sharding::Reduction reduction = sharding::Reduction::raw; // how the several sources of a piece combine
  bool operator==(const StepHead &) const = default;
};

// What all devices receive at once, flat and in the order of the receivers. Pieces of one step never overlap
// at a receiver. They lie in the array, or around it where the target wraps; halo cells outside an array that
// ends are zero, and no step writes them. A step may read the buffer it writes: parts of it that an earlier
// step has filled (level-direct, all-reduce).
struct Step : StepHead {
  std::vector<uint32_t> first_piece; // per device, and the end
  std::vector<int64_t>
      bounds; // per piece: rank offsets, rank extents, in global coordinates; never empty boxes
  std::vector<uint32_t> first_source; // per piece, and the end
  std::vector<Source> sources;        // one: a copy; several: partial values, combined in this order

  size_t num_pieces() const { return first_source.empty() ? 0 : first_source.size() - 1; }
  // Of a piece, in a plan of so many dimensions: all its bounds, its offset, its extent, and the box that
  // they are.
  std::span<const int64_t> bounds_of(size_t piece, size_t rank) const {
    return {bounds.data() + 2 * rank * piece, 2 * rank};
  }
  std::span<const int64_t> offset(size_t piece, size_t rank) const {
    return bounds_of(piece, rank).first(rank);
  }
  std::span<const int64_t> extent(size_t piece, size_t rank) const {
    return bounds_of(piece, rank).last(rank);
  }
  sharding::Box box(size_t piece, size_t rank) const;
  std::span<const Source> sources_of(size_t piece) const {
    return {sources.data() + first_source[piece], sources.data() + first_source[piece + 1]};
  }
  bool operator==(const Step &) const = default;
};

// How many pieces steps have, and how many sources all of these name.
struct StepSize {
  int64_t pieces = 0, sources = 0;

  Status check() const; // fails where they would take gigabytes
  // So many pairs of devices that a plan is told from others by what its steps follow from.
  bool is_large() const;
};

// The steps of a plan. Where they follow from the tiles alone they are not written down before they are first
// read, since they name every pair of devices that exchange. Copies share what is written; any thread may
// read.
class Steps {
public:
  // What is written later, and what is known of it before.
  struct Later {
    std::function<std::vector<Step>()> write;
    std::function<std::vector<StepHead>()> heads = nullptr; // of what is written; none: they are read off it
    StepSize size = {};                                     // zeros: not known
  };
  Steps() = default;
  Steps(std::vector<Step> steps) { edit() = std::move(steps); }
  explicit Steps(Later later);

  const std::vector<Step> &read() const;
  // The same without the pieces, which need not be written down for it.
  std::vector<StepHead> heads() const;
  std::vector<Step> &edit(); // of this copy; references that others read stay as they are
  operator const std::vector<Step> &() const { return read(); }
  // Of steps that are not written down from the start: their size, which is to be checked before they are
  // read. Zeros for others.
  StepSize later_size() const { return written_ ? written_->later.size : StepSize(); }

  auto begin() const { return read().begin(); }
  auto end() const { return read().end(); }
  size_t size() const;
  bool empty() const { return size() == 0; }
  const Step &operator[](size_t i) const { return read()[i]; }
  bool operator==(const Steps &other) const { return read() == other.read(); }

private:
  struct Written {
    bool is_later = false; // else there are steps from the start
    Later later = {};
    std::once_flag once, headed;
    std::vector<Step> steps = {};
    std::vector<StepHead> heads = {};
  };
  const std::vector<StepHead> &later_heads() const;
  std::shared_ptr<Written> written_; // null: none
};

// A buffer that is another one, seen from some periods away along dimensions that wrap: coordinate c of
// buffer `of` is c + shift here. It takes no memory, and only the source and the target have images.
struct Image {
  uint32_t buffer, of;
  std::vector<int64_t> shift; // by dimension, multiples of its size
  bool operator==(const Image &) const = default;
};

// Of images that ascend by buffer: that of a buffer, null where it is none; the buffer whose memory a buffer
// is.
const Image *find_image(std::span<const Image> images, uint32_t buffer);
uint32_t memory_of(std::span<const Image> images, uint32_t buffer);

enum class Method : uint8_t { automatic, direct, level, relay, scalar, vector, stated };
std::string_view name(Method m); // "auto", "direct", "level", "relay", "scalar", "vector", "stated"
Result<Method> parse_method(std::string_view text); // of those that one can ask for: not "stated"

// Why no cheaper sequence exists: the plan costs `weak`, or `excluded` lists every cheaper path of local
// shapes, each with a condition that whatever permutes nothing meets and this path does not. (With one
// permutation every path can be walked, so what that costs at least follows from shapes alone.)
//
// A path leads through states: F_i tiles per dimension i of n_i elements, cut at floor(t*n_i/F_i). All F_i
// together divide the devices; F_i divides n_i, unless the source or the target cuts the dimension unevenly;
// no tile has more elements than the plan may use, where a state counts prod ceil(n_i/F_i). Its steps change
// every dimension by a whole factor: a slice only cuts and is free, an all-gather only joins, an all-to-all
// does both and leaves prod F_i as it is; the latter two cost the elements of their result. With scalar ops a
// gather joins in one dimension, an all-to-all in one and cuts in one other. Slices in a row are one step.
//
// Where cheaper paths are many, the list leaves out those that violate `digits`: a path that is not listed
// does.
struct Certificate {
  int64_t weak = 0; // no path costs less, whether it can be walked or not
  struct Excluded {
    std::vector<std::vector<int64_t>> shards; // the states, from the source's to the target's
    int64_t cost = 0;
    // A step keeps every device inside the coarser of its tiles before and after, and leaves all tiles held
    // by equally many.
    enum class Why : uint8_t {
      digits, // in some dimension, no such chain of tiles leads from a device's source tile to its target tile
      balance, // at state `step` forced tiles are not held equally: with S_i the greatest common divisor of F_i at all states up to
      // there and T_i from there on, dimension i forces the target's tile among T_i where T_i >= S_i, else
      // the source's among S_i
    } why = Why::digits;
    size_t step = 0; // index into shards
    bool operator==(const Excluded &) const = default;
  };
  std::vector<Excluded> excluded;
  bool operator==(const Certificate &) const = default;
};

// Immutable once made.
struct Plan {
  std::shared_ptr<const Problem> problem;
  Method method = Method::direct; // never automatic
  std::vector<Placement> buffers; // the first is the source, the last the target
  std::vector<Image> images;      // ascending by buffer
  Steps steps;
  bool exact = false;      // no plan of this method costs less: proven, see certificate
  int64_t fig11_cost = 0;  // as the paper counts (Figure 11), in elements of the largest tile
  Certificate certificate; // of scalar and vector plans

  uint32_t target() const { return static_cast<uint32_t>(buffers.size() - 1); }
  const Image *find_image(uint32_t buffer) const { return redistribute::find_image(images, buffer); }
  uint32_t memory_of(uint32_t buffer) const { return redistribute::memory_of(images, buffer); }
};

} // namespace tw::redistribute
