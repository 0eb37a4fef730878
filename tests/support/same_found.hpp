// SPDX-License-Identifier: Apache-2.0
// Whether two searches found the same.
#pragma once

#include <doctest/doctest.h>

#include "search/answer.hpp"

namespace tw::test {

// All but what a search took: its steps and its time.
inline void check_same(const search::Found &one, const search::Found &other) {
  CHECK(one.ending == other.ending);
  CHECK(one.spec == other.spec);
  CHECK(one.actions == other.actions);
  CHECK(one.gather_per_use == other.gather_per_use);
  CHECK(one.price == other.price);
  CHECK(one.bound == other.bound);
  CHECK(one.peak_bytes == other.peak_bytes);
  CHECK(one.least_peak_bytes == other.least_peak_bytes);
  CHECK(one.episodes == other.episodes);
  REQUIRE(one.tried.size() == other.tried.size());
  for (size_t i = 0; i < one.tried.size(); ++i) {
    CHECK(one.tried[i].name == other.tried[i].name);
    CHECK(one.tried[i].price == other.tried[i].price);
    CHECK(one.tried[i].fits == other.tried[i].fits);
  }
  REQUIRE(one.groups.size() == other.groups.size());
  for (size_t i = 0; i < one.groups.size(); ++i)
    CHECK(one.groups[i].arguments == other.groups[i].arguments);
}

} // namespace tw::test
