// SPDX-License-Identifier: Apache-2.0
// Work is kernels of one queue, one after the other: a taker's each, and one for the boxes that are packed.
// Where no kernel can be made the host does it, on copies of what is read.
#include "device/cuda/nccl_device.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "comm/local/region_reduce.hpp"
#include "comm/local/step_work.hpp"
#include "device/cuda/generated.hpp"
#include "device/cuda/taker_move.hpp"
#include "kernels/cpu/copy.hpp"
#include "ops/strided.hpp"

namespace tw::device::cuda {
namespace {

namespace nccl = comm::nccl;
using kernels::BoxMove;
using kernels::cpu::CopyPlan;

// Boxes of tiles, dense one after the other in other memory.
class PackWork final : public nccl::Work {
public:
  PackWork(std::shared_ptr<CudaQueue> queue, std::vector<nccl::BoxCopy> copies);
  Status enqueue(comm::SourceTiles src, comm::TargetTiles dst) const override;

private:
  std::unique_ptr<CompiledKernel> make_kernel();
  void by_host(comm::SourceTiles src, comm::TargetTiles dst) const;

  const std::shared_ptr<CudaQueue> queue_;
  const std::vector<nccl::BoxCopy> copies_;
  std::vector<CopyPlan> plans_;            // by copy
  std::vector<size_t> reads_;              // by operand of the kernel: which source tile
  std::vector<size_t> writes_;             // by result: which target
  std::unique_ptr<CompiledKernel> kernel_; // null: the host does it
};

PackWork::PackWork(std::shared_ptr<CudaQueue> queue, std::vector<nccl::BoxCopy> copies)
    : queue_(std::move(queue)), copies_(std::move(copies)) {
  for (const nccl::BoxCopy &c : copies_)
    plans_.emplace_back(c.extent, c.strides, ops::dense_strides(c.extent), c.element_size,
                        CopyPlan::Stream::never);
  kernel_ = make_kernel();
}

std::unique_ptr<CompiledKernel> PackWork::make_kernel() {
  constexpr int64_t kAligned = 16;
  const auto number = [](std::vector<size_t> &all, size_t of) {
    const auto found = std::ranges::find(all, of);
    if (found != all.end())
      return static_cast<size_t>(found - all.begin());
    all.push_back(of);
    return all.size() - 1;
  };
  struct Together {
    std::vector<BoxMove> moves;
    std::vector<size_t> operands; // of the kernel
  };
  std::map<std::pair<size_t, int64_t>, Together> parts; // by target and bytes of an element
  for (const nccl::BoxCopy &c : copies_) {
    Together &part = parts[{number(writes_, c.dst), c.element_size}];
    const size_t operand = number(part.operands, number(reads_, c.src));
    part.moves.push_back({static_cast<uint32_t>(operand), c.extent, c.src_offset / c.element_size,
                          c.dst_offset / c.element_size, c.strides, ops::dense_strides(c.extent)});
  }
  KernelPlan plan{"pack", {}};
  for (const auto &[key, part] : parts) {
    std::vector<Place> operands;
    for (const size_t operand : part.operands)
      operands.push_back({Place::Where::operand, static_cast<int64_t>(operand)});
    const Place result{Place::Where::result, static_cast<int64_t>(key.first)};
    plan.parts.push_back(box_part(plan, part.moves, operands, result, key.second, kAligned));
    plan.anywhere.push_back(box_part(plan, part.moves, operands, result, key.second, key.second));
  }
  auto made = CompiledKernel::make(std::move(plan));
  return made ? std::move(*made) : nullptr;
}

Status PackWork::enqueue(comm::SourceTiles src, comm::TargetTiles dst) const {
  if (kernel_ == nullptr || kernel_->refusal()) {
    by_host(src, dst);
    return {};
  }
  std::vector<const void *> operands;
  std::vector<void *> results;
  for (const size_t tile : reads_)
    operands.push_back(src[tile]);
  for (const size_t target : writes_)
    results.push_back(dst[target]);
  queue_->launch(*kernel_, operands, results, {});
  return {};
}

void PackWork::by_host(comm::SourceTiles src, comm::TargetTiles dst) const {
  std::vector<DeviceTile> read, written;
  for (size_t i = 0; i < copies_.size(); ++i) {
    const nccl::BoxCopy &c = copies_[i];
    const CopyPlan::Reach reach = plans_[i].source();
    auto *from = static_cast<std::byte *>(const_cast<void *>(src[c.src])) + c.src_offset + reach.offset;
    read.push_back({from, static_cast<size_t>(reach.bytes)});
    written.push_back(
        {static_cast<std::byte *>(dst[c.dst]) + c.dst_offset, static_cast<size_t>(plans_[i].bytes())});
  }
  queue_->on_host({}, "host:pack", read, written, [this](std::span<void *const> copies) -> Status {
    for (size_t i = 0; i < copies_.size(); ++i)
      plans_[i].run(static_cast<std::byte *>(copies[i]) - plans_[i].source().offset,
                    copies[copies_.size() + i]);
    return {};
  });
}

// What the devices of this process take, one after the other.
class TakerWork final : public nccl::Work {
public:
  using ByHost = std::function<void(size_t taker, comm::SourceTiles src, comm::TargetTiles dst)>;
  TakerWork(std::shared_ptr<CudaQueue> queue, ByHost by_host)
      : queue_(std::move(queue)), by_host_(std::move(by_host)) {}

