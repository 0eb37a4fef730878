// SPDX-License-Identifier: Apache-2.0
// Builds the copies and combinations of a step, and cuts them into parts: large ones are divided, small ones
// share a part.
#include "comm/local/step_work.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "ops/strided.hpp"

namespace tw::comm {

using redistribute::Combined;
using redistribute::Device;
using redistribute::Placement;
using redistribute::Source;
using redistribute::Step;
using sharding::Box;

namespace {

constexpr int64_t kPartBytes = 128 << 10;
// Of one device before the next has its turn, where devices take what lies side by side: long, so that few
// lines are shared with what comes before and after; short, so that all read what is near.
constexpr int64_t kTurnBytes = 32 << 10;
constexpr size_t kMostTogether = 8;
constexpr int64_t kMostItems = 1 << 16; // of a step, about

// The copies that a device receives, as gathers: all pieces together where they fill a box, else each alone.
class Gathers {
public:
  Gathers(const Step &step, std::span<const Placement> buffers, CopyPlans &plans)
      : step_(step), buffers_(buffers), plans_(plans), rank_(buffers[0].rank()),
        devices_(buffers[0].num_devices()) {}

  void add(Device to, std::vector<GatherJob> &jobs) {
    std::vector<size_t> pieces;
    for (size_t p = step_.first_piece[static_cast<size_t>(to)];
         p < step_.first_piece[static_cast<size_t>(to) + 1]; ++p)
      if (step_.sources_of(p).size() == 1)
        pieces.push_back(p);
    if (pieces.empty())
      return;
    if (fill_a_box(pieces) && cells(pieces) <= 4 * pieces.size())
      return add_region(to, pieces, jobs);
    for (const size_t p : pieces)
      add_region(to, {&p, 1}, jobs);
  }

private:
  // Sets offset_ and extent_ to the smallest box around them.
  bool fill_a_box(std::span<const size_t> pieces) {
    offset_.assign(rank_, std::numeric_limits<int64_t>::max());
    std::vector<int64_t> end(rank_, std::numeric_limits<int64_t>::min()); // halos begin below 0
    int64_t elements = 0;
    for (const size_t p : pieces) {
      const auto offset = step_.offset(p, rank_), extent = step_.extent(p, rank_);
      for (size_t d = 0; d < rank_; ++d) {
        offset_[d] = std::min(offset_[d], offset[d]);
        end[d] = std::max(end[d], offset[d] + extent[d]);
      }
      elements += ops::product(extent);
    }
    extent_ = end;
    for (size_t d = 0; d < rank_; ++d)
      extent_[d] -= offset_[d];
    return elements == ops::product(extent_);
  }

  // Cuts the box where pieces begin, in the dimensions in which blocks are walked; answers with the number of
  // cells.
  size_t cells(std::span<const size_t> pieces) {
    cut_ = GatherJob::cut_of(extent_, plans_.element_size());
    cuts_.assign(rank_ == 0 ? 0 : cut_ + 1, {});
    size_t count = 1;
    for (size_t d = 0; d < cuts_.size(); ++d) {
      for (const size_t p : pieces)
        cuts_[d].push_back(step_.offset(p, rank_)[d]);
      std::ranges::sort(cuts_[d]);
      cuts_[d].erase(std::unique(cuts_[d].begin(), cuts_[d].end()), cuts_[d].end());
      count *= cuts_[d].size();
      cuts_[d].push_back(offset_[d] + extent_[d]);
    }
    return count;
  }

