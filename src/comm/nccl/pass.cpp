// SPDX-License-Identifier: Apache-2.0
// Lays out the messages of each round, then puts round after round into the stream.
#include "comm/nccl/pass.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "comm/nccl/plugin.hpp"
#include "ops/strided.hpp"

namespace tw::comm::nccl {
namespace {

constexpr int64_t kStagingAlign = 64, kBoxAlign = 16;
// A box of as many bytes is a message of its own, and is sent from its tile where it lies dense there.
constexpr int64_t kLargeBytes = 32 << 10;

int64_t aligned(int64_t bytes, int64_t to) { return (bytes + to - 1) / to * to; }

} // namespace

size_t Pass::index_of(size_t group) const {
  return static_cast<size_t>(std::ranges::lower_bound(groups_, group, {}, &Group::number) - groups_.begin());
}

Status Pass::add_round(std::span<const Array> arrays, std::span<const size_t> group_of,
                       std::unique_ptr<Work> work, std::vector<int64_t> &staging_bytes) {
  Round round;
  round.work = std::move(work);
  for (const Array &array : arrays)
    round.tiles.add(array.part->move);
  round.tiles.allocate();
  for (size_t a = 0; a < arrays.size(); ++a)
    if (arrays[a].native)
      add_native(round, a, arrays[a]);
  TW_TRY(add_boxes(round, arrays, group_of, staging_bytes));
  staging_.resize(groups_.size(), nullptr);
  rounds_.push_back(std::move(round));
  return {};
}

// One device of a process takes part: it is in one of the groups here.
void Pass::add_native(Round &round, size_t array, const Array &given) {
  const auto [kind, root, bytes] = *given.native;
  const bool sums = kind == TW_NCCL_ALL_REDUCE || kind == TW_NCCL_REDUCE_SCATTER;
  Op op{kind, root, kUint8, kSum, nullptr, nullptr, bytes};
  if (sums) {
    op.dtype = given.sum->dtype;
    op.reduction = given.sum->op;
    op.count = bytes / given.element_size;
  }
  round.messages.push_back({op,
                            {0, 0, round.tiles.slot_of(array, 0, given.device)},
                            {0, 0, round.tiles.slot_of(array, given.part->move.step.target, given.device)}});
}

Status Pass::add_boxes(Round &round, std::span<const Array> arrays, std::span<const size_t> group_of,
                       std::vector<int64_t> &staging_bytes) {
  struct Item {
    size_t array;
    const RemoteBox *box;
  };
  // By peer, group and direction, in the order of the arrays: alike on both sides.
  std::map<std::tuple<int64_t, size_t, bool>, std::vector<Item>> by_peer;
  for (size_t a = 0; a < arrays.size(); ++a)
    for (const bool sends : {false, true})
      for (const RemoteBox &box : sends ? arrays[a].part->sends : arrays[a].part->receives)
        by_peer[{box.peer, group_of[static_cast<size_t>(box.tile.device)], sends}].push_back({a, &box});
  std::vector<BoxCopy> copies;
  for (const auto &[key, items] : by_peer) {
    const int64_t peer = std::get<0>(key);
    const size_t group = std::get<1>(key);
    const bool sends = std::get<2>(key);
    const size_t index = index_of(group);
    int64_t &end = staging_bytes[group];
    const int32_t rank = clique_->rank_of(peer);
    const auto add_message = [&](int64_t offset, int64_t bytes, std::optional<size_t> slot) {
      Message message{
          {sends ? TW_NCCL_SEND : TW_NCCL_RECEIVE, rank, kUint8, 0, nullptr, nullptr, bytes}, {}, {}};
      (sends ? message.from : message.to) = {index, offset, slot};
      round.messages.push_back(message);
    };
    const auto add_box = [&](const Item &item, bool alone) {
      const RemoteBox &box = *item.box;
      const ArrayStep &move = arrays[item.array].part->move;
      const int64_t size = arrays[item.array].element_size, bytes = ops::product(box.extent) * size;
      const size_t slot = round.tiles.slot_of(item.array, box.tile.buffer, box.tile.device);
      if (sends) {
        const auto &tiles = move.buffers[box.tile.buffer];
        const Runs runs = runs_of(box, tiles, box.tile.device, size);
        const bool lent = move.borrowed && box.tile.buffer == 0;
        if (alone && runs.loops.empty() && !lent)
          return add_message(runs.offset, bytes, slot);
        copies.push_back({slot, runs.offset, index, end, box.extent,
                          ops::dense_strides(tiles.extent(box.tile.device)), size});
      } else {
        round.received.push_back({round.tiles.slot_of(item.array, box.buffer, box.tile.device), index, end});
      }
      if (alone)
        add_message(end, bytes, std::nullopt);
      end += aligned(bytes, kBoxAlign);
    };
    const auto is_large = [&](const Item &item) {
      return ops::product(item.box->extent) * arrays[item.array].element_size >= kLargeBytes;
    };
    for (const Item &item : items)
      if (is_large(item))
        add_box(item, true);
    const int64_t begin = end;
    for (const Item &item : items)
      if (!is_large(item))
        add_box(item, false);
    if (end > begin)
      add_message(begin, end - begin, std::nullopt);
    end = aligned(end, kStagingAlign);
  }
  if (!copies.empty()) {
    TW_ASSIGN(round.pack, device().make_copies(std::move(copies)));
  }
  return {};
}

void Pass::give_staging(size_t group, std::byte *staging, const ScratchTiles &scratch) {
  const size_t index = index_of(group);
  staging_[index] = staging;
  for (Round &round : rounds_) {
    scratch.give(round.tiles, group, staging);
    for (const Round::Received &r : round.received)
      if (r.group == index)
        round.tiles.src[r.slot] = staging + r.offset;
  }
}

void Pass::set_tiles(size_t group, SourceTiles src, TargetTiles dst) {
  for (Round &round : rounds_)
    round.tiles.set_arrays(groups_[index_of(group)].members, src, dst);
}

Status Pass::arrive() {
  const std::lock_guard lock(mutex_); // until it has begun: others may ask for the run before
  if (++arrived_ < groups_.size())
    return {};
  arrived_ = 0;
  ++runs_begun_;
  return lane_->begin(*this);
}

// A group may ask for a run that others have asked for already, but never for one before the last.
Result<bool> Pass::is_over(int64_t run, Clock::time_point awaited) {
  {
    const std::lock_guard lock(mutex_);
    if (runs_over_ >= run)
      return true;
    if (runs_begun_ < run)
      return false;
  }
  TW_ASSIGN(const bool over, lane_->is_over(*this, awaited));
  const std::lock_guard lock(mutex_);
  if (over)
    runs_over_ = std::max(runs_over_, run);
  return over;
}

Result<bool> Pass::advance() {
  for (; at_ < rounds_.size(); ++at_, sent_ = false) {
    Round &round = rounds_[at_];
    if (!sent_) {
      TW_TRY(launch(round));
      sent_ = true;
    }
    if (!round.messages.empty()) {
      TW_ASSIGN(const bool taken, clique_->link->is_ready());
      if (!taken)
        return false;
    }
    if (round.work != nullptr)
      TW_TRY(round.work->enqueue(round.tiles.src, round.tiles.dst));
  }
  at_ = 0;
  return true;
}

Status Pass::launch(Round &round) {
  if (round.pack != nullptr)
    TW_TRY(round.pack->enqueue(round.tiles.src,
                               {reinterpret_cast<void *const *>(staging_.data()), staging_.size()}));
  if (round.messages.empty())
    return {};
  const auto at = [&](const Place &place) {
    const auto *tile = place.slot ? static_cast<const std::byte *>(round.tiles.src[*place.slot])
                                  : static_cast<const std::byte *>(staging_[place.group]);
    return const_cast<std::byte *>(tile) + place.offset;
  };
  std::vector<Op> ops;
  for (const Message &message : round.messages) {
    Op op = message.op;
    if (op.kind != TW_NCCL_RECEIVE)
      op.from = at(message.from);
    if (op.kind != TW_NCCL_SEND)
      op.to = at(message.to);
    ops.push_back(op);
  }
  return clique_->link->launch(ops, device().stream());
}

} // namespace tw::comm::nccl