  void add(std::span<const MovedArray> arrays, const std::optional<MovedRegion> &region,
           const std::vector<std::vector<comm::Position>> &groups) {
    const size_t devices = arrays[0].move->buffers[0].num_devices();
    // What came from another process lies here too.
    const std::vector<std::shared_ptr<Gpu>> gpus(devices, queue_->shared_gpu());
    for (const auto &members : groups)
      for (const comm::Position member : members)
        if (TakerMove move(arrays, region, static_cast<size_t>(member), gpus); !move.is_empty())
          takers_.emplace_back(static_cast<size_t>(member), std::move(move));
  }

  Status enqueue(comm::SourceTiles src, comm::TargetTiles dst) const override {
    for (const auto &[taker, move] : takers_)
      move.enqueue(*queue_, src, dst, {},
                   [this, number = taker](std::span<const void *const> from, std::span<void *const> to) {
                     by_host_(number, from, to);
                   });
    return {};
  }

private:
  const std::shared_ptr<CudaQueue> queue_;
  const ByHost by_host_;
  std::vector<std::pair<size_t, TakerMove>> takers_;
};

class NcclDevice final : public nccl::Device {
public:
  NcclDevice(std::shared_ptr<CudaQueue> queue, std::string id)
      : queue_(std::move(queue)), id_(std::move(id)) {}

  std::string id() const override { return id_; }
  void enter() override { queue_->gpu().table().enter(queue_->gpu().handle()); }
  void leave() override { queue_->gpu().table().leave(queue_->gpu().handle()); }
  void *stream() const override { return queue_->native(); }

  // Takers come one after the other: none may read what another one has written over.
  bool runs_in_place(const comm::ArrayStep &move) const override;
  Result<std::unique_ptr<nccl::Work>> make_copies(std::vector<nccl::BoxCopy> copies) override {
    return std::make_unique<PackWork>(queue_, std::move(copies));
  }
  Result<std::unique_ptr<nccl::Work>> make_moves(nccl::LocalMoves moves) override;
  Result<std::unique_ptr<nccl::Work>> make_reduce(nccl::LocalReduce given) override;

