// SPDX-License-Identifier: Apache-2.0
// Turns what every device misses into copies from its holder and combinations in rank order, cut into parts of about
// equal size.
#include "comm/local/local.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "comm/local/combine.hpp"
#include "kernels/cpu/copy.hpp"
#include "ops/strided.hpp"
#include "redistribute/exchange.hpp"

namespace tw::comm {
namespace {

using kernels::cpu::CopyPlan;
using redistribute::Piece;
using sharding::Box;

constexpr int64_t kPartBytes = 128 << 10;

struct CopyJob {
  int64_t src_device, dst_device;
  int64_t src_offset, dst_offset; // bytes
  CopyPlan plan;
};

// Some of a job: piece `index` of `count`.
struct Item {
  uint32_t job;
  bool combine;
  int64_t index, count;
};

int64_t offset_within(const Box &tile, const Box &region, std::span<const int64_t> strides) {
  int64_t offset = 0;
  for (size_t dim = 0; dim < tile.rank(); ++dim)
    offset += (region.offset[dim] - tile.offset[dim]) * strides[dim];
  return offset;
}

// The one way in which the partial values that this transfer combines do combine.
Result<std::optional<sharding::Reduction>> reduction_of(const Transfer &t) {
  std::optional<sharding::Reduction> kind;
  for (const sharding::Stacked &s : t.src.stacked) {
    if (std::find(t.dst.stacked.begin(), t.dst.stacked.end(), s) != t.dst.stacked.end())
      continue;
    if (kind && *kind != s.kind)
      return fail(Code::unimplemented, "TW-611",
                  fmt::format("one collective would have to combine by {} and by {}", sharding::name(*kind),
                              sharding::name(s.kind)));
    kind = s.kind;
  }
  return kind;
}

class LocalCollective final : public Collective {
public:
  LocalCollective(const Transfer &t, ops::BlockFn combine)
      : size_(static_cast<int64_t>(graph::byte_size(t.type.dtype))), combine_(combine) {
    const int64_t n = t.mesh.num_devices();
    for (int64_t d = 0; d < n; ++d) {
      src_.push_back(sharding::box_of(t.src, t.type.dims, t.mesh, d));
      dst_.push_back(sharding::box_of(t.dst, t.type.dims, t.mesh, d));
    }
    const redistribute::Request request{t.mesh, t.type, t.src, t.dst};
    std::vector<std::vector<Piece>> pieces;
    for (int64_t d = 0; d < n; ++d)
      pieces.push_back(redistribute::direct(request, d));
    find_groups(pieces);
    items_.resize(groups_.size());
    in_place_ = src_ == dst_;
    for (size_t g = 0; g < groups_.size(); ++g)
      add_jobs(g, pieces);
    for (std::vector<Item> &items : items_)
      starts_.push_back(cut(items));
  }

  bool may_run_in_place() const override { return in_place_; }

  int64_t parts(size_t group) const override { return static_cast<int64_t>(starts_[group].size()) - 1; }

  void run(size_t group, int64_t part, std::span<const void *const> src,
           std::span<void *const> dst) const override {
    const auto first = starts_[group][static_cast<size_t>(part)];
    const auto last = starts_[group][static_cast<size_t>(part) + 1];
    for (size_t i = first; i < last; ++i) {
      const Item &item = items_[group][i];
      if (item.combine) {
        const CombineJob &job = combines_[item.job];
        job.run(job.elements() * item.index / item.count, job.elements() * (item.index + 1) / item.count, src,
                dst);
      } else {
        const CopyJob &job = copies_[item.job];
        const auto *from =
            static_cast<const std::byte *>(src[static_cast<size_t>(job.src_device)]) + job.src_offset;
        auto *to = static_cast<std::byte *>(dst[static_cast<size_t>(job.dst_device)]) + job.dst_offset;
        if (from != to) // in place: it is there already
          job.plan.run_part(from, to, item.index, item.count);
      }
    }
  }

private:
  // Devices that give to or take from each other, directly or by way of others.
  void find_groups(const std::vector<std::vector<Piece>> &pieces) {
    std::vector<size_t> leader(pieces.size());
    std::iota(leader.begin(), leader.end(), size_t{0});
    const auto find = [&](size_t d) {
      while (leader[d] != d)
        d = leader[d] = leader[leader[d]];
      return d;
    };
    for (size_t d = 0; d < pieces.size(); ++d)
      for (const Piece &piece : pieces[d])
        for (const int64_t s : piece.sources) {
          const size_t a = find(d), b = find(static_cast<size_t>(s));
          leader[std::max(a, b)] = std::min(a, b);
        }
    group_of_.resize(pieces.size());
    for (size_t d = 0; d < pieces.size(); ++d) {
      const size_t l = find(d);
      if (l == d) {
        group_of_[d] = groups_.size();
        groups_.emplace_back();
      } else {
        group_of_[d] = group_of_[l];
      }
      groups_[group_of_[d]].push_back(static_cast<int64_t>(d));
    }
  }

