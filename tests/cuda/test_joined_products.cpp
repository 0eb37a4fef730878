// SPDX-License-Identifier: Apache-2.0
// Products and what is made of them by one kernel, on the double of cuBLASLt: the bits are those of two
// kernels, and what would have others stays two.
#include <string>
#include <string_view>
#include <vector>

#include "device/kind.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_cuda_joined_products {

using namespace tw::test;

namespace {

runtime::Options on_gpu(bool joins = true) {
  runtime::Options options;
  options.device = &device::cuda::kind();
  options.workers = 1;
  if (!joins)
    options.without = {"join_products"};
  return options;
}

int64_t joined(const runtime::Executable &executable) {
  int64_t n = 0;
  for (uint32_t s = 0; s < executable.num_steps(); ++s)
    n += executable.step_name(s).starts_with("stablehlo.dot_general fused with 1 more") ? 1 : 0;
  return n;
}

// How many products are joined; each saves a step, and results have the bits that they have without.
int64_t check(const std::string &text, std::string_view mesh = "", std::string_view spec = "") {
  CAPTURE(text);
  Runner with(import_of(text), mesh, spec, on_gpu()), without(import_of(text), mesh, spec, on_gpu(false));
  const int64_t n = joined(*with.executable);
  CHECK(joined(*without.executable) == 0);
  CHECK(with.executable->num_steps() + n == without.executable->num_steps());
  for (int run = 0; run < 3; ++run) { // issued, recorded, replayed
    REQUIRE(with.run().has_value());
    REQUIRE(without.run().has_value());
    CHECK(with.bytes() == without.bytes());
  }
  return n;
}

// %d is a product of f32 with 6 rows and 8 columns, %c has its shape, %v its columns, %u its rows; then come
// `lines`, whose %z is the result.
std::string after(const std::string &lines, const std::string &result = "tensor<6x8xf32>",
                  const std::string &returned = "%z") {
  return fmt::format(R"(
func.func @main(%x: tensor<6x16xf32>, %w: tensor<16x8xf32>, %c: tensor<6x8xf32>, %v: tensor<8xf32>,
                %u: tensor<6xf32>) -> ({1}) {{
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x16xf32>, tensor<16x8xf32>) -> tensor<6x8xf32>
{0}
  return {2} : {1}
}})",
                     lines, result, returned);
}
constexpr const char *kPlusC = "  %z = stablehlo.add %d, %c : tensor<6x8xf32>";
constexpr const char *kPlusBias =
    "  %b = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>\n"
    "  %z = stablehlo.add %d, %b : tensor<6x8xf32>";

// Arguments of f32 become factors of `factor`, whose products are of type `sum`: %d, %c, which has its shape,
// and %v, its columns. Then come `lines`.
std::string typed(const std::string &factor, const std::string &sum, const std::string &lines,
                  const std::string &result) {
  return fmt::format(R"(
func.func @main(%x0: tensor<6x16xf32>, %w0: tensor<16x8xf32>, %y0: tensor<16x8xf32>, %r0: tensor<16xf32>) -> tensor<6x8x{3}> {{
  %x = stablehlo.convert %x0 : (tensor<6x16xf32>) -> tensor<6x16x{0}>
  %w = stablehlo.convert %w0 : (tensor<16x8xf32>) -> tensor<16x8x{0}>
  %y = stablehlo.convert %y0 : (tensor<16x8xf32>) -> tensor<16x8x{0}>
  %r = stablehlo.convert %r0 : (tensor<16xf32>) -> tensor<16x{0}>
  %c = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<6x16x{0}>, tensor<16x8x{0}>) -> tensor<6x8x{1}>
  %v = stablehlo.dot_general %r, %w, contracting_dims = [0] x [0] : (tensor<16x{0}>, tensor<16x8x{0}>) -> tensor<8x{1}>
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x16x{0}>, tensor<16x8x{0}>) -> tensor<6x8x{1}>
{2}
  return %z : tensor<6x8x{3}>
}})",
                     factor, sum, lines, result);
}
std::string plus_c(const std::string &type) {
  return fmt::format("  %z = stablehlo.add %c, %d : tensor<6x8x{}>", type);
}
std::string plus_bias(const std::string &type) {
  return fmt::format("  %b = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<8x{0}>) -> tensor<6x8x{0}>\n"
                     "  %z = stablehlo.add %d, %b : tensor<6x8x{0}>",
                     type);
}
std::string converted(const std::string &from, const std::string &to) {
  return fmt::format("  %z = stablehlo.convert %d : (tensor<6x8x{}>) -> tensor<6x8x{}>", from, to);
}