  Result<uint64_t> mark() override;
  Result<bool> has_reached(uint64_t mark) override;

private:
  const std::shared_ptr<CudaQueue> queue_;
  const std::string id_;
  std::deque<std::unique_ptr<CudaEvent>> marks_; // the last of them is number `last_`
  std::vector<std::unique_ptr<CudaEvent>> spare_;
  uint64_t last_ = 0;
};

bool NcclDevice::runs_in_place(const comm::ArrayStep &move) const {
  const redistribute::Step &step = move.step;
  for (size_t taker = 0; taker + 1 < step.first_piece.size(); ++taker)
    for (size_t p = step.first_piece[taker]; p < step.first_piece[taker + 1]; ++p)
      for (const redistribute::Source &source : step.sources_of(p))
        if (source.buffer == 0 && static_cast<size_t>(source.device) != taker)
          return false;
  return true;
}

Result<std::unique_ptr<nccl::Work>> NcclDevice::make_moves(nccl::LocalMoves given) {
  const auto moves = std::make_shared<const nccl::LocalMoves>(std::move(given));
  const size_t devices = moves->moves[0].buffers[0].num_devices();
  const auto works = std::make_shared<comm::StepWorks>(moves->slots, devices);
  const comm::Groups alone = comm::each_alone(devices);
  std::vector<MovedArray> arrays;
  for (const comm::ArrayStep &move : moves->moves) {
    works->add(comm::work_of(move, alone, comm::bytes_written(move)));
    arrays.push_back({&move, move.element_size, moves->slots, move.combine.dtype, move.combine.kind});
  }
  auto made = std::make_unique<TakerWork>(
      queue_, [works](size_t taker, comm::SourceTiles src, comm::TargetTiles dst) {
        for (int64_t part = 0; part < works->parts(taker); ++part)
          works->run(taker, part, src, dst);
      });
  made->add(arrays, std::nullopt, moves->groups);
  return made;
}

Result<std::unique_ptr<nccl::Work>> NcclDevice::make_reduce(nccl::LocalReduce given) {
  const size_t devices = given.move.buffers[0].num_devices();
  TW_ASSIGN(auto made_on_host,
            comm::make_region_reduce(given.reduce, given.move, comm::each_alone(devices), given.slots));
  const std::shared_ptr<comm::Collective> on_host = std::move(made_on_host);
  std::vector<MovedArray> arrays;
  for (const graph::TensorType &type : given.reduce.types)
    arrays.push_back(
        {&given.move, static_cast<int64_t>(graph::byte_size(type.dtype)), given.slots, type.dtype});
  auto made = std::make_unique<TakerWork>(
      queue_, [on_host](size_t taker, comm::SourceTiles src, comm::TargetTiles dst) {
        for (int64_t part = 0; part < on_host->parts(taker, 0); ++part)
          on_host->run(taker, 0, part, src, dst);
      });
  made->add(arrays, std::optional(moved_region(given.reduce)), given.groups);
  return made;
}

Result<uint64_t> NcclDevice::mark() {
  if (spare_.empty())
    spare_.push_back(std::make_unique<CudaEvent>(queue_->shared_gpu()));
  queue_->record(*spare_.back());
  marks_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  return ++last_;
}

// They are reached one after the other.
Result<bool> NcclDevice::has_reached(uint64_t mark) {
  while (!marks_.empty() && marks_.front()->is_reached()) {
    spare_.push_back(std::move(marks_.front()));
    marks_.pop_front();
  }
  return mark <= last_ - marks_.size();
}

} // namespace

Result<std::string> nccl_id(const Gpu &gpu) {
  std::array<char, 256> host{};
  static_cast<void>(gethostname(host.data(), host.size() - 1));
  TW_ASSIGN(const GpuState state, describe(gpu));
  return fmt::format("{} {}", host.data(), state.facts->bus);
}

std::shared_ptr<comm::nccl::Device> make_nccl_device(std::shared_ptr<CudaQueue> queue, std::string id) {
  return std::make_shared<NcclDevice>(std::move(queue), std::move(id));
}

} // namespace tw::device::cuda
