// SPDX-License-Identifier: Apache-2.0
// Rules run until none applies. Each keeps one best answer, and says in a step how what went follows from
// what stays. A choice that must not be taken costs infinitely much until it is taken out.
#include "solve/reduce.hpp"

#include <algorithm>
#include <utility>

#include "solve/compact.hpp"
#include "solve/min_plus.hpp"
#include "solve/points.hpp"
#include "solve/random.hpp"

namespace tw::solve {
namespace {

struct Link {
  uint32_t first, second;
  std::vector<Cost> costs; // rows of first's choices
  bool gone = false, waits = false;
};

struct Variable {
  std::vector<Cost> costs{};
  std::vector<std::pair<uint32_t, uint32_t>> links{}; // other end, link; sorted
  bool gone = false, thinned = false;                 // thinned: choices went
  bool settled = false;                               // nothing changed since its choices were compared
};

class Reduction {
public:
  Reduction(const Problem &problem, const std::function<bool()> &stop)
      : stop_(stop), uses_(problem.uses), limits_(problem.limits) {
    variables_.resize(problem.model.costs.size());
    for (uint32_t v = 0; v < variables_.size(); ++v)
      variables_[v].costs = problem.model.costs[v];
    for (auto e = problem.model.edges.begin(); e != problem.model.edges.end() && !stops(); ++e)
      add(e->first, e->second, spread(problem.model.tables[e->table]).costs);
    found_.variables = variables_.size();
  }

  std::optional<Reduced> run() {
    for (bool again = true; again && found_.possible && !stops();) {
      merge_all();
      if (found_.possible)
        tidy();
      if (!found_.possible)
        break;
      again = drop_dominated();
      again |= eliminate_all();
    }
    if (stopped_)
      return std::nullopt;
    return found_.possible ? finish() : Reduced{.possible = false};
  }

private:
  bool stops() { return stopped_ = stopped_ || (stop_ && stop_()); }
  size_t size(uint32_t v) const { return variables_[v].costs.size(); }
  Cost &at(Link &link, uint32_t v, size_t i, size_t j) { // v's choice i and the other end's j
    return link.first == v ? link.costs[i * size(link.second) + j] : link.costs[j * size(link.second) + i];
  }
  const Cost &at(const Link &link, uint32_t v, size_t i, size_t j) const {
    return const_cast<Reduction *>(this)->at(const_cast<Link &>(link), v, i, j);
  }
  bool is_alive(uint32_t v, size_t i) const { return variables_[v].costs[i] < kNever; }

  void wait(uint32_t l) {
    if (!std::exchange(links_[l].waits, true))
      waiting_.push_back(l);
  }
  void wait_around(uint32_t v) {
    for (const auto &[other, l] : variables_[v].links)
      wait(l);
  }

  // Parallel edges become one; from a variable to itself an edge is a cost of its own.
  void add(uint32_t a, uint32_t b, std::vector<Cost> costs) {
    variables_[a].settled = variables_[b].settled = false;
    if (a == b) {
      const size_t choices = size(a);
      for (size_t i = 0; i < choices; ++i)
        variables_[a].costs[i] += costs[i * choices + i];
      return;
    }
    auto &links = variables_[a].links;
    const auto place = std::ranges::lower_bound(links, std::pair(b, uint32_t{0}));
    if (place != links.end() && place->first == b) {
      Link &link = links_[place->second];
      for (size_t i = 0; i < size(a); ++i)
        for (size_t j = 0; j < size(b); ++j)
          at(link, a, i, j) += costs[i * size(b) + j];
      wait(place->second);
      return;
    }
    const auto made = static_cast<uint32_t>(links_.size());
    links.insert(place, {b, made});
    auto &back = variables_[b].links;
    back.insert(std::ranges::lower_bound(back, std::pair(a, uint32_t{0})), {a, made});
    links_.push_back({a, b, std::move(costs)});
    wait(made);
  }
  void cut(uint32_t l) {
    Link &link = links_[l];
    for (const auto &[v, other] : {std::pair(link.first, link.second), std::pair(link.second, link.first)}) {
      auto &links = variables_[v].links;
      links.erase(std::ranges::lower_bound(links, std::pair(other, uint32_t{0})));
      variables_[v].settled = false;
    }
    link.gone = true;
    link.costs = {};
  }