  void add_jobs(size_t group, const std::vector<std::vector<Piece>> &pieces) {
    // Takers of the same region from the same holders share the work of combining it.
    using Key = std::pair<std::pair<std::vector<int64_t>, std::vector<int64_t>>, std::vector<int64_t>>;
    std::map<Key, std::vector<int64_t>> takers;
    for (const int64_t d : groups_[group])
      for (const Piece &piece : pieces[static_cast<size_t>(d)]) {
        if (piece.box.empty())
          continue;
        if (piece.sources.size() == 1)
          add_copy(group, piece.box, piece.sources[0], d);
        else
          takers[{{piece.box.offset, piece.box.extent}, piece.sources}].push_back(d);
      }
    for (const auto &[key, to] : takers)
      add_combine(group, Box{key.first.first, key.first.second}, key.second, to);
  }

  void add_copy(size_t group, const Box &box, int64_t from, int64_t to) {
    const Box &src = src_[static_cast<size_t>(from)], &dst = dst_[static_cast<size_t>(to)];
    const auto src_strides = ops::dense_strides(src.extent), dst_strides = ops::dense_strides(dst.extent);
    CopyJob job{from, to, offset_within(src, box, src_strides) * size_,
                offset_within(dst, box, dst_strides) * size_,
                CopyPlan(box.extent, src_strides, dst_strides, size_, CopyPlan::Stream::never)};
    in_place_ = in_place_ && from == to && src == dst;
    const int64_t count =
        std::clamp<int64_t>(job.plan.bytes() / kPartBytes, 1, std::max<int64_t>(job.plan.max_parts(), 1));
    for (int64_t i = 0; i < count; ++i)
      items_[group].push_back({static_cast<uint32_t>(copies_.size()), false, i, count});
    copies_.push_back(std::move(job));
  }

  void add_combine(size_t group, const Box &box, const std::vector<int64_t> &from,
                   const std::vector<int64_t> &to) {
    std::vector<CombineJob::Holder> sources, takers;
    for (const int64_t d : from)
      sources.push_back({d, src_[static_cast<size_t>(d)]});
    for (const int64_t d : to)
      takers.push_back({d, dst_[static_cast<size_t>(d)]});
    // In place, what one job writes must not be read by another: then all that read a region also take it.
    in_place_ = in_place_ && std::is_permutation(from.begin(), from.end(), to.begin(), to.end());
    CombineJob job(box, sources, takers, static_cast<size_t>(size_), combine_);
    const int64_t count = std::max<int64_t>(job.elements() * size_ / kPartBytes, 1);
    for (int64_t i = 0; i < count; ++i)
      items_[group].push_back({static_cast<uint32_t>(combines_.size()), true, i, count});
    combines_.push_back(std::move(job));
  }

  int64_t bytes(const Item &item) const {
    return (item.combine ? combines_[item.job].elements() * size_ : copies_[item.job].plan.bytes()) /
           item.count;
  }

  // Where each part of a group's items begins: small items share one.
  std::vector<size_t> cut(const std::vector<Item> &items) const {
    std::vector<size_t> starts{0};
    int64_t sum = 0;
    for (size_t i = 0; i < items.size(); ++i) {
      sum += bytes(items[i]);
      if (sum >= kPartBytes || i + 1 == items.size()) {
        starts.push_back(i + 1);
        sum = 0;
      }
    }
    return starts;
  }

  int64_t size_;
  ops::BlockFn combine_;
  std::vector<Box> src_, dst_; // by mesh position
  std::vector<CopyJob> copies_;
  std::vector<CombineJob> combines_;
  std::vector<std::vector<Item>> items_;    // by group
  std::vector<std::vector<size_t>> starts_; // by group: first item of each part, and the end
  bool in_place_ = false;
};

class LocalCommunicator final : public Communicator {
public:
  const char *name() const override { return "local"; }
  Result<std::unique_ptr<Collective>> prepare(const Transfer &t) override {
    TW_ASSIGN(const auto kind, reduction_of(t));
    ops::BlockFn combine = nullptr;
    if (kind && *kind != sharding::Reduction::raw) {
      TW_ASSIGN(combine, combiner(*kind, t.type.dtype));
    }
    return std::make_unique<LocalCollective>(t, combine);
  }
};

} // namespace

std::unique_ptr<Communicator> make_local() { return std::make_unique<LocalCommunicator>(); }

} // namespace tw::comm
