// SPDX-License-Identifier: Apache-2.0
// The checker finds what is wrong: named kinds of damage to right plans, each found every time; and no damage
// at all, however senseless, leads it astray. Longer than other files: the kinds of damage are one list.
#include <doctest/doctest.h>

#include <array>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "redistribute/check.hpp"
#include "redistribute/cost.hpp"
#include "redistribute/planner.hpp"
#include "support/damage.hpp"
#include "support/number_of.hpp"
#include "support/random_problem.hpp"

namespace tw::test_check_damage {

using namespace tw::redistribute;
using tw::sharding::Position;
using tw::sharding::Reduction;
using tw::test::draw;
using tw::test::LoosePiece;
using tw::test::Random;

namespace {

// A right plan, what it costs, and the budgets that it keeps.
struct Subject {
  Plan plan;
  CheckOptions options;
  Random &random;

  const Problem &problem() const { return *plan.problem; }
  size_t devices() const { return problem().num_devices(); }
  bool combines() const {
    int64_t terms = 1;
    for (const auto axis : problem().combined())
      terms *= problem().src().mesh.size(axis);
    return terms > 1;
  }
  bool has_empty_tiles() const {
    for (const Placement &buffer : plan.buffers)
      for (Device d = 0; static_cast<size_t>(d) < devices(); ++d)
        if (buffer.elements(d) == 0)
          return true;
    return false;
  }
  template <class T> T &any(std::vector<T> &values) {
    return values[static_cast<size_t>(draw(random, 0, static_cast<int64_t>(values.size()) - 1))];
  }
  // Claims what the plan costs as it is now, so that only the damage itself can be found.
  void claim_again() { options.cost = find_cost(plan, {}, {}); }

