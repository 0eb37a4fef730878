// SPDX-License-Identifier: Apache-2.0
// Kinds of device. A kind gives memory and says which devices share it, and which kernels run there. Memory
// of the host kind is the host's own: workers run the steps on it. Memory of every other kind is reached by
// commands in queues alone (queue.hpp), and nothing else of the library reads or writes there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/allocator.hpp"
#include "base/status.hpp"
#include "comm/comm.hpp"
#include "device/crossing.hpp"
#include "kernels/bind.hpp"
#include "kernels/chain.hpp"
#include "kernels/fused.hpp"

namespace tw::device {

class QueueKind;

// A unit is what there is of a kind in this process, such as a GPU. Several devices of a mesh may be on one:
// those share an address space, so each of them may read and write what another one has. What an executable
// asks for when it wants devices:
struct Wish {
  std::span<const int32_t> units = {}; // these alone, in this order; empty: those that the kind chooses
  uint64_t seed = 0;                   // not 0: draws places, where the kind is there for tests
  // Of a process among several, which has all its devices on one unit: how many processes of its host choose
  // before it.
  std::optional<int64_t> turn = {};
};

// Device d of so many is on this one of `units` of them: blocks of devices, as equal as can be.
inline size_t unit_of(int64_t device, int64_t devices, size_t units) {
  const int64_t used = std::min(devices, static_cast<int64_t>(units));
  return static_cast<size_t>(device * used / devices);
}

class Kind {
public:
  virtual ~Kind() = default;
  virtual const char *name() const = 0;
  virtual const QueueKind *as_queues() const { return nullptr; } // null: the host's own

  // The kernels that its devices run, in order: the first that accepts wins.
  virtual std::span<const kernels::Entry> kernels() const = 0;

  // Of the unit at least `bytes`, which is not 0, aligned to a page, with any content; an error says how many
  // were asked for and how many are free. `allocator` is the host's, for kinds whose memory is.
  virtual Result<std::byte *> allocate(int32_t unit, size_t bytes, const Allocator &allocator) const = 0;
  virtual void free(int32_t unit, std::byte *memory, size_t bytes, const Allocator &allocator) const = 0;
};

// A kind whose devices run what is put into their queues.
class QueueKind : public Kind {
public:
  const QueueKind *as_queues() const final { return this; }

