// SPDX-License-Identifier: Apache-2.0
// Where every stored value lies on every device, decided before anything runs: liveness over the steps, then an arena
// per device filled by best fit, largest first. Dying operands of elementwise steps, of updates and of all-reduces give
// their place to the result. What a loop carries has one place; what its body gives is made there where nothing needs the old value
// any more, and copied otherwise.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "runtime/best_fit.hpp"
#include "runtime/layout.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

// A byte on one device: base 0 is the device's arena, base 1 + i the caller's array for argument i.
struct Location {
  uint32_t base = 0;
  int64_t offset = 0;
};

class Memory {
public:
  // `in_place` says per step whether a collective's result may take its operand's place.
  Memory(const spmd::Program &program, const Layouts &layouts, const Schedule &schedule,
         const std::vector<bool> &in_place);

  Location locate(spmd::ValueRef v, int64_t device) const;
  Location locate_splat(spmd::ValueRef v, int64_t device) const; // the one element
  int64_t arena_bytes(int64_t device) const { return arena_bytes_[class_of_[static_cast<size_t>(device)]]; }

  // Arguments read from the caller's array need no copy; the others are copied to the arena before the first step.
  bool is_in_place(uint32_t argument) const { return in_place_argument_[argument]; }

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
  };

  void find_storages();
  void find_lifetimes();
  void settle_variables();
  bool is_free(uint32_t home, const Loop &loop, uint32_t time, spmd::ValueRef made) const;
  bool reads_by_index(const Step &step, uint32_t storage) const;
  bool updates(const Step &step, uint32_t storage) const;
  void reuse_operands(const std::vector<bool> &in_place);
  void place();
  bool can_take_over(uint32_t storage, spmd::ValueRef operand, spmd::ValueRef result, uint32_t time) const;
  void touch(spmd::ValueRef v, uint32_t time);
  int64_t bytes(const Storage &s, int64_t device) const;
  uint32_t storage_of(spmd::ValueRef v) const;
  void move_into(uint32_t storage, uint32_t old);

  const spmd::Program &program_;
  const Layouts &layouts_;
  const Schedule &schedule_;
  std::vector<Storage> storages_;
  std::vector<uint32_t> storage_of_; // by root value, as first given; kNone where nothing is stored
  std::vector<uint32_t> splat_storage_;
  std::vector<bool> in_place_argument_;
  std::vector<size_t> class_of_;              // devices with equal tiles share a layout of their arenas
  std::vector<std::vector<int64_t>> offsets_; // by class, by storage
  std::vector<int64_t> arena_bytes_;          // by class
};

} // namespace tw::runtime