  // Changes the pieces of some step that has any; false where none has, or `change` will not.
  bool edit(const std::function<bool(std::vector<LoosePiece> &, Step &)> &change) {
    std::vector<Step *> steps;
    for (Step &step : plan.steps.edit())
      if (step.num_pieces() != 0)
        steps.push_back(&step);
    if (steps.empty())
      return false;
    Step &step = *any(steps);
    auto pieces = tw::test::take_apart(step, problem().rank());
    if (!change(pieces, step))
      return false;
    tw::test::put_together(step, pieces, devices());
    return true;
  }
  // Changes one piece.
  bool edit_piece(const std::function<bool(LoosePiece &, Step &)> &change) {
    return edit([&](std::vector<LoosePiece> &pieces, Step &step) { return change(any(pieces), step); });
  }
  // Changes the terms of a sum.
  bool edit_sum(const std::function<bool(std::vector<Source> &)> &change) {
    if (!combines())
      return false;
    return edit_piece(
        [&](LoosePiece &piece, Step &) { return piece.sources.size() > 1 && change(piece.sources); });
  }
  // Any device whose tile in a buffer does not contain the box.
  bool lacks(uint32_t buffer, Device d, const LoosePiece &piece) const {
    return !plan.buffers[buffer].box(d).contains({piece.offset, piece.extent});
  }
};

struct Damage {
  const char *name;
  std::function<bool(Subject &)> apply; // false where the plan cannot be damaged so
};

size_t some_dim(Subject &s) {
  return static_cast<size_t>(draw(s.random, 0, static_cast<int64_t>(s.problem().rank()) - 1));
}

bool change_tile(Subject &s, size_t buffer) {
  Placement &tiles = s.plan.buffers[buffer];
  const auto d = static_cast<Device>(draw(s.random, 0, static_cast<int64_t>(s.devices()) - 1));
  if (tiles.elements(d) == 0)
    return false;
  --tiles.extent(d)[some_dim(s)];
  return true;
}

// The best of its method for the same problem.
std::shared_ptr<const Plan> made_by(const Subject &s, Method method) {
  PlanOptions options;
  options.method = method;
  return make_plan(s.plan.problem, options)->plan;
}

const std::vector<Damage> kDamages = {
    // what a step does
    {"a piece is dropped",
     [](Subject &s) {
       return s.edit([&](auto &pieces, Step &step) {
         if (step.target != s.plan.target()) // not all of an intermediate tile need be read
           return false;
         pieces.erase(pieces.begin() + draw(s.random, 0, static_cast<int64_t>(pieces.size()) - 1));
         return true;
       });
     }},
    {"a piece comes twice",
     [](Subject &s) {
       return s.edit([&](auto &pieces, Step &) {
         const auto at = pieces.begin() + draw(s.random, 0, static_cast<int64_t>(pieces.size()) - 1);
         pieces.insert(at, LoosePiece(*at));
         return true;
       });
     }},
    {"a box is shifted",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &) {
         piece.offset[some_dim(s)] += draw(s.random, 0, 1) == 0 ? 1 : -1;
         return true;
       });
     }},
    {"a box grows into its neighbour",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &) {
         const size_t i = some_dim(s);
         if (piece.offset[i] + piece.extent[i] == s.problem().type().dims[i])
           return false;
         ++piece.extent[i];
         return true;
       });
     }},
    {"a box shrinks",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &step) {
         return step.target == s.plan.target() && --piece.extent[some_dim(s)] > 0;
       });
     }},
    {"pieces go to each other's receivers",
     [](Subject &s) {
       return s.edit([&](auto &pieces, Step &) {
         LoosePiece &a = s.any(pieces), &b = s.any(pieces);
         if (a.to == b.to || (a.offset == b.offset && a.extent == b.extent))
           return false;
         std::swap(a.offset, b.offset);
         std::swap(a.extent, b.extent);
         std::swap(a.sources, b.sources);
         return true;
       });
     }},
    {"a source does not have the box",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &) {
         Source &source = s.any(piece.sources);
         source.device = static_cast<Device>(draw(s.random, 0, static_cast<int64_t>(s.devices()) - 1));
         return s.lacks(source.buffer, source.device, piece);
       });
     }},
    {"a source is filled by the same step",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &step) {
         piece.sources = {{piece.to, step.target}};
         return true;
       });
     }},
    {"a source is filled later",
     [](Subject &s) {
       if (s.plan.steps.edit().size() < 2 || s.plan.steps.edit()[0].num_pieces() == 0)
         return false;
       auto later = tw::test::take_apart(s.plan.steps.edit().back(), s.problem().rank());
       auto first = tw::test::take_apart(s.plan.steps.edit()[0], s.problem().rank());
       if (later.empty())
         return false;
       first.front().sources = {{later.front().to, s.plan.steps.edit().back().target}};
       tw::test::put_together(s.plan.steps.edit()[0], first, s.devices());
       return true;
     }},
    {"the source buffer is another",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &step) {
         if (step.target != s.plan.target() || s.plan.buffers.size() != 2 ||
             &step != s.plan.steps.edit().data())
           return false;
         for (Source &source : piece.sources)
           source.buffer = 1;
         return true;
       });
     }},
    {"values come from another coordinate of a partial axis",
     [](Subject &s) {
       if (s.problem().dst().sharding.partial.empty())
         return false;
       const auto &mesh = s.problem().dst().mesh;
       const auto axis = s.problem().dst().sharding.partial.front().axis;
       return s.edit_piece([&](LoosePiece &piece, Step &) {
         for (Source &source : piece.sources) {
           const Position position = s.problem().src_position(source.device);
           const int64_t at = mesh.coordinate(position, axis);
           source.device = s.problem().src_device(
               Position(position + ((at + 1) % mesh.size(axis) - at) * mesh.stride(axis)));
         }
         return mesh.size(axis) > 1;
       });
     }},
    // sums
    {"terms in another order",
     [](Subject &s) {
       return s.edit_sum([&](std::vector<Source> &terms) {
         std::swap(terms.front(), terms.back());
         return true;
       });
     }},
    {"a term is missing",
     [](Subject &s) {
       return s.edit_sum([&](std::vector<Source> &terms) {
         terms.erase(terms.begin() + draw(s.random, 0, static_cast<int64_t>(terms.size()) - 1));
         return true;
       });
     }},
    {"a term comes twice, another not at all",
     [](Subject &s) {
       return s.edit_sum([&](std::vector<Source> &terms) {
         terms.back() = terms.front();
         return true;
       });
     }},
    {"one partial value instead of the sum",
     [](Subject &s) {
       return s.edit_sum([&](std::vector<Source> &terms) {
         terms.resize(1);
         return true;
       });
     }},
    {"a term of another sum",
     [](Subject &s) {
       return s.edit_sum([&](std::vector<Source> &terms) {
         Source &term = s.any(terms);
         const Device before = term.device;
         term.device = static_cast<Device>(draw(s.random, 0, static_cast<int64_t>(s.devices()) - 1));
         return term.device != before;
       });
     }},
    {"several sources where nothing is partial",
     [](Subject &s) {
       return !s.combines() && s.edit_piece([&](LoosePiece &piece, Step &) {
         piece.sources.push_back(piece.sources.back());
         return true;
       });
     }},
    {"another reduction",
     [](Subject &s) {
       if (!s.combines())
         return false;
       for (Step &step : s.plan.steps.edit())
         for (size_t i = 0; i < step.num_pieces(); ++i)
           if (step.sources_of(i).size() > 1) {
             step.reduction = step.reduction == Reduction::sum ? Reduction::max : Reduction::sum;
             return true;
           }
       return false;
     }},
    // steps
    {"steps are swapped",
     [](Subject &s) {
       if (s.plan.steps.edit().size() < 2)
         return false;
       Step &first = s.plan.steps.edit()[0], &second = s.plan.steps.edit()[1];
       if (std::ranges::none_of(second.sources, [&](Source from) { return from.buffer == first.target; }))
         return false;
       std::swap(first, second);
       return true;
     }},
    {"a step is missing",
     [](Subject &s) {
       if (s.plan.steps.edit().empty() || s.plan.steps.edit().back().num_pieces() == 0)
         return false;
       s.plan.steps.edit().pop_back();
       return true;
     }},
    {"a step comes twice",
     [](Subject &s) {
       if (s.plan.steps.edit().empty() || s.plan.steps.edit().back().num_pieces() == 0)
         return false;
       s.plan.steps.edit().push_back(Step(s.plan.steps.edit().back()));
       return true;
     }},
    {"a step writes another buffer",
     [](Subject &s) {
       for (Step &step : s.plan.steps.edit())
         if (step.num_pieces() != 0 && s.plan.buffers.size() > 2) {
           step.target = step.target == 1 ? 2 : 1;
           return true;
         }
       return false;
     }},
    {"a step writes the source",
     [](Subject &s) { return !s.plan.steps.edit().empty() && (s.plan.steps.edit()[0].target = 0) == 0; }},
    {"a moving step is called a copy",
     [](Subject &s) {
       for (Step &step : s.plan.steps.edit())
         if (step.group > 1) {
           step.kind = Kind::copy;
           s.plan.fig11_cost = 0;
           return s.plan.steps.edit().size() == 1;
         }
       return false;
     }},
    {"a step reduces where nothing is partial",
     [](Subject &s) {
       if (s.plan.steps.edit().empty() || !s.problem().combined().empty() ||
           s.plan.steps.edit()[0].kind == Kind::copy)
         return false;
       s.plan.steps.edit()[0].kind = draw(s.random, 0, 1) == 0 ? Kind::all_reduce : Kind::reduce_scatter;
       return true;
     }},
    {"other axes",
     [](Subject &s) {
       return !s.plan.steps.edit().empty() && !s.any(s.plan.steps.edit()).axes.append(",z").empty();
     }},
    {"another group",
     [](Subject &s) { return !s.plan.steps.edit().empty() && ++s.any(s.plan.steps.edit()).group > 0; }},
    // tiles and budgets
    {"the source tile is another", [](Subject &s) { return change_tile(s, 0); }},
    {"the target tile is another", [](Subject &s) { return change_tile(s, s.plan.target()); }},
    {"an intermediate tile is smaller than what it gets",
     [](Subject &s) { return s.plan.buffers.size() > 2 && change_tile(s, 1); }},
    {"tiles beyond the budget",
     [](Subject &s) {
       s.options.height_bytes = s.options.cost->height_bytes - 1;
       return true;
     }},
    {"scratch beyond the budget",
     [](Subject &s) {
       s.options.scratch_bytes = s.options.cost->scratch_bytes - 1;
       return true;
     }},
    // claims
    {"fewer bytes are claimed",
     [](Subject &s) {
       --s.any(s.options.cost->received);
       return true;
     }},
    {"fewer bytes are claimed of a step",
     [](Subject &s) {
       return !s.plan.steps.edit().empty() && --s.any(s.any(s.options.cost->steps).received) < INT64_MAX;
     }},
    {"a smaller maximum is claimed", [](Subject &s) { return --s.options.cost->received_max < INT64_MAX; }},
    {"a smaller mean is claimed", [](Subject &s) { return (s.options.cost->received_mean -= 0.5) < 1e30; }},
    {"fewer peers are claimed",
     [](Subject &s) {
       return !s.plan.steps.edit().empty() && --s.any(s.options.cost->steps).peers_max < INT64_MAX;
     }},
    {"fewer bytes kept are claimed",
     [](Subject &s) {
       return !s.plan.steps.edit().empty() && --s.any(s.options.cost->steps).kept_max < INT64_MAX;
     }},
    {"smaller tiles are claimed", [](Subject &s) { return --s.options.cost->height_bytes < INT64_MAX; }},
    {"less scratch is claimed", [](Subject &s) { return --s.options.cost->scratch_bytes < INT64_MAX; }},
    {"a lower cost is claimed",
     [](Subject &s) {
       // Where a sequence has empty tiles, an op among them may as well count as none.
       for (size_t b = 0; s.plan.method >= Method::scalar && b < s.plan.buffers.size(); ++b)
         for (Device d = 0; static_cast<size_t>(d) < s.devices(); ++d)
           if (s.plan.buffers[b].elements(d) == 0)
             return false;
       return s.plan.fig11_cost-- > 0;
     }},
    {"no cost is claimed of a step",
     [](Subject &s) { return !s.plan.steps.edit().empty() && (s.options.cost->steps.pop_back(), true); }},
    {"exact is claimed of sums",
     [](Subject &s) { return !s.problem().combined().empty() && (s.plan.exact = true); }},
    {"exact is claimed of a plan that receives what is there",
     [](Subject &s) {
       if (!s.problem().combined().empty() || s.plan.method > Method::relay)
         return false;
       const bool damaged = s.edit_piece([&](LoosePiece &piece, Step &step) {
         if (piece.sources != std::vector<Source>{{piece.to, 0}})
           return false;
         for (Device d = 0; static_cast<size_t>(d) < s.devices(); ++d)
           if (d != piece.to && s.problem().src_position(d) >= 0 && !s.lacks(0, d, piece)) {
             piece.sources[0].device = d;
             if (step.kind == Kind::copy)
               step.kind = Kind::exchange;
             return true;
           }
         return false;
       });
       s.plan.exact = true;
       s.claim_again();
       return damaged;
     }},
    // sequences and their proofs
    {"an op of another kind",
     [](Subject &s) {
       if (s.plan.method < Method::scalar || s.plan.steps.edit().empty())
         return false;
       Step &step = s.any(s.plan.steps.edit());
       if (step.kind == Kind::copy || s.has_empty_tiles()) // these may be cut in several ways
         return false;
       step.kind = step.kind == Kind::all_to_all ? Kind::all_gather : Kind::all_to_all;
       return true;
     }},
    {"vector ops called scalar",
     [](Subject &s) {
       if (s.plan.method != Method::vector || s.plan.fig11_cost == made_by(s, Method::scalar)->fig11_cost)
         return false;
       s.plan.method = Method::scalar;
       return true;
     }},
    {"the best of the scalar ops called the best of the vector ops",
     [](Subject &s) {
       if (s.plan.method != Method::scalar || !s.plan.exact ||
           s.plan.fig11_cost == made_by(s, Method::vector)->fig11_cost)
         return false;
       s.plan.method = Method::vector;
       return true;
     }},
    {"too high a bound from shapes",
     [](Subject &s) {
       return s.plan.method >= Method::scalar && s.plan.exact && ++s.plan.certificate.weak > 0;
     }},
    {"an excluded path is missing",
     [](Subject &s) { // one that nobody sees to be impossible
       auto &excluded = s.plan.certificate.excluded;
       const auto at =
           std::ranges::find(excluded, Certificate::Excluded::Why::balance, &Certificate::Excluded::why);
       return at != excluded.end() && (excluded.erase(at), true);
     }},
    {"a path is excluded for another reason",
     [](Subject &s) {
       if (s.plan.certificate.excluded.empty())
         return false;
       auto &e = s.any(s.plan.certificate.excluded);
       using Why = Certificate::Excluded::Why;
       e.step = e.why == Why::digits ? e.shards.size() : 0;
       e.why = e.why == Why::digits ? Why::balance : Why::digits;
       return true;
     }},
    {"an excluded path costs more",
     [](Subject &s) {
       return !s.plan.certificate.excluded.empty() && ++s.any(s.plan.certificate.excluded).cost > 0;
     }},
    {"an excluded path starts elsewhere",
     [](Subject &s) {
       if (s.plan.certificate.excluded.empty())
         return false;
       auto &path = s.any(s.plan.certificate.excluded).shards;
       s.any(path)[some_dim(s)] *= 7;
       return true;
     }},
    // form
    {"no problem", [](Subject &s) { return (s.plan.problem = nullptr) == nullptr; }},
    {"no buffers", [](Subject &s) { return s.plan.buffers.clear(), true; }},
    {"a buffer of another rank",
     [](Subject &s) {
       s.any(s.plan.buffers) = Placement(s.problem().rank() + 1, s.devices());
       return true;
     }},
    {"a buffer for fewer devices",
     [](Subject &s) {
       s.any(s.plan.buffers) = Placement(s.problem().rank(), s.devices() - 1);
       return true;
     }},
    {"a tile with a negative extent",
     [](Subject &s) { return (s.any(s.plan.buffers).extent(0)[some_dim(s)] = -1) < 0; }},
    {"a tile whose end wraps",
     [](Subject &s) {
       Placement &tiles = s.any(s.plan.buffers);
       const size_t i = some_dim(s);
       tiles.offset(0)[i] = INT64_MAX - 1;
       tiles.extent(0)[i] = INT64_MAX - 1;
       return true;
     }},
    {"an unknown method", [](Subject &s) { return s.plan.method = static_cast<Method>(77), true; }},
    {"no method", [](Subject &s) { return s.plan.method = Method::automatic, true; }},
    {"an unknown kind",
     [](Subject &s) {
       return !s.plan.steps.edit().empty() && (s.plan.steps.edit()[0].kind = static_cast<Kind>(99), true);
     }},
    {"an unknown reduction",
     [](Subject &s) {
       return !s.plan.steps.edit().empty() &&
              (s.plan.steps.edit()[0].reduction = static_cast<Reduction>(99), true);
     }},
    {"a target that does not exist",
     [](Subject &s) {
       return !s.plan.steps.edit().empty() && (s.any(s.plan.steps.edit()).target = UINT32_MAX) != 0;
     }},
    {"first_piece beyond the pieces",
     [](Subject &s) {
       return !s.plan.steps.edit().empty() &&
              (s.any(s.any(s.plan.steps.edit()).first_piece) = UINT32_MAX - 1) != 0;
     }},
    {"first_piece for other devices",
     [](Subject &s) {
       return !s.plan.steps.edit().empty() && (s.any(s.plan.steps.edit()).first_piece.pop_back(), true);
     }},
    {"first_source descends",
     [](Subject &s) {
       return s.edit_piece([](LoosePiece &, Step &) { return true; }) &&
              (s.plan.steps.edit()[0].first_source[0] = UINT32_MAX) != 0;
     }},
    {"bounds are cut off",
     [](Subject &s) {
       for (Step &step : s.plan.steps.edit())
         if (!step.bounds.empty()) {
           step.bounds.pop_back();
           return true;
         }
       return false;
     }},
    {"sources are cut off",
     [](Subject &s) {
       for (Step &step : s.plan.steps.edit())
         if (!step.sources.empty()) {
           step.sources.pop_back();
           return true;
         }
       return false;
     }},
    {"a piece without sources",
     [](Subject &s) {
       return s.edit_piece([](LoosePiece &piece, Step &) { return piece.sources.clear(), true; });
     }},
    {"a box of negative extent",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &) { return (piece.extent[some_dim(s)] *= -1) < 0; });
     }},
    {"an empty box",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &) { return (piece.extent[some_dim(s)] = 0) == 0; });
     }},
    {"a box of huge numbers",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &) {
         piece.offset[some_dim(s)] = INT64_MAX;
         piece.extent[some_dim(s)] = INT64_MAX;
         return true;
       });
     }},
    {"a source device below 0",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &) { return (s.any(piece.sources).device = -1) < 0; });
     }},
    {"a source device that does not exist",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &) {
         return (s.any(piece.sources).device = static_cast<Device>(s.devices())) > 0;
       });
     }},
    {"a source buffer that does not exist",
     [](Subject &s) {
       return s.edit_piece([&](LoosePiece &piece, Step &) {
         return (s.any(piece.sources).buffer = static_cast<uint32_t>(s.plan.buffers.size())) > 0;
       });
     }},
};

