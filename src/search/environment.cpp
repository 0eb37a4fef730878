// SPDX-License-Identifier: Apache-2.0
// Episodes begin alike, so what a sequence led to is kept. Such a step allocates nothing; the engine follows
// when a step leads to where nobody was.
#include "search/environment.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tw::search {

namespace {

uint64_t key_of(uint32_t known, uint32_t action) { return uint64_t{known} << 32 | action; }

double seconds(const cost::Price &price, int64_t cap_bytes) {
  constexpr double kLeast = 1; // picosecond, so that ratios are finite
  return std::max(score(price, cap_bytes), kLeast) * 1e-12;
}

} // namespace

Environment::Environment(Setup setup) : setup_(std::move(setup)) {
  // Each step decides about one axis of one subject at least.
  const size_t longest = observation().subjects().size() * observation().num_axes() + 2;
  actions_.reserve(longest);
  path_.reserve(longest);
}

Result<std::unique_ptr<Environment>> Environment::create(std::shared_ptr<const Space> space,
                                                         int64_t cap_bytes, size_t most_known) {
  auto observation = std::make_shared<const Observation>(*space);
  return create({std::move(space), std::move(observation), cap_bytes, most_known});
}

Result<std::unique_ptr<Environment>> Environment::create(const Setup &setup) {
  std::unique_ptr<Environment> made(new Environment(setup));
  TW_ASSIGN(made->engine_, Engine::create(setup.space));
  made->known_.push_back({made->engine_->price(), setup.observation->layouts(made->engine_->plan()), {}});
  made->path_.push_back(0);
  return made;
}

Result<std::unique_ptr<Environment>> Environment::clone() const {
  TW_ASSIGN(auto made, create(setup_));
  TW_TRY(made->restore(actions_));
  return made;
}

double Environment::cost() const { return seconds(price(), cap_bytes()); }

Result<double> Environment::step(uint32_t action) {
  if (is_over())
    return fail(Code::failed_precondition, "TW-734", "the episode is over: undo its last step, or restore");
  if (action >= num_actions())
    return fail(Code::out_of_range, "TW-734",
                fmt::format("action {}: they are 0 to {}", action, num_actions() - 1));
  const double before = cost();
  uint32_t next = path_.back();
  if (action != stop()) {
    const auto at = behind_.find(key_of(next, action));
    if (at != behind_.end()) {
      next = at->second;
    } else {
      TW_ASSIGN(next, look(action));
    }
  }
  actions_.push_back(action);
  path_.push_back(next);
  return std::log(before / cost());
}

Result<std::unique_ptr<Engine>> Environment::take_engine() {
  if (engine_ == nullptr)
    return Engine::create(setup_.space);
  return std::move(engine_);
}

Result<std::unique_ptr<Engine>> Environment::engine_here() {
  std::vector<Decision> decisions;
  for (const uint32_t action : actions_)
    if (action != stop())
      decisions.push_back(space().decisions[action]);
  TW_ASSIGN(auto engine, take_engine());
  engine->go_to(decisions);
  return engine;
}

Result<std::vector<Engine::Step>> Environment::engine_steps() {
  TW_ASSIGN(auto engine, engine_here());
  std::vector<Engine::Step> steps(engine->steps().begin(), engine->steps().end());
  engine_ = std::move(engine);
  return steps;
}

Result<uint32_t> Environment::look(uint32_t action) {
  if (known_.size() >= setup_.most_known)
    forget();
  std::vector<Decision> decisions;
  for (const uint32_t before : actions_)
    decisions.push_back(space().decisions[before]);
  decisions.push_back(space().decisions[action]);
  TW_ASSIGN(auto engine, take_engine());
  engine->go_to(decisions);
  if (engine->steps().back().lines.empty()) {
    Error why(Code::failed_precondition, "TW-733",
              fmt::format("action {} would change nothing: {}", action, engine->refused()->message()));
    engine_ = std::move(engine);
    TW_ASSIGN(auto *const mask, decisions_mask());
    (*mask)[action] = false;
    return fail(std::move(why));
  }
  const auto next = static_cast<uint32_t>(known_.size());
  known_.push_back({engine->price(), observation().layouts(engine->plan()), {}});
  behind_.emplace(key_of(path_.back(), action), next);
  engine_ = std::move(engine);
  return next;
}

