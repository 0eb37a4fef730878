// SPDX-License-Identifier: Apache-2.0
// Makes candidate plans in the order in which they are likely to win, and leaves out those that cannot.
#include "redistribute/planner.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "base/watch.hpp"
#include "redistribute/direct.hpp"
#include "redistribute/halo_exchange.hpp"
#include "redistribute/level.hpp"
#include "redistribute/lost.hpp"
#include "redistribute/received.hpp"
#include "redistribute/sequence_plan.hpp"
#include "redistribute/sum_shares.hpp"
#include "redistribute/takers.hpp"

namespace tw::redistribute {

namespace {

constexpr int64_t kManyPieces = int64_t{1} << 20;            // beyond, no plan is made that is not asked for
constexpr int64_t kMaxRepeats = 4096;                        // of an element in a tile that wraps
constexpr std::array<int64_t, 5> kChunks = {1, 2, 4, 8, 16}; // of a relay

class Planner {
public:
  Planner(std::shared_ptr<const Problem> problem, const PlanOptions &options)
      : problem_(std::move(problem)), options_(options) {
    src_ = source_tiles(*problem_);
    dst_ = target_tiles(*problem_);
    pieces_ = count_pieces(src_, dst_);
    paper_bound_ = std::max(src_.largest(), dst_.largest()) * problem_->item_size();
    cap_ = options.height_bytes.value_or(paper_bound_);
  }

  Status make(bool all) {
    const Method method = options_.method;
    const bool any = method == Method::automatic;
    if (must_write_steps())
      TW_TRY(size_of(pieces_).check());
    if (problem_->has_halos()) {
      if (!any && method != Method::direct)
        return fail(Code::unimplemented, "TW-523",
                    fmt::format("{} plans are of tiles without halos: use direct or auto", name(method)));
      return add_halos();
    }
    if (!problem_->lost().empty())
      return add_survivors();
    if (pieces_ > kManyPieces && any) {
      add_direct();
      return {};
    }
    if (any || method == Method::direct)
      add_direct();
    if (method == Method::level || method == Method::relay || (any && !options_.topology.groups.empty()))
      add_levels(method);
    if (method == Method::scalar || method == Method::vector)
      return add_sequences(method, cap_);
    if (any && (all || a_sequence_may_win()) && tilings_of(*problem_)) {
      TW_TRY(add_sequences(Method::scalar, cap_));
      TW_TRY(add_sequences(Method::vector, cap_));
    }
    return {};
  }

  // Sequences under every bound on their tiles, from the paper's to none.
  Status widen() {
    if (pieces_ > kManyPieces || !problem_->combined().empty() || problem_->has_halos() ||
        !problem_->lost().empty() || !tilings_of(*problem_))
      return {};
    for (int64_t cap = paper_bound_; cap < problem_->type().bytes();) {
      cap = std::min(cap * 2, problem_->type().bytes());
      TW_TRY(add_sequences(Method::vector, cap));
    }
    return {};
  }

  std::vector<Costed> take() { return std::move(found_); }

  // Those within the budget, the best first.
  Result<std::vector<Costed>> ranked() {
    std::vector<Costed> kept;
    for (const Costed &c : found_)
      if (c.cost.height_bytes <= cap_ && c.cost.scratch_bytes <= options_.scratch_bytes.value_or(INT64_MAX))
        kept.push_back(c);
    if (kept.empty())
      return no_plan();
    std::ranges::stable_sort(kept, {}, [](const Costed &c) {
      int64_t peers = 0, moved = 0;
      for (const StepCost &s : c.cost.steps) {
        peers += s.peers_max;
        moved += s.kept_max;
      }
      return std::tuple(c.cost.time_us, c.cost.steps.size(), peers, moved);
    });
    return kept;
  }

private:
  std::shared_ptr<Plan> start(Method method) const {
    auto plan = std::make_shared<Plan>();
    plan->problem = problem_;
    plan->method = method;
    return plan;
  }

  // Whether what a device lacks of a tile, and from how many others it comes, says all that a step costs.
  bool costs_follow_from_tiles() const {
    return options_.topology.num_levels() == 1 &&
           (problem_->combined().empty() || sums_follow_from_tiles(*problem_));
  }

  // Whether a plan cannot be made, or not be named, without its pieces.
  bool must_write_steps() const {
    return (options_.method != Method::automatic && options_.method != Method::direct) ||
           problem_->has_halos() || !problem_->lost().empty() || !costs_follow_from_tiles() ||
           !may_be_named();
  }

  // Whether classes of devices that take from the same ones are few enough to go through them (takers.hpp).
  bool may_be_named() const {
    if (size_of(pieces_).check())
      return true;
    const int64_t pieces = Takers(*problem_, Takers::By::givers).num_pieces();
    return size_of(pieces).check() &&
           (problem_->combined().empty() ||
            StepSize{std::max(pieces_, Takers(*problem_, Takers::By::boxes).num_pieces()), 0}.check());
  }

