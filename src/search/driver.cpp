// SPDX-License-Identifier: Apache-2.0
// Threads take sequences of a batch as they come: what one is priced at does not depend on what an engine did
// before.
#include "search/driver.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace tw::search {

double cap_of(const system::System &system, int64_t cap_bytes) {
  const system::Device &device = system.device;
  return cap_bytes > 0 ? static_cast<double>(cap_bytes) : device.hbm_bytes - device.reserve_bytes;
}

int64_t cap_of_price(const system::System &system, double cap) {
  return static_cast<int64_t>(std::max(cap - system.device.library_bytes, 1.0)); // 0 is none
}

double score(const cost::Price &price, int64_t cap_bytes) {
  constexpr double kOver = 10; // times the time, for twice the memory that there is
  const auto time = static_cast<double>(price.time());
  if (fits(price, cap_bytes))
    return time;
  // Slightly too large leads to what fits; it is no answer.
  const double over = static_cast<double>(price.peak) / static_cast<double>(cap_bytes) - 1;
  return time * (2 + kOver * over);
}

double gap_of(cost::Picoseconds cost, cost::Picoseconds bound) {
  return cost > 0 ? static_cast<double>(cost - bound) / static_cast<double>(cost) : 0;
}

Result<std::unique_ptr<Driver>> Driver::create(std::shared_ptr<const Space> space, const Limits &limits) {
  std::unique_ptr<Driver> driver(new Driver(std::move(space), limits));
  driver->engines_.resize(driver->pool_.workers());
  TW_ASSIGN(driver->engines_[0], Engine::create(driver->space_));
  driver->root_ = driver->engines_[0]->price();
  driver->remember({}, {});
  return driver;
}

std::vector<std::vector<Engine::Step>> Driver::price(std::span<const Sequence> sequences) {
  std::vector<std::vector<Engine::Step>> made(sequences.size());
  pool_.parallel_for(std::ssize(sequences), [&](int64_t i, unsigned worker) {
    if (is_cut_off())
      return;
    try {
      auto &engine = engines_[worker];
      if (engine == nullptr) {
        auto another = Engine::create(space_);
        if (!another)
          return; // as if it were cut off
        engine = *std::move(another);
      }
      std::vector<Decision> decisions;
      for (const uint32_t d : sequences[static_cast<size_t>(i)])
        decisions.push_back(space_->decisions[d]);
      engine->go_to(decisions);
      made[static_cast<size_t>(i)].assign(engine->steps().begin(), engine->steps().end());
    } catch (...) { // no memory; threads of a pool do not throw
      const std::lock_guard lock(thrown_mutex_);
      thrown_ = std::current_exception();
    }
  });
  if (thrown_ != nullptr)
    std::rethrow_exception(thrown_);
  for (size_t i = 0; i < made.size(); ++i)
    if (made[i].size() != sequences[i].size()) // it was cut off
      made.resize(i);
  return made;
}

std::vector<std::vector<Engine::Step>> Driver::evaluate(std::span<const Sequence> sequences) {
  // Some at a time, where it may be near enough behind any of them.
  constexpr size_t kAtOnce = 8;
  const size_t most = limits_.gap > 0 ? kAtOnce : sequences.size();
  std::vector<std::vector<Engine::Step>> all;
  while (all.size() < sequences.size() && !is_over()) {
    const auto next = sequences.subspan(all.size());
    const auto some = next.first(std::min({next.size(), most, static_cast<size_t>(left())}));
    auto made = price(some);
    for (size_t i = 0; i < made.size(); ++i) {
      ++episodes_;
      steps_ += std::ssize(some[i]);
      remember(some[i], made[i]);
    }
    const bool cut = made.size() < some.size();
    std::ranges::move(made, std::back_inserter(all));
    tell();
    if (cut)
      break;
  }
  return all;
}

std::vector<Sequence> without_each(const Sequence &sequence) {
  std::vector<Sequence> others(sequence.size(), sequence);
  for (size_t i = 0; i < others.size(); ++i)
    others[i].erase(others[i].begin() + static_cast<ptrdiff_t>(i));
  return others;
}

