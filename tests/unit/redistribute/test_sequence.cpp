// SPDX-License-Identifier: Apache-2.0
// The search of collective sequences against optima that a slow independent search has found and proven.
#include <doctest/doctest.h>

#include "sequence_cases.hpp"

namespace tw::test_sequence {

using namespace tw::redistribute;
using namespace tw::test;

namespace {

void check_all(const std::string &name, size_t count) {
  const std::vector<ExpectedCase> cases = expected_cases(name);
  CHECK(cases.size() == count);
  for (const ExpectedCase &c : cases)
    for (const OpSet ops : {OpSet::scalar, OpSet::vector}) {
      const int64_t cap = largest_end(c.tilings);
      const std::optional<Sequence> s = find_sequence(c.tilings, ops, cap);
      const bool scalar = ops == OpSet::scalar;
      REQUIRE_MESSAGE(s.has_value(), c.line);
      CHECK_MESSAGE(s->cost == (scalar ? c.scalar : c.vector), c.line, scalar ? " scalar" : " vector");
      CHECK_MESSAGE(s->certificate.weak == (s->steps.empty() ? 0
                                            : scalar         ? c.scalar_weak
                                                             : c.vector_weak),
                    c.line);
      CHECK_MESSAGE(s->exact, c.line);
      CHECK_MESSAGE(replay(c.tilings, *s, ops, cap) == "", c.line);
    }
}

} // namespace

TEST_CASE("sequences of the paper's examples") { check_all("named", 17); }

TEST_CASE("sequences of 3000 random problems on eight devices") {
  for (const char *name : {"section8_20211231", "section8_20220711", "section8_19690720"})
    check_all(name, 1000);
}

TEST_CASE("sequences on meshes of several primes") { check_all("mixed_radix", 1000); }

} // namespace tw::test_sequence
