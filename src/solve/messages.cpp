// SPDX-License-Identifier: Apache-2.0
// Variables have an order; each edge keeps what its earlier variable last told its later one, and the other
// way. A variable shares what it knows among as many chains as pass through it: the most of its edges to
// earlier and to later ones. What is taken off messages and off the costs of variables adds up to the bound.
#include "solve/messages.hpp"

#include <algorithm>
#include <cmath>

#include "solve/compact.hpp"
#include "solve/min_plus.hpp"

namespace tw::solve {

Messages::Messages(const Model &model, const Flat &flat, const std::function<bool()> &stop)
    : model_(model), flat_(flat), earlier_(model.costs.size()), later_(model.costs.size()) {
  for (const Table &table : model.tables) {
    if (stop && stop())
      break;
    const Table &of = table.row_of.empty() ? compact_.emplace_back(compact(table)) : table;
    tables_.push_back({&of, turn(of), of.rows == of.row_of.size() && of.columns == of.column_of.size()});
  }
  size_t most = 1, values = 0;
  for (uint32_t e = 0; e < model.edges.size(); ++e) {
    const auto [a, b, table] = model.edges[e];
    to_first_.push_back(values);
    to_second_.push_back(values += flat.size(a));
    values += flat.size(b);
    (a < b ? later_ : earlier_)[a].push_back(e);
    (a < b ? earlier_ : later_)[b].push_back(e);
  }
  values_.assign(values, 0);
  for (const auto &costs : model.costs)
    most = std::max(most, costs.size());
  known_.resize(most);
  offers_.resize(most);
  least_.resize(most);
}

// What an edge told a variable of its choices.
std::span<Cost> Messages::told(uint32_t e, uint32_t v) {
  return {values_.data() + (model_.edges[e].first == v ? to_first_[e] : to_second_[e]), flat_.size(v)};
}

std::span<Cost> Messages::gather(uint32_t v, const std::vector<Cost> &costs) {
  const std::span<const Cost> own = flat_.of(costs, v);
  const std::span<Cost> sum = std::span(known_).first(own.size());
  std::ranges::copy(own, sum.begin());
  for (const auto *edges : {&earlier_[v], &later_[v]})
    for (const uint32_t e : *edges)
      add_to(sum, told(e, v));
  return sum;
}

// Tells the other end of an edge what its choices cost on this side. Answers with the least of that, which
// is taken off.
Cost Messages::tell(uint32_t e, uint32_t v, std::span<const Cost> known, Cost share) {
  const Edge &edge = model_.edges[e];
  const auto &[stored, turned, is_plain] = tables_[edge.table];
  const Table &table = *stored;
  const bool from_first = edge.first == v;
  const std::vector<uint32_t> &from = from_first ? table.row_of : table.column_of,
                              &to = from_first ? table.column_of : table.row_of;
  const uint32_t rows = from_first ? table.rows : table.columns,
                 columns = from_first ? table.columns : table.rows;
  const Cost *costs = from_first ? table.costs.data() : turned.data();
  const std::span<const Cost> heard = told(e, v);
  const std::span<Cost> told = this->told(e, from_first ? edge.second : edge.first);
  const std::span<Cost> offers = std::span(offers_).first(rows);
  const std::span<Cost> least = is_plain ? told : std::span(least_).first(columns);
  if (is_plain) {
    offer(known, heard, share, offers);
  } else {
    std::ranges::fill(offers, kNever);
    for (size_t i = 0; i < known.size(); ++i)
      if (known[i] < kNever)
        offers[from[i]] = std::min(offers[from[i]], share * known[i] - heard[i]);
  }
  min_plus(costs, offers.data(), rows, columns, least.data());
  const Cost all = least_of(least);
  if (all == kNever)
    return all;
  take_off(least, all);
  if (!is_plain)
    for (size_t i = 0; i < told.size(); ++i)
      told[i] = least[to[i]];
  return all;
}

Cost Messages::share_of(uint32_t v) const {
  return 1 / static_cast<Cost>(std::max<size_t>({earlier_[v].size(), later_[v].size(), 1}));
}

Cost Messages::pass(const std::vector<Cost> &costs, const std::function<bool()> &stop) {
  constexpr uint32_t kBetween = 32; // variables
  const auto is_over = [&](uint32_t v) { return stop && v % kBetween == 0 && stop(); };
  if (tables_.size() < model_.tables.size())
    return -kNever;
  for (uint32_t v = 0; v < earlier_.size(); ++v) {
    if (is_over(v))
      return -kNever;
    if (later_[v].empty())
      continue;
    const std::span<const Cost> known = gather(v, costs);
    for (const uint32_t e : later_[v])
      tell(e, v, known, share_of(v));
  }
  Cost bound = 0;
  for (auto v = static_cast<uint32_t>(earlier_.size()); v-- > 0;) {
    if (is_over(v))
      return -kNever;
    const std::span<Cost> known = gather(v, costs);
    const Cost least = least_of(known);
    if (least == kNever)
      return kNever; // nothing is allowed
    bound += least;
    take_off(known, least);
    for (const uint32_t e : earlier_[v])
      bound += tell(e, v, known, share_of(v));
  }
  return bound;
}

void Messages::decide(const std::vector<Cost> &costs, std::vector<uint32_t> &choices) {
  choices.resize(earlier_.size());
  for (uint32_t v = 0; v < choices.size(); ++v) {
    const std::span<const Cost> own = flat_.of(costs, v);
    const std::span<Cost> sum = std::span(known_).first(own.size());
    std::ranges::copy(own, sum.begin());
    for (const uint32_t e : later_[v])
      add_to(sum, told(e, v));
    for (const uint32_t e : earlier_[v]) {
      const Edge &edge = model_.edges[e];
      const auto &[stored, turned, is_plain] = tables_[edge.table];
      const Table &table = *stored;
      const bool first = edge.first == v;
      const Cost *const row =
          first ? turned.data() + size_t{table.column_of[choices[edge.second]]} * table.rows
                : table.costs.data() + size_t{table.row_of[choices[edge.first]]} * table.columns;
      const std::vector<uint32_t> &place = first ? table.row_of : table.column_of;
      for (size_t i = 0; i < sum.size(); ++i)
        sum[i] += row[place[i]];
    }
    choices[v] = static_cast<uint32_t>(std::ranges::min_element(sum) - sum.begin());
  }
}

Bounded pass_messages(const Model &model, const Rounds &rounds, std::vector<Cost> told) {
  const Flat flat(model);
  Messages messages(model, flat, rounds.stop);
  if (!told.empty())
    messages.set_told(std::move(told));
  Bounded best;
  best.bound = -kNever;
  Cost before = -kNever;
  std::vector<uint32_t> choices;
  for (int quiet = 0; best.rounds < rounds.most;) {
    ++best.rounds;
    const Cost bound = messages.pass(flat.costs, rounds.stop);
    if (bound == -kNever)
      break;
    best.bound = std::max(best.bound, bound);
    messages.decide(flat.costs, choices);
    if (const Cost cost = model.cost_of(choices); cost < best.cost) {
      best.cost = cost;
      best.choices = choices;
    }
    const bool is_enough = best.cost < kNever && best.cost - best.bound <= rounds.gap * std::abs(best.cost);
    if (is_enough || (rounds.stop && rounds.stop()))
      break;
    quiet = best.bound - before <= rounds.growth * std::abs(best.bound) ? quiet + 1 : 0;
    if (quiet == 0)
      before = best.bound;
    if (quiet >= rounds.patience)
      break;
  }
  best.told = messages.take_told();
  return best;
}

} // namespace tw::solve
