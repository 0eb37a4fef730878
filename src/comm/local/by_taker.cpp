// SPDX-License-Identifier: Apache-2.0
// The work of groups of one device each.
#include "comm/local/by_taker.hpp"

#include <algorithm>
#include <utility>

#include "comm/local/region_reduce.hpp"

namespace tw::comm {

void ByTaker::add_sources(size_t round, const ArrayStep &move) {
  const redistribute::Step &step = move.step;
  const size_t devices = step.first_piece.size() - 1;
  sources_.resize(std::max(sources_.size(), round + 1));
  auto &by_taker = sources_[round];
  by_taker.resize(devices);
  const auto add = [&](size_t taker, int64_t from) {
    if (from != static_cast<int64_t>(taker))
      by_taker[taker].push_back(Position(from));
  };
  for (size_t d = 0; d < devices; ++d) {
    for (size_t s = step.first_source[step.first_piece[d]]; s < step.first_source[step.first_piece[d + 1]];
         ++s)
      add(d, step.sources[s].device);
    if (!move.owner.empty() && !move.owner[d].source)
      add(static_cast<size_t>(move.owner[d].device), static_cast<int64_t>(d));
  }
  for (auto &of_taker : by_taker) {
    std::ranges::sort(of_taker);
    of_taker.erase(std::unique(of_taker.begin(), of_taker.end()), of_taker.end());
  }
}

Result<std::unique_ptr<ByTaker>> ByTaker::prepare(std::span<const Transfer> transfers) {
  TW_ASSIGN(const Rounds rounds, rounds_of(transfers));
  std::unique_ptr<ByTaker> made(new ByTaker);
  const size_t devices = rounds[0][0].buffers[0].num_devices();
  const Groups takers = each_alone(devices);
  size_t most = 0, buffers = 0;
  for (const auto &of_array : rounds) {
    most = std::max(most, of_array.size());
    buffers = std::max(buffers, of_array[0].buffers.size());
  }
  const bool finds_tiles = made->finds_tiles_ = most > 1 || buffers > 2;
  made->in_place_ = most == 1;
  for (size_t r = 0; r < most; ++r) {
    RoundTiles tiles;
    std::vector<ArrayStep> moves;
    int64_t bytes = 0;
    for (const auto &of_array : rounds) {
      moves.push_back(r < of_array.size() ? of_array[r] : nothing_like(of_array[0]));
      bytes += bytes_written(moves.back());
      tiles.add(moves.back());
      made->add_sources(r, moves.back());
      made->in_place_ = made->in_place_ && comm::may_run_in_place(moves.back());
    }
    if (finds_tiles)
      tiles.allocate();
    Round &round = made->rounds_.emplace_back(
        Round{StepWorks(finds_tiles ? tiles.slots : devices, devices), std::move(tiles)});
    for (const ArrayStep &move : moves)
      round.works.add(work_of(move, takers, bytes));
  }
  for (const auto &of_taker : made->sources_[0])
    made->in_place_ = made->in_place_ && of_taker.empty();
  for (const auto &taker : takers.members)
    made->everybody_.push_back(taker[0]);
  made->staging_bytes_.resize(devices, 0);
  for (size_t a = 0; finds_tiles && a < rounds.size(); ++a)
    made->scratch_.add(a, rounds[a], takers.members, made->staging_bytes_, false);
  return made;
}

Result<std::unique_ptr<ByTaker>> ByTaker::prepare(const RegionReduce &reduce) {
  std::unique_ptr<ByTaker> made(new ByTaker);
  const ArrayStep move = step_of(reduce);
  made->add_sources(0, move);
  const size_t devices = move.buffers[0].num_devices();
  TW_ASSIGN(made->region_, make_region_reduce(reduce, move, each_alone(devices), devices));
  return made;
}

void ByTaker::give_staging(Position taker, std::byte *staging) {
  for (Round &round : rounds_)
    scratch_.give(round.tiles, static_cast<size_t>(taker), staging);
}

ByTaker::Tiles ByTaker::tiles(size_t round, SourceTiles src, TargetTiles dst) const {
  if (!finds_tiles_)
    return {{src.begin(), src.end()}, {dst.begin(), dst.end()}};
  RoundTiles all = rounds_[round].tiles;
  all.set_arrays(everybody_, src, dst);
  return {std::move(all.src), std::move(all.dst)};
}

void ByTaker::run(size_t round, Position taker, const Tiles &tiles) const {
  const auto group = static_cast<size_t>(taker);
  if (region_ != nullptr)
    for (int64_t part = 0; part < region_->parts(group, 0); ++part)
      region_->run(group, 0, part, tiles.src, tiles.dst);
  else
    for (int64_t part = 0; part < rounds_[round].works.parts(group); ++part)
      rounds_[round].works.run(group, part, tiles.src, tiles.dst);
}

} // namespace tw::comm
