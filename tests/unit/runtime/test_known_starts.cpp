// SPDX-License-Identifier: Apache-2.0
// Reads and writes at places that constants and iotas decide: any starts, also beyond the array, and any
// tiles give what one device gives, and no more moves than changes its owner.
#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "import/import.hpp"
#include "support/unit.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_known_starts {

using namespace tw::test;

namespace {

constexpr const char *kSet = "({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    stablehlo.return %q : "
                             "tensor<f32>\n  })";
constexpr const char *kAdd = "({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %w = stablehlo.add %p, %q : "
                             "tensor<f32>\n    stablehlo.return %w : tensor<f32>\n  })";

// Of x, n long, and u, m long, of three columns each.
std::string written(int64_t n, int64_t m, int64_t start) {
  return fmt::format(R"(func.func @main(%x: tensor<{0}x3xf32>, %u: tensor<{1}x3xf32>) -> tensor<{0}x3xf32> {{
  %c = stablehlo.constant dense<{2}> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %u, %c, %z : (tensor<{0}x3xf32>, tensor<{1}x3xf32>, tensor<i32>, tensor<i32>) -> tensor<{0}x3xf32>
  return %0 : tensor<{0}x3xf32>
}}
)",
                     n, m, start);
}

std::string scattered(int64_t n, int64_t m, int64_t start, const char *region) {
  return fmt::format(R"(func.func @main(%x: tensor<{0}x3xf32>, %u: tensor<{1}x3xf32>) -> tensor<{0}x3xf32> {{
  %c = stablehlo.constant dense<{2}> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %c, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>}}> {3} : (tensor<{0}x3xf32>, tensor<1xi32>, tensor<{1}x3xf32>) -> tensor<{0}x3xf32>
  return %0 : tensor<{0}x3xf32>
}}
)",
                     n, m, start, region);
}

// %v: the places of one element of each of m rows, from row `first` on, by steps; at columns that %u says.
std::string places(int64_t m, int64_t first, int64_t step) {
  return fmt::format(R"(  %i = stablehlo.iota dim = 0 : tensor<{0}x1xi32>
  %s = stablehlo.constant dense<{2}> : tensor<{0}x1xi32>
  %b = stablehlo.constant dense<{1}> : tensor<{0}x1xi32>
  %m = stablehlo.multiply %i, %s : tensor<{0}x1xi32>
  %r = stablehlo.add %m, %b : tensor<{0}x1xi32>
  %k = stablehlo.reshape %u : (tensor<{0}xf32>) -> tensor<{0}x1xf32>
  %c = stablehlo.convert %k : (tensor<{0}x1xf32>) -> tensor<{0}x1xi32>
  %v = stablehlo.concatenate %r, %c, dim = 1 : (tensor<{0}x1xi32>, tensor<{0}x1xi32>) -> tensor<{0}x2xi32>
)",
                     m, first, step);
}

// One element of each of m rows, from row `first` on, by steps; at columns that are not known.
std::string rows_scattered(int64_t n, int64_t m, int64_t first, int64_t step, const char *region) {
  return fmt::format(R"(func.func @main(%x: tensor<{0}x3xf32>, %u: tensor<{1}xf32>) -> tensor<{0}x3xf32> {{
{2}  %0 = "stablehlo.scatter"(%x, %v, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> {3} : (tensor<{0}x3xf32>, tensor<{1}x2xi32>, tensor<{1}xf32>) -> tensor<{0}x3xf32>
  return %0 : tensor<{0}x3xf32>
}}
)",
                     n, m, places(m, first, step), region);
}

std::string rows_gathered(int64_t n, int64_t m, int64_t first, int64_t step) {
  return fmt::format(R"(func.func @main(%x: tensor<{0}x3xf32>, %u: tensor<{1}xf32>) -> tensor<{1}xf32> {{
{2}  %0 = "stablehlo.gather"(%x, %v) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}}> : (tensor<{0}x3xf32>, tensor<{1}x2xi32>) -> tensor<{1}xf32>
  return %0 : tensor<{1}xf32>
}}
)",
                     n, m, places(m, first, step));
}