  // Rule: where a choice of one end leaves the other at most one, the first end decides.
  void merge_all() {
    for (uint32_t v = 0; v < variables_.size(); ++v)
      if (!variables_[v].gone)
        check_alive(v);
    while (!waiting_.empty() && found_.possible && !stops()) {
      const uint32_t l = waiting_.back();
      waiting_.pop_back();
      links_[l].waits = false;
      if (!links_[l].gone)
        look_at(l);
    }
    for (uint32_t v = 0; v < variables_.size() && found_.possible; ++v)
      if (!variables_[v].gone && variables_[v].thinned)
        take_out(v);
  }
  void check_alive(uint32_t v) {
    if (std::ranges::none_of(variables_[v].costs, [](Cost cost) { return cost < kNever; }))
      found_.possible = false;
    variables_[v].thinned |=
        std::ranges::any_of(variables_[v].costs, [](Cost cost) { return cost == kNever; });
  }
  void look_at(uint32_t l) {
    const uint32_t a = links_[l].first, b = links_[l].second;
    const bool a_decides = prune(l, a, b);
    if (!found_.possible)
      return;
    const bool b_decides = prune(l, b, a);
    if (!found_.possible)
      return;
    const bool a_is_smaller = variables_[a].links.size() < variables_[b].links.size();
    if (b_decides && (!a_decides || a_is_smaller))
      merge(l, b, a);
    else if (a_decides)
      merge(l, a, b);
  }
  // Takes choices of v away that leave the other end none. Answers whether each leaves at most one.
  bool prune(uint32_t l, uint32_t v, uint32_t other) {
    Link &link = links_[l];
    bool decides = true, changed = false;
    for (size_t i = 0; i < size(v); ++i) {
      if (!is_alive(v, i))
        continue;
      size_t left = 0;
      for (size_t j = 0; j < size(other); ++j)
        left += is_alive(other, j) && at(link, v, i, j) < kNever;
      if (left == 0) {
        variables_[v].costs[i] = kNever;
        changed = true;
      }
      decides &= left <= 1;
    }
    if (changed) {
      check_alive(v);
      wait_around(v);
    }
    return decides;
  }
  void merge(uint32_t l, uint32_t into, uint32_t gone) {
    const size_t choices = size(into);
    std::vector<uint32_t> choice(choices, 0);
    bool changed = false;
    for (size_t i = 0; i < choices; ++i) {
      Cost &cost = variables_[into].costs[i];
      const bool was_alive = cost < kNever;
      bool any = false;
      for (uint32_t j = 0; j < size(gone) && cost < kNever && !any; ++j)
        if (is_alive(gone, j) && at(links_[l], into, i, j) < kNever) {
          choice[i] = j;
          any = true;
        }
      if (any)
        cost += variables_[gone].costs[choice[i]] + at(links_[l], into, i, choice[i]);
      else
        cost = kNever;
      changed |= was_alive && cost == kNever;
    }
    cut(l);
    for (const Use &use : std::exchange(uses_[gone], {})) {
      Use moved{use.begin, use.end, std::vector<Cost>(choices)};
      for (size_t i = 0; i < choices; ++i)
        moved.amounts[i] = use.amounts[choice[i]];
      uses_[into].push_back(std::move(moved));
    }
    const auto links = variables_[gone].links; // cut changes it
    for (const auto &[other, moved] : links) {
      std::vector<Cost> costs(choices * size(other));
      for (size_t i = 0; i < choices; ++i)
        for (size_t j = 0; j < size(other); ++j)
          costs[i * size(other) + j] = at(links_[moved], gone, choice[i], j);
      cut(moved);
      add(into, other, std::move(costs));
    }
    found_.steps.push_back({gone, {into}, 1, std::move(choice)});
    variables_[gone] = {.gone = true};
    if (changed) {
      check_alive(into);
      wait_around(into);
    }
  }