struct Shapes {
  std::string x, w, dims, result, bias; // bias: of the innermost dimension
  int64_t rank;
};
// A product of these shapes plus an array or a bias.
std::string shaped(const Shapes &s, bool bias) {
  return fmt::format(R"(
func.func @main(%x: tensor<{0}xf32>, %w: tensor<{1}xf32>, %c: tensor<{5}xf32>) -> tensor<{3}xf32> {{
  %d = stablehlo.dot_general %x, %w, {2} : (tensor<{0}xf32>, tensor<{1}xf32>) -> tensor<{3}xf32>
{4}
  %z = stablehlo.add %d, %{6} : tensor<{3}xf32>
  return %z : tensor<{3}xf32>
}})",
                     s.x, s.w, s.dims, s.result,
                     bias
                         ? fmt::format("  %b = stablehlo.broadcast_in_dim %c, dims = [{}] : (tensor<{}xf32>) "
                                       "-> tensor<{}xf32>",
                                       s.rank - 1, s.bias, s.result)
                         : "",
                     bias ? s.bias : s.result, bias ? "b" : "c");
}

} // namespace

TEST_CASE("a sum or a bias behind a product of f32 is made by its kernel") {
  CHECK(check(after(kPlusC)) == 1);
  CHECK(check(after("  %z = stablehlo.add %c, %d : tensor<6x8xf32>")) == 1);
  CHECK(check(after(kPlusBias)) == 1);
  // What follows reads the result as it reads any other.
  CHECK(
      check(after(std::string(kPlusC) + "\n  %t = stablehlo.transpose %z, dims = [1, 0] : (tensor<6x8xf32>) "
                                        "-> tensor<8x6xf32>",
                  "tensor<8x6xf32>", "%t")) == 1);
}

TEST_CASE("types: sums of f64, conversions to the factors' type of f16 and bf16") {
  CHECK(check(typed("f64", "f64", plus_c("f64"), "f64")) == 1);
  CHECK(check(typed("bf16", "f32", plus_c("f32"), "f32")) == 1);
  // The library's kernels for some GPUs take no bias there, and then there are two.
  if (const int64_t joined = check(typed("bf16", "f32", plus_bias("f32"), "f32")); test::is_double())
    CHECK(joined == 1);
  for (const char *type : {"f16", "bf16"})
    CHECK(check(typed(type, "f32", converted("f32", type), type)) == 1);
}

TEST_CASE("shapes: batches, loops, transposed operands, one row, one column, a result of one element") {
  const Shapes shapes[] = {
      {"3x6x16", "3x16x8", "batching_dims = [0] x [0], contracting_dims = [2] x [1]", "3x6x8", "8", 3},
      {"6x16", "8x16", "contracting_dims = [1] x [1]", "6x8", "8", 2},
      {"16x6", "16x8", "contracting_dims = [0] x [0]", "6x8", "8", 2},
      {"2x3x6x16", "2x3x16x8", "batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]", "2x3x6x8",
       "8", 4},
      {"6x3x16", "16x3x8", "batching_dims = [1] x [1], contracting_dims = [2] x [0]", "3x6x8", "8", 3},
      {"5x16x6", "16x8", "contracting_dims = [1] x [0]", "5x6x8", "8", 3},
      {"6x16", "5x16x8", "contracting_dims = [1] x [1]", "6x5x8", "8", 3},
      {"1x16", "16x8", "contracting_dims = [1] x [0]", "1x8", "8", 2},
      {"6x16", "16x1", "contracting_dims = [1] x [0]", "6x1", "1", 2},
      {"6x1", "1x8", "contracting_dims = [1] x [0]", "6x8", "8", 2},
      {"1x1", "1x1", "contracting_dims = [1] x [0]", "1x1", "1", 2},
  };
  for (const Shapes &s : shapes) {
    CHECK(check(shaped(s, false)) == 1);
    CHECK(check(shaped(s, true)) == 1);
  }
}

