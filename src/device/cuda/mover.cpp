// SPDX-License-Identifier: Apache-2.0
// What each taker moves in each round.
#include "device/cuda/mover.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "comm/local/by_taker.hpp"
#include "device/cuda/gpus.hpp"
#include "device/cuda/taker_move.hpp"

namespace tw::device::cuda {
namespace {

int64_t beside(int64_t bytes) { return kernels::aligned(bytes); }

class CudaMover final : public Mover {
public:
  CudaMover(std::unique_ptr<comm::ByTaker> moves, std::vector<std::shared_ptr<Gpu>> gpus)
      : moves_(std::move(moves)), gpus_(std::move(gpus)), taken_(moves_->num_rounds()),
        kernel_staging_(gpus_.size(), 0) {
    for (auto &of_round : taken_)
      of_round.resize(gpus_.size());
  }

  size_t num_rounds() const override { return moves_->num_rounds(); }
  std::span<const sharding::Position> sources(size_t round, sharding::Position taker) const override {
    return moves_->sources(round, taker);
  }
  bool may_run_in_place() const override { return moves_->may_run_in_place(); }
  int64_t staging_bytes(sharding::Position taker) const override {
    return beside(moves_->staging_bytes(taker)) + kernel_staging_[static_cast<size_t>(taker)];
  }
  void give_staging(sharding::Position taker, std::byte *staging) override {
    moves_->give_staging(taker, staging);
    for (auto &of_round : taken_)
      of_round[static_cast<size_t>(taker)].give_staging(staging + beside(moves_->staging_bytes(taker)));
  }
  void move(Queue &queue, size_t round, sharding::Position taker, comm::SourceTiles src,
            comm::TargetTiles dst, Origin origin) const override;

  OnHost on_host() const override {
    OnHost all;
    for (const auto &of_round : taken_)
      for (const TakerMove &taken : of_round)
        if (auto why = taken.why_on_host()) {
          ++all.rounds;
          all.bytes += taken.bytes();
          if (all.reason.empty())
            all.reason = std::move(*why);
        }
    return all;
  }

  // What is moved in a round.
  void add(size_t round, std::span<const MovedArray> arrays, const std::optional<MovedRegion> &region);

private:
  std::unique_ptr<comm::ByTaker> moves_;
  std::vector<std::shared_ptr<Gpu>> gpus_;    // by position; null: of another process
  std::vector<std::vector<TakerMove>> taken_; // by round, by taker
  std::vector<int64_t> kernel_staging_;       // by taker
};

Result<std::vector<std::shared_ptr<Gpu>>> gpus_of(std::span<const int32_t> numbers) {
  std::vector<std::shared_ptr<Gpu>> gpus;
  for (const int32_t number : numbers) {
    if (number < 0) {
      gpus.push_back(nullptr);
      continue;
    }
    TW_ASSIGN(auto gpu, find_gpu(number));
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

void CudaMover::add(size_t round, std::span<const MovedArray> arrays,
                    const std::optional<MovedRegion> &region) {
  for (size_t taker = 0; taker < gpus_.size(); ++taker) {
    if (gpus_[taker] == nullptr)
      continue;
    TakerMove &taken = taken_[round][taker];
    taken = TakerMove(arrays, region, taker, gpus_);
    kernel_staging_[taker] = std::max(kernel_staging_[taker], taken.staging_bytes());
  }
}

void CudaMover::move(Queue &queue, size_t round, sharding::Position taker, comm::SourceTiles src,
                     comm::TargetTiles dst, Origin origin) const {
  const TakerMove &taken = taken_[round][static_cast<size_t>(taker)];
  if (taken.is_empty())
    return;
  const comm::ByTaker::Tiles tiles = moves_->tiles(round, src, dst);
  taken.enqueue(static_cast<CudaQueue &>(queue), tiles.src, tiles.dst, origin,
                [this, round, taker](std::span<const void *const> from, std::span<void *const> to) {
                  moves_->run(round, taker, {{from.begin(), from.end()}, {to.begin(), to.end()}});
                });
}

} // namespace

Result<std::unique_ptr<Mover>> make_mover(std::span<const comm::Transfer> transfers,
                                          std::span<const int32_t> gpus) {
  TW_ASSIGN(auto moves, comm::ByTaker::prepare(transfers));
  TW_ASSIGN(const comm::Rounds rounds, comm::rounds_of(transfers));
  TW_ASSIGN(auto of_devices, gpus_of(gpus));
  const size_t num_rounds = moves->num_rounds();
  auto mover = std::make_unique<CudaMover>(std::move(moves), std::move(of_devices));
  size_t buffers = 0;
  for (const auto &of_array : rounds)
    buffers = std::max(buffers, of_array[0].buffers.size());
  if (num_rounds == 1 && buffers <= 2)
    buffers = 1; // the movers take tiles as they are given
  for (size_t r = 0; r < num_rounds; ++r) {
    std::vector<comm::ArrayStep> nothing;
    nothing.reserve(rounds.size());
    std::vector<MovedArray> arrays;
    for (size_t a = 0; a < rounds.size(); ++a) {
      const comm::ArrayStep *move = r < rounds[a].size() ? &rounds[a][r] : nullptr;
      if (move == nullptr)
        move = &nothing.emplace_back(comm::nothing_like(rounds[a][0]));
      arrays.push_back({move, move->element_size, buffers * move->buffers[0].num_devices(),
                        transfers[a].move.problem().type().dtype, transfers[a].move.problem().reduction()});
    }
    mover->add(r, arrays, std::nullopt);
  }
  return mover;
}

Result<std::unique_ptr<Mover>> make_mover(const comm::RegionReduce &reduce, std::span<const int32_t> gpus) {
  TW_ASSIGN(auto moves, comm::ByTaker::prepare(reduce));
  TW_ASSIGN(auto of_devices, gpus_of(gpus));
  const comm::ArrayStep move = comm::step_of(reduce);
  auto mover = std::make_unique<CudaMover>(std::move(moves), std::move(of_devices));
  std::vector<MovedArray> arrays;
  for (const graph::TensorType &type : reduce.types)
    arrays.push_back({&move, static_cast<int64_t>(graph::byte_size(type.dtype)),
                      move.buffers[0].num_devices(), type.dtype});
  mover->add(0, arrays, std::optional(moved_region(reduce)));
  return mover;
}

} // namespace tw::device::cuda
