// SPDX-License-Identifier: Apache-2.0
// The path of the PartIR slides to the device-local program, step by step, gives what the direct path gives:
// on every program of the tree, as annotated and under random actions.
#include <doctest/doctest.h>

#include "partition/spec.hpp"
#include "spmd/program.hpp"
#include "support/plans.hpp"
#include "support/tree_programs.hpp"

namespace tw::test_naive {

using partition::Plan;

namespace {

void check_same(const Plan &plan, bool deferred) {
  spmd::Options direct, naive;
  if (!deferred)
    direct.without = naive.without = {"defer_sums"};
  naive.naive = true;
  const auto a = spmd::lower(plan, direct), b = spmd::lower(plan, naive);
  REQUIRE_MESSAGE(a.has_value(), a.error().message());
  REQUIRE_MESSAGE(b.has_value(), b.error().message());
  REQUIRE(spmd::to_text(**a) == spmd::to_text(**b));
}

} // namespace

TEST_CASE("every program of the tree") {
  test::Dice random(11);
  size_t count = 0;
  for (const test::TreeProgram &program : test::tree_programs()) {
    CAPTURE(program.name);
    const import::Imported &imported = program.imported;
    check_same(test::plan_of(imported, nullptr, true), true);
    if (imported.graph->arguments().empty())
      continue;
    const Plan fresh = test::plan_of(imported, "a=2,b=3", false);
    for (int round = 0; round < (imported.graph->ops().size() > 2000 ? 2 : 8); ++round) {
      Plan plan = fresh;
      const std::string spec = test::random_spec(*imported.graph, random);
      CAPTURE(spec);
      static_cast<void>(partition::apply_spec(plan, spec, "spec.txt"));
      check_same(plan, round % 2 == 0);
      ++count;
    }
  }
  CHECK(count > 100);
}

} // namespace tw::test_naive