std::vector<cost::Price> Driver::prices_without_each(const Sequence &sequence) {
  std::vector<cost::Price> prices;
  for (const auto &steps : price(without_each(sequence)))
    prices.push_back(steps.empty() ? root_ : steps.back().price);
  return prices;
}

const std::vector<uint32_t> &Driver::first_decisions() {
  if (first_decisions_)
    return *first_decisions_;
  constexpr size_t kBatch = 8;
  std::vector<bool> follows(space_->decisions.size(), false);
  std::vector<std::tuple<double, uint32_t, uint64_t>> found; // score, decision, state
  for (uint32_t next = 0; next < follows.size();) {
    std::vector<Sequence> batch;
    for (; next < follows.size() && batch.size() < kBatch; ++next)
      if (!follows[next] && space_->decisions[next].kind != Decision::Kind::value &&
          space_->decisions[next].kind != Decision::Kind::borders)
        batch.push_back({next});
    const auto made = evaluate(batch);
    for (size_t i = 0; i < made.size(); ++i) {
      const Engine::Step &step = made[i][0];
      if (step.lines.empty())
        continue;
      found.emplace_back(score(step.price), batch[i][0], step.state);
      if (step.decision.kind != Decision::Kind::tile)
        continue;
      for (uint32_t d = 0; d < follows.size(); ++d)
        if (const Decision &other = space_->decisions[d];
            other.kind == Decision::Kind::tile &&
            std::ranges::find(step.follow, Line{other.index, other.dim, other.axis}) != step.follow.end())
          follows[d] = true;
    }
    if (made.size() < batch.size())
      break;
  }
  std::ranges::sort(found);
  std::vector<uint32_t> decisions;
  std::set<uint64_t> states;
  for (const auto &[score, decision, state] : found)
    if (states.insert(state).second)
      decisions.push_back(decision);
  return first_decisions_.emplace(std::move(decisions));
}

void Driver::remember(const Sequence &sequence, std::span<const Engine::Step> steps) {
  Sequence applied;
  std::vector<Engine::Step> so_far;
  const auto add = [&](uint64_t state, const cost::Price &price) {
    const double its_score = score(price);
    const bool is_first = candidates_.empty() ||
                          std::tuple(!fits(price), its_score, price.peak, applied.size()) < order(first_);
    const auto known = candidates_.find(state);
    if (!is_first && known != candidates_.end() && applied.size() >= known->second.sequence.size())
      return; // as nearly all are
    Candidate candidate{applied, so_far, price, its_score};
    if (is_first)
      first_ = candidate;
    if (known == candidates_.end())
      candidates_.emplace(state, std::move(candidate));
    else if (applied.size() < known->second.sequence.size())
      known->second = std::move(candidate);
  };
  if (steps.empty())
    add(0, root_);
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].lines.empty())
      continue;
    applied.push_back(sequence[i]);
    so_far.push_back(steps[i]);
    add(steps[i].state, steps[i].price);
  }
  if (candidates_.size() > 4 * kKept) {
    const std::vector<Candidate> kept = best();
    std::map<uint64_t, Candidate> fewer;
    for (const Candidate &candidate : kept)
      fewer.emplace(candidate.steps.empty() ? 0 : candidate.steps.back().state, candidate);
    candidates_ = std::move(fewer);
  }
}

std::tuple<bool, double, int64_t, size_t> Driver::order(const Candidate &c) const {
  return {!fits(c.price), c.score, c.price.peak, c.sequence.size()};
}

std::vector<Driver::Candidate> Driver::best() const {
  std::vector<Candidate> all;
  for (const auto &[state, candidate] : candidates_)
    all.push_back(candidate);
  std::ranges::sort(all, {}, [&](const Candidate &c) { return std::pair(order(c), c.sequence); });
  if (all.size() > kKept) {
    const auto rest = all.begin() + kKept;
    std::ranges::sort(rest, all.end(), {},
                      [](const Candidate &c) { return std::pair(c.price.peak, c.sequence); });
    all.resize(std::min(all.size(), kKept + kKeptByPeak));
  }
  return all;
}

void Driver::tell() {
  if (limits_.control == nullptr)
    return;
  limits_.control->tell({cost::in_seconds(first_.price.time()), cost::in_seconds(limits_.bound),
                         first_.price.peak, limits_.priced_before + episodes_});
}

} // namespace tw::search
