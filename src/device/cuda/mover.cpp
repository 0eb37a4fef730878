// SPDX-License-Identifier: Apache-2.0
// A kernel for each taker and round. Where there is none, finds which tiles the host needs copies of.
#include "device/cuda/mover.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "comm/local/by_taker.hpp"
#include "device/cuda/gpus.hpp"
#include "device/cuda/move_kernel.hpp"
#include "device/cuda/queue.hpp"

namespace tw::device::cuda {
namespace {

// A tile of a call, by its place in what ByTaker takes.
struct Slot {
  size_t index, bytes;
  size_t device;
};
// What a device receives in a round.
struct Taken {
  std::unique_ptr<MoveKernel> kernel; // null: the host does it
  std::vector<Slot> read, written;    // whole tiles
  std::string why;                    // there is none
};

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
      if (const auto &kernel = of_round[static_cast<size_t>(taker)].kernel)
        kernel->give_staging(staging + beside(moves_->staging_bytes(taker)));
  }
  void move(Queue &queue, size_t round, sharding::Position taker, comm::SourceTiles src,
            comm::TargetTiles dst, Origin origin) const override;

  OnHost on_host() const override {
    OnHost all;
    for (const auto &of_round : taken_)
      for (const Taken &taken : of_round) {
        const auto refused = taken.kernel != nullptr ? taken.kernel->refusal() : std::nullopt;
        if (taken.written.empty() || (taken.kernel != nullptr && !refused))
          continue;
        ++all.rounds;
        for (const auto *slots : {&taken.read, &taken.written})
          for (const Slot &slot : *slots)
            all.bytes += static_cast<int64_t>(slot.bytes);
        if (all.reason.empty())
          all.reason = refused.value_or(taken.why);
      }
    return all;
  }

  // What is moved in a round.
  void add(size_t round, std::span<const MovedArray> arrays, const std::optional<MovedRegion> &region);

private:
  void add_tiles(Taken &taken, size_t array, const MovedArray &moved, size_t taker) const;
  void move_on_host(CudaQueue &queue, size_t round, sharding::Position taker,
                    const comm::ByTaker::Tiles &tiles, Origin origin) const;

