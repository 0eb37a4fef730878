// SPDX-License-Identifier: Apache-2.0
// Takes the direct exchange as a step, or the steps of a plan.
#include "comm/moves.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "comm/local/combine.hpp"
#include "redistribute/direct.hpp"
#include "redistribute/plan.hpp"
#include "redistribute/step_builder.hpp"

namespace tw::comm {

Move nothing_like(const Move &move) {
  Move nothing = move;
  nothing.step = {};
  nothing.step.target = 1;
  nothing.step.first_piece.assign(move.buffers[0].num_devices() + 1, 0);
  nothing.step.first_source.assign(1, 0);
  return nothing;
}

namespace {

// The one way in which the partial values that this transfer combines do combine.
Result<std::optional<sharding::Reduction>> reduction_of(const Transfer &t) {
  std::optional<sharding::Reduction> kind;
  const auto &stays = t.problem.dst().sharding.partial;
  for (const sharding::Partial &s : t.problem.src().sharding.partial) {
    if (std::ranges::count(stays, s) != 0)
      continue;
    if (kind && *kind != s.kind)
      return fail(Code::unimplemented, "TW-611",
                  fmt::format("one collective would have to combine by {} and by {}", sharding::name(*kind),
                              sharding::name(s.kind)));
    kind = s.kind;
  }
  return kind;
}

Move move_of(const redistribute::Problem &problem, int64_t element_size, Combine combine,
             std::span<const Position> owner) {
  return {direct_pieces(
              problem,
              [&](redistribute::Device d) { return owner.empty() || owner[static_cast<size_t>(d)] == d; }),
          {source_tiles(problem), target_tiles(problem)},
          element_size,
          combine,
          {owner.begin(), owner.end()}};
}

// What a box has outside of others.
void subtract(const sharding::Box &box, std::span<const sharding::Box> others,
              std::vector<sharding::Box> &left) {
  for (size_t i = 0; i < others.size(); ++i) {
    const sharding::Box common = intersect(box, others[i]);
    if (common.empty())
      continue;
    sharding::Box rest = box;
    for (size_t d = 0; d < box.extent.size(); ++d) { // the slabs in front of and behind what both have
      const int64_t begin = rest.offset[d], end = begin + rest.extent[d], from = common.offset[d],
                    to = from + common.extent[d];
      for (const auto &[low, high] : {std::pair(begin, from), std::pair(to, end)})
        if (low < high) {
          sharding::Box slab = rest;
          slab.offset[d] = low;
          slab.extent[d] = high - low;
          subtract(slab, others.subspan(i + 1), left);
        }
      rest.offset[d] = from;
      rest.extent[d] = to - from;
    }
    return;
  }
  left.push_back(box);
}

// Steps whose devices have one target tile together where `owner` says so: it has by then what any of them
// would have.
class AtOwner {
public:
  AtOwner(const redistribute::Problem &problem, std::span<const Position> owner)
      : problem_(problem), owner_(owner), filled_(owner.size()) {}

  redistribute::Step rewrite(const redistribute::Step &step) {
    const size_t rank = problem_.rank();
    redistribute::StepBuilder builder(problem_);
    std::vector<sharding::Box> left;
    for (size_t d = 0; d < owner_.size(); ++d)
      for (size_t p = step.first_piece[d]; p < step.first_piece[d + 1]; ++p) {
        std::vector<redistribute::Source> sources;
        for (redistribute::Source source : step.sources_of(p)) {
          if (source.buffer == kTarget)
            source.device = static_cast<redistribute::Device>(owner_[static_cast<size_t>(source.device)]);
          sources.push_back(source);
        }
        left.assign(1, step.box(p, rank));
        auto to = static_cast<redistribute::Device>(d);
        if (step.target == kTarget) {
          to = static_cast<redistribute::Device>(owner_[d]);
          auto &filled = filled_[static_cast<size_t>(to)];
          left.clear();
          subtract(step.box(p, rank), filled, left);
          filled.insert(filled.end(), left.begin(), left.end());
        }
        for (const sharding::Box &box : left)
          builder.add(to, box, sources);
      }
    return builder.finish(step.target, step.reduction);
  }

