// SPDX-License-Identifier: Apache-2.0
// Sorting by one key has the bytes of the reference: every element type, both directions, equal keys, special
// floats, several arrays, any dimension, long and short lines; top_k too.
#include <string>

#include <doctest/doctest.h>

#include "conformance/random_sort.hpp"
#include "support/number_of.hpp"

namespace tw::test_sort {

TEST_CASE("sorts by one key") {
  test::Rng rng(71);
  int own = 0;
  const auto rounds = static_cast<int>(test::slice_of(400, 120));
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const test::KernelCase c = test::make_sort(rng);
    const auto kernel = c.bind();
    own += std::string(kernel->name()) == "cpu:sort";
    REQUIRE(c.run(*kernel, rng) == c.run(*c.bind_reference(), rng));
  }
  CHECK(own * 8 > rounds * 5);
}

TEST_CASE("greatest few") {
  test::Rng rng(72);
  for (int round = 0; round < static_cast<int>(test::slice_of(200, 60)); ++round) {
    CAPTURE(round);
    const test::KernelCase c = test::make_top_k(rng);
    const auto kernel = c.bind();
    CHECK(std::string(kernel->name()) == "cpu:sort");
    REQUIRE(c.run(*kernel, rng) == c.run(*c.bind_reference(), rng));
  }
}

} // namespace tw::test_sort