  // Choices that must not be taken leave all tables.
  void take_out(uint32_t v) {
    Variable &variable = variables_[v];
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < size(v); ++i)
      if (is_alive(v, i))
        kept.push_back(i);
    for (const auto &[other, l] : variable.links) {
      Link &link = links_[l];
      std::vector<Cost> costs;
      costs.reserve(kept.size() * size(other));
      if (link.first == v) {
        for (const uint32_t i : kept)
          for (size_t j = 0; j < size(other); ++j)
            costs.push_back(at(link, v, i, j));
      } else {
        for (size_t j = 0; j < size(other); ++j)
          for (const uint32_t i : kept)
            costs.push_back(at(link, v, i, j));
      }
      link.costs = std::move(costs);
      variables_[other].settled = false;
    }
    const auto pick = [&](std::vector<Cost> &values) {
      for (size_t i = 0; i < kept.size(); ++i)
        values[i] = values[kept[i]];
      values.resize(kept.size());
    };
    // Tables are indexed by the numbers of choices, so these change last.
    pick(variable.costs);
    for (Use &use : uses_[v])
      pick(use.amounts);
    variable.thinned = false;
    found_.steps.push_back({v, {v}, 1, std::move(kept)});
  }

  void tidy() {
    std::vector<size_t> before;
    for (const auto &uses : uses_)
      before.push_back(uses.size());
    found_.possible = tidy_points(uses_, limits_);
    for (size_t v = 0; v < uses_.size(); ++v)
      variables_[v].settled = variables_[v].settled && uses_[v].size() == before[v];
  }

  // Rule: a choice goes where another one costs no more with whatever the neighbours choose, and needs no
  // more.
  bool drop_dominated() {
    bool any = false;
    for (uint32_t v = 0; v < variables_.size() && !stops(); ++v) {
      if (variables_[v].gone || size(v) == 1 || std::exchange(variables_[v].settled, true))
        continue;
      const std::vector<Cost> sums = sums_of(v);
      bool changed = false;
      for (size_t i = 0; i < size(v); ++i)
        for (size_t j = 0; j < size(v) && is_alive(v, i); ++j)
          if (i != j && is_alive(v, j) && may_dominate(sums, j, i) && dominates(v, j, i)) {
            variables_[v].costs[i] = kNever;
            changed = true;
          }
      if (changed) {
        variables_[v].thinned = true;
        wait_around(v);
        any = true;
      }
    }
    return any;
  }
  // What choices cost with some drawn choices of the neighbours: a choice that is worse there dominates none.
  static constexpr size_t kDrawn = 16;
  std::vector<Cost> sums_of(uint32_t v) {
    std::vector<Cost> sums(size(v) * kDrawn);
    for (size_t i = 0; i < size(v); ++i)
      std::fill_n(sums.begin() + static_cast<ptrdiff_t>(i * kDrawn), kDrawn, variables_[v].costs[i]);
    for (const auto &[other, l] : variables_[v].links)
      for (size_t d = 0; d < kDrawn; ++d) {
        size_t drawn = random_.below(size(other));
        while (!is_alive(other, drawn))
          drawn = (drawn + 1) % size(other);
        for (size_t i = 0; i < size(v); ++i)
          sums[i * kDrawn + d] += at(links_[l], v, i, drawn);
      }
    return sums;
  }
  static bool may_dominate(std::span<const Cost> sums, size_t better, size_t worse) {
    for (size_t d = 0; d < kDrawn; ++d)
      if (sums[better * kDrawn + d] > sums[worse * kDrawn + d])
        return false;
    return true;
  }
  bool dominates(uint32_t v, size_t better, size_t worse) const {
    const Variable &variable = variables_[v];
    Cost more = variable.costs[better] - variable.costs[worse];
    for (const Use &use : uses_[v])
      if (use.amounts[better] > use.amounts[worse])
        return false;
    for (const auto &[other, l] : variable.links) {
      Cost most = -kNever; // of what the neighbour's choices make of it
      for (size_t j = 0; j < size(other); ++j) {
        const Cost costs = at(links_[l], v, worse, j);
        if (costs < kNever && is_alive(other, j))
          most = std::max(most, at(links_[l], v, better, j) - costs);
      }
      if (most == kNever)
        return false;
      more += most; // -kNever: the worse choice is not allowed at all
    }
    return more <= 0;
  }

