// SPDX-License-Identifier: Apache-2.0
// Artifacts that are written: each is read as the program, annotations, rules and notes that its text is, it
// is written the same every time, and it asks for no newer version than it needs.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "emit/artifact/artifact.hpp"
#include "emit/printer.hpp"
#include "partition/spec.hpp"
#include "spmd/program.hpp"
#include "support/number_of.hpp"
#include "support/plans.hpp"
#include "support/program_text.hpp"
#include "support/random_program.hpp"
#include "support/tree_programs.hpp"
#include "unit/loops/loop_text.hpp"

namespace tw::test_bytecode {

using namespace tw::test;

namespace {

// What a reader knows of a program. Values have numbers: how they are called a text says, an artifact does
// not. Attributes that say nothing may be there or not, and functions that calls name are kept as they stand.
std::string known_of(const import::Imported &read) {
  const graph::Graph &g = *read.graph;
  std::string all = fmt::format("{}\n", g.module_name());
  for (size_t i = 0; i < g.arguments().size(); ++i)
    all += fmt::format("argument {} {} {}\n", i, g.argument_name(i), g.alias_of_argument(i));
  for (size_t i = 0; i < g.results().size(); ++i)
    all += fmt::format("result {} {}\n", i, g.result_name(i));
  for (graph::OpId op = 0; op < g.ops().size(); ++op) {
    const ops::OpDef &def = ops::op_def(g.op(op).code);
    all += fmt::format("{} {} [{}]", g.op(op).parent, def.name, fmt::join(g.operands(op), ","));
    for (size_t i = 0; i < g.attrs(op).size(); ++i)
      if (g.attrs(op)[i].index() != 0 && !import::says_nothing(def.attrs[i], g.attrs(op)[i]) &&
          def.attrs[i].name != std::string_view("called_functions"))
        all += fmt::format(" {}={}", def.attrs[i].name, program_text_detail::of_attribute(g, g.attrs(op)[i]));
    for (uint32_t i = 0; i < g.op(op).num_results; ++i)
      all += fmt::format(" {}:{}", g.result(op, i), graph::to_text(g.type(g.result(op, i))));
    for (uint32_t i = 0; i < g.op(op).num_regions; ++i) {
      const graph::Region &region = g.region(g.op(op).first_region + i);
      all += fmt::format(" ({})->({})", fmt::join(region.args, ","), fmt::join(region.yields, ","));
    }
    all += '\n';
  }
  const std::string said = program_text(read, false);
  return all + said.substr(std::min({said.find("\nmesh "), said.find("\nsharding "), said.find("\nrule "),
                                     said.find("\nmoves "), said.find("\nleft out "), said.find("\nnote "),
                                     said.size()}));
}

// Of what is read, or the error, without the place.
std::string read(std::string_view bytes) {
  const auto imported = import::import_text(bytes);
  return imported ? known_of(*imported) : fmt::format("error {}", imported.error().info().id);
}

bool is_refused(const Result<std::string> &written) {
  return !written && written.error().code() == Code::unimplemented &&
         written.error().message().find("the op 'check.expect_") == 0;
}

struct Counts {
  size_t compared = 0, refused = 0, unread = 0;
};

void compare(const Result<std::string> &text, const Result<std::string> &artifact, Counts &counts) {
  if (!text || is_refused(artifact)) {
    CHECK(!artifact.has_value());
    ++counts.refused;
    return;
  }
  INFO(*text);
  REQUIRE_MESSAGE(artifact.has_value(), artifact.error().message());
  ++counts.compared;
  const std::string expected = read(*text), found = read(*artifact);
  if (found != expected) // long texts are shown where they part
    FAIL_CHECK(found.substr(
        found.rfind('\n', static_cast<size_t>(std::ranges::mismatch(found, expected).in1 - found.begin())),
        500));
  counts.unread += expected.starts_with("error ");
}

void compare_forms(const partition::Plan &plan, Counts &counts) {
  compare(emit::print(plan, "stablehlo+sdy"), emit::print(plan, "stablehlo+sdy-bytecode"), counts);
  if (const auto program = spmd::lower(plan))
    compare(emit::print(**program, "stablehlo"), emit::print(**program, "stablehlo-bytecode"), counts);
}

// A module whose function has this body.
std::string artifact_of(std::string_view signature, std::string_view body, std::string_view before = "") {
  const auto written = emit::artifact::to_artifact(
      fmt::format("module {{\n{}  func.func public @main({}) {{\n{}\n    return\n  }}\n}}\n", before,
                  signature, body),
      "text");
  return written ? *written : written.error().message();
}
std::string version_of(const std::string &artifact) {
  REQUIRE_MESSAGE(artifact.starts_with("ML\xefR\x0dStableHLO_v"), artifact);
  return artifact.substr(16, artifact.find('\0') - 16);
}
std::string version_of(std::string_view type, std::string_view op) {
  return version_of(artifact_of(fmt::format("%arg0: {0}, %arg1: {0}", type), op));
}

} // namespace

TEST_CASE("an artifact of any program of the tree is read as its text") {
  Counts counts;
  for (const TreeProgram &program : tree_programs())
    for (const char *mesh : {"", "x=2,y=2"}) {
      CAPTURE(program.name);
      CAPTURE(mesh);
      if (*mesh == '\0') {
        compare_forms(plan_of(program.imported, nullptr, true), counts);
      } else if (partition::Plan plan = plan_of(program.imported, mesh, false); true) {
        (void)partition::apply_spec(plan, "tile(arg=0, dim=0, axis=x); infer-propagate", "spec.txt");
        compare_forms(plan, counts);
      }
    }
  CHECK(counts.compared > 200);
  CHECK(counts.refused > 0);
  CHECK(counts.unread < counts.compared / 4);
}

TEST_CASE("layouts, aliases, configurations, rules and the functions that calls name are written") {
  std::string text = read_file(source_path("tests/golden/cli/foreign_calls.mlir"));
  const auto refused = import::import_text(text);
  REQUIRE(refused.has_value());
  const auto written = emit::print(plan_of(*refused, nullptr, true), "stablehlo+sdy-bytecode");
  REQUIRE(!written.has_value());
  CHECK(written.error().message() ==
        "the op 'stablehlo.custom_call' cannot be written to an artifact: the attribute "
        "#other.attribute<x -> y, z> has no form in VHLO");
  const std::string_view odd = "\"odd \\22name\\22\" = #other.attribute<x -> y, z>, ";
  REQUIRE(text.find(odd) != std::string::npos);
  text.erase(text.find(odd), odd.size());
  const auto imported = import::import_text(text);
  REQUIRE(imported.has_value());
  // What is written of what was read is the same: strings are escaped in one way from then on.
  const auto once = emit::print(plan_of(*imported, nullptr, true), "stablehlo+sdy-bytecode");
  REQUIRE_MESSAGE(once.has_value(), once.error().message());
  const auto back = import::import_text(*once);
  REQUIRE_MESSAGE(back.has_value(), back.error().message());
  const auto again = emit::print(plan_of(*back, nullptr, true), "stablehlo+sdy-bytecode");
  REQUIRE_MESSAGE(again.has_value(), again.error().message());
  CHECK(read(*again) == known_of(*back));
  CHECK(back->annotations.rules.size() == imported->annotations.rules.size());
  for (const char *said : {"uplo = 76 : ui8", "{\"json\": [1, 2]}", "output_operand_alias<",
                           "[@fold, @\"other fold\"]", "\"my.axis\" = [1, 2]", "pinned_host"})
    CHECK_MESSAGE(known_of(*back).find(said) != std::string::npos, std::string(said));
}

// TW_PLANS says how many, from the seed TW_SEED.
TEST_CASE("an artifact of a random plan is read as its text, and written the same again") {
  const uint64_t first = number_of("TW_SEED", 1), count = number_of("TW_PLANS", slice_of(400, 60));
  Counts counts;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    partition::Plan plan(program.graph, *sharding::Mesh::parse("a=2,b=3"));
    (void)partition::apply_spec(plan, random_spec(*program.graph, random), "spec.txt");
    compare_forms(plan, counts);
    const auto once = emit::print(plan, "stablehlo+sdy-bytecode"),
               again = emit::print(plan, "stablehlo+sdy-bytecode");
    CHECK(once.has_value() == again.has_value());
    if (once && again)
      CHECK(*once == *again);
  }
  CHECK(counts.compared > count);
}