  // Of so many pieces of a direct exchange.
  StepSize size_of(int64_t pieces) const {
    StepSize size{pieces, 0};
    if (__builtin_mul_overflow(pieces, problem_->num_terms(), &size.sources))
      size.sources = INT64_MAX;
    return size;
  }

  // A plan whose steps each make the next buffer of the one before.
  void add_chain(std::shared_ptr<Plan> plan) {
    PlanCost cost = costs_follow_from_tiles() ? find_cost(*problem_, plan->buffers, options_.model)
                                              : find_cost(*plan, options_.topology, options_.model);
    found_.push_back({std::move(plan), std::move(cost)});
  }

  // A plan of several steps that write target tiles, and sums within groups.
  void add_in_place(Method method, LevelSteps made) {
    auto plan = start(method);
    plan->buffers = {src_};
    std::ranges::move(made.partial, std::back_inserter(plan->buffers));
    plan->buffers.push_back(dst_);
    int64_t moving = 0;
    for (const Step &step : made.steps)
      moving += step.kind != Kind::copy;
    plan->steps = std::move(made.steps);
    plan->fig11_cost = moving * dst_.largest();
    PlanCost cost = find_cost(*plan, options_.topology, options_.model);
    plan->exact = problem_->combined().empty() && receives_what_it_lacks(*plan, cost); // which is B1
    found_.push_back({std::move(plan), std::move(cost)});
  }

  void add_direct() {
    auto plan = std::make_shared<Plan>(direct_plan(problem_, src_, dst_));
    add_chain(plan);
    plan->fig11_cost = found_.back().cost.received_max == 0 ? 0 : dst_.largest();
    if (problem_->combined().empty())
      return;
    if (costs_follow_from_tiles())
      add_shares();
    else if (auto shares = combine_steps(*problem_); shares.steps.size() > 1)
      add_in_place(Method::direct, name_shares(std::move(shares)));
  }

  // The same, written down when it is read.
  void add_shares() {
    auto plan = start(Method::direct);
    plan->buffers = {src_, dst_};
    auto shares = share_sums(*problem_, plan->buffers, options_.model);
    if (!shares)
      return;
    for (const StepHead &head : shares->heads)
      plan->fig11_cost += head.kind != Kind::copy ? dst_.largest() : 0;
    plan->steps = Steps(Steps::Later{
        [problem = problem_] { return name_shares(combine_steps(*problem)).steps; },
        [heads = std::move(shares->heads)] { return heads; },
        shares->size,
    });
    found_.push_back({std::move(plan), std::move(shares->cost)});
  }

  // How many times a tile may have one element, at most.
  int64_t count_repeats() const {
    int64_t times = 1;
    for (size_t i = 0; i < problem_->rank(); ++i)
      if (const int64_t n = problem_->type().dims[i]; problem_->wraps(i) && n > 0) {
        int64_t periods = 0;
        for (const Placement *tiles : {&src_, &dst_})
          for (Device d = 0; static_cast<size_t>(d) < tiles->num_devices(); ++d)
            periods = std::max(periods, tiles->extent(d)[i] / n + 2);
        if (__builtin_mul_overflow(times, periods, &times))
          return INT64_MAX;
      }
    return times;
  }

  Status add_halos() {
    if (const int64_t times = count_repeats(); times > kMaxRepeats)
      return fail(Code::resource_exhausted, "TW-524",
                  fmt::format("halos go around the array so often that a tile may have an element {} times, "
                              "and {} is the limit: make them narrower",
                              times, kMaxRepeats));
    auto plan = start(Method::direct);
    plan_halo_exchange(*plan);
    plan->exact = problem_->combined().empty();
    plan->fig11_cost = plan->steps[0].kind == Kind::copy ? 0 : dst_.largest();
    PlanCost cost = find_cost(*plan, options_.topology, options_.model);
    found_.push_back({std::move(plan), std::move(cost)});
    return {};
  }

  // Of what is left: each device takes what it lacks from one that has it, or groups do first.
  Status add_survivors() {
    const Method method = options_.method;
    if (method == Method::scalar || method == Method::vector)
      return fail(Code::unimplemented, "TW-523",
                  fmt::format("{} plans need every device of the source, and {} are lost: use direct, level, "
                              "relay or auto",
                              name(method), problem_->lost().size()));
    if (method == Method::automatic || method == Method::direct)
      add_in_place(Method::direct, level_steps(*problem_, Topology{}, options_.sum_order));
    if (method != Method::direct && !(method == Method::automatic && options_.topology.groups.empty()))
      add_levels(method);
    return {};
  }

