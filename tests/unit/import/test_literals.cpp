// SPDX-License-Identifier: Apache-2.0
// Array literals in every spelling, as bytes.
#include "print.hpp"

#include <limits>

namespace tw::test_literals {

namespace {

// The bytes of the one constant of a text, "splat:" or "dense:" before them.
std::string bytes(std::string_view literal, std::string_view after = "") {
  const std::string text =
      test::in_main("", fmt::format("%0 = stablehlo.constant {}", literal)) + std::string(after);
  const auto imported = import::import_text(text);
  if (!imported)
    return imported.error().message();
  return test::print_attr(*imported->graph, imported->graph->attrs(0)[0]);
}

} // namespace

TEST_CASE("numbers") {
  CHECK(bytes("dense<1.0> : tensor<f32>") == "splat:0000803f");
  CHECK(bytes("dense<[1.0]> : tensor<1xf32>") == "splat:0000803f");
  CHECK(bytes("dense<[1.0, -2.5e+00]> : tensor<2xf32>") == "dense:0000803f000020c0");
  CHECK(bytes("dense<[[1, 2], [3, -1]]> : tensor<2x2xi8>") == "dense:010203ff");
  CHECK(bytes("dense<255> : tensor<2xi8>") == "splat:ff");
  CHECK(bytes("dense<18446744073709551615> : tensor<ui64>") == "splat:ffffffffffffffff");
  CHECK(bytes("dense<-9223372036854775808> : tensor<i64>") == "splat:0000000000000080");
  CHECK(bytes("dense<[true, false]> : tensor<2xi1>") == "dense:0100");
  CHECK(bytes("dense<-1> : tensor<2xi4>") == "splat:ff");
  CHECK(bytes("dense<15> : tensor<2xui4>") == "splat:0f");
  CHECK(bytes("dense<(1.0, -1.0)> : tensor<2xcomplex<f32>>") == "splat:0000803f000080bf");
  CHECK(bytes("dense<[(1.0, 2.0), (0.0, 0x7FC00000)]> : tensor<2xcomplex<f32>>") ==
        "dense:0000803f00000040000000000000c07f");
  CHECK(bytes("dense<1.0> : tensor<bf16>") == "splat:803f");
  CHECK(bytes("dense<1.00390625> : tensor<bf16>") == "splat:803f"); // a tie goes to even
  CHECK(bytes("dense<1.5> : tensor<f16>") == "splat:003e");
  CHECK(bytes("dense<1.0> : tensor<f8E4M3FN>") == "splat:38");
  CHECK(bytes("dense<1.0e+400> : tensor<f64>") == "splat:000000000000f07f");
  CHECK(bytes("dense<4.9e-324> : tensor<f64>") == "splat:0100000000000000");
  CHECK(bytes("dense<0.797884583> : tensor<f32>") == "splat:2a424c3f");
}

TEST_CASE("bit patterns") {
  CHECK(bytes("dense<0xFF800000> : tensor<4xf32>") == "splat:000080ff");
  CHECK(bytes("dense<0xFF80> : tensor<4xbf16>") == "splat:80ff");
  CHECK(bytes("dense<0x7FF0000000000000> : tensor<f64>") == "splat:000000000000f07f");
  CHECK(bytes("dense<[0x7FC00000, 1.0]> : tensor<2xf32>") == "dense:0000c07f0000803f");
  CHECK(bytes("dense<0x7F> : tensor<f8E4M3FN>") == "splat:7f");
  CHECK(bytes("dense<0x10> : tensor<i32>") == "splat:10000000"); // of an integer type it is a number
}

TEST_CASE("raw bytes") {
  CHECK(bytes("dense<\"0x0000803F000020C0\"> : tensor<2xf32>") == "dense:0000803f000020c0");
  CHECK(bytes("dense<\"0x0000803F\"> : tensor<2xf32>") == "splat:0000803f");
  CHECK(bytes("dense<\"0x010001\"> : tensor<3xi1>") == "dense:010001");
  CHECK(bytes("dense<\"0x05\"> : tensor<3xi1>") == "dense:010001"); // eight to a byte
  CHECK(bytes("dense<\"0x0502\"> : tensor<11xi1>") == "dense:0100010000000000000100");
  CHECK(bytes("dense<\"0x0F01\"> : tensor<2xi4>") == "dense:ff01");
  CHECK(bytes("dense<> : tensor<0x3xf32>") == "dense:");
  CHECK(bytes("dense<[]> : tensor<0xf32>") == "dense:");
  CHECK(bytes("dense<[[], []]> : tensor<2x0xf32>") == "dense:");
}

TEST_CASE("resources at the end of the text") {
  const char *section = R"({-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000020C0",
      flags: "0x010000000100"
    }
  }
#-})";
  CHECK(bytes("dense_resource<weights> : tensor<2xf32>", section) == "dense:0000803f000020c0");
  CHECK(bytes("dense_resource<flags> : tensor<2xi1>", section) == "dense:0100");
  CHECK(bytes("dense_resource<weights> : tensor<3xf32>", section) ==
        "8 bytes of data for tensor<3xf32>, which has 12");
  CHECK(bytes("dense_resource<__elided__> : tensor<3xf32>", section) == "splat:00000000");
}

} // namespace tw::test_literals
