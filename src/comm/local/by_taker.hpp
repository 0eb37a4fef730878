// SPDX-License-Identifier: Apache-2.0
// A collective by taker: what each device receives is work of its own, which reads other devices' tiles and
// writes that device's alone. So a device takes as soon as those are ready that it reads from. The work in
// process makes each sum once for all takers; here every taker makes its own, in the same order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/array_steps.hpp"
#include "comm/comm.hpp"
#include "comm/local/step_work.hpp"
#include "comm/round_tiles.hpp"

namespace tw::comm {

class ByTaker {
public:
  static Result<std::unique_ptr<ByTaker>> prepare(std::span<const Transfer> transfers);
  static Result<std::unique_ptr<ByTaker>> prepare(const RegionReduce &reduce);

  size_t num_rounds() const { return sources_.size(); }
  // Whom a taker waits for before a round: those whose tiles it reads, and those for whom it takes; not
  // itself.
  std::span<const Position> sources(size_t round, Position taker) const {
    return sources_[round][static_cast<size_t>(taker)];
  }
  // Nobody reads what another one has, and everything stays where it is.
  bool may_run_in_place() const { return in_place_; }

  // Memory of a taker for what lies between rounds, given once.
  int64_t staging_bytes(Position taker) const {
    return staging_bytes_.empty() ? 0 : staging_bytes_[static_cast<size_t>(taker)];
  }
  void give_staging(Position taker, std::byte *staging);

  // Where a round finds everything: what `run` wants, from the arrays of a call.
  struct Tiles {
    std::vector<const void *> src;
    std::vector<void *> dst;
  };
  Tiles tiles(size_t round, SourceTiles src, TargetTiles dst) const;
  void run(size_t round, Position taker, const Tiles &tiles) const;

private:
  struct Round {
    StepWorks works;
    RoundTiles tiles; // the staging, where it finds tiles
  };

  ByTaker() = default;
  void add_sources(size_t round, const ArrayStep &move);

  std::vector<std::vector<std::vector<Position>>> sources_; // by round, by taker: ascending
  std::vector<Round> rounds_;
  std::unique_ptr<Collective> region_; // in place of rounds: a group a taker
  std::vector<Position> everybody_;
  ScratchTiles scratch_;
  std::vector<int64_t> staging_bytes_; // by taker
  bool finds_tiles_ = false;           // those of several rounds, or of more buffers than source and target
  bool in_place_ = false;
};

} // namespace tw::comm