// All but what the steps so far led to.
void Environment::forget() {
  std::unordered_map<uint64_t, uint32_t> behind;
  for (uint32_t i = 1; i < path_.size(); ++i)
    behind.emplace(key_of(i - 1, actions_[i - 1]), i);
  std::vector<Known> kept;
  kept.reserve(path_.size());
  for (uint32_t i = 0; i < path_.size(); ++i) { // nothing throws from here on
    kept.push_back(std::move(known_[path_[i]]));
    path_[i] = i;
  }
  known_ = std::move(kept);
  behind_ = std::move(behind);
}

Status Environment::undo(size_t steps) {
  if (steps > actions_.size())
    return fail(Code::out_of_range, "TW-734",
                fmt::format("{} steps back, where {} were taken", steps, actions_.size()));
  actions_.resize(actions_.size() - steps);
  path_.resize(path_.size() - steps);
  return {};
}

Status Environment::restore(std::span<const uint32_t> actions) {
  const Sequence before = actions_;
  const auto go = [this](std::span<const uint32_t> to) -> Status {
    const auto same = static_cast<size_t>(std::ranges::mismatch(actions_, to).in1 - actions_.begin());
    TW_TRY(undo(actions_.size() - same));
    for (const uint32_t action : to.subspan(same))
      TW_TRY(step(action));
    return {};
  };
  Status status = go(actions);
  if (!status)
    TW_TRY(go(before));
  return status;
}

Result<std::vector<bool> *> Environment::decisions_mask() {
  std::vector<bool> &known = known_[path_.back()].mask;
  if (known.empty()) {
    TW_ASSIGN(auto engine, engine_here());
    std::vector<bool> mask;
    for (const Decision &decision : space().decisions)
      mask.push_back(engine->may(decision));
    known = std::move(mask);
    engine_ = std::move(engine);
  }
  return &known;
}

Status Environment::mask(std::span<uint8_t> to) {
  if (is_over()) {
    std::ranges::fill(to, uint8_t{0});
    return {};
  }
  TW_ASSIGN(const auto *const decisions, decisions_mask());
  std::ranges::copy(*decisions, to.begin());
  to[stop()] = 1;
  return {};
}

void Environment::observe(std::span<float> to) const {
  const cost::Price &price = this->price(), &begin = known_[path_[0]].price;
  const auto of_begin = [&](cost::Picoseconds time) {
    return static_cast<float>(cost::in_seconds(time) / seconds(begin, 0));
  };
  const Observation::Figures figures{
      .saved = static_cast<float>(std::log(seconds(begin, cap_bytes()) / cost())),
      .computing = of_begin(price.computing),
      .moving = of_begin(price.moving),
      .peak = cap_bytes() == 0
                  ? 0
                  : static_cast<float>(static_cast<double>(price.peak) / static_cast<double>(cap_bytes())),
      .fits = fits(price, cap_bytes()) ? 1.0F : 0.0F,
      .over = is_over() ? 1.0F : 0.0F,
      .received = static_cast<float>(std::log1p(static_cast<double>(price.received))),
  };
  observation().write(figures, now().layouts, to);
}

Result<Environment::Conflicts> Environment::conflicts() const {
  const auto is_of_subject = [](const Decision &decision) {
    return decision.kind == Decision::Kind::tile || decision.kind == Decision::Kind::value;
  };
  TW_ASSIGN(const auto other, create(setup_));
  TW_ASSIGN(const auto *const begin, other->decisions_mask());
  const std::vector<bool> first = *begin;
  std::vector<std::vector<uint32_t>> with(num_actions());
  for (uint32_t a = 0; a < stop(); ++a) {
    if (!is_of_subject(space().decisions[a]) || !other->step(a))
      continue;
    TW_ASSIGN(const auto *const then, other->decisions_mask());
    for (uint32_t b = 0; b < stop(); ++b) {
      const Decision &decision = space().decisions[b];
      if (a == b || !is_of_subject(decision) || !first[b] || (*then)[b])
        continue;
      const size_t at = observation().subject_of(decision) * observation().num_axes() + decision.axis;
      if (other->now().layouts[at] != decision.dim) { // else it follows
        with[a].push_back(b);
        with[b].push_back(a);
      }
    }
    TW_TRY(other->undo(1));
  }
  Conflicts conflicts;
  for (std::vector<uint32_t> &actions : with) {
    std::ranges::sort(actions);
    actions.erase(std::unique(actions.begin(), actions.end()), actions.end());
    conflicts.offsets.push_back(static_cast<uint32_t>(conflicts.actions.size()));
    conflicts.actions.insert(conflicts.actions.end(), actions.begin(), actions.end());
  }
  conflicts.offsets.push_back(static_cast<uint32_t>(conflicts.actions.size()));
  return conflicts;
}

} // namespace tw::search
