// SPDX-License-Identifier: Apache-2.0
// The diagnostics list is sorted, well formed and found by id.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "base/diag.hpp"

TEST_CASE("diagnostics are sorted and their ids are TW-nnn") {
  const auto list = tw::all_diagnostics();
  REQUIRE(!list.empty());
  CHECK(std::ranges::adjacent_find(list, std::ranges::greater_equal{}, &tw::Diagnostic::id) == list.end());
  for (const auto &diagnostic : list) {
    CAPTURE(diagnostic.id);
    CHECK(diagnostic.id.size() == 6);
    CHECK(diagnostic.id.starts_with("TW-"));
    CHECK(std::ranges::all_of(diagnostic.id.substr(3), [](char c) { return c >= '0' && c <= '9'; }));
    CHECK(!diagnostic.meaning.empty());
    CHECK(!diagnostic.meaning.ends_with('.'));
  }
}

TEST_CASE("a diagnostic is found by its id") {
  CHECK(tw::diagnostic_meaning("TW-001") == "a shared library could not be opened");
  CHECK(tw::diagnostic_meaning("TW-999").empty());
  CHECK(tw::diagnostic_meaning("").empty());
}
