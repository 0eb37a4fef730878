// SPDX-License-Identifier: Apache-2.0
// Collectives of a program as exchange steps: what every device misses comes straight from its holder.
#include "comm/local/local.hpp"

#include <utility>

#include "comm/local/fold.hpp"
#include "comm/local/step_work.hpp"
#include "comm/moves.hpp"

namespace tw::comm {
namespace {

class LocalCollective final : public Collective {
public:
  LocalCollective(std::span<const Move> moves, Groups groups) : works_(groups.of.size(), groups.of.size()) {
    int64_t bytes = 0;
    for (const Move &move : moves)
      bytes += bytes_written(move);
    for (const Move &move : moves) {
      works_.add(work_of(move, groups, bytes));
      in_place_ = in_place_ && comm::may_run_in_place(move);
    }
    groups_ = std::move(groups.members);
    group_of_ = std::move(groups.of);
  }

  bool may_run_in_place() const override { return in_place_; }
  int64_t parts(size_t group, size_t) const override { return works_.parts(group); }
  void run(size_t group, size_t, int64_t part, SourceTiles src, TargetTiles dst) const override {
    works_.run(group, part, src, dst);
  }

private:
  StepWorks works_;
  bool in_place_ = true;
};

class LocalCommunicator final : public Communicator {
public:
  const char *name() const override { return "local"; }
  Result<std::unique_ptr<Collective>> prepare(std::span<const Transfer> transfers) override {
    TW_ASSIGN(const auto moves, moves_of(transfers));
    return prepare(transfers[0].mesh, moves);
  }
  Result<std::unique_ptr<Collective>> prepare(const sharding::Mesh &, std::span<const Move> moves) override {
    return std::make_unique<LocalCollective>(moves, find_groups(moves));
  }

  Result<std::unique_ptr<Collective>> prepare(const Fold &fold) override {
    const Move move = move_of(fold);
    return make_fold(fold, move, find_groups({&move, 1}), move.buffers[0].num_devices());
  }
};

} // namespace

std::unique_ptr<Communicator> make_local() { return std::make_unique<LocalCommunicator>(); }

} // namespace tw::comm
