// SPDX-License-Identifier: Apache-2.0
// The bound comes from messages, and so do the choices among which better ones are looked for.
#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "base/saturating.hpp"
#include "base/watch.hpp"
#include "search/relaxation.hpp"
#include "solve/messages.hpp"
#include "solve/narrow.hpp"
#include "solve/solve.hpp"

namespace tw::search {

using cost::Picoseconds;

namespace {

// Pairs of choices, of all edges.
double entries_of(const solve::Model &model) {
  double all = 1;
  for (const solve::Edge &edge : model.edges)
    all += static_cast<double>(model.costs[edge.first].size()) *
           static_cast<double>(model.costs[edge.second].size());
  return all;
}

Picoseconds bound_of(const Relaxation &relaxation, solve::Cost bound) {
  constexpr double kRounding = 1e-9;
  constexpr double kMost = 0x1p62;
  return saturating_add(relaxation.rest,
                        static_cast<Picoseconds>(std::clamp(bound, 0.0, kMost) * (1 - kRounding)));
}

int rounds_of(double entries, const solve::Model &model, double fewest) {
  constexpr double kMost = 300;
  return static_cast<int>(std::clamp(entries / entries_of(model), fewest, kMost));
}

} // namespace

Relaxed solve(const Relaxation &relaxation, const Effort &effort, std::vector<solve::Cost> told) {
  constexpr double kFewest = 3, kFewestChoosing = 50;
  constexpr double kNear = 3e-3; // of the cost: choices so near the bound are good enough
  constexpr size_t kMostChoices = 16;
  const solve::Model &model = relaxation.model;
  const auto is_late = [&] { return effort.until && std::chrono::steady_clock::now() >= *effort.until; };
  const auto stop = [&] { return gives_up() || is_late(); };
  const solve::Rounds rounds{
      .most = rounds_of(effort.bounding, model, kFewest), .patience = 5, .growth = 1e-4, .stop = stop};
  solve::Bounded found = solve::pass_messages(model, rounds, std::move(told));
  if (effort.choosing > 0 && found.cost - found.bound > kNear * found.cost && !found.choices.empty() &&
      !is_late()) {
    const solve::Narrowed narrowed = solve::narrow(model, found, kMostChoices);
    const solve::Problem problem{
        narrowed.model, std::vector<std::vector<solve::Use>>(model.costs.size()), {}};
    const solve::Effort how{.rounds = rounds_of(effort.choosing, narrowed.model, kFewestChoosing),
                            .stop = [&](const solve::Progress &) { return stop(); }};
    if (const solve::Solved solved = solve::solve(problem, how); solved.choices && solved.cost < found.cost)
      found.choices = narrowed.expand(*solved.choices);
  }
  Relaxed relaxed;
  relaxed.bound = bound_of(relaxation, found.bound); // there is none where it ended early
  for (uint32_t v = 0; v < found.choices.size(); ++v) {
    const partition::NodeId op = relaxation.ops[v];
    if (op == graph::kNone)
      continue;
    relaxed.nests.resize(std::max<size_t>(relaxed.nests.size(), op + 1));
    relaxed.nests[op] = relaxation.nest(v, found.choices[v]);
  }
  if (!effort.tells)
    return relaxed;
  auto at = found.told.begin();
  const auto take = [&](uint32_t variable) {
    const auto begin = at;
    at += static_cast<std::ptrdiff_t>(model.costs[variable].size());
    return std::vector<solve::Cost>(begin, at);
  };
  for (size_t e = 0; e < model.edges.size(); ++e) {
    auto first = take(model.edges[e].first);
    relaxed.told.emplace(relaxation.edges[e], std::array{std::move(first), take(model.edges[e].second)});
  }
  return relaxed;
}

Picoseconds prove(const Relaxation &relaxation, std::optional<double> seconds,
                  const std::function<bool(Picoseconds)> &stop) {
  constexpr double kEntries = 2e10; // of tables that are read: half a minute
  constexpr double kFewest = 500, kMost = 20000;
  // Larger ones are bounded by messages alone: what makes others smaller has tables for each edge.
  constexpr double kSmall = 3e7;
  const double entries = entries_of(relaxation.model);
  solve::Effort effort;
  effort.rounds = static_cast<int64_t>(std::clamp(kEntries / entries, kFewest, kMost));
  effort.seconds = seconds.value_or(effort.seconds);
  effort.stop = [&](const solve::Progress &now) { return stop(bound_of(relaxation, now.bound)); };
  if (entries <= kSmall) {
    const solve::Problem problem{
        relaxation.model, std::vector<std::vector<solve::Use>>(relaxation.ops.size()), {}};
    return bound_of(relaxation, solve::solve(problem, effort).bound);
  }
  const auto begin = std::chrono::steady_clock::now();
  const solve::Rounds rounds{.most = static_cast<int>(effort.rounds), .growth = 1e-6, .stop = [&] {
                               const std::chrono::duration<double> passed =
                                   std::chrono::steady_clock::now() - begin;
                               return stop(0) || passed.count() >= effort.seconds;
                             }};
  return bound_of(relaxation, solve::pass_messages(relaxation.model, rounds).bound);
}

} // namespace tw::search
