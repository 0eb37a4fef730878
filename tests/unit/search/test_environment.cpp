// SPDX-License-Identifier: Apache-2.0
// An environment walks at random: what is taken back leaves no trace, clones see the same, and masks say what
// steps do.
#include "search/environment.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "partition/spec.hpp"
#include "search/spec_text.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "support/towers.hpp"
#include "support/unit.hpp"

namespace tw::test_environment {

using partition::Plan;
using search::Environment;
using search::Observation;
using search::Sequence;
using search::Space;
using test::Dice;
using test::graph_of;
using test::slice_of;
using test::Tower;
using test::TowerText;

namespace {

const system::System &machine() {
  static const system::System made =
      *system::parse("[device] flops.f32=1e12 hbm_bytes=1e9 hbm_bw=1e11 launch_s=1e-8\n"
                     "[eff] matmul=0:0.1,16:0.6,128:0.9\n[axis *] bw=1e10 lat=1e-7 base=5e-7\n",
                     "test.conf");
  return made;
}

Plan plan_of(const std::shared_ptr<const graph::Graph> &graph, const std::string &mesh) {
  return {graph, *sharding::Mesh::parse(mesh)};
}

Plan step(const std::string &mesh) {
  std::ifstream file(test::source_path("examples/models/gpt_step.mlir"));
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  return plan_of(graph_of(text), mesh);
}

std::unique_ptr<Environment> environment_of(const Plan &plan, int64_t cap_bytes = 0, bool even_only = false) {
  const auto space = Space::create(plan, machine(), {}, {{}, even_only});
  REQUIRE(space.has_value());
  auto made = Environment::create(*space, cap_bytes);
  return made ? *std::move(made) : nullptr; // its plan cannot be lowered
}

// One of that step. What it may do is found once for a mesh.
std::unique_ptr<Environment> environment_of_step(const std::string &mesh, int64_t cap_bytes = 0,
                                                 size_t most_known = size_t{1} << 16) {
  static std::map<std::string, std::shared_ptr<const Space>> spaces;
  std::shared_ptr<const Space> &space = spaces[mesh];
  if (space == nullptr) {
    const auto made = Space::create(step(mesh), machine(), {});
    REQUIRE(made.has_value());
    space = *made;
  }
  auto made = Environment::create(space, cap_bytes, most_known);
  REQUIRE(made.has_value());
  return *std::move(made);
}

// All that an environment shows.
struct Seen {
  cost::Price price;
  std::vector<float> floats;
  std::vector<uint8_t> mask;
  bool operator==(const Seen &) const = default;
};

Seen look(Environment &environment) {
  Seen seen{environment.price(), std::vector<float>(environment.observation().num_floats(), -1),
            std::vector<uint8_t>(environment.num_actions(), 2)};
  environment.observe(seen.floats);
  REQUIRE(environment.mask(seen.mask).has_value());
  return seen;
}

// One of those that are legal.
uint32_t draw(Dice &random, const std::vector<uint8_t> &mask) {
  std::vector<uint32_t> legal;
  for (uint32_t a = 0; a < mask.size(); ++a)
    if (mask[a] != 0)
      legal.push_back(a);
  REQUIRE(!legal.empty());
  return legal[static_cast<size_t>(random.below(std::ssize(legal)))];
}

uint32_t draw_decision(Dice &random, Environment &environment) {
  std::vector<uint8_t> mask = look(environment).mask;
  mask.back() = 0;
  return draw(random, mask);
}

// Steps, steps back and masks, for some turns; each state is seen again as it was seen first.
void walk(Environment &environment, Dice &random, int turns) {
  std::vector<Seen> seen = {look(environment)};
  for (int turn = 0; turn < turns; ++turn) {
    if (environment.is_over() || random.below(4) == 0) {
      const int64_t back = random.below(std::ssize(seen));
      REQUIRE(environment.undo(static_cast<size_t>(back)).has_value());
      seen.resize(seen.size() - static_cast<size_t>(back));
      CHECK(look(environment) == seen.back());
      if (environment.is_over()) {
        REQUIRE(environment.undo(1).has_value());
        seen.pop_back();
      }
      continue;
    }
    const uint32_t action = draw(random, seen.back().mask);
    const double before = environment.cost();
    const auto reward = environment.step(action);
    if (!reward) { // what it makes cannot be lowered; then it is not offered again
      CHECK(reward.error().code() == Code::failed_precondition);
      seen.back().mask[action] = 0;
      CHECK(look(environment) == seen.back());
      continue;
    }
    CHECK(*reward == doctest::Approx(std::log(before / environment.cost())));
    const Seen now = look(environment);
    if (environment.cost() != before) // borders may be in nothing that is seen
      CHECK(now.floats != seen.back().floats);
    seen.push_back(now);
    // The same as one that never was elsewhere.
    const auto clone = environment.clone();
    REQUIRE(clone.has_value());
    Seen there = look(**clone);
    for (size_t a = 0; a < there.mask.size(); ++a)
      if (there.mask[a] != now.mask[a]) // the other one has tried it before
        CHECK(there.mask[a] == 1);
    there.mask = now.mask;
    CHECK(there == now);
    CHECK((*clone)->actions() == environment.actions());
  }
}

} // namespace

TEST_CASE("random programs: what is undone leaves no trace, and clones see the same") {
  int walked = 0;
  for (uint64_t seed = 1; seed <= slice_of(400, 40); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const Plan plan(test::random_program(random).graph, *sharding::Mesh::parse("a=2,b=4"));
    const auto environment = environment_of(plan, 0, seed % 2 == 0);
    if (environment == nullptr)
      continue;
    walk(*environment, random, 12);
    ++walked;
  }
  CHECK(walked > 10);
}

TEST_CASE("layers: what is undone leaves no trace, and clones see the same") {
  Dice random(46);
  for (const Tower &tower : {Tower{.layers = 6, .width = 64, .inside = 256}, Tower{.layers = 2}}) {
    const auto environment = environment_of(plan_of(graph_of(TowerText::of({tower}, nullptr)), "a=4,b=2"));
    REQUIRE(environment != nullptr);
    walk(*environment, random, 40);
  }
  const auto environment = environment_of_step("data=2,model=2", 30'000'000);
  walk(*environment, random, 40);
}

TEST_CASE("masks: what is offered changes something, what is not is refused and says why") {
  const auto environment = environment_of_step("data=2,model=4");
  Dice random(7);
  for (int turn = 0; turn < 6 && !environment->is_over(); ++turn) {
    const Seen before = look(*environment);
    for (uint32_t action = 0; action < environment->num_actions(); ++action) {
      CAPTURE(action);
      const auto reward = environment->step(action);
      CHECK(reward.has_value() == (before.mask[action] == 1));
      if (reward) {
        CHECK(look(*environment).floats != before.floats);
        REQUIRE(environment->undo(1).has_value());
      } else {
        CHECK(reward.error().message().find(fmt::format("action {} ", action)) == 0);
        CHECK(reward.error().message().size() > 40);
      }
      CHECK(look(*environment) == before);
    }
    REQUIRE(environment->step(draw(random, before.mask)).has_value());
  }
}

TEST_CASE("an episode ends where it stops, and rewards add up") {
  const auto environment = environment_of_step("data=2,model=4", 20'000'000);
  const double first = environment->cost();
  CHECK(first > 2 * cost::in_seconds(environment->price().time())); // it does not fit
  Dice random(3);
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += *environment->step(draw_decision(random, *environment));
  CHECK(sum == doctest::Approx(std::log(first / environment->cost())));
  CHECK(look(*environment).floats[0] == doctest::Approx(sum));
  CHECK(*environment->step(environment->stop()) == 0);
  CHECK(environment->is_over());
  const std::vector<uint8_t> mask = look(*environment).mask;
  CHECK(std::ranges::count(mask, 0) == std::ssize(mask));
  const auto after = environment->step(0);
  REQUIRE(!after.has_value());
  CHECK(after.error().code() == Code::failed_precondition);
  CHECK(!environment->undo(6).has_value());
  REQUIRE(environment->undo(5).has_value());
  CHECK(environment->cost() == first);
  CHECK(environment->step(static_cast<uint32_t>(environment->num_actions())).error().code() ==
        Code::out_of_range);
}

TEST_CASE("a snapshot is restored from anywhere, and a wrong one changes nothing") {
  const auto environment = environment_of_step("data=2,model=4");
  Dice random(11);
  std::vector<std::pair<Sequence, Seen>> snapshots;
  for (int i = 0; i < 12; ++i) {
    REQUIRE(environment->undo(static_cast<size_t>(random.below(std::ssize(environment->actions()) + 1)))
                .has_value());
    for (int steps = 0; steps < 3 && !environment->is_over(); ++steps)
      REQUIRE(environment->step(draw(random, look(*environment).mask)).has_value());
    snapshots.emplace_back(environment->actions(), look(*environment));
  }
  for (int i = 0; i < 24; ++i) {
    const auto &[actions, seen] = snapshots[static_cast<size_t>(random.below(std::ssize(snapshots)))];
    REQUIRE(environment->restore(actions).has_value());
    CHECK(environment->actions() == actions);
    CHECK(look(*environment) == seen);
    Sequence wrong = {0, 0};
    CHECK(!environment->restore(wrong).has_value());
    CHECK(environment->actions() == actions);
    CHECK(look(*environment) == seen);
  }
}

TEST_CASE("what is forgotten is found again") {
  const auto small = environment_of_step("data=2,model=2", 0, 5),
             large = environment_of_step("data=2,model=2");
  Dice random(13);
  for (int i = 0; i < 20; ++i) {
    if (small->actions().size() == 6) {
      const auto back = static_cast<size_t>(random.below(7));
      REQUIRE(small->undo(back).has_value());
      REQUIRE(large->undo(back).has_value());
    }
    const uint32_t action = draw_decision(random, *small);
    CHECK(*small->step(action) == *large->step(action));
    CHECK(look(*small) == look(*large));
  }
}

TEST_CASE("the spec of an episode makes what it costs, of all layers that it tiles alike") {
  for (const bool storage : {false, true}) {
    CAPTURE(storage);
    const Plan plan = step("data=2,model=4");
    const auto environment = environment_of_step("data=2,model=4");
    const search::Space &space = environment->space();
    const auto take = [&](const auto &is_meant) {
      const auto at = std::ranges::find_if(space.decisions, is_meant);
      REQUIRE(at != space.decisions.end());
      REQUIRE(environment->step(static_cast<uint32_t>(at - space.decisions.begin())).has_value());
    };
    const auto tile = [&](search::Purpose purpose, uint8_t dim, sharding::AxisId axis) {
      take([&](const search::Decision &d) {
        return d.kind == search::Decision::Kind::tile && d.dim == dim && d.axis == axis &&
               space.groups[d.index].purpose == purpose;
      });
    };
    tile(search::Purpose::other, 0, 0);
    tile(search::Purpose::weight, 1, 1);
    if (storage)
      take(
          [](const search::Decision &d) { return d.kind == search::Decision::Kind::storage && d.axis == 0; });
    const auto written =
        search::write_spec(plan, search::steps_of_program(space, *environment->engine_steps()));
    REQUIRE_MESSAGE(written.has_value(), written.error().message());
    Plan again = plan;
    REQUIRE(partition::apply_spec(again, written->spec, "episode").has_value());
    const auto price = cost::PlanPrice::create(again, machine());
    REQUIRE(price.has_value());
    CHECK((*price)->price().time() == environment->price().time());
  }
}

TEST_CASE("conflicts are those of first steps, both ways") {
  const auto environment = environment_of_step("data=2,model=4");
  const auto conflicts = environment->conflicts();
  REQUIRE(conflicts.has_value());
  const auto of = [&](uint32_t a) {
    return std::span(conflicts->actions)
        .subspan(conflicts->offsets[a], conflicts->offsets[a + 1] - conflicts->offsets[a]);
  };
  REQUIRE(conflicts->offsets.size() == environment->num_actions() + 1);
  CHECK(!conflicts->actions.empty());
  for (uint32_t a = 0; a < environment->num_actions(); ++a)
    for (const uint32_t b : of(a)) {
      CHECK(std::ranges::find(of(b), a) != of(b).end());
      REQUIRE(environment->step(a).has_value());
      const bool there = look(*environment).mask[b] == 1;
      REQUIRE(environment->undo(1).has_value());
      REQUIRE(environment->step(b).has_value());
      CHECK_FALSE((there && look(*environment).mask[a] == 1));
      REQUIRE(environment->undo(1).has_value());
    }
}

TEST_CASE("what floats say has a name each") {
  const auto environment = environment_of_step("data=2,model=4");
  const Observation &of = environment->observation();
  const auto plan = of.names_of_plan(), subject = of.names_of_subject();
  CHECK(of.num_floats() == plan.size() + of.subjects().size() * subject.size());
  const Seen seen = look(*environment);
  CHECK(seen.floats[0] == 0);
  CHECK(seen.floats[1] + seen.floats[2] == doctest::Approx(1));
  CHECK(plan[plan.size() - 1] == "size of model");
  CHECK(seen.floats[plan.size() - 1] == doctest::Approx(std::log(4.0)));
  REQUIRE(environment->step(0).has_value());
  const search::Decision &first = environment->space().decisions[0];
  const std::string name = fmt::format("{} over data", first.dim);
  const auto at = std::ranges::find(subject, name) - subject.begin();
  CHECK(look(*environment).floats[plan.size() + static_cast<size_t>(at)] == 1);
}

} // namespace tw::test_environment