// Through a buffer that holds the whole array on every device: the only plans here with an intermediate
// buffer.
std::optional<Plan> plan_through_whole(std::shared_ptr<const Problem> problem) {
  if (!problem->same_mesh() || !problem->dst().sharding.partial.empty())
    return std::nullopt;
  Layout whole{problem->src().mesh, tw::sharding::Sharding::replicated(problem->rank())};
  const auto first = Problem::create(problem->type(), problem->src(), whole);
  const auto second = Problem::create(problem->type(), whole, problem->dst());
  if (!first || !second)
    return std::nullopt;
  Placement tiles(problem->rank(), problem->num_devices());
  for (Device d = 0; static_cast<size_t>(d) < problem->num_devices(); ++d)
    tiles.set(d, first->dst_box(d));
  std::vector<Step> steps{direct_step(*first), direct_step(*second)};
  for (Step &step : steps)
    describe(step, *problem);
  steps[1].target = 2;
  for (Source &source : steps[1].sources)
    source.buffer = 1;
  Plan plan = tw::test::plan_in_place(std::move(problem), Method::direct, LevelSteps{std::move(steps), {}});
  plan.buffers.insert(plan.buffers.begin() + 1, tiles);
  plan.exact = false;
  return plan;
}

std::vector<Plan> random_plans(Random &random) {
  const auto problem =
      tw::test::random_problem(random, {.max_devices = 16, .balanced = draw(random, 0, 1) == 0});
  if (problem == nullptr)
    return {};
  std::vector<Plan> plans{tw::test::direct_plan_of(problem)};
  const Topology topology = tw::test::random_topology(random, problem->num_devices());
  plans.push_back(tw::test::level_plan_of(problem, topology));
  plans.push_back(tw::test::relay_plan_of(problem, topology, draw(random, 1, 3)));
  if (!problem->combined().empty())
    plans.push_back(tw::test::combine_plan_of(problem));
  if (auto plan = plan_through_whole(problem))
    plans.push_back(std::move(*plan));
  for (const Method method : {Method::scalar, Method::vector}) {
    PlanOptions options;
    options.method = method;
    if (const auto sequence = make_plan(problem, options))
      plans.push_back(*sequence->plan);
  }
  return plans;
}

