// SPDX-License-Identifier: Apache-2.0
// The loop programs printed in the PartIR slides: each parses, prints as itself, and computes what the
// program without loops does.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "looped.hpp"
#include "support/random_program.hpp"
#include "support/unit.hpp"

namespace tw::test_partir_slides {

using namespace tw::test;

TEST_CASE("the loop programs of the PartIR slides parse, print as themselves and mean what they say") {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(source_path("tests/golden/partir_slides")))
    files.push_back(entry.path());
  std::ranges::sort(files);
  REQUIRE(files.size() >= 20);
  Dice random(1);
  for (const auto &file : files) {
    CAPTURE(file.string());
    const std::string text = read_file(file.string());
    const auto read = parse_loops(text);
    REQUIRE_MESSAGE(read.has_value(), read.error().message());
    REQUIRE(read->imported.loops);
    REQUIRE(!read->imported.loops->loops.empty());

    const auto style =
        file.filename().string().starts_with("001") ? sharding::Style::counts : sharding::Style::extents;
    const std::string printed = loops::print(read->plan, style).text;
    if (text.find("// prints otherwise") == std::string::npos)
      CHECK(squeezed(printed) == squeezed(text));
    else
      CHECK(squeezed(printed) != squeezed(text));
    check_round_trip(read->plan);
    const auto again = parse_loops(printed);
    REQUIRE(again.has_value());
    CHECK(again->imported.loops->loops.size() == read->imported.loops->loops.size());

    check_loops(*read, random_inputs(read->plan.graph(), -8, 8, random));
  }
}

} // namespace tw::test_partir_slides
