// SPDX-License-Identifier: Apache-2.0
// Which sums over devices are taken in by the step that reads them, and that every bit stays what the
// collective makes it.
#include <cmath>
#include <numeric>

#include "unit/runtime/float_program.hpp"

namespace tw::test_fuse_sums {

using namespace tw::test;

namespace {

// %s = x w is a sum over the devices that w's rows are on; then comes what `lines` say, which make %z.
std::shared_ptr<const graph::Graph> product_then(const char *lines, const char *returned = "%z") {
  const std::string type = "tensor<6x6xf32>";
  std::string types = type;
  for (const char *c = returned; *c != 0; ++c)
    types += *c == ',' ? ", " + type : "";
  return import_of(fmt::format(R"(
func.func @main(%x: tensor<6x16xf32>, %w: tensor<16x6xf32>, %y: {0}) -> ({1}) {{
  %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x16xf32>, tensor<16x6xf32>) -> {0}
{2}
  return {3} : {1}
}})",
                               type, types, lines, returned));
}

constexpr const char *kRows = "tile(arg=w, dim=0, axis=\"a\"); infer-propagate";
constexpr const char *kAdd = "  %z = stablehlo.add %s, %y : tensor<6x6xf32>";

// The steps where one process runs all devices, and where it does not.
struct Texts {
  std::string together, apart;
};
Texts texts(const std::shared_ptr<const graph::Graph> &graph, const char *mesh = "a=4",
            const char *spec = kRows) {
  Scheduled s(graph, mesh, spec);
  const std::string together = s.text();
  std::vector<int64_t> process(static_cast<size_t>(s.program->mesh().num_positions()));
  std::iota(process.begin(), process.end(), 0);
  s.schedule = runtime::schedule(*s.program, s.layouts, {.process = process});
  return {together, s.text()};
}

} // namespace

TEST_CASE("an elementwise step takes in the sum that it alone reads") {
  const auto graph = product_then(kAdd);
  CHECK(texts(graph).apart == "dot_general all_reduce add");
  for (const char *mesh : {"a=2", "a=4", "a=8"})
    CHECK(texts(graph, mesh).together == "dot_general add");
  CHECK(texts(graph, "a=3").together == "dot_general all_reduce add"); // nothing takes three at once
}

TEST_CASE("a sum that somebody else needs as an array stays one") {
  for (const auto &graph : {
           product_then(kAdd, "%z, %s"),
           product_then(
               "  %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>\n"
               "  %z = stablehlo.add %t, %y : tensor<6x6xf32>"),
           product_then(
               "  %z = stablehlo.add %s, %y : tensor<6x6xf32>\n"
               "  %p = stablehlo.dot_general %s, %y, contracting_dims = [1] x [0] : (tensor<6x6xf32>, "
               "tensor<6x6xf32>) -> tensor<6x6xf32>",
               "%z, %p"),
       })
    CHECK(texts(graph).together == texts(graph).apart);
}

TEST_CASE("a step that is not the same on all the devices leaves the sum alone") {
  const Texts t = texts(product_then(kAdd), "a=4",
                        "tile(arg=w, dim=0, axis=\"a\"); infer-propagate\n"
                        "tile(arg=y, dim=0, axis=\"a\"); infer-propagate");
  CHECK(t.together == t.apart);
}

TEST_CASE("parts are combined in the order of the devices, and zero is added where it was") {
  const auto graph = import_of(R"(
func.func @main(%x: tensor<4x2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.multiply %0, %y : tensor<2xf32>
  return %1 : tensor<2xf32>
})");
  Runner runner(graph, "a=4", "tile(arg=x, dim=0, axis=\"a\"); infer-propagate");
  CHECK(runner.executable->num_steps() == 1);
  const float x[] = {1e8f, -0.0f, 1, -0.0f, -1e8f, -0.0f, 1, -0.0f}, y[] = {1, 1};
  std::memcpy(runner.inputs[0].data(), x, sizeof x);
  std::memcpy(runner.inputs[1].data(), y, sizeof y);
  REQUIRE(runner.run().has_value());
  CHECK(runner.outputs[0].as<float>()[0] == 1.0f); // 1e8 + 1 is 1e8, and 2 would be another order's
  CHECK(!std::signbit(runner.outputs[0].as<float>()[1]));
}

TEST_CASE("sums of complex numbers begin with zero too") {
  const auto graph = import_of(R"(
func.func @main(%x: tensor<2x3xcomplex<f32>>, %y: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
  %1 = stablehlo.add %0, %y : tensor<3xcomplex<f32>>
  return %1 : tensor<3xcomplex<f32>>
})");
  Runner runner(graph, "a=2", "tile(arg=x, dim=0, axis=\"a\"); infer-propagate");
  CHECK(runner.executable->num_steps() == 1);
  for (auto &input : runner.inputs)
    for (int64_t i = 0; i < 2 * input.type().elements(); ++i)
      input.as<float>()[i] = static_cast<float>(i % 5) - 2;
  REQUIRE(runner.run().has_value());
  const auto expected = kernels::ref::evaluate(*graph, arrays_of(runner.inputs));
  REQUIRE(expected.has_value());
  CHECK(array_of(runner.outputs[0]).bytes == (*expected)[0].bytes);
}

TEST_CASE("a chain takes in the sum that its rows begin with") {
  const auto graph = import_of(R"(
func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x96xf32>) -> tensor<64x96xf32>
  %h = stablehlo.add %s, %y : tensor<64x96xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x96xf32>, tensor<f32>) -> tensor<64xf32>
  %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<64xf32>) -> tensor<64x96xf32>
  %z = stablehlo.subtract %h, %b : tensor<64x96xf32>
  return %z : tensor<64x96xf32>
})");
  std::string whole;
  for (const char *mesh : {"a=2", "a=4", "a=8", "a=2,b=2"}) {
    CAPTURE(mesh);
    Runner runner(graph, mesh, kRows);
    for (auto &input : runner.inputs) // whole numbers, so that sums are exact
      for (int64_t i = 0; i < input.type().elements(); ++i)
        input.as<float>()[i] = static_cast<float>(i * 7 % 5) - 2;
    CHECK(runner.executable->num_steps() == 2); // the product, and all else
    REQUIRE(runner.run().has_value());
    if (whole.empty()) {
      const auto expected = kernels::ref::evaluate(*graph, arrays_of(runner.inputs));
      REQUIRE(expected.has_value());
      whole.assign(reinterpret_cast<const char *>((*expected)[0].bytes.data()), (*expected)[0].bytes.size());
    }
    CHECK(runner.bytes() == whole);
  }
}

} // namespace tw::test_fuse_sums
