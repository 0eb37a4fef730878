// SPDX-License-Identifier: Apache-2.0
// Takes the direct exchange as a step, or the steps of a plan.
#include "comm/array_steps.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "comm/local/combine.hpp"
#include "redistribute/direct.hpp"
#include "redistribute/in_place.hpp"
#include "redistribute/plan.hpp"

namespace tw::comm {

ArrayStep nothing_like(const ArrayStep &move) {
  ArrayStep nothing = move;
  nothing.step = {};
  nothing.step.target = 1;
  nothing.step.first_piece.assign(move.buffers[0].num_devices() + 1, 0);
  nothing.step.first_source.assign(1, 0);
  return nothing;
}

namespace {

// How partial values of the array combine.
Result<Combine> combine_of(const Transfer &t) {
  const redistribute::Problem &problem = t.move.problem();
  std::optional<sharding::Reduction> kind;
  for (const sharding::Partial &s : problem.src().sharding.partial) {
    if (std::ranges::count(problem.dst().sharding.partial, s) != 0)
      continue;
    if (kind && *kind != s.kind)
      return fail(Code::unimplemented, "TW-611",
                  fmt::format("one collective would have to combine by {} and by {}", sharding::name(*kind),
                              sharding::name(s.kind)));
    kind = s.kind;
  }
  if (!kind || *kind == sharding::Reduction::raw)
    return Combine{};
  TW_ASSIGN(Combine combine, combiner(*kind, problem.type().dtype));
  combine.from_zero = t.from_zero;
  return combine;
}

// In one step from the holders.
ArrayStep straight(const redistribute::Problem &problem, std::span<const redistribute::TileOwner> owner) {
  ArrayStep move{{}, {source_tiles(problem), target_tiles(problem)}, problem.item_size(), {}};
  move.owner.assign(owner.begin(), owner.end());
  move.step = direct_pieces(problem, [&](redistribute::Device d) { return has_own(owner, d); });
  return move;
}

// The steps of a plan, with its target as buffer 1.
std::vector<ArrayStep> by_steps(const redistribute::Plan &plan,
                                std::span<const redistribute::TileOwner> owner) {
  const auto number = [&](uint32_t buffer) {
    return buffer == 0 ? 0 : buffer == plan.target() ? 1 : buffer + 1;
  };
  ArrayStep move{{}, {}, plan.problem->item_size(), {}};
  move.buffers.resize(plan.buffers.size());
  for (uint32_t b = 0; b < plan.buffers.size(); ++b)
    move.buffers[number(b)] = plan.buffers[b];
  for (const redistribute::Image &image : plan.images)
    move.images.push_back({number(image.buffer), number(image.of), image.shift});
  move.owner.assign(owner.begin(), owner.end());
  std::vector<ArrayStep> moves;
  for (redistribute::Step &step :
       have_own(owner) ? std::vector(plan.steps.read()) : steps_at_owners(plan, owner)) {
    step.target = number(step.target);
    for (redistribute::Source &source : step.sources)
      source.buffer = number(source.buffer);
    moves.push_back(move);
    moves.back().step = std::move(step);
  }
  if (moves.empty()) // all tiles are empty
    moves.push_back(nothing_like(move));
  return moves;
}

} // namespace

Result<Rounds> rounds_of(std::span<const Transfer> transfers) {
  Rounds rounds;
  for (const Transfer &t : transfers) {
    TW_ASSIGN(const Combine combine, combine_of(t));
    auto &moves = rounds.emplace_back(t.move.is_straight() ? std::vector{straight(t.move.problem(), t.owner)}
                                                           : by_steps(t.move.plan(), t.owner));
    for (ArrayStep &move : moves) {
      move.combine = combine;
      move.borrowed = t.borrowed;
    }
  }
  return rounds;
}

Rounds at_once(std::span<const ArrayStep> moves) {
  Rounds rounds;
  for (const ArrayStep &move : moves)
    rounds.push_back({move});
  return rounds;
}

std::vector<ArrayStep> flat(const Rounds &rounds) {
  std::vector<ArrayStep> moves;
  for (const auto &of_array : rounds)
    moves.insert(moves.end(), of_array.begin(), of_array.end());
  return moves;
}

ArrayStep step_of(const RegionReduce &reduce) {
  ArrayStep move = straight(reduce.move.problem(), {});
  move.element_size = 1;
  return move;
}

Groups find_groups(std::span<const ArrayStep> moves) {
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
  for (const ArrayStep &move : moves)
    for (size_t d = 0; d < n; ++d) {
      const redistribute::Step &step = move.step;
      for (size_t s = step.first_source[step.first_piece[d]]; s < step.first_source[step.first_piece[d + 1]];
           ++s)
        join(d, step.sources[s].device);
      if (!move.owner.empty() && !move.owner[d].source)
        join(d, move.owner[d].device);
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
    groups.members[groups.of[d]].push_back(Position(static_cast<int64_t>(d)));
  }
  return groups;
}

Groups each_alone(size_t devices) {
  Groups groups;
  for (size_t d = 0; d < devices; ++d) {
    groups.members.push_back({Position(static_cast<int64_t>(d))});
    groups.of.push_back(d);
  }
  return groups;
}

Groups all_together(size_t devices) {
  Groups groups{{{}}, std::vector<size_t>(devices, 0)};
  for (size_t d = 0; d < devices; ++d)
    groups.members[0].push_back(Position(static_cast<int64_t>(d)));
  return groups;
}

int64_t bytes_written(const ArrayStep &move) {
  return bytes_written(move.step, move.buffers[0].rank(), move.element_size);
}

StepWork work_of(const ArrayStep &move, const Groups &groups, int64_t bytes_together) {
  return {move.step, move.buffers, move.element_size, move.combine, bytes_together, groups};
}

bool may_run_in_place(const ArrayStep &move) {
  return move.buffers[0] == move.buffers[1] &&
         std::ranges::count(redistribute::stays_in_place(move.step, move.buffers), false) == 0;
}

bool may_run_in_place(const Rounds &rounds) {
  return std::ranges::all_of(rounds, [](const std::vector<ArrayStep> &of_array) {
    return of_array.size() == 1 && may_run_in_place(of_array[0]);
  });
}

Result<bool> may_run_in_place(std::span<const Transfer> transfers) {
  for (const Transfer &t : transfers) {
    TW_TRY(combine_of(t));
    if (const auto &problem = t.move.problem();
        t.move.is_straight() && redistribute::source_tiles(problem) != redistribute::target_tiles(problem))
      return false;
  }
  TW_ASSIGN(const Rounds rounds, rounds_of(transfers));
  return may_run_in_place(rounds);
}

} // namespace tw::comm