TEST_CASE("shapes that stay two steps: products of nothing, a bias of part of the columns") {
  for (const bool bias : {false, true}) {
    CHECK(check(shaped({"6x0", "0x8", "contracting_dims = [1] x [0]", "6x8", "8", 2}, bias)) == 0);
    CHECK(check(shaped({"0x16", "16x8", "contracting_dims = [1] x [0]", "0x8", "8", 2}, bias)) == 0);
  }
  // 40 columns in one product, with 5 times the same bias.
  CHECK(check(shaped({"6x16", "16x5x8", "contracting_dims = [1] x [0]", "6x5x8", "8", 3}, true)) == 0);
  CHECK(check(shaped({"6x16", "16x5x8", "contracting_dims = [1] x [0]", "6x5x8", "8", 3}, false)) == 1);
}

TEST_CASE("what is read besides may be a factor, or the product of a step before") {
  const auto square = [](const char *lines) {
    return fmt::format(R"(
func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {{
  %y = stablehlo.negate %x : tensor<8x8xf32>
  %d = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
{}
  return %z : tensor<8x8xf32>
}})",
                       lines);
  };
  for (const char *other : {"%y", "%w", "%x"})
    CHECK(check(square(fmt::format("  %z = stablehlo.add %d, {} : tensor<8x8xf32>", other).c_str())) == 1);
  CHECK(check(square("  %e = stablehlo.dot_general %d, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
                     "tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                     "  %f = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
                     "tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                     "  %z = stablehlo.add %e, %f : tensor<8x8xf32>")) == 1);
  CHECK(check(square("  %z = stablehlo.add %d, %d : tensor<8x8xf32>")) == 0);
}

TEST_CASE("loops carry sums that products are added to") {
  const std::string text = R"(
func.func @main(%a: tensor<8x12xf32>, %w: tensor<12x12xf32>, %s: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %n = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%x = %s, %i = %n) : tensor<8x12xf32>, tensor<i32>
  cond {
    %most = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %d = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x12xf32>) -> tensor<8x12xf32>
    %z = stablehlo.add %x, %d : tensor<8x12xf32>
    stablehlo.return %z, %j : tensor<8x12xf32>, tensor<i32>
  }
  return %0#0 : tensor<8x12xf32>
})";
  CHECK(check(text) == 1);
  CHECK(check(text, "data=2", "tile(arg=a, dim=0, axis=\"data\"); infer-propagate") == 1);
}

TEST_CASE("devices: tiles are joined alike, sums over devices are not") {
  const char *rows = "tile(arg=x, dim=0, axis=\"data\"); infer-propagate",
             *columns = "tile(arg=w, dim=1, axis=\"data\"); infer-propagate",
             *inner = "tile(arg=w, dim=0, axis=\"data\"); infer-propagate";
  for (const char *lines : {kPlusC, kPlusBias}) {
    for (const char *mesh : {"data=2", "data=4"}) { // of four devices one has no rows
      CHECK(check(after(lines), mesh, rows) == 1);
      CHECK(check(after(lines), mesh, columns) == 1);
      CHECK(check(after(lines), mesh, inner) == 0);
    }
  }
}

TEST_CASE("what has other bits, other readers or another op stays two steps") {
  const std::string no_join[] = {
      after(kPlusC, "tensor<6x8xf32>, tensor<6x8xf32>", "%z, %d"), // somebody else needs the product
      after("  %b = stablehlo.broadcast_in_dim %u, dims = [0] : (tensor<6xf32>) -> tensor<6x8xf32>\n"
            "  %z = stablehlo.add %d, %b : tensor<6x8xf32>"), // along the rows
      after("  %z = stablehlo.subtract %c, %d : tensor<6x8xf32>"),
      after("  %z = stablehlo.multiply %d, %c : tensor<6x8xf32>"),
      after(std::string("  %y = stablehlo.add %d, %c : tensor<6x8xf32>\n"
                        "  %z = stablehlo.maximum %y, %c : tensor<6x8xf32>")), // a group of two
      after("  %z = stablehlo.convert %d : (tensor<6x8xf32>) -> tensor<6x8xbf16>", "tensor<6x8xbf16>"),
      after("  %z = stablehlo.convert %d : (tensor<6x8xf32>) -> tensor<6x8xf64>", "tensor<6x8xf64>"),
      typed("f64", "f64", plus_bias("f64"), "f64"),
      typed("bf16", "bf16", plus_c("bf16"), "bf16"),
      typed("f16", "f16", plus_bias("f16"), "f16"),
      typed("bf16", "f32", converted("f32", "f16"), "f16"),
      typed("f64", "f64", converted("f64", "f32"), "f32"),
  };
  for (const std::string &text : no_join)
    CHECK(check(text) == 0);
}

} // namespace tw::test_cuda_joined_products
