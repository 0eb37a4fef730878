// SPDX-License-Identifier: Apache-2.0
// Builds the copies and combinations of a step, and cuts them into parts: large ones are divided, small ones share a part.
#include "comm/local/step_work.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "ops/strided.hpp"

namespace tw::comm {

using kernels::cpu::CopyPlan;
using redistribute::Device;
using redistribute::Placement;
using redistribute::Source;
using redistribute::Step;
using sharding::Box;

namespace {

constexpr int64_t kPartBytes = 128 << 10;
constexpr int64_t kItemBytes = 32 << 10;
constexpr int64_t kMostItems = 1 << 16; // of a step, about

std::span<const int64_t> offset_of(const Step &step, size_t piece, size_t rank) {
  return {step.bounds.data() + 2 * rank * piece, rank};
}
std::span<const int64_t> extent_of(const Step &step, size_t piece, size_t rank) {
  return {step.bounds.data() + 2 * rank * piece + rank, rank};
}

// Where a region lies in the dense tile of a device; in elements.
struct Place {
  int64_t offset = 0;
  std::vector<int64_t> strides;
};
Place place(const Placement &tiles, Device d, std::span<const int64_t> region_offset) {
  Place at{0, ops::dense_strides(tiles.extent(d))};
  for (size_t dim = 0; dim < region_offset.size(); ++dim)
    at.offset += (region_offset[dim] - tiles.offset(d)[dim]) * at.strides[dim];
  return at;
}

bool same_strides(const Place &a, const Place &b, std::span<const int64_t> extent) {
  for (size_t dim = 0; dim < extent.size(); ++dim)
    if (extent[dim] != 1 && a.strides[dim] != b.strides[dim])
      return false;
  return true;
}

// Pieces of several sources by what they combine, with all that take it: they share the work.
using Region = std::pair<std::vector<int64_t>, std::vector<std::pair<Device, uint32_t>>>; // bounds, sources
struct Takers {
  size_t piece = 0; // one of them
  std::vector<Device> devices;
  std::vector<size_t> pieces;
};
std::map<Region, Takers> combined_regions(const Step &step, size_t rank, std::span<const Device> receivers) {
  std::map<Region, Takers> regions;
  for (const Device d : receivers)
    for (size_t p = step.first_piece[static_cast<size_t>(d)];
         p < step.first_piece[static_cast<size_t>(d) + 1]; ++p) {
      const auto sources = step.sources_of(p);
      if (sources.size() == 1)
        continue;
      Region region;
      region.first.assign(step.bounds.begin() + static_cast<std::ptrdiff_t>(2 * rank * p),
                          step.bounds.begin() + static_cast<std::ptrdiff_t>(2 * rank * (p + 1)));
      for (const Source &s : sources)
        region.second.emplace_back(s.device, s.buffer);
      Takers &takers = regions[std::move(region)];
      takers.piece = p;
      takers.devices.push_back(d);
      takers.pieces.push_back(p);
    }
  return regions;
}

std::vector<Device> all_devices(const Step &step) {
  std::vector<Device> devices(step.first_piece.size() - 1);
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

} // namespace

Groups find_groups(const Step &step) {
  const size_t n = step.first_piece.size() - 1;
  std::vector<size_t> leader(n);
  std::iota(leader.begin(), leader.end(), size_t{0});
  const auto find = [&](size_t d) {
    while (leader[d] != d)
      d = leader[d] = leader[leader[d]];
    return d;
  };
  for (size_t d = 0; d < n; ++d)
    for (size_t s = step.first_source[step.first_piece[d]]; s < step.first_source[step.first_piece[d + 1]];
         ++s) {
      const size_t a = find(d), b = find(static_cast<size_t>(step.sources[s].device));
      leader[std::max(a, b)] = std::min(a, b);
    }
  Groups groups;
  groups.of.resize(n);
  for (size_t d = 0; d < n; ++d) {
    const size_t l = find(d);
    if (l == d) {
      groups.of[d] = groups.members.size();
      groups.members.emplace_back();
    } else {
      groups.of[d] = groups.of[l];
    }
    groups.members[groups.of[d]].push_back(static_cast<int64_t>(d));
  }
  return groups;
}

std::vector<bool> stays_in_place(const Step &step, std::span<const Placement> buffers) {
  const Placement &before = buffers[0], &after = buffers[step.target];
  const size_t rank = after.rank();
  const auto same_place = [&](size_t piece, Device d) {
    const Place from = place(before, d, offset_of(step, piece, rank)),
                to = place(after, d, offset_of(step, piece, rank));
    return from.offset == to.offset && same_strides(from, to, extent_of(step, piece, rank));
  };
  std::vector<bool> stays(step.num_pieces(), false);
  const auto devices = all_devices(step);
  for (const Device d : devices)
    for (size_t p = step.first_piece[static_cast<size_t>(d)];
         p < step.first_piece[static_cast<size_t>(d) + 1]; ++p)
      if (step.sources_of(p).size() == 1)
        stays[p] = step.sources_of(p)[0] == Source{d, 0} && same_place(p, d);
  // What one job writes must not be read by another: then all that read a region also take it.
  for (const auto &[region, takers] : combined_regions(step, rank, devices)) {
    std::vector<Device> holders;
    bool stay = true;
    for (const auto &[device, buffer] : region.second) {
      holders.push_back(device);
      stay &= buffer == 0 && same_place(takers.piece, device);
    }
    stay &= std::is_permutation(holders.begin(), holders.end(), takers.devices.begin(), takers.devices.end());
    for (const size_t p : takers.pieces)
      stays[p] = stay;
  }
  return stays;
}

// Makes the items of a step.
struct StepWork::Builder {
  StepWork &work;
  const Step &step;
  std::span<const Placement> buffers;
  ops::BlockFn combine;
  Stream stream;
  std::vector<int64_t> array_strides; // some row-major numbering of the whole array
  int64_t item_bytes;
  size_t rank = buffers[0].rank(), devices = buffers[0].num_devices();
  // Copies of equal boxes between equal tiles share a plan.
  std::map<std::vector<int64_t>, uint32_t> plan_of = {};