TEST_CASE("the version is the oldest that has all of it") {
  constexpr std::string_view kF32 = "tensor<4xf32>";
  const auto unary = [](std::string_view name, std::string_view type, std::string_view more = "") {
    return fmt::format("    %0 = \"stablehlo.{0}\"(%arg0){2} : ({1}) -> {1}", name, type, more);
  };
  CHECK(version_of(kF32, unary("exponential", kF32)) == "1.0.0");
  CHECK(version_of("tensor<4xui2>", unary("not", "tensor<4xui2>")) == "1.2.0");
  CHECK(version_of(kF32, unary("tan", kF32)) == "1.4.0");
  CHECK(version_of("tensor<4xf8E3M4>", unary("abs", "tensor<4xf8E3M4>")) == "1.7.0");
  CHECK(version_of("tensor<4xf8E8M0FNU>", unary("abs", "tensor<4xf8E8M0FNU>")) == "1.8.0");
  constexpr std::string_view kAccuracy = " <{result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = "
                                         "#stablehlo<result_accuracy_mode TOLERANCE>>}>";
  CHECK(version_of(kF32, unary("exponential", kF32, kAccuracy)) == "1.9.0");
  CHECK(version_of(kF32, unary("tanh", kF32, kAccuracy)) == "1.10.0");
  CHECK(version_of(kF32, unary("abs", kF32, " {a}")) == "1.11.0");
  CHECK(version_of(artifact_of("%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}]>}", "",
                               "  sdy.mesh @m = <[\"x\"=2]>\n")) == "1.11.0");
  constexpr std::string_view kAlgorithm =
      "    %0 = \"stablehlo.dot_general\"(%arg0, %arg1) <{algorithm = "
      "#stablehlo.dot_algorithm<lhs_precision_type = "
      "tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, "
      "rhs_component_count = 1, "
      "num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = "
      "#stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : "
      "(tensor<4xf32>, "
      "tensor<4xf32>) -> tensor<f32>";
  CHECK(version_of(kF32, kAlgorithm) == "1.6.0");
}

