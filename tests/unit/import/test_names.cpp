// SPDX-License-Identifier: Apache-2.0
// Names that the caller gives to arguments, and those that are refused with their line.
#include "print.hpp"

namespace tw::test_names {

namespace {

constexpr std::string_view kText = R"(
func.func @main(%x: tensor<2xf32> {tf.arg_name = "tokens"}, %w: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %w : tensor<2xf32>
  return %0 : tensor<2xf32>
}
)";

Result<import::Imported> named(std::string names) {
  import::ImportOptions options;
  options.file = "m.mlir";
  options.names = std::move(names);
  options.names_file = "m.names";
  return import::import_text(kText, options);
}

std::string names_of(std::string names) {
  const auto imported = named(std::move(names));
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  std::string all;
  for (size_t i = 0; i < imported->graph->arguments().size(); ++i)
    all += imported->graph->argument_name(i) + "|";
  return all;
}

// "LINE: MESSAGE"
std::string refused(std::string names) {
  const auto imported = named(std::move(names));
  REQUIRE_FALSE(imported.has_value());
  const auto &info = imported.error().info();
  CHECK(imported.error().code() == Code::invalid_argument);
  CHECK(std::string_view(info.id) == "TW-114");
  CHECK(info.pos.file == "m.names");
  return fmt::format("{}: {}", info.pos.line, imported.error().message());
}

} // namespace

TEST_CASE("names go to arguments in order; blank and missing lines keep what is there") {
  CHECK(names_of("") == "tokens|w|b|");
  CHECK(names_of("in") == "in|w|b|");
  CHECK(names_of("in\n\nbias\n") == "in|w|bias|");
  CHECK(names_of("\n params['w q'] \r\n") == "tokens|params['w q']|b|");
  CHECK(names_of("a\nb\nc\n\n\n") == "a|b|c|"); // blank lines at the end name nobody
  CHECK(names_of("w\nb\nx") == "w|b|x|");       // names that others had are free when these get new ones
  CHECK(names_of("arg0\n%arg1") == "arg0|%arg1|b|");
}

TEST_CASE("a place is no name of another argument") {
  const auto imported = import::import_text(
      R"("func.func"() <{function_type = (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, sym_name = "main", arg_attrs = [{}, {jax.arg_info = "arg0"}, {jax.arg_info = "w"}]}> ({
^bb0(%arg8: tensor<2xf32>, %arg0: tensor<2xf32>, %arg1: tensor<2xf32>):
  %0 = "stablehlo.subtract"(%arg8, %arg1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  "func.return"(%0) : (tensor<2xf32>) -> ()
}) : () -> ())");
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  const graph::Graph &g = *imported->graph;
  for (size_t i = 0; i < 3; ++i) {
    CHECK(g.argument_name(i) == (i == 2 ? "w" : fmt::format("arg{}", i)));
    CHECK(g.value_name(g.result(g.arguments()[i])) == fmt::format("%arg{}", i));
  }
  CHECK(test::print(g).find("stablehlo.subtract %arg0 %arg2") != std::string::npos);
}

TEST_CASE("values keep the names of the text") {
  const auto imported = named("in\nweights");
  REQUIRE(imported.has_value());
  CHECK(imported->graph->value_name(imported->graph->result(imported->graph->arguments()[1])) == "%w");
}

TEST_CASE("names that could not be told apart, or are too many, are errors with their line") {
  CHECK(refused("a\nb\nc\nd") == "4: a name for argument 3, but the program has 3 arguments");
  CHECK(refused("a\n\n\n\n\nf") == "6: a name for argument 5, but the program has 3 arguments");
  CHECK(refused("a\n\na") == "3: the name 'a' is given twice, first on line 1");
  CHECK(refused("a\n%a") == "2: the name 'a' is given twice, first on line 1");
  CHECK(refused("\ntokens") == "2: the name 'tokens' is that of argument 0, which keeps it");
  CHECK(refused("b") == "1: the name 'b' is that of argument 2, which keeps it");
  CHECK(refused("\narg2") == "2: 'arg2' always names argument 2, this is argument 1");
  CHECK(refused("7") == "1: '7' is no name: a number stands for an argument's place");
  CHECK(refused("%") == "1: '%' is no name: a number stands for an argument's place");
}

} // namespace tw::test_names
