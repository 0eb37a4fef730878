// SPDX-License-Identifier: Apache-2.0
// A device for tests, which needs no hardware: what is forgotten on the way to a GPU goes wrong here, on
// every machine. A host access to its memory faults, and whatever waits for too little finds wrong numbers
// under some seed.
#include "device/kind.hpp"

#include <array>
#include <utility>

#include "device/detached/memory.hpp"
#include "device/detached/queue.hpp"
#include "device/detached/recording.hpp"

namespace tw::device::detached {
namespace {

class DetachedMover final : public Mover {
public:
  explicit DetachedMover(std::unique_ptr<comm::ByTaker> moves) : moves_(std::move(moves)) {}
  size_t num_rounds() const override { return moves_->num_rounds(); }
  std::span<const sharding::Position> sources(size_t round, sharding::Position taker) const override {
    return moves_->sources(round, taker);
  }
  bool may_run_in_place() const override { return moves_->may_run_in_place(); }
  int64_t staging_bytes(sharding::Position taker) const override { return moves_->staging_bytes(taker); }
  void give_staging(sharding::Position taker, std::byte *staging) override {
    moves_->give_staging(taker, staging);
  }
  void move(Queue &queue, size_t round, sharding::Position taker, comm::SourceTiles src,
            comm::TargetTiles dst, Origin origin) const override {
    static_cast<DetachedQueue &>(queue).move(*moves_, round, taker, moves_->tiles(round, src, dst), origin);
  }

private:
  std::unique_ptr<comm::ByTaker> moves_;
};

Status refuse(const void *native) {
  if (native == nullptr)
    return {};
  return fail(Code::unimplemented, "TW-671",
              "detached devices know no streams and events of the program: ask for new ones");
}

class Detached final : public QueueKind {
public:
  const char *name() const override { return "detached"; }
  std::span<const kernels::Entry> kernels() const override {
    static const std::array entries{kernels::ref::reference_kernel::entry()};
    return entries;
  }
  Result<std::byte *> allocate(int32_t unit, size_t bytes, const Allocator &) const override {
    return memory().allocate(unit, bytes);
  }
  void free(int32_t, std::byte *block, size_t, const Allocator &) const override { memory().free(block); }

  // All devices together, as virtual devices of one GPU; each by itself, as on several; or two and two.
  Result<std::vector<int32_t>> place(int64_t devices, const Wish &wish) const override {
    std::vector<int32_t> units;
    if (wish.turn) {
      const auto turn = static_cast<size_t>(*wish.turn);
      const int32_t own =
          wish.units.empty() ? static_cast<int32_t>(turn) : wish.units[turn % wish.units.size()];
      return std::vector<int32_t>(static_cast<size_t>(devices), own);
    }
    for (int64_t d = 0; d < devices; ++d)
      units.push_back(!wish.units.empty()  ? wish.units[unit_of(d, devices, wish.units.size())]
                      : wish.seed % 3 == 1 ? static_cast<int32_t>(d)
                      : wish.seed % 3 == 2 ? static_cast<int32_t>(d / 2)
                                           : 0);
    return units;
  }
  Result<int64_t> num_units() const override { return 64; } // as many as meshes of tests want
  Result<std::unique_ptr<Queue>> make_stream(int32_t unit, void *native) const override {
    TW_TRY(refuse(native));
    return DetachedQueue::make(unit);
  }
  Result<std::unique_ptr<Event>> wrap_event(int32_t unit, void *native) const override {
    TW_TRY(refuse(native));
    return make_event(unit);
  }
  Status check_room(int32_t, size_t bytes) const override { return memory().check_room(bytes); }
  Result<std::unique_ptr<Queue>> make_queue(int32_t unit) const override { return DetachedQueue::make(unit); }
  std::unique_ptr<Event> make_event(int32_t) const override { return std::make_unique<DetachedEvent>(); }
  std::unique_ptr<Event> make_timed_event(int32_t unit) const override { return make_event(unit); }
  std::unique_ptr<Recording> make_recording(std::span<Queue *const> queues) const override {
    return std::make_unique<DetachedRecording>(queues);
  }
  Result<std::unique_ptr<Mover>> make_mover(std::span<const comm::Transfer> transfers,
                                            std::span<const int32_t>) const override {
    TW_ASSIGN(auto moves, comm::ByTaker::prepare(transfers));
    return std::make_unique<DetachedMover>(std::move(moves));
  }
  Result<std::unique_ptr<Mover>> make_mover(const comm::RegionReduce &reduce,
                                            std::span<const int32_t>) const override {
    TW_ASSIGN(auto moves, comm::ByTaker::prepare(reduce));
    return std::make_unique<DetachedMover>(std::move(moves));
  }
};

} // namespace

const Kind &kind() {
  static const Detached detached;
  return detached;
}

} // namespace tw::device::detached
