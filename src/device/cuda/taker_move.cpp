// SPDX-License-Identifier: Apache-2.0
// Finds the tiles of a taker, and a kernel where there is one.
#include "device/cuda/taker_move.hpp"

#include <algorithm>
#include <utility>

namespace tw::device::cuda {

TakerMove::TakerMove(std::span<const MovedArray> arrays, const std::optional<MovedRegion> &region,
                     size_t taker, std::span<const std::shared_ptr<Gpu>> gpus) {
  for (size_t a = 0; a < arrays.size(); ++a)
    add_tiles(a, arrays[a], taker, gpus);
  if (auto kernel = MoveKernel::make(arrays, region, taker, gpus); !kernel)
    why_none_ = kernel.error().message();
  else
    kernel_ = std::move(*kernel);
}

std::optional<std::string> TakerMove::why_on_host() const {
  if (is_empty())
    return std::nullopt;
  return kernel_ == nullptr ? why_none_ : kernel_->refusal();
}

int64_t TakerMove::bytes() const {
  size_t all = 0;
  for (const auto *slots : {&read_, &written_})
    for (const Slot &slot : *slots)
      all += slot.bytes;
  return static_cast<int64_t>(all);
}

void TakerMove::add_tiles(size_t array, const MovedArray &moved, size_t taker,
                          std::span<const std::shared_ptr<Gpu>> gpus) {
  const comm::ArrayStep &move = *moved.move;
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
    const auto device = static_cast<size_t>(source.device);
    const size_t index = array * moved.slots + source.buffer * devices + device;
    if (std::ranges::find(read_, index, &Slot::index) == read_.end())
      read_.push_back({index, bytes(source.buffer, source.device), gpus[device]});
  }
  written_.push_back(
      {array * devices + taker, bytes(step.target, static_cast<redistribute::Device>(taker)), gpus[taker]});
}

void TakerMove::enqueue(CudaQueue &queue, std::span<const void *const> src, std::span<void *const> dst,
                        Origin origin, const ByHost &by_host) const {
  if (is_empty())
    return;
  if (!why_on_host())
    return queue.launch(*kernel_, kernel_->operands(src), kernel_->results(dst), origin);
  std::vector<DeviceTile> read, written;
  for (const Slot &slot : read_)
    read.push_back({const_cast<void *>(src[slot.index]), slot.bytes,
                    reaches(queue.gpu(), *slot.gpu) ? nullptr : slot.gpu.get()});
  for (const Slot &slot : written_)
    written.push_back({dst[slot.index], slot.bytes});
  queue.on_host(
      origin, "host:move", read, written,
      [this, by_host, num_src = src.size(), num_dst = dst.size()](std::span<void *const> copies) -> Status {
        std::vector<const void *> from(num_src);
        std::vector<void *> to(num_dst);
        for (size_t i = 0; i < read_.size(); ++i)
          from[read_[i].index] = copies[i];
        for (size_t i = 0; i < written_.size(); ++i)
          to[written_[i].index] = copies[read_.size() + i];
        by_host(from, to);
        return {};
      });
}

} // namespace tw::device::cuda