// A box of `size` rows, in either form.
std::string read(int64_t n, int64_t size, int64_t start, bool gathers) {
  const std::string op =
      gathers ? fmt::format(
                    "%c = stablehlo.constant dense<{0}> : tensor<1xi32>\n  %0 = \"stablehlo.gather\"(%x, "
                    "%c) <{{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = "
                    "[0]>, slice_sizes = array<i64: {1}, 3>}}> : (tensor<{2}x3xf32>, tensor<1xi32>) -> "
                    "tensor<{1}x3xf32>",
                    start, size, n)
              : fmt::format(
                    "%c = stablehlo.constant dense<{0}> : tensor<i32>\n  %z = stablehlo.constant dense<0> "
                    ": tensor<i32>\n  %0 = stablehlo.dynamic_slice %x, %c, %z, sizes = [{1}, 3] : "
                    "(tensor<{2}x3xf32>, tensor<i32>, tensor<i32>) -> tensor<{1}x3xf32>",
                    start, size, n);
  return fmt::format(
      "func.func @main(%x: tensor<{0}x3xf32>, %u: tensor<2xf32>) -> tensor<{1}x3xf32> {{\n  {2}\n  "
      "return %0 : tensor<{1}x3xf32>\n}}\n",
      n, size, op);
}

// Answers with what devices receive at most.
int64_t check_same(std::string_view text, std::string_view mesh, std::string_view spec,
                   std::mt19937_64 &random) {
  CAPTURE(text);
  CAPTURE(mesh);
  CAPTURE(spec);
  auto imported = import::import_text(text);
  if (!imported)
    FAIL(imported.error().message());
  Runner whole(imported->graph, "a=1", ""), parts(imported->graph, mesh, spec);
  CAPTURE(to_text(*parts.program));
  for (size_t i = 0; i < whole.inputs.size(); ++i)
    for (int64_t j = 0; j < whole.inputs[i].type().elements(); ++j)
      whole.inputs[i].as<float>()[j] = parts.inputs[i].as<float>()[j] =
          static_cast<float>(static_cast<int64_t>(random() % 6) - 1);
  REQUIRE(whole.run().has_value());
  REQUIRE(parts.run().has_value());
  CHECK(whole.bytes() == parts.bytes());
  return spmd::find_statistics(*parts.program).bytes_received_max;
}

constexpr const char *kArray = "tile(arg=x, dim=0, axis=a); infer-propagate",
                     *kBoth = "tile(arg=x, dim=0, axis=a); tile(arg=u, dim=0, axis=a); infer-propagate";

} // namespace

TEST_CASE("what is written at a known place moves where it changes its owner") {
  std::mt19937_64 random(7);
  // Tiles of 16 and 14 rows: two of each inner tile come from the neighbour before it.
  CHECK(check_same(written(64, 56, 4), "a=4", kBoth, random) == 2 * 3 * 4);
  CHECK(check_same(scattered(64, 56, 4, kSet), "a=4", kBoth, random) == 2 * 3 * 4);
  CHECK(check_same(scattered(64, 56, 4, kAdd), "a=4", kBoth, random) == 2 * 3 * 4);
  CHECK(check_same(rows_scattered(16, 16, 0, 1, kSet), "a=4", kBoth, random) == 0);
  CHECK(check_same(rows_gathered(16, 16, 0, 1), "a=4", kBoth, random) == 0);
}

TEST_CASE("known starts give what one device gives") {
  std::mt19937_64 random(8);
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<int64_t>(1 + random() % 20), m = static_cast<int64_t>(1 + random() % n);
    const auto start = static_cast<int64_t>(random() % (n + 4)) - 2;
    const auto step = static_cast<int64_t>(random() % 4) - 1;
    const std::string mesh = fmt::format("a={}", 2 + random() % 5);
    const char *spec = random() % 2 ? kArray : kBoth;
    switch (round % 8) {
    case 0: check_same(written(n, m, start), mesh, spec, random); break;
    case 1: check_same(scattered(n, m, start, kSet), mesh, spec, random); break;
    case 2: check_same(scattered(n, m, start, kAdd), mesh, spec, random); break;
    case 3:
      check_same(rows_scattered(n, m, start, std::max<int64_t>(step, 0), kSet), mesh, spec, random);
      break;
    case 4: check_same(rows_scattered(n, m, start, step, kAdd), mesh, spec, random); break;
    case 5: check_same(rows_gathered(n, m, start, step), mesh, spec, random); break;
    default: check_same(read(n, m, start, round % 2 != 0), mesh, kArray, random); break;
    }
  }
}

TEST_CASE("what is picked at a known place is sent by the device that has it") {
  std::mt19937_64 random(9);
  for (const bool gathers : {false, true})
    CHECK(check_same(read(8, 1, 7, gathers), "a=4", kArray, random) == 3 * 4);
}

} // namespace tw::test_known_starts