// Numbers that break things.
int64_t evil(Random &random) {
  static constexpr std::array<int64_t, 12> kEvil = {0,         1,         -1,
                                                    2,         255,       65536,
                                                    INT32_MAX, INT32_MIN, int64_t{UINT32_MAX},
                                                    INT64_MAX, INT64_MIN, int64_t{1} << 62};
  return draw(random, 0, 3) == 0 ? static_cast<int64_t>(random()) : kEvil[random() % kEvil.size()];
}

template <class T> void corrupt(Random &random, std::vector<T> &values) {
  switch (draw(random, 0, 5)) {
  case 0: values.resize(static_cast<size_t>(draw(random, 0, static_cast<int64_t>(values.size()) + 3))); break;
  case 1:
    if (!values.empty())
      values.pop_back();
    break;
  default:
    if (!values.empty()) {
      T &value = values[random() % values.size()];
      const auto near = static_cast<uint64_t>(value) + random() % 3 - 1; // wraps
      value = static_cast<T>(draw(random, 0, 1) == 0 ? static_cast<uint64_t>(evil(random)) : near);
    }
  }
}

void corrupt(Random &random, Plan &plan) {
  const auto tile = [&] {
    if (plan.buffers.empty())
      return;
    Placement &tiles = plan.buffers[random() % plan.buffers.size()];
    if (tiles.num_devices() == 0 || tiles.rank() == 0)
      return;
    const auto d = static_cast<Device>(random() % tiles.num_devices());
    (draw(random, 0, 1) == 0 ? tiles.offset(d) : tiles.extent(d))[random() % tiles.rank()] = evil(random);
  };
  auto &excluded = plan.certificate.excluded;
  if (!excluded.empty() && draw(random, 0, 1) == 0) {
    auto &e = excluded[random() % excluded.size()];
    switch (draw(random, 0, 5)) {
    case 0: e.cost = evil(random); break;
    case 1: e.why = static_cast<Certificate::Excluded::Why>(random() % 3); break;
    case 2: e.step = static_cast<size_t>(evil(random)); break;
    case 3: plan.certificate.weak = evil(random); break;
    case 4: e.shards.resize(random() % 5); break;
    default:
      if (!e.shards.empty())
        corrupt(random, e.shards[random() % e.shards.size()]);
    }
    return;
  }
  if (plan.steps.edit().empty() || draw(random, 0, 5) == 0) {
    switch (draw(random, 0, 4)) {
    case 0: tile(); break;
    case 1: plan.buffers.resize(random() % 4); break;
    case 2: plan.steps.edit().resize(random() % 4); break;
    case 3: plan.fig11_cost = evil(random); break;
    default: plan.method = static_cast<Method>(random() % 8); break;
    }
    return;
  }
  Step &step = plan.steps.edit()[random() % plan.steps.edit().size()];
  switch (draw(random, 0, 8)) {
  case 0: corrupt(random, step.first_piece); break;
  case 1: corrupt(random, step.first_source); break;
  case 2:
  case 3: corrupt(random, step.bounds); break;
  case 4:
    if (!step.sources.empty())
      step.sources[random() % step.sources.size()] = {static_cast<Device>(evil(random)),
                                                      static_cast<uint32_t>(evil(random))};
    break;
  case 5:
    step.target = static_cast<uint32_t>(draw(random, 0, 1) == 0 ? evil(random) : draw(random, 0, 3));
    break;
  case 6: step.sources.resize(random() % (step.sources.size() + 3)); break;
  case 7: step.kind = static_cast<Kind>(random() % 9); break;
  default: step.reduction = static_cast<Reduction>(random() % 11); break;
  }
}

} // namespace