  void add_region(Device to, std::span<const size_t> pieces, std::vector<GatherJob> &jobs) {
    if (pieces.size() == 1) {
      fill_a_box(pieces);
      cells(pieces);
    }
    size_t count = 1;
    for (const auto &cuts : cuts_)
      count *= cuts.size() - 1;
    std::vector<std::vector<size_t>> pieces_of(count); // by cell, row-major
    for (const size_t p : pieces)
      visit_cells(p, 0, 0, [&](size_t cell) { pieces_of[cell].push_back(p); });
    const Placement &target = buffers_[step_.target];
    std::vector<int64_t> offset = offset_, extent = extent_;
    std::vector<GatherJob::Part> parts;
    for (size_t cell = 0; cell < count; ++cell) {
      for (size_t d = cuts_.size(), rest = cell; d-- > 0; rest /= cuts_[d].size() - 1) {
        const size_t i = rest % (cuts_[d].size() - 1);
        offset[d] = cuts_[d][i];
        extent[d] = cuts_[d][i + 1] - cuts_[d][i];
      }
      parts.clear();
      for (const size_t p : pieces_of[cell]) {
        const Source source = step_.sources_of(p)[0];
        const Placement &tiles = buffers_[source.buffer];
        parts.push_back({{source.buffer * devices_ + static_cast<size_t>(source.device),
                          tiles.offset(source.device), tiles.extent(source.device)},
                         step_.offset(p, rank_),
                         step_.extent(p, rank_)});
      }
      jobs.emplace_back(offset, extent, cut_,
                        GatherJob::Tile{static_cast<size_t>(to), target.offset(to), target.extent(to)}, parts,
                        plans_);
    }
  }

  // Calls visit(cell) for every cell that a piece reaches through.
  template <class Visit> void visit_cells(size_t piece, size_t d, size_t cell, Visit &&visit) {
    if (d == cuts_.size())
      return visit(cell);
    const int64_t begin = step_.offset(piece, rank_)[d], end = begin + step_.extent(piece, rank_)[d];
    const auto first = std::ranges::lower_bound(cuts_[d], begin) - cuts_[d].begin();
    for (auto i = static_cast<size_t>(first); cuts_[d][i] < end; ++i)
      visit_cells(piece, d + 1, cell * (cuts_[d].size() - 1) + i, visit);
  }

