// SPDX-License-Identifier: Apache-2.0
// A table keeps the variable that is eliminated first among its own as the one whose choices stand side by
// side. So everything that comes together for a variable has its choices side by side, and sums of rows are
// all there is to do.
#include "solve/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "solve/compact.hpp"

namespace tw::solve {
namespace {

constexpr uint32_t kHeld = UINT32_MAX;

// Which variable goes next, while what has gone ties those it was tied to.
class Ordering {
public:
  Ordering(std::vector<std::vector<uint32_t>> near, std::vector<double> logs, double most, Random &random)
      : near_(std::move(near)), logs_(std::move(logs)), most_(most), random_(random),
        stamps_(near_.size(), 0), held_(near_.size(), false) {
    for (uint32_t v = 0; v < near_.size(); ++v)
      offer(v);
  }
  // Answers with the order, and leaves in near() what each was tied to when it went.
  std::vector<uint32_t> run() {
    std::vector<uint32_t> order;
    while (!heap_.empty()) {
      const Offer best = heap_.top();
      heap_.pop();
      if (best.stamp != stamps_[best.variable])
        continue;
      if (best.size > most_) {
        hold(pick(best.variable));
        if (!held_[best.variable])
          offer(best.variable);
      } else {
        take(best.variable);
        order.push_back(best.variable);
      }
    }
    return order;
  }
  const std::vector<uint32_t> &near(uint32_t v) const { return near_[v]; }
  bool held(uint32_t v) const { return held_[v]; }

private:
  struct Offer {
    double key, size;
    uint32_t variable, stamp;
    bool operator<(const Offer &other) const { return key > other.key; } // the least on top
  };
  void offer(uint32_t v) {
    double size = logs_[v];
    for (const uint32_t u : near_[v])
      size += logs_[u];
    heap_.push({size + random_.part(), size, v, ++stamps_[v]});
  }
  // Of a variable and its neighbours one that has many.
  uint32_t pick(uint32_t v) {
    uint32_t best = v;
    double most = -1;
    for (size_t i = 0; i <= near_[v].size(); ++i) {
      const uint32_t u = i < near_[v].size() ? near_[v][i] : v;
      const double weight = (logs_[u] * static_cast<double>(near_[u].size())) * (0.25 + random_.part());
      if (weight > most) {
        most = weight;
        best = u;
      }
    }
    return best;
  }
  void hold(uint32_t v) {
    held_[v] = true;
    ++stamps_[v];
    for (const uint32_t u : near_[v]) {
      near_[u].erase(std::ranges::lower_bound(near_[u], v));
      offer(u);
    }
  }
  void take(uint32_t v) {
    ++stamps_[v];
    const std::vector<uint32_t> &near = near_[v];
    for (const uint32_t u : near) {
      merged_.clear();
      std::ranges::set_union(near_[u], near, std::back_inserter(merged_));
      std::erase_if(merged_, [&](uint32_t w) { return w == u || w == v; });
      near_[u] = merged_;
    }
    for (const uint32_t u : near)
      offer(u);
  }