TEST_CASE("every kind of damage is found, every time") {
  Random random(77);
  std::vector<int> times(kDamages.size(), 0);
  const auto rounds = static_cast<int>(tw::test::slice_of(2400, 240));
  for (int round = 0; round < rounds; ++round)
    for (const Plan &plan : random_plans(random)) {
      const PlanCost cost = find_cost(plan, {}, {});
      const CheckOptions options{cost.scratch_bytes, cost.height_bytes, cost};
      const CheckReport before = check(plan, options);
      INFO(fmt::format("{}", fmt::join(before.failures, "\n")));
      REQUIRE(before.pass());
      for (size_t i = 0; i < kDamages.size(); ++i) {
        Subject subject{plan, options, random};
        if (!kDamages[i].apply(subject))
          continue;
        ++times[i];
        const CheckReport report = check(subject.plan, subject.options);
        CAPTURE(std::string(kDamages[i].name));
        CHECK(!report.pass());
        REQUIRE(report.failures.size() <= CheckReport::kMaxFailures);
      }
    }
  for (size_t i = 0; i < kDamages.size(); ++i) {
    CAPTURE(std::string(kDamages[i].name));
    CHECK(times[i] * 120 >= rounds);
  }
}

TEST_CASE("messages name step, device and box") {
  const auto mesh = *tw::sharding::Mesh::parse("x=4");
  const auto sharding = [&](const char *text) {
    return Layout{mesh, *tw::sharding::parse_sharding(text, mesh)};
  };
  auto problem = *Problem::create({tw::graph::DType::f32, {8}}, sharding("[{x}]"), sharding("[{}]"));
  Plan plan = tw::test::direct_plan_of(std::make_shared<const Problem>(std::move(problem)));
  CHECK(check(plan).pass());
  CHECK(check(plan).certificate);
  CHECK(check(plan).send_balance == 1);
  plan.steps.edit()[0].sources[5].device = 2; // the second piece of device 1
  const CheckReport report = check(plan);
  CHECK(!report.pass());
  CHECK(report.failures[0] == "step 0, device 1, box [2:4]: device 2 does not hold it in buffer 0 by then");
}