  // On which unit each of so many devices of this process is.
  virtual Result<std::vector<int32_t>> place(int64_t devices, const Wish &wish) const = 0;
  virtual Result<int64_t> num_units() const = 0;
  // A queue for copies and events of the program. `native`: one that the program has, by the name that the
  // kind's own library gives it; null: a new one.
  virtual Result<std::unique_ptr<Queue>> make_stream(int32_t unit, void *native) const = 0;
  virtual Result<std::unique_ptr<Event>> wrap_event(int32_t unit, void *native) const = 0; // the program's
  // An error says how many bytes are asked for, and how many are free; nothing is allocated.
  virtual Status check_room(int32_t unit, size_t bytes) const = 0;
  virtual Result<std::unique_ptr<Queue>> make_queue(int32_t unit) const = 0;
  // What each takes of the unit's memory.
  virtual size_t queue_bytes() const { return 0; }
  // Recorded by queues of that unit; those of any unit may wait for it.
  virtual std::unique_ptr<Event> make_event(int32_t unit) const = 0;
  virtual std::unique_ptr<Event> make_timed_event(int32_t unit) const = 0; // for Event::nanoseconds_since
  // For commands of these queues, in any order between them; null: the kind records nothing.
  virtual std::unique_ptr<Recording> make_recording(std::span<Queue *const> queues) const = 0;
  // What moves between the devices of this process. `units`: theirs, by device of the transfers; less
  // than 0 for devices of other processes.
  virtual Result<std::unique_ptr<Mover>> make_mover(std::span<const comm::Transfer> transfers,
                                                    std::span<const int32_t> units) const = 0;
  virtual Result<std::unique_ptr<Mover>> make_mover(const comm::RegionReduce &reduce,
                                                    std::span<const int32_t> units) const = 0;
  // How processes with devices of this kind exchange; without a way of the kind's own, by memory of the host.
  virtual Result<Crossing> cross(const CrossingWish &wish) const;
  // What a device runs in place of a kernel of the host, whose memory it does not share: of the tile of each
  // operand, then of each result, the bytes. Null: it runs that kernel as it is. The kernel must outlive it.
  virtual std::unique_ptr<kernels::Kernel> adapt(const kernels::Kernel & /*kernel*/,
                                                 std::vector<int64_t> /*bytes*/) const {
    return nullptr;
  }
  // Kernels of steps that are no single op; null: the host's take them, adapted. A chain has members that the
  // kind runs as they are or as `adapt` gives them, bound for blocks of rows of so many bytes; 0: it binds
  // none.
  virtual std::unique_ptr<kernels::Kernel> bind_fused(const kernels::FusedRequest & /*request*/) const {
    return nullptr;
  }
  virtual int64_t chain_block_bytes() const { return 0; }
  virtual std::unique_ptr<kernels::Kernel> bind_chain(kernels::ChainRequest /*request*/) const {
    return nullptr;
  }
  // One kernel for all of a chain. It may lie over an operand as the chain may.
  virtual std::unique_ptr<kernels::Kernel>
  bind_row_chain(const kernels::RowChainRequest & /*request*/) const {
    return nullptr;
  }
  // A product and a group that alone reads what it makes, as one kernel with the bits of the two. Operands:
  // those of the product, then the group's inputs but for number `made`. Its result may lie over one of these
  // that has the result's elements and is read element by element.
  virtual std::unique_ptr<kernels::Kernel> bind_product(const kernels::Request & /*product*/,
                                                        const kernels::FusedRequest & /*group*/,
                                                        uint32_t /*made*/) const {
    return nullptr;
  }
  // Copies operand i to result i, `bytes[i]`, unless it lies there.
  virtual std::unique_ptr<kernels::Kernel> bind_copies(std::span<const int64_t> /*bytes*/) const {
    return nullptr;
  }
  // Operands that hold one box of an array go into a result that holds a box around it: combined in their
  // order, and `onto` what is there, where there is a kind; else there is one operand.
  struct Accumulation {
    sharding::Box part, whole;
    graph::DType dtype;
    std::optional<sharding::Reduction> kind;
    size_t operands;
    bool onto;
  };
  virtual std::unique_ptr<kernels::Kernel> bind_accumulation(const Accumulation & /*wanted*/) const {
    return nullptr;
  }
  // Why ops of this name run on the host.
  virtual std::string why_on_host(std::string_view /*op*/) const { return ""; }
  // Makes kernels that were bound ready to run on these units, all together: compiles them, say. False: some
  // will never be, so all have to be bound again, and the kind declines those requests then.
  virtual Result<bool> make_ready(std::span<const std::unique_ptr<kernels::Kernel>> /*kernels*/,
                                  std::span<const int32_t> /*units*/) const {
    return true;
  }
};

const Kind &host_kind();
Result<const Kind *> find_kind(std::string_view name);
std::vector<std::string_view> kind_names();

// Memory of a kind that ends with its owner.
struct Free {
  const Kind *kind = nullptr;
  int32_t unit = 0;
  size_t bytes = 0;
  Allocator allocator = {};
  void operator()(std::byte *memory) const { kind->free(unit, memory, bytes, allocator); }
};
using Memory = std::unique_ptr<std::byte, Free>;
Result<Memory> allocate(const Kind &kind, int32_t unit, size_t bytes, const Allocator &allocator);

#define TW_DEVICE(name, file)                                                                                \
  namespace name {                                                                                           \
  const Kind &file();                                                                                        \
  }
#include "device/kind_list.inc"
#undef TW_DEVICE

} // namespace tw::device