  std::unique_ptr<comm::ByTaker> moves_;
  std::vector<std::shared_ptr<Gpu>> gpus_; // by position; null: of another process
  std::vector<std::vector<Taken>> taken_;  // by round, by taker
  std::vector<int64_t> kernel_staging_;    // by taker
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

void CudaMover::add_tiles(Taken &taken, size_t array, const MovedArray &moved, size_t taker) const {
  const comm::Move &move = *moved.move;
  const redistribute::Step &step = move.step;
  const size_t devices = move.buffers[0].num_devices();
  // Who receives nothing may share its tile with one that does.
  if (step.first_piece[taker] == step.first_piece[taker + 1])
    return;
  const auto bytes = [&](uint32_t buffer, redistribute::Device d) {
    return static_cast<size_t>(move.buffers[buffer].elements(d) * moved.element_size);
  };
  for (size_t s = step.first_source[step.first_piece[taker]];
       s < step.first_source[step.first_piece[taker + 1]]; ++s) {
    const auto &source = step.sources[s];
    const size_t index = array * moved.slots + source.buffer * devices + static_cast<size_t>(source.device);
    if (std::ranges::find(taken.read, index, &Slot::index) == taken.read.end())
      taken.read.push_back({index, bytes(source.buffer, source.device), static_cast<size_t>(source.device)});
  }
  taken.written.push_back(
      {array * devices + taker, bytes(step.target, static_cast<redistribute::Device>(taker)), taker});
}

void CudaMover::add(size_t round, std::span<const MovedArray> arrays,
                    const std::optional<MovedRegion> &region) {
  for (size_t taker = 0; taker < gpus_.size(); ++taker) {
    if (gpus_[taker] == nullptr)
      continue;
    Taken &taken = taken_[round][taker];
    for (size_t a = 0; a < arrays.size(); ++a)
      add_tiles(taken, a, arrays[a], taker);
    auto kernel = MoveKernel::make(arrays, region, taker, gpus_);
    if (!kernel) {
      taken.why = kernel.error().message();
    } else if (*kernel != nullptr) {
      kernel_staging_[taker] = std::max(kernel_staging_[taker], (*kernel)->staging_bytes());
      taken.kernel = std::move(*kernel);
    }
  }
}

void CudaMover::move(Queue &queue, size_t round, sharding::Position taker, comm::SourceTiles src,
                     comm::TargetTiles dst, Origin origin) const {
  const Taken &taken = taken_[round][static_cast<size_t>(taker)];
  if (taken.written.empty())
    return;
  const comm::ByTaker::Tiles tiles = moves_->tiles(round, src, dst);
  if (taken.kernel == nullptr || taken.kernel->refusal())
    return move_on_host(static_cast<CudaQueue &>(queue), round, taker, tiles, origin);
  queue.launch(*taken.kernel, taken.kernel->operands(tiles.src), taken.kernel->results(tiles.dst), origin);
}

void CudaMover::move_on_host(CudaQueue &queue, size_t round, sharding::Position taker,
                             const comm::ByTaker::Tiles &tiles, Origin origin) const {
  const Taken &taken = taken_[round][static_cast<size_t>(taker)];
  std::vector<DeviceTile> read, written;
  const Gpu &own = *gpus_[static_cast<size_t>(taker)];
  for (const Slot &slot : taken.read) {
    const Gpu &from = *gpus_[slot.device];
    read.push_back(
        {const_cast<void *>(tiles.src[slot.index]), slot.bytes, reaches(own, from) ? nullptr : &from});
  }
  for (const Slot &slot : taken.written)
    written.push_back({tiles.dst[slot.index], slot.bytes});
  const size_t num_src = tiles.src.size(), num_dst = tiles.dst.size();
  queue.on_host(origin, "host:move", read, written,
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
  TW_ASSIGN(auto of_devices, gpus_of(gpus));
  const size_t num_rounds = moves->num_rounds();
  auto mover = std::make_unique<CudaMover>(std::move(moves), std::move(of_devices));
  size_t buffers = 1;
  for (const auto &of_array : rounds)
    buffers = std::max(buffers, num_rounds > 1 ? of_array[0].buffers.size() : 1);
  for (size_t r = 0; r < num_rounds; ++r) {
    std::vector<comm::Move> nothing;
    nothing.reserve(rounds.size());
    std::vector<MovedArray> arrays;
    for (size_t a = 0; a < rounds.size(); ++a) {
      const comm::Move *move = r < rounds[a].size() ? &rounds[a][r] : nullptr;
      if (move == nullptr)
        move = &nothing.emplace_back(comm::nothing_like(rounds[a][0]));
      arrays.push_back({move, move->element_size, buffers * move->buffers[0].num_devices(),
                        transfers[a].problem.type().dtype, transfers[a].problem.reduction()});
    }
    mover->add(r, arrays, std::nullopt);
  }
  return mover;
}

Result<std::unique_ptr<Mover>> make_mover(const comm::RegionReduce &reduce, std::span<const int32_t> gpus) {
  TW_ASSIGN(auto moves, comm::ByTaker::prepare(reduce));
  TW_ASSIGN(auto of_devices, gpus_of(gpus));
  const comm::Move move = comm::move_of(reduce);
  auto mover = std::make_unique<CudaMover>(std::move(moves), std::move(of_devices));
  std::vector<MovedArray> arrays;
  for (const graph::TensorType &type : reduce.types)
    arrays.push_back({&move, static_cast<int64_t>(graph::byte_size(type.dtype)),
                      move.buffers[0].num_devices(), type.dtype});
  auto region = kernels::generated::scalar_region(reduce.graph, reduce.region);
  MovedRegion how{region ? std::move(*region) : kernels::generated::ScalarRegion{}, reduce.rank};
  how.is_known = region.has_value();
  mover->add(0, arrays, std::optional<MovedRegion>(std::move(how)));
  return mover;
}

} // namespace tw::device::cuda
