// SPDX-License-Identifier: Apache-2.0
// Binds a step of a mesh of all devices, of which those of this process have queues.
#include "runtime/queue_moves.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tw::runtime {

using redistribute::Device;

namespace {

constexpr int64_t kAlign = 64;

// Null bytes are none.
constexpr std::byte kZero[8] = {};

} // namespace

// Memory of the executor's queues is theirs until they have ended.
QueueMoves::~QueueMoves() {
  const bool lost =
      executor_ != nullptr && (executor_->is_stuck() || (executor_->steps()[0].collective != nullptr &&
                                                         executor_->steps()[0].collective->is_in_flight()));
  executor_.reset();
  for (device::Memory &memory : staging_)
    if (lost) // commands or messages may still reach it
      static_cast<void>(memory.release());
}

Result<std::unique_ptr<QueueMoves>> QueueMoves::prepare(std::span<const comm::Transfer> transfers,
                                                        const How &how) {
  std::unique_ptr<QueueMoves> made(new QueueMoves(how));
  const auto devices = static_cast<int64_t>(transfers[0].move.problem().num_devices());
  std::vector<BoundStep> steps;
  TW_ASSIGN(BoundStep step, made->make_step(transfers, how));
  steps.push_back(std::move(step));
  TW_ASSIGN(const sharding::Mesh mesh,
            sharding::Mesh::create({{.name = "device", .size = devices, .parent = "device"}}));
  std::vector<Position> positions;
  const comm::DeviceRange own = how.communicator->devices(devices);
  for (int64_t d = own.first; d < own.last; ++d)
    positions.emplace_back(d);
  QueueExecutor::How queues{how.delays, how.deadline};
  queues.crossing = how.crossing;
  if (how.communicator->is_shared())
    queues.processes = {how.communicator.get(), own, nullptr};
  made->executor_ = QueueExecutor::create(how.kind, std::move(steps), mesh, positions, how.units, queues);
  TW_TRY(made->executor_->open());
  TW_TRY(made->give_staging(how));
  made->tiles_.resize(2 * transfers.size() * static_cast<size_t>(devices));
  return made;
}

Result<BoundStep> QueueMoves::make_step(std::span<const comm::Transfer> transfers, const How &how) const {
  BoundStep step;
  if (how.communicator->is_shared()) {
    TW_ASSIGN(step.collective, how.communicator->prepare_alone(transfers));
  } else {
    TW_ASSIGN(step.mover, how.kind.make_mover(transfers, how.units));
  }
  const size_t arrays = transfers.size(), devices = transfers[0].move.problem().num_devices();
  step.num_operands = step.num_results = arrays;
  for (size_t d = 0; d < devices; ++d) {
    step.members.emplace_back(static_cast<int64_t>(d));
    for (size_t i = 0; i < 2 * arrays; ++i) {
      step.places.push_back({static_cast<uint32_t>(i * devices + d + 1), static_cast<uint32_t>(d), 0});
      const comm::Transfer &t = transfers[i % arrays];
      const redistribute::Placement &tiles =
          i < arrays ? t.move.plan().buffers.front() : t.move.plan().buffers.back();
      const bool has = i < arrays || has_own(t.owner, static_cast<Device>(d));
      step.tile_bytes.push_back(has ? tiles.elements(static_cast<Device>(d)) * t.move.problem().item_size()
                                    : 0);
    }
  }
  return step;
}

Result<std::byte *> QueueMoves::allocate(const device::Kind &kind, int32_t unit, int64_t bytes,
                                         const How &how) {
  if (bytes == 0)
    return nullptr;
  staging_bytes_ += bytes;
  TW_ASSIGN(auto memory, device::allocate(kind, unit, static_cast<size_t>(bytes), how.allocator));
  staging_.push_back(std::move(memory));
  return staging_.back().get();
}

// On the units, or where tiles land on the host.
Status QueueMoves::give_staging(const How &how) {
  const BoundStep &step = executor_->steps()[0];
  if (step.mover != nullptr) {
    for (const Position taker : step.members) {
      TW_ASSIGN(std::byte *const memory, allocate(kind_, how.units[static_cast<size_t>(taker)],
                                                  step.mover->staging_bytes(taker), how));
      if (memory != nullptr)
        step.mover->give_staging(taker, memory);
    }
    return {};
  }
  std::vector<int64_t> bytes{0};
  if (how.crossing == nullptr)
    bytes = executor_->lay_out_landings(0, {});
  else
    for (size_t g = 0; g < step.collective->num_groups(); ++g)
      if (!step.collective->members(g).empty())
        bytes[0] += (step.collective->staging_bytes(g) + kAlign - 1) / kAlign * kAlign;
  const bool on_host = how.crossing == nullptr;
  const auto first = static_cast<size_t>(how.communicator->devices(std::ssize(step.members)).first);
  TW_ASSIGN(std::byte * memory, allocate(on_host ? device::host_kind() : kind_,
                                         on_host ? 0 : how.units[std::min(first, how.units.size() - 1)],
                                         std::accumulate(bytes.begin(), bytes.end(), int64_t{0}), how));
  std::vector<std::byte *> begins;
  for (const int64_t n : bytes) {
    begins.push_back(memory);
    memory += n;
  }
  if (on_host)
    executor_->lay_out_landings(0, begins);
  std::byte *at = begins.back();
  for (size_t g = 0; g < step.collective->num_groups(); ++g)
    if (!step.collective->members(g).empty()) {
      TW_TRY(step.collective->give_staging(g, at));
      at += (step.collective->staging_bytes(g) + kAlign - 1) / kAlign * kAlign;
    }
  return {};
}

Status QueueMoves::run(comm::SourceTiles src, comm::TargetTiles dst) {
  for (size_t i = 0; i < src.size(); ++i) {
    tiles_[i] = const_cast<void *>(src[i]); // no step writes a source
    tiles_[src.size() + i] = dst[i];
  }
  Task task{{}, tiles_};
  if (auto failure = executor_->run(task))
    return fail(std::move(failure->error));
  return {};
}

void QueueMoves::clear(Device device, std::byte *at, size_t bytes) {
  if (bytes != 0)
    executor_->queue(Position(device)).fill(at, std::span(kZero).first(1), bytes);
}

Status QueueMoves::settle() {
  if (auto failure = executor_->settle())
    return fail(std::move(failure->error));
  return {};
}

} // namespace tw::runtime
