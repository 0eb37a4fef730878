// SPDX-License-Identifier: Apache-2.0
// Asks for the direct exchange of every device and writes it down as a step.
#include "comm/moves.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "comm/local/combine.hpp"
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

redistribute::Step step_of(const redistribute::Request &request, std::span<const int64_t> home) {
  redistribute::Step step;
  step.target = 1;
  for (int64_t d = 0; d < request.mesh.num_positions(); ++d) {
    step.first_piece.push_back(static_cast<uint32_t>(step.first_source.size()));
    if (!home.empty() && home[static_cast<size_t>(d)] != d)
      continue;
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

Move move_of(const redistribute::Request &request, int64_t element_size, Combine combine,
             std::span<const int64_t> home) {
  return {step_of(request, home),
          {placement_of(request.src, request), placement_of(request.dst, request)},
          element_size,
          combine,
          {home.begin(), home.end()}};
}

} // namespace

Result<std::vector<Move>> moves_of(std::span<const Transfer> transfers) {
  std::vector<Move> moves;
  for (const Transfer &t : transfers) {
    TW_ASSIGN(const auto kind, reduction_of(t));
    Combine combine;
    if (kind && *kind != sharding::Reduction::raw) {
      TW_ASSIGN(combine, combiner(*kind, t.type.dtype));
      combine.from_zero = t.from_zero;
    }
    moves.push_back(move_of({t.mesh, t.type, t.src, t.dst},
                            static_cast<int64_t>(graph::byte_size(t.type.dtype)), combine, t.home));
    moves.back().borrowed = t.borrowed;
  }
  return moves;
}

Move move_of(const Fold &fold) {
  return move_of(redistribute::Request{fold.mesh, fold.types[0], fold.src, fold.dst}, 1, {}, {});
}

Groups find_groups(std::span<const Move> moves) {
  const size_t n = moves[0].step.first_piece.size() - 1;
  std::vector<size_t> leader(n);
  std::iota(leader.begin(), leader.end(), size_t{0});
  const auto find = [&](size_t d) {
    while (leader[d] != d)
      d = leader[d] = leader[leader[d]];
    return d;
  };
  const auto join = [&](size_t d, int64_t other) {
    const size_t a = find(d), b = find(static_cast<size_t>(other));
    leader[std::max(a, b)] = std::min(a, b);
  };
  for (const Move &move : moves)
    for (size_t d = 0; d < n; ++d) {
      const redistribute::Step &step = move.step;
      for (size_t s = step.first_source[step.first_piece[d]]; s < step.first_source[step.first_piece[d + 1]];
           ++s)
        join(d, step.sources[s].device);
      if (!move.home.empty())
        join(d, move.home[d]);
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

int64_t bytes_written(const Move &move) {
  return bytes_written(move.step, move.buffers[0].rank(), move.element_size);
}

StepWork work_of(const Move &move, const Groups &groups, int64_t bytes_together) {
  return {move.step, move.buffers, move.element_size, move.combine, bytes_together, &groups};
}

bool may_run_in_place(const Move &move) {
  return move.buffers[0] == move.buffers[1] &&
         std::ranges::count(stays_in_place(move.step, move.buffers), false) == 0;
}

} // namespace tw::comm
