// SPDX-License-Identifier: Apache-2.0
// Finds which tiles a taker needs in each round, and how large they are.
#include "device/cuda/mover.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "comm/local/by_taker.hpp"
#include "device/cuda/gpus.hpp"
#include "device/cuda/queue.hpp"

namespace tw::device::cuda {
namespace {

// A tile of a call, by its place in what ByTaker takes.
struct Slot {
  size_t index, bytes;
  size_t device;
};
struct Taken {
  std::vector<Slot> read, written;
};

class CudaMover final : public Mover {
public:
  CudaMover(std::unique_ptr<comm::ByTaker> moves, std::vector<std::shared_ptr<Gpu>> gpus)
      : moves_(std::move(moves)), gpus_(std::move(gpus)) {}

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
            comm::TargetTiles dst, Origin origin) const override;

  // What an array moves in a round. `slots`: places of sources that an array has.
  void add(size_t round, size_t array, const comm::Move &move, int64_t element_size, size_t slots);

private:
  std::unique_ptr<comm::ByTaker> moves_;
  std::vector<std::shared_ptr<Gpu>> gpus_; // by position
  std::vector<std::vector<Taken>> taken_;  // by round, by taker
};

Result<std::vector<std::shared_ptr<Gpu>>> gpus_of(std::span<const int32_t> numbers) {
  std::vector<std::shared_ptr<Gpu>> gpus;
  for (const int32_t number : numbers) {
    TW_ASSIGN(auto gpu, find_gpu(number));
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

void CudaMover::add(size_t round, size_t array, const comm::Move &move, int64_t element_size, size_t slots) {
  const redistribute::Step &step = move.step;
  const size_t devices = move.buffers[0].num_devices();
  taken_.resize(std::max(taken_.size(), round + 1));
  taken_[round].resize(devices);
  const auto bytes = [&](uint32_t buffer, redistribute::Device d) {
    return static_cast<size_t>(move.buffers[buffer].elements(d) * element_size);
  };
  for (size_t d = 0; d < devices; ++d) {
    // Who receives nothing may share its tile with one that does.
    if (step.first_piece[d] == step.first_piece[d + 1])
      continue;
    Taken &taken = taken_[round][d];
    for (size_t s = step.first_source[step.first_piece[d]]; s < step.first_source[step.first_piece[d + 1]];
         ++s) {
      const auto &source = step.sources[s];
      const size_t index = array * slots + source.buffer * devices + static_cast<size_t>(source.device);
      if (std::ranges::find(taken.read, index, &Slot::index) == taken.read.end())
        taken.read.push_back(
            {index, bytes(source.buffer, source.device), static_cast<size_t>(source.device)});
    }
    taken.written.push_back(
        {array * devices + d, bytes(step.target, static_cast<redistribute::Device>(d)), d});
  }
}

void CudaMover::move(Queue &queue, size_t round, sharding::Position taker, comm::SourceTiles src,
                     comm::TargetTiles dst, Origin origin) const {
  const comm::ByTaker::Tiles tiles = moves_->tiles(round, src, dst);
  const Taken &taken = taken_[round][static_cast<size_t>(taker)];
  std::vector<DeviceTile> read, written;
  if (taken.written.empty())
    return;
  const Gpu &own = *gpus_[static_cast<size_t>(taker)];
  for (const Slot &slot : taken.read) {
    const Gpu &from = *gpus_[slot.device];
    read.push_back(
        {const_cast<void *>(tiles.src[slot.index]), slot.bytes, reaches(own, from) ? nullptr : &from});
  }
  for (const Slot &slot : taken.written)
    written.push_back({tiles.dst[slot.index], slot.bytes});
  const size_t num_src = tiles.src.size(), num_dst = tiles.dst.size();
  static_cast<CudaQueue &>(queue).on_host(
      origin, "move", read, written,
      [this, &taken, round, taker, num_src, num_dst](std::span<void *const> copies) -> Status {
        comm::ByTaker::Tiles here{std::vector<const void *>(num_src), std::vector<void *>(num_dst)};
        for (size_t i = 0; i < taken.read.size(); ++i)
          here.src[taken.read[i].index] = copies[i];
        for (size_t i = 0; i < taken.written.size(); ++i)
          here.dst[taken.written[i].index] = copies[taken.read.size() + i];
        moves_->run(round, taker, here);
        return {};
      });
}

} // namespace

Result<std::unique_ptr<Mover>> make_mover(std::span<const comm::Transfer> transfers,
                                          std::span<const int32_t> gpus) {
  TW_ASSIGN(auto moves, comm::ByTaker::prepare(transfers));
  TW_ASSIGN(const comm::Rounds rounds, comm::rounds_of(transfers));
  const size_t num_rounds = moves->num_rounds();
  TW_ASSIGN(auto of_devices, gpus_of(gpus));
  auto mover = std::make_unique<CudaMover>(std::move(moves), std::move(of_devices));
  size_t slots = 1;
  for (const auto &of_array : rounds)
    slots = std::max(slots, num_rounds > 1 ? of_array[0].buffers.size() : 1);
  for (size_t a = 0; a < rounds.size(); ++a)
    for (size_t r = 0; r < num_rounds; ++r) {
      const comm::Move move = r < rounds[a].size() ? rounds[a][r] : comm::nothing_like(rounds[a][0]);
      mover->add(r, a, move, move.element_size, slots * move.buffers[0].num_devices());
    }
  return mover;
}

Result<std::unique_ptr<Mover>> make_mover(const comm::RegionReduce &reduce, std::span<const int32_t> gpus) {
  TW_ASSIGN(auto moves, comm::ByTaker::prepare(reduce));
  const comm::Move move = comm::move_of(reduce);
  TW_ASSIGN(auto of_devices, gpus_of(gpus));
  auto mover = std::make_unique<CudaMover>(std::move(moves), std::move(of_devices));
  for (size_t a = 0; a < reduce.types.size(); ++a)
    mover->add(0, a, move, static_cast<int64_t>(graph::byte_size(reduce.types[a].dtype)),
               move.buffers[0].num_devices());
  return mover;
}

} // namespace tw::device::cuda