  static LevelSteps name_shares(LevelSteps made) {
    for (size_t i = 1; i < made.steps.size(); ++i)
      made.steps[i].kind = Kind::all_gather;
    return made;
  }

  void add_levels(Method method) {
    if (method != Method::relay)
      add_in_place(Method::level, level_steps(*problem_, options_.topology, options_.sum_order));
    if (method == Method::level || options_.topology.groups.empty() ||
        (method == Method::automatic &&
         !problem_->combined().empty())) // shares of a sum cross a link once anyway
      return;
    for (const int64_t chunks : kChunks)
      add_in_place(Method::relay, relay_steps(*problem_, options_.topology, chunks));
  }

  Status add_sequences(Method method, int64_t cap) {
    TW_ASSIGN(const Tilings tilings, tilings_of(*problem_));
    auto plan = start(method);
    if (plan_sequence(tilings, method == Method::scalar ? OpSet::scalar : OpSet::vector,
                      cap / problem_->item_size(), *plan))
      add_chain(std::move(plan));
    return check_watch();
  }

  // A sequence has one step at least, and receives no less than the direct exchange does: it can only save
  // peers.
  bool a_sequence_may_win() const {
    if (found_.empty() || !problem_->combined().empty())
      return false;
    const StepCost &direct = found_[0].cost.steps[0];
    const Link &link = options_.model.link(options_.topology, 0);
    return static_cast<double>(direct.peers_max - 1) * link.message_us > link.alpha_us;
  }

  tl::unexpected<Error> no_plan() const {
    const auto scratch = options_.scratch_bytes;
    if (found_.empty())
      return fail(
          Code::resource_exhausted, "TW-524",
          fmt::format(
              "no {} plan keeps every tile within {} bytes: the source and target tiles alone take {}",
              name(options_.method), cap_, paper_bound_));
    const auto smallest = std::ranges::min_element(
        found_, {}, [](const Costed &c) { return std::tuple(c.cost.height_bytes, c.cost.scratch_bytes); });
    return fail(
        Code::resource_exhausted, "TW-524",
        fmt::format(
            "no {} plan fits tiles of {} bytes{}: the smallest needs tiles of {} and {} bytes of scratch",
            name(options_.method), cap_,
            scratch ? fmt::format(" and {} bytes of scratch", *scratch) : std::string(),
            smallest->cost.height_bytes, smallest->cost.scratch_bytes));
  }

  std::shared_ptr<const Problem> problem_;
  const PlanOptions &options_;
  Placement src_, dst_;
  int64_t paper_bound_ = 0, cap_ = 0; // bytes
  int64_t pieces_ = 0;                // of all devices in a direct exchange
  std::vector<Costed> found_;
};

} // namespace

bool receives_what_it_lacks(const Plan &plan, const PlanCost &cost) {
  const Placement &before = plan.buffers.front(), &after = plan.buffers.back();
  const std::vector<int64_t> missing = count_missing(*plan.problem);
  for (Device d = 0; static_cast<size_t>(d) < plan.problem->num_devices(); ++d)
    if (cost.received[static_cast<size_t>(d)] !=
        (count_elements(before, after, d).received() - missing[static_cast<size_t>(d)]) *
            plan.problem->item_size())
      return false;
  return true;
}

Result<std::vector<Costed>> make_plans(std::shared_ptr<const Problem> problem, const PlanOptions &options) {
  Planner planner(std::move(problem), options);
  TW_TRY(planner.make(true));
  return planner.ranked();
}

Result<Costed> make_plan(std::shared_ptr<const Problem> problem, const PlanOptions &options) {
  Planner planner(std::move(problem), options);
  TW_TRY(planner.make(false));
  TW_ASSIGN(auto plans, planner.ranked());
  return std::move(plans.front());
}

Result<std::vector<Costed>> pareto_front(std::shared_ptr<const Problem> problem, const PlanOptions &options) {
  Planner planner(std::move(problem), options);
  TW_TRY(planner.make(true));
  TW_TRY(planner.widen());
  std::vector<Costed> front;
  for (Costed &c : planner.take()) {
    const auto beats = [](const Costed &a, const Costed &b) {
      return a.cost.time_us <= b.cost.time_us && std::tuple(a.cost.height_bytes, a.cost.scratch_bytes) <=
                                                     std::tuple(b.cost.height_bytes, b.cost.scratch_bytes);
    };
    if (std::ranges::any_of(front, [&](const Costed &other) { return beats(other, c); }))
      continue;
    std::erase_if(front, [&](const Costed &other) { return beats(c, other); });
    front.push_back(std::move(c));
  }
  std::ranges::stable_sort(front, std::greater<>(), [](const Costed &c) { return c.cost.time_us; });
  return front;
}

} // namespace tw::redistribute
