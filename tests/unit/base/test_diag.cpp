// SPDX-License-Identifier: Apache-2.0
// The diagnostics list is sorted and well formed, and each entry says what is wrong and what to do.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "base/diag.hpp"

namespace tw::test_diag {

TEST_CASE("diagnostics are sorted, and each has an id TW-nnn, a meaning and advice") {
  const auto list = tw::all_diagnostics();
  REQUIRE(!list.empty());
  const auto id_of = [](const tw::Diagnostic &diagnostic) { return std::string_view(diagnostic.id); };
  CHECK(std::ranges::adjacent_find(list, std::ranges::greater_equal{}, id_of) == list.end());
  for (const auto &diagnostic : list) {
    CAPTURE(diagnostic.id);
    const std::string_view id = diagnostic.id, meaning = diagnostic.meaning, advice = diagnostic.advice;
    CHECK(id.size() == 6);
    CHECK(id.starts_with("TW-"));
    CHECK(std::ranges::all_of(id.substr(3), [](char c) { return c >= '0' && c <= '9'; }));
    CHECK(!meaning.empty());
    CHECK(!meaning.ends_with('.'));
    CHECK(advice.size() > 10);
    CHECK(advice.ends_with('.'));
  }
}

} // namespace tw::test_diag
