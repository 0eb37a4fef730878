// SPDX-License-Identifier: Apache-2.0
// Nearest names: distances count edits, far names are not offered.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/suggest.hpp"

namespace tw::test_suggest {

TEST_CASE("edit distance counts edits and swaps of neighbours") {
  CHECK(tw::edit_distance("", "") == 0);
  CHECK(tw::edit_distance("model", "model") == 0);
  CHECK(tw::edit_distance("model", "modle") == 1);
  CHECK(tw::edit_distance("model", "mode") == 1);
  CHECK(tw::edit_distance("kitten", "sitting") == 3);
  CHECK(tw::edit_distance("", "abc") == 3);
  CHECK(tw::edit_distance("abcdefgh", "zzzzzzzz", 2) == 3);
}

TEST_CASE("the nearest names come first and far ones not at all") {
  const std::vector<std::string> known{"data", "model", "date", "pipeline"};
  CHECK(tw::nearest_names("dta", known) == std::vector<std::string>{"data", "date"});
  CHECK(tw::nearest_names("modle", known) == std::vector<std::string>{"model"});
  CHECK(tw::nearest_names("DATA", known, 1) == std::vector<std::string>{"data"});
  CHECK(tw::nearest_text("X", std::vector<std::string>{"w", "x"}) == "; nearest: 'x'");
  CHECK(tw::nearest_names("xyzzy", known).empty());
  CHECK(tw::nearest_text("modle", known) == "; nearest: 'model'");
  CHECK(tw::nearest_text("xyzzy", known).empty());
}

TEST_CASE("a name that holds what was asked for is near, for globs too") {
  const std::vector<std::string> known{"p['layers'][0]['w1']", "p['layers'][0]['w2']", "p['head']", "w"};
  CHECK(tw::nearest_names("w1", known, 2) == std::vector<std::string>{"w", "p['layers'][0]['w1']"});
  CHECK(tw::nearest_names("*layer0*w2", known, 1) == std::vector<std::string>{"p['layers'][0]['w2']"});
  CHECK(tw::nearest_names("*head1", known) == std::vector<std::string>{"p['head']"});
  CHECK(tw::nearest_names("*zzzz*", known).empty());
}

} // namespace tw::test_suggest
