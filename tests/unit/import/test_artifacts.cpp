// SPDX-License-Identifier: Apache-2.0
// Artifacts of StableHLO and bytecode: the program that their text is, whatever their version; and damaged
// ones, of which each is an error with its place or another program.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <random>

#include <fmt/format.h>

#include "ops/builder.hpp"
#include "support/number_of.hpp"
#include "support/program_text.hpp"
#include "support/unit.hpp"

namespace tw::import_test_artifacts {

namespace {

std::string file(std::string_view name) {
  const std::string path = test::source_path(fmt::format("tests/unit/import/artifacts/{}", name));
  std::ifstream from(path, std::ios::binary);
  REQUIRE_MESSAGE(from.good(), path);
  return {std::istreambuf_iterator<char>(from), std::istreambuf_iterator<char>()};
}

std::string program(std::string_view bytes, bool locations) {
  const auto imported = import::import_text(bytes);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  CHECK(ops::verify(*imported->graph).has_value());
  return test::program_text(*imported, locations);
}

// "message / first note" of what cannot be read.
std::string problem(std::string_view bytes) {
  const auto imported = import::import_text(bytes);
  if (imported)
    return "read";
  const ErrorInfo &info = imported.error().info();
  return fmt::format("{} {} / {}", info.id, info.message, info.notes.empty() ? "" : info.notes[0]);
}

std::string replaced(std::string bytes, std::string_view from, std::string_view to) {
  REQUIRE(from.size() == to.size());
  const size_t at = bytes.find(from);
  REQUIRE(at != std::string::npos);
  return bytes.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("an artifact of any version is the program that its text is") {
  CHECK(program(file("v0_9_0.mlirbc"), false) == program(file("v1_0_0.mlir"), false));
  CHECK(program(file("v1_0_0.mlirbc"), false) == program(file("v1_0_0.mlir"), false));
  CHECK(program(file("v1_17_0.mlirbc"), true) == program(file("v1_17_0.mlir"), true));
}

TEST_CASE("bytecode of StableHLO, func and sdy is the program that its text is") {
  CHECK(program(file("plain.mlirbc"), false) == program(file("plain.mlir"), false));
}

TEST_CASE("what jax.export serialises is its module") {
  for (const std::string name : {"exported_auto", "exported_explicit"}) {
    const std::string text = program(file(name + ".mlir"), true);
    CHECK(program(file(name + ".mlirbc"), true) == text);
    CHECK(program(file(name + ".fb"), true) == text);
  }
}

TEST_CASE("what is not known is refused by name and version") {
  const std::string artifact = file("v1_17_0.mlirbc");
  CHECK(problem(replaced(artifact, "tanh_v2", "tanh_v9"))
            .find("TW-121 the op 'vhlo.tanh_v9' of an artifact of StableHLO 1.17.0 is not known") == 0);
  std::string newer = artifact;
  newer[4] = 2 * 7 + 1; // a version of the format that does not exist
  CHECK(problem(newer).find("TW-121 version 7 of MLIR bytecode is newer than 6") == 0);
  CHECK(problem(replaced(artifact, "tanh_v2", "tanh_v9")).find("/ at byte ") != std::string::npos);
  std::string exported = file("exported_auto.fb");
  CHECK(problem(exported) == "read");
}

TEST_CASE("a damaged artifact says where") {
  const std::string artifact = file("v1_17_0.mlirbc");
  CHECK(problem(artifact.substr(0, artifact.size() / 2)).find("TW-120 ") == 0);
  CHECK(problem("ML\xefR").find("TW-120 the header ends too early / at byte 4, in the header") == 0);
  CHECK(problem("ML\xefR\x0dStableHLO_v1.13.0").find("TW-120 the header ends too early") == 0);
}

TEST_CASE("an artifact in which many arguments share many attributes is refused before they fill memory") {
  CHECK(problem(file("many_attributes.mlirbc"))
            .find("TW-120 the attributes of this artifact stand for too much text") == 0);
}

TEST_CASE("damaged artifacts are errors or programs, and nothing else") {
  std::vector<std::string> files;
  for (const char *name : {"v0_9_0.mlirbc", "v1_17_0.mlirbc", "plain.mlirbc", "exported_auto.fb"})
    files.push_back(file(name));
  const size_t count = test::slice_of(300'000, 1500);
  size_t read = 0;
  import::ImportOptions options;
  options.max_ops = 20'000;
  for (size_t seed = 0; seed < count; ++seed) {
    std::mt19937_64 random(seed);
    std::string bytes = files[random() % files.size()];
    for (size_t left = 1 + random() % 3; left > 0; --left) {
      const size_t at = random() % bytes.size();
      if (random() % 4 == 0)
        bytes.erase(at, 1 + random() % 4);
      else
        bytes[at] = static_cast<char>(random() % 2 == 0 ? random() : static_cast<uint64_t>(bytes[at] + 2));
    }
    options.allow_unknown = random() % 2 == 0;
    const auto imported = import::import_text(bytes, options);
    CAPTURE(seed);
    if (imported) {
      ++read;
      CHECK(ops::verify(*imported->graph).has_value());
    } else {
      CHECK(!imported.error().message().empty());
      CHECK(imported.error().code() != Code::internal);
    }
  }
  CHECK(read > 0);
  CHECK(read < count);
}

} // namespace tw::import_test_artifacts
