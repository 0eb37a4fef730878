// SPDX-License-Identifier: Apache-2.0
// Where every stored value lies on every device, decided before anything runs: liveness over the steps, then
// an arena per device filled by best fit, largest first. Dying operands of elementwise steps, of updates and
// of all-reduces give their place to the result. What a loop carries has one place; what its body gives is
// made there where nothing needs the old value any more, and copied otherwise. What steps of a loop over an
// axis make has one place for all of them, unless it is read in a later loop: then one for each step; a tile
// that is one run of what such a loop puts together is made in its place there. Each thread has a part of the
// arena for what is made in it. What is donated gives its place in the caller's array to its result.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "base/best_fit.hpp"
#include "runtime/layout.hpp"
#include "runtime/schedule.hpp"
#include "runtime/sharing.hpp"

namespace tw::runtime {

// A byte: base 0 is the arena of the device at the position `arena`, base 1 + i the caller's array for
// argument i, or that device's tile of it. `device` is a position of the mesh in what follows; positions that
// are steps and threads of one device share its arena.
struct Location {
  uint32_t base = 0;
  uint32_t arena = 0;
  int64_t offset = 0;
};

// What of the caller's steps may read where it lies: nothing, arrays, or tiles, each dense by itself.
enum class ReadInPlace : uint8_t { nothing, arrays, tiles };

class Memory {
public:
  // `in_place` says per step whether a collective's result may take its operand's place.
  Memory(const spmd::Program &program, const Layouts &layouts, const Schedule &schedule,
         const std::vector<bool> &in_place, ReadInPlace reads = ReadInPlace::arrays);

  Location locate(spmd::ValueRef v, Position position) const;
  Location locate_constant(spmd::ValueRef v, Position position) const; // what is kept of it
  // What is shared lies in the arena of its leader.
  int64_t arena_bytes(Position position) const { return class_at(position).bytes; }
  // What the device uses of all arenas.
  int64_t used_bytes(Position position) const;

  // What a device holds at each time, when that is most, and what it is then, the largest first.
  struct Held {
    spmd::ValueRef value;
    int64_t bytes;
  };
  // And from when to when, both included.
  struct Life : Held {
    uint32_t first, last;
  };
  struct Peak {
    uint32_t time = 0; // 0: before the first step; step s is s + 1
    int64_t bytes = 0;
    std::vector<Held> held;
    std::vector<int64_t> at = {}; // by time, up to behind the last step
    std::vector<Life> lives = {}; // of all that is held at some time
  };
  Peak find_peak(Position position) const;

  // Whether an accumulating step finds its operand where it is to put it.
  bool is_accumulated(const Step &step) const;
  // Arguments read from the caller's array need no copy; the others are copied to the arena before the first
  // step.
  bool is_in_place(uint32_t argument) const { return in_place_argument_[argument]; }
  // The result that is made where this argument lies in the caller's array, or kNone.
  uint32_t donated_to(uint32_t argument) const { return donated_[argument]; }

private:
  struct Storage {
    LayoutId layout = 0;
    int64_t element_size = 0;
    uint32_t first = std::numeric_limits<uint32_t>::max(),
             last = 0;                    // 0: before the first step; step s is s + 1
    uint32_t argument = graph::kNone;     // read from the caller's array
    std::vector<int64_t> argument_offset; // elements per device; empty: 0
    bool pinned = false;                  // keeps its bytes from run to run
    uint32_t into = graph::kNone;         // the storage that took its place
    std::vector<int64_t> into_offset;     // elements per device; empty: 0
    sharding::AxisSet kept;               // axes of which each step has a place of its own
    sharding::AxisSet threads;            // axes of which each thread has one, in its own part of the arena
    sharding::AxisSet shared;             // axes along which the devices have one place together
  };
  // The arena of devices with equal tiles.
  struct Class {
    std::vector<int64_t> offsets; // by storage
    std::vector<int64_t> stride;  // from step to step of what is kept, by storage
    std::map<sharding::AxisSet, int64_t>
        leads;                      // bytes of what devices along these axes share, where it leads them
    int64_t common = 0, thread = 0; // bytes of what all threads have in common, and of each thread's part
    int64_t bytes = 0;
  };
  const Class &class_at(Position position) const {
    return classes_[class_of_[static_cast<size_t>(position)]];
  }

  void find_storages();
  void find_lifetimes();
  void find_loops();
  void follow_axis_loops();
  void settle_variables();
  uint32_t begin_of_accumulating(uint32_t step, sharding::AxisSet axes) const;
  void settle_accumulated();
  bool is_free(uint32_t target, const Loop &loop, uint32_t time, spmd::ValueRef made) const;
  bool reads_by_index(const Step &step, uint32_t storage) const;
  bool updates(const Step &step, uint32_t storage) const;
  bool may_lie_over(const Step &chain, spmd::ValueRef result, uint32_t storage) const;
  void donate(const std::vector<bool> &in_place);
  bool lies_apart(spmd::ValueRef argument) const;
  bool overwrites(uint32_t step, uint32_t given, uint32_t target, bool in_place) const;
  void reuse_operands(const std::vector<bool> &in_place);
  void place();
  bool is_read_between(uint32_t storage, uint32_t first, uint32_t last) const;
  bool can_take_over(uint32_t storage, spmd::ValueRef operand, spmd::ValueRef result, uint32_t time) const;
  void touch(spmd::ValueRef v, uint32_t time);
  int64_t bytes(const Storage &s, Position position) const;
  int64_t places(sharding::AxisSet axes) const;
  int64_t held_bytes(const Storage &s, Position position) const;
  std::vector<Life> find_lives(Position position) const;
  int64_t index_along(sharding::AxisSet axes, Position position) const;
  uint32_t storage_of(spmd::ValueRef v) const;
  void move_into(uint32_t storage, uint32_t old);

  const spmd::Program &program_;
  const Layouts &layouts_;
  const Schedule &schedule_;
  const Sharing &sharing_;
  const ReadInPlace reads_;
  std::vector<Storage> storages_;
  std::vector<uint32_t> storage_of_; // by root value, as first given; kNone where nothing is stored
  std::vector<uint32_t> constant_storage_;
  std::vector<bool> in_place_argument_;
  std::vector<uint32_t> donated_; // by argument
  sharding::AxisSet thread_axes_;
  std::set<sharding::AxisSet> shared_; // the axes along which something is shared, and none
  std::vector<size_t> class_of_;       // by position
  std::vector<Class> classes_;
};

} // namespace tw::runtime
