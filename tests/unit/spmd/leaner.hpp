// SPDX-License-Identifier: Apache-2.0
// A program beside the same without a pass that is to make it leaner: it gives the same and moves no more.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "spmd/program.hpp"
#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "support/simulate.hpp"

namespace tw::test {

inline void check_gives_the_same(const spmd::Program &lean, const spmd::Program &plain,
                                 const std::vector<kernels::ref::Array> &inputs) {
  const auto got = simulate(lean, inputs), wanted = simulate(plain, inputs);
  REQUIRE_MESSAGE(got.has_value(), got.error().message());
  REQUIRE(wanted.has_value());
  for (size_t i = 0; i < wanted->size(); ++i)
    REQUIRE(same_values((*got)[i], (*wanted)[i]));
}

// Pins some values of a random program, which have to be whole there.
inline void pin_some(partition::Plan &plan, uint32_t one_in, Dice &random) {
  plan.begin_action({"", {}});
  for (graph::OpId op = 0; op < plan.graph().ops().size(); ++op)
    if (random.chance(one_in) && plan.takes_part(op) && plan.flow().num_made(op) == 1 && !plan.is_source(op))
      plan.pin(plan.made(op, 0));
}

// 600 random programs: devices receive no more on average than under `plain`. How many receive less.
inline size_t count_leaner(const spmd::Options &plain) {
  size_t fewer = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram made = random_program(random);
    partition::Plan plan(made.graph, random_mesh(random));
    pin_some(plan, 3, random);
    const std::string actions = random_actions(plan, random);
    CAPTURE(actions);
    const auto lean = spmd::lower(plan), other = spmd::lower(plan, plain);
    REQUIRE(other.has_value());
    REQUIRE_MESSAGE(lean.has_value(), lean.error().message());
    check_gives_the_same(**lean, **other, made.inputs);
    const double now = spmd::find_statistics(**lean).bytes_received_mean,
                 before = spmd::find_statistics(**other).bytes_received_mean;
    REQUIRE(now <= before * (1 + 1e-9));
    fewer += now < before;
  }
  MESSAGE(fewer << " programs move less");
  return fewer;
}

} // namespace tw::test