  uint32_t plan(std::span<const int64_t> extent, const Place &src, const Place &dst) {
    std::vector<int64_t> key(extent.begin(), extent.end());
    key.insert(key.end(), src.strides.begin(), src.strides.end());
    key.insert(key.end(), dst.strides.begin(), dst.strides.end());
    const auto [at, is_new] = plan_of.try_emplace(std::move(key), static_cast<uint32_t>(work.plans_.size()));
    if (is_new)
      work.plans_.emplace_back(extent, src.strides, dst.strides, work.size_, stream);
    return at->second;
  }

  // Boxes of at most item_bytes where they can be: the outer dimensions are walked, the first that is small enough inside is cut
  // into slices.
  void add_copy(std::vector<Item> &items, size_t piece, Device to) {
    const Source source = step.sources_of(piece)[0];
    const auto offset = offset_of(step, piece, rank), extent = extent_of(step, piece, rank);
    const Place src = place(buffers[source.buffer], source.device, offset),
                dst = place(buffers[step.target], to, offset);
    Item item{0,
              0,
              false,
              same_strides(src, dst, extent),
              source.buffer * devices + static_cast<size_t>(source.device),
              static_cast<size_t>(to),
              src.offset * work.size_,
              dst.offset * work.size_};
    for (size_t d = 0; d < rank; ++d)
      item.key += offset[d] * array_strides[d];
    std::vector<int64_t> box(extent.begin(), extent.end());
    int64_t inside = work.size_; // bytes of one index of dimension `cut`
    size_t cut = rank;
    while (cut > 0 && inside * extent[cut - 1] <= item_bytes)
      inside *= extent[--cut];
    if (cut > 0)
      --cut;
    const int64_t slice = rank == 0 ? 1 : std::max<int64_t>(1, item_bytes / inside);
    walk(items, item, box, src, dst, 0, cut, slice);
  }

  void walk(std::vector<Item> &items, Item item, std::vector<int64_t> &box, const Place &src,
            const Place &dst, size_t d, size_t cut, int64_t slice) {
    if (rank == 0) {
      item.job = plan(box, src, dst);
      items.push_back(item);
      return;
    }
    const int64_t n = box[d], step_size = d < cut ? 1 : slice;
    for (int64_t i = 0; i < n; i += step_size) {
      box[d] = std::min(step_size, n - i);
      if (d < cut) {
        walk(items, item, box, src, dst, d + 1, cut, slice);
      } else {
        item.job = plan(box, src, dst);
        items.push_back(item);
      }
      item.key += box[d] * array_strides[d];
      item.first += box[d] * src.strides[d] * work.size_;
      item.last += box[d] * dst.strides[d] * work.size_;
    }
    box[d] = n;
  }

