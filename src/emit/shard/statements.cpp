// SPDX-License-Identifier: Apache-2.0
// Each sharding has a name at the head of the function; statements stand behind what makes a value, at the
// head of a region, or at its end.
#include "emit/shard/statements.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/shard/words.hpp"
#include "emit/stablehlo/annotated.hpp"

namespace tw::emit::shard {

using graph::Graph;
using graph::kNone;
using graph::ValueId;

size_t Statements::take(Use use, ValueId v, Used said) {
  std::vector<Used> &all = used[v];
  const auto known = std::ranges::find(all, said);
  const auto place = static_cast<size_t>(known - all.begin());
  if (known == all.end())
    all.push_back(std::move(said));
  return taken[use] = place;
}

void Statements::drop(const Graph &graph, Use use) {
  const ValueId v = graph.operands(use.first)[use.second];
  const size_t place = taken.at(use);
  taken.erase(use);
  const auto of_value = [&](const auto &other) {
    return graph.operands(other.first.first)[other.first.second] == v;
  };
  if (std::ranges::any_of(taken, [&](const auto &other) { return of_value(other) && other.second == place; }))
    return;
  std::vector<Used> &all = used.at(v);
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(place));
  for (auto &other : taken)
    if (of_value(other) && other.second > place)
      --other.second;
}

std::optional<size_t> Statements::said_outside(const Graph &graph, Yield yield,
                                               const std::string &text) const {
  const ValueId v = graph.region(yield.first).yields[yield.second];
  const auto all = used.find(v);
  if (moves_inside || all == used.end() || graph.region_of(v) == yield.first)
    return std::nullopt;
  const auto known = std::ranges::find(all->second, Used{text, kNone});
  return known == all->second.end() ? std::nullopt : std::optional(known - all->second.begin());
}

Constraints Statements::constraints(const Graph &graph) const {
  Constraints all;
  for (const auto &[v, of_users] : used)
    for (const Used &said : of_users)
      ++(said.region == kNone ? all.passages[v] : all.inside[said.region]);
  for (const auto &[yield, text] : yields)
    if (!said_outside(graph, yield, text))
      ++all.yields[yield.first];
  for (const auto &[op, kept] : halos)
    if (!kept.around)
      all.ops.insert(op);
  return all;
}

stablehlo::Notes Statements::notes(const partition::Plan &plan) const {
  const Graph &graph = plan.graph();
  stablehlo::Notes notes;
  std::map<std::string, std::string> names; // of shardings
  notes.header = grid_text(plan.mesh());
  stablehlo::add_rules(plan, notes);
  const auto passage = [&](const std::string &sharding, ValueId v, std::string_view clause) {
    const auto [at, fresh] = names.try_emplace(sharding, fmt::format("%sharding{}", names.size()));
    if (fresh)
      notes.definitions +=
          fmt::format("    {} = shard.sharding {} : !shard.sharding\n", at->second, sharding);
    return stablehlo::Passage{"shard.shard",
                              fmt::format("to {}{} : {}", at->second, clause, graph::to_text(graph.type(v)))};
  };
  constexpr std::string_view kUsers = " annotate_for_users";
  for (const auto &[v, sharding] : made)
    if (!said_elsewhere.contains(v))
      notes.made[v] = passage(sharding, v, "");
  for (const auto &[op, kept] : halos)
    notes.instead[op] = passage(kept.text, graph.result(op), kept.of_maker ? "" : kUsers);
  for (const auto &[v, of_users] : used)
    for (const Used &said : of_users) {
      if (said.region != kNone)
        notes.inside[said.region].emplace_back(v, notes.used[v].size());
      notes.used[v].push_back(passage(said.text, v, kUsers));
    }
  for (const auto &[yield, text] : yields)
    if (const auto known = said_outside(graph, yield, text))
      notes.yielded[yield] = *known;
    else
      notes.yields[yield] = passage(text, graph.region(yield.first).yields[yield.second], kUsers);
  notes.taken = taken;
  return notes;
}

} // namespace tw::emit::shard
