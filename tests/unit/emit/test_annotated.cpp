// SPDX-License-Identifier: Apache-2.0
// Plans as Shardy's annotations: every program of the tree under its specs reads as the same plan; what
// cannot be said is counted.
#include <doctest/doctest.h>

#include "emit/stablehlo/annotated.hpp"
#include "support/plans.hpp"
#include "support/tree_programs.hpp"
#include "unit/emit/plans_read_back.hpp"

namespace tw::test_annotated {

using namespace tw::test;
using partition::NodeId;
using partition::Plan;

namespace {

std::string text_of(const Plan &plan) { return test::text_of(emit::stablehlo::to_annotated_text(plan)); }

// All that the plan says has words.
void check_written(const Plan &plan) {
  const std::string text = text_of(plan);
  CHECK(!text.starts_with("//"));
  check_same(plan, read_plan(text));
}

} // namespace

TEST_CASE("every program of the tree as it is annotated") {
  for (const TreeProgram &program : tree_programs()) {
    CAPTURE(program.name);
    check_written(plan_of(program.imported, nullptr, true));
  }
}

TEST_CASE("the training step of a small transformer under its specs") { each_gpt_plan(check_written); }

TEST_CASE("chess under its specs") {
  const auto path = real_program("searchless_chess_9m_jax.mlir");
  if (!path)
    return;
  const import::Imported imported = std::move(programs_of(*path)[0].imported);
  for (const auto &chosen :
       {std::pair("chess_batch.txt", "data=8"), std::pair("chess_megatron.txt", "data=2,model=4"),
        std::pair("chess_model.txt", "model=8")}) {
    const char *spec = chosen.first;
    CAPTURE(spec);
    check_written(under_spec(imported, chosen.second, spec));
  }
}

TEST_CASE("random plans: the text reads, and is the same plan where it does not say otherwise") {
  size_t same = 0, other = 0;
  each_random_plan(1, 300, [&](const Plan &plan, uint64_t) {
    const std::string text = text_of(plan);
    const Plan again = read_plan(text);
    if (text.starts_with("// ")) {
      ++other;
      return;
    }
    ++same;
    const std::vector<graph::OpId> order = text_order(plan.graph()), theirs = text_order(again.graph());
    for (size_t i = 0; i < order.size(); ++i)
      if (plan.takes_part(order[i]) && !plan.is_source(order[i]))
        for (uint32_t r = 0; r < plan.graph().op(order[i]).num_results; ++r)
          REQUIRE(plan.result_sharding(order[i], r) == again.result_sharding(theirs[i], r));
  });
  MESSAGE(same << " the same, " << other << " not");
  CHECK(same > 40);
  CHECK(other > 10);
}

} // namespace tw::test_annotated