TEST_CASE("what an artifact has no form for is an error that names the op and its line") {
  CHECK(artifact_of("%arg0: tensor<4xf32>",
                    "    \"check.expect_eq\"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> ()") ==
        "the op 'check.expect_eq' cannot be written to an artifact: VHLO has no such op");
  CHECK(
      artifact_of("%arg0: tensor<4xf32>",
                  "    %0 = \"stablehlo.abs\"(%arg0) {a = #other<b>} : (tensor<4xf32>) -> tensor<4xf32>") ==
      "the op 'stablehlo.abs' cannot be written to an artifact: the attribute #other<b> has no form in VHLO");
  CHECK(artifact_of("%arg0: tensor<?xf32>", "").find("the type ") != std::string::npos);
  CHECK(artifact_of("", "    %0 = \"stablehlo.iota\"() : () -> tensor<4xi32>") ==
        "the op 'stablehlo.iota' cannot be written to an artifact: its attribute iota_dimension is missing");
  const auto refused = emit::artifact::to_artifact(
      "module {\n  func.func public @main() {\n    \"a.b\"() : () -> ()\n    return\n  }\n}\n", "stablehlo");
  REQUIRE(!refused.has_value());
  REQUIRE(refused.error().info().notes.size() == 1);
  CHECK(refused.error().info().notes[0] == "it stands in line 3 of the form stablehlo");
}

} // namespace tw::test_bytecode