  const Step &step_;
  std::span<const Placement> buffers_;
  CopyPlans &plans_;
  size_t rank_, devices_;
  std::vector<int64_t> offset_, extent_; // the box in hand
  size_t cut_ = 0;
  std::vector<std::vector<int64_t>> cuts_; // by dimension: where cells begin, and the end
};

CombineJob combine_job(const Step &step, std::span<const Placement> buffers, size_t piece,
                       std::span<const Device> to, int64_t element_size, Combine combine) {
  const size_t rank = buffers[0].rank(), devices = buffers[0].num_devices();
  const auto holder = [](size_t slot, const Placement &tiles, Device d) {
    return CombineJob::Holder{slot, tiles.box(d)};
  };
  std::vector<CombineJob::Holder> sources, takers;
  for (const Source &s : step.sources_of(piece))
    sources.push_back(
        holder(s.buffer * devices + static_cast<size_t>(s.device), buffers[s.buffer], s.device));
  for (const Device d : to)
    takers.push_back(holder(static_cast<size_t>(d), buffers[step.target], d));
  return {step.box(piece, rank), sources, takers, static_cast<size_t>(element_size), combine};
}

} // namespace

int64_t bytes_written(const Step &step, size_t rank, int64_t element_size) {
  int64_t elements = 0;
  for (size_t p = 0; p < step.num_pieces(); ++p)
    elements += ops::product(step.extent(p, rank));
  return elements * element_size;
}

StepWork::StepWork(const Step &step, std::span<const Placement> buffers, int64_t element_size,
                   Combine combine, int64_t bytes_together, const Groups &groups)
    : size_(element_size), stream_(bytes_together >= kernels::cpu::streaming_threshold()),
      plans_(element_size) {
  const size_t rank = buffers[0].rank();
  std::vector<int64_t> whole(rank, 0); // some array that holds all pieces
  int64_t total = 0;
  for (size_t p = 0; p < step.num_pieces(); ++p) {
    const auto offset = step.offset(p, rank), extent = step.extent(p, rank);
    for (size_t d = 0; d < rank; ++d)
      whole[d] = std::max(whole[d], offset[d] + extent[d]);
    total += ops::product(extent) * element_size;
  }
  const auto strides = ops::dense_strides(whole);
  const int64_t item_bytes = std::max<int64_t>(total / kMostItems, 1);
  Gathers gathers(step, buffers, plans_);

  const auto add = [&](std::span<const Device> receivers) {
    std::vector<Item> &items = items_.emplace_back();
    const size_t first_job = gathers_.size();
    for (const Device d : receivers)
      gathers.add(d, gathers_);
    for (size_t j = first_job; j < gathers_.size(); ++j) {
      const GatherJob &job = gathers_[j];
      const int64_t blocks = job.num_blocks(), row = job.takes_turns() ? job.blocks_in_a_row() : blocks,
                    least = job.takes_turns() || job.gathers() ? kTurnBytes
                            : job.scatters()                   ? 1
                                                               : kPartBytes,
                    each = std::clamp<int64_t>(std::max(item_bytes, least) * blocks / job.bytes(0, blocks), 1,
                                               blocks);
      for (int64_t first = 0, end = 0; first < blocks; first = end) {
        end = std::min({first + each, blocks, (first / row + 1) * row});
        items.push_back({job.key(first, strides), static_cast<uint32_t>(j), false, first, end});
      }
    }
    for (const Combined &combined : redistribute::combined_pieces(step, rank, receivers)) {
      combines_.push_back(combine_job(step, buffers, combined.piece, combined.takers, size_, combine));
      int64_t key = 0;
      for (size_t d = 0; d < rank; ++d)
        key += step.offset(combined.piece, rank)[d] * strides[d];
      const int64_t n = combines_.back().elements(), count = std::max<int64_t>(n * size_ / kPartBytes, 1);
      for (int64_t i = 0; i < count; ++i)
        items.push_back(
            {key, static_cast<uint32_t>(combines_.size() - 1), true, n * i / count, n * (i + 1) / count});
    }
    std::ranges::stable_sort(items, {}, &Item::key);
    starts_.push_back(cut(items));
  };
  for (const auto &members : groups.members)
    add(std::vector<Device>(members.begin(), members.end()));
}

int64_t StepWork::bytes(const Item &item) const {
  return item.combine ? (item.last - item.first) * size_ : gathers_[item.job].bytes(item.first, item.last);
}

std::vector<size_t> StepWork::cut(const std::vector<Item> &items) const {
  std::vector<size_t> starts{0};
  int64_t sum = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    sum += bytes(items[i]);
    if (sum >= (stream_ ? 2 : 1) * kPartBytes || i + 1 == items.size()) {
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
      combines_[item.job].run(item.first, item.last, src, dst, stream_);
      continue;
    }
    const GatherJob &job = gathers_[item.job];
    if (!stream_ || !job.takes_turns()) {
      job.run(item.first, item.last, src, dst, stream_);
      continue;
    }
    // Neighbours that read what lies beside this.
    std::array<GatherJob::Blocks, kMostTogether> together;
    size_t count = 0;
    for (; count < together.size() && i + count < last; ++count) {
      const Item &next = items_[group][i + count];
      if (next.combine || !gathers_[next.job].takes_turns() ||
          gathers_[next.job].source_slot() != job.source_slot())
        break;
      together[count] = {&gathers_[next.job], next.first, next.last};
    }
    GatherJob::run_in_turns(std::span(together).first(count), src, dst);
    i += count - 1;
  }
  if (stream_)
    kernels::cpu::flush_stream();
}

int64_t StepWorks::parts(size_t group) const {
  int64_t parts = 0;
  for (const StepWork &work : works_)
    parts += work.parts(group);
  return parts;
}

void StepWorks::run(size_t group, int64_t part, std::span<const void *const> src,
                    std::span<void *const> dst) const {
  size_t array = 0;
  for (; part >= works_[array].parts(group); ++array)
    part -= works_[array].parts(group);
  works_[array].run(group, part, src.subspan(array * slots_, slots_),
                    dst.subspan(array * devices_, devices_));
}

} // namespace tw::comm
