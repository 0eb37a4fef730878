// SPDX-License-Identifier: Apache-2.0
// Collectives of a program as exchange steps: what every device misses comes straight from its holder.
#include "comm/local/local.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "comm/local/combine.hpp"
#include "comm/local/fold.hpp"
#include "comm/local/step_work.hpp"
#include "redistribute/exchange.hpp"

namespace tw::comm {
namespace {

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

// What every device receives from the direct exchange; buffer 0 is the source, buffer 1 the target.
redistribute::Step step_of(const redistribute::Request &request) {
  redistribute::Step step;
  step.target = 1;
  for (int64_t d = 0; d < request.mesh.num_positions(); ++d) {
    step.first_piece.push_back(static_cast<uint32_t>(step.first_source.size()));
    for (const redistribute::Piece &piece : redistribute::direct(request, d)) {
      if (piece.box.empty())
        continue;
      step.bounds.insert(step.bounds.end(), piece.box.offset.begin(), piece.box.offset.end());
      step.bounds.insert(step.bounds.end(), piece.box.extent.begin(), piece.box.extent.end());
      step.first_source.push_back(static_cast<uint32_t>(step.sources.size()));
      for (const int64_t holder : piece.sources)
        step.sources.push_back({static_cast<redistribute::Device>(holder), 0});
    }
  }
  step.first_piece.push_back(static_cast<uint32_t>(step.first_source.size()));
  step.first_source.push_back(static_cast<uint32_t>(step.sources.size()));
  return step;
}

redistribute::Placement placement_of(const sharding::Sharding &s, const redistribute::Request &r) {
  redistribute::Placement tiles(r.type.rank(), static_cast<size_t>(r.mesh.num_positions()));
  for (redistribute::Device d = 0; d < r.mesh.num_positions(); ++d) {
    const sharding::Box box = sharding::box_of(s, r.type.dims, r.mesh, d);
    std::ranges::copy(box.offset, tiles.offset(d).begin());
    std::ranges::copy(box.extent, tiles.extent(d).begin());
  }
  return tiles;
}

// One array of a collective: what moves, and between which tiles.
struct Move {
  redistribute::Placement buffers[2];
  int64_t element_size;
  ops::BlockFn combine;
};

// The parts of a group are those of the first array, then those of the next.
class LocalCollective final : public Collective {
public:
  LocalCollective(std::span<const redistribute::Step> steps, std::span<const Move> moves) {
    Groups groups = find_groups(steps);
    for (size_t i = 0; i < moves.size(); ++i) {
      const Move &move = moves[i];
      works_.emplace_back(steps[i], move.buffers, move.element_size, move.combine, false, &groups);
      const auto stays = stays_in_place(steps[i], move.buffers);
      in_place_ =
          in_place_ && move.buffers[0] == move.buffers[1] && std::ranges::find(stays, false) == stays.end();
    }
    groups_ = std::move(groups.members);
    group_of_ = std::move(groups.of);
  }

  bool may_run_in_place() const override { return in_place_; }
  int64_t parts(size_t group) const override {
    int64_t parts = 0;
    for (const StepWork &work : works_)
      parts += work.parts(group);
    return parts;
  }
  void run(size_t group, int64_t part, std::span<const void *const> src,
           std::span<void *const> dst) const override {
    size_t array = 0;
    for (; part >= works_[array].parts(group); ++array)
      part -= works_[array].parts(group);
    const size_t devices = group_of_.size();
    works_[array].run(group, part, src.subspan(array * devices, devices),
                      dst.subspan(array * devices, devices));
  }

private:
  std::vector<StepWork> works_; // by array
  bool in_place_ = true;
};

class LocalCommunicator final : public Communicator {
public:
  const char *name() const override { return "local"; }
  Result<std::unique_ptr<Collective>> prepare(std::span<const Transfer> transfers) override {
    std::vector<redistribute::Step> steps;
    std::vector<Move> moves;
    for (const Transfer &t : transfers) {
      TW_ASSIGN(const auto kind, reduction_of(t));
      ops::BlockFn combine = nullptr;
      if (kind && *kind != sharding::Reduction::raw) {
        TW_ASSIGN(combine, combiner(*kind, t.type.dtype));
      }
      const redistribute::Request request{t.mesh, t.type, t.src, t.dst};
      steps.push_back(step_of(request));
      moves.push_back({{placement_of(t.src, request), placement_of(t.dst, request)},
                       static_cast<int64_t>(graph::byte_size(t.type.dtype)),
                       combine});
    }
    return std::make_unique<LocalCollective>(steps, moves);
  }

  Result<std::unique_ptr<Collective>> prepare(const Fold &fold) override {
    const redistribute::Request request{fold.mesh, fold.types[0], fold.src, fold.dst};
    const redistribute::Placement buffers[] = {placement_of(fold.src, request),
                                               placement_of(fold.dst, request)};
    return make_fold(fold, step_of(request), buffers);
  }
};

} // namespace

std::unique_ptr<Communicator> make_local() { return std::make_unique<LocalCommunicator>(); }

} // namespace tw::comm