  std::vector<std::vector<uint32_t>> near_; // sorted
  std::vector<double> logs_;
  double most_;
  Random &random_;
  std::vector<uint32_t> stamps_; // an offer counts while it has the last one
  std::vector<bool> held_;
  std::priority_queue<Offer> heap_;
  std::vector<uint32_t> merged_;
};

} // namespace

Sweep::Sweep(const Model &model, const Flat &flat)
    : flat_(flat), near_(model.costs.size()), place_(model.costs.size(), kHeld), own_(flat.costs.size()) {
  turned_.reserve(model.tables.size());
  for (const Table &table : model.tables)
    turned_.push_back(turn(table));
  for (const Edge &e : model.edges) {
    near_[e.second].push_back({e.first, model.tables[e.table].costs.data()});
    near_[e.first].push_back({e.second, turned_[e.table].data()});
  }
}

void Sweep::plan(std::span<const uint32_t> free, size_t most, Random &random) {
  std::ranges::fill(place_, kHeld);
  for (uint32_t i = 0; i < free.size(); ++i)
    place_[free[i]] = i; // for now the number among the free
  std::vector<std::vector<uint32_t>> near(free.size());
  std::vector<double> logs(free.size());
  for (uint32_t i = 0; i < free.size(); ++i) {
    logs[i] = std::log2(static_cast<double>(flat_.size(free[i])));
    for (const Near &n : near_[free[i]])
      if (place_[n.other] != kHeld)
        near[i].push_back(place_[n.other]);
    std::ranges::sort(near[i]);
    near[i].erase(std::unique(near[i].begin(), near[i].end()), near[i].end());
  }
  Ordering ordering(std::move(near), std::move(logs), std::log2(static_cast<double>(most)), random);
  const std::vector<uint32_t> taken = ordering.run();
  for (const uint32_t v : free)
    place_[v] = kHeld;
  order_.clear();
  for (const uint32_t i : taken) {
    place_[free[i]] = static_cast<uint32_t>(order_.size());
    order_.push_back(free[i]);
  }
  scopes_.resize(std::max(scopes_.size(), order_.size()));
  heard_.resize(scopes_.size());
  told_.resize(scopes_.size());
  factors_.resize(scopes_.size());
  for (uint32_t p = 0; p < order_.size(); ++p)
    heard_[p].clear();
  for (uint32_t p = 0; p < order_.size(); ++p) {
    std::vector<uint32_t> &scope = scopes_[p];
    scope.clear();
    for (const uint32_t i : ordering.near(taken[p]))
      if (!ordering.held(i))
        scope.push_back(free[i]);
    std::ranges::sort(scope, [&](uint32_t a, uint32_t b) { return place_[a] > place_[b]; });
    size_t entries = 1;
    for (const uint32_t u : scope)
      entries *= flat_.size(u);
    told_[p].resize(entries);
    if (!scope.empty())
      heard_[place_[scope.back()]].push_back(p);
  }
  for (uint32_t p = 0; p < order_.size(); ++p)
    find_factors(p);
}

void Sweep::find_factors(uint32_t place) {
  const uint32_t v = order_[place];
  const std::vector<uint32_t> &scope = scopes_[place];
  std::vector<Factor> &factors = factors_[place];
  factors.clear();
  for (const Near &n : near_[v]) {
    if (place_[n.other] == kHeld || place_[n.other] < place)
      continue;
    Factor factor{n.costs, std::vector<uint32_t>(scope.size(), 0)};
    factor.strides[static_cast<size_t>(std::ranges::find(scope, n.other) - scope.begin())] = flat_.size(v);
    factors.push_back(std::move(factor));
  }
  for (const uint32_t from : heard_[place]) {
    Factor factor{told_[from].data(), std::vector<uint32_t>(scope.size(), 0)};
    uint32_t stride = flat_.size(v); // v stands last in that scope
    for (size_t i = scopes_[from].size() - 1; i-- > 0;) {
      const uint32_t u = scopes_[from][i];
      factor.strides[static_cast<size_t>(std::ranges::find(scope, u) - scope.begin())] = stride;
      stride *= flat_.size(u);
    }
    factors.push_back(std::move(factor));
  }
}

// What a variable's choices cost by themselves and with those that are held.
void Sweep::gather(const std::vector<Cost> &costs, std::span<const uint32_t> choices) {
  for (const uint32_t v : order_) {
    const std::span<Cost> own = flat_.of(own_, v);
    std::ranges::copy(flat_.of(costs, v), own.begin());
    for (const Near &n : near_[v])
      if (place_[n.other] == kHeld) {
        const Cost *const row = n.costs + size_t{choices[n.other]} * own.size();
        for (size_t k = 0; k < own.size(); ++k)
          own[k] += row[k];
      }
  }
}

void Sweep::combine(uint32_t place) {
  const uint32_t v = order_[place];
  const std::vector<uint32_t> &scope = scopes_[place];
  const std::span<const Cost> own = flat_.of(std::as_const(own_), v);
  const size_t choices = own.size();
  const size_t last = scope.empty() ? 0 : scope.size() - 1;
  const size_t inner_choices = scope.empty() ? 1 : flat_.size(scope[last]);
  struct Walk {
    const Cost *at;
    const uint32_t *strides;
  };
  std::vector<Walk> outer, inner;
  for (const Factor &factor : factors_[place])
    (scope.empty() || factor.strides[last] == 0 ? outer : inner)
        .push_back({factor.costs, factor.strides.data()});
  std::vector<uint32_t> digits(last, 0);
  std::vector<Cost> sum(choices), all(choices);
  Cost *told = told_[place].data();
  while (true) {
    std::ranges::copy(own, sum.begin());
    for (const Walk &walk : outer)
      for (size_t k = 0; k < choices; ++k)
        sum[k] += walk.at[k];
    for (size_t j = 0; j < inner_choices; ++j) {
      if (inner.empty()) {
        *told++ = std::ranges::min(sum);
        continue;
      }
      const Cost *const first = inner[0].at + j * inner[0].strides[last];
      for (size_t k = 0; k < choices; ++k)
        all[k] = sum[k] + first[k];
      for (size_t f = 1; f < inner.size(); ++f) {
        const Cost *const row = inner[f].at + j * inner[f].strides[last];
        for (size_t k = 0; k < choices; ++k)
          all[k] += row[k];
      }
      Cost least = all[0];
      for (size_t k = 1; k < choices; ++k)
        least = std::min(least, all[k]);
      *told++ = least;
    }
    size_t d = last;
    for (; d-- > 0;) {
      const bool wraps = ++digits[d] == flat_.size(scope[d]);
      const uint32_t back = wraps ? digits[d] - 1 : 0;
      if (wraps)
        digits[d] = 0;
      for (auto *walks : {&outer, &inner})
        for (Walk &walk : *walks)
          walk.at = wraps ? walk.at - size_t{walk.strides[d]} * back : walk.at + walk.strides[d];
      if (!wraps)
        break;
    }
    if (d == SIZE_MAX)
      return;
  }
}

void Sweep::run(const std::vector<Cost> &costs, std::vector<uint32_t> &choices) {
  gather(costs, choices);
  for (uint32_t p = 0; p < order_.size(); ++p)
    combine(p);
  for (uint32_t p = static_cast<uint32_t>(order_.size()); p-- > 0;) {
    const uint32_t v = order_[p];
    const std::span<Cost> own = flat_.of(own_, v);
    for (const Factor &factor : factors_[p]) {
      const Cost *row = factor.costs;
      for (size_t i = 0; i < factor.strides.size(); ++i)
        row += size_t{factor.strides[i]} * choices[scopes_[p][i]];
      for (size_t k = 0; k < own.size(); ++k)
        own[k] += row[k];
    }
    const auto least = static_cast<uint32_t>(std::ranges::min_element(own) - own.begin());
    if (own[least] < own[choices[v]])
      choices[v] = least;
  }
}

Cost Sweep::difference(std::span<const uint32_t> variables, std::span<const uint32_t> before,
                       std::span<const uint32_t> after) const {
  Cost sum = 0;
  for (const uint32_t v : variables) {
    const uint32_t old = before[v], now = after[v];
    if (old == now)
      continue;
    const Cost *const own = flat_.costs.data() + flat_.begins[v];
    sum += own[now] - own[old];
    for (const Near &n : near_[v]) {
      const bool both = before[n.other] != after[n.other];
      if (both && n.other < v)
        continue; // counted there
      sum += n.costs[size_t{after[n.other]} * flat_.size(v) + now] -
             n.costs[size_t{before[n.other]} * flat_.size(v) + old];
    }
  }
  return sum;
}

} // namespace tw::solve