  static constexpr uint32_t kTarget = 1;

private:
  const redistribute::Problem &problem_;
  std::span<const Position> owner_;
  std::vector<std::vector<sharding::Box>> filled_; // of target tiles
};

// The steps of a plan, with its target as buffer 1.
std::vector<Move> planned(const Transfer &t, const Combine &combine) {
  const redistribute::Plan &plan = *t.plan;
  TW_ASSERT(plan.problem->num_devices() == t.problem.num_devices());
  const auto number = [&](uint32_t buffer) {
    return buffer == 0 ? 0 : buffer == plan.target() ? AtOwner::kTarget : buffer + 1;
  };
  std::vector<redistribute::Placement> buffers(plan.buffers.size());
  for (uint32_t b = 0; b < buffers.size(); ++b)
    buffers[number(b)] = plan.buffers[b];
  AtOwner at_owner(*plan.problem, t.owner);
  bool shares = false;
  for (size_t d = 0; d < t.owner.size(); ++d)
    shares = shares || t.owner[d] != static_cast<int64_t>(d);
  std::vector<Move> moves;
  for (redistribute::Step step : plan.steps) {
    step.target = number(step.target);
    for (redistribute::Source &source : step.sources)
      source.buffer = number(source.buffer);
    if (shares)
      step = at_owner.rewrite(step);
    moves.push_back({std::move(step),
                     buffers,
                     plan.problem->item_size(),
                     combine,
                     {t.owner.begin(), t.owner.end()},
                     t.borrowed});
  }
  if (moves.empty()) // all tiles are empty
    moves.push_back(nothing_like(
        {{}, buffers, plan.problem->item_size(), combine, {t.owner.begin(), t.owner.end()}, t.borrowed}));
  return moves;
}

} // namespace

Result<Rounds> rounds_of(std::span<const Transfer> transfers) {
  Rounds rounds;
  for (const Transfer &t : transfers) {
    TW_ASSIGN(const auto kind, reduction_of(t));
    Combine combine;
    if (kind && *kind != sharding::Reduction::raw) {
      TW_ASSIGN(combine, combiner(*kind, t.problem.type().dtype));
      combine.from_zero = t.from_zero;
    }
    if (t.plan != nullptr) {
      rounds.push_back(planned(t, combine));
      continue;
    }
    rounds.push_back({move_of(t.problem, t.problem.item_size(), combine, t.owner)});
    rounds.back()[0].borrowed = t.borrowed;
  }
  return rounds;
}

Rounds at_once(std::span<const Move> moves) {
  Rounds rounds;
  for (const Move &move : moves)
    rounds.push_back({move});
  return rounds;
}

std::vector<Move> flat(const Rounds &rounds) {
  std::vector<Move> moves;
  for (const auto &of_array : rounds)
    moves.insert(moves.end(), of_array.begin(), of_array.end());
  return moves;
}

Move move_of(const RegionReduce &reduce) {
  return move_of(redistribute::Problem::within(reduce.mesh, reduce.types[0], reduce.src, reduce.dst), 1, {},
                 {});
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
      if (!move.owner.empty())
        join(d, move.owner[d]);
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

bool may_run_in_place(const Rounds &rounds) {
  return std::ranges::all_of(rounds, [](const std::vector<Move> &of_array) {
    return of_array.size() == 1 && may_run_in_place(of_array[0]);
  });
}

Result<bool> may_run_in_place(std::span<const Transfer> transfers) {
  for (const Transfer &t : transfers) {
    TW_TRY(reduction_of(t));
    if (t.plan == nullptr && redistribute::source_tiles(t.problem) != redistribute::target_tiles(t.problem))
      return false;
  }
  TW_ASSIGN(const Rounds rounds, rounds_of(transfers));
  return may_run_in_place(rounds);
}

} // namespace tw::comm
