// SPDX-License-Identifier: Apache-2.0
// Each file of tests/golden/spmd names a program, a mesh and a spec, and holds the device-local program that
// they give. It must be the same text again, and running it must give what the program gives. TW_UPDATE=1
// writes the texts anew.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "import/import.hpp"
#include "partition/spec.hpp"
#include "spmd/program.hpp"
#include "support/compare.hpp"
#include "support/random_program.hpp"
#include "support/simulate.hpp"
#include "support/unit.hpp"

namespace tw::spmd_test_golden {

namespace {

std::string read(const std::filesystem::path &path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What follows "// KEY " on its line.
std::string header(const std::string &text, const std::string &key) {
  const auto at = text.find("// " + key + " ");
  REQUIRE(at != std::string::npos);
  const auto begin = at + key.size() + 4;
  return text.substr(begin, text.find('\n', begin) - begin);
}

template <class T> T must(Result<T> result) {
  if (!result)
    FAIL(result.error().message());
  return std::move(*result);
}

} // namespace

TEST_CASE("golden programs") {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(test::source_path("tests/golden/spmd")))
    files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto &file : files) {
    CAPTURE(file.string());
    const std::string golden = read(file);
    const std::string program_text =
        read(test::source_path("tests/golden/programs/" + header(golden, "program")));
    const auto imported = must(import::import_text(program_text));
    partition::Plan plan(imported.graph, must(sharding::Mesh::parse(header(golden, "mesh"))));
    const std::string spec = header(golden, "spec");
    if (const auto applied = partition::apply_spec(plan, spec, "spec"); !applied)
      FAIL(applied.error().message());
    const auto program = must(spmd::lower(plan));

    const std::string text =
        golden.substr(0, golden.find('\n', golden.find("// spec ")) + 1) + to_text(*program);
    if (std::getenv("TW_UPDATE") != nullptr)
      std::ofstream(file) << text;
    else
      CHECK(text == golden);

    test::Dice random(7);
    std::vector<kernels::ref::Array> inputs;
    for (const graph::OpId argument : imported.graph->arguments())
      inputs.push_back(
          test::random_array(imported.graph->type(imported.graph->result(argument)), -3, 3, random));
    const auto expected = must(kernels::ref::evaluate(*imported.graph, inputs));
    const auto got = must(test::simulate(*program, inputs));
    for (size_t i = 0; i < got.size(); ++i)
      CHECK(test::close_values(got[i], expected[i], 1e-5));
  }
  CHECK(files.size() >= 12);
}

} // namespace tw::spmd_test_golden