  // Rule: what needs no memory and has at most two neighbours becomes a cost of these.
  bool eliminate_all() {
    bool any = false;
    for (uint32_t v = 0; v < variables_.size() && !stops(); ++v) {
      const Variable &variable = variables_[v];
      if (variable.gone || variable.thinned || !uses_[v].empty() || variable.links.size() > 2)
        continue;
      eliminate(v);
      any = true;
    }
    return any;
  }
  void eliminate(uint32_t v) {
    const auto links = variables_[v].links;
    const size_t choices = size(v);
    Reduced::Step step{v, {}, 1, {}};
    for (const auto &[other, l] : links)
      step.from.push_back(other);
    const size_t rows = links.empty() ? 1 : size(links[0].first);
    for (size_t i = 0; i < rows; ++i)
      for (size_t k = 0; k < choices; ++k)
        step.with_first.push_back(variables_[v].costs[k] +
                                  (links.empty() ? 0 : at(links_[links[0].second], v, k, i)));
    std::vector<Cost> costs; // the least, by choices of the others
    if (links.size() < 2) {
      for (size_t i = 0; i < rows; ++i) {
        const auto row = step.with_first.begin() + static_cast<ptrdiff_t>(i * choices);
        const auto least = std::min_element(row, row + static_cast<ptrdiff_t>(choices));
        step.choice.push_back(static_cast<uint32_t>(least - row));
        costs.push_back(*least);
      }
      step.with_first.clear();
    } else {
      const size_t columns = size(links[1].first);
      step.columns = static_cast<uint32_t>(columns);
      for (size_t k = 0; k < choices; ++k)
        for (size_t j = 0; j < columns; ++j)
          step.with_second.push_back(at(links_[links[1].second], v, k, j));
      costs.resize(rows * columns);
      for (size_t i = 0; i < rows; ++i)
        min_plus(step.with_second.data(), step.with_first.data() + i * choices, choices, columns,
                 costs.data() + i * columns);
    }
    for (const auto &[other, l] : links)
      cut(l);
    if (links.empty()) {
      found_.paid += costs[0];
      found_.possible &= costs[0] < kNever;
    } else if (links.size() == 1) {
      const uint32_t other = links[0].first;
      for (size_t i = 0; i < rows; ++i)
        variables_[other].costs[i] += costs[i];
      check_alive(other);
      if (variables_[other].thinned)
        wait_around(other);
    } else {
      add(links[0].first, links[1].first, std::move(costs));
    }
    found_.steps.push_back(std::move(step));
    variables_[v] = {.gone = true};
  }

  Reduced finish() {
    std::vector<uint32_t> numbers(variables_.size());
    Problem &problem = found_.problem;
    for (uint32_t v = 0; v < variables_.size(); ++v) {
      if (variables_[v].gone)
        continue;
      numbers[v] = static_cast<uint32_t>(found_.names.size());
      found_.names.push_back(v);
      problem.model.costs.push_back(variables_[v].costs);
      problem.uses.push_back(std::move(uses_[v]));
    }
    for (Link &link : links_)
      if (!link.gone) {
        problem.model.edges.push_back(
            {numbers[link.first], numbers[link.second], static_cast<uint32_t>(problem.model.tables.size())});
        problem.model.tables.push_back({static_cast<uint32_t>(size(link.first)),
                                        static_cast<uint32_t>(size(link.second)), std::move(link.costs)});
      }
    problem.limits = std::move(limits_);
    return std::move(found_);
  }

  const std::function<bool()> &stop_;
  bool stopped_ = false;
  std::vector<Variable> variables_;
  std::vector<std::vector<Use>> uses_; // by variable
  std::vector<Link> links_;
  std::vector<uint32_t> waiting_; // links to look at
  std::vector<Cost> limits_;
  Random random_{0};
  Reduced found_;
};

} // namespace

std::vector<uint32_t> Reduced::expand(std::span<const uint32_t> choices) const {
  std::vector<uint32_t> all(variables, 0);
  for (size_t v = 0; v < names.size(); ++v)
    all[names[v]] = choices[v];
  for (size_t s = steps.size(); s-- > 0;) {
    const Step &step = steps[s];
    const size_t first = step.from.empty() ? 0 : all[step.from[0]];
    if (step.with_second.empty()) {
      all[step.variable] = step.choice[first];
      continue;
    }
    const size_t count = step.with_second.size() / step.columns;
    Cost least = kNever;
    for (uint32_t k = 0; k < count; ++k)
      if (const Cost cost =
              step.with_first[first * count + k] + step.with_second[k * step.columns + all[step.from[1]]];
          cost < least) {
        least = cost;
        all[step.variable] = k;
      }
  }
  return all;
}

std::optional<Reduced> reduce(const Problem &problem, const std::function<bool()> &stop) {
  return Reduction(problem, stop).run();
}

} // namespace tw::solve
