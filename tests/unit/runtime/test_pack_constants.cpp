// SPDX-License-Identifier: Apache-2.0
// Right matrices that never change are brought once into the order in which products read them, and nobody
// can tell from the results.
#include <bit>

#include "unit/runtime/step_program.hpp"

namespace tw::test_pack_constants {

using namespace tw::test;

namespace {

// `n` numbers of one or the other type, as bytes in hexadecimal.
std::string numbers(int n, bool narrow) {
  std::string text;
  uint32_t state = 7;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    const auto value = static_cast<float>(static_cast<int32_t>(state >> 8)) / 0x1p24f;
    const std::string bytes = fmt::format("{:08X}", __builtin_bswap32(std::bit_cast<uint32_t>(value)));
    text += narrow ? bytes.substr(4) : bytes; // bf16 is the upper half of f32
  }
  return text;
}

// x times a matrix of the program's own; `lines` may read that, %w, or the product, %0.
std::shared_ptr<const graph::Graph> constant_weights(int64_t rows, const char *lines = "",
                                                     const char *returned = "%0") {
  return import_of(fmt::format(R"(
func.func @main(%x: tensor<{0}x64xf32>) -> tensor<{0}x128xf32> {{
  %w = stablehlo.constant dense<"0x{1}"> : tensor<64x128xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<{0}x64xf32>, tensor<64x128xf32>) -> tensor<{0}x128xf32>
{2}
  return {3} : tensor<{0}x128xf32>
}})",
                               rows, numbers(64 * 128, false), lines, returned));
}

// The same in bf16, with the matrix the other way round.
std::shared_ptr<const graph::Graph> narrow_weights(int64_t rows) {
  return import_of(fmt::format(R"(
func.func @main(%x: tensor<{0}x64xf32>) -> tensor<{0}x128xf32> {{
  %w = stablehlo.constant dense<"0x{1}"> : tensor<128x64xbf16>
  %n = stablehlo.convert %x : (tensor<{0}x64xf32>) -> tensor<{0}x64xbf16>
  %0 = stablehlo.dot_general %n, %w, contracting_dims = [1] x [1] : (tensor<{0}x64xbf16>, tensor<128x64xbf16>) -> tensor<{0}x128xf32>
  return %0 : tensor<{0}x128xf32>
}})",
                               rows, numbers(64 * 128, true)));
}

int64_t packed(const runtime::Executable &executable) {
  int64_t count = 0;
  for (const runtime::BoundStep &step : executable.executor().steps())
    for (const kernels::Kernel *kernel : step.kernels)
      count += kernel != nullptr && kernel->packs();
  return count;
}

// The library's own kernels, but with nothing packed.
std::unique_ptr<kernels::Kernel> plain(const kernels::Request &request) {
  auto bound = kernels::bind(request);
  return bound ? std::move(*bound) : nullptr;
}

// Whether the library packs here at all: only some machines have the products for it.
bool packs_here() { return packed(*Runner(constant_weights(32), "", "").executable) > 0; }

} // namespace

TEST_CASE("products of packed matrices have the bits of others, whatever the rows and their tiles") {
  if (!packs_here())
    MESSAGE("nothing is packed on this machine");
  for (const int64_t rows : {1, 5, 32, 300})
    for (const auto &[mesh, spec] : {std::pair{"", ""},
                                     {"a=2", "tile(arg=x, dim=0, axis=\"a\"); infer-propagate"},
                                     {"a=3", "tile(arg=x, dim=0, axis=\"a\"); infer-propagate"},
                                     {"a=2", "tile(arg=x, dim=1, axis=\"a\"); infer-propagate"}}) {
      for (const auto &graph : {constant_weights(rows), narrow_weights(rows)}) {
        runtime::Options options;
        options.first_kernel = plain;
        Runner ours(graph, mesh, spec), theirs(graph, mesh, spec, std::move(options));
        CHECK(packed(*theirs.executable) == 0);
        for (int repeat = 0; repeat < 2; ++repeat) {
          REQUIRE(ours.run().has_value());
          REQUIRE(theirs.run().has_value());
          CHECK(ours.bytes() == theirs.bytes());
        }
      }
    }
}

TEST_CASE("what somebody else reads stays as it is") {
  for (const char *lines :
       {"  %y = stablehlo.slice %w [0:1, 0:128] : (tensor<64x128xf32>) -> tensor<1x128xf32>\n"
        "  %z = stablehlo.broadcast_in_dim %y, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<32x128xf32>\n"
        "  %r = stablehlo.add %0, %z : tensor<32x128xf32>",
        "  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>, "
        "tensor<64x128xf32>) -> tensor<32x128xf32>\n"
        "  %r = stablehlo.add %0, %y : tensor<32x128xf32>"}) {
    const auto graph = constant_weights(32, lines, "%r");
    Runner runner(graph, "", "");
    CHECK(packed(*runner.executable) == 0);
    runtime::Options options;
    options.first_kernel = plain;
    Runner theirs(graph, "", "", std::move(options));
    REQUIRE(runner.run().has_value());
    REQUIRE(theirs.run().has_value());
    CHECK(runner.bytes() == theirs.bytes());
  }
}

TEST_CASE("devices that share a matrix read it in one order") {
  Runner runner(constant_weights(10), "a=4",
                "tile(arg=x, dim=0, axis=\"a\"); infer-propagate"); // rows 3, 3, 3, 1
  const int64_t count = packed(*runner.executable);
  CHECK((count == 0 || count == 4));
  CHECK(runner.run().has_value());
}

} // namespace tw::test_pack_constants
