// SPDX-License-Identifier: Apache-2.0
// Pages of the PartIR slides and listings of the paper on redistribution, as they spell their programs: each
// is read, planned, printed as tests/golden/partir_pages/NAME.loops has it, and computes in its loops what
// the program without loops does.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "looped.hpp"
#include "support/random_program.hpp"
#include "support/unit.hpp"

namespace tw::test_partir_pages {

using namespace tw::test;

TEST_CASE("pages of the PartIR slides are read, run and printed") {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(source_path("tests/golden/partir_pages")))
    if (entry.path().extension() == ".txt")
      files.push_back(entry.path());
  std::ranges::sort(files);
  REQUIRE(files.size() >= 29);
  Dice random(1);
  for (const auto &file : files) {
    CAPTURE(file.string());
    const auto read = parse_loops(read_file(file.string()));
    REQUIRE_MESSAGE(read.has_value(), read.error().message() << " at " << read.error().info().pos.line);
    REQUIRE(read->imported.loops);

    const bool extents = file.filename().string().starts_with("002");
    const std::string printed =
        loops::print(read->plan, extents ? sharding::Style::extents : sharding::Style::counts).text;
    CHECK(printed == read_file(std::filesystem::path(file).replace_extension(".loops").string()));
    check_round_trip(read->plan);

    const auto whole = check_loops(*read, random_inputs(read->plan.graph(), -2, 2, random));
    if (file.filename().string().find("equivalences") != std::string::npos ||
        file.filename().string().find("rules") != std::string::npos)
      for (size_t i = 0; i + 1 < whole.size(); i += 2) // both sides of each rule
        CHECK(same_values(whole[i], whole[i + 1]));
  }
}

} // namespace tw::test_partir_pages
