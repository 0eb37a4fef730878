// SPDX-License-Identifier: Apache-2.0
// Changes of halos and of cuts move real elements: what arrives is what the definitions say, every device
// receives the elements that it lacks and nothing else, and the checker agrees. 10,000 changes, or as many as
// TW_HALO_CHANGES says, from the seed TW_SEED.
#include <doctest/doctest.h>

#include <string>

#include "redistribute/bounds.hpp"
#include "redistribute/check.hpp"
#include "redistribute/plan_bytes.hpp"
#include "redistribute/planner.hpp"
#include "runtime/redistributor.hpp"
#include "support/checked_plan.hpp"
#include "support/number_of.hpp"
#include "support/random_halos.hpp"

namespace tw::test_halo_moves {

using namespace tw::redistribute;
using sharding::Box;
using tw::test::draw;
using tw::test::each_element;
using tw::test::element_number;
using tw::test::number_of;
using tw::test::Random;

namespace {

using Values = std::vector<std::vector<float>>; // of each device

constexpr float kGarbage = -12345;

// What the source device at a position has of an element: small, so that sums are exact.
float held(const Problem &p, sharding::Position position, int64_t element) {
  int64_t value = element + 1;
  for (const sharding::Partial &s : p.src().sharding.partial)
    value += 1000 * (p.src().mesh.coordinate(position, s.axis) + 1) * (s.axis + 1);
  return static_cast<float>(value);
}

float wanted(const Problem &p, Device d, int64_t element) {
  if (element < 0)
    return 0;
  if (p.src().sharding.partial.empty())
    return held(p, {}, element);
  // All positions that differ along the combined axes alone, on the one mesh or from the origin.
  const sharding::Mesh &mesh = p.src().mesh;
  float sum = 0;
  for (sharding::Position position; position < mesh.num_devices(); ++position) {
    bool term = true;
    for (size_t a = 0; a < mesh.num_axes(); ++a) {
      const auto axis = static_cast<sharding::AxisId>(a);
      if (std::ranges::count(p.combined(), axis) != 0)
        continue;
      const bool kept = p.src().sharding.find_partial(axis) != nullptr;
      term = term && mesh.coordinate(position, axis) == (kept ? mesh.coordinate(p.dst_position(d), axis) : 0);
    }
    if (term)
      sum += held(p, position, element);
  }
  return sum;
}

Values source_of(const Problem &p) {
  Values values(p.num_devices());
  for (Device d = 0; static_cast<size_t>(d) < values.size(); ++d)
    each_element(p.src_box(d), [&](std::span<const int64_t> at) {
      const int64_t element = element_number(p.src(), p.type().dims, at);
      values[static_cast<size_t>(d)].push_back(element < 0 ? kGarbage : held(p, p.src_position(d), element));
    });
  return values;
}

std::vector<const void *> read(const Values &values) {
  std::vector<const void *> tiles;
  for (const auto &tile : values)
    tiles.push_back(tile.data());
  return tiles;
}
std::vector<void *> write(Values &values) {
  std::vector<void *> tiles;
  for (auto &tile : values)
    tiles.push_back(tile.data());
  return tiles;
}

void check_arrived(const Problem &p, const Values &values) {
  for (Device d = 0; static_cast<size_t>(d) < values.size(); ++d) {
    size_t i = 0;
    each_element(p.dst_box(d), [&](std::span<const int64_t> at) {
      REQUIRE(values[static_cast<size_t>(d)][i++] ==
              wanted(p, d, element_number(p.dst(), p.type().dims, at)));
    });
  }
}

void check_bytes(const Problem &p, const PlanCost &cost) {
  int64_t most = 0;
  for (Device d = 0; static_cast<size_t>(d) < p.num_devices(); ++d) {
    auto lacks = tw::test::elements_held(p.dst(), p.type().dims, p.dst_box(d));
    for (const int64_t element : tw::test::elements_held(p.src(), p.type().dims, p.src_box(d)))
      lacks.erase(element);
    const auto bytes = static_cast<int64_t>(lacks.size()) * p.item_size();
    REQUIRE(cost.received[static_cast<size_t>(d)] == bytes);
    most = std::max(most, bytes);
  }
  const Bounds bounds = find_bounds(p, {}, {});
  REQUIRE(bounds.b1_max == most);
  REQUIRE(bounds.b1_mean == doctest::Approx(cost.received_mean));
}

void run_in_place(std::shared_ptr<const Plan> plan, Values source, WorkerPool &pool) {
  const Problem &p = *plan->problem;
  auto runner = *runtime::Redistributor::prepare({plan}, {.donate = true});
  for (Device d = 0; static_cast<size_t>(d) < source.size(); ++d)
    source[static_cast<size_t>(d)].resize(
        static_cast<size_t>(std::max(p.src_box(d).elements(), p.dst_box(d).elements())));
  const auto tiles = write(source);
  const auto from = read(source);
  REQUIRE(runner->run(from, tiles, pool));
  check_arrived(p, source);
}

void check_change(const std::shared_ptr<const Problem> &problem, bool in_place, WorkerPool &pool) {
  const Problem &p = *problem;
  const Costed made = tw::test::checked_plan(problem);
  if (p.combined().empty())
    check_bytes(p, made.cost);
  auto runner = *runtime::Redistributor::prepare({made.plan});
  const Values source = source_of(p);
  Values target(source.size());
  for (Device d = 0; static_cast<size_t>(d) < target.size(); ++d)
    target[static_cast<size_t>(d)].assign(static_cast<size_t>(p.dst_box(d).elements()), kGarbage);
  const auto from = read(source);
  const auto to = write(target);
  REQUIRE(runner->run(from, to, pool));
  check_arrived(p, target);
  if (!in_place)
    return;
  run_in_place(made.plan, source, pool);
  const auto back = from_bytes(to_bytes(*made.plan, {}));
  REQUIRE(back);
  REQUIRE(hash_value(*back->plan) == hash_value(*made.plan));
}

} // namespace

TEST_CASE("changes of halos and cuts arrive, with the bytes that each device lacks") {
  const uint64_t changes = number_of("TW_HALO_CHANGES", 10000), seed = number_of("TW_SEED", 23);
  WorkerPool pool(1);
  uint64_t made = 0, wraps = 0;
  for (uint64_t round = 0; made < changes; ++round) {
    Random random(seed * 1000003 + round);
    const auto problem = tw::test::random_halo_problem(random);
    if (problem == nullptr || (!problem->has_halos() && draw(random, 0, 9) != 0))
      continue;
    ++made;
    const auto text = [&](const Layout &side) {
      return side.mesh.text() + " " + to_text(side.sharding, side.halos, side.mesh);
    };
    INFO("seed ", seed, ", round ", round, ": ", graph::to_short_text(problem->type()), " on ",
         text(problem->src()), " -> ", text(problem->dst()));
    check_change(problem, made % 8 == 0, pool);
    for (size_t d = 0; d < problem->rank(); ++d)
      wraps += problem->wraps(d) ? 1 : 0;
  }
  CHECK(wraps * 3 > changes); // dimensions
}

} // namespace tw::test_halo_moves
