// SPDX-License-Identifier: Apache-2.0
// Collectives of a program as exchange steps, one after the other, on tiles that all lie in one memory.
#include "comm/local/local.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "comm/local/fold.hpp"
#include "comm/local/step_work.hpp"
#include "comm/moves.hpp"
#include "ops/strided.hpp"

namespace tw::comm {
namespace {

class LocalCollective final : public Collective {
public:
  LocalCollective(const Rounds &rounds, Groups groups) {
    size_t most = 0;
    for (const auto &of_array : rounds) {
      most = std::max(most, of_array.size());
      in_place_ = in_place_ && of_array.size() == 1 && comm::may_run_in_place(of_array[0]);
    }
    const size_t devices = groups.of.size();
    for (size_t r = 0; r < most; ++r)
      rounds_.push_back(make_round(rounds, r, groups));
    groups_ = std::move(groups.members);
    group_of_ = std::move(groups.of);
    if (most > 1)
      lay_out(rounds, devices);
  }

  bool may_run_in_place() const override { return in_place_; }
  int64_t staging_bytes(size_t group) const override {
    return staging_bytes_.empty() ? 0 : staging_bytes_[group];
  }
  Status give_staging(size_t group, std::byte *staging) override {
    for (const Scratch &tile : scratch_)
      if (tile.group == group)
        set_tile(tile.array, tile.buffer, tile.device, staging + tile.offset);
    return {};
  }

  size_t stages(size_t) const override { return rounds_.size(); }
  void begin(size_t group, SourceTiles src, TargetTiles dst) override {
    for (size_t a = 0; rounds_.size() > 1 && a < rounds_[0].target.size(); ++a)
      for (const int64_t member : groups_[group]) {
        const auto d = static_cast<size_t>(member);
        set_tile(a, 0, d, const_cast<void *>(src[a * devices() + d]));
        set_tile(a, 1, d, dst[a * devices() + d]);
      }
  }
  int64_t parts(size_t group, size_t stage) const override { return rounds_[stage].works.parts(group); }
  void run(size_t group, size_t stage, int64_t part, SourceTiles src, TargetTiles dst) const override {
    const Round &round = rounds_[stage];
    if (rounds_.size() == 1)
      round.works.run(group, part, src, dst);
    else
      round.works.run(group, part, round.src, round.dst);
  }

private:
  struct Round {
    StepWorks works;
    std::vector<uint32_t> target;  // by array: the buffer it writes
    size_t slots;                  // of one array: buffers * devices
    std::vector<const void *> src; // by array, by slot; where there are several rounds
    std::vector<void *> dst;       // by array, by device
  };
  // A tile between source and target.
  struct Scratch {
    size_t group, array;
    uint32_t buffer;
    size_t device;
    int64_t offset; // in staging
  };
  static constexpr int64_t kAlign = 64;

  size_t devices() const { return group_of_.size(); }

  static Round make_round(const Rounds &rounds, size_t r, const Groups &groups) {
    const size_t devices = groups.of.size();
    size_t slots = 0;
    int64_t bytes = 0;
    std::vector<Move> moves;
    for (const auto &of_array : rounds) {
      moves.push_back(r < of_array.size() ? of_array[r] : nothing_like(of_array[0]));
      bytes += bytes_written(moves.back());
      slots = std::max(slots, moves.back().buffers.size() * devices);
    }
    if (std::ranges::all_of(rounds, [](const auto &of_array) { return of_array.size() == 1; }))
      slots = devices; // only sources are read
    Round round{StepWorks(slots, devices), {}, slots, {}, {}};
    for (const Move &move : moves) {
      round.works.add(work_of(move, groups, bytes));
      round.target.push_back(move.step.target);
    }
    return round;
  }

  void lay_out(const Rounds &rounds, size_t devices) {
    staging_bytes_.resize(groups_.size(), 0);
    for (Round &round : rounds_) {
      round.src.resize(round.slots * rounds.size());
      round.dst.resize(devices * rounds.size());
    }
    for (size_t a = 0; a < rounds.size(); ++a) {
      const Move &move = rounds[a][0];
      for (uint32_t b = 2; b < move.buffers.size(); ++b)
        for (size_t g = 0; g < groups_.size(); ++g)
          for (const int64_t member : groups_[g]) {
            const int64_t bytes =
                ops::product(move.buffers[b].extent(static_cast<redistribute::Device>(member))) *
                move.element_size;
            scratch_.push_back({g, a, b, static_cast<size_t>(member), staging_bytes_[g]});
            staging_bytes_[g] += (bytes + kAlign - 1) / kAlign * kAlign;
          }
    }
  }

  void set_tile(size_t array, uint32_t buffer, size_t device, void *tile) {
    for (Round &round : rounds_) {
      if (buffer * devices() < round.slots)
        round.src[array * round.slots + buffer * devices() + device] = tile;
      if (buffer == round.target[array])
        round.dst[array * devices() + device] = tile;
    }
  }

  std::vector<Round> rounds_;
  std::vector<Scratch> scratch_;
  std::vector<int64_t> staging_bytes_; // by group, where there are several rounds
  bool in_place_ = true;
};

class LocalCommunicator final : public Communicator {
public:
  const char *name() const override { return "local"; }
  Result<std::unique_ptr<Collective>> prepare(std::span<const Transfer> transfers) override {
    TW_ASSIGN(const Rounds rounds, rounds_of(transfers));
    return std::make_unique<LocalCollective>(rounds, find_groups(flat(rounds)));
  }
  Result<std::unique_ptr<Collective>> prepare(const sharding::Mesh &, std::span<const Move> moves) override {
    Rounds rounds;
    for (const Move &move : moves)
      rounds.push_back({move});
    return std::make_unique<LocalCollective>(rounds, find_groups(moves));
  }

  Result<std::unique_ptr<Collective>> prepare(const Fold &fold) override {
    const Move move = move_of(fold);
    return make_fold(fold, move, find_groups({&move, 1}), move.buffers[0].num_devices());
  }
};

} // namespace

std::unique_ptr<Communicator> make_local() { return std::make_unique<LocalCommunicator>(); }

} // namespace tw::comm
