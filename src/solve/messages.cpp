// SPDX-License-Identifier: Apache-2.0
// Variables have an order; each edge keeps what its earlier variable last told its later one, and the other
// way. A variable shares what it knows among as many chains as pass through it: the most of its edges to
// earlier and to later ones. What is taken off messages and off the costs of variables adds up to the bound.
#include "solve/messages.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "base/hash.hpp"

namespace tw::solve {
namespace {

// A table without rows and columns that are there already: choices of one variable that make no difference
// to the other.
struct Compact {
  std::vector<uint32_t> row_of, column_of; // by choice
  uint32_t rows = 0, columns = 0;
  std::vector<Cost> costs, turned; // by row, by column
};

// Which of `count` runs of `size` costs are equal; answers with how many are not.
uint32_t find_equal(const std::vector<Cost> &costs, uint32_t count, uint32_t size,
                    std::vector<uint32_t> &place) {
  std::unordered_multimap<uint64_t, uint32_t> known; // by hash, the first run
  uint32_t fresh = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Cost *const run = costs.data() + size_t{i} * size;
    Hasher hash(size);
    for (uint32_t j = 0; j < size; ++j)
      hash.add(std::bit_cast<uint64_t>(run[j]));
    uint32_t same = fresh;
    const auto [begin, end] = known.equal_range(hash.value());
    for (auto at = begin; at != end && same == fresh; ++at)
      if (std::equal(run, run + size, costs.data() + size_t{at->second} * size))
        same = place[at->second];
    if (same == fresh) {
      known.emplace(hash.value(), i);
      ++fresh;
    }
    place.push_back(same);
  }
  return fresh;
}

std::vector<Cost> turn(const std::vector<Cost> &costs, uint32_t rows, uint32_t columns) {
  std::vector<Cost> turned(costs.size());
  for (uint32_t i = 0; i < rows; ++i)
    for (uint32_t j = 0; j < columns; ++j)
      turned[size_t{j} * rows + i] = costs[size_t{i} * columns + j];
  return turned;
}

Compact compact(const Table &table) {
  Compact made;
  made.rows = find_equal(table.costs, table.rows, table.columns, made.row_of);
  made.columns = find_equal(turn(table.costs, table.rows, table.columns), table.columns, table.rows,
                            made.column_of);
  made.costs.resize(size_t{made.rows} * made.columns);
  for (uint32_t i = 0; i < table.rows; ++i)
    for (uint32_t j = 0; j < table.columns; ++j)
      made.costs[size_t{made.row_of[i]} * made.columns + made.column_of[j]] = table.at(i, j);
  made.turned = turn(made.costs, made.rows, made.columns);
  return made;
}

class Passing {
public:
  Passing(const Model &model, const Rounds &rounds)
      : model_(model), rounds_(rounds), earlier_(model.costs.size()), later_(model.costs.size()) {
    for (const Table &table : model.tables)
      tables_.push_back(compact(table));
    size_t most = 1, values = 0;
    for (uint32_t e = 0; e < model.edges.size(); ++e) {
      const auto [a, b, table] = model.edges[e];
      to_first_.push_back(values);
      to_second_.push_back(values += model.costs[a].size());
      values += model.costs[b].size();
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

  Bounded run() {
    Bounded best;
    best.bound = -kNever;
    Cost before = -kNever;
    for (int quiet = 0; best.rounds < rounds_.most;) {
      ++best.rounds;
      forward();
      best.bound = std::max(best.bound, backward());
      std::vector<uint32_t> choices = decide();
      if (const Cost cost = model_.cost_of(choices); cost < best.cost || best.choices.empty()) {
        best.cost = cost;
        if (cost < kNever)
          best.choices = std::move(choices);
      }
      if (best.cost - best.bound <= rounds_.gap * std::abs(best.cost) || (rounds_.stop && rounds_.stop()))
        break;
      quiet = best.bound - before <= rounds_.growth * std::abs(best.bound) ? quiet + 1 : 0;
      if (quiet == 0)
        before = best.bound;
      if (quiet >= rounds_.patience)
        break;
    }
    return best;
  }

private:
  // What an edge told a variable of its choices.
  std::span<Cost> told(uint32_t e, uint32_t v) {
    return {values_.data() + (model_.edges[e].first == v ? to_first_[e] : to_second_[e]),
            model_.costs[v].size()};
  }

  // What a variable's choices cost, with all that was told to it.
  std::span<Cost> gather(uint32_t v) {
    const std::span<Cost> sum = std::span(known_).first(model_.costs[v].size());
    std::ranges::copy(model_.costs[v], sum.begin());
    for (const auto *edges : {&earlier_[v], &later_[v]})
      for (const uint32_t e : *edges)
        add(sum, told(e, v));
    return sum;
  }
  static void add(std::span<Cost> sum, std::span<const Cost> more) {
    for (size_t i = 0; i < sum.size(); ++i)
      sum[i] += more[i];
  }

  // Tells the other end of an edge what its choices cost on this side. Answers with the least of that, which
  // is taken off.
  Cost tell(uint32_t e, uint32_t v, std::span<const Cost> known, double share) {
    const Edge &edge = model_.edges[e];
    const Compact &table = tables_[edge.table];
    const bool from_first = edge.first == v;
    const std::vector<uint32_t> &from = from_first ? table.row_of : table.column_of,
                                &to = from_first ? table.column_of : table.row_of;
    const uint32_t rows = from_first ? table.rows : table.columns,
                   columns = from_first ? table.columns : table.rows;
    const Cost *costs = from_first ? table.costs.data() : table.turned.data();
    const std::span<const Cost> heard = told(e, v);
    const std::span<Cost> offers = std::span(offers_).first(rows), least = std::span(least_).first(columns);
    std::ranges::fill(offers, kNever);
    for (size_t i = 0; i < known.size(); ++i)
      if (known[i] < kNever)
        offers[from[i]] = std::min(offers[from[i]], share * known[i] - heard[i]);
    std::ranges::fill(least, kNever);
    for (uint32_t row = 0; row < rows; ++row, costs += columns)
      if (const Cost offer = offers[row]; offer < kNever)
        for (uint32_t column = 0; column < columns; ++column)
          least[column] = std::min(least[column], offer + costs[column]);
    const Cost all = std::ranges::min(least);
    if (all == kNever)
      return all;
    const std::span<Cost> told = this->told(e, from_first ? edge.second : edge.first);
    for (size_t i = 0; i < told.size(); ++i)
      told[i] = least[to[i]] - all;
    return all;
  }

  double share_of(uint32_t v) const {
    return 1 / static_cast<double>(std::max<size_t>({earlier_[v].size(), later_[v].size(), 1}));
  }

  void forward() {
    for (uint32_t v = 0; v < model_.costs.size(); ++v) {
      const std::span<const Cost> known = gather(v);
      for (const uint32_t e : later_[v])
        tell(e, v, known, share_of(v));
    }
  }

  // Answers with the bound.
  Cost backward() {
    Cost bound = 0;
    for (uint32_t v = static_cast<uint32_t>(model_.costs.size()); v-- > 0;) {
      const std::span<Cost> known = gather(v);
      const Cost least = std::ranges::min(known);
      if (least == kNever)
        return kNever; // nothing is allowed
      bound += least;
      for (Cost &cost : known)
        cost -= least;
      for (const uint32_t e : earlier_[v])
        bound += tell(e, v, known, share_of(v));
    }
    return bound;
  }

  // One after the other, with those before it decided, and the others as far as they told.
  std::vector<uint32_t> decide() {
    std::vector<uint32_t> choices(model_.costs.size());
    for (uint32_t v = 0; v < choices.size(); ++v) {
      const std::span<Cost> sum = std::span(known_).first(model_.costs[v].size());
      std::ranges::copy(model_.costs[v], sum.begin());
      for (const uint32_t e : later_[v])
        add(sum, told(e, v));
      for (const uint32_t e : earlier_[v]) {
        const Edge &edge = model_.edges[e];
        const Compact &table = tables_[edge.table];
        const bool first = edge.first == v;
        const Cost *const costs =
            first ? table.turned.data() + size_t{table.column_of[choices[edge.second]]} * table.rows
                  : table.costs.data() + size_t{table.row_of[choices[edge.first]]} * table.columns;
        const std::vector<uint32_t> &place = first ? table.row_of : table.column_of;
        for (size_t i = 0; i < sum.size(); ++i)
          sum[i] += costs[place[i]];
      }
      choices[v] = static_cast<uint32_t>(std::ranges::min_element(sum) - sum.begin());
    }
    return choices;
  }

  const Model &model_;
  const Rounds &rounds_;
  std::vector<Compact> tables_;
  std::vector<std::vector<uint32_t>> earlier_, later_; // edges, by variable
  std::vector<size_t> to_first_, to_second_;           // by edge, into values_
  std::vector<Cost> values_;                           // what edges told, by choice
  std::vector<Cost> known_, offers_, least_;
};

} // namespace

Bounded pass_messages(const Model &model, const Rounds &rounds) { return Passing(model, rounds).run(); }

} // namespace tw::solve
