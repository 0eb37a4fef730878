// SPDX-License-Identifier: Apache-2.0
// What a process puts into the stream for those groups of a collective that run together: all that are at the
// same step of the loops around it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/nccl/lane.hpp"
#include "comm/nccl/native.hpp"
#include "comm/remote/remote_boxes.hpp"
#include "comm/round_tiles.hpp"

namespace tw::comm::nccl {

class Pass final : public Launch {
public:
  // `groups`: of the collective, those with members in this process, and those members.
  struct Group {
    size_t number; // in the collective
    std::vector<Position> members;
  };
  Pass(std::shared_ptr<Lane> lane, std::vector<Group> groups, Clique *clique)
      : lane_(std::move(lane)), groups_(std::move(groups)), clique_(clique) {}

  std::span<const Group> groups() const { return groups_; }
  Device &device() { return lane_->device(); }

  // A round: arrays with what this process does of their moves, and `work`, which does it on tiles and on
  // what has come. Staging grows by what it needs, by group of the collective.
  struct Array {
    const Part *part;
    int64_t element_size;
    std::optional<Native> native = {}; // then `part` does nothing
    std::optional<NativeSum> sum = {};
    redistribute::Device device = -1; // of a native one: the one here
  };
  Status add_round(std::span<const Array> arrays, std::span<const size_t> group_of,
                   std::unique_ptr<Work> work, std::vector<int64_t> &staging_bytes);

  void give_staging(size_t group, std::byte *staging, const ScratchTiles &scratch);
  void set_tiles(size_t group, SourceTiles src, TargetTiles dst);
  // A group is there. The last of them begins the launch.
  Status arrive();
  Result<bool> is_over(int64_t runs, Clock::time_point awaited);
  Result<bool> is_issued() { return lane_->is_issued(*this); } // once all groups are there
  void set_awaited(Clock::time_point since) { lane_->set_awaited(*this, since); }
  bool is_in_flight() { return lane_->is_in_flight(*this); }

  Result<bool> advance() override;

private:
  // Where a message lies: in the staging of a group, or in a tile.
  struct Place {
    size_t group; // index into groups_
    int64_t offset;
    std::optional<size_t> slot;
  };
  struct Message {
    Op op;
    Place from, to;
  };
  struct Round {
    RoundTiles tiles;
    std::unique_ptr<Work> pack, work;
    std::vector<Message> messages;
    struct Received {
      size_t slot, group;
      int64_t offset;
    };
    std::vector<Received> received;
  };
  Status add_boxes(Round &round, std::span<const Array> arrays, std::span<const size_t> group_of,
                   std::vector<int64_t> &staging_bytes);
  void add_native(Round &round, size_t array, const Array &given);
  Status launch(Round &round);
  size_t index_of(size_t group) const;

  std::shared_ptr<Lane> lane_;
  std::vector<Group> groups_;
  Clique *clique_; // null: nothing goes to another process
  std::vector<Round> rounds_;
  std::vector<std::byte *> staging_; // by index into groups_

  std::mutex mutex_; // of what follows
  size_t arrived_ = 0;
  int64_t runs_begun_ = 0, runs_over_ = 0;

  size_t at_ = 0; // the round in hand
  bool sent_ = false;
};

} // namespace tw::comm::nccl
