// SPDX-License-Identifier: Apache-2.0
// Cuts what is folded into parts of some thousand elements, each with a region function of its own, since
// that has scratch.
#include "comm/local/region_reduce.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/ref/region_fn.hpp"

namespace tw::comm {
namespace {

using kernels::ref::RegionFn;
using redistribute::Device;
using redistribute::Placement;
using redistribute::Step;

constexpr int64_t kPartElements = 1 << 14;

class LocalRegionReduce final : public Collective {
public:
  LocalRegionReduce(const RegionReduce &reduce, const ArrayStep &move, Groups groups, size_t slots,
                    const RegionFn &region)
      : devices_(move.buffers[0].num_devices()), slots_(slots) {
    for (const graph::TensorType &type : reduce.types)
      sizes_.push_back(graph::byte_size(type.dtype));
    groups_ = std::move(groups.members);
    group_of_ = std::move(groups.of);
    for (const auto &members : groups_)
      add_group(reduce, move.step, move.buffers, members, region);
  }

  int64_t parts(size_t group, size_t) const override { return static_cast<int64_t>(parts_[group].size()); }
  void run(size_t group, size_t, int64_t part, SourceTiles src, TargetTiles dst) const override {
    parts_[group][static_cast<size_t>(part)]->run(*this, src, dst);
  }

private:
  // Elements [begin, end) of what the same devices take.
  struct Part {
    Part(const Overlap &what, int64_t first, int64_t last, const RegionFn &fn, std::span<const size_t> sizes)
        : overlap(what), begin(first), end(last), region(fn), in(2 * sizes.size()), out(sizes.size()) {
      for (const size_t size : sizes)
        sums.emplace_back(RegionFn::kBlock * size);
    }

    void run(const LocalRegionReduce &of, SourceTiles src, TargetTiles dst) {
      const auto &sizes = of.sizes_;
      const size_t arrays = sizes.size();
      overlap.each_block(begin, end, RegionFn::kBlock, [&](int64_t n, auto position) {
        const auto tile = [&](const Overlap::Place &at, size_t i) {
          return static_cast<const std::byte *>(src[i * of.slots_ + at.slot]) +
                 position(at) * static_cast<int64_t>(sizes[i]);
        };
        const auto sources = overlap.sources();
        for (size_t i = 0; i < arrays; ++i) {
          out[i] = sums[i].data();
          in[i] = tile(sources[0], i);
        }
        for (size_t s = 1; s < sources.size(); ++s) {
          for (size_t i = 0; i < arrays; ++i)
            in[arrays + i] = tile(sources[s], i);
          region.run(in, out, n);
          std::copy(out.begin(), out.end(), in.begin());
        }
        for (const Overlap::Place &taker : overlap.takers())
          for (size_t i = 0; i < arrays; ++i)
            std::memcpy(static_cast<std::byte *>(dst[i * of.devices_ + taker.slot]) +
                            position(taker) * static_cast<int64_t>(sizes[i]),
                        in[i], static_cast<size_t>(n) * sizes[i]);
      });
    }

    const Overlap &overlap;
    int64_t begin, end;
    RegionFn region;
    std::vector<const void *> in;
    std::vector<void *> out;
    std::vector<std::vector<std::byte>> sums;
  };

  void add_group(const RegionReduce &reduce, const Step &step, std::span<const Placement> buffers,
                 std::span<const Position> members, const RegionFn &region) {
    const size_t rank = buffers[0].rank();
    const auto holder = [&](uint32_t buffer, Device d) {
      const auto offset = buffers[buffer].offset(d), extent = buffers[buffer].extent(d);
      return Overlap::Holder{buffer * devices_ + static_cast<size_t>(d),
                             {{offset.begin(), offset.end()}, {extent.begin(), extent.end()}}};
    };
    auto &parts = parts_.emplace_back();
    for (const redistribute::Combined &combined :
         redistribute::combined_pieces(step, rank, std::vector<Device>(members.begin(), members.end()))) {
      const auto rank_of = [&](const redistribute::Source &s) {
        return reduce.rank[static_cast<size_t>(s.device)];
      };
      std::vector<redistribute::Source> from;
      for (const auto &source : step.sources_of(combined.piece))
        if (rank_of(source) >= 0)
          from.push_back(source);
      std::ranges::stable_sort(from, {}, rank_of);
      std::vector<Overlap::Holder> sources, takers;
      for (const auto &source : from)
        sources.push_back(holder(source.buffer, source.device));
      for (const Device d : combined.takers) {
        takers.push_back(holder(step.target, d));
        takers.back().slot = static_cast<size_t>(d);
      }
      overlaps_.push_back(std::make_unique<Overlap>(step.box(combined.piece, rank), sources, takers));
      for (int64_t at = 0, n = overlaps_.back()->elements(); at < n; at += kPartElements)
        parts.push_back(
            std::make_unique<Part>(*overlaps_.back(), at, std::min(at + kPartElements, n), region, sizes_));
    }
  }

  std::vector<size_t> sizes_; // of an element, by array
  size_t devices_, slots_;
  std::vector<std::unique_ptr<Overlap>> overlaps_;
  std::vector<std::vector<std::unique_ptr<Part>>> parts_; // by group
};

} // namespace

Result<std::unique_ptr<Collective>> make_region_reduce(const RegionReduce &reduce, const ArrayStep &move,
                                                       Groups groups, size_t slots) {
  TW_ASSIGN(const RegionFn region, RegionFn::make(reduce.graph, reduce.region));
  return std::make_unique<LocalRegionReduce>(reduce, move, std::move(groups), slots, region);
}

} // namespace tw::comm