TEST_CASE("hashes: equal for equal plans, and of any change another") {
  Random random(5);
  for (int round = 0; round < static_cast<int>(test::slice_of(200, 40)); ++round)
    for (Plan &plan : random_plans(random)) {
      const uint64_t hash = hash_value(plan);
      CHECK(hash == hash_value(Plan(plan)));
      for (Step &step : plan.steps.edit())
        if (!step.sources.empty()) {
          step.sources[random() % step.sources.size()].device ^= 1;
          CHECK(hash != hash_value(plan));
          break;
        }
    }
}

TEST_CASE("senseless plans are refused, and nothing else happens") {
  Random random(4711);
  int refused = 0, all = 0;
  for (int round = 0; round < static_cast<int>(test::slice_of(1500, 200)); ++round)
    for (const Plan &plan : random_plans(random))
      for (int again = 0; again < 4; ++again, ++all) {
        Plan damaged = plan;
        for (int64_t times = draw(random, 1, 4); times > 0; --times)
          corrupt(random, damaged);
        refused += !check(damaged).pass();
      }
  CHECK(refused > all / 2); // some damage changes nothing that matters
}

TEST_CASE("arrays that no memory holds are checked, too") {
  const auto mesh = *tw::sharding::Mesh::parse("x=8,y=4");
  const auto sharding = [&](const char *text) {
    return Layout{mesh, *tw::sharding::parse_sharding(text, mesh)};
  };
  const int64_t huge = int64_t{1} << 30;
  auto problem = std::make_shared<const Problem>(*Problem::create(
      {tw::graph::DType::f32, {huge, huge}}, sharding("[{x}, {}] +y"), sharding("[{}, {y}]")));
  Plan plan = tw::test::direct_plan_of(problem);
  CheckReport report = check(plan);
  CHECK(report.pass());
  CHECK(!report.moved);
  plan.steps.edit()[0].bounds[5] += 1;
  CHECK(!check(plan).pass());
}

} // namespace tw::test_check_damage
