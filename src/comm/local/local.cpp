// SPDX-License-Identifier: Apache-2.0
// Collectives of a program as exchange steps, one after the other, on tiles that all lie in one memory.
#include "comm/local/local.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "comm/array_steps.hpp"
#include "comm/local/region_reduce.hpp"
#include "comm/local/step_work.hpp"
#include "comm/round_tiles.hpp"

namespace tw::comm {
namespace {

class LocalCollective final : public Collective {
public:
  LocalCollective(const Rounds &rounds, Groups groups) {
    size_t most = 0, buffers = 0;
    for (const auto &of_array : rounds) {
      most = std::max(most, of_array.size());
      buffers = std::max(buffers, of_array[0].buffers.size());
    }
    finds_tiles_ = most > 1 || buffers > 2;
    in_place_ = comm::may_run_in_place(rounds);
    for (size_t r = 0; r < most; ++r)
      rounds_.push_back(make_round(rounds, r, groups, finds_tiles_));
    staging_bytes_.resize(groups.members.size(), 0);
    for (size_t a = 0; finds_tiles_ && a < rounds.size(); ++a)
      scratch_.add(a, rounds[a], groups.members, staging_bytes_);
    groups_ = std::move(groups.members);
    group_of_ = std::move(groups.of);
  }

  bool may_run_in_place() const override { return in_place_; }
  int64_t staging_bytes(size_t group) const override { return staging_bytes_[group]; }
  Status give_staging(size_t group, std::byte *staging) override {
    for (Round &round : rounds_)
      scratch_.give(round.tiles, group, staging);
    return {};
  }

  size_t stages(size_t) const override { return rounds_.size(); }
  void begin(size_t group, SourceTiles src, TargetTiles dst) override {
    if (finds_tiles_)
      for (Round &round : rounds_)
        round.tiles.set_arrays(groups_[group], src, dst);
  }
  int64_t parts(size_t group, size_t stage) const override { return rounds_[stage].works.parts(group); }
  void run(size_t group, size_t stage, int64_t part, SourceTiles src, TargetTiles dst) const override {
    const Round &round = rounds_[stage];
    if (finds_tiles_)
      round.works.run(group, part, round.tiles.src, round.tiles.dst);
    else
      round.works.run(group, part, src, dst);
  }

private:
  struct Round {
    StepWorks works;
    RoundTiles tiles; // where it finds them; else it takes them as they are given
  };

  static Round make_round(const Rounds &rounds, size_t r, const Groups &groups, bool finds_tiles) {
    int64_t bytes = 0;
    RoundTiles tiles;
    std::vector<ArrayStep> moves;
    for (const auto &of_array : rounds) {
      moves.push_back(r < of_array.size() ? of_array[r] : nothing_like(of_array[0]));
      bytes += bytes_written(moves.back());
      tiles.add(moves.back());
    }
    if (finds_tiles)
      tiles.allocate();
    const size_t devices = groups.of.size();
    Round round{StepWorks(finds_tiles ? tiles.slots : devices, devices), std::move(tiles)};
    for (const ArrayStep &move : moves)
      round.works.add(work_of(move, groups, bytes));
    return round;
  }

  std::vector<Round> rounds_;
  ScratchTiles scratch_;
  std::vector<int64_t> staging_bytes_; // by group
  bool finds_tiles_ = false;           // those of several rounds, or of more buffers than source and target
  bool in_place_ = false;
};

class LocalCommunicator final : public Communicator {
public:
  const char *name() const override { return "local"; }
  Result<std::unique_ptr<Collective>> prepare(std::span<const Transfer> transfers) override {
    TW_ASSIGN(const Rounds rounds, rounds_of(transfers));
    return std::make_unique<LocalCollective>(rounds, find_groups(flat(rounds)));
  }
  Result<std::unique_ptr<Collective>> prepare_alone(std::span<const Transfer> transfers) override {
    TW_ASSIGN(const Rounds rounds, rounds_of(transfers));
    return std::make_unique<LocalCollective>(rounds, all_together(rounds[0][0].buffers[0].num_devices()));
  }
  Result<std::unique_ptr<Collective>> prepare(const sharding::Mesh &,
                                              std::span<const ArrayStep> moves) override {
    return std::make_unique<LocalCollective>(at_once(moves), find_groups(moves));
  }

  Result<std::unique_ptr<Collective>> prepare(const RegionReduce &reduce) override {
    const ArrayStep move = step_of(reduce);
    return make_region_reduce(reduce, move, find_groups({&move, 1}), move.buffers[0].num_devices());
  }
};

} // namespace

std::unique_ptr<Communicator> make_local() { return std::make_unique<LocalCommunicator>(); }

} // namespace tw::comm