  void add_combine(std::vector<Item> &items, size_t piece, std::span<const Device> to) {
    const auto box = [](std::span<const int64_t> offset, std::span<const int64_t> extent) {
      return Box{{offset.begin(), offset.end()}, {extent.begin(), extent.end()}};
    };
    const auto holder = [&](size_t slot, const Placement &tiles, Device d) {
      return CombineJob::Holder{slot, box(tiles.offset(d), tiles.extent(d))};
    };
    std::vector<CombineJob::Holder> sources, takers;
    for (const Source &s : step.sources_of(piece))
      sources.push_back(
          holder(s.buffer * devices + static_cast<size_t>(s.device), buffers[s.buffer], s.device));
    for (const Device d : to)
      takers.push_back(holder(static_cast<size_t>(d), buffers[step.target], d));
    CombineJob job(box(offset_of(step, piece, rank), extent_of(step, piece, rank)), sources, takers,
                   static_cast<size_t>(work.size_), combine);
    const int64_t n = job.elements(), count = std::max<int64_t>(n * work.size_ / kPartBytes, 1);
    Item item{0, static_cast<uint32_t>(work.combines_.size()), true, false, 0, 0, 0, 0};
    for (size_t d = 0; d < rank; ++d)
      item.key += offset_of(step, piece, rank)[d] * array_strides[d];
    for (int64_t i = 0; i < count; ++i) {
      item.first = n * i / count;
      item.last = n * (i + 1) / count;
      items.push_back(item);
    }
    work.combines_.push_back(std::move(job));
  }
};

StepWork::StepWork(const Step &step, std::span<const Placement> buffers, int64_t element_size,
                   ops::BlockFn combine, Stream stream, const Groups *groups)
    : size_(element_size), stream_(stream == Stream::always) {
  const size_t rank = buffers[0].rank();
  std::vector<int64_t> whole(rank, 0);
  int64_t total = 0;
  for (size_t p = 0; p < step.num_pieces(); ++p) {
    const auto offset = offset_of(step, p, rank), extent = extent_of(step, p, rank);
    for (size_t d = 0; d < rank; ++d)
      whole[d] = std::max(whole[d], offset[d] + extent[d]);
    total += ops::product(extent) * element_size;
  }
  Builder builder{*this,
                  step,
                  buffers,
                  combine,
                  stream,
                  ops::dense_strides(whole),
                  std::max<int64_t>(kItemBytes, total / kMostItems)};
  const auto add = [&](std::span<const Device> receivers) {
    std::vector<Item> &items = items_.emplace_back();
    for (const Device d : receivers)
      for (size_t p = step.first_piece[static_cast<size_t>(d)];
           p < step.first_piece[static_cast<size_t>(d) + 1]; ++p)
        if (step.sources_of(p).size() == 1)
          builder.add_copy(items, p, d);
    for (const auto &[region, takers] : combined_regions(step, rank, receivers))
      builder.add_combine(items, takers.piece, takers.devices);
    std::ranges::stable_sort(items, {}, &Item::key);
    starts_.push_back(cut(items));
  };
  if (groups == nullptr)
    add(all_devices(step));
  else
    for (const auto &members : groups->members)
      add(std::vector<Device>(members.begin(), members.end()));
}

int64_t StepWork::bytes(const Item &item) const {
  return item.combine ? (item.last - item.first) * size_ : plans_[item.job].bytes();
}

int64_t StepWork::bytes(size_t group, int64_t part) const {
  int64_t sum = 0;
  for (size_t i = starts_[group][static_cast<size_t>(part)];
       i < starts_[group][static_cast<size_t>(part) + 1]; ++i)
    sum += bytes(items_[group][i]);
  return sum;
}

std::vector<size_t> StepWork::cut(const std::vector<Item> &items) const {
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

void StepWork::run(size_t group, int64_t part, std::span<const void *const> src,
                   std::span<void *const> dst) const {
  const size_t first = starts_[group][static_cast<size_t>(part)],
               last = starts_[group][static_cast<size_t>(part) + 1];
  for (size_t i = first; i < last; ++i) {
    const Item &item = items_[group][i];
    if (item.combine) {
      combines_[item.job].run(item.first, item.last, src, dst);
      continue;
    }
    const auto *from = static_cast<const std::byte *>(src[item.from]) + item.first;
    auto *to = static_cast<std::byte *>(dst[item.to]) + item.last;
    if (from != to || !item.same_strides) // else in place: it is there already
      plans_[item.job].run_unflushed(from, to);
  }
  if (stream_)
    kernels::cpu::flush_stream();
}

} // namespace tw::comm
